"""The only writer of one destination's messages: in order, and each only in its newest state."""

import asyncio
import logging
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

import discord

from bot.delivery.budget import Budget, Clock, Need, Permit, Urgency
from bot.delivery.picture_cache import NotDrawnYet
from bot.discord.faults import NETWORK, REFUSALS, Fault, TooEarly, TooFast, fault_of

log = logging.getLogger(__name__)

M = TypeVar("M")
T = TypeVar("T")
#: Seconds until a failed message is retried, at first and at most.
FIRST_WAIT, LONGEST_WAIT = 2.0, 60.0
#: Most doublings of that wait; more would overflow in the end.
MOST_DOUBLINGS = 10
#: Messages whose state is remembered; for a forgotten one, an unneeded edit merely costs a call.
LOOKS_REMEMBERED = 24


def wait_after(error: Exception, failures: int) -> float:
    """Seconds until the next try, after this error and this many earlier ones."""
    retry_after: float | None = getattr(error, "retry_after", None)
    return retry_after or min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(failures, MOST_DOUBLINGS))


async def until_done(doing: str, work: Callable[[], Awaitable[T]]) -> T:
    """Try this until Discord accepts it; errors that are final are raised."""
    failures = 0
    while True:
        try:
            return await work()
        except (discord.HTTPException, *NETWORK) as error:
            if fault_of(error) is not Fault.LATER:
                raise
            wait = wait_after(error, failures)
            log.warning("%s has to wait %.0f s: %s", doing, wait, error)
        await asyncio.sleep(wait)
        failures += 1


async def why_it_stays(what: str, delete: Awaitable[object]) -> Fault | None:
    """Delete a message; returns why it stays for good, or None if it is gone.

    Raises errors after which the caller may try again.
    """
    try:
        await delete
    except discord.HTTPException as error:
        fault = fault_of(error)
        if fault is Fault.LATER:
            raise
        if fault is Fault.MESSAGE_GONE:
            return None
        log.info("%s stays: %s", what, error)
        return fault
    return None


class MessageQueue(Generic[M]):
    """The messages of a channel, or of one player, that are out of date.

    Nothing else writes them. The answer to a click on a message carries its newest state. All other changes
    go out through `show`, after `ready`, in a turn of the `budget`; if the `urgency` is None, the call is
    free and needs no turn. While Discord is out of reach, calls are retried. A message is written at most
    every `spacing` seconds: the changes in between share one call.

    If `show` or `ready` raise NotDrawnYet, the message is left as it is until that future is done. If `show`
    returns a future, the message lacks its pictures, and `show` is called again when it is done.
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
        self._permit = Permit(budget, self._need, self._on_permit)
        self._ready = ready
        #: What the messages show and should show.
        self.states: States[M] = States(spacing, budget.clock)
        self._turn = asyncio.Lock()  # one request at a time, as Discord shows whichever comes last
        self._clicks = 0
        self._rested = asyncio.Event()
        self._woken = asyncio.Event()  # set when the queue writes something, or is closed
        self._failures = 0
        self._retry: asyncio.TimerHandle | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False

    @property
    def waiting(self) -> int:
        """The number of messages that are out of date."""
        return len(self.states.owed)

    def want(self, key: str, message: M, *, patience: float = 0.0) -> None:
        """Show this in the message with this key; it waits `patience` seconds for something newer."""
        if self.states.want(key, message, patience):
            self._wake()

    def want_after(self, key: str, moment: M, message: M, seconds: float) -> None:
        """Show `moment` in this message for at least these seconds, and then its newest wanted state.

        A moment is left out while calls are scarce, or if it can't be drawn in time.
        """
        self.states.want_after(key, moment, message, seconds)
        self._wake()

    def drop(self, key: str) -> None:
        """Forget what this message should show."""
        self.states.take(key)

    def again(self, key: str) -> None:
        """Show a message again although only its pictures or its place are out of date."""
        if key in self.states:
            self._release(key)
        elif message := self.states.shown(key):
            self.states.forget(key)
            self.want(key, message)

    def amend(self, key: str, message: M) -> None:
        """Replace a state that hasn't been shown yet; if it isn't due yet, drop it instead."""
        if self.states.is_coming(key) and not self.states.drop_what_can_wait(key):
            self.want(key, message)

    @asynccontextmanager
    async def carrying_click(
        self, key: str, answer: Callable[[M | None], Awaitable[M | None]]
    ) -> AsyncIterator[None]:
        """Handle a click on this message; on leaving, `answer` carries the message's newest state.

        `answer` is called with None if the message is up to date. It returns what the message then shows, or
        None if something is still to follow.
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
            state = await answer(message)
            if state is None:
                self.states.forget(key)
            else:
                self.states.set_shown(key, state)
            if state != message:
                self.states.put_back(key, message)
        except BaseException:
            # We can't tell whether Discord has shown it.
            self.states.forget(key)
            self.states.put_back(key, message)
            raise
        finally:
            self.states.on_its_way = None

    def retry_now(self) -> None:
        """Retry a failed message at once."""
        if self._retry:
            self._retry.cancel()
            self._again()

    def retry(self) -> None:
        """Retry a failed message at once, and start again with the shortest wait."""
        if self._retry:
            self._failures = 0
        self.retry_now()

    def hurry(self) -> None:
        """From now on, wait for nothing but Discord."""
        self.states.hurry()
        self._wake()

    async def empty(self, in_words: Callable[[M], M], until: float) -> bool:
        """Wait until all messages are up to date, however long Discord is out of reach.

        Moments are shown to their end. A message that still waits for pictures at the time `until`, by the
        budget's clock, goes out as `in_words` returns it. False if the queue is closed first.
        """
        rest = self.states.moments_left()
        while rest > 0.0 and not self._is_closed:
            await asyncio.sleep(rest)
            rest = self.states.moments_left()
        self.hurry()
        await self.idle()
        deadline: float | None = until
        while self.states and not self._is_closed:
            self._woken.clear()
            if deadline is None:
                self._give_up_pictures(in_words)
            try:
                async with asyncio.timeout_at(deadline):
                    await self._woken.wait()
            except TimeoutError:
                deadline = None
            await self.idle()
        return not self._is_closed

    def _give_up_pictures(self, in_words: Callable[[M], M]) -> None:
        for key, message in self.states.held.items():
            if (words := in_words(message)) != message:
                self.want(key, words)

    async def idle(self, least: Urgency = Urgency.LOW) -> None:
        """Wait until all clicks are answered and all messages are up to date or have to wait for Discord.

        Messages less urgent than `least` may also still wait for a turn.
        """
        while True:
            if self._clicks:
                await self._rested.wait()
            elif self._task and not self._task.done():
                await asyncio.wait([self._task])
            elif self._permit.is_awaited and self._need().urgency <= least and not self._is_closed:
                await self._permit.granted()
            else:
                return

    def close(self) -> None:
        """Stop for good."""
        self._is_closed = True
        self._woken.set()
        self._permit.close()
        for handle in (self._retry, self._alarm, self._task):
            if handle:
                handle.cancel()

    def _wake(self) -> None:
        if self._alarm:
            self._alarm.cancel()
        busy = self._clicks or self._retry or (self._task and not self._task.done()) or self._is_closed
        if not busy and self.states:
            self._woken.set()
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while self.states and not self._clicks and not self._retry:
            key = self._next()
            if key is None:
                self._set_alarm()
                break
            if self._budget.is_tight:
                self.states.skip_moment(key)
            message = self.states.wanted(key)
            assert message is not None
            if not await self._is_ready(key, message):
                continue
            await self._budget.begin(self._urgency(key))
            async with self._turn:
                # By now a click may have carried the message, or be about to, or its wanted state changed.
                if self._clicks or self.states.wanted(key) != message:
                    continue
                is_free = self._urgency(key) is None
                if not is_free and not self._permit.use():
                    break
                if not await self._write(key) and not is_free:
                    self._permit.refund()
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
        """Write this message once `until` is done, unless its wanted state has changed by now."""
        if self.states.wanted(key) is message and not self.states.skip_moment(key):
            self.states.hold(key)
            until.add_done_callback(lambda _: self._release(key))

    def _release(self, key: str) -> None:
        self.states.release(key)
        self._wake()

    def _on_permit(self) -> None:
        self._wake()
        if self._task is None or self._task.done():
            self._permit.give_back()

    def _next(self) -> str | None:
        """The message to write next: the first that is ripe or, while calls are scarce, a new one."""
        ripe = self.states.ripe()
        if len(ripe) > 1 and self._budget.is_tight:
            ripe.sort(key=lambda key: self._urgency(key) or Urgency.NEW)
        return ripe[0] if ripe else None

    def _need(self) -> Need:
        """How urgent a call is by now; if none is needed, the turn comes soon and is given back."""
        needs = [Need(self._urgency(key) or Urgency.NEW, self.states.due(key)) for key in self.states.ripe()]
        return min(needs, default=Need(Urgency.NEW, 0.0))

    async def _write(self, key: str) -> bool:
        """Write this message; False if no call was made, because it is up to date or left for later."""
        before = self.states.shown(key)
        message = self.states.take_next(key)
        if message is None:
            return False
        self.states.set_shown(key, message)
        self.states.on_its_way = key
        try:
            lacks_pictures = await self._show(key, message)
        except NotDrawnYet as late:
            self._left_out(key, message, late.until, late.earlier or before)
            if late.earlier is None:
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

    def _left_out(self, key: str, message: M, until: asyncio.Future[None], state: M | None = None) -> None:
        """Note that part of this message is still to be shown, and its state until then, if certain."""
        if state is None:
            self.states.forget(key)
        else:
            self.states.set_shown(key, state)
        self.states.put_back(key, message)
        self._hold(key, message, until)

    def _failed(self, key: str, message: M, error: Exception) -> None:
        self.states.forget(key)
        fault = fault_of(error)
        if fault in REFUSALS:
            # The rest would be refused too; everything is wanted again once the cause is gone.
            # Closed DMs are the player's choice, and My hand shows their hand: that's not worth a warning.
            level = logging.INFO if fault is Fault.DM_REFUSED else logging.WARNING
            log.log(level, "%s: %s was refused: %s", self._name, key, error)
            self.states.drop_all()
            return
        if fault in (Fault.INVALID, Fault.OTHER):
            log.error("%s: could not show %s", self._name, key, exc_info=error)
            return
        self.states.put_back(key, message)
        wait = wait_after(error, self._failures)
        self._failures += 1
        # These two were logged where they were raised.
        level = logging.DEBUG if isinstance(error, (TooFast, TooEarly)) else logging.WARNING
        log.log(level, "%s: %s has to wait %.0f s: %s", self._name, key, wait, error)
        self._retry = asyncio.get_running_loop().call_later(wait, self._again)

    def _again(self) -> None:
        self._retry = None
        self._wake()


class States(Generic[M]):
    """The wanted state of each message that is out of date, and the state that each shows.

    A message is written at most every `spacing` seconds. Times are seconds by the `clock`.
    """

    def __init__(self, spacing: float, clock: Clock) -> None:
        self._spacing = spacing
        self._clock = clock
        self._wanted: dict[str, M] = {}
        self._due: dict[str, float] = {}  # when each of them should be written
        self._after: dict[str, tuple[M, float]] = {}  # the states after moments, and the moments' seconds
        self._lasts: dict[str, float] = {}  # the seconds of moments that are being written
        self._shown: dict[str, M] = {}
        self._rests_until: dict[str, float] = {}
        self._moments: set[str] = set()  # the messages that show a moment
        self._held: set[str] = set()  # waiting for something other than time
        self.on_its_way: str | None = None

    def __bool__(self) -> bool:
        """Whether any message is out of date."""
        return bool(self._wanted)

    def __contains__(self, key: str) -> bool:
        """Whether the message with this key is out of date."""
        return key in self._wanted

    @property
    def all_shown(self) -> dict[str, M]:
        """What the messages that were written last show, where that is certain."""
        return {key: message for key, message in self._shown.items() if key != self.on_its_way}

    @property
    def all_wanted(self) -> dict[str, M]:
        """What the messages that are out of date should show."""
        return self._wanted | {key: message for key, (message, _) in self._after.items()}

    def shown(self, key: str) -> M | None:
        """What the message with this key shows; None if that isn't certain."""
        return None if key == self.on_its_way else self._shown.get(key)

    def wanted(self, key: str) -> M | None:
        """What the message should show; None if it is up to date."""
        return self._wanted.get(key)

    def newest(self, key: str) -> M | None:
        """What the message should show or, if it is up to date, what it shows."""
        return self.all_wanted.get(key) or self.shown(key)

    @property
    def held(self) -> dict[str, M]:
        """The wanted states of messages that wait for something other than time."""
        return {key: message for key, message in self._wanted.items() if key in self._held}

    @property
    def owed(self) -> list[str]:
        """The messages that wait only for Discord or for a turn, and the one in flight."""
        now = self._clock()
        due = [key for key in self._wanted if self._due[key] <= now]
        if self.on_its_way and self.on_its_way not in due:
            due.insert(0, self.on_its_way)
        return due

    def owes(self, key: str) -> bool:
        """Whether this message is one of those that are owed."""
        is_due = key in self._wanted and self._due[key] <= self._clock()
        return is_due or key == self.on_its_way

    def is_coming(self, key: str) -> bool:
        """Whether the message is out of date or being written."""
        return key in self or key == self.on_its_way

    def knows(self, key: str) -> bool:
        """Whether we know what the message with this key shows, or should show."""
        return key in self._wanted or key in self._shown

    def want(self, key: str, message: M, patience: float) -> bool:
        """Note that the message should show this, after `patience` seconds; False if it already does."""
        if key not in self._wanted and self._shown.get(key) == message:
            return False
        if key in self._after:
            self._after[key] = message, self._after[key][1]
            return True
        self._wanted[key] = message
        self._due[key] = min(self._clock() + patience, self._due.get(key, math.inf))
        self._held.discard(key)
        return True

    def want_after(self, key: str, moment: M, message: M, seconds: float) -> None:
        """Note that the message should show a moment for at least these seconds, and then this."""
        self.skip_moment(key)
        if self.want(key, moment, 0.0):
            self._after[key] = message, seconds
        else:
            self.want(key, message, 0.0)

    def skip_moment(self, key: str) -> bool:
        """Want the state after a moment now; False if this message has no moment to come."""
        if key not in self._after:
            return False
        self._wanted[key], _ = self._after.pop(key)
        return True

    def drop_what_can_wait(self, key: str) -> bool:
        """Forget a wanted state that isn't due yet; False if there is none."""
        if key not in self._wanted or self._due[key] <= self._clock():
            return False
        self.take(key)
        return True

    def set_shown(self, key: str, message: M) -> None:
        """Note what the message with this key shows."""
        self._shown.pop(key, None)
        self._shown[key] = message
        if len(self._shown) > LOOKS_REMEMBERED:
            oldest = next(iter(self._shown))
            del self._shown[oldest]
            self._rests_until.pop(oldest, None)
            self._moments.discard(oldest)

    def forget(self, key: str) -> None:
        """Note that we don't know what the message with this key shows."""
        self._shown.pop(key, None)

    def take(self, key: str) -> M | None:
        """Remove the message's wanted state, to write it now; None if it is up to date."""
        self._due.pop(key, None)
        self._held.discard(key)
        state = self._wanted.pop(key, None)
        message, _ = self._after.pop(key, (state, 0.0))
        return None if message == self._shown.get(key) else message

    def take_next(self, key: str) -> M | None:
        """Remove what the message should show next: a moment, or its wanted state."""
        message, self._lasts[key] = self._after.pop(key, (None, 0.0))
        state = self.take(key)
        if message is not None and message != state:
            self.want(key, message, 0.0)
        return state

    def put_back(self, key: str, message: M) -> None:
        """Put back a state that wasn't written, again as the first in order, unless there is a newer one."""
        self._wanted = {key: message} | self._wanted
        self._due.setdefault(key, self._clock())

    def hold(self, key: str) -> None:
        """Let this message wait until it is released or its wanted state changes."""
        self._held.add(key)

    def release(self, key: str) -> None:
        """Let a held message be written."""
        self._held.discard(key)

    def written(self, key: str) -> None:
        """Note that the message has just been written, or that we have tried to."""
        lasts = self._lasts.pop(key)
        self._rests_until[key] = self._clock() + max(self._spacing, lasts)
        (self._moments.add if lasts else self._moments.discard)(key)

    def moments_left(self) -> float:
        """Seconds until all moments have been shown, counting those still to come from now."""
        now = self._clock()
        remaining = [until - now for key, until in self._rests_until.items() if key in self._moments]
        return max(
            [*remaining, *[seconds for _, seconds in self._after.values()], *self._lasts.values()],
            default=0.0,
        )

    def drop_all(self) -> None:
        """Forget everything that is wanted."""
        self._wanted.clear()
        self._after.clear()
        self._due.clear()
        self._held.clear()

    def hurry(self) -> None:
        """Make everything ripe, now and from now on."""
        for key in list(self._after):
            self.skip_moment(key)
        self._spacing = 0.0
        self._rests_until.clear()
        self._held.clear()
        self._due = dict.fromkeys(self._wanted, self._clock())

    def ripe(self) -> list[str]:
        """The messages that may be written now, in order."""
        now = self._clock()
        return [key for key in self._wanted if key not in self._held and self._ripens_at(key) <= now]

    def ripens_at(self) -> float:
        """When the next message may be written, by the clock; infinity while all are held."""
        return min([self._ripens_at(key) for key in self._wanted if key not in self._held], default=math.inf)

    def _ripens_at(self, key: str) -> float:
        return max(self._due[key], self._rests_until.get(key, -math.inf))

    def due(self, key: str) -> float:
        """When this message should be written, by the clock."""
        return self._due[key]
