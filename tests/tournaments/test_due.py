"""When a tournament goes on, how long its rounds last, and what the bot's absence puts off."""

from __future__ import annotations

from dataclasses import replace

import pytest
from test_tournament_standings import CLASSIC
from test_tournament_standings import tournament as played

from engine.rules.lengths import minutes_a_deal
from engine.tables import Pace
from engine.tables.plan import CATCH_UP, Plan
from engine.tournaments import Entrant, Round, RoundTable, TableState, Tournament, TournamentState
from engine.tournaments.changes import PAUSE, after_absence, shifted
from engine.tournaments.tournament import MINUTES, PACES, usual_minutes

NOW = 1000.0


def tournament(*here: bool, plan: Plan | None = None) -> Tournament:
    """One being signed up for, by people who are there for its start or not."""
    entrants = [Entrant(number, 100 + number, "P", is_here=is_here) for number, is_here in enumerate(here, 1)]
    state = TournamentState.SIGNING_UP
    return replace(played(CLASSIC), state=state, plan=plan, entrants=tuple(entrants), rounds=())


def playing(state: TableState, *, until: float, next_at: float | None = None) -> Tournament:
    """One whose first round has a single table."""
    round = Round(1, 0.0, until, (RoundTable(1, (1, 2, None, None), state),))
    return replace(tournament(True, True), state=TournamentState.PLAYING, rounds=(round,), next_at=next_at)


@pytest.mark.parametrize("pace", PACES)
def test_a_round_lasts_as_long_as_its_deals_in_steps_of_five_minutes(pace: Pace) -> None:
    least, most = MINUTES
    for deals in (1, 4, 8):
        expected = minutes_a_deal(CLASSIC, 4) * deals * PACES[pace]
        minutes = usual_minutes(CLASSIC, deals, pace)
        assert minutes % 5 == 0
        assert minutes in (least, most) or expected <= minutes < expected + 5


def test_a_clock_that_is_set_moves_what_is_due() -> None:
    moved = shifted(playing(TableState.DONE, until=600.0, next_at=700.0), 30.0)
    assert (moved.rounds[0].until, moved.next_at) == (630.0, 730.0)
    planned = tournament(plan=Plan(500.0, 0.0))
    assert shifted(planned, 30.0) == planned


def test_a_round_or_result_that_fell_due_meanwhile_comes_a_while_later() -> None:
    due = playing(TableState.DONE, until=600.0, next_at=NOW - 1)
    assert after_absence(due, NOW).next_at == NOW + PAUSE
    to_come = playing(TableState.DONE, until=600.0, next_at=NOW + 1)
    assert after_absence(to_come, NOW) == to_come


@pytest.mark.parametrize(("here", "waits"), [((True, True), False), ((True, False), True)])
def test_a_start_that_fell_due_meanwhile_waits_unless_enough_are_there(
    here: tuple[bool, ...], waits: bool
) -> None:
    planned = tournament(*here, plan=Plan(NOW - 1, 0.0, reminded=True))
    plan = after_absence(planned, NOW).plan
    assert plan is not None
    assert plan.at == (NOW + CATCH_UP if waits else NOW - 1)


def test_only_rounds_that_were_begun_have_tables() -> None:
    one = playing(TableState.PLAYING, until=600.0)
    assert one.table_in(1, 1) is one.rounds[0].tables[0]
    assert [one.table_in(round, number) for round, number in ((0, 1), (2, 1), (1, 2))] == [None, None, None]
