"""How many calls a second the bot's token may make, over all tables."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple

from bot.config import CALLS_PER_SECOND
from engine.durations import Durations

Clock = Callable[[], float]
#: Seconds in which the calls are counted.
SPAN = 1.0


class Urgency(IntEnum):
    """Who goes first where not all can."""

    NEW = 0  # a hand or a post that nobody has seen yet
    EDIT = 1  # a message that shows an earlier state
    LOW = 2  # what nobody waits for


class Need(NamedTuple):
    """How urgent a call is, and since when it is waited for, by the loop's clock: the least goes first."""

    urgency: Urgency
    since: float


class _Waiting(NamedTuple):
    """Who waits for a call: how urgently, by now; what to call when it may be made; since when."""

    need: Callable[[], Need]
    go: Callable[[float], None]
    since: float


class Budget:
    """Turns to make a call: the most urgent first, and then whoever has waited longest.

    What goes through a click's own token is free: Discord does not count it.
    """

    def __init__(self, calls: int = CALLS_PER_SECOND) -> None:
        #: Seconds by the loop: whatever is sent goes by this clock.
        self.clock: Clock = asyncio.get_running_loop().time
        self.calls = calls  # a second
        #: How long the calls waited that had to wait for their turn.
        self.waits = Durations()
        self._made: deque[float] = deque()  # by the loop's clock
        self._waiting: list[_Waiting] = []
        self._alarm: asyncio.TimerHandle | None = None
        self._beginning = asyncio.Lock()

    @property
    def is_tight(self) -> bool:
        """Whether a call has to wait now."""
        return bool(self._waiting) or self._opens_at() > self.clock()

    @property
    def waiting(self) -> Counter[Urgency]:
        """How many calls wait for their turn."""
        waiting = Counter(dict.fromkeys(Urgency, 0))
        waiting.update(one.need().urgency for one in self._waiting)
        return waiting

    def take(self, given: float | None = None) -> float | None:
        """The moment from which a call counts that may be made now; None if none may.

        It may be one that was `given` and not made.
        """
        if not self.give_back(given) and self.is_tight:
            return None
        return self.spend()

    def line_up(self, need: Callable[[], Need], go: Callable[[float], None]) -> None:
        """Call `go` with the moment from which a call counts that may be made then.

        How urgent it is may change meanwhile.
        """
        self._waiting.append(_Waiting(need, go, self.clock()))
        self._set_alarm()

    async def turn(self, urgency: Urgency) -> None:
        """Wait until a call may be made."""
        if self.take() is not None:
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        need = Need(urgency, self.clock())
        self.line_up(lambda: need, lambda given: None if turn.done() else turn.set_result(None))
        await turn

    async def begin(self) -> None:
        """Wait until a message may begin to go out, free or not: one each time that the loop goes round.

        Where many tables begin to play at once, a click would else wait behind all their hands at each step.
        """
        await self._beginning.acquire()
        asyncio.get_running_loop().call_soon(self._beginning.release)

    def spend(self) -> float:
        """Count a call for which nobody has waited; the moment from which it counts."""
        self._made.append(self.clock())
        return self._made[-1]

    def give_back(self, given: float | None) -> bool:
        """This call was not made; False if it does not count any more."""
        if given is None or given not in self._made:
            return False
        self._made.remove(given)
        return True

    def _opens_at(self) -> float:
        """When the next call may be made, by the loop's clock."""
        while self._made and self._made[0] + SPAN <= self.clock():
            self._made.popleft()
        return self._made[-self.calls] + SPAN if len(self._made) >= self.calls else 0.0

    def _set_alarm(self) -> None:
        if self._alarm is None:
            self._alarm = asyncio.get_running_loop().call_at(self._opens_at(), self._give_turns)

    def _give_turns(self) -> None:
        self._alarm = None
        while self._waiting and self._opens_at() <= self.clock():
            waiting = min(self._waiting, key=lambda one: one.need())
            self._waiting.remove(waiting)
            self.waits.add(self.clock() - waiting.since)
            waiting.go(self.spend())
        if self._waiting:
            self._set_alarm()


class Permit:
    """Leave for one queue to make a call: asked for once at a time, and given back where it is not used.

    `go` is called when it comes.
    """

    def __init__(self, budget: Budget, need: Callable[[], Need], go: Callable[[], None]) -> None:
        self._budget = budget
        self._need = need
        self._go = go
        self._given: float | None = None  # from when a call counts that may be made
        self._used: float | None = None  # and the last one that was
        self._came = asyncio.Event()
        self.is_awaited = False

    def use(self) -> bool:
        """Whether a call may be made now; else it is asked for."""
        if self.is_awaited:
            return False
        given, self._given = self._given, None
        self._used = self._budget.take(given)
        if self._used is not None:
            return True
        self.is_awaited = True
        self._came.clear()
        self._budget.line_up(self._need, self._come)
        return False

    def take_back(self) -> None:
        """The call for which it was used was not made after all."""
        self._budget.give_back(self._used)

    def give_back(self) -> None:
        """Kept, it would be one call too many in the second in which it is made."""
        if self._given is not None:
            self._budget.give_back(self._given)
            self._given = None

    async def came(self) -> None:
        """Wait until it comes, or nobody waits for it any more."""
        await self._came.wait()

    def close(self) -> None:
        """Nobody waits for it any more."""
        self._came.set()

    def _come(self, given: float) -> None:
        self.is_awaited, self._given = False, given
        self._came.set()
        self._go()
