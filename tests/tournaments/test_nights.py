"""Whole tournaments, through the services that people use."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path

import pytest
from night import CHANNEL, CLASSIC, GUILD, HOST, Night, people, refused

from engine.players import Strength
from engine.rules.ruleset import Ruleset
from engine.tables import Pace, Person
from engine.tables import State as TableLife
from engine.thinking import Thinking
from engine.tournaments import Reason, TableState, Terms, Tournament, TournamentState, season_of, standings
from engine.tournaments.changes import PARS_WAIT, PAUSE
from engine.tournaments.seating import sizes
from tests import unhurried

SHORT = Terms(CLASSIC, rounds=2, deals=1)
EVERY_GAME = [
    *[("wikibooks", players) for players in (3, 6)],
    *[("double-deck", players) for players in (6, 10)],
    ("cancellation", 5),
    ("chinese", 3),
]


def check(over: Tournament, count: int) -> None:
    """All rounds were played, by everyone who signed up, at tables of which none is lonely or too many."""
    terms = over.terms
    assert over.state is TournamentState.OVER
    assert over.reason is None
    assert len(over.rounds) == terms.rounds
    for round in over.rounds:
        assert sorted(one for table in round.tables for one in table.people) == list(range(1, count + 1))
        assert [len(table.people) for table in round.tables] == sizes(count, terms.rules.players)
        for table in round.tables:
            assert table.state is TableState.DONE
            seats = frozenset(seat for seat, one in enumerate(table.seats) if one is not None)
            assert [deal.played for deal in table.deals] == [seats] * terms.deals
    ids = [table.table for _, table in over.tables]
    assert len(set(ids)) == len(ids)
    assert [one.place for one in standings(over)] == list(range(1, count + 1))
    assert all(len(one.deals) == terms.rounds * terms.deals for one in standings(over))


@pytest.mark.parametrize("count", [2, 7])
async def test_some_people_play_a_night(night: Night, count: int) -> None:
    id = await night.start(count, Terms(CLASSIC, rounds=2, deals=1))
    check(await night.to_the_end(id), count)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "players", "count"),
    [(*table, count) for table, count in zip(EVERY_GAME, cycle((7, 2)), strict=False)],
)
async def test_every_game_makes_a_night(night: Night, game: str, players: int, count: int) -> None:
    id = await night.start(count, Terms(Ruleset.of(game, players), rounds=2, deals=1))
    check(await night.to_the_end(id), count)


@pytest.mark.slow
async def test_sixteen_people_meet_nobody_twice(night: Night) -> None:
    id = await night.start(16, Terms(CLASSIC, rounds=3, deals=1))
    over = await night.to_the_end(id)
    check(over, 16)
    met = Counter(
        (one, other)
        for _, table in over.tables
        for one in table.people
        for other in table.people
        if one < other
    )
    assert set(met.values()) == {1}


async def test_no_total_ends_the_game_of_a_round_but_its_deals(night: Night) -> None:
    id = await night.start(2, Terms(Ruleset.of("classic", 4, {"ends_at": 1}), rounds=1, deals=3))
    assert night.tournaments.get(id).terms.rules.ends_at == 100_000
    [(_, table)] = (await night.to_the_end(id)).tables
    assert len(table.deals) == 3


async def test_computers_are_as_strong_as_the_host_wants(night: Night) -> None:
    id = await night.start(2, Terms(CLASSIC, strength=Strength.EASY))
    [table] = night.tables.live
    assert [seat.strength for seat in table.seats if seat.person is None] == [Strength.EASY] * 2
    assert len({seat.name for seat in table.seats}) == 4
    assert night.tournaments.get(id).round.table_of(1) is night.tournaments.get(id).round.table_of(2)  # type: ignore[union-attr]


async def test_there_is_a_pause_to_breathe_between_rounds(night: Night) -> None:
    id = await night.start(4, SHORT)
    await night.play_round()
    between = night.tournaments.get(id)
    assert (len(between.rounds), between.next_at) == (1, pytest.approx(night.now + PAUSE, abs=1))
    await night.wait(PAUSE - 10)
    assert len(night.tournaments.get(id).rounds) == 1
    await night.wait(11)
    assert len(night.tournaments.get(id).rounds) == 2
    assert len(night.tables.live) == 1


# Signing up


async def test_a_server_has_one_tournament_at_a_time(night: Night) -> None:
    id = await night.sign_up(2)
    again = night.tournaments.open(GUILD, CHANNEL + 1, HOST, Terms(CLASSIC))
    assert await refused(again) == "tournament_here"
    await night.tournaments.open(GUILD + 1, CHANNEL + 2, HOST, Terms(CLASSIC))
    await night.tournaments.cancel(id, HOST.id, may_manage=False)
    other = await night.tournaments.open(GUILD, CHANNEL, HOST, Terms(CLASSIC))
    assert night.tournaments.in_guild(GUILD) == other


async def test_people_sign_up_once_and_may_withdraw(night: Night) -> None:
    id = await night.sign_up(3)
    ann, bo, _ = people(3)
    assert await refused(night.tournaments.sign_up(id, ann)) == "signed_up"
    await night.tournaments.withdraw(id, ann.id)
    assert await refused(night.tournaments.withdraw(id, ann.id)) == "not_signed_up"
    assert [one.name for one in night.tournaments.get(id).entrants] == ["P2", "P3"]
    again = await night.tournaments.sign_up(id, ann)
    assert [one.number for one in again.entrants] == [2, 3, 4]
    await night.tournaments.withdraw(id, bo.id)
    await night.restart()
    assert [one.name for one in night.tournaments.get(id).entrants] == ["P3", "P1"]


async def test_sixty_four_fit(night: Night) -> None:
    id = await night.sign_up(64)
    assert await refused(night.tournaments.sign_up(id, Person(1, "Late"))) == "tournament_full"


@pytest.mark.parametrize(
    ("terms", "why"),
    [
        (Terms(CLASSIC, rounds=0), "tournament_rounds"),
        (Terms(CLASSIC, rounds=9), "tournament_rounds"),
        (Terms(CLASSIC, deals=0), "tournament_deals"),
        (Terms(CLASSIC, deals=9), "tournament_deals"),
        (Terms(CLASSIC, minutes=4), "tournament_minutes"),
        (Terms(CLASSIC, minutes=1441), "tournament_minutes"),
        (Terms(CLASSIC, pace=Pace.DAILY), "tournament_pace"),
        (Terms(CLASSIC, pace=Pace.NONE), "tournament_pace"),
    ],
)
async def test_terms_have_bounds(night: Night, terms: Terms, why: str) -> None:
    assert await refused(night.tournaments.open(GUILD, CHANNEL, HOST, terms)) == why


async def test_only_its_host_or_a_manager_decides(night: Night) -> None:
    id = await night.sign_up(2)
    assert await refused(night.tournaments.start(id, 101, may_manage=False)) == "tournament_host_only"
    assert await refused(night.tournaments.cancel(id, 101, may_manage=False)) == "tournament_host_only"
    await night.tournaments.start(id, 101, may_manage=True)
    assert await refused(night.tournaments.start(id, HOST.id, may_manage=False)) == "tournament_started"
    assert (await night.tournaments.cancel(id, 101, may_manage=True)).reason is Reason.CANCELLED
    assert await refused(night.tournaments.sign_up(id, Person(1, "Late"))) == "tournament_over"


async def test_one_person_is_too_few(night: Night) -> None:
    id = await night.sign_up(1)
    assert await refused(night.tournaments.start(id, HOST.id, may_manage=False)) == "tournament_too_few"


async def test_sign_up_that_nobody_ends_closes_after_a_day(night: Night) -> None:
    id = await night.sign_up(3)
    await night.wait(24 * 3600 - 60, step=3600)
    assert night.tournaments.get(id).is_live
    await night.wait(61)
    assert (await night.tournaments.find(id)).reason is Reason.NOT_STARTED


# What is over


@pytest.mark.parametrize(
    ("day", "season"),
    [((2026, 1, 1), 20261), ((2026, 3, 31), 20261), ((2026, 4, 1), 20262), ((2026, 12, 31), 20264)],
)
def test_a_season_is_a_quarter_of_a_year(day: tuple[int, int, int], season: int) -> None:
    noon = datetime(*day, 12, tzinfo=UTC)
    assert season_of(noon.timestamp()) == season


async def test_a_tournament_adds_up_in_its_servers_table(night: Night) -> None:
    for _ in range(2):
        over = await night.to_the_end(await night.start(3, SHORT))
    assert over.ended_at is not None
    season = season_of(over.ended_at)
    assert season == 20264
    lines = await night.tournaments.season(GUILD, season)
    assert lines == await night.tournaments.season(GUILD, None)
    assert {line.name for line in lines} == {"P1", "P2", "P3"}
    assert [line.played for line in lines] == [2] * 3
    assert sum(line.won for line in lines) == 2
    assert [line.podiums for line in lines] == [2] * 3
    assert [line.deals for line in lines] == [4] * 3
    assert await night.tournaments.season(GUILD, season - 1) == []
    assert await night.tournaments.season(GUILD + 1, None) == []


async def test_its_games_count_as_any_of_so_many_deals(night: Night) -> None:
    await night.to_the_end(await night.start(2, Terms(CLASSIC, rounds=1, deals=4)))
    rows = await night.database.read("SELECT deals, people, mu IS NOT NULL FROM results")
    assert [tuple(row) for row in rows] == [(4, 2, 1)] * 2


async def test_a_tournament_that_fails_at_the_start_keeps_no_other(
    night: Night, caplog: pytest.LogCaptureFixture
) -> None:
    for guild in (GUILD, GUILD + 1):
        await night.tournaments.open(guild, CHANNEL, HOST, Terms(CLASSIC), night.now + 600.0)
    await night.database.execute(
        """CREATE TRIGGER refuse BEFORE UPDATE ON tournaments WHEN old.id = 1
        BEGIN SELECT RAISE(FAIL, 'no'); END"""
    )
    await night.close()
    unhurried._waited += 900.0
    await night.open()
    assert [one.id for one in night.tournaments.live] == [2]
    assert "tournament 1 can't go on" in caplog.text


async def test_a_cancelled_tournament_closes_its_tables(night: Night) -> None:
    id = await night.start(8, SHORT)
    assert len(night.tables.live) == 2
    await night.tournaments.cancel(id, HOST.id, may_manage=False)
    await night.settle()
    assert night.tables.live == []
    assert await night.tournaments.season(GUILD, None) == []
    assert (await night.tournaments.find(id)).state is TournamentState.STOPPED


async def test_without_its_channel_it_is_over_with_what_was_played(night: Night) -> None:
    id = await night.start(4, Terms(CLASSIC, rounds=2, deals=2))
    [table] = night.tables.live
    await night.play_deal(table)
    await night.settle()
    closed = await night.tournaments.channel_gone(id)
    await night.settle()
    assert (closed.state, closed.reason) == (TournamentState.OVER, Reason.NO_PLACE)
    assert not night.tables.live
    assert len(await night.tournaments.season(GUILD, None)) == 4


async def test_the_result_waits_for_pars_but_not_for_ever(night: Night) -> None:
    id = await night.start(2, Terms(CLASSIC, rounds=1, deals=1))
    await night.play_round()
    assert night.tournaments.get(id).is_counting
    assert all(one.is_provisional for one in standings(night.tournaments.get(id)))
    await night.wait(PARS_WAIT - 10, step=600)
    assert night.tournaments.get(id).is_counting
    await night.wait(20)
    assert (await night.tournaments.find(id)).state is TournamentState.OVER


async def test_a_host_need_not_wait_for_pars_and_cannot_undo_what_was_played(night: Night) -> None:
    id = await night.start(2, Terms(CLASSIC, rounds=1, deals=1))
    await night.play_round()
    ended = await night.tournaments.cancel(id, HOST.id, may_manage=False)
    assert (ended.state, ended.reason) == (TournamentState.OVER, None)
    assert len(await night.tournaments.season(GUILD, None)) == 2


@pytest.mark.slow
async def test_strong_computers_that_lead_begin_to_think_at_once(path: Path) -> None:
    """In a game without a pass nobody else acts first. Until they can think, others play for them."""
    night = Night(path)
    night.thinking = Thinking(workers=1)
    await night.open()
    terms = Terms(Ruleset.of("cancellation", 5), rounds=1, deals=1, strength=Strength.STRONG)
    for guild in range(1, 6):
        id = (await night.tournaments.open(guild, CHANNEL, HOST, terms)).id
        for person in people(2):
            await night.tournaments.sign_up(id, person)
        await night.tournaments.start(id, HOST.id, may_manage=False)
    async with asyncio.timeout(20):
        while len(night.playing()) < 5:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert any(table.game and table.game.deal and table.game.deal.trick.cards for table in night.tables.live)
    await night.close()
    night.thinking.close()


async def test_who_plays_at_its_tables_is_told_in_its_language_and_by_no_host(night: Night) -> None:
    await night.start(4)
    [table] = night.tables.live
    assert table.state is TableLife.PLAYING
    assert table.channel == 10_000 + 101
    assert not table.takes_latecomers
    assert not table.gives_hints
