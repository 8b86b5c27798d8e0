"""Absences: no time runs out while people can't reach the bot, it stands still, or the clock is set."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)

#: Seconds up to which an absence is too short to cost anyone a turn.
SHORT_ABSENCE = 5.0
#: Seconds by which the clock must drift from the loop's to count as having been set.
SET = 2.0
#: Seconds between two checks whether the clock was set or the process stood still.
LOOKS_EVERY = 600.0

#: Resumes one part of the program, as after a restart.
Resume = Callable[[], Awaitable[object]]


class Presence:
    """Notices absences, and rings no alarm until every part of the program has resumed."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since: float | None = None  # when the absence began, by the loop's clock
        self._returning: asyncio.Task[None] | None = None
        self._looks: Alarm | None = None  # None while nobody watches
        self._parts: list[Resume] = []
        #: The clock's time when the loop's was 0, by the last check.
        self.base = 0.0

    @property
    def is_away(self) -> bool:
        """Whether time doesn't count at the moment."""
        return self._since is not None or self._returning is not None

    def on_return(self, resume: Resume) -> None:
        """Call `resume` after each absence; several are called in the order of registration."""
        self._parts.append(resume)

    def watch(self, every: float | None = None) -> None:
        """Check if the clock was set or the process stood still, by default every LOOKS_EVERY seconds."""
        every = every or LOOKS_EVERY
        if self._looks:
            self._looks.cancel()
        self.base = self._base()
        self._look_in(every)

    def close(self) -> None:
        """Stop checking and resuming."""
        if self._looks:
            self._looks.cancel()
            self._looks = None
        if self._returning:
            self._returning.cancel()

    def leave(self) -> None:
        """Note that people can't reach the bot from now on."""
        if self._since is None:
            self._since = _loop_time()

    def come_back(self) -> None:
        """Note that people can reach the bot again."""
        since, self._since = self._since, None
        if since is not None and _loop_time() - since >= SHORT_ABSENCE:
            self._resume(_loop_time() - since)

    def alarm(self, seconds: float, ring: Callable[[], None]) -> "Alarm":
        """Call `ring` in these seconds, or after an absence at that time."""
        return Alarm(self, seconds, ring)

    def may_ring(self, late: float) -> bool:
        """Whether an alarm that is this late may ring; after a standstill, everything resumes first."""
        if self._looks and not self.is_away and (late > SHORT_ABSENCE or self._was_set()):
            self._resume(late)
        return not self.is_away

    def _look_in(self, every: float) -> None:
        self._looks = self.alarm(every, lambda: self._look_in(every))

    def _base(self) -> float:
        return self._clock() - _loop_time()

    def _was_set(self) -> bool:
        """Whether the clock was set since the last check."""
        if abs(self._base() - self.base) < SET:
            return False
        log.warning("the clock was set by %.0f s", self._base() - self.base)
        self.base = self._base()
        return True

    def _resume(self, seconds: float) -> None:
        log.info("back after %.0f s in which no time ran out", seconds)
        if self._looks:
            self._was_set()
        self._returning = asyncio.create_task(self._return(self._returning))

    async def _return(self, before: asyncio.Task[None] | None) -> None:
        try:
            if before:
                await asyncio.wait([before])
            for resume in self._parts:
                await resume()
        except Exception:
            log.exception("not everything could be taken up after an absence")
        finally:
            if self._returning is asyncio.current_task():
                self._returning = None


class Alarm:
    """An alarm that rings once, and not during an absence."""

    def __init__(self, presence: Presence, seconds: float, ring: Callable[[], None]) -> None:
        self._presence = presence
        self._ring = ring
        self._set(seconds)

    def cancel(self) -> None:
        """Never ring."""
        self._handle.cancel()

    def _set(self, seconds: float) -> None:
        self.rings_at = _loop_time() + seconds  # by the loop's clock
        self._handle = asyncio.get_running_loop().call_later(seconds, self._rung)

    def _rung(self) -> None:
        if self._presence.may_ring(_loop_time() - self.rings_at):
            self._ring()
        else:
            self._set(1.0)  # a part that resumes may have replaced it by then


def _loop_time() -> float:
    return asyncio.get_running_loop().time()
