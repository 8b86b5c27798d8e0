"""Starts that are planned: what becomes of one that fell due while the bot was away."""

from __future__ import annotations

import pytest

from engine.tables.plan import CATCH_UP, TOO_LATE, Plan

AT, PLANNED = 10_000.0, 0.0


@pytest.mark.parametrize("is_ready", [True, False])
@pytest.mark.parametrize("reminded", [True, False])
@pytest.mark.parametrize("now", [AT - 1, AT, AT + TOO_LATE, AT + TOO_LATE + 1])
def test_a_start_that_fell_due_waits_unless_people_were_reminded_and_enough_are_there(
    now: float, reminded: bool, is_ready: bool
) -> None:
    plan = Plan(AT, PLANNED, reminded)
    fell_due = AT <= now <= AT + TOO_LATE
    waits = fell_due and not (reminded and is_ready)
    assert plan.after_absence(now, is_ready=is_ready) == (
        Plan(now + CATCH_UP, PLANNED, reminded) if waits else plan
    )
