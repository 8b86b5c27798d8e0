"""Asks are answered in processes that come when needed, come again when lost, and go at the end."""

import asyncio
import math
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import pytest

from engine.thinking import Failed, Lost, pool
from engine.thinking.pool import Pool

pytestmark = pytest.mark.slow

LONG = 60.0  # seconds


@pytest.fixture
async def thinkers() -> AsyncIterator[Pool]:
    with closing(Pool(os.getpid, workers=1)) as thinkers:
        yield thinkers


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    """A pipe: whoever reads it is busy until somebody has written it."""
    letter = tmp_path / "letter"
    os.mkfifo(letter)
    return letter


async def gone(pid: int) -> None:
    """Wait until this process has ended."""
    async with asyncio.timeout(LONG):
        while Path(f"/proc/{pid}").exists():  # noqa: ASYNC110, ASYNC240
            await asyncio.sleep(0.001)


async def test_no_process_begins_before_it_is_needed_and_then_each_ask_gets_its_answer(
    thinkers: Pool,
) -> None:
    assert thinkers.pids == []
    thinkers.prepare()
    async with asyncio.timeout(LONG):
        while not thinkers.pids:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    assert [await thinkers.ask(os.getpid, seconds=LONG)] == thinkers.pids
    asks = [thinkers.ask(math.sqrt, float(n * n), seconds=LONG) for n in range(20)]
    assert await asyncio.gather(*asks) == list(range(20))
    with pytest.raises(Failed, match="math domain error"):
        await thinkers.ask(math.sqrt, -1.0, seconds=LONG)
    assert thinkers.crowd == 0


async def test_what_nobody_awaits_any_more_counts_while_a_process_works_on_it(
    thinkers: Pool, letter: Path
) -> None:
    """What a move may cost follows from the crowd: it must not look empty while all processes are busy."""
    await thinkers.ask(os.getpid, seconds=LONG)
    assert thinkers.crowd == 0
    in_hand = asyncio.create_task(thinkers.ask(Path.read_text, letter, seconds=1.0))
    with await asyncio.to_thread(letter.open, "w"):  # by then the process has begun to read it
        with pytest.raises(Lost):
            await in_hand
        assert thinkers.crowd == 1
        with pytest.raises(Lost):  # never begun, and never will be
            await thinkers.ask(os.getpid, seconds=0.01)
        assert thinkers.crowd == 1
    await thinkers.ask(os.getpid, seconds=LONG)
    assert thinkers.crowd == 0


async def test_another_process_begins_while_the_first_works_on_what_nobody_awaits_but_no_third(
    letter: Path,
) -> None:
    with closing(Pool(os.getpid, workers=2)) as both:
        await both.ask(os.getpid, seconds=LONG)
        in_hand = asyncio.create_task(both.ask(Path.read_text, letter, seconds=LONG))
        with await asyncio.to_thread(letter.open, "w"):
            in_hand.cancel()
            with pytest.raises(asyncio.CancelledError):
                await in_hand
            assert await both.ask(os.getpid, seconds=LONG) in both.pids
            assert len(both.pids) == 2
        await asyncio.gather(*[both.ask(time.sleep, 0.1, seconds=LONG) for _ in range(4)])
        assert len(both.pids) == 2


async def test_a_process_that_is_killed_fails_one_ask_alone(thinkers: Pool) -> None:
    await thinkers.ask(os.getpid, seconds=LONG)
    [first] = thinkers.pids
    in_hand = asyncio.create_task(thinkers.ask(time.sleep, LONG, seconds=LONG))
    behind = asyncio.create_task(thinkers.ask(os.getpid, seconds=LONG))
    await asyncio.sleep(0.05)
    os.kill(first, signal.SIGKILL)
    with pytest.raises(Lost):
        await in_hand
    assert await behind != first


async def test_who_asks_waits_no_longer_than_they_say_and_what_hangs_is_killed(
    thinkers: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "LONGEST_THOUGHT", 0.3)
    first = await answered(thinkers)
    os.kill(first, signal.SIGSTOP)
    with pytest.raises(Lost):
        await thinkers.ask(os.getpid, seconds=0.05)
    assert await answered(thinkers) != first
    await gone(first)


async def test_where_none_can_begin_nobody_waits_and_later_one_is_tried(
    thinkers: Pool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(pool, "RETRY_AFTER", 0.1)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "executable", "/bin/false")
        lost = "not in time"
        async with asyncio.timeout(LONG):
            while lost == "not in time":
                with pytest.raises(Lost) as raised:
                    await thinkers.ask(os.getpid, seconds=0.05)
                lost = str(raised.value)
        assert lost == "no process is there"
        assert "couldn't start" in caplog.text
    async with asyncio.timeout(LONG):
        await answered(thinkers)


async def answered(thinkers: Pool) -> int:
    """The process that answers in the end: one that stands still for a moment may be taken for hanging."""
    while True:
        with suppress(Lost):
            return await thinkers.ask(os.getpid, seconds=LONG)
        await asyncio.sleep(0.01)


async def test_one_that_has_compiled_makes_room_for_one_that_need_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "COMPILING_TAKES", 0.0)
    diary = tmp_path / "diary"
    with closing(Pool(partial(os.system, f"echo warm >> {diary}"), workers=1)) as thinkers:
        for _ in range(3):
            await thinkers.ask(os.getpid, seconds=LONG)
        assert diary.read_text().split() == ["warm", "warm"]


async def test_closing_ends_what_is_asked_and_leaves_no_process(thinkers: Pool) -> None:
    pid = await thinkers.ask(os.getpid, seconds=LONG)
    asks = [asyncio.create_task(thinkers.ask(time.sleep, LONG, seconds=LONG)) for _ in range(3)]
    await asyncio.sleep(0.05)
    thinkers.close()
    for ask in asks:
        with pytest.raises(Lost):
            await ask
    await gone(pid)
    with pytest.raises(Lost):
        await thinkers.ask(os.getpid, seconds=LONG)


async def test_what_can_wait_is_begun_when_nobody_waits_for_anything_else(
    thinkers: Pool, letter: Path
) -> None:
    await thinkers.ask(os.getpid, seconds=LONG)
    answered: list[str] = []
    busy = asyncio.create_task(thinkers.ask_idly(Path.read_text, letter))
    with await asyncio.to_thread(letter.open, "w"):  # by then the process has begun to read it
        assert thinkers.crowd == 0, "no move gets fewer playouts for that"
        for urgency, wait in (
            ("idle", thinkers.ask_idly(os.getpid)),
            ("soon", thinkers.ask(os.getpid, seconds=LONG)),
        ):
            task: asyncio.Task[int] = asyncio.create_task(wait)
            task.add_done_callback(lambda _, urgency=urgency: answered.append(urgency))
            await asyncio.sleep(0)
    await busy
    await thinkers.ask_idly(os.getpid)
    assert answered == ["soon", "idle"]


async def test_what_can_wait_is_lost_with_its_process_and_at_the_end(thinkers: Pool, letter: Path) -> None:
    pid = await thinkers.ask_idly(os.getpid)
    for end in (lambda: os.kill(pid, signal.SIGKILL), thinkers.close):
        waiting = asyncio.create_task(thinkers.ask_idly(Path.read_text, letter))
        with await asyncio.to_thread(letter.open, "w"):
            end()
            with pytest.raises(Lost):
                await waiting
    with pytest.raises(Lost):
        await thinkers.ask_idly(os.getpid)
    none = Pool(os.getpid, workers=0)
    with pytest.raises(Lost):
        await none.ask_idly(os.getpid)
