"""Messages as plain data, which delivery turns into Discord's components.

A Post is for a channel and is built from public views only; a Whisper is for one player.
"""

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
    LATER = "later"  # as soon as Discord accepts one
    NO = "no"


@dataclass(frozen=True, slots=True)
class Button:
    """A button and its action; a `card` named in the label is shown as its emoji where possible."""

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
    """One option of a select or of a form's field."""

    label: str
    value: str
    chosen: bool = False
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Select:
    """A list from which the person takes one choice."""

    action: Action | str
    prompt: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class PeopleSelect:
    """A list of all people, from which the person takes up to `most`."""

    action: Action | str
    prompt: str
    most: int


@dataclass(frozen=True, slots=True)
class Divider:
    """A line between two parts; `DIVIDER` is the only one needed."""


DIVIDER = Divider()


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file, offered for download at this point of the message."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Picture:
    """A scene that is drawn when the message is sent.

    `description` tells people who can't see it what it shows, in up to 1024 characters. Where no picture can
    be sent, `words` replace it; they are empty if the rest of the message says it all. No message waits for
    an `optional` picture, which is left out while pictures or calls are scarce.
    """

    scene: Scene
    description: str
    words: str
    optional: bool = False


#: Any number of buttons in order; those that don't fit on one of Discord's lines go on the next.
Row = tuple[Button | Link, ...]
Part = str | Row | Select | PeopleSelect | Divider | Attachment | Picture


@dataclass(frozen=True)  # without slots, for its cached properties
class Message:
    """The base of Post and Whisper."""

    parts: tuple[Part, ...]
    colour: Colour = Colour.TABLE

    @cached_property
    def scenes(self) -> tuple[Scene, ...]:
        """The scenes of its pictures, in order."""
        return tuple([part.scene for part in self.parts if isinstance(part, Picture)])

    @cached_property
    def optional_scenes(self) -> tuple[Scene, ...]:
        """The scenes of its optional pictures, in order."""
        return tuple([part.scene for part in self.parts if isinstance(part, Picture) and part.optional])

    @cached_property
    def may_lack_pictures(self) -> bool:
        """Whether all its pictures are optional, so that it needn't wait for any."""
        return self.optional_scenes == self.scenes


M = TypeVar("M", bound=Message)


def in_words(message: M) -> M:
    """The message with each picture's words in its place."""
    parts = [part.words if isinstance(part, Picture) else part for part in message.parts]
    return replace(message, parts=tuple([part for part in parts if part]))


@dataclass(frozen=True)
class Post(Message):
    """A message that everyone in the channel reads.

    Only when it is first sent, `call` is added and the people in `ping` are notified. Without a `call`, its
    text mentions them. It may wait `patience` seconds before it is sent, if there may be more to say by then.
    When the number in `repost_on_change_of` changes, the post may be sent again below what others have
    written, and deleted in its old place. If it `can_wait`, other calls go before its edits.
    """

    call: str | None = None
    ping: tuple[int, ...] = ()
    never_edited: bool = False
    patience: float = 0.0
    repost_on_change_of: int | None = None
    can_wait: bool = field(default=False, compare=False, repr=False)  # doesn't change how it looks


@dataclass(frozen=True)
class Whisper(Message):
    """A message that one player reads; a new state may wait `patience` seconds, like a Post.

    With `follows`, the key of one of its table's posts, it is shown only once that post is in the channel. If
    it `is_final`, it never changes again. Its cards have these `faces`.
    """

    patience: float = 0.0
    follows: str | None = None
    is_final: bool = False
    faces: Faces = USUAL_FACES
    lobby: int = 0  # the table whose lobby its text is about, if no control is `lobby_only`

    @property
    def lobby_of(self) -> int:
        """The table whose lobby this message is about, and goes out of date with; 0 if there is none."""
        rows = [part if isinstance(part, tuple) else (part,) for part in self.parts]
        actions = [getattr(item, "action", None) for row in rows for item in row]
        return self.lobby or next(
            (item.table for item in actions if isinstance(item, Action) and item.lobby_only), 0
        )


@dataclass(frozen=True, slots=True)
class TextField:
    """A line to fill in, with up to `longest` characters."""

    name: str
    label: str
    text: str
    longest: int
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class ChoiceField:
    """Choices in a form: the person takes one or, with `many`, any number.

    Two to ten are shown as buttons; up to 25, for taking one, as a drop-down list.
    """

    name: str
    label: str
    choices: tuple[Choice, ...]
    hint: str | None = None
    many: bool = False


@dataclass(frozen=True, slots=True)
class Form:
    """A form of up to five fields; sending it uses `action`, like a control.

    The answers come back under the fields' names. A label has up to 45 characters, a hint up to 100.
    """

    title: str
    fields: tuple[TextField | ChoiceField, ...]
    action: Action | str


#: The beginning of the keys of DMs about an absence, and about a vote (before its number).
AWAY, VOTE = "away", "vote"
#: The beginning of the custom ids of `python -m bot check`, which a bot running at the same time ignores.
CHECK = "hearts-check:"
