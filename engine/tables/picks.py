"""Cards picked to pass: nobody else sees them, and they are no moves yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.cards import Card, Hand
from engine.errors import Refusal
from engine.play.deal import Phase, with_seat
from engine.play.game import Game
from engine.play.moves import Move, Passed

#: Where in a hand some of its cards are, from 0: two copies of a card are two places.
Places = tuple[int, ...]
#: By seat; None where nothing was picked since the deal or the last pass; empty where that is so of all.
Picks = tuple[Places | None, ...]


def picked_by(game: Game, picks: Picks, seat: int) -> Places:
    """What this player has picked, or has chosen to pass as long as they pick nothing else."""
    if picks and (picked := picks[seat]) is not None:
        return picked
    deal = game.deals[-1]
    return places_in_hand(deal.hands[seat], deal.passes[seat] or ()) if deal.phase is Phase.PASSING else ()


def pick_card(game: Game, picks: Picks, seat: int, place: int, *, wanted: bool) -> Picks:
    """The card at this place is picked, or put back; Refusal where none can be."""
    deal = game.deals[-1]
    if deal.phase is not Phase.PASSING:
        raise Refusal("not_passing")
    if place >= len(deal.hands[seat]):
        raise Refusal("stale")
    others = tuple([other for other in picked_by(game, picks, seat) if other != place])
    if wanted and len(others) >= game.rules.pass_cards:
        raise Refusal("all_picked")
    picked = tuple(sorted((*others, place))) if wanted else others
    return with_seat(picks or (None,) * game.rules.players, seat, picked)


def picked_pass(game: Game, picks: Picks, seat: int) -> Passed | None:
    """The pass of what this player has picked, once that is all; None where nothing can be passed."""
    deal, picked = game.deals[-1], picked_by(game, picks, seat)
    if deal.phase is not Phase.PASSING or len(picked) != game.rules.pass_cards:
        return None
    return Passed(seat, tuple([deal.hands[seat][place] for place in picked]))


def picks_after(picks: Picks, game: Game, move: Move) -> Picks:
    """What is still picked after this move, which has made the game this."""
    if not picks or game.deals[-1].phase is not Phase.PASSING:
        return ()
    left = with_seat(picks, move.seat, None) if isinstance(move, Passed) else picks
    return left if any(picked is not None for picked in left) else ()


def places_in_hand(hand: Hand, cards: Sequence[Card]) -> Places:
    """Where in this hand these cards are; of two copies the first."""
    left = Counter(cards)
    found = []
    for place, card in enumerate(hand):
        if left[card]:
            left[card] -= 1
            found.append(place)
    return tuple(found)
