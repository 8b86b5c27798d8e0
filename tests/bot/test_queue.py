"""The only writer of a destination: the newest state, in order, and one request at a time."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.delivery import queue
from bot.delivery.budget import Budget, Urgency
from bot.delivery.picture_cache import NotDrawnYet
from bot.delivery.queue import MessageQueue
from bot.discord.faults import TooFast
from engine.errors import Refusal
from tests.unhurried import clock, skip_to

#: What a click was answered with where nothing was to be changed.
NOTHING = "nothing"
URGENCIES = {"free": None, "new": Urgency.NEW}


@pytest.fixture(autouse=True)
async def leaping_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """When there is nothing left to do before a timer rings, the loop's clock leaps to it."""
    selector: Any = asyncio.get_running_loop()._selector
    look = selector.select

    def select(timeout: float | None) -> list[Any]:
        found: list[Any] = look(timeout and 0)
        if not found:
            skip_to(clock() + (timeout or 0))
        return found

    monkeypatch.setattr(selector, "select", select)


class Channel:
    """Where a queue writes, as slowly as Discord; what clicks were answered with is marked by a star.

    What `fail` raises is raised before a message is written.
    """

    def __init__(
        self,
        fail: Callable[[str, str], None] = lambda key, message: None,
        *,
        spacing: float = 0.0,
        calls: int = 1000,
        ready: Callable[[str, str], Awaitable[None]] | None = None,
    ) -> None:
        self.fail = fail
        self.written: list[tuple[str, str]] = []
        self.tries: list[tuple[str, str]] = []
        self.tried_at: list[float] = []
        self.busy = False
        self.budget = Budget(calls)
        self.queue = MessageQueue("a channel", self.write, urgency, self.budget, spacing=spacing, ready=ready)

    async def write(self, key: str, message: str) -> None:
        assert not self.busy, "two requests at a time"
        self.busy = True
        self.tried_at.append(self.budget.clock())
        await steps(3)
        self.busy = False
        self.tries.append((key, message))
        self.fail(key, message)
        self.written.append((key, message))

    async def show(self, key: str, message: str) -> None:
        """Want this, and wait until the queue has done what it can."""
        self.queue.want(key, message)
        await self.queue.idle()

    async def answer(self, message: str | None) -> str | None:
        await self.write("*", message or NOTHING)
        return message

    @property
    def waits(self) -> list[float]:
        """The seconds between its requests."""
        return [later - earlier for earlier, later in pairwise(self.tried_at)]


def urgency(key: str) -> Urgency | None:
    return URGENCIES.get(key.partition(" ")[0], Urgency.EDIT)


async def steps(count: int) -> None:
    """Let the loop go round this often."""
    for _ in range(count):
        await asyncio.sleep(0)


def no_picture(key: str, message: str) -> None:
    """Pictures are never drawn."""
    if message.startswith("a picture"):
        raise NotDrawnYet(asyncio.get_running_loop().create_future())


@pytest.fixture
async def channel() -> Channel:
    return Channel()


@pytest.fixture
async def scarce() -> Channel:
    """A channel for one call a second, which has just been made."""
    channel = Channel(calls=1)
    channel.budget.spend()
    return channel


def test_waits_double_up_to_the_longest_unless_discord_names_one() -> None:
    waits = [queue.wait_after(TimeoutError(), failures) for failures in (0, 1, 2, 3, 4, 5, 6, 10_000)]
    assert waits == [2, 4, 8, 16, 32, 60, 60, 60]
    assert queue.wait_after(TooFast(7.5), 3) == 7.5


async def test_messages_are_written_in_order_and_each_only_in_its_newest_state(channel: Channel) -> None:
    for message in ("trick 1 a", "trick 2 a", "score a", "trick 2 b", "trick 2 c"):
        channel.queue.want(message[:-2], message)
    await channel.queue.idle()
    channel.queue.want("score", "score a")  # it shows that already
    await channel.queue.idle()
    assert [message for _, message in channel.written] == ["trick 1 a", "trick 2 c", "score a"]


async def test_clicks_wait_for_what_is_on_its_way_and_take_along_the_newest_state(channel: Channel) -> None:
    async def click() -> None:
        async with channel.queue.carrying_click("trick", channel.answer):
            channel.queue.want("trick", "b")

    channel.queue.want("trick", "a")
    await asyncio.sleep(0)
    await asyncio.gather(click(), click())
    await click()
    with suppress(Refusal):
        async with channel.queue.carrying_click("trick", channel.answer):
            channel.queue.want("trick", "c")
            raise Refusal("not_your_turn")
    await channel.queue.idle()
    assert channel.written == [("trick", "a"), ("*", "b"), ("*", NOTHING), ("*", NOTHING), ("*", "c")]


async def test_what_a_click_could_not_take_along_or_showed_otherwise_is_written(channel: Channel) -> None:
    async def too_late(message: str | None) -> str | None:
        raise TimeoutError

    async def moving(message: str | None) -> str | None:
        return await channel.answer("moving")

    with pytest.raises(TimeoutError):
        async with channel.queue.carrying_click("hand", too_late):
            channel.queue.want("hand", "a")
    await channel.queue.idle()
    async with channel.queue.carrying_click("hand", moving):
        channel.queue.want("hand", "b")
    await channel.queue.idle()
    assert channel.written == [("hand", "a"), ("*", "moving"), ("hand", "b")]


async def test_who_waits_for_the_queue_waits_for_the_clicks_too(channel: Channel) -> None:
    async with channel.queue.carrying_click("hand", channel.answer):
        idle = asyncio.create_task(channel.queue.idle())
        channel.queue.want("trick", "over")
        await steps(9)
        assert not idle.done()
        assert not channel.written
    await idle
    assert channel.written == [("*", NOTHING), ("trick", "over")]


async def test_who_waits_for_the_queue_waits_for_its_turn_too_until_it_is_closed(scarce: Channel) -> None:
    await scarce.show("trick", "a")
    assert scarce.written == [("trick", "a")]
    scarce.queue.want("trick", "b")
    idle = asyncio.create_task(scarce.queue.idle())
    await asyncio.sleep(0)
    scarce.queue.close()
    async with asyncio.timeout(0.5):
        await idle
    assert scarce.written == [("trick", "a")]


@pytest.mark.parametrize(
    ("wanted", "order"),
    [
        # New messages go first, and others in their newest state.
        ("1 trick a, 1 trick b, 1 new a", "1 new a, 1 trick b"),
        # Whoever has waited longest goes first.
        ("1 trick a, 2 trick a, 1 trick b", "1 trick b, 2 trick a"),
        # A new message that can wait does not hurry the edit before it.
        ("1 trick a, 1 new later, 2 new a", "2 new a, 1 trick a"),
        # What is urgent since longer goes first, whoever lined up before.
        ("1 trick a, 2 new a, 1 new a", "2 new a, 1 new a"),
    ],
)
async def test_where_calls_are_scarce(wanted: str, order: str) -> None:
    budget, made = Budget(1), []
    budget.spend()

    def destination(name: str) -> MessageQueue[str]:
        async def show(key: str, message: str) -> None:
            made.append(f"{name} {key} {message}")

        return MessageQueue(name, show, urgency, budget)

    destinations = {name: destination(name) for name in "12"}
    for name, key, message in map(str.split, wanted.split(", ")):
        destinations[name].want(key, message, patience=60.0 if message == "later" else 0.0)
        await asyncio.sleep(0.01)
    assert not made
    await asyncio.sleep(2.2)
    assert made == order.split(", ")


async def test_a_message_is_written_again_only_after_a_while_and_then_in_its_newest_state() -> None:
    channel = Channel(spacing=60)
    for state in "abc":
        channel.queue.want("trick", state)
        await steps(9)
    channel.queue.want("score", "new")  # other messages need not wait for it
    await channel.queue.idle()
    assert channel.written == [("trick", "a"), ("score", "new")]
    await asyncio.sleep(61)
    assert channel.written[2:] == [("trick", "c")]
    channel.queue.want("trick", "d")
    channel.queue.hurry()
    await channel.queue.idle()
    assert channel.written[3:] == [("trick", "d")]


async def test_what_has_ended_is_told_in_words_where_no_picture_comes_and_not_once_it_is_closed() -> None:
    """Otherwise ended games pile up for as long as pictures can't keep up."""
    channel = Channel(no_picture)
    channel.queue.want("board", "a picture of the last trick")
    until = channel.budget.clock() + 60.0
    assert await channel.queue.empty(lambda message: message.replace("a picture", "words"), until)
    assert channel.budget.clock() >= until
    assert channel.written == [("board", "words of the last trick")]
    channel.queue.want("board", "a picture")
    began = channel.budget.clock()
    waiting = asyncio.create_task(channel.queue.empty(str, began + 60.0))
    await asyncio.sleep(1)
    channel.queue.close()
    assert not await waiting
    assert channel.budget.clock() < began + 2.0


async def test_a_moment_is_shown_to_its_end_before_the_queue_is_done() -> None:
    channel = Channel(spacing=60)
    loop = asyncio.get_running_loop()
    await channel.show("trick", "going on")
    channel.queue.want_after("trick", "complete", "the next one", 100)
    channel.queue.want("trick", "the last one")
    assert await channel.queue.empty(str, loop.time() + 3600)
    assert channel.written[1:] == [("trick", "complete"), ("trick", "the last one")]
    channel.queue.want_after("score", "counting", "over", 100)
    await asyncio.sleep(1)
    began = loop.time()
    channel.queue.want("score", "won")
    assert await channel.queue.empty(str, loop.time() + 3600)
    assert loop.time() - began > 90


async def test_no_moment_is_shown_while_calls_are_scarce(scarce: Channel) -> None:
    scarce.queue.want_after("trick", "complete", "the next one", 100)
    await asyncio.sleep(1.1)
    assert scarce.written == [("trick", "the next one")]


async def test_what_can_wait_comes_in_the_end_unless_something_newer_comes(channel: Channel) -> None:
    channel.queue.want("trick", "nobody has led", patience=60)
    await channel.show("notice", "somebody is back")
    assert channel.written == [("notice", "somebody is back")]
    await channel.show("trick", "somebody has led")
    for _ in range(2):
        channel.queue.want("trick", "nobody has led again", patience=0.02)
        await channel.queue.idle()
    assert channel.written[1:] == [("trick", "somebody has led")]
    await asyncio.sleep(0.1)
    assert channel.written[2:] == [("trick", "nobody has led again")]


async def test_what_is_amended_comes_so_if_it_is_due_and_not_if_it_could_wait(channel: Channel) -> None:
    channel.queue.want("trick", "nobody has led", patience=0.01)
    channel.queue.want("hand", "your turn")
    for key in ("trick", "hand", "another"):
        channel.queue.amend(key, "stopped")
    await asyncio.sleep(0.03)
    assert channel.written == [("hand", "stopped")]
    assert not channel.queue.waiting


async def test_a_call_that_a_click_has_made_needless_is_not_kept_for_later(scarce: Channel) -> None:
    scarce.queue.want("trick", "a")
    await asyncio.sleep(0)
    async with scarce.queue.carrying_click("trick", scarce.answer):
        await asyncio.sleep(1.1)  # meanwhile its turn comes
    await asyncio.sleep(1.1)
    assert scarce.budget.take() is not None
    scarce.queue.want("trick", "b")
    await asyncio.sleep(0.1)
    assert scarce.written == [("*", "a")]


async def test_a_call_counts_when_it_is_made() -> None:
    ready = asyncio.Event()

    async def wait(key: str, message: str) -> None:
        await ready.wait()

    channel = Channel(calls=1, ready=wait)
    channel.budget.spend()
    ready.set()
    channel.queue.want("trick", "a")
    await asyncio.sleep(0)
    ready.clear()
    await asyncio.sleep(2.2)  # its turn came a second ago
    assert channel.budget.take() is not None
    ready.set()
    await asyncio.sleep(0.1)
    assert not channel.written
    await channel.queue.idle()
    assert channel.written == [("trick", "a")]


async def test_what_costs_no_call_gives_none_back() -> None:
    """A click's token carries it; where its picture isn't drawn yet, the call before has still been made."""
    channel = Channel(no_picture, calls=1)
    await channel.show("paid", "words")
    assert channel.budget.is_tight
    channel.queue.want("free", "a picture")
    await steps(20)
    assert channel.tries[1:] == [("free", "a picture")]
    assert channel.budget.is_tight


async def test_a_change_that_is_taken_back_takes_no_call() -> None:
    channel = Channel(calls=1)
    await channel.show("score", "1")
    await asyncio.sleep(1.1)
    for score in "21":
        channel.queue.want("score", score)
    await channel.queue.idle()
    assert channel.written == [("score", "1")]
    assert not channel.budget.is_tight


async def test_of_many_messages_one_begins_at_a_time_new_ones_first_and_free_ones_last() -> None:
    """So clicks come between them."""
    budget, begun = Budget(), []

    async def show(key: str, message: str) -> None:
        begun.append(key)

    queues = [MessageQueue("one of many", show, urgency, budget) for _ in range(30)]
    for one, key in zip(queues, ("free", "edit", "new") * 10, strict=True):
        one.want(key, "a")
    await steps(20)
    assert 1 < len(begun) <= 20
    await asyncio.gather(*(one.idle() for one in queues))
    # Nobody waited when the first began.
    assert begun == ["free", *["new"] * 10, *["edit"] * 10, *["free"] * 9]


async def test_who_is_refused_one_thing_asks_for_nothing_else_until_it_is_wanted_again() -> None:
    def forbid(key: str, message: str) -> None:
        if message == "a":
            raise refused(403, 50013)

    channel = Channel(forbid)
    for key in ("trick 1", "trick 2", "score"):
        channel.queue.want(key, "a")
    await channel.queue.idle()
    await channel.show("score", "b")
    assert channel.tries == [("trick 1", "a"), ("score", "b")]


def refused(status: int, code: int) -> discord.HTTPException:
    answer: Any = SimpleNamespace(status=status, reason="")
    return discord.HTTPException(answer, {"code": code, "message": ""})


async def test_what_discord_may_do_later_is_tried_again_and_what_it_never_will_is_raised() -> None:
    answers: list[Exception | None] = [TimeoutError(), refused(503, 0), TimeoutError(), None]

    async def work() -> float:
        if error := answers.pop(0):
            raise error
        return asyncio.get_running_loop().time()

    began = asyncio.get_running_loop().time()
    assert await queue.until_done("a test", work) - began == pytest.approx(2 + 4 + 8, abs=0.5)
    answers = [refused(403, 50013), None]
    with pytest.raises(discord.HTTPException):
        await queue.until_done("a test", work)
    assert answers == [None]


async def test_a_message_whose_picture_is_missing_shows_what_it_showed() -> None:
    """So nothing is written if it is to show that again."""
    channel = Channel(no_picture)
    for message in ("words", "a picture", "words"):
        await channel.show("trick", message)
        assert channel.queue.states.shown("trick") == "words"
    assert channel.tries == [("trick", "words"), ("trick", "a picture")]


async def test_waits_begin_with_the_shortest_again_after_a_success_and_once_discord_is_back(
    channel: Channel, caplog: pytest.LogCaptureFixture
) -> None:
    errors = [*[TimeoutError()] * 4, TooFast(0.0), None, TimeoutError(), None]

    def fail(key: str, message: str) -> None:
        if error := errors.pop(0):
            raise error

    channel.fail = fail
    channel.queue.want("trick", "a")
    emptied = asyncio.create_task(channel.queue.empty(str, 0.0))
    await asyncio.sleep(2 + 4 + 8 + 1)
    channel.queue.retry()
    assert await emptied
    channel.queue.want("trick", "b")
    await asyncio.sleep(2.5)
    assert channel.waits == pytest.approx([2, 4, 8, 1, 2, 0, 2], abs=0.2)
    assert len(caplog.get_records("call")) == 5  # whoever raised TooFast has logged it
    caplog.clear()
