"""Absences: no time runs out while people can't reach us, we stand still, or the clock is set."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)

#: Seconds: a shorter absence costs nobody a turn.
SHORT_ABSENCE = 5.0
#: Seconds by which the clock has to differ from the loop's before it was set.
SET = 2.0
#: Seconds between two looks at the clock, and at whether we have stood still.
LOOKS_EVERY = 600.0

#: Takes up what one part of the program keeps, as after a restart.
TakeUp = Callable[[], Awaitable[object]]


class Presence:
    """Knows when we were away, and rings no alarm until all has been taken up again."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since: float | None = None  # when the absence began, by the loop's clock
        self._returning: asyncio.Task[None] | None = None
        self._looks: Alarm | None = None  # None while nobody watches
        self._parts: list[TakeUp] = []
        #: What the clock shows when the loop's shows 0, as far as we have noticed.
        self.base = 0.0

    @property
    def is_away(self) -> bool:
        """Whether time doesn't count at the moment."""
        return self._since is not None or self._returning is not None

    def on_return(self, take_up: TakeUp) -> None:
        """Call this after each absence, in the order of these calls."""
        self._parts.append(take_up)

    def watch(self, every: float | None = None) -> None:
        """Notice from now on when the clock is set or we stand still."""
        every = every or LOOKS_EVERY
        if self._looks:
            self._looks.cancel()
        self.base = self._base()
        self._look_in(every)

    def close(self) -> None:
        """Notice nothing more, and take up nothing more."""
        if self._looks:
            self._looks.cancel()
            self._looks = None
        if self._returning:
            self._returning.cancel()

    def leave(self) -> None:
        """People can't reach us from now on."""
        if self._since is None:
            self._since = _loop_time()

    def come_back(self) -> None:
        """People can reach us again."""
        since, self._since = self._since, None
        if since is not None and _loop_time() - since >= SHORT_ABSENCE:
            self._take_up(_loop_time() - since)

    def alarm(self, seconds: float, ring: Callable[[], None]) -> Alarm:
        """Call `ring` in these seconds, or after the absence that there is then."""
        return Alarm(self, seconds, ring)

    def may_ring(self, late: float) -> bool:
        """Whether an alarm may ring that is this late; not before all is taken up if we have stood still."""
        if self._looks and not self.is_away and (late > SHORT_ABSENCE or self._was_set()):
            self._take_up(late)
        return not self.is_away

    def _look_in(self, every: float) -> None:
        self._looks = self.alarm(every, lambda: self._look_in(every))

    def _base(self) -> float:
        return self._clock() - _loop_time()

    def _was_set(self) -> bool:
        """Whether the clock was set since the last time that this was asked."""
        if abs(self._base() - self.base) < SET:
            return False
        log.warning("the clock was set by %.0f s", self._base() - self.base)
        self.base = self._base()
        return True

    def _take_up(self, seconds: float) -> None:
        log.info("back after %.0f s in which no time ran out", seconds)
        if self._looks:
            self._was_set()
        self._returning = asyncio.create_task(self._return(self._returning))

    async def _return(self, before: asyncio.Task[None] | None) -> None:
        try:
            if before:
                await asyncio.wait([before])
            for take_up in self._parts:
                await take_up()
        except Exception:
            log.exception("not everything could be taken up after an absence")
        finally:
            if self._returning is asyncio.current_task():
                self._returning = None


class Alarm:
    """Rings once, and not during an absence."""

    def __init__(self, presence: Presence, seconds: float, ring: Callable[[], None]) -> None:
        self._presence = presence
        self._ring = ring
        self._set(seconds)

    def cancel(self) -> None:
        """Don't ring."""
        self._handle.cancel()

    def _set(self, seconds: float) -> None:
        self.rings_at = _loop_time() + seconds  # by the loop's clock
        self._handle = asyncio.get_running_loop().call_later(seconds, self._rung)

    def _rung(self) -> None:
        if self._presence.may_ring(_loop_time() - self.rings_at):
            self._ring()
        else:
            self._set(1.0)  # by then there may be another in its place


def _loop_time() -> float:
    return asyncio.get_running_loop().time()
