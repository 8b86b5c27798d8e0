"""The messages of one destination: its only writer, in order, each message in its newest state only."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

from bot.delivery.budget import Budget, Clock, Need, Permit, Urgency
from bot.delivery.picture_cache import NotDrawnYet
from bot.faults import REFUSALS, Fault, TooFast, fault_of

log = logging.getLogger(__name__)

M = TypeVar("M")
#: Seconds before a message is tried again, at first and at most.
FIRST_WAIT, LONGEST_WAIT = 2.0, 60.0
#: Doublings of the wait that are counted; with more the number would overflow in the end.
MOST_DOUBLINGS = 10
#: What was shown longest ago is forgotten; showing it again would merely cost a call.
REMEMBERED = 24


class MessageQueue(Generic[M]):
    """What the messages of a channel, or of one player, should look like, and do not yet.

    Nobody else writes them. A click on one is a carrier: it takes along the newest state of its message as
    its own answer, and only what no click takes is brought out by `show`, in a turn of the `budget` unless
    its `urgency` is None: then it is free. It waits for `ready` before. When Discord is out of reach it is
    tried again later. A message is written again only `spacing` seconds later: what comes meanwhile costs
    one call.

    Where `show` or `ready` raise NotDrawnYet, the message is left as it is until then; where `show` returns a
    future, it has shown the message without its pictures, and is called again then.
    """

    def __init__(
        self,
        name: str,
        show: Callable[[str, M], Awaitable[asyncio.Future[None] | None]],
        urgency: Callable[[str], Urgency | None],
        budget: Budget,
        *,
        spacing: float = 0.0,
        ready: Callable[[str, M], Awaitable[None]] | None = None,
    ) -> None:
        self._name = name
        self._show = show
        self._urgency = urgency
        self._budget = budget
        self._permit = Permit(budget, self._need, self._called)
        self._ready = ready
        #: What the messages should look like, and do, for whoever asks.
        self.states: States[M] = States(spacing, budget.clock)
        self._turn = asyncio.Lock()  # one request at a time: what comes last is what Discord shows
        self._clicks = 0
        self._rested = asyncio.Event()
        self._failures = 0
        self._retry: asyncio.TimerHandle | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    @property
    def waiting(self) -> int:
        """How many messages are not yet as they should be."""
        return len(self.states.owed)

    def want(self, key: str, message: M, *, patience: float = 0.0) -> None:
        """Let the message with this key look so, soon; after `patience` seconds if nothing newer comes."""
        if self.states.want(key, message, patience):
            self._wake()

    def drop(self, key: str) -> None:
        """Nothing is wanted of this message any more."""
        self.states.take(key)

    def again(self, key: str) -> None:
        """Let the message that looks as it should, but for its pictures, be shown once more."""
        if key in self.states:
            self._release(key)
        elif message := self.states.shown(key):
            self.states.forget(key)
            self.want(key, message)

    def amend(self, key: str, message: M) -> None:
        """What is on its way looks so instead; what could wait until now does not come at all."""
        if self.states.is_coming(key) and not self.states.drop_what_can_wait(key):
            self.want(key, message)

    @asynccontextmanager
    async def answering(
        self, key: str, answer: Callable[[M | None], Awaitable[M | None]]
    ) -> AsyncIterator[None]:
        """While a click on this message is dealt with; then `answer` takes along what it should look like.

        `answer` is called with None where the message looks so already, and returns what it shows then; None
        where that is not all, and the rest is to follow.
        """
        self._clicks += 1
        self._rested.clear()
        try:
            try:
                yield
            finally:
                async with self._turn:
                    await self._answer(key, answer)
        finally:
            self._clicks -= 1
            if not self._clicks:
                self._rested.set()
            self._wake()

    async def _answer(self, key: str, answer: Callable[[M | None], Awaitable[M | None]]) -> None:
        message = self.states.take(key)
        if message is None:
            await answer(None)
            return
        self.states.on_its_way = key
        try:
            shown = await answer(message)
            if shown is None:
                self.states.forget(key)
            else:
                self.states.looks(key, shown)
            if shown != message:
                self.states.put_back(key, message)
        except BaseException:
            # What of it Discord has shown, nobody knows.
            self.states.forget(key)
            self.states.put_back(key, message)
            raise
        finally:
            self.states.on_its_way = None

    def hurry(self) -> None:
        """From now on wait for nobody but Discord."""
        self.states.hurry()
        self._wake()

    async def empty(self) -> bool:
        """Wait until all that is wanted is shown, however long Discord is out of reach.

        False if the queue is closed before that.
        """
        self.hurry()
        await self.idle()
        while self.states and not self._is_closed:
            await asyncio.sleep(LONGEST_WAIT)
            await self.idle()
        return not self._is_closed

    async def idle(self, least: Urgency = Urgency.LOW) -> None:
        """Wait until all clicks are answered and all that is wanted is shown, or has to wait for Discord.

        What is less urgent than `least` may also wait for its turn of the budget.
        """
        while True:
            if self._clicks:
                await self._rested.wait()
            elif self._task and not self._task.done():
                await asyncio.wait([self._task])
            elif self._permit.is_awaited and self._need().urgency <= least and not self._is_closed:
                await self._permit.came()
            else:
                return

    def close(self) -> None:
        """Show nothing more."""
        self._is_closed = True
        self._permit.close()
        for handle in (self._retry, self._alarm, self._task):
            if handle:
                handle.cancel()

    def _wake(self) -> None:
        if self._alarm:
            self._alarm.cancel()
        busy = self._clicks or self._retry or (self._task and not self._task.done()) or self._is_closed
        if not busy and self.states:
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while self.states and not self._clicks and not self._retry:
            key = self._next()
            if key is None:
                self._set_alarm()
                break
            message = self.states.wanted(key)
            assert message is not None
            if not await self._is_ready(key, message):
                continue
            await self._budget.begin()
            async with self._turn:
                # Meanwhile a click may have taken the message along, or wants to, or it is to look otherwise.
                if self._clicks or self.states.wanted(key) != message:
                    continue
                is_free = self._urgency(key) is None
                if not is_free and not self._permit.use():
                    break
                if not await self._write(key) and not is_free:
                    self._permit.take_back()
        self._permit.give_back()

    def _set_alarm(self) -> None:
        at = self.states.ripens_at()
        if at < math.inf:
            self._alarm = asyncio.get_running_loop().call_at(at, self._wake)

    async def _is_ready(self, key: str, message: M) -> bool:
        try:
            if self._ready:
                await self._ready(key, message)
        except NotDrawnYet as late:
            self._hold(key, message, late.until)
            return False
        return True

    def _hold(self, key: str, message: M, until: asyncio.Future[None]) -> None:
        """Write this message again when this is done, unless it is to look otherwise by now."""
        if self.states.wanted(key) is message:
            self.states.hold(key)
            until.add_done_callback(lambda _: self._release(key))

    def _release(self, key: str) -> None:
        self.states.release(key)
        self._wake()

    def _called(self) -> None:
        self._wake()
        if self._task is None or self._task.done():
            self._permit.give_back()

    def _next(self) -> str | None:
        """The message to write next: the first that is ripe; where calls are scarce, a new one."""
        ripe = self.states.ripe()
        if len(ripe) > 1 and self._budget.is_tight:
            ripe.sort(key=lambda key: self._urgency(key) or Urgency.NEW)
        return ripe[0] if ripe else None

    def _need(self) -> Need:
        """How urgent a call is by now; one that is not needed any more is given back at once."""
        needs = [Need(self._urgency(key) or Urgency.NEW, self.states.due(key)) for key in self.states.ripe()]
        return min(needs, default=Need(Urgency.NEW, 0.0))

    async def _write(self, key: str) -> bool:
        """Whether there was anything to write, and it was not left for later."""
        before = self.states.shown(key)
        message = self.states.take(key)
        if message is None:
            return False
        self.states.looks(key, message)
        self.states.on_its_way = key
        try:
            lacks_pictures = await self._show(key, message)
        except NotDrawnYet as late:
            self._left_out(key, message, late.until, late.shown or before)
            if late.shown is None:
                return False
        except Exception as error:
            self._failed(key, message, error)
        else:
            self._failures = 0
            if lacks_pictures:
                self._left_out(key, message, lacks_pictures)
        finally:
            self.states.on_its_way = None
        self.states.written(key)
        return True

    def _left_out(self, key: str, message: M, until: asyncio.Future[None], shown: M | None = None) -> None:
        """Something of this message is still to be shown; what it looks like now, if that is certain."""
        if shown is None:
            self.states.forget(key)
        else:
            self.states.looks(key, shown)
        self.states.put_back(key, message)
        self._hold(key, message, until)

    def _failed(self, key: str, message: M, error: Exception) -> None:
        self.states.forget(key)
        fault = fault_of(error)
        if fault in REFUSALS:
            # Whoever has refused this refuses the rest: it is wanted again when that has changed.
            log.warning("%s: %s was refused: %s", self._name, key, error)
            self.states.drop_all()
            return
        if fault not in (Fault.LATER, Fault.MESSAGE_GONE):
            log.error("%s: could not show %s", self._name, key, exc_info=error)
            return
        self.states.put_back(key, message)
        wait = getattr(error, "retry_after", None) or min(LONGEST_WAIT, FIRST_WAIT * 2**self._failures)
        self._failures = min(self._failures + 1, MOST_DOUBLINGS)
        level = logging.INFO if isinstance(error, TooFast) else logging.WARNING  # a refusal was logged before
        log.log(level, "%s: %s has to wait %.0f s: %s", self._name, key, wait, error)
        self._retry = asyncio.get_running_loop().call_later(wait, self._again)

    def _again(self) -> None:
        self._retry = None
        self._wake()


class States(Generic[M]):
    """The newest wanted state of each message that does not look so yet, and the state that each shows.

    A message is written again only `spacing` seconds after the last time. Times are seconds by the `clock`.
    """

    def __init__(self, spacing: float, clock: Clock) -> None:
        self._spacing = spacing
        self._clock = clock
        self._wanted: dict[str, M] = {}
        self._due: dict[str, float] = {}  # from when on each of these should be written
        self._shown: dict[str, M] = {}
        self._rests_until: dict[str, float] = {}
        self._held: set[str] = set()  # what waits for something that is not a matter of time
        self.on_its_way: str | None = None

    def __bool__(self) -> bool:
        """Whether a message should look otherwise."""
        return bool(self._wanted)

    def __contains__(self, key: str) -> bool:
        """Whether the message with this key should."""
        return key in self._wanted

    @property
    def all_shown(self) -> dict[str, M]:
        """How the messages look that were written last, as far as that is certain."""
        return {key: message for key, message in self._shown.items() if key != self.on_its_way}

    @property
    def all_wanted(self) -> dict[str, M]:
        """How the messages should look that do not look so yet."""
        return dict(self._wanted)

    def shown(self, key: str) -> M | None:
        """How the message with this key looks; None where that is not certain."""
        return None if key == self.on_its_way else self._shown.get(key)

    def wanted(self, key: str) -> M | None:
        """How it should look; None where it does."""
        return self._wanted.get(key)

    def newest(self, key: str) -> M | None:
        """How it should look or, where nothing else is wanted, how it does."""
        return self._wanted.get(key) or self.shown(key)

    @property
    def owed(self) -> list[str]:
        """The messages that wait for nobody but Discord, or for their turn, and the one on its way."""
        now = self._clock()
        due = [key for key in self._wanted if self._due[key] <= now]
        if self.on_its_way and self.on_its_way not in due:
            due.insert(0, self.on_its_way)
        return due

    def owes(self, key: str) -> bool:
        """Whether this message is one of them."""
        is_due = key in self._wanted and self._due[key] <= self._clock()
        return is_due or key == self.on_its_way

    def is_coming(self, key: str) -> bool:
        """Whether the message should look otherwise, at once or later, or is being written."""
        return key in self or key == self.on_its_way

    def knows(self, key: str) -> bool:
        """Whether it is known what the message with this key looks like, or should."""
        return key in self._wanted or key in self._shown

    def want(self, key: str, message: M, patience: float) -> bool:
        """Let the message look so, after `patience` seconds; False if it does already."""
        if key not in self._wanted and self._shown.get(key) == message:
            return False
        self._wanted[key] = message
        self._due[key] = min(self._clock() + patience, self._due.get(key, math.inf))
        self._held.discard(key)
        return True

    def drop_what_can_wait(self, key: str) -> bool:
        """Whether this message could have waited, and is not wanted any more."""
        if key not in self._wanted or self._due[key] <= self._clock():
            return False
        self.take(key)
        return True

    def looks(self, key: str, message: M) -> None:
        """The message with this key is known to look so."""
        self._shown.pop(key, None)
        self._shown[key] = message
        if len(self._shown) > REMEMBERED:
            oldest = next(iter(self._shown))
            del self._shown[oldest]
            self._rests_until.pop(oldest, None)

    def forget(self, key: str) -> None:
        """Nobody knows what the message with this key looks like."""
        self._shown.pop(key, None)

    def take(self, key: str) -> M | None:
        """What the message should look like, for whoever writes it now; None if it looks so."""
        self._due.pop(key, None)
        self._held.discard(key)
        message = self._wanted.pop(key, None)
        return None if message == self._shown.get(key) else message

    def put_back(self, key: str, message: M) -> None:
        """It was not written. Its place is the first, as before; a newer state of it stays."""
        self._wanted = {key: message} | self._wanted
        self._due.setdefault(key, self._clock())

    def hold(self, key: str) -> None:
        """Let this message wait until it is released, or is to look otherwise."""
        self._held.add(key)

    def release(self, key: str) -> None:
        """It need not wait any longer."""
        self._held.discard(key)

    def written(self, key: str) -> None:
        """The message has just been written, or not."""
        self._rests_until[key] = self._clock() + self._spacing

    def drop_all(self) -> None:
        """Nothing is wanted any more."""
        self._wanted.clear()
        self._due.clear()
        self._held.clear()

    def hurry(self) -> None:
        """From now on nothing has to wait."""
        self._spacing = 0.0
        self._rests_until.clear()
        self._held.clear()
        self._due = dict.fromkeys(self._wanted, self._clock())

    def ripe(self) -> list[str]:
        """The messages that may be written now, in order."""
        now = self._clock()
        return [key for key in self._wanted if key not in self._held and self._ripens_at(key) <= now]

    def ripens_at(self) -> float:
        """When the next message may be written; never (infinity) as long as all are held."""
        return min([self._ripens_at(key) for key in self._wanted if key not in self._held], default=math.inf)

    def _ripens_at(self, key: str) -> float:
        return max(self._due[key], self._rests_until.get(key, -math.inf))

    def due(self, key: str) -> float:
        """Since when this message should have been written."""
        return self._due[key]
