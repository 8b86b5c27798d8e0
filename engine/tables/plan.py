"""A table's timer, and the planned start of a game or a tournament."""

from dataclasses import dataclass, replace

from engine.errors import Refusal

#: The least and the most seconds from now to a planned start.
SOONEST, LATEST = 5 * 60.0, 7 * 24 * 60 * 60.0
#: The most seconds before a planned start at which people are reminded.
REMINDS_BEFORE = 10 * 60.0
#: Seconds after which a start that the bot has missed is dropped.
TOO_LATE = 60 * 60.0
#: Seconds in which people can say that they are there, if the bot was away at the start.
CATCH_UP = 2 * 60.0


@dataclass(frozen=True, slots=True)
class Timer:
    """The time until which a table waits (seconds since 1970), and whether players have been reminded."""

    deadline: float
    limit: float  # seconds from its beginning to the deadline
    reminded: bool = False

    @property
    def rings_at(self) -> float:
        """The next time at which something happens: a reminder half-way, then the deadline."""
        return self.deadline if self.reminded else self.deadline - self.limit / 2


@dataclass(frozen=True, slots=True)
class Plan:
    """The planned start of a game or tournament (times in seconds since 1970)."""

    at: float
    made: float  # when the host decided on it
    reminded: bool = False

    @classmethod
    def of(cls, at: float, now: float) -> "Plan":
        """Plan a start for that moment; Refusal if it is too soon or too late."""
        check_time(at, now)
        return cls(at, now)

    @property
    def timer(self) -> Timer:
        """A timer that rings for the reminder, then for the start."""
        return Timer(self.at, 2 * min(REMINDS_BEFORE, (self.at - self.made) / 2), self.reminded)

    def is_missed(self, now: float) -> bool:
        """Whether the start is too long ago, as the bot was away."""
        return now - self.at > TOO_LATE

    def after_absence(self, now: float, *, is_ready: bool) -> "Plan":
        """The plan after the bot was away: people get time to say that they are there, unless enough have."""
        if now < self.at or self.is_missed(now) or (self.reminded and is_ready):
            return self
        return replace(self, at=now + CATCH_UP)


def check_time(at: float, now: float) -> None:
    """Raise a Refusal unless a start may be planned now for that moment."""
    if at - now < SOONEST - 1:
        raise Refusal("start_too_soon")
    if at - now > LATEST:
        raise Refusal("start_too_late")
