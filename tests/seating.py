"""A seat at a table in the middle of a deal, written as card strings."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

from engine.cards import Hand, sort_hand, without
from engine.play.deal import Deal, DoneTrick, Phase, start_deal
from engine.play.game import Game
from engine.play.moves import Dealt
from engine.play.views import SeatView, seat_view
from engine.players import Player
from engine.rules.plays import Trick
from engine.rules.ruleset import Ruleset


def rules(preset: str, players: int, **options: Any) -> Ruleset:
    return Ruleset.of(preset, players, options)


def hand(of: Ruleset, codes: str) -> Hand:
    """Several cards of the pack in play."""
    return tuple(of.pack.faces[code] for code in codes.split())


def playing(
    of: Ruleset,
    held: str,
    trick: str = "",
    *,
    out: str | None = None,
    taken: dict[int, str] | None = None,
    on_hold: str = "",
    opened: bool = True,
) -> Game:
    """A game in which seat 0 is to play to this trick from the cards that it holds.

    The others hold `out`, by default all cards not named; the rest have been taken in turn.
    """
    mine, on_table = hand(of, held), hand(of, trick)
    piles = [hand(of, (taken or {}).get(seat, "")) for seat in range(of.players)]
    left = Counter(of.pack.cards)
    left.subtract((*mine, *on_table, *hand(of, on_hold), *(card for pile in piles for card in pile)))
    theirs = list(left.elements() if out is None else hand(of, out))
    left.subtract(theirs)
    assert min(left.values()) >= 0, "a card lies in two places"
    for index, card in enumerate(left.elements()):
        piles[index % of.players] += (card,)
    Random(0).shuffle(theirs)
    deal = in_play(
        of,
        (sort_hand(mine), *(sort_hand(theirs[seat :: of.players - 1]) for seat in range(of.players - 1))),
        Trick((-len(on_table)) % of.players, on_table),
        of.pack.hand_size - len(mine) if opened else 0,
        number=4,  # classic holds
        taken=tuple(piles),
        on_hold=hand(of, on_hold),
        hearts_broken=opened,
    )
    return Game(of, deals=(deal,))


def in_play(of: Ruleset, held: tuple[Hand, ...], trick: Trick, done: int, **others: Any) -> Deal:
    """A deal without a pass in which these hands are left after so many tricks, of which nothing is known."""
    nothing = DoneTrick(Trick(0), None, frozenset(), won=(), kitty=0, entries=(), so_far=(0,) * of.players)
    none = ((),) * of.players
    return Deal(
        rules=of,
        dealt=Dealt(0, held),
        phase=Phase.PLAYING,
        hands=held,
        passes=(None,) * of.players,
        received=none,
        trick=trick,
        tricks=(nothing,) * done,
        kitty_taken=none,
        **{"kitty": (), "face_up": none, **others},
    )


def dealt(of: Ruleset, held: str, number: int = 1) -> Game:
    """A game in which seat 0 was just dealt these cards in the deal with this number."""
    mine = hand(of, held)
    size = of.pack.hand_size
    theirs = list(without(of.pack.cards, mine))
    Random(0).shuffle(theirs)
    hands = [tuple(theirs[index * size : (index + 1) * size]) for index in range(of.players - 1)]
    cards = Dealt(of.players - 1, (mine, *hands), tuple(theirs[size * (of.players - 1) :]))
    return Game(of, deals=(start_deal(of, number, cards, 0),))


def with_history(game: Game, *totals: int) -> Game:
    """The same game with these totals so far."""
    return replace(game, history=(totals,))


def reshuffled(game: Game, seat: int, rng: Random) -> Game:
    """The same game with the cards hidden from this seat shuffled."""
    deal = game.deals[-1]
    hidden = [card for other, held in enumerate(deal.hands) if other != seat for card in held]
    hidden += deal.kitty
    rng.shuffle(hidden)
    hands = [
        held if other == seat else tuple(hidden.pop() for _ in held) for other, held in enumerate(deal.hands)
    ]
    deal = replace(deal, hands=tuple(hands), kitty=tuple(hidden))
    return replace(game, deals=(*game.deals[:-1], deal))


def my_view(game: Game) -> SeatView:
    """What seat 0 sees."""
    return seat_view(game, 0)


def plays(game: Game, player: Player) -> str:
    """The code of the card that this player in seat 0 plays."""
    return player(my_view(game), Random(1)).card.code


def passes(game: Game, player: Player) -> set[str]:
    """The codes of the cards that this player in seat 0 passes."""
    return {card.code for card in player(my_view(game), Random(1)).cards}
