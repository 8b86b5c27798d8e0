"""What the bot does every few minutes or hours: whatever goes wrong once, the next time it is done again."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import nullcontext

import discord
import pytest
from outside import edit, locked
from people import Player, play_on
from server import Server

from engine.tables import DailyDeals, Table

pytestmark = pytest.mark.slow

Log = pytest.LogCaptureFixture
HOUR, DAY = 60 * 60.0, 24 * 60 * 60.0


@pytest.fixture(autouse=True)
def expected_in_the_log(monkeypatch: pytest.MonkeyPatch, server: Server, caplog: Log) -> Iterator[None]:
    """Errors are logged here, as they should be; and nobody wants to wait a second for each lock."""
    monkeypatch.setattr("engine.storage.file.LOCK_WAIT", 0.02)
    caplog.set_level(logging.INFO)
    yield
    caplog.get_records("call").clear()


def logged(caplog: Log, level: int) -> list[str]:
    """What the bot has logged at this level."""
    ours = [one for one in caplog.records if one.name.startswith("bot.") and one.levelno == level]
    return [one.getMessage() for one in ours]


async def test_the_hourly_tidying_goes_on_after_an_unexpected_error_and_a_lock(
    server: Server, ann: Player, caplog: Log
) -> None:
    edit(server.path, "ALTER TABLE handed_in RENAME TO elsewhere")
    await server.env.advance_time(HOUR + 1)
    assert logged(caplog, logging.ERROR) == ["the hourly tidying failed and will be retried"]
    edit(server.path, "ALTER TABLE elsewhere RENAME TO handed_in")
    for is_locked in (False, True):
        edit(server.path, f"INSERT INTO handed_in VALUES (1, {ann.id}, 0.0, '[]', x'')")
        with locked(server.path) if is_locked else nullcontext():
            await server.env.advance_time(HOUR)
        told = "the hourly tidying has to wait: cannot_save"
        assert (told in logged(caplog, logging.WARNING)) == is_locked
    assert edit(server.path, "SELECT id FROM handed_in") == [(1,)]
    await server.env.advance_time(HOUR)
    assert edit(server.path, "SELECT id FROM handed_in") == []
    assert len(logged(caplog, logging.ERROR)) == 1


async def test_players_who_left_are_found_and_days_begin_after_an_unexpected_error(
    server: Server, ann: Player, bo: Player, monkeypatch: pytest.MonkeyPatch, caplog: Log
) -> None:
    await server.deal_and_pass(ann, bo, pace="none")
    await play_on([ann], lambda: bool(bo.playable))
    days = edit(server.path, "SELECT COUNT(*) FROM days")
    with monkeypatch.context() as patch:
        patch.setattr(Table, "stage", property(lambda table: 1 // 0))
        patch.setattr(DailyDeals, "today", property(lambda deals: 1 // 0))
        await server.env.advance_time(11 * 60)
    failed = {
        f"{one} failed and will be retried" for one in ("looking for players who have left", "the daily deal")
    }
    assert set(logged(caplog, logging.ERROR)) == failed
    server.guild.remove_member(bo.member)
    await server.env.advance_time(21 * 60)
    assert server.shows("Bo has left the server: a computer plays on")
    await server.env.advance_time(DAY)
    assert edit(server.path, "SELECT COUNT(*) FROM days") > days


async def test_work_in_the_background_that_fails_is_logged_with_its_table(
    server: Server, ann: Player, bo: Player, monkeypatch: pytest.MonkeyPatch, caplog: Log
) -> None:
    """What could not be saved is only a warning."""

    async def broken(guild: discord.Guild, person: int) -> None:
        raise ValueError("a fault of the library")

    await server.deal_and_pass(ann, bo, pace="live")
    [table] = server.stored()["tables"]
    told = f"table {table['id']}: dealing with what Discord refused failed"
    monkeypatch.setattr(discord.Guild, "fetch_member", broken)
    await server.env.advance_time(31)
    assert logged(caplog, logging.ERROR) == [told]
    assert server.shows("the table is waiting for you")
    await server.to_play.play()  # and the game goes on
    with locked(server.path):
        server.env.backend.delete_channel(server.channel.id)
        await server.settle()
    assert f"{told}: cannot_save" in logged(caplog, logging.WARNING)
    assert not [one for one in logged(caplog, logging.INFO) if "was not needed" in one]
