"""Calls slow functions in worker processes, from the loop."""

import asyncio
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from queue import Empty, PriorityQueue
from threading import Event, Thread
from time import monotonic
from typing import Any, TypeVar, TypeVarTuple

from engine.worker import Failed, Lost, Worker

log = logging.getLogger(__name__)

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

#: The niceness of the processes.
NICE = 10
#: Seconds that a process may take to get ready: on a new machine, it has a lot to compile.
LONGEST_START = 900.0
#: A process that takes this many seconds to get ready has compiled, which doubles its memory.
COMPILING_TAKES = 10.0
#: Seconds after which a process that hasn't answered counts as hung.
LONGEST_THOUGHT = 15.0
#: The order in which a process takes what is queued: its end, urgent requests, those that can wait.
_END, _SOON, _IDLY = range(3)
#: Seconds until another process is tried after one couldn't start.
RETRY_AFTER = 60.0
#: Each process takes some 160 MB; more only help with very many thinking tables.
MOST_WORKERS = 4


class _Request:
    """A function to call, and the future of its answer."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self.function, self.arguments = function, arguments
        #: Whether a process is working on it, or has.
        self.is_begun = False
        self._loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[Any] = self._loop.create_future()

    @property
    def is_awaited(self) -> bool:
        """Whether the answer is still awaited."""
        return not self.answer.done()

    def put_to(self, worker: Worker, when_free: "Callable[[_Request], None]") -> None:
        """Have this worker answer; called from its thread. Lost if its process dies.

        `when_free` is called in the loop with this request once the process is free again.
        """
        self.is_begun = True
        try:
            if not self.is_awaited:
                return
            answer = worker.call(LONGEST_THOUGHT, self.function, *self.arguments)
        except Exception as error:
            self._resolve(self.answer.set_exception, error)
            if isinstance(error, Lost):
                raise
        else:
            self._resolve(self.answer.set_result, answer)
        finally:
            self._call(when_free, self)

    def _resolve(self, setter: Callable[[Any], None], value: Any) -> None:
        def unless_too_late() -> None:
            if self.is_awaited:
                setter(value)

        self._call(unless_too_late)

    def _call(self, function: Callable[[*Ts], None], *arguments: *Ts) -> None:
        with suppress(RuntimeError):  # the loop is closed, so the answer isn't awaited any more
            self._loop.call_soon_threadsafe(function, *arguments)


class Pool:
    """Answers requests in as many processes as there are processors besides the bot's.

    Processes start when they are first needed, and are replaced when they die. Each calls `warm_up` first.
    With 0 `workers`, there are none.
    """

    def __init__(self, warm_up: Callable[[], object], workers: int | None = None) -> None:
        self._warm_up = warm_up
        #: The most processes at a time.
        self.most = max(1, min(processors() - 1, MOST_WORKERS)) if workers is None else workers
        self._workers: list[Worker] = []
        self._resting: set[Worker] = set()
        self._ready: set[Worker] = set()
        self._asks: PriorityQueue[tuple[int, int, _Request | None]] = PriorityQueue()
        self._numbers = count()
        #: Requests that are queued or in progress, even if they aren't awaited any more.
        self._open: set[_Request] = set()
        self._closing = Event()
        self._has_compiled = False

    @property
    def crowd(self) -> float:
        """The requests per process, including those in progress, awaited or not."""
        return len(self._open) / max(1, self.most)

    @property
    def is_ready(self) -> bool:
        """Whether a process has started up."""
        return bool(self._ready)

    @property
    def pids(self) -> list[int]:
        """The ids of the running processes."""
        return [worker.pid for worker in self._workers if worker.pid]

    def prepare(self) -> None:
        """Start a first process now, as it takes a second to get ready."""
        if not self._workers and self.most:
            self._begin()

    async def ask(self, function: Callable[[*Ts], T], *arguments: *Ts, seconds: float) -> T:
        """Call this module-level function in a worker process, and return its result.

        Failed if it raises. Lost without an answer within these seconds, or at once if no process can start.
        """
        if len(self._open) >= len(self._workers) < self.most:
            self._begin()
        ask = self._put(_SOON, function, arguments)
        self._open.add(ask)
        try:
            async with asyncio.timeout(seconds):
                answer: T = await ask.answer
            return answer
        except TimeoutError:
            raise Lost("not in time") from None
        finally:
            if not (ask.is_begun and ask.answer.cancelled()):  # else the process isn't free yet
                self._open.discard(ask)

    async def ask_idly(self, function: Callable[[*Ts], T], *arguments: *Ts) -> T:
        """Call this module-level function once no other call is waiting, and return its result.

        Later calls wait until it is done, so it should be short. Lost if its process dies.
        """
        self.prepare()
        answer: T = await self._put(_IDLY, function, arguments).answer
        return answer

    def _put(self, urgency: int, function: Callable[..., Any], arguments: tuple[Any, ...]) -> _Request:
        if self._closing.is_set() or len(self._resting) == len(self._workers):
            raise Lost("no process is there")
        ask = _Request(function, arguments)
        self._asks.put((urgency, next(self._numbers), ask))
        return ask

    def close(self) -> None:
        """Kill all processes; callers still waiting get Lost."""
        self._closing.set()
        with suppress(Empty):
            while True:
                _, _, ask = self._asks.get_nowait()
                if ask and ask.is_awaited:
                    ask.answer.set_exception(Lost("it is closed"))
        for worker in self._workers:
            self._asks.put((_END, next(self._numbers), None))
            worker.close()

    def _begin(self) -> None:
        if self._closing.is_set():
            return
        worker = Worker(self._warm_up.__module__, NICE)
        self._workers.append(worker)
        # A daemon thread, as its process ends with the bot.
        Thread(target=self._serve, args=[worker], name="thinking", daemon=True).start()

    def _serve(self, worker: Worker) -> None:
        """Answer request after request, until the pool is closed."""
        while not self._closing.is_set():
            began = monotonic()
            try:
                worker.call(LONGEST_START, self._warm_up)
                self._resting.discard(worker)
            except (Lost, Failed) as problem:
                self._rest(worker, problem)
                continue
            if monotonic() > began + COMPILING_TAKES and not self._has_compiled:
                self._has_compiled = True
                worker.end()  # the next is ready in a second
                continue
            self._ready.add(worker)
            try:
                while ask := self._asks.get()[-1]:
                    ask.put_to(worker, self._open.discard)
            except Lost as lost:
                if not self._closing.is_set():
                    log.warning("A thinking process was lost: %s.", lost)
            finally:
                self._ready.discard(worker)

    def _rest(self, worker: Worker, problem: Exception) -> None:
        """Wait before retrying a process that couldn't start, and don't count on it meanwhile."""
        if self._closing.is_set():
            return
        if worker not in self._resting:
            log.warning("A thinking process couldn't start and will be retried: %s", problem)
        self._resting.add(worker)
        self._closing.wait(RETRY_AFTER)


def processors() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
