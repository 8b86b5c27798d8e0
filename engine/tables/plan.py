"""A table's timer, and the planned start of a game or a tournament."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.errors import Refusal

#: Seconds from now to a planned start, at least and at most.
SOONEST, LATEST = 5 * 60.0, 7 * 24 * 60 * 60.0
#: Seconds before a planned start in which people are reminded, at most.
REMINDS_BEFORE = 10 * 60.0
#: Seconds after which a start that we have missed is dropped.
TOO_LATE = 60 * 60.0
#: Seconds that are left to people who could not say that they are there, as we were away.
CATCH_UP = 2 * 60.0


@dataclass(frozen=True, slots=True)
class Timer:
    """Until when the table waits (seconds since 1970), and whether those it waits for were reminded."""

    deadline: float
    limit: float  # seconds from its beginning to the deadline
    reminded: bool = False

    @property
    def rings_at(self) -> float:
        """The next time at which something is to be done: a reminder half-way, then the deadline."""
        return self.deadline if self.reminded else self.deadline - self.limit / 2


@dataclass(frozen=True, slots=True)
class Plan:
    """When a game or tournament starts by itself (seconds since 1970), and what has become of that so far."""

    at: float
    made: float  # when the host decided it
    reminded: bool = False

    @classmethod
    def of(cls, at: float, now: float) -> Plan:
        """A start planned now for that moment; Refusal if that is too soon or too late."""
        check_time(at, now)
        return cls(at, now)

    @property
    def timer(self) -> Timer:
        """Rings for the reminder, then for the start."""
        return Timer(self.at, 2 * min(REMINDS_BEFORE, (self.at - self.made) / 2), self.reminded)

    def is_missed(self, now: float) -> bool:
        """Whether we were away for too long when it was to start."""
        return now - self.at > TOO_LATE

    def after_absence(self, now: float, *, is_ready: bool) -> Plan:
        """The plan after we were away: people have time to say that they are there, unless enough have."""
        if now < self.at or self.is_missed(now) or (self.reminded and is_ready):
            return self
        return replace(self, at=now + CATCH_UP)


def check_time(at: float, now: float) -> None:
    """Raise a Refusal unless something may be planned now to start then."""
    if at - now < SOONEST - 1:
        raise Refusal("start_too_soon")
    if at - now > LATEST:
        raise Refusal("start_too_late")
