"""Cards picked to pass: only their player sees them, and they aren't moves yet."""

from collections import Counter
from collections.abc import Sequence

from engine.cards import Card, Hand
from engine.errors import Refusal
from engine.play.deal import Phase, with_seat
from engine.play.game import Game
from engine.play.moves import Move, Passed

#: Positions of cards in a hand, from 0, which tell two copies of a card apart.
Places = tuple[int, ...]
#: By seat; None if the player hasn't picked since the deal or their last pass. Empty if nobody has.
Picks = tuple[Places | None, ...]


def picked_by(game: Game, picks: Picks, seat: int) -> Places:
    """The cards that this player has picked or, until they pick again, the cards of their pass."""
    if picks and (picked := picks[seat]) is not None:
        return picked
    deal = game.deals[-1]
    return places_in_hand(deal.hands[seat], deal.passes[seat] or ()) if deal.phase is Phase.PASSING else ()


def pick_card(game: Game, picks: Picks, seat: int, place: int, *, is_picked: bool) -> Picks:
    """Pick the card at this place, or put it back; Refusal if that isn't possible."""
    deal = game.deals[-1]
    if deal.phase is not Phase.PASSING:
        raise Refusal("not_passing")
    if place >= len(deal.hands[seat]):
        raise Refusal("stale")
    others = tuple([other for other in picked_by(game, picks, seat) if other != place])
    if is_picked and len(others) >= game.rules.pass_cards:
        raise Refusal("all_picked")
    picked = tuple(sorted((*others, place))) if is_picked else others
    return with_seat(picks or (None,) * game.rules.players, seat, picked)


def picked_pass(game: Game, picks: Picks, seat: int) -> Passed | None:
    """The pass of the cards that this player has picked; None if these aren't enough or can't be passed."""
    deal, picked = game.deals[-1], picked_by(game, picks, seat)
    if deal.phase is not Phase.PASSING or len(picked) != game.rules.pass_cards:
        return None
    return Passed(seat, tuple([deal.hands[seat][place] for place in picked]))


def picks_after(picks: Picks, game: Game, move: Move) -> Picks:
    """The picks that are left after this move, which has led to this game."""
    if not picks or game.deals[-1].phase is not Phase.PASSING:
        return ()
    remaining = with_seat(picks, move.seat, None) if isinstance(move, Passed) else picks
    return remaining if any(picked is not None for picked in remaining) else ()


def places_in_hand(hand: Hand, cards: Sequence[Card]) -> Places:
    """The places of these cards in this hand; the first place of two copies."""
    remaining = Counter(cards)
    places = []
    for place, card in enumerate(hand):
        if remaining[card]:
            remaining[card] -= 1
            places.append(place)
    return tuple(places)
