"""A planned start: its time, the reminder before it, who is there, and the game that starts by itself.

Each step is one change of the table, so that it is stored before anyone is told, and happens once.
"""

from __future__ import annotations

from dataclasses import replace

from engine.errors import Refusal
from engine.tables.changes import begin_game, check_is_hosting_lobby, without_plan
from engine.tables.plan import Plan
from engine.tables.table import NoticeKind, State, Table

#: Seconds before the start in which players who do anything at the table count as being there.
HERE_BEFORE = 10 * 60.0
#: Seconds in which nobody is called twice to a start, however often the host changes it.
CALLS_AGAIN = 30 * 60.0
#: Seconds, at least, for which players who did not come have a say at the table.
SAY_KEPT = 30 * 60.0


# What the host decides


def plan_start(table: Table, person: int, at: float, now: float) -> Table:
    """Let the game start by itself at that moment, as the host; others at the table are told."""
    check_is_hosting_lobby(table, person)
    if table.is_private:
        raise Refusal("stale")  # its page doesn't offer it
    plan = Plan.of(at, now)
    if table.plan and table.plan.at == at:
        return table
    table = notice_presence(replace(without_plan(table), plan=plan), person, now)
    return _tell_others(table, NoticeKind.START_PLANNED, person, at)


def drop_plan(table: Table, person: int) -> Table:
    """Let the game start by hand again, as the host; others at the table are told."""
    check_is_hosting_lobby(table, person)
    if table.plan is None:
        return table
    return _tell_others(without_plan(table), NoticeKind.START_DROPPED, person, table.plan.at)


# Who is there


def be_here(table: Table, person: int) -> Table:
    """Say that one is there for the planned start; Refusal without a seat, or if none is planned any more."""
    number = table.seat_of(person)
    if number is None:
        raise Refusal("not_seated")
    if table.state is not State.LOBBY:
        raise Refusal("away", table=table.id) if table.seats[number].away else Refusal("already_seated")
    if table.plan is None:
        raise Refusal("no_planned_start")
    return table.with_seat(number, replace(table.seats[number], is_here=True))


def notice_presence(table: Table, person: int, now: float) -> Table:
    """The table where this person counts as being there, if they have a seat and the start is near."""
    number = table.seat_of(person)
    if table.plan is None or number is None or table.seats[number].is_here:
        return table
    return be_here(table, person) if table.plan.at - now <= HERE_BEFORE else table


# What happens by itself


def ring(table: Table, plan: Plan, now: float) -> Table:
    """The table after the reminder of its planned start, or at the time of the start."""
    if now >= plan.at:
        return _missed(table, plan) if plan.is_missed(now) else _start(table, plan, now)
    is_called = table.called_at is None or now - table.called_at >= CALLS_AGAIN
    called_at = now if is_called and _missing(table) else table.called_at
    return replace(table, plan=replace(plan, reminded=True), called_at=called_at)


def after_absence(table: Table, now: float) -> Table:
    """The table after the bot, or the table's channel, was away: a start that was missed is seen to.

    It comes at once if someone is there, else in two minutes; after an hour it is dropped.
    """
    if (plan := table.plan) is None:
        return table
    if plan.is_missed(now):
        return _missed(table, plan)
    new = plan.after_absence(now, is_ready=any(seat.is_here for seat in table.seats))
    return table if new is plan else replace(table, plan=new)


def _start(table: Table, plan: Plan, now: float) -> Table:
    """The table with its game, in which computers play for those who are not there; a lobby if nobody is."""
    missing = _missing(table)
    if len(missing) == len(table.seats.people):
        return _tell(without_plan(table), NoticeKind.NOBODY_CAME, [], plan.at)
    table = begin_game(table)
    for number in missing:
        table = table.with_away(number, kept_until=now + max(SAY_KEPT, table.pace.grace))
    return table.with_notice(NoticeKind.STARTED_WITHOUT, missing) if missing else table


def _missing(table: Table) -> list[int]:
    """The seats whose players are not there."""
    return [number for number in sorted(table.seats.occupied) if not table.seats[number].is_here]


def _missed(table: Table, plan: Plan) -> Table:
    return _tell(without_plan(table), NoticeKind.START_MISSED, [], plan.at)


def _tell_others(table: Table, kind: NoticeKind, person: int, at: float) -> Table:
    """Tell the table what its host has decided, unless nobody else is there to hear it."""
    number = table.seat_of(person)
    return table if number is None or table.seats.are_for_one else _tell(table, kind, [number], at)


def _tell(table: Table, kind: NoticeKind, seats: list[int], at: float) -> Table:
    """The table with a notice about this moment."""
    told = table.with_notice(kind, seats)
    assert told.notice is not None
    return replace(told, notice=replace(told.notice, deadline=at))
