"""Planned starts: their time, the reminder, who is there, and the game that starts automatically.

Each step is one change of the table, so that it is stored before anyone hears of it, and happens only once.
"""

from dataclasses import replace

from engine.errors import Refusal
from engine.tables.changes import begin_game, check_is_hosting_lobby, without_plan
from engine.tables.plan import Plan
from engine.tables.table import NoticeKind, State, Table

#: Seconds before the start in which any action at the table counts as being there.
HERE_BEFORE = 10 * 60.0
#: Seconds between two calls to a start, however often the host changes it.
CALLS_AGAIN = 30 * 60.0
#: The least seconds for which players who didn't come have a say at the table.
SAY_KEPT = 30 * 60.0


# What the host decides


def plan_start(table: Table, person: int, at: float, now: float) -> Table:
    """Plan the start of the game for that moment, as the host; others at the table are told."""
    check_is_hosting_lobby(table, person)
    if table.is_private:
        raise Refusal("stale")  # its page doesn't offer it
    plan = Plan.of(at, now)
    if table.plan and table.plan.at == at:
        return table
    table = notice_presence(replace(without_plan(table), plan=plan), person, now)
    return _with_notice_to_others(table, NoticeKind.START_PLANNED, person, at)


def drop_plan(table: Table, person: int) -> Table:
    """Drop the planned start, as the host; others at the table are told."""
    check_is_hosting_lobby(table, person)
    if table.plan is None:
        return table
    return _with_notice_to_others(without_plan(table), NoticeKind.START_DROPPED, person, table.plan.at)


# Who is there


def be_here(table: Table, person: int) -> Table:
    """Say that one is there for the planned start; Refusal without a seat or a planned start."""
    number = table.seat_of(person)
    if number is None:
        raise Refusal("not_seated")
    if table.state is not State.LOBBY:
        raise Refusal("away", table=table.id) if table.seats[number].away else Refusal("already_seated")
    if table.plan is None:
        raise Refusal("no_planned_start")
    return table.with_seat(number, replace(table.seats[number], is_here=True))


def notice_presence(table: Table, person: int, now: float) -> Table:
    """Count this person as being there, if they have a seat and the start is near."""
    number = table.seat_of(person)
    if table.plan is None or number is None or table.seats[number].is_here:
        return table
    return be_here(table, person) if table.plan.at - now <= HERE_BEFORE else table


# What happens automatically


def ring(table: Table, plan: Plan, now: float) -> Table:
    """Remind players of the planned start, or make it."""
    if now >= plan.at:
        return _missed(table, plan) if plan.is_missed(now) else _start(table, plan, now)
    is_called = table.called_at is None or now - table.called_at >= CALLS_AGAIN
    called_at = now if is_called and _missing(table) else table.called_at
    return replace(table, plan=replace(plan, reminded=True), called_at=called_at)


def after_absence(table: Table, now: float) -> Table:
    """Handle a start that was missed while the bot or the table's channel was away.

    It comes at once if someone is there, otherwise in two minutes; after an hour it is dropped.
    """
    if (plan := table.plan) is None:
        return table
    if plan.is_missed(now):
        return _missed(table, plan)
    new = plan.after_absence(now, is_ready=any(seat.is_here for seat in table.seats))
    return table if new is plan else replace(table, plan=new)


def _start(table: Table, plan: Plan, now: float) -> Table:
    """Start the game, with computers for players who aren't there; it stays a lobby if nobody is."""
    missing = _missing(table)
    if len(missing) == len(table.seats.people):
        return _with_notice(without_plan(table), NoticeKind.NOBODY_CAME, [], plan.at)
    table = begin_game(table)
    for number in missing:
        table = table.with_away(number, kept_until=now + max(SAY_KEPT, table.pace.grace))
    return table.with_notice(NoticeKind.STARTED_WITHOUT, missing) if missing else table


def _missing(table: Table) -> list[int]:
    """The seats whose players aren't there."""
    return [number for number in sorted(table.seats.occupied) if not table.seats[number].is_here]


def _missed(table: Table, plan: Plan) -> Table:
    return _with_notice(without_plan(table), NoticeKind.START_MISSED, [], plan.at)


def _with_notice_to_others(table: Table, kind: NoticeKind, person: int, at: float) -> Table:
    """Tell the table what its host has decided, if anyone else has a seat."""
    number = table.seat_of(person)
    return table if number is None or table.seats.are_for_one else _with_notice(table, kind, [number], at)


def _with_notice(table: Table, kind: NoticeKind, seats: list[int], at: float) -> Table:
    """Add a notice about this time (seconds since 1970)."""
    table = table.with_notice(kind, seats)
    assert table.notice is not None
    return replace(table, notice=replace(table.notice, deadline=at))
