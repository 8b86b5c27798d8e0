"""A lane of paints: the newest state, in order, after the answers to clicks."""

import asyncio

import pytest

from bot import lanes
from bot.lanes import Lane


class Wall:
    """Where a lane paints, as slowly as Discord."""

    def __init__(self, *, spacing: float = 0.0) -> None:
        self.painted: list[tuple[str, str]] = []
        self.lane = Lane("a wall", self.paint, spacing=spacing)

    async def paint(self, key: str, message: str) -> None:
        for _ in range(3):
            await asyncio.sleep(0)
        self.painted.append((key, message))


async def test_a_newer_state_replaces_the_one_that_waits() -> None:
    wall = Wall()
    for state in "abcde":
        wall.lane.want("trick", state)
    await wall.lane.idle()
    assert wall.painted == [("trick", "e")]


async def test_messages_keep_their_order() -> None:
    wall = Wall()
    for key in ("trick 1", "trick 2", "score"):
        wall.lane.want(key, "new")
    wall.lane.want("trick 2", "newer")
    await wall.lane.idle()
    assert wall.painted == [("trick 1", "new"), ("trick 2", "newer"), ("score", "new")]


async def test_a_state_that_is_shown_is_not_painted_again() -> None:
    wall = Wall()
    for _ in range(2):
        wall.lane.want("trick", "a")
        await wall.lane.idle()
    with wall.lane.answering():
        wall.lane.want("trick", "b")
        wall.lane.painted("trick", "b")
    await wall.lane.idle()
    assert wall.painted == [("trick", "a")]


async def test_of_two_answers_at_once_nobody_knows_which_came_last() -> None:
    wall = Wall()
    with wall.lane.answering(), wall.lane.answering():
        wall.lane.want("trick", "b")
        wall.lane.painted("trick", "b")
    await wall.lane.idle()
    assert wall.painted == [("trick", "b")]


async def test_who_waits_for_the_lane_waits_for_the_answers_too() -> None:
    wall = Wall()
    with wall.lane.answering():
        idle = asyncio.create_task(wall.lane.idle())
        wall.lane.want("trick", "over")
        for _ in range(9):
            await asyncio.sleep(0)
        assert not idle.done()
        assert not wall.painted
    await idle
    assert wall.painted == [("trick", "over")]


async def test_a_message_is_painted_again_only_after_a_while_and_then_in_its_newest_state() -> None:
    wall = Wall(spacing=0.05)
    for state in "abc":
        wall.lane.want("trick", state)
        for _ in range(9):
            await asyncio.sleep(0)
    wall.lane.want("score", "new")  # other messages need not wait for it
    await wall.lane.idle()
    assert wall.painted == [("trick", "a"), ("score", "new")]
    await asyncio.sleep(0.1)
    assert wall.painted[2:] == [("trick", "c")]


async def test_discord_may_be_away_for_days(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "LONGEST_WAIT", 0.0)
    tries = 0

    async def paint(key: str, message: str) -> None:
        nonlocal tries
        tries += 1
        if tries < 1030:
            raise TimeoutError

    lane = Lane("a wall", paint)
    lane.want("trick", "new")
    async with asyncio.timeout(20):
        assert await lane.empty()
    assert tries == 1030


async def test_the_last_of_overlapping_answers_is_painted_once_more() -> None:
    wall = Wall()
    with wall.lane.answering():
        with wall.lane.answering():
            wall.lane.want("lobby", "b")
            wall.lane.painted("lobby", "a")
        wall.lane.painted("lobby", "b")
    await wall.lane.idle()
    assert wall.painted == [("lobby", "b")]


async def test_who_hurries_waits_no_longer() -> None:
    wall = Wall(spacing=60)
    for state in "ab":
        wall.lane.want("trick", state)
        await wall.lane.idle()
    wall.lane.want("next trick", "nobody has led", patience=60)
    wall.lane.hurry()
    await wall.lane.idle()
    assert wall.painted == [("trick", "a"), ("trick", "b"), ("next trick", "nobody has led")]


async def test_what_can_wait_is_painted_only_when_nothing_newer_comes() -> None:
    wall = Wall()
    wall.lane.want("trick", "nobody has led", patience=60)
    wall.lane.want("notice", "somebody is back")
    await wall.lane.idle()
    assert wall.painted == [("notice", "somebody is back")]
    wall.lane.want("trick", "somebody has led")
    await wall.lane.idle()
    assert wall.painted[1:] == [("trick", "somebody has led")]


async def test_what_can_wait_comes_in_the_end() -> None:
    wall = Wall()
    for _ in range(2):
        wall.lane.want("trick", "nobody has led", patience=0.02)
        await asyncio.sleep(0)
        assert wall.painted == []
    await asyncio.sleep(0.1)
    assert wall.painted == [("trick", "nobody has led")]


async def test_what_could_wait_does_not_come_when_it_is_replaced() -> None:
    wall = Wall()
    wall.lane.want("trick", "nobody has led", patience=0.01)
    wall.lane.replace("trick", "stopped")
    await asyncio.sleep(0.03)
    assert wall.painted == []
    assert not wall.lane.waiting


async def test_what_is_on_its_way_looks_as_it_was_replaced() -> None:
    wall = Wall()
    wall.lane.want("trick", "your turn")
    wall.lane.replace("trick", "stopped")
    wall.lane.replace("another", "stopped")
    await wall.lane.idle()
    assert wall.painted == [("trick", "stopped")]
