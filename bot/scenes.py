"""What a picture shows, as plain data: equal scenes make equal pictures. `bot.pictures` draws them.

A scene of the table is made from public views alone, a fan from the hand of the one player who sees it, open
hands from a deal that is done.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.cards import Card, Hand


class Tone(Enum):
    """Whether a number helps or hurts, by this game's goal."""

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Score:
    """A number as it is written, `5` or `+180`, and what it means."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card of a trick: `place` counts from 1 in the order of play."""

    card: Card
    place: int
    is_cancelled: bool = False
    is_highest: bool = False


@dataclass(frozen=True, slots=True)
class SeatScene:
    """A seat at the table, and what lies before it."""

    name: str
    laid: LaidCard | None = None
    score: Score | None = None  # the points of this deal; None as long as there are none
    exposed: Hand = ()
    is_turn: bool = False
    is_computer: bool = False  # plays here, or in the place of somebody who is away


@dataclass(frozen=True, slots=True)
class LastTrick:
    """The last complete trick, small: its cards in order of play, who took it, for how much.

    As long as nobody has led to the next, its cards lie before their players too.
    """

    cards: tuple[LaidCard, ...]
    taker: int | None  # their seat; None: it is on hold
    score: Score


@dataclass(frozen=True, slots=True)
class TableScene:
    """The table in the middle of a deal; the places in clockwise order."""

    title: str  # `Deal 3 · Trick 7`
    note: str  # `Hearts broken`, or nothing
    places: tuple[SeatScene, ...]
    last: LastTrick | None = None
    on_hold: Hand = ()
    doubled: Hand = ()  # all that was exposed in this deal, wherever it is now: its suits count double


@dataclass(frozen=True, slots=True)
class FanScene:
    """A hand of cards, those that are chosen standing out; one player alone sees it."""

    cards: Hand
    chosen: frozenset[int] = frozenset()  # by their index in `cards`, as two decks hold each card twice


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A player's cards, face up: those `lit` have a ring, those `gone` are dark; both by their index."""

    name: str
    cards: Hand
    lit: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()
    score: Score | None = None
    is_computer: bool = False


@dataclass(frozen=True, slots=True)
class HandsScene:
    """Everybody's cards of a deal that is done, below its table where that is shown too.

    There is room for so many cards in each hand, so that all pictures of a deal are alike.
    """

    hands: tuple[OpenHand, ...]
    room: int
    table: TableScene | None = None


@dataclass(frozen=True, slots=True)
class Curve:
    """A player's totals: 0, then after each deal."""

    name: str
    totals: tuple[int, ...]
    has_won: bool = False


@dataclass(frozen=True, slots=True)
class CurvesScene:
    """The totals of all players after each deal; `limits` are the totals that end the game."""

    curves: tuple[Curve, ...]
    limits: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RatingScene:
    """How a player's rating went: after which game (from 1) it was how high; several games, in order."""

    ratings: tuple[tuple[int, int], ...]


Scene = TableScene | FanScene | HandsScene | CurvesScene | RatingScene
