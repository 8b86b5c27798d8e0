"""What the bot says, as plain data: delivery turns it into Discord's components.

A Post is for a channel and is made from public views only; a Whisper is for one player.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from functools import cached_property
from typing import TypeVar

from bot.vocabulary.controls import Action
from bot.vocabulary.scenes import Scene
from engine.cards import USUAL_FACES, Card, Faces


class Style(Enum):
    """How a button looks."""

    __hash__ = object.__hash__  # members are singletons; Enum's own hash is slow

    PLAIN = "plain"
    MAIN = "main"
    GOOD = "good"
    RED = "red"


class Colour(IntEnum):
    """The stripe beside a message."""

    TABLE = 0x2E7D52
    DONE = 0x4E5058
    TURN = 0xE3A008
    HELPS = 0x3BA55D
    HURTS = 0xD83A46


class ByDm(Enum):
    """Whether someone can be sent direct messages."""

    YES = "yes"
    LATER = "later"  # as soon as Discord takes one
    NO = "no"


@dataclass(frozen=True, slots=True)
class Button:
    """A button and what it does; `card` is one that the label names, shown as its emoji where possible."""

    label: str
    action: Action | str
    style: Style = Style.PLAIN
    enabled: bool = True
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A button that opens an address."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One line of a select."""

    label: str
    value: str
    chosen: bool = False
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Select:
    """A list from which one choice is taken."""

    action: Action | str
    prompt: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class PeopleSelect:
    """A list of all people, from which up to `most` are taken."""

    action: Action | str
    prompt: str
    most: int


@dataclass(frozen=True, slots=True)
class Divider:
    """A line between two parts; all are the same."""


DIVIDER = Divider()


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that comes along, and where in the message it is offered."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Picture:
    """A scene that is drawn when the message is sent.

    `description` says what it shows to people who can't see it, in up to 1024 characters. Where no picture
    can be sent, `words` replace it; they are empty where the rest of the message says it all. An `optional`
    one keeps no message waiting: it is left out while pictures or calls are scarce.
    """

    scene: Scene
    description: str
    words: str
    optional: bool = False


#: Any number of buttons in order: those that don't fit on one of Discord's lines go on the next.
Row = tuple[Button | Link, ...]
Part = str | Row | Select | PeopleSelect | Divider | Attachment | Picture


@dataclass(frozen=True)  # without slots: what it shows in pictures is found once
class Message:
    """The base of Post and Whisper: what all messages have."""

    parts: tuple[Part, ...]
    colour: Colour = Colour.TABLE

    @cached_property
    def scenes(self) -> tuple[Scene, ...]:
        """What its pictures show, in order."""
        return tuple([part.scene for part in self.parts if isinstance(part, Picture)])

    @cached_property
    def optional_scenes(self) -> tuple[Scene, ...]:
        """What those of them show that may be left out."""
        return tuple([part.scene for part in self.parts if isinstance(part, Picture) and part.optional])

    @cached_property
    def may_lack_pictures(self) -> bool:
        """Whether all its pictures are optional: then it doesn't wait for them."""
        return self.optional_scenes == self.scenes


M = TypeVar("M", bound=Message)


def in_words(message: M) -> M:
    """The message with each picture's words in its place."""
    parts = [part.words if isinstance(part, Picture) else part for part in message.parts]
    return replace(message, parts=tuple([part for part in parts if part]))


@dataclass(frozen=True)
class Post(Message):
    """A message that everyone in the channel reads.

    `call` is said, and the people in `ping` notified, only when the message is first sent. Without a `call`
    its text mentions them.
    It may wait `patience` seconds before it is sent, if by then there may be more to say. When the number in
    `repost_on_change_of` changes, the post may be sent again below what others have written, and deleted
    where it stood. Nobody waits for the edit of one that `can_wait`: other calls go first.
    """

    call: str | None = None
    ping: tuple[int, ...] = ()
    never_edited: bool = False
    patience: float = 0.0
    repost_on_change_of: int | None = None
    can_wait: bool = field(default=False, compare=False, repr=False)  # not how it looks


@dataclass(frozen=True)
class Whisper(Message):
    """A message that one player reads; a new state may wait `patience` seconds, like a Post.

    With `follows`, the key of one of its table's posts, it is shown only once that post is in the channel. A
    final one never changes again. Its cards have these `faces`.
    """

    patience: float = 0.0
    follows: str | None = None
    is_final: bool = False
    faces: Faces = USUAL_FACES
    lobby: int = 0  # the table whose lobby its words are about; its controls tell the rest

    @property
    def lobby_of(self) -> int:
        """The table with whose lobby this goes out of date; 0 if with none."""
        rows = [part if isinstance(part, tuple) else (part,) for part in self.parts]
        actions = [getattr(one, "action", None) for row in rows for one in row]
        return self.lobby or next(
            (one.table for one in actions if isinstance(one, Action) and one.lobby_only), 0
        )


@dataclass(frozen=True, slots=True)
class TextField:
    """A line of a form to be filled in, in up to `longest` characters."""

    name: str
    label: str
    text: str
    longest: int
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class ChoiceField:
    """Choices in a form: one can be taken, or with `many` any number.

    From two to ten are all seen; up to 25, of which one is taken, are a list to open.
    """

    name: str
    label: str
    choices: tuple[Choice, ...]
    hint: str | None = None
    many: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """A form of up to five fields; what comes back is read by `action`, like a control's use.

    Each field's answer comes back under its name. A label has up to 45 characters, a hint up to 100.
    """

    title: str
    fields: tuple[TextField | ChoiceField, ...]
    action: Action | str


#: How the keys of DMs about an absence and about a vote begin, before its number.
AWAY, VOTE = "away", "vote"
#: How the custom ids of `python -m bot check` begin: a bot that runs meanwhile leaves them to it.
CHECK = "hearts-check:"
