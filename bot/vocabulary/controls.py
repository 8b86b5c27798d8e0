"""The base of controls (buttons, selects and forms), each a frozen class that is also its custom id.

A control's class is defined in the module that shows it. It declares who may use it, where and at what cost,
and `bot/answering` checks that before the handler runs.

A custom id is `hearts:VERB:TABLE` followed by the class's other fields in order, separated by colons. A
renderer writes one with `str(Join(table.id))`; `decode` reads it back for the handler. Old messages keep
their custom ids, so a field that is added to a class needs a default.
"""

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

#: The beginning of all our custom ids.
PREFIX = "hearts"
#: The largest number that SQLite can hold.
LARGEST_NUMBER = 2**63 - 1
#: The class of each control, by its verb.
VERBS: "dict[str, type[Action]]" = {}


class Who(Enum):
    """Who may use a control or command, among the people in its place."""

    ANYONE = auto()
    HOLDER = auto()  # a player at the table who makes a move with their cards
    PLAYER = auto()  # someone who plays at the table, is about to, or did
    HOST = auto()  # of the table
    CHANNEL_MANAGER = auto()  # someone who may manage the channel
    TOURNAMENT_HOST = auto()  # of the tournament, or someone who may manage events
    MANAGER = auto()  # of the server


class Where(Flag):
    """Where a control or command may be used.

    Where a table is concerned, a DM works only for people who are still in its server.
    """

    CHANNEL = auto()  # the table's own channel or thread
    AROUND = auto()  # the channel around the table's own thread
    DM = auto()  # a DM with the bot, for someone who plays at the table, is about to, or did
    ALONE = auto()  # wherever someone sees their table alone
    DAILY = auto()  # wherever someone sees their daily game
    TOURNAMENT = auto()  # the tournament's channel and the threads in it
    SERVER = auto()  # any server that the bot is in, where no table is concerned
    ANYWHERE = auto()  # any place, where no table is concerned


#: The places of lobbies, of games, of taking a seat in a game, and of hands, which daily games have too.
LOBBY = Where.CHANNEL | Where.ALONE
GAME = LOBBY | Where.AROUND | Where.DM
SEATS = GAME & ~Where.ALONE
HAND = GAME | Where.DAILY


@dataclass(frozen=True, eq=False)
class Queue:
    """Limits on pending requests for one resource: for each person, and for everyone together."""

    each: int
    most: int


@dataclass(frozen=True, slots=True)
class Cost:
    """The queue that a request joins, and its points: `PAGES / 2` costs half as much as a page."""

    queue: Queue
    points: float

    def __mul__(self, times: float) -> "Cost":
        return Cost(self.queue, self.points * times)

    def __truediv__(self, times: float) -> "Cost":
        return Cost(self.queue, self.points / times)


#: Pages, read from the database; each takes a tenth of a second at worst.
PAGES = Cost(Queue(each=4, most=60), 1)
#: Games, loaded move by move; the longest takes a second.
GAMES = Cost(Queue(each=2, most=10), 2)
#: Hints from a strong computer; each takes about a second.
HINTS = Cost(Queue(each=2, most=20), 1)
#: Reviews of a whole deal, done one after another; each takes some ten seconds.
REVIEWS = Cost(Queue(each=1, most=10), 5)
#: Someone's stored data, exported or deleted.
EXPORTS = Cost(Queue(each=1, most=10), 8)
#: Tables, each of which is stored for a day at least.
TABLES = Cost(Queue(each=2, most=60), 3)
#: Threads, each of which everyone in a channel sees.
THREADS = Cost(Queue(each=1, most=20), 7)


@dataclass(frozen=True, slots=True)
class Access:
    """Who may use a control or command, where, and at what cost (None if it costs next to nothing).

    A `private` control works only in a message that no one else sees. One that `posts` something for everyone
    needs the permission to write there, and counts towards a limit. One that concerns a person's `own_data`
    works even for people whom the operator has blocked.
    """

    who: Who
    where: Where
    cost: Cost | None
    private: bool
    posts: bool
    own_data: bool


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Action:
    """What a control does, and at which table (0 if none is concerned). Subclasses become dataclasses."""

    verb: ClassVar[str]
    access: ClassVar[Access]
    lobby_only: ClassVar[bool] = False  # a private message with it is out of date once the lobby is over
    shows_game: ClassVar[bool] = False  # its message shows a game at a table alone and, later, its end
    says_presence: ClassVar[bool] = False  # its handler notes the person's presence before a planned start
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
        """The action with these fields; ValueError if they can't be read. Further texts are ignored."""
        return filled(cls, texts)


A = TypeVar("A", bound=Action)


def decode(custom_id: str) -> Action | None:
    """The action that a custom id names; None if it can't be one of ours."""
    prefix, verb, *texts = [*custom_id.split(":"), ""]
    if prefix != PREFIX or verb not in VERBS:
        return None
    try:
        return VERBS[verb].read(texts[:-1])
    except ValueError:
        return None


def number(text: str) -> int:
    """A number in a custom id, from 0 up; ValueError if it can't be one of ours."""
    if not (text.isascii() and text.isdigit() and len(text) <= 19) or int(text) > LARGEST_NUMBER:
        raise ValueError(text)
    return int(text)


def iso_day(text: str) -> str:
    """A day such as `2026-11-22`; ValueError for anything else."""
    if date.fromisoformat(text).isoformat() != text:
        raise ValueError(text)
    return text


IsoDay = Annotated[str, iso_day]


def filled(kind: type[A], texts: Sequence[str]) -> A:
    """The action with these fields; ValueError if they can't be read."""
    all_fields, types = fields(kind), _types(kind.verb)
    if any(field.default is MISSING for field in all_fields[len(texts) :]):
        raise ValueError(texts)
    return kind(*[_read(types[field.name], text) for field, text in zip(all_fields, texts, strict=False)])


@cache
def _types(verb: str) -> dict[str, Any]:
    return get_type_hints(VERBS[verb], include_extras=True)


def _read(kind: Any, text: str) -> Any:
    """Read a field with this annotation from a custom id; ValueError if it doesn't fit."""
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
    """An action in one deal (numbered from 1), which does nothing once another deal has begun."""

    deal: int


class TournamentAction(Action):
    """An action that concerns a tournament, and no table."""

    tournament: int
