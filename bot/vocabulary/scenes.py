"""Scenes: what pictures show, as plain data. `bot.pictures` draws them, equal scenes as equal pictures.

Scenes of tables are built from public views only, fans from the hand of the only player who sees them, and
open hands from deals that are over.
"""

from dataclasses import dataclass
from enum import Enum

from engine.cards import USUAL_FACES, Card, Faces, Hand
from engine.play.feats import FeatKind


class Tone(Enum):
    """Whether a number helps or hurts the player, by the game's goal."""

    __hash__ = object.__hash__  # members are singletons; Enum's own hash is slow

    PLAIN = "plain"
    GOOD = "good"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Score:
    """A number as text, `5` or `+180`, and whether it is good or bad."""

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
    """A seat at the table, with the cards before it."""

    name: str
    seat: str  # `Seat 3`, replaces a name that no font has
    laid: LaidCard | None = None
    score: Score | None = None  # the points in this deal; None while there are none
    exposed: Hand = ()
    is_turn: bool = False
    is_computer: bool = False  # whether a computer plays here, perhaps for someone who is away


@dataclass(frozen=True, slots=True)
class LastTrick:
    """The last complete trick, drawn small: its cards in order of play, its taker and its points.

    Until the next trick is led, its cards also lie before their players.
    """

    cards: tuple[LaidCard, ...]
    taker: int | None  # a seat; None while the trick is on hold
    score: Score


@dataclass(frozen=True, slots=True)
class TableWords:
    """The captions of cards that don't lie before a player."""

    last_trick: str = ""  # `Last trick`
    on_hold: str = ""  # `On hold`
    doubled: str = ""  # `suit × 2`


@dataclass(frozen=True, slots=True)
class TableScene:
    """The table during a deal, with its places in clockwise order."""

    title: str  # `Deal 3 · Trick 7`
    note: str  # `Hearts broken`, or nothing
    places: tuple[SeatScene, ...]
    last: LastTrick | None = None
    on_hold: Hand = ()
    doubled: Hand = ()  # all cards exposed in this deal, wherever they are now: their suits count double
    words: TableWords = TableWords()


@dataclass(frozen=True, slots=True)
class FanScene:
    """A hand of cards, with the chosen ones raised; only one player sees it."""

    cards: Hand
    chosen: frozenset[int] = frozenset()  # by index in `cards`, as two decks have each card twice
    faces: Faces = USUAL_FACES


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A player's cards, face up; those in `lit` have a ring, and those in `gone` are dark, both by index."""

    name: str
    seat: str  # `Seat 3`, replaces a name that no font has
    cards: Hand
    lit: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()
    score: Score | None = None
    is_computer: bool = False


@dataclass(frozen=True, slots=True)
class HandsScene:
    """Everyone's cards in a finished deal, below its table if there is one.

    Each hand has room for `room` cards, so that all pictures of a deal have the same layout.
    """

    hands: tuple[OpenHand, ...]
    room: int
    table: TableScene | None = None


@dataclass(frozen=True, slots=True)
class Curve:
    """A player's totals: 0, and then the total after each deal."""

    name: str
    seat: str  # `Seat 3`, replaces a name that no font has
    totals: tuple[int, ...]
    has_won: bool = False


@dataclass(frozen=True, slots=True)
class CurvesScene:
    """The totals of all players after each deal; `limits` are the totals that end the game."""

    curves: tuple[Curve, ...]
    limits: tuple[int, ...]
    title: str
    end: str  # `ends at 100`; nothing where there is no limit


@dataclass(frozen=True, slots=True)
class RatingScene:
    """A player's rating over time: (game, rating) pairs in order, games counted from 1."""

    title: str
    ratings: tuple[tuple[int, int], ...]


#: The most deals for which a picture has room for a bar each.
MOST_BARS = 60


@dataclass(frozen=True, slots=True)
class DealAgainstPar:
    """A player's points in a deal, and the par of their cards (None as long as it isn't known)."""

    points: int
    par: float | None
    tone: Tone = Tone.PLAIN  # whether the points are better than par or worse


@dataclass(frozen=True, slots=True)
class PlayerAgainstPar:
    """A player's deals, with their sums: the `summary` is `39 points, par 45.2`, and the `gain` `▲ 6.2`."""

    name: str
    seat: str  # `Seat 3`, replaces a name that no font has
    deals: tuple[DealAgainstPar, ...]
    summary: str
    gain: Score
    has_won: bool = False


@dataclass(frozen=True, slots=True)
class ParScene:
    """Each player's points against par, deal by deal, for up to MOST_BARS deals from `first` on."""

    players: tuple[PlayerAgainstPar, ...]
    title: str
    legend: tuple[str, str, str]  # `par`, `better`, `worse`
    first: int = 1


@dataclass(frozen=True, slots=True)
class FeatScene:
    """A feat in a deal: the player, what they did, and the points that follow from it."""

    kind: FeatKind
    name: str
    seat: str  # `Seat 3`, replaces a name that no font has
    deed: str  # `shot the moon`
    outcome: str  # `+26 for everyone else`; may be empty


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A player of a tournament: their place, and how much better than par they are."""

    place: int
    name: str
    seat: str  # `Player 3`, replaces a name that no font has
    value: float
    score: Score  # `value` as text
    is_playing: bool = False  # at a table that isn't finished


@dataclass(frozen=True, slots=True)
class StandingsScene:
    """A tournament's standings: a bar for each player, to the right of the line of par if they are better."""

    title: str
    note: str  # `Round 2 of 3`
    lines: tuple[StandingLine, ...]
    worse: str  # the caption of the left side
    better: str  # the caption of the right side


@dataclass(frozen=True, slots=True)
class PodiumStep:
    """A player on the podium."""

    place: int
    name: str
    seat: str  # `Player 3`, replaces a name that no font has
    score: str


@dataclass(frozen=True, slots=True)
class PodiumScene:
    """Up to three winners of a tournament; equal ones share a place."""

    title: str
    note: str  # `16 players, 3 rounds`
    steps: tuple[PodiumStep, ...]


@dataclass(frozen=True, slots=True)
class LuckLine:
    """A player's points from lucky cards and from their own play; positive is good."""

    name: str
    seat: str  # `Player 3`, replaces a name that no font has
    cards: float
    play: float
    cards_text: str
    play_text: str


@dataclass(frozen=True, slots=True)
class LuckScene:
    """Two bars for each player, from the line of an average hand played like par."""

    title: str
    lines: tuple[LuckLine, ...]
    cards: str  # the caption of the first bar
    play: str  # the caption of the second bar


Scene = (
    TableScene
    | FanScene
    | HandsScene
    | CurvesScene
    | RatingScene
    | ParScene
    | FeatScene
    | StandingsScene
    | PodiumScene
    | LuckScene
)
