"""Nobody waits for ever: how long a table waits for what, by a clock that is handed in."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
from acting import act

from engine.errors import Refusal
from engine.players import Strength
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.tables import NoticeKind, Pace, Person, State, Table, Tables, changes
from engine.thinking import Thinking

ANN, BO = Person(1, "Ann"), Person(2, "Bo")
DAY = 24 * 60 * 60.0


class Here:
    """Ann's table in a channel, the tables that were told, and what time it is."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.now = 1000.0
        self.told: list[Table] = []
        self.thinking: Thinking | None = None
        self.tables = self.renewed()

    def renewed(self) -> Tables:
        """A service that knows of no table yet."""
        return Tables(
            self.database, self.told.append, rng=Random(3), thinking=self.thinking, clock=lambda: self.now
        )

    async def start(self, pace: Pace = Pace.NONE) -> int:
        """The id of a game between Ann, Bo and two computers."""
        table = await self.tables.open(1, 1, ANN, Ruleset.of("classic", 4), pace)
        await self.tables.join(table.id, BO)
        return (await self.tables.change(table.id, changes.start, ANN.id)).id

    async def restart(self) -> Table:
        """The table as another process takes it up."""
        await self.tables.close()
        self.tables = self.renewed()
        [table] = await self.tables.resume()
        return table

    async def let_alarms_ring(self) -> None:
        """Wait until nothing is due at any table."""
        await asyncio.sleep(0.01)
        async with asyncio.timeout(30):
            while any((one.rings_at or math.inf) <= self.now for one in self.tables.live):  # noqa: ASYNC110
                await asyncio.sleep(0.001)


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Here]:
    database = await Database.open(tmp_path / "hearts.sqlite3")
    here = Here(database)
    yield here
    await here.tables.close()
    await database.close()


@pytest.mark.parametrize("pace", Pace)
async def test_a_paused_game_is_closed_after_a_week_and_its_record_kept(here: Here, pace: Pace) -> None:
    id = await here.start(pace)
    await here.tables.change(id, changes.pause)
    here.now += 7 * DAY - 1
    # Whatever happens meanwhile, the week goes on.
    await here.tables.change(id, changes.leave_or_stay_out, BO.id)
    await here.tables.change(id, changes.change_pace, ANN.id, Pace.LIVE)
    await here.let_alarms_ring()
    game = here.tables.get(id).game
    assert game is not None
    here.now += 1
    await here.tables.join(id, BO)
    await here.let_alarms_ring()
    with pytest.raises(Refusal, match="table_gone"):
        here.tables.get(id)
    closed = here.told[-1]
    assert closed.state is State.STOPPED
    assert closed.notice is not None
    assert closed.notice.kind is NoticeKind.ABANDONED
    assert (await here.tables.games.latest(1)).game == closed.game
    assert closed.game is not None
    assert closed.game.deals == game.deals


async def test_a_paused_lobby_is_closed_after_a_week(here: Here) -> None:
    table = await here.tables.open(1, 1, ANN, Ruleset.of("classic", 4))
    await here.tables.change(table.id, changes.pause)
    here.now += 7 * DAY - 1
    await here.tables.join(table.id, BO)
    await here.let_alarms_ring()
    assert here.tables.in_channel(1) is not None
    here.now += 1
    await here.tables.change(table.id, changes.leave_or_stay_out, BO.id)
    await here.let_alarms_ring()
    assert here.tables.in_channel(1) is None
    assert here.told[-1].notice is not None
    assert here.told[-1].notice.kind is NoticeKind.ABANDONED


async def test_a_game_that_goes_on_has_the_whole_time_of_its_turn_again(here: Here) -> None:
    id = await here.start(Pace.LIVE)
    await here.tables.change(id, changes.pause)
    here.now += 6 * DAY
    table = await here.tables.change(id, changes.unpause)
    assert table.timer is not None
    assert table.timer.deadline == here.now + 60


async def test_a_week_that_passed_while_nobody_could_let_us_in_begins_anew(here: Here) -> None:
    id = await here.start()
    await here.tables.change(id, changes.pause)
    here.now += 8 * DAY
    table = await here.restart()
    assert table.timer is not None
    assert table.timer.deadline == here.now + 7 * DAY
    here.now += 6 * DAY
    again = await here.restart()
    assert again.timer == table.timer
    assert (await here.tables.change(id, changes.unpause)).timer is None


async def test_a_rematch_is_not_paused_because_the_table_before_was(here: Here) -> None:
    id = await here.start()
    await here.tables.change(id, changes.pause)
    await here.tables.change(id, changes.stop, ANN.id, may_manage=True)
    assert not (await here.tables.rematch(id, ANN)).paused


# Whoever is away keeps their say for a while


async def step_away(here: Here, id: int) -> Table:
    """Ann's time is up twice, and Bo does what he is asked to."""
    rng = Random(1)
    while not here.tables.get(id).seats[0].away:
        table = here.tables.get(id)
        while 1 in table.awaited:
            table = await act(here.tables, table, rng, 1)
        assert table.pace.seconds is not None
        here.now += table.pace.seconds + 1
        # Whatever changes sets the alarm.
        await here.tables.change(id, changes.add_notice, NoticeKind.DMS_CLOSED, BO.id)
        await here.let_alarms_ring()
    return here.tables.get(id)


def kept_for(here: Here, table: Table) -> float | None:
    """For how many seconds more Ann, who is away, has a say."""
    until = table.seats[0].kept_until
    return None if until is None else until - here.now


async def test_A4_who_is_away_stays_host_and_has_a_say_for_ten_minutes(here: Here) -> None:
    id = await here.start(Pace.LIVE)
    table = await step_away(here, id)
    assert kept_for(here, table) == 600
    assert table.host == ANN.id
    assert table.asks_all
    here.now += 600
    await here.tables.change(id, changes.add_notice, NoticeKind.DMS_CLOSED, BO.id)
    await here.let_alarms_ring()
    table = here.tables.get(id)
    assert kept_for(here, table) is None
    assert table.seats[0].has_left
    assert table.host == BO.id
    assert not table.asks_all
    assert 0 in table.free_seats
    assert (await here.tables.join(id, ANN)).asks_all


async def test_A4_another_pace_does_not_shorten_it(here: Here) -> None:
    id = await here.start(Pace.RELAXED)
    assert kept_for(here, await step_away(here, id)) == 1800
    assert kept_for(here, await here.tables.change(id, changes.change_pace, ANN.id, Pace.LIVE)) == 1800
    await here.tables.change(id, changes.stop, ANN.id, may_manage=True)
    id = (await here.tables.rematch(id, BO)).id
    assert here.tables.get(id).seats[0].kept_until is None


async def test_A4_a_pause_gives_all_of_it_again(here: Here) -> None:
    id = await here.start(Pace.LIVE)
    await step_away(here, id)
    here.now += 500
    await here.tables.change(id, changes.pause)
    here.now += DAY
    assert (await here.restart()).seats[0].has_a_say
    here.now += DAY
    assert kept_for(here, await here.tables.change(id, changes.unpause)) == 600


async def test_A4_what_ran_out_while_the_bot_was_not_there_is_half_of_it_again(here: Here) -> None:
    id = await here.start(Pace.LIVE)
    await step_away(here, id)
    here.now += 500
    assert kept_for(here, await here.restart()) == 100
    here.now += DAY
    assert kept_for(here, await here.restart()) == 300


# Where computers fail


class Confused(Thinking):
    """A strong player that fails whatever it is asked."""

    async def move(self, *_: object) -> None:
        raise ArithmeticError("it cannot count to thirteen")


async def a_moment_before_the_reminder(here: Here) -> None:
    """Ann has to pass, and is reminded in a moment; the computers fail when they are to pass."""
    here.thinking = Confused(workers=0)
    here.tables = here.renewed()
    table = await here.tables.open(1, 1, ANN, Ruleset.of("classic", 4), Pace.LIVE, Strength.STRONG)
    await here.tables.change(table.id, changes.start, ANN.id)
    here.now += 29.9
    await here.restart()
    here.now += 0.2


async def test_a_turn_is_timed_while_computers_fail(here: Here, caplog: pytest.LogCaptureFixture) -> None:
    await a_moment_before_the_reminder(here)
    await asyncio.sleep(0.2)
    assert "cannot think" in caplog.text
    assert here.told[-1].notice is not None
    assert here.told[-1].notice.kind is NoticeKind.REMINDER


async def test_nothing_rings_after_the_end_where_computers_have_failed(
    here: Here, caplog: pytest.LogCaptureFixture
) -> None:
    await a_moment_before_the_reminder(here)
    await asyncio.sleep(0.01)
    assert "cannot think" in caplog.text
    caplog.clear()
    await here.tables.close()
    await here.database.close()
    await asyncio.sleep(0.2)
    assert caplog.text == ""
