"""A database that is locked, full or damaged, an unreadable table, and work in the background that fails.

Whatever goes wrong once, the next time it is done again.
"""

import logging
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from typing import Any

import discord
import pytest
from at_once import deals_played
from outside import locked
from people import Player, play_on
from server import Server

from bot.delivery import Reply
from engine.tables import DailyDeals, Table

pytestmark = pytest.mark.slow

Log = pytest.LogCaptureFixture
HOUR, DAY = 60 * 60.0, 24 * 60 * 60.0

UNSAVED = "I can't save anything right now, so nothing was changed. Wait a little and try again."
WAIT = "I can't save anything right now, so the game waits."
DAMAGED = "This table can't go on"


@pytest.fixture(autouse=True)
def expected_in_the_log(monkeypatch: pytest.MonkeyPatch, server: Server, caplog: Log) -> Iterator[None]:
    """What fails here is logged, and nothing else as an error; nobody waits a second for each lock."""
    monkeypatch.setattr("engine.storage.file.LOCK_WAIT", 0.02)
    yield
    records = caplog.get_records("call")
    errors = [record for record in records if record.levelno >= logging.ERROR]
    storage = {"engine.storage.database", "engine.tables.keeper", "engine.tables.store"}
    assert {record.name for record in errors} <= storage | {"bot.delivery.queue", "bot.discord.background"}
    assert not any(record.exc_info for record in errors if record.name == "engine.tables.store")
    records.clear()


async def test_a_play_that_cannot_be_saved_changes_nothing_and_the_game_goes_on_afterwards(
    server: Server, ann: Player, bo: Player, caplog: Log
) -> None:
    await server.deal_and_pass(ann, bo, ends_at=1)
    player = server.to_play
    before, hand = server.stored(), player.hand
    card = hand.playable[0]
    with locked(server.path):
        for seconds, told in ((0, 1), (0, 1), (30, 1), (31, 2)):  # the channel once a minute
            await server.env.advance_time(seconds)
            assert (await player.click(card, hand)).told == UNSAVED
            assert sum(WAIT in post.text for post in server.posts()) == told
    assert server.stored() == before
    assert player.hand.buttons == hand.buttons
    assert "another program has locked it" in caplog.text
    await server.restart()
    assert player.hand.buttons == hand.buttons
    await player.click(card, player.hand)
    assert card not in player.hand.buttons
    await deals_played([ann, bo], lambda: server.shows("🏆"))
    assert len(server.stored()["results"]) == 2


async def test_commands_and_lobby_buttons_say_it_too(server: Server, ann: Player, bo: Player) -> None:
    with locked(server.path):
        answer = await ann.run("hearts new")
        assert (answer.told, answer.public) == (UNSAVED, [])
    await ann.run("hearts new", starts="in 30 minutes")
    with locked(server.path):
        assert (await bo.click("Join")).told == UNSAVED
        assert (await ann.run("hearts leave")).told == UNSAVED
        assert await ann.save_rules("quick") == UNSAVED
    await bo.click("Join")
    assert server.post("Seats").says("Seats (2 of 4) 1. Ann")
    await server.env.advance_time(22 * 60)
    with locked(server.path):
        [page] = (await ann.click("Rules", server.post("Seats"))).private
        assert page.says("Lowest total wins")
        assert (await bo.click("I'm here")).told == UNSAVED
    await bo.click("I'm here")
    await server.env.advance_time(9 * 60)
    assert [row["person"] for row in server.stored()["seats"] if row["away"]] == [ann.id]


async def test_a_table_in_a_thread_is_open_even_if_what_comes_after_it_cant_be_saved(
    server: Server, ann: Player, bo: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit, lock = Reply.edit, ExitStack()

    async def edit_and_lock(*given: Any, **named: Any) -> None:
        await edit(*given, **named)
        lock.enter_context(locked(server.path))

    with monkeypatch.context() as patch, lock:
        patch.setattr(Reply, "edit", edit_and_lock)
        [line] = (await ann.run("hearts new", thread=True)).public
        assert ann.dm.says("You have a seat")
    await bo.click("Join", line)
    assert bo.dm.says("You have a seat")
    await server.restart()
    assert server.rows("SELECT table_id FROM threads") == [(1,)]


async def test_deleting_everything_goes_on_by_itself(server: Server, ann: Player, bo: Player) -> None:
    await server.deal(ann, bo)
    server.change_file("CREATE TRIGGER refuse BEFORE DELETE ON people BEGIN SELECT RAISE(FAIL, ''); END")
    await ann.click("Delete it all", await ann.ask_to_delete())
    assert any(one.says("Not everything is deleted yet") for one in ann.sees())
    server.change_file("DROP TRIGGER refuse")
    await server.env.advance_time(61)
    assert ann.id not in [row["person"] for row in server.stored()["seats"]]


async def test_a_full_disk(server: Server, ann: Player, bo: Player, caplog: Log) -> None:
    await server.deal_and_pass(ann, bo)
    await server.databases[-1].read("PRAGMA max_page_count = 1")  # which means: no more than there are
    before = {}

    def is_full() -> bool:
        nonlocal before
        if "the disk is full" in caplog.text:
            return True
        before = server.stored()
        return False

    await play_on([ann, bo], is_full)
    assert server.stored() == before
    assert any(UNSAVED in dm.text for dm in [*ann.dms(), *bo.dms()])
    await server.databases[-1].read("PRAGMA max_page_count = 1000000")
    await play_on([ann, bo], lambda: len(server.stored()["moves"]) > len(before["moves"]) + 4)


async def test_a_file_is_damaged_meanwhile(server: Server, ann: Player, bo: Player, caplog: Log) -> None:
    await server.deal_and_pass(ann, bo)
    await server.databases[-1].read("PRAGMA wal_checkpoint(TRUNCATE)")
    await server.databases[-1].read("PRAGMA cache_size = 0")
    content = bytearray(server.path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    server.path.write_bytes(content)
    answer = await server.to_play.play()
    assert answer.told == UNSAVED
    assert "it is damaged" in caplog.text
    told = (await ann.run("hearts stats")).told
    assert told == "I can't read what is stored right now. Wait a little and try again."


# A table that can't be read


async def test_only_that_table_is_lost(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await server.deal_and_pass(ann, bo)
    player = server.to_play
    old = player.hand
    cy.at = server.add_channel("another")
    await cy.run("hearts new")
    server.change_file("UPDATE moves SET move = 'QS' WHERE table_id = 1 AND number = 3")
    await server.restart()
    assert server.post(DAMAGED).says("it in my log as table 1")
    await server.restart()
    await server.stop_and_start()
    assert sum(DAMAGED in post.text for post in server.posts()) == 1
    assert not any(DAMAGED in post.text for post in server.posts(cy.at))
    await cy.click("Start")
    assert cy.hand.text
    assert (await player.click(player.playable[0], old)).told
    await server.deal_and_pass(ann, bo)
    assert [table["id"] for table in server.stored()["tables"]] == [1, 2, 3]


# Work in the background: every few minutes or hours, or after something that Discord refuses


def logged(caplog: Log, level: int) -> list[str]:
    """What the bot has logged at this level."""
    ours = [one for one in caplog.records if one.name.startswith("bot.") and one.levelno == level]
    return [one.getMessage() for one in ours]


async def test_the_hourly_tidying_goes_on_after_an_unexpected_error_and_a_lock(
    server: Server, ann: Player, caplog: Log
) -> None:
    server.change_file("ALTER TABLE handed_in RENAME TO elsewhere")
    await server.env.advance_time(HOUR + 1)
    assert logged(caplog, logging.ERROR) == ["the hourly tidying failed and will be retried"]
    server.change_file("ALTER TABLE elsewhere RENAME TO handed_in")
    for is_locked in (False, True):
        server.change_file(f"INSERT INTO handed_in VALUES (1, {ann.id}, 0.0, '[]', x'')")
        with locked(server.path) if is_locked else nullcontext():
            await server.env.advance_time(HOUR)
        told = "the hourly tidying has to wait: cannot_save"
        assert (told in logged(caplog, logging.WARNING)) == is_locked
    assert server.rows("SELECT id FROM handed_in") == [(1,)]
    await server.env.advance_time(HOUR)
    assert server.rows("SELECT id FROM handed_in") == []
    assert len(logged(caplog, logging.ERROR)) == 1


async def test_players_who_left_are_found_and_days_begin_after_an_unexpected_error(
    server: Server, ann: Player, bo: Player, monkeypatch: pytest.MonkeyPatch, caplog: Log
) -> None:
    await server.deal_and_pass(ann, bo, pace="none")
    await play_on([ann], lambda: bool(bo.playable))
    days = server.rows("SELECT COUNT(*) FROM days")
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
    assert server.rows("SELECT COUNT(*) FROM days") > days


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
