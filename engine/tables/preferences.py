"""What each player prefers, at all tables."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from enum import Enum

from engine.storage.database import Database
from engine.storage.settings import every_preference, put_preference

log = logging.getLogger(__name__)


class Calls(Enum):
    """Which turns a player is mentioned for in the channel."""

    ALWAYS = "always"
    LATE = "late"
    NEVER = "never"


class Forced(Enum):
    """Which of a player's cards play themselves."""

    KNOWN = "known"  # the lead of the opening card and a hand's last: everybody knows that they are forced
    EVERY = "every"


@dataclass(frozen=True, slots=True)
class Preference:
    """What one player prefers; the defaults are for players who have chosen nothing."""

    calls: Calls = Calls.LATE
    forced: Forced = Forced.KNOWN


class Preferences:
    """Everybody's preferences: stored, and held in memory, as every card asks for them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._of: dict[int, Preference] = {}

    async def load(self) -> None:
        """Read everybody's choices; damaged ones count as not made."""
        for person, calls, forced in await every_preference(self._database):
            try:
                self._of[person] = Preference(Calls(calls), Forced(forced))
            except ValueError as problem:
                log.error("what somebody prefers cannot be read: %s", problem)

    def of(self, person: int) -> Preference:
        """What this person prefers."""
        return self._of.get(person, Preference())

    async def put(self, person: int, preference: Preference) -> None:
        """Store what this person prefers from now on; Refusal if it cannot be saved."""
        await put_preference(self._database, person, preference.calls.value, preference.forced.value)
        self._of[person] = preference

    def forget(self, person: int) -> None:
        """Forget this person's choices in memory; engine.storage.privacy deletes what is stored."""
        self._of.pop(person, None)
