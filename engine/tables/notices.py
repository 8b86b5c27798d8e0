"""What a table is told besides its cards."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class NoticeKind(Enum):
    """What there is to tell."""

    REMINDER = "reminder"
    TIME_UP = "time up"
    EXPOSING_REMINDER = "exposing reminder"
    EXPOSING_OVER = "exposing over"
    SEAT_KEPT = "seat kept"
    AWAY_TOO_LONG = "away too long"
    LEFT = "left"
    LEFT_SERVER = "left server"
    SEAT_GIVEN_UP = "seat given up"
    BACK = "back"
    BACK_IN_TIME = "back in time"  # somebody was about to take the seat
    SEAT_WANTED = "seat wanted"
    SEAT_FREE = "seat free"  # who was about to take it does not
    SEATS_OPENED = "seats opened"
    SEATS_CLOSED = "seats closed"
    PACE_CHANGED = "pace changed"
    DMS_CLOSED = "DMs closed"
    DMS_LATE = "DMs late"
    RESUMED = "resumed"
    LOBBY_CLOSED = "lobby closed"  # this and what follows is a table's last notice
    DESERTED = "deserted"
    ABANDONED = "abandoned"
    CHANNEL_GONE = "channel gone"
    MODERATED = "moderated"


@dataclass(frozen=True, slots=True)
class Notice:
    """The last thing that a table was told; `number` counts them.

    `deadline` is the table's at that moment (seconds since 1970).
    """

    number: int
    kind: NoticeKind
    seats: tuple[int, ...] = ()
    deadline: float | None = None

    @property
    def reminds(self) -> bool:
        """Whether it calls those who are waited for, and says nothing any more when they have moved."""
        return self.kind in (NoticeKind.REMINDER, NoticeKind.EXPOSING_REMINDER)
