"""Messages on their way, and what of their pictures Discord has."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from bot.messages import Message
from bot.scenes import Scene


@dataclass(frozen=True, slots=True)
class Held:
    """The pictures that a message holds, or that it stays in words until then, by the budget's clock."""

    scenes: tuple[Scene, ...] = ()
    words_until: float = 0.0
    resent_until: float = 0.0  # until then its pictures come along with each edit


NO_PICTURES = Held()


@dataclass(frozen=True, slots=True)
class Parcel:
    """A message, and the files of its pictures: None if words stand in their place, or they are there."""

    message: Message
    channel: int
    id: int | None  # None of a new message
    ping: Collection[int]
    before: Held = NO_PICTURES
    drawn: tuple[bytes, ...] | None = None
    stays: bool = False  # what it holds is its pictures already, or stands in for them
    words_until: float = 0.0
    refusals: int = 0  # how often its emojis were refused

    @property
    def holds(self) -> Held:
        """What the message holds when this has arrived."""
        scenes = self.before.scenes if self.stays else self.message.scenes if self.drawn else ()
        return Held(scenes, self.words_until, self.before.resent_until)
