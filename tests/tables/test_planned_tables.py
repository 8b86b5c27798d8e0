"""The planned start of a table: who is called to it, who counts as being there, and what then happens."""

import pytest
from baretable import BareTable
from house import ANN, BO, CY

from engine.tables import NoticeKind, Pace, State, Table, changes, planning
from engine.tables.plan import LATEST, SOONEST

MINUTE, HOUR = 60.0, 3600.0


def planned(*others: object, at: float = HOUR, **fields: object) -> BareTable:
    """Ann's lobby, where these people have seats and the start is planned."""
    table = BareTable(ANN, *others, **fields)
    table.do(planning.plan_start, ANN.id, at, table.now)
    return table


def away(table: Table) -> list[int]:
    return [number for number, seat in enumerate(table.seats) if seat.away]


@pytest.mark.parametrize(("at", "called"), [(HOUR, 50 * MINUTE), (15 * MINUTE, 450), (6 * MINUTE, 180)])
def test_players_are_called_once_ten_minutes_before_or_half_way(at: float, called: float) -> None:
    table = planned(BO, at=at)
    assert table.wait(called - 1).called_at is None
    assert table.wait(1).called_at == called
    assert table.wait(at - called - 1).called_at == called
    assert table.value.plan.reminded


def test_a_start_that_is_changed_again_and_again_calls_players_at_most_every_half_an_hour() -> None:
    table = planned(BO, at=30 * MINUTE)
    table.wait(25 * MINUTE)
    calls = [table.value.called_at]
    for minutes in (6, 6, 120):
        table.do(planning.plan_start, ANN.id, table.now + minutes * MINUTE, table.now)
        assert not table.value.plan.reminded
        table.wait((minutes - 2) * MINUTE)
        assert table.value.plan.reminded
        calls.append(table.value.called_at)
    assert calls == [25 * MINUTE, 25 * MINUTE, 25 * MINUTE, table.now]


def test_nobody_is_called_if_all_are_there() -> None:
    table = planned(BO)
    for person in (ANN, BO):
        table.do(planning.be_here, person.id)
    assert table.wait(55 * MINUTE).called_at is None
    begun = table.wait(5 * MINUTE)
    assert (begun.state, away(begun)) == (State.PLAYING, [])


def test_computers_play_for_those_who_have_not_come() -> None:
    table = planned(BO, CY, pace=Pace.LIVE)
    table.wait(55 * MINUTE)
    table.do(planning.be_here, BO.id)
    begun = table.wait(5 * MINUTE)
    assert (begun.state, begun.host, away(begun)) == (State.PLAYING, ANN.id, [0, 2])
    assert (begun.notice.kind, begun.notice.seats) == (NoticeKind.STARTED_WITHOUT, (0, 2))
    assert begun.seats[0].kept_until == HOUR + planning.SAY_KEPT
    assert away(table.do(changes.join, ANN)) == [2]


def test_if_nobody_comes_the_lobby_stays_open_for_an_hour() -> None:
    table = planned(BO)
    lobby = table.wait(HOUR)
    assert (lobby.state, lobby.plan, lobby.notice.kind) == (State.LOBBY, None, NoticeKind.NOBODY_CAME)
    assert lobby.notice.deadline == HOUR
    assert away(changes.start(lobby, ANN.id)) == []
    assert table.wait(HOUR - 1).state is State.LOBBY
    assert table.wait(1).state is State.STOPPED


def test_a_lobby_is_not_closed_before_its_start_and_begins_when_the_host_likes() -> None:
    table = planned(BO, at=5 * HOUR)
    assert table.wait(4 * HOUR).state is State.LOBBY
    begun = table.start()
    assert (begun.plan, away(begun)) == (None, [])


def test_what_people_do_in_the_last_ten_minutes_says_that_they_are_there() -> None:
    table = planned(BO).value
    assert planning.notice_presence(table, BO.id, HOUR - planning.HERE_BEFORE - 1) is table
    assert planning.notice_presence(table, BO.id, HOUR - planning.HERE_BEFORE).seats[1].is_here
    assert planning.notice_presence(table, CY.id, HOUR - 1) is table


def test_being_there_is_refused_without_a_seat_a_plan_or_a_lobby() -> None:
    assert BareTable(ANN).refusal(planning.be_here, ANN.id) == "no_planned_start"
    table = planned(BO)
    assert table.refusal(planning.be_here, CY.id) == "not_seated"
    table.do(planning.be_here, BO.id)
    table.wait(HOUR)
    refused = [table.refusal(planning.be_here, person.id) for person in (ANN, BO)]
    assert refused == ["away", "already_seated"]


def test_the_host_alone_plans_from_five_minutes_to_a_week_ahead() -> None:
    table = BareTable(ANN, BO)
    assert table.refusal(planning.plan_start, BO.id, HOUR, 0.0) == "host_only"
    assert table.refusal(planning.plan_start, ANN.id, SOONEST - 2, 0.0) == "start_too_soon"
    assert table.refusal(planning.plan_start, ANN.id, LATEST + 1, 0.0) == "start_too_late"
    for at in (SOONEST, LATEST):
        notice = planning.plan_start(table.value, ANN.id, at, 0.0).notice
        assert (notice.kind, notice.seats, notice.deadline) == (NoticeKind.START_PLANNED, (0,), at)
    assert planned().value.notice is None  # there is no one else to tell
    assert planning.drop_plan(planned().value, ANN.id).notice is None


def test_the_same_time_again_changes_nothing_and_a_start_can_be_dropped() -> None:
    table = planned(BO)
    assert planning.plan_start(table.value, ANN.id, HOUR, 10.0) is table.value
    table.do(planning.be_here, BO.id)
    assert table.refusal(planning.drop_plan, BO.id) == "host_only"
    dropped = table.do(planning.drop_plan, ANN.id)
    assert dropped.plan is None
    assert (dropped.notice.kind, dropped.notice.deadline) == (NoticeKind.START_DROPPED, HOUR)
    assert not dropped.seats[1].is_here
    assert planning.drop_plan(dropped, ANN.id) is dropped
    assert table.wait(HOUR).state is State.STOPPED


# While the bot, or the channel, is away


@pytest.mark.parametrize("is_paused", [False, True])
def test_a_start_that_fell_due_meanwhile_waits_for_people_to_come(is_paused: bool) -> None:
    table = planned(BO)
    if is_paused:
        table.do(changes.pause)
        assert table.wait(70 * MINUTE).state is State.LOBBY
        table.do(changes.unpause)
    late = table.be_away(0.0 if is_paused else 70 * MINUTE)
    assert (late.state, late.plan.at) == (State.LOBBY, 72 * MINUTE)
    assert table.wait(1).called_at is not None
    table.do(planning.be_here, BO.id)
    assert away(table.wait(2 * MINUTE)) == [0]
    assert table.value.state is State.PLAYING


def test_it_comes_at_once_if_those_who_were_called_are_there_and_is_dropped_after_an_hour() -> None:
    table = planned(BO)
    table.wait(55 * MINUTE)
    table.do(planning.be_here, ANN.id)
    table.be_away(20 * MINUTE)
    assert away(table.wait(1)) == [1]
    assert table.value.state is State.PLAYING
    late = planned(BO).be_away(2 * HOUR + 1)
    assert (late.state, late.plan, late.called_at) == (State.LOBBY, None, None)
    assert (late.notice.kind, late.notice.deadline) == (NoticeKind.START_MISSED, HOUR)
