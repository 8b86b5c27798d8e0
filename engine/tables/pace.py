"""How long a table waits for whom, and what happens when the time is up."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.cards import Card

#: Seconds after which a lobby closes in which nothing happens.
LOBBY_CLOSES = 60 * 60.0
#: Seconds after which a game closes that everybody has left.
DESERTED_CLOSES = 24 * 60 * 60.0
#: Seconds after which a table closes whose channel we could not write in all that time.
PAUSED_CLOSES = 7 * 24 * 60 * 60.0
#: So many turns in a row a computer plays for somebody before it keeps the seat.
MISSED_TURNS = 2

#: Seconds after which a card plays itself that has no alternative.
FORCED_PLAYS = 1.0


class Pace(Enum):
    """How long a player may think."""

    LIVE = "live"
    RELAXED = "relaxed"
    DAILY = "daily"
    NONE = "none"

    @property
    def seconds(self) -> float | None:
        """The time for a turn; None without end."""
        return {"live": 60.0, "relaxed": 600.0, "daily": 86_400.0, "none": None}[self.value]

    @property
    def grace(self) -> float:
        """Seconds that a player who is away or silent has before the others can end the game without them.

        A vote is open for as long, and cannot be repeated for as long once it has failed.
        """
        return {"live": 600.0, "relaxed": 1800.0, "daily": 86_400.0, "none": 86_400.0}[self.value]

    @property
    def title(self) -> str:
        """In words."""
        return {
            "live": "live (60 seconds a turn)",
            "relaxed": "relaxed (10 minutes a turn)",
            "daily": "daily (24 hours a turn)",
            "none": "no limit",
        }[self.value]


@dataclass(frozen=True, slots=True)
class Timer:
    """Until when the table waits (seconds since 1970), and whether those it waits for were reminded."""

    deadline: float
    limit: float  # seconds from its beginning to the deadline
    reminded: bool = False

    @property
    def rings_at(self) -> float:
        """When there is next something to do: remind half-way, then act at the deadline."""
        return self.deadline if self.reminded else self.deadline - self.limit / 2


@dataclass(frozen=True, slots=True)
class ForcedCard:
    """A card that plays itself at this moment (seconds since 1970)."""

    card: Card
    at: float
