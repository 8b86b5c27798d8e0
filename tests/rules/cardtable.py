"""A card table for the rule tests: rules, hands, tricks and deals written as card strings.

A card is written as in the game record: `TC`, `QS`, and `JK` for the joker of the pack in play.
"""

from collections import Counter
from typing import Any

import pytest
from seating import hand as hand
from seating import in_play
from seating import rules as rules

from engine.cards import Card, Hand
from engine.errors import Refusal
from engine.play.deal import Deal, advance_deal, start_deal
from engine.play.game import Game
from engine.play.moves import Dealt, Move, Passed, Played, SeatMove
from engine.rules.options import MoonChoice
from engine.rules.plays import Trick, winning_index
from engine.rules.ruleset import Ruleset

#: The thirteen hearts, upward.
ALL_HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
ADD, SUBTRACT = MoonChoice.ADD, MoonChoice.SUBTRACT
CLASSIC = rules("classic", 4)


def card(of: Ruleset, code: str) -> Card:
    """The card of the pack in play with this code."""
    return of.pack.faces[code]


def same(cards: Hand, codes: str) -> bool:
    """Whether these are those cards, each as often, in any order."""
    return Counter(one.code for one in cards) == Counter(codes.split())


def first_trick(
    of: Ruleset, *hands: str, dealer: int = 0, kitty: str = "", leader: int = 0, number: int | None = None
) -> Deal:
    """A deal before its first trick, by default one without a pass; hands hold only the cards that matter."""
    if number is None:
        number = offsets(of, 20).index(0) + 1
    dealt = Dealt(dealer, tuple(hand(of, codes) for codes in hands), hand(of, kitty))
    return start_deal(of, number, dealt, leader)


def passing(of: Ruleset, *hands: str, number: int) -> Deal:
    """The deal with this number (from 1), before its pass."""
    return first_trick(of, *hands, number=number)


def last_tricks(
    of: Ruleset,
    *hands: str,
    leader: int = 0,
    broken: bool = False,
    face_up: dict[int, str] | None = None,
    exposed: str = "",
    taken: dict[int, str] | None = None,
    kitty: str = "",
) -> Deal:
    """The end of a deal: these hands are left, after tricks that took what `taken` says and nothing more.

    `face_up` are exposed cards still before their owners, `exposed` those played or picked up since.
    """
    down = tuple(hand(of, (face_up or {}).get(seat, "")) for seat in range(of.players))
    held = tuple(hand(of, codes) for codes in hands)
    left = max(len(one) + len(two) for one, two in zip(held, down, strict=True))
    shown = [(seat, one) for seat, cards in enumerate(down) for one in cards]
    return in_play(
        of,
        held,
        Trick(leader),
        of.pack.hand_size - left,
        number=1,
        kitty=hand(of, kitty),
        exposures=(*shown, *((0, one) for one in hand(of, exposed))),
        face_up=down,
        taken=tuple(hand(of, (taken or {}).get(seat, "")) for seat in range(of.players)),
        hearts_broken=broken,
    )


def to_lead(of: Ruleset, held: str, *, face_up: str = "") -> Deal:
    """Seat 0 leads from these cards, with these exposed, before hearts are broken."""
    count = len(f"{held} {face_up}".split())
    return last_tricks(of, held, *["2D " * count] * (of.players - 1), face_up={0: face_up})


def to_follow(of: Ruleset, held: str, lead: str, *, face_up: str = "") -> Deal:
    """Seat 1 is to follow with these cards, and with these exposed."""
    count = len(f"{held} {face_up}".split())
    others = ["2D " * count] * (of.players - 2)
    return play(last_tricks(of, f"{lead} " * count, held, *others, face_up={1: face_up}), lead)


def play(deal: Deal, codes: str) -> Deal:
    """The deal after these cards, each by the player whose turn it is."""
    return play_on(Game(deal.rules, deals=(deal,)), codes).deals[-1]


def pass_cards(deal: Deal, *chosen: str) -> Deal:
    """The deal after every seat in turn has chosen these cards to pass."""
    return after(deal, *(Passed(seat, hand(deal.rules, codes)) for seat, codes in enumerate(chosen)))


def after(deal: Deal, *moves: SeatMove) -> Deal:
    for move in moves:
        deal = advance_deal(deal, move)
    return deal


def may_play(deal: Deal, codes: str) -> bool:
    """Whether exactly these cards may be played by the player whose turn it is."""
    return same(deal.legal(deal.turn), codes)


def refused(before: Deal | Game, move: str | Move) -> Refusal:
    """The refusal that meets this move, or in a deal this card from the player whose turn it is."""
    if isinstance(move, str):
        move = Played(before.turn, card(before.rules, move))
    with pytest.raises(Refusal) as caught:
        before.advance(move) if isinstance(before, Game) else advance_deal(before, move)
    return caught.value


def not_possible(preset: str, players: int, **options: Any) -> Refusal:
    """The refusal that meets these rules."""
    with pytest.raises(Refusal) as caught:
        Ruleset.of(preset, players, options)
    return caught.value


def trick(of: Ruleset, codes: str, *, last: bool = False) -> int | None:
    """Who wins this trick, counted from its leader; None if it is put on hold."""
    return winning_index(of, Trick(0, hand(of, codes)), last=last)


def points(of: Ruleset, *piles: str, exposed: str = "", choice: MoonChoice | None = None) -> tuple[int, ...]:
    """What each player scores for these cards; seats left out have taken none that counts."""
    taken = [hand(of, codes) for codes in piles] + [()] * (of.players - len(piles))
    return of.counting.points(taken, hand(of, exposed), choice)


def game(of: Ruleset, *totals: int, deal: Deal) -> Game:
    """A game with these totals in which this deal goes on."""
    return Game(of, deals=(deal,), history=(totals,))


def play_on(before: Game, codes: str) -> Game:
    """The game after these cards, each by the player whose turn it is."""
    for code in codes.split():
        before = before.advance(Played(before.deal.turn, card(before.rules, code)))
    return before


def offsets(of: Ruleset, deals_: int) -> list[int]:
    """How many seats to the left cards are passed in each of the first deals (negative: right; 0: none)."""
    nothing = Dealt(0, (of.pack.cards,) * of.players)
    return [start_deal(of, number, nothing).offset for number in range(1, deals_ + 1)]
