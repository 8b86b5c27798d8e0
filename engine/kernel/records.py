"""A ruleset and a deal as numbers: numpy records, which compiled code reads and copies.

A deal is one record, so that a copy is one assignment.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence
from functools import lru_cache
from operator import gt
from typing import Any, cast

import numpy as np

from engine.cards import QUEEN_OF_SPADES, WILD_JOKER, Card, Hand
from engine.numbers.rows import (
    CODES,
    HEARTS,
    JOKERS,
    MOST_JOKERS,
    NONE,
    Grid,
    Row,
    face,
    suit_index,
)
from engine.numbers.worths import Values, codes_in, rows_with, values_of
from engine.rules.counting import Counting
from engine.rules.options import Duplicates, HeartsBrokenBy
from engine.rules.plays import kitty_share
from engine.rules.ruleset import Ruleset

#: The most players, tricks and kitty cards that fit.
SEATS, TRICKS, KITTY = 10, 52, 10


class NumpyRecord(np.record):  # type: ignore[misc]  # possible, though numpy's types don't say so
    """A numpy record with a property for each field, made by `layout`.

    numpy's own class looks each attribute up in Python, which takes four times as long.
    """

    __getattribute__ = object.__getattribute__
    __setattr__ = object.__setattr__

    @property
    def data(self) -> Any:
        """The record itself, for numba to read at each call; a memoryview would first describe all fields."""
        return self


class Laws(NumpyRecord):  # type: ignore[misc]
    """A deal's rules with its exposed cards, which change what cards count (C8); made by `Laws.of`.

    Rows hold the cards of a kind, with all copies in the pack.
    """

    players: int
    hand_size: int
    goal: int  # 1 where the highest total wins, −1 where the lowest does
    pack: Row
    # What may be played
    unsafe: Row  # not to the first trick (K4, W7, P5)
    breakers: Row  # let hearts be led from the next trick on
    hearts_must_break: bool
    lead_hearts_with_queen: bool  # K5
    queen: Row  # of spades
    jokers: Row  # without suit (W4)
    # Who takes a trick
    twins_cancel: bool
    kitty_before: Row  # how many of the kitty's cards have been taken before each trick
    # What counts
    value: Row  # by code: the card's own points
    deciding: Row  # points may depend on who takes these
    moon: Row  # taking them all shoots the moon
    moon_is_possible: bool
    moon_value: int  # their points together
    moon_turns: bool  # a moon reverses its cards' sign (C8), instead of the next two
    moon_own: int
    moon_others: int
    multiplier: Row
    times: int
    alone: int
    company: Row
    sun: Row
    sun_points: int
    # For the players of a playout; the first five as in `Values`
    worth: Row
    at_stake: int
    prizes: Row
    bleeders: Row
    catchers: Row
    moon_is_good: bool  # a moon's cards are good to have
    first_is_safe: bool  # whether nothing that counts may be played to the first trick

    @staticmethod
    def of(rules: Ruleset, exposed: Hand = ()) -> Laws:
        """The laws of a deal with these exposed cards. They are cached: don't change them.

        ValueError if its cards or players don't fit; all documented games do.
        """
        return _laws(rules, exposed)

    def codes(self, card: Card) -> tuple[int, ...]:
        """Every copy of this card in the pack; none if it isn't in play."""
        return codes_in(int(self.pack[suit_index(card.suit)]), card)

    def face(self, code: int) -> Card:
        """The card that this is a copy of."""
        return face(code)


def rows_of(codes: Iterable[int]) -> Row:
    """Rows with these cards."""
    return cast("Row", np.array(rows_with(codes), np.int64))


def layout(record: type[NumpyRecord], **lengths: int) -> np.dtype[Any]:
    """A record's numpy type by its annotations; `lengths` are those of rows with other than 5 numbers."""

    def shape(name: str, kind: str) -> tuple[int, ...]:
        return {"Grid": (SEATS, 5), "Row": (lengths.get(name, 5),)}.get(kind, ())

    fields = [(name, "i8", shape(name, kind)) for name, kind in record.__annotations__.items()]
    for name in record.__annotations__:
        setattr(record, name, _field(name))
    return np.dtype((record, fields))


def _field(name: str) -> property:
    def read(record: NumpyRecord) -> Any:
        return np.void.__getitem__(record, name)

    def write(record: NumpyRecord, value: Any) -> None:
        np.void.__setitem__(record, name, value)

    return property(read, write)


LAWS = layout(Laws, kitty_before=TRICKS + 1, value=CODES, worth=CODES)


@lru_cache(maxsize=256)
def _laws(rules: Ruleset, exposed: Hand) -> Laws:
    pack = rules.pack
    sizes = pack.decks, pack.players, pack.hand_size, pack.kitty_size, pack.jokers.count(WILD_JOKER)
    if any(map(gt, sizes, (2, SEATS, TRICKS, KITTY, MOST_JOKERS))):
        raise ValueError(f"no room for {rules.preset.title} with {rules.players} players")
    laws = cast("Laws", np.zeros(1, LAWS)[0])
    values = values_of(rules, exposed)
    for name in Values._fields:
        setattr(laws, name, getattr(values, name))
    laws.hand_size, laws.goal = pack.hand_size, rules.winner.sign
    _fill_plays(laws, rules)
    _fill_counting(laws, rules.counting, exposed)
    return laws


def _copies(laws: Laws, cards: Iterable[Card]) -> Row:
    """All copies in the pack of these cards."""
    return rows_of(code for card in cards for code in laws.codes(card))


def _fill_plays(laws: Laws, rules: Ruleset) -> None:
    laws.unsafe = _copies(laws, rules.unsafe)
    laws.jokers[JOKERS] = laws.pack[JOKERS]
    laws.first_is_safe = bool(rules.unsafe) and not laws.jokers[JOKERS]
    laws.queen = _copies(laws, [QUEEN_OF_SPADES])
    laws.hearts_must_break = rules.hearts_broken_by is not None
    laws.lead_hearts_with_queen = rules.lead_hearts_with_queen
    if rules.hearts_broken_by is HeartsBrokenBy.HEARTS_OR_QUEEN:
        laws.breakers = laws.queen
    laws.breakers[HEARTS] = laws.pack[HEARTS]
    laws.twins_cancel = rules.duplicates is Duplicates.CANCEL
    kitty = rules.pack.cards[: rules.pack.kitty_size]  # any cards: only their number matters
    for trick in range(laws.hand_size):
        share = kitty_share(rules, kitty, first=trick == 0, last=trick == laws.hand_size - 1)
        kitty = kitty[len(share) :]
        laws.kitty_before[trick + 1] = rules.pack.kitty_size - len(kitty)


def _fill_counting(laws: Laws, counting: Counting, exposed: Hand) -> None:
    for card, value in counting.values.items():
        for code in laws.codes(card):
            laws.value[code] = value * counting.times(card, exposed)
    laws.deciding = _copies(laws, counting.deciding)
    if counting.needed:
        laws.moon_value = sum(laws.value[code] for card in counting.moon for code in laws.codes(card))
        laws.moon_is_good, laws.moon_turns = laws.goal * laws.moon_value > 0, counting.brings is None
        laws.moon_own, laws.moon_others = counting.moon_points()
    if counting.multiplier:
        times = counting.times(counting.multiplier.card, exposed)
        laws.multiplier = _copies(laws, [counting.multiplier.card])
        laws.times, laws.alone = counting.multiplier.times * times, counting.multiplier.alone * times
        laws.company = _copies(laws, counting.multiplier.company)
    if counting.sun:
        laws.sun, laws.sun_points = _copies(laws, counting.sun.cards), counting.sun.points


# A deal


class Position(NumpyRecord):  # type: ignore[misc]
    """A deal between the first lead and the last card. Create it empty, fill it, then call `derive_fields`.

    Positions of an array are records that write through to it: `scratch[0] = position` copies a whole one.
    """

    # To be filled in
    hands: Grid  # by seat, its cards, including those face up
    face_up: Grid  # by seat, its cards that lie face up (C2)
    piles: Grid  # by seat, the cards it has taken, including the kitty's
    on_hold: Row  # the cards of tricks on hold (W21), including the kitty's
    kitty: Row  # codes in the order dealt; those already taken may be anything
    leader: int  # of the trick in progress
    trick: Row  # the codes of its cards in order
    laid: int  # how many cards those are
    tricks_done: int
    hearts_broken: bool
    opening: int  # the code that must be led (K3, W6, W18, P3); NONE if there is none, or it has been led
    voids: Row  # by suit, a bit for each seat that has shown to hold none
    # Derived
    points: Row  # by seat, its pile's own points; after a playout, the deal's points
    in_play: Row  # all cards in hands and in the trick
    trick_rows: Row
    trick_points: int  # its cards' points
    held_points: int  # the points on hold
    led: int  # the suit to follow, or NONE
    best: int  # the code of the card winning the trick as it stands, or NONE
    winner: int  # the seat that played it

    @staticmethod
    def empty() -> Position:
        """A position without cards, before the first lead of seat 0."""
        return Position.several(1)[0]

    @staticmethod
    def several(count: int) -> MutableSequence[Position]:
        """An array of empty positions."""
        positions = np.zeros(count, POSITION)
        for field in ("opening", "led", "best", "winner"):
            positions[field] = NONE
        return cast("MutableSequence[Position]", positions)

    def copies(self, count: int) -> MutableSequence[Position]:
        """An array of positions like this one."""
        positions = np.empty(count, POSITION)
        positions[:] = self
        return cast("MutableSequence[Position]", positions)


POSITION = layout(Position, kitty=KITTY, trick=SEATS, points=SEATS)
