"""Keeps live values: a change happens under the value's lock, and is stored before it takes effect.

Values are immutable, have a whole number as their `id`, and know whether they are live. They are tables and
tournaments.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence, Set
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from engine.errors import Refusal
from engine.tables.presence import Alarm, Presence

log = logging.getLogger(__name__)
#: Seconds before a failed automatic change is tried again.
RETRY_AFTER = 60.0
T = TypeVar("T")


class Value(Protocol):
    """A value that a keeper can keep."""

    @property
    def id(self) -> int: ...

    @property
    def is_live(self) -> bool: ...


V = TypeVar("V", bound=Value)


@dataclass(frozen=True, slots=True)
class Kind(Generic[V]):
    """What a keeper has to know about a kind of values."""

    name: str  # in the log
    gone: str  # the id of the Refusal if a value isn't live any more
    #: Removes this person; returns the value itself if it doesn't name them.
    forget: Callable[[V, int], V]
    #: Moves its times by these seconds, as the clock was set.
    shifted: Callable[[V, float], V]
    #: Puts off its deadlines at this time (seconds since 1970), after an absence.
    after_absence: Callable[[V, float], V]


@dataclass(slots=True, eq=False)
class Live(Generic[V]):
    """A live value with its lock, its alarm, and its task in the background."""

    value: V
    stored: V  # as it was last saved, before its times were moved
    base: float  # that of the presence to which the value's times refer
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    alarm: Alarm | None = None
    background: asyncio.Task[None] | None = None


class Keeper(ABC, Generic[V]):
    """All live values of a kind.

    `listener` is called with each changed value. `leaving` are people who are being deleted: no change may
    bring one to a value that doesn't name them already.
    """

    def __init__(
        self,
        kind: Kind[V],
        presence: Presence,
        clock: Callable[[], float],
        leaving: Set[int],
        listener: Callable[[V], None],
    ) -> None:
        self._kind = kind
        self._presence = presence
        self._clock = clock
        self._leaving = leaving
        self._listener = listener
        self._live: dict[int, Live[V]] = {}
        self._opening = asyncio.Lock()
        self._work = Work()
        self._is_closed = False
        presence.on_return(self._resume_all)

    # What subclasses define

    @abstractmethod
    def _follow_up(self, old: V, new: V) -> V:
        """The new value after everything that follows from it automatically."""

    @abstractmethod
    async def _store(self, old: V, new: V) -> V:
        """Store what has changed, in one transaction, and return the stored value. Refusal if that fails."""

    @abstractmethod
    def _rings_at(self, live: Live[V]) -> float | None:
        """The next time at which something happens automatically (seconds since 1970)."""

    @abstractmethod
    def _rung(self, value: V) -> V:
        """The value after its alarm."""

    async def _set_aside(self, value: V) -> None:
        """Called with a value that can't go on."""

    def _not_saved(self, value: V) -> None:
        """Called with a value whose change couldn't be saved."""

    def _start_background(self, live: Live[V]) -> None:
        """Start the value's task in the background, if it has one to do and none is running."""

    # Finding one

    @property
    def live(self) -> list[V]:
        """All live values."""
        return [live.value for live in self._live.values()]

    def find_live(self, id: int) -> V | None:
        """The live value with this id."""
        live = self._live.get(id)
        return live.value if live else None

    def mentions(self, person: int) -> bool:
        """Whether a live value names this person."""
        return any(self._names(value, person) for value in self.live)

    def _names(self, value: V, person: int) -> bool:
        return self._kind.forget(value, person) is not value

    # Changing one

    async def change_live(self, id: int, change: Callable[[V], V]) -> V:
        """Change a value and return the new one; Refusal if it is gone, or if `change` refuses."""
        return await self._work.to_the_end(self._change(id, change))

    async def change_all(self, change: Callable[[V], V]) -> bool:
        """Change every value that `change` alters; returns whether none failed."""
        return await self._work.to_the_end(self._change_all(change))

    async def forget(self, person: int) -> bool:
        """Remove this person from all values; returns whether none failed."""
        return await self.change_all(lambda value: self._kind.forget(value, person))

    async def _change(self, id: int, change: Callable[[V], V]) -> V:
        async with self._changing(id) as live:
            return await self._save(live, change(live.value))

    async def _change_all(self, change: Callable[[V], V]) -> bool:
        is_done = True
        async with self._opening:  # also the one that is being opened
            lives = list(self._live)
        for id in lives:
            try:
                async with self._changing(id) as live:
                    if (new := change(live.value)) is not live.value:
                        await self._save(live, new)
            except Exception as error:
                if self._is_gone(error):
                    continue
                is_done = False
                if not isinstance(error, Refusal):
                    log.exception("%s %s could not be changed with all others", self._kind.name, id)
        return is_done

    @asynccontextmanager
    async def _changing(self, id: int) -> AsyncIterator[Live[V]]:
        live = self._live.get(id)
        if live is None:
            raise Refusal(self._kind.gone)
        async with live.lock:
            if not live.value.is_live:  # it ended while we waited
                raise Refusal(self._kind.gone)
            if live.base != self._presence.base:
                live.value = self._kind.shifted(live.value, self._presence.base - live.base)
                live.base = self._presence.base
            yield live

    async def _save(self, live: Live[V], new: V) -> V:
        """Settle the new value, store it, and tell the listener."""
        for person in self._leaving:
            if self._names(new, person) and not self._names(live.value, person):
                raise Refusal("leaving")
        new = self._follow_up(live.value, new)
        if new is not live.stored:
            try:
                new = await self._store(live.stored, new)
            except Refusal:
                self._not_saved(live.value)
                raise
            live.value = live.stored = new
            if not new.is_live:
                self._let_go(new)
            self.notify(new)
        self._go_on(live)
        return new

    # Keeping them

    def _keep(self, value: V) -> Live[V]:
        live = self._live[value.id] = Live(value, value, self._presence.base)
        return live

    def _let_go(self, value: V) -> None:
        if live := self._live.pop(value.id, None):
            self._ring_in(live, None)

    async def resume_values(self, values: Sequence[V]) -> list[V]:
        """Keep these values after a start, and let them go on; returns them as they are then.

        A value that fails is set aside. Refusal if nothing can be saved now.
        """
        resumed = []
        for value in values:
            try:
                resumed.append(await self._resume_first(value) if value.is_live else value)
            except Exception as error:
                if isinstance(error, Refusal) and error.id == "cannot_save":
                    raise
                log.exception("%s %s can't go on and is left as it is", self._kind.name, value.id)
                self._let_go(value)
                await self._set_aside(value)
        return resumed

    async def _resume_first(self, value: V) -> V:
        live = self._keep(value)
        await self._resume(live)
        return live.value

    async def _resume(self, live: Live[V]) -> None:
        """Let a value go on after an absence, as far as its deadlines allow."""
        await self._save(live, self._kind.after_absence(live.value, self._clock()))

    async def _resume_all(self) -> None:
        """Let all values go on after an absence during which the process was running."""
        for id in list(self._live):
            with suppress(Refusal):  # it has just ended, or can't be saved, which has been reported
                await self._work.to_the_end(self._resume_again(id))

    async def _resume_again(self, id: int) -> None:
        async with self._changing(id) as live:
            await self._resume(live)

    async def close(self) -> None:
        """Finish what has begun, except for background tasks, and let no alarm ring any more."""
        self._is_closed = True
        for live in self._live.values():
            if live.background:
                live.background.cancel()
        await self._work.finish()
        for live in self._live.values():
            self._ring_in(live, None)

    # What happens automatically

    def _go_on(self, live: Live[V]) -> None:
        """Start the background task if there is work for it, and set the alarm for the next event."""
        if not self._is_closed and live.value.is_live:
            self._start_background(live)
        rings_at = self._rings_at(live)
        self._ring_in(live, None if rings_at is None else max(0.0, rings_at - self._clock()))

    def _ring_in(self, live: Live[V], seconds: float | None) -> None:
        if live.alarm:
            live.alarm.cancel()
            live.alarm = None
        if seconds is not None and not self._is_closed and live.value.is_live:
            live.alarm = self._presence.alarm(seconds, lambda: self._ring(live))

    def _ring(self, live: Live[V]) -> None:
        live.alarm = None
        self._work.start(self._apply_automatic_change(live, "timer", self._rung))

    async def _apply_automatic_change(self, live: Live[V], source: str, change: Callable[[V], V]) -> None:
        """Make a change that nobody asked for; if it fails, let the alarm ring again."""
        try:
            async with self._changing(live.value.id):
                new = change(live.value)
                if new is live.value:  # the alarm was a little early, or the change came too late
                    self._go_on(live)
                else:
                    await self._save(live, new)
        except Exception as error:
            if not self._is_gone(error):
                self._log(live.value.id, source, error)
                self._try_again(live)

    def _try_again(self, live: Live[V]) -> None:
        """Let the alarm ring in RETRY_AFTER seconds, unless it rings sooner anyway."""
        if not live.alarm or live.alarm.rings_at > asyncio.get_running_loop().time() + RETRY_AFTER:
            self._ring_in(live, RETRY_AFTER)

    # Listeners and the log

    def notify(self, value: V) -> None:
        """Tell the listener about this value."""
        self._notify(self._listener, value)

    def _notify(self, listener: Callable[[V], None], value: V) -> None:
        try:
            listener(value)
        except Exception:  # the change is stored, and a failure to show it must not undo it
            log.exception("%s %s could not be told", self._kind.name, value.id)

    def _is_gone(self, error: Exception) -> bool:
        return isinstance(error, Refusal) and error.id == self._kind.gone

    def _log(self, id: int, what: str, error: Exception) -> None:
        """Log a failure that is tried again: a bug with its traceback, anything else in one line."""
        is_bug = not isinstance(error, (Refusal, TimeoutError))
        level = logging.ERROR if is_bug else logging.WARNING
        log.log(level, "the %s of %s %s failed: %s", what, self._kind.name, id, error, exc_info=is_bug)


class Work:
    """Tasks that run to their end even if their caller goes away."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start this in the background."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def to_the_end(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of this work, which goes on even if the caller is cancelled."""
        return await asyncio.shield(self.start(work))

    async def finish(self) -> None:
        """Wait until all tasks are done."""
        while self._tasks:
            await asyncio.wait(self._tasks)
