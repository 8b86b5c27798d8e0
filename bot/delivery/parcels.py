"""Messages on their way, and what of their pictures Discord has."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from bot.messages import Message
from bot.scenes import Scene


@dataclass(frozen=True, slots=True)
class Held:
    """What a message holds: its pictures, or none where words stand in their place.

    Nobody knows (None) of a message of before the start, and while one is on its way.
    """

    scenes: tuple[Scene, ...] | None = None
    left_out: Message | None = None  # what it shows in words, as there was no time for its pictures
    resent_until: float = 0.0  # until then its pictures come along with each edit, by the budget's clock


UNKNOWN, NO_PICTURES = Held(), Held(())


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
    is_late: bool = False  # there was no time for its pictures
    refusals: int = 0  # how often its emojis were refused

    @property
    def shows_picture(self) -> bool:
        """Whether words would take the place of a picture, as far as anybody knows."""
        return self.before.scenes != ()

    @property
    def is_news(self) -> bool:
        """Whether it would say something new even in words."""
        return not self.shows_picture and self.before.left_out != self.message

    @property
    def holds(self) -> Held:
        """What the message holds when this has arrived."""
        scenes = self.before.scenes if self.stays else self.message.scenes if self.drawn else ()
        return Held(scenes, self.message if self.is_late else None, self.before.resent_until)
