"""The number of calls that the bot's token may make per second, shared by all tables."""

import asyncio
import heapq
import itertools
from collections import Counter, deque
from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple

from bot.config import CALLS_PER_SECOND
from engine import metrics

Clock = Callable[[], float]
#: Seconds over which calls are counted.
SPAN = 1.0


class Urgency(IntEnum):
    """Which calls go first when there are too many."""

    NEW = 0  # a new hand or post
    EDIT = 1  # a message that shows an earlier state
    LOW = 2  # no one is waiting for it


class Need(NamedTuple):
    """How urgent a call is, and since when it has been due by the loop's clock; the smallest goes first."""

    urgency: Urgency
    since: float


class _Waiting(NamedTuple):
    """A queued call: how urgent it is now, what to call when it may be made, and since when it waits."""

    need: Callable[[], Need]
    go: Callable[[float], None]
    since: float


class Budget:
    """Gives turns to make a call: the most urgent first, then the one that has waited longest.

    Calls with a click's token are free: Discord doesn't count them.
    """

    def __init__(self, calls: int = CALLS_PER_SECOND) -> None:
        #: Seconds by the loop; everything in delivery uses this clock.
        self.clock: Clock = asyncio.get_running_loop().time
        self.calls = calls  # a second
        self.waits = metrics.histogram("budget_wait_seconds", "How long waiting calls waited.")
        self._call_times: deque[float] = deque()  # of the calls that count, by the loop's clock
        self._waiting: list[_Waiting] = []
        self._alarm: asyncio.TimerHandle | None = None
        self._starting: list[tuple[int, int, asyncio.Future[None]]] | None = None  # a heap; None if idle
        self._started = itertools.count()

    @property
    def is_tight(self) -> bool:
        """Whether a call would have to wait now."""
        return bool(self._waiting) or self._opens_at() > self.clock()

    @property
    def waiting(self) -> Counter[Urgency]:
        """The number of calls waiting for a turn."""
        waiting = Counter(dict.fromkeys(Urgency, 0))
        waiting.update(call.need().urgency for call in self._waiting)
        return waiting

    def take(self, turn: float | None = None) -> float | None:
        """Take a turn now, and return the time from which its call counts; None if there is none.

        An earlier `turn` that wasn't used is exchanged for the new one.
        """
        if not self.give_back(turn) and self.is_tight:
            return None
        return self.spend()

    def line_up(self, need: Callable[[], Need], go: Callable[[float], None]) -> None:
        """Queue for a turn: `go` is called with the time from which its call counts.

        What `need` returns may change while the call waits.
        """
        self._waiting.append(_Waiting(need, go, self.clock()))
        self._set_alarm()

    async def turn(self, urgency: Urgency) -> None:
        """Wait until a call may be made."""
        if self.take() is not None:
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        need = Need(urgency, self.clock())
        self.line_up(lambda: need, lambda _: None if turn.done() else turn.set_result(None))
        await turn

    async def begin(self, urgency: Urgency | None) -> None:
        """Wait until the next message may be started: one per iteration of the loop.

        Otherwise, when many tables deal at once, each step of a click would wait behind all their hands. New
        messages go first, and free ones (urgency None) last: those mostly add a picture to an answer that is
        already there.
        """
        if self._starting is not None:
            start = asyncio.get_running_loop().create_future()
            rank = len(Urgency) if urgency is None else urgency
            heapq.heappush(self._starting, (rank, next(self._started), start))
            try:
                await start
            except asyncio.CancelledError:
                if not start.cancelled():
                    self._start_next()
                raise
        else:
            self._starting = []
        asyncio.get_running_loop().call_soon(self._start_next)

    def _start_next(self) -> None:
        assert self._starting is not None
        while self._starting:
            *_, start = heapq.heappop(self._starting)
            if not start.done():
                start.set_result(None)
                return
        self._starting = None

    def spend(self) -> float:
        """Count a call that took no turn, and return the time from which it counts."""
        self._call_times.append(self.clock())
        return self._call_times[-1]

    def give_back(self, turn: float | None) -> bool:
        """Give back a turn whose call wasn't made; False if it no longer counts anyway."""
        if turn is None or turn not in self._call_times:
            return False
        self._call_times.remove(turn)
        return True

    def _opens_at(self) -> float:
        """The time of the next free call, by the loop's clock."""
        while self._call_times and self._call_times[0] + SPAN <= self.clock():
            self._call_times.popleft()
        return self._call_times[-self.calls] + SPAN if len(self._call_times) >= self.calls else 0.0

    def _set_alarm(self) -> None:
        if self._alarm is None:
            self._alarm = asyncio.get_running_loop().call_at(self._opens_at(), self._give_turns)

    def _give_turns(self) -> None:
        self._alarm = None
        while self._waiting and self._opens_at() <= self.clock():
            waiting = min(self._waiting, key=lambda call: call.need())
            self._waiting.remove(waiting)
            self.waits.observe(self.clock() - waiting.since)
            waiting.go(self.spend())
        if self._waiting:
            self._set_alarm()


class Permit:
    """One queue's turn to make a call: it asks for one at a time, and gives it back if unused.

    `go` is called when the turn comes.
    """

    def __init__(self, budget: Budget, need: Callable[[], Need], go: Callable[[], None]) -> None:
        self._budget = budget
        self._need = need
        self._go = go
        self._unused: float | None = None  # the unused turn: when its call counts from
        self._used: float | None = None  # the turn used last
        self._granted = asyncio.Event()
        self.is_awaited = False

    def use(self) -> bool:
        """Take a turn if there is one now; otherwise queue for one and return False."""
        if self.is_awaited:
            return False
        unused, self._unused = self._unused, None
        self._used = self._budget.take(unused)
        if self._used is not None:
            return True
        self.is_awaited = True
        self._granted.clear()
        self._budget.line_up(self._need, self._grant)
        return False

    def refund(self) -> None:
        """Give back the turn that was used last, as its call wasn't made."""
        self._budget.give_back(self._used)

    def give_back(self) -> None:
        """Give back an unused turn: used later, it would be one call too many in that second."""
        if self._unused is not None:
            self._budget.give_back(self._unused)
            self._unused = None

    async def granted(self) -> None:
        """Wait until the turn comes, or the permit is closed."""
        await self._granted.wait()

    def close(self) -> None:
        """Stop waiting for a turn: `granted` returns."""
        self._granted.set()

    def _grant(self, turn: float) -> None:
        self.is_awaited, self._unused = False, turn
        self._granted.set()
        self._go()
