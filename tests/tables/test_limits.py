"""Nobody waits for ever: how long a table waits for what."""

from __future__ import annotations

import pytest
from baretable import BareTable
from house import ANN, BO, House

from engine.players import Strength
from engine.tables import NoticeKind, Pace, State, changes
from engine.tables.plan import CATCH_UP, TOO_LATE, Plan
from engine.thinking import Thinking

DAY = 24 * 60 * 60.0


def started(pace: Pace = Pace.NONE) -> BareTable:
    """A game between Ann, Bo and two computers."""
    table = BareTable(ANN, BO, pace=pace)
    table.start()
    return table


@pytest.mark.parametrize("pace", [None, *Pace])
def test_a_paused_lobby_or_game_is_closed_after_a_week_whatever_happens_meanwhile(pace: Pace | None) -> None:
    table = started(pace) if pace else BareTable(ANN, BO)
    table.do(changes.pause)
    table.wait(7 * DAY - 1)
    table.do(changes.leave_or_stay_out, BO.id)
    table.do(changes.change_pace, ANN.id, Pace.LIVE)
    before = table.do(changes.join, BO)
    assert before.is_live
    closed = table.wait(1)
    assert (closed.state, closed.notice.kind) == (State.STOPPED, NoticeKind.ABANDONED)
    assert closed.game == before.game
    assert not changes.rematch(closed, ANN).paused


def test_a_game_that_goes_on_has_the_whole_time_of_its_turn_again() -> None:
    table = started(Pace.LIVE)
    table.do(changes.pause)
    table.wait(6 * DAY)
    assert table.do(changes.unpause).timer.deadline == table.now + 60


def test_a_week_that_passed_while_nobody_could_let_us_in_begins_again() -> None:
    table = started()
    table.do(changes.pause)
    timer = table.be_away(8 * DAY).timer
    assert timer.deadline == table.now + 7 * DAY
    assert table.be_away(6 * DAY).timer == timer
    assert table.do(changes.unpause).timer is None


@pytest.mark.parametrize("is_ready", [True, False])
@pytest.mark.parametrize("reminded", [True, False])
@pytest.mark.parametrize("late", [-1, 0, TOO_LATE, TOO_LATE + 1])
def test_a_start_that_fell_due_waits_unless_people_were_reminded_and_enough_are_there(
    late: float, reminded: bool, is_ready: bool
) -> None:
    plan = Plan(10_000.0, 0.0, reminded)
    now = plan.at + late
    waits = 0 <= late <= TOO_LATE and not (reminded and is_ready)
    assert plan.after_absence(now, is_ready=is_ready) == (
        Plan(now + CATCH_UP, 0.0, reminded) if waits else plan
    )


# Whoever is away keeps their say for a while


def without_ann(pace: Pace) -> BareTable:
    """A game in which Ann's time has run out twice, while Bo does what he is asked to."""
    table = started(pace)
    while not table.value.seats[0].away:
        while 1 in table.value.awaited:
            table.act(1)
        table.now += pace.seconds + 1
        table.do(table.flow.ring)
    return table


def kept_for(table: BareTable) -> float | None:
    """For how many seconds more Ann, who is away, has a say."""
    until = table.value.seats[0].kept_until
    return None if until is None else until - table.now


def test_A4_who_is_away_stays_host_and_has_a_say_for_ten_minutes() -> None:
    table = without_ann(Pace.LIVE)
    assert (kept_for(table), table.value.host, table.value.asks_all) == (600, ANN.id, True)
    table.now += 600
    left = table.do(table.flow.ring)
    assert (kept_for(table), left.seats[0].has_left) == (None, True)
    assert (left.host, left.asks_all) == (BO.id, False)
    assert 0 in left.free_seats
    assert table.do(changes.join, ANN).asks_all


def test_A4_another_pace_does_not_shorten_it() -> None:
    table = without_ann(Pace.RELAXED)
    assert kept_for(table) == 1800
    table.do(changes.change_pace, ANN.id, Pace.LIVE)
    assert kept_for(table) == 1800
    assert changes.rematch(table.stop(), BO).seats[0].kept_until is None


def test_A4_a_pause_gives_all_of_it_again() -> None:
    table = without_ann(Pace.LIVE)
    table.now += 500
    table.do(changes.pause)
    assert table.be_away(DAY).seats[0].has_a_say
    table.now += DAY
    table.do(changes.unpause)
    assert kept_for(table) == 600


def test_A4_what_ran_out_while_the_bot_was_not_there_is_half_of_it_again() -> None:
    table = without_ann(Pace.LIVE)
    table.be_away(500)
    assert kept_for(table) == 100
    table.be_away(DAY)
    assert kept_for(table) == 300


# Where computers fail


class Confused(Thinking):
    """A strong player that fails whatever it is asked."""

    async def move(self, *_: object) -> None:
        raise ArithmeticError("it cannot count to thirteen")


@pytest.mark.parametrize("is_closed", [False, True])
async def test_a_turn_is_timed_while_computers_fail_and_nothing_rings_after_the_end(
    house: House, caplog: pytest.LogCaptureFixture, is_closed: bool
) -> None:
    house.options["thinking"] = Confused(workers=0)
    await house.restart()
    await house.start(ANN, pace=Pace.LIVE, strength=Strength.STRONG)
    house.now += 29.9
    await house.restart()
    await house.settle()
    assert "cannot think" in caplog.text
    caplog.clear()
    tables = house.told.copy()
    if is_closed:
        await house.close()
    await house.wait(0.2)
    assert [table.notice.kind for table in house.told[len(tables) :]] == [NoticeKind.REMINDER] * (
        not is_closed
    )
    assert not is_closed or caplog.text == ""
