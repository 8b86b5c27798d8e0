"""The only writer of a destination: the newest state, in order, and one request at a time."""

from __future__ import annotations

import asyncio
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
from bot.discord.faults import Fault, TooFast

#: What a click was answered with where nothing was to be changed.
NOTHING = "nothing"


@pytest.fixture(autouse=True)
async def leaping_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """When there is nothing left to do before a timer rings, the loop's clock leaps to it."""
    loop: Any = asyncio.get_running_loop()
    look, time, leapt = loop._selector.select, loop.time, 0.0

    def select(timeout: float | None) -> list[Any]:
        nonlocal leapt
        found: list[Any] = look(timeout and 0)
        leapt += 0 if found else timeout or 0
        return found

    monkeypatch.setattr(loop._selector, "select", select)
    monkeypatch.setattr(loop, "time", lambda: time() + leapt)


class Channel:
    """Where a queue writes, as slowly as Discord; what clicks were answered with is marked by a star."""

    def __init__(self, *, spacing: float = 0.0, calls: int = 1000) -> None:
        self.written: list[tuple[str, str]] = []
        self.busy = False
        self.budget = Budget(calls)
        self.queue = MessageQueue("a channel", self.write, self.urgency, self.budget, spacing=spacing)

    async def write(self, key: str, message: str) -> None:
        assert not self.busy, "two requests at a time"
        self.busy = True
        for _ in range(3):
            await asyncio.sleep(0)
        self.busy = False
        self.written.append((key, message))

    async def answer(self, message: str | None) -> str | None:
        await self.write("*", message or NOTHING)
        return message

    def urgency(self, key: str) -> Urgency:
        return Urgency.NEW if key.startswith("new") else Urgency.EDIT


class Pictures(Channel):
    """A channel where what is free has a picture that is never drawn."""

    tried = False

    async def write(self, key: str, message: str) -> None:
        if key == "free":
            self.tried = True
            raise NotDrawnYet(asyncio.get_running_loop().create_future())
        await super().write(key, message)

    def urgency(self, key: str) -> Urgency | None:
        return None if key == "free" else Urgency.EDIT


class Refused(Exception):
    """What somebody asked for may not be."""


class Forbidden(Channel):
    """A channel in which we may not write until it is open."""

    is_open = False

    async def write(self, key: str, message: str) -> None:
        await super().write(key, message)
        if not self.is_open:
            answer: Any = SimpleNamespace(status=403, reason="Forbidden")
            raise discord.Forbidden(answer, {"code": 50013, "message": "Missing Permissions"})


def test_waits_double_up_to_the_longest_unless_discord_names_one() -> None:
    waits = [queue.wait_after(TimeoutError(), failures) for failures in range(7)]
    assert waits == [2, 4, 8, 16, 32, 60, 60]
    assert queue.wait_after(TimeoutError(), 10_000) == 60
    assert queue.wait_after(TooFast(7.5), 3) == 7.5


async def test_what_costs_no_call_gives_none_back() -> None:
    """A click's token carries it; where its picture isn't drawn yet, the call before has still been made."""
    channel = Pictures(calls=1)
    channel.queue.want("paid", "a")
    await channel.queue.idle()
    assert channel.budget.is_tight
    channel.queue.want("free", "b")
    for _ in range(20):
        await asyncio.sleep(0)
    assert channel.tried
    assert channel.budget.is_tight


async def test_a_newer_state_replaces_the_one_that_waits() -> None:
    channel = Channel()
    for state in "abcde":
        channel.queue.want("trick", state)
    await channel.queue.idle()
    assert channel.written == [("trick", "e")]


async def test_messages_keep_their_order() -> None:
    channel = Channel()
    for key in ("trick 1", "trick 2", "score"):
        channel.queue.want(key, "new")
    channel.queue.want("trick 2", "newer")
    await channel.queue.idle()
    assert channel.written == [("trick 1", "new"), ("trick 2", "newer"), ("score", "new")]


async def test_a_state_that_is_shown_is_not_written_again() -> None:
    channel = Channel()
    for _ in range(2):
        channel.queue.want("trick", "a")
        await channel.queue.idle()
    assert channel.written == [("trick", "a")]


async def test_a_click_takes_along_what_its_message_should_look_like() -> None:
    channel = Channel()
    async with channel.queue.carrying_click("trick", channel.answer):
        channel.queue.want("trick", "b")
    await channel.queue.idle()
    assert channel.written == [("*", "b")]


async def test_a_click_that_changed_nothing_is_answered_with_nothing() -> None:
    channel = Channel()
    channel.queue.want("trick", "a")
    await channel.queue.idle()
    async with channel.queue.carrying_click("trick", channel.answer):
        channel.queue.want("trick", "a")
    await channel.queue.idle()
    assert channel.written == [("trick", "a"), ("*", NOTHING)]


async def test_a_click_waits_for_what_is_on_its_way_and_comes_last() -> None:
    channel = Channel()
    channel.queue.want("trick", "a")
    await asyncio.sleep(0)
    async with channel.queue.carrying_click("trick", channel.answer):
        channel.queue.want("trick", "b")
    assert channel.written == [("trick", "a"), ("*", "b")]


async def test_two_clicks_at_once_are_answered_one_after_the_other() -> None:
    channel = Channel()

    async def click(state: str) -> None:
        async with channel.queue.carrying_click("lobby", channel.answer):
            channel.queue.want("lobby", state)

    await asyncio.gather(click("a"), click("b"))
    await channel.queue.idle()
    assert channel.written == [("*", "a"), ("*", "b")]


async def test_a_click_takes_its_state_along_even_where_what_it_asked_for_is_refused() -> None:
    channel = Channel()
    with suppress(Refused):
        async with channel.queue.carrying_click("trick", channel.answer):
            channel.queue.want("trick", "as it is now")
            raise Refused
    assert channel.written == [("*", "as it is now")]


async def test_what_a_click_could_not_take_along_is_written_all_the_same() -> None:
    channel = Channel()

    async def too_late(message: str | None) -> str | None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        async with channel.queue.carrying_click("trick", too_late):
            channel.queue.want("trick", "b")
    await channel.queue.idle()
    assert channel.written == [("trick", "b")]


async def test_what_a_click_shows_in_its_place_is_followed_by_what_was_wanted() -> None:
    channel = Channel()

    async def moving(message: str | None) -> str | None:
        await channel.answer("moving")
        return "moving"

    async with channel.queue.carrying_click("hand", moving):
        channel.queue.want("hand", "your turn")
    await channel.queue.idle()
    assert channel.written == [("*", "moving"), ("hand", "your turn")]


async def test_who_waits_for_the_queue_waits_for_the_clicks_too() -> None:
    channel = Channel()
    async with channel.queue.carrying_click("hand", channel.answer):
        idle = asyncio.create_task(channel.queue.idle())
        channel.queue.want("trick", "over")
        for _ in range(9):
            await asyncio.sleep(0)
        assert not idle.done()
        assert not channel.written
    await idle
    assert channel.written == [("*", NOTHING), ("trick", "over")]


async def test_where_calls_are_scarce_new_messages_go_first_and_others_in_their_newest_state() -> None:
    channel = Channel(calls=1)
    channel.budget.spend()
    for state in "ab":
        channel.queue.want("trick 1", state)
        await asyncio.sleep(0)
    channel.queue.want("new trick", "opened")
    await asyncio.sleep(0)
    assert not channel.written
    await asyncio.sleep(2.2)
    assert channel.written == [("new trick", "opened"), ("trick 1", "b")]


class Scarce:
    """Two destinations that share one call a second, of which the first is made; `order` is what came out."""

    def __init__(self) -> None:
        self.order: list[tuple[str, str, str]] = []
        self.budget = Budget(1)
        self.budget.spend()
        self.first, self.second = self.destination("first"), self.destination("second")

    def destination(self, name: str) -> MessageQueue[str]:
        async def show(key: str, message: str) -> None:
            self.order.append((name, key, message))

        return MessageQueue(name, show, self.urgency, self.budget)

    @staticmethod
    def urgency(key: str) -> Urgency:
        return Urgency.NEW if key == "new" else Urgency.EDIT


async def test_of_several_destinations_whoever_has_waited_longest_goes_first() -> None:
    calls = Scarce()
    calls.first.want("trick", "a")
    calls.second.want("trick", "a")
    await asyncio.sleep(0.01)
    calls.first.want("trick", "b")
    await asyncio.sleep(2.2)
    assert calls.order == [("first", "trick", "b"), ("second", "trick", "a")]


async def test_a_new_message_that_can_wait_does_not_hurry_the_edit_before_it() -> None:
    calls = Scarce()
    calls.first.want("trick", "complete")
    calls.first.want("new", "nobody has led", patience=60)
    await asyncio.sleep(0.01)
    calls.second.want("new", "a hand")
    await asyncio.sleep(2.2)
    assert calls.order == [("second", "new", "a hand"), ("first", "trick", "complete")]


async def test_what_is_urgent_since_longer_goes_first_whoever_lined_up_before() -> None:
    calls = Scarce()
    calls.first.want("trick", "complete")
    await asyncio.sleep(0.01)
    calls.second.want("new", "opened")
    await asyncio.sleep(0.01)
    calls.first.want("new", "opened")
    await asyncio.sleep(2.2)
    assert calls.order == [("second", "new", "opened"), ("first", "new", "opened")]


async def test_a_message_is_written_again_only_after_a_while_and_then_in_its_newest_state() -> None:
    channel = Channel(spacing=0.05)
    for state in "abc":
        channel.queue.want("trick", state)
        for _ in range(9):
            await asyncio.sleep(0)
    channel.queue.want("score", "new")  # other messages need not wait for it
    await channel.queue.idle()
    assert channel.written == [("trick", "a"), ("score", "new")]
    await asyncio.sleep(0.1)
    assert channel.written[2:] == [("trick", "c")]


async def test_discord_may_be_away_for_days(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "LONGEST_WAIT", 0.0)
    tries = 0

    async def write(key: str, message: str) -> None:
        nonlocal tries
        tries += 1
        if tries < 1030:
            raise TimeoutError

    writer = MessageQueue("a channel", write, lambda key: None, Budget())
    writer.want("trick", "new")
    async with asyncio.timeout(20):
        assert await writer.empty(str, 0.0)
    assert tries == 1030


async def test_what_has_ended_is_told_in_words_where_no_picture_comes() -> None:
    """Otherwise ended games pile up for as long as pictures can't keep up."""
    written = []
    never: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def write(key: str, message: str) -> None:
        if message.startswith("a picture"):
            raise NotDrawnYet(never)
        written.append((key, message))

    budget = Budget()
    writer = MessageQueue("a channel", write, lambda key: Urgency.EDIT, budget)
    writer.want("board", "a picture of the last trick")
    until = budget.clock() + 60.0
    assert await writer.empty(lambda message: message.replace("a picture", "words"), until)
    assert budget.clock() >= until
    assert written == [("board", "words of the last trick")]


async def test_whoever_waits_until_a_queue_is_empty_learns_at_once_that_it_is_closed() -> None:
    never: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def write(key: str, message: str) -> None:
        raise NotDrawnYet(never)

    budget = Budget()
    writer = MessageQueue("a channel", write, lambda key: Urgency.EDIT, budget)
    writer.want("board", "a picture")
    waiting = asyncio.create_task(writer.empty(str, budget.clock() + 60.0))
    await writer.idle()
    began = budget.clock()
    writer.close()
    assert not await waiting
    assert budget.clock() < began + 1.0


async def test_who_hurries_waits_no_longer() -> None:
    channel = Channel(spacing=60)
    for state in "ab":
        channel.queue.want("trick", state)
        await channel.queue.idle()
    channel.queue.want("next trick", "nobody has led", patience=60)
    channel.queue.hurry()
    await channel.queue.idle()
    assert channel.written == [("trick", "a"), ("trick", "b"), ("next trick", "nobody has led")]


async def test_a_moment_is_shown_to_its_end_before_the_queue_is_done() -> None:
    channel = Channel(spacing=60)
    loop = asyncio.get_running_loop()
    channel.queue.want("trick", "going on")
    await channel.queue.idle()
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


async def test_what_can_wait_is_written_only_when_nothing_newer_comes() -> None:
    channel = Channel()
    channel.queue.want("trick", "nobody has led", patience=60)
    channel.queue.want("notice", "somebody is back")
    await channel.queue.idle()
    assert channel.written == [("notice", "somebody is back")]
    channel.queue.want("trick", "somebody has led")
    await channel.queue.idle()
    assert channel.written[1:] == [("trick", "somebody has led")]


async def test_what_can_wait_comes_in_the_end() -> None:
    channel = Channel()
    for _ in range(2):
        channel.queue.want("trick", "nobody has led", patience=0.02)
        await asyncio.sleep(0)
        assert channel.written == []
    await asyncio.sleep(0.1)
    assert channel.written == [("trick", "nobody has led")]


async def test_what_could_wait_does_not_come_when_it_is_amended() -> None:
    channel = Channel()
    channel.queue.want("trick", "nobody has led", patience=0.01)
    channel.queue.amend("trick", "stopped")
    await asyncio.sleep(0.03)
    assert channel.written == []
    assert not channel.queue.waiting


async def test_what_is_on_its_way_looks_as_it_was_amended() -> None:
    channel = Channel()
    channel.queue.want("trick", "your turn")
    channel.queue.amend("trick", "stopped")
    channel.queue.amend("another", "stopped")
    await channel.queue.idle()
    assert channel.written == [("trick", "stopped")]


async def test_who_waits_for_the_queue_waits_for_its_turn_of_the_budget_too() -> None:
    channel = Channel(calls=1)
    channel.budget.spend()
    channel.queue.want("trick", "a")
    await channel.queue.idle()
    assert channel.written == [("trick", "a")]


async def test_who_waits_for_a_queue_that_is_closed_waits_no_longer() -> None:
    channel = Channel(calls=1)
    channel.budget.spend()
    channel.queue.want("trick", "a")
    idle = asyncio.create_task(channel.queue.idle())
    await asyncio.sleep(0)
    channel.queue.close()
    async with asyncio.timeout(1):
        await idle


async def test_a_call_that_a_click_has_made_needless_is_not_kept_for_later() -> None:
    channel = Channel(calls=1)
    channel.budget.spend()
    channel.queue.want("trick", "a")
    await asyncio.sleep(0)
    async with channel.queue.carrying_click("trick", channel.answer):
        await asyncio.sleep(1.1)  # meanwhile its turn comes
    await asyncio.sleep(1.1)
    assert channel.budget.take() is not None
    channel.queue.want("trick", "b")
    await asyncio.sleep(0.1)
    assert channel.written == [("*", "a")]


async def test_a_call_counts_when_it_is_made() -> None:
    budget, made = Budget(1), []
    ready = asyncio.Event()

    async def show(key: str, message: str) -> None:
        made.append(message)

    async def wait(key: str, message: str) -> None:
        if made == []:
            await ready.wait()

    queue = MessageQueue("slow to be ready", show, lambda key: Urgency.EDIT, budget, ready=wait)
    budget.spend()
    ready.set()
    queue.want("trick", "a")
    await asyncio.sleep(0)
    ready.clear()
    await asyncio.sleep(2.2)  # its turn came a second ago
    assert budget.take() is not None
    ready.set()
    await asyncio.sleep(0.1)
    assert made == []
    await queue.idle()
    assert made == ["a"]


async def test_of_many_messages_one_begins_at_a_time_so_that_clicks_come_between() -> None:
    budget, begun = Budget(), []

    async def show(key: str, message: str) -> None:
        begun.append(message)

    queues = [MessageQueue("one of many", show, lambda key: None, budget) for _ in range(100)]
    for number, one in enumerate(queues):
        one.want("hand", str(number))
    rounds = 20
    for _ in range(rounds):
        await asyncio.sleep(0)
    assert 1 < len(begun) <= rounds
    await asyncio.gather(*(one.idle() for one in queues))
    assert begun == [str(number) for number in range(100)]


async def test_of_many_messages_new_ones_begin_first_and_free_ones_last() -> None:
    budget, begun = Budget(), []
    urgencies = {"free": None, "edit": Urgency.EDIT, "new": Urgency.NEW}

    async def write(key: str, message: str) -> None:
        begun.append(key)

    for message in range(3):
        for key, urgency in urgencies.items():
            writer = MessageQueue("a channel", write, lambda key, urgency=urgency: urgency, budget)
            writer.want(key, str(message))
    for _ in range(30):
        await asyncio.sleep(0)
    assert begun == ["free", *["new"] * 3, *["edit"] * 3, *["free"] * 2]  # nobody waited when the first began


async def test_who_is_refused_one_thing_asks_for_nothing_else_until_it_is_wanted_again() -> None:
    channel = Forbidden()
    for key in ("trick 1", "trick 2", "score"):
        channel.queue.want(key, "a")
    await channel.queue.idle()
    assert channel.written == [("trick 1", "a")]
    channel.is_open = True
    channel.queue.want("score", "b")
    await channel.queue.idle()
    assert channel.written[1:] == [("score", "b")]


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


async def test_a_message_that_is_gone_is_deleted_and_one_that_stays_says_why() -> None:
    async def fail(error: Exception) -> None:
        raise error

    assert await queue.why_it_stays("a post", asyncio.sleep(0)) is None
    assert await queue.why_it_stays("a post", fail(refused(404, 10008))) is None
    assert await queue.why_it_stays("a post", fail(refused(403, 50013))) is Fault.FORBIDDEN
    with pytest.raises(discord.HTTPException):
        await queue.why_it_stays("a post", fail(refused(503, 0)))


async def test_a_message_whose_picture_is_missing_shows_what_it_showed() -> None:
    """So nothing is written if it is to show that again."""
    tried = []

    async def write(key: str, message: str) -> None:
        tried.append(message)
        if message == "a picture":
            raise NotDrawnYet(asyncio.get_running_loop().create_future())

    writer = MessageQueue("a channel", write, lambda key: Urgency.EDIT, Budget())
    for message in ("words", "a picture"):
        writer.want("trick", message)
        await writer.idle()
    assert writer.states.shown("trick") == "words"
    writer.want("trick", "words")
    await writer.idle()
    assert tried == ["words", "a picture"]


async def test_a_change_that_is_taken_back_takes_no_call() -> None:
    channel = Channel(calls=1)
    channel.queue.want("score", "1")
    await channel.queue.idle()
    await asyncio.sleep(1.1)
    for score in "21":
        channel.queue.want("score", score)
    await channel.queue.idle()
    assert channel.written == [("score", "1")]
    assert not channel.budget.is_tight


async def test_after_a_success_the_next_failure_waits_shortly_again(caplog: pytest.LogCaptureFixture) -> None:
    tries: list[float] = []

    async def write(key: str, message: str) -> None:
        tries.append(asyncio.get_running_loop().time())
        if len(tries) != 3:
            raise TimeoutError

    writer = MessageQueue("a channel", write, lambda key: Urgency.EDIT, Budget())
    for message in "ab":
        writer.want("trick", message)
        await asyncio.sleep(2 + 4 + 1 if message == "a" else 2.5)
    assert [later - earlier for earlier, later in pairwise(tries)] == pytest.approx([2, 4, 1, 2], abs=0.2)
    caplog.clear()
    writer.close()


async def test_once_discord_is_back_the_next_failure_waits_shortly(caplog: pytest.LogCaptureFixture) -> None:
    tries: list[float] = []

    async def write(key: str, message: str) -> None:
        tries.append(asyncio.get_running_loop().time())
        raise TooFast(0.0) if len(tries) > 4 else TimeoutError

    writer = MessageQueue("a channel", write, lambda key: Urgency.EDIT, Budget())
    writer.want("trick", "a")
    await asyncio.sleep(2 + 4 + 8 + 1)
    assert len(tries) == 4
    assert len(caplog.get_records("call")) == 4
    writer.retry()
    await asyncio.sleep(2.5)
    at_once, again = tries[4:]
    assert again - at_once == pytest.approx(2, abs=0.2)
    assert len(caplog.get_records("call")) == 4  # whoever raised TooFast has logged it
    caplog.clear()
    writer.close()
