"""What buttons, selects and forms are: for each verb a frozen class, beside what shows it, and its custom id.

A class also says who may use it, where and at what cost; `bot/answering` checks that before the handler.

A custom id is `hearts:VERB:TABLE` and then the class's other fields in order, with colons between them. A
renderer writes one with `str(Join(table.id))`; `decode` reads it back for the handler. Messages that were
posted long ago hold custom ids too: a field that is added to a class needs a default.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import date
from enum import Enum, Flag, auto
from functools import cache
from types import UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    Self,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

#: How all of our custom ids begin.
PREFIX = "hearts"
#: The largest number that SQLite can hold.
LARGEST_NUMBER = 2**63 - 1
#: The class of each verb.
VERBS: dict[str, type[Action]] = {}


class Who(Enum):
    """Who may use a control or command, of those who are in its place."""

    ANYONE = auto()
    HOLDER = auto()  # a player at the table, of whose cards it is a move
    PLAYER = auto()  # of the table: they play there, are about to, or did
    HOST = auto()  # of the table
    CHANNEL_MANAGER = auto()  # someone who may manage the channel
    TOURNAMENT_HOST = auto()  # of the tournament, or someone who may manage events
    MANAGER = auto()  # of the server


class Where(Flag):
    """Where a control or command may be used.

    Channels and DMs are a table's places: its people and everyone who can see them are in the server still.
    """

    CHANNEL = auto()  # the table's own channel or thread
    AROUND = auto()  # the channel around the thread that the table has of its own
    DM = auto()  # a DM with the bot, of someone who plays at the table, is about to, or did
    ALONE = auto()  # wherever someone sees their table alone
    DAILY = auto()  # wherever someone sees their daily game
    TOURNAMENT = auto()  # the tournament's channel and the threads in it
    SERVER = auto()  # any server that the bot is in, where no table is concerned
    ANYWHERE = auto()  # where no table is concerned


#: At a lobby; also where a game is played, or a seat in it taken; also in daily games.
LOBBY = Where.CHANNEL | Where.ALONE
GAME = LOBBY | Where.AROUND | Where.DM
SEATS = GAME & ~Where.ALONE
HAND = GAME | Where.DAILY


@dataclass(frozen=True, eq=False)
class Queue:
    """Requests for one resource: how many one person, and everyone together, may have under way."""

    each: int
    most: int


@dataclass(frozen=True, slots=True)
class Cost:
    """The queue that a request joins, and the points that it costs: `PAGES / 2` is half as dear as a page."""

    queue: Queue
    points: float

    def __mul__(self, times: float) -> Cost:
        return Cost(self.queue, self.points * times)

    def __truediv__(self, times: float) -> Cost:
        return Cost(self.queue, self.points / times)


#: Pages, read from the database: a tenth of a second each at worst.
PAGES = Cost(Queue(each=4, most=60), 1)
#: Games, loaded move by move: a second for the longest.
GAMES = Cost(Queue(each=2, most=10), 2)
#: Hints from a strong computer: about a second.
HINTS = Cost(Queue(each=2, most=20), 1)
#: Reviews of a whole deal, one after another: some ten seconds.
REVIEWS = Cost(Queue(each=1, most=10), 5)
#: Someone's stored data, exported or deleted.
EXPORTS = Cost(Queue(each=1, most=10), 8)
#: Tables, each of which is stored for a day at least.
TABLES = Cost(Queue(each=2, most=60), 3)
#: Threads, each of which everyone in a channel sees.
THREADS = Cost(Queue(each=1, most=20), 7)


@dataclass(frozen=True, slots=True)
class Access:
    """Who may use a control or command, where, and at what cost; without one it costs next to nothing.

    A `private` control works only in a message that the person alone sees. What `posts` something for
    everyone asks for the permission to write there, and counts toward a limit. What is about one's
    `own_data` is open to people whom the operator has blocked too.
    """

    who: Who
    where: Where
    cost: Cost | None = None
    private: bool = False
    posts: bool = False
    own_data: bool = False


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Action:
    """What a control does, and at which table; 0 where no table is concerned. Subclasses are dataclasses."""

    verb: ClassVar[str]
    access: ClassVar[Access]
    lobby_only: ClassVar[bool] = False  # a private message with it is out of date once the lobby is over
    shows_game: ClassVar[bool] = False  # its message shows one's game at a table alone, and how that ended
    says_presence: ClassVar[bool] = False  # itself: else its use counts as such before a planned start
    table: int

    def __init_subclass__(
        cls,
        verb: str = "",
        who: Who | None = None,
        where: Where | None = None,
        *,
        cost: Cost | None = None,
        private: bool = False,
        posts: bool = False,
        own_data: bool = False,
        lobby_only: bool = False,
        shows_game: bool = False,
        says_presence: bool = False,
    ) -> None:
        dataclass(frozen=True)(cls)
        if not verb:
            return
        if who is None or where is None:
            raise TypeError(f"{cls.__name__} doesn't say who may use it, and where")
        cls.verb = verb
        cls.lobby_only = lobby_only
        cls.says_presence = says_presence
        cls.shows_game = shows_game or who is Who.HOLDER
        cls.access = Access(who, where, cost, private, posts, own_data)
        VERBS[verb] = cls

    def __str__(self) -> str:
        """Return the custom id; a field that is None is left out."""
        texts = [PREFIX, self.verb]
        for name in self.__match_args__:
            value = getattr(self, name)
            if value is not None:
                texts.append(str(value) if type(value) in (int, str) else _written(value))
        return ":".join(texts)

    @classmethod
    def read(cls, texts: Sequence[str]) -> Self:
        """The action with these fields; ValueError if they can't be read. More texts are ignored."""
        return filled(cls, texts)


A = TypeVar("A", bound=Action)


def decode(custom_id: str) -> Action | None:
    """The action that a custom id names; None if no control of ours could have it."""
    prefix, verb, *texts = [*custom_id.split(":"), ""]
    if prefix != PREFIX or verb not in VERBS:
        return None
    try:
        return VERBS[verb].read(texts[:-1])
    except ValueError:
        return None


def number(text: str) -> int:
    """A number from 0 that a control holds; ValueError if none of ours could."""
    if not (text.isascii() and text.isdigit() and len(text) <= 19) or int(text) > LARGEST_NUMBER:
        raise ValueError(text)
    return int(text)


def iso_day(text: str) -> str:
    """A day such as `2026-11-22`; ValueError if it is none."""
    if date.fromisoformat(text).isoformat() != text:
        raise ValueError(text)
    return text


IsoDay = Annotated[str, iso_day]


def filled(kind: type[A], texts: Sequence[str]) -> A:
    """The action with these fields; ValueError if they can't be read."""
    known, types = fields(kind), _types(kind.verb)
    if any(field.default is MISSING for field in known[len(texts) :]):
        raise ValueError(texts)
    return kind(*[_read(types[field.name], text) for field, text in zip(known, texts, strict=False)])


@cache
def _types(verb: str) -> dict[str, Any]:
    return get_type_hints(VERBS[verb], include_extras=True)


def _read(kind: Any, text: str) -> Any:
    """The value of this annotation that a custom id holds; ValueError if it can't be one."""
    if isinstance(kind, UnionType):  # with None
        return _read(get_args(kind)[0], text) if text else None
    origin = get_origin(kind)
    if origin is Annotated:
        return kind.__metadata__[0](text)
    if origin is tuple:
        return tuple(text.split("-"))
    if origin is Literal and text not in get_args(kind):
        raise ValueError(text)
    if kind is int:
        return number(text)
    return kind(text) if isinstance(kind, type) else text


def _written(value: Enum | tuple[str, ...]) -> str:
    return "-".join(value) if isinstance(value, tuple) else str(value.value)


class DealAction(Action):
    """What is done in one deal (from 1); nothing once another has begun."""

    deal: int


class TournamentAction(Action):
    """What is done about a tournament; no table is concerned."""

    tournament: int
