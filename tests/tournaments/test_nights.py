"""Whole tournaments, through the services that people use."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from night import CHANNEL, CLASSIC, GUILD, HOST, Night, people

from engine.errors import Refusal
from engine.players import Strength
from engine.rules.ruleset import Ruleset
from engine.tables import Pace, Person
from engine.tables import State as TableLife
from engine.thinking import Thinking
from engine.tournaments import (
    Reason,
    TableState,
    Terms,
    Tournament,
    Tournaments,
    TournamentState,
    season_of,
    standings,
)
from engine.tournaments.changes import PARS_WAIT, PAUSE
from engine.tournaments.seating import sizes
from tests.tables.house import refusal

SHORT = Terms(CLASSIC, rounds=2, deals=1)
SLOW_NIGHTS = [
    ("wikibooks", 3, 7),
    ("wikibooks", 6, 2),
    ("double-deck", 6, 7),
    ("double-deck", 10, 2),
    ("cancellation", 5, 7),
    ("chinese", 3, 2),
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
            assert over.table_in(round.number, table.number) is table
            assert table.state is TableState.DONE
            seats = frozenset(seat for seat, one in enumerate(table.seats) if one is not None)
            assert [deal.played for deal in table.deals] == [seats] * terms.deals
    ids = [table.table for _, table in over.tables]
    assert len(set(ids)) == len(ids)
    assert [one.place for one in standings(over)] == list(range(1, count + 1))
    assert all(len(one.deals) == terms.rounds * terms.deals for one in standings(over))


@pytest.mark.parametrize(
    ("game", "players", "count"),
    [("classic", 4, 7), *[pytest.param(*night, marks=pytest.mark.slow) for night in SLOW_NIGHTS]],
)
async def test_every_game_makes_a_night(night: Night, game: str, players: int, count: int) -> None:
    id = await night.start(count, Terms(Ruleset.of(game, players), rounds=2, deals=1))
    check(await night.to_the_end(id), count)


async def test_a_rounds_game_ends_with_its_deals_and_no_total(night: Night) -> None:
    id = await night.start(4, Terms(Ruleset.of("classic", 4, {"ends_at": 1}), rounds=1, deals=4))
    assert night.tournaments.get(id).terms.rules.ends_at == 100_000
    over = await night.to_the_end(id)
    check(over, 4)
    [(_, table)] = over.tables
    game = (await night.tables.games.whole(table.table)).game
    # Also where the rest has played itself, once nothing was at stake.
    assert min(deal.settled_after for deal in game.deals if deal.settled_after is not None) < 13


@pytest.mark.slow
async def test_sixteen_people_meet_nobody_twice(night: Night) -> None:
    id = await night.start(16, Terms(CLASSIC, rounds=3, deals=1))
    over = await night.to_the_end(id)
    check(over, 16)
    met = Counter(pair for _, table in over.tables for pair in combinations(sorted(table.people), 2))
    assert set(met.values()) == {1}


async def test_its_tables_are_as_the_host_wants_and_decide_nothing_themselves(night: Night) -> None:
    id = await night.start(2, Terms(CLASSIC, strength=Strength.EASY))
    table, round = night.table, night.tournaments.get(id).round
    assert [seat.strength for seat in table.seats if seat.person is None] == [Strength.EASY] * 2
    assert len({seat.name for seat in table.seats}) == 4
    assert (table.state, table.channel) == (TableLife.PLAYING, 10_000 + 101)
    assert not table.takes_latecomers
    assert not table.gives_hints
    assert round.table_of(1) is round.table_of(2)


async def test_there_is_a_pause_to_breathe_between_rounds(night: Night) -> None:
    await night.start(4, SHORT)
    await night.play_round()
    assert (len(night.tournament.rounds), night.tournament.next_at) == (
        1,
        pytest.approx(night.now + PAUSE, abs=1),
    )
    await night.wait(PAUSE - 10)
    assert len(night.tournament.rounds) == 1
    await night.wait(11)
    assert (len(night.tournament.rounds), len(night.tables.live)) == (2, 1)


# Signing up


async def test_a_server_has_one_tournament_at_a_time(night: Night) -> None:
    id = await night.sign_up(2)
    again = night.tournaments.open(GUILD, CHANNEL + 1, HOST, Terms(CLASSIC))
    assert await refusal(again) == "tournament_here"
    await night.tournaments.open(GUILD + 1, CHANNEL + 2, HOST, Terms(CLASSIC))
    await night.tournaments.cancel(id, HOST.id, may_manage=False)
    other = await night.tournaments.open(GUILD, CHANNEL, HOST, Terms(CLASSIC))
    assert night.tournaments.in_guild(GUILD) == other


async def test_people_sign_up_once_and_may_withdraw(night: Night) -> None:
    id = await night.sign_up(3)
    ann, bo, _ = people(3)
    assert await refusal(night.tournaments.sign_up(id, ann)) == "signed_up"
    await night.tournaments.withdraw(id, ann.id)
    assert await refusal(night.tournaments.withdraw(id, ann.id)) == "not_signed_up"
    again = await night.tournaments.sign_up(id, ann)
    assert [one.number for one in again.entrants] == [2, 3, 4]
    await night.tournaments.withdraw(id, bo.id)
    await night.restart()
    assert [one.name for one in night.tournament.entrants] == ["P3", "P1"]


@pytest.mark.parametrize(
    ("why", "values"),
    [("rounds", (0, 9)), ("deals", (0, 9)), ("minutes", (4, 1441)), ("pace", (Pace.DAILY, Pace.NONE))],
)
async def test_terms_have_bounds(night: Night, why: str, values: tuple[object, ...]) -> None:
    for value in values:
        terms = Terms(CLASSIC, **{why: value})
        assert await refusal(night.tournaments.open(GUILD, CHANNEL, HOST, terms)) == f"tournament_{why}"


async def test_from_two_to_sixty_four_people_play(night: Night) -> None:
    id = await night.sign_up(1)
    assert await refusal(night.tournaments.start(id, HOST.id, may_manage=False)) == "tournament_too_few"
    for person in people(64)[1:]:
        await night.tournaments.sign_up(id, person)
    assert await refusal(night.tournaments.sign_up(id, Person(1, "Late"))) == "tournament_full"


async def test_only_its_host_or_a_manager_decides_and_cancels_its_tables_too(night: Night) -> None:
    id = await night.sign_up(8)
    assert await refusal(night.tournaments.start(id, 101, may_manage=False)) == "tournament_host_only"
    assert await refusal(night.tournaments.cancel(id, 101, may_manage=False)) == "tournament_host_only"
    await night.tournaments.start(id, 101, may_manage=True)
    assert await refusal(night.tournaments.start(id, HOST.id, may_manage=False)) == "tournament_started"
    await night.settle()
    assert len(night.tables.live) == 2
    stopped = await night.tournaments.cancel(id, 101, may_manage=True)
    assert (stopped.state, stopped.reason) == (TournamentState.STOPPED, Reason.CANCELLED)
    assert await refusal(night.tournaments.sign_up(id, Person(1, "Late"))) == "tournament_over"
    await night.settle()
    assert night.tables.live == []
    assert await night.tournaments.season(GUILD, None) == []


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
    assert season_of(datetime(*day, 12, tzinfo=UTC).timestamp()) == season


async def test_a_tournament_adds_up_for_its_server_and_on_leaderboards(night: Night) -> None:
    for _ in range(2):
        await night.to_the_end(await night.start(3, SHORT))
    lines = await night.tournaments.season(GUILD, 20264)
    assert lines == await night.tournaments.season(GUILD, None)
    assert {(line.name, line.played, line.podiums, line.deals) for line in lines} == {
        (name, 2, 2, 4) for name in ("P1", "P2", "P3")
    }
    assert sum(line.won for line in lines) == 2
    assert await night.tournaments.season(GUILD, 20263) == []
    assert await night.tournaments.season(GUILD + 1, None) == []
    rows = await night.database.read("SELECT deals, people, mu IS NOT NULL FROM results")
    assert [tuple(row) for row in rows] == [(1, 3, 1)] * 12


async def test_one_that_fails_at_the_start_keeps_no_other(
    night: Night, caplog: pytest.LogCaptureFixture
) -> None:
    for guild in (GUILD, GUILD + 1):
        await night.tournaments.open(guild, CHANNEL, HOST, Terms(CLASSIC), night.now + 600.0)
    await night.database.execute(
        """CREATE TRIGGER refuse BEFORE UPDATE ON tournaments WHEN old.id = 1
        BEGIN SELECT RAISE(FAIL, 'no'); END"""
    )
    await night.be_away(900.0)
    assert [one.id for one in night.tournaments.live] == [2]
    assert "tournament 1 can't go on" in caplog.text


async def test_without_its_channel_it_is_over_with_what_was_played(night: Night) -> None:
    id = await night.start(4, Terms(CLASSIC, rounds=2, deals=2))
    await night.play_deal(night.table)
    await night.settle()
    closed = await night.tournaments.channel_gone(id)
    await night.settle()
    assert (closed.state, closed.reason) == (TournamentState.OVER, Reason.NO_PLACE)
    assert not night.tables.live
    assert len(await night.tournaments.season(GUILD, None)) == 4


@pytest.mark.parametrize("is_ended", [False, True])
async def test_the_result_waits_for_pars_until_the_host_or_time_ends_it(night: Night, is_ended: bool) -> None:
    id = await night.start(2, Terms(CLASSIC, rounds=1, deals=1))
    await night.play_round()
    await night.wait(PARS_WAIT - 10, step=600)
    assert night.tournament.is_counting
    if is_ended:
        await night.tournaments.cancel(id, HOST.id, may_manage=False)  # which undoes nothing
    else:
        await night.wait(20)
    over = await night.tournaments.find(id)
    assert (over.state, over.reason) == (TournamentState.OVER, None)
    assert len(await night.tournaments.season(GUILD, None)) == 2


@pytest.mark.slow
async def test_strong_computers_that_lead_begin_to_think_at_once(path: Path) -> None:
    """In a game without a pass nobody else acts first. Until they can think, others play for them."""
    thinking = Thinking(workers=1)
    night = await Night(path, thinking=thinking).open()
    terms = Terms(Ruleset.of("cancellation", 5), rounds=1, deals=1, strength=Strength.STRONG)
    for guild in range(1, 6):
        id = (await night.tournaments.open(guild, CHANNEL, HOST, terms)).id
        for person in people(2):
            await night.tournaments.sign_up(id, person)
        await night.tournaments.start(id, HOST.id, may_manage=False)
    await night.until(lambda: len(night.playing()) == 5, seconds=20)
    assert any(table.game and table.game.deal and table.game.deal.trick.cards for table in night.tables.live)
    await night.close()
    thinking.close()


# Killed after each step: nothing is lost, and nothing happens twice


class Mortal(Night):
    """A night whose file takes only so many more writes: what comes after is lost, as in a kill."""

    left = writes = 1

    def _others(self) -> list[Tournaments]:
        self.left, write = self.writes, self.database.write

        async def write_while_alive(change: Callable[..., Any]) -> Any:
            if self.left <= 0:
                raise Refusal("cannot_save")
            self.left -= 1
            return await write(change)

        self.database.write = write_while_alive
        return super()._others()

    async def go_on(self, terms: Terms, count: int) -> Tournament | None:
        """What people do in this life, as far as it goes; the tournament once it is over."""
        try:
            tournament = await self.tournaments.find(1)
        except Refusal:
            tournament = await self.tournaments.open(GUILD, CHANNEL, HOST, terms)
        if not tournament.is_live:
            return tournament
        if tournament.state is TournamentState.SIGNING_UP:
            for person in people(count):
                if person.id not in tournament.by_person:
                    await self.tournaments.sign_up(tournament.id, person)
            await self.tournaments.start(tournament.id, HOST.id, may_manage=False)
            await self.settle()
        while self.left > 0:
            tournament = await self.tournaments.find(tournament.id)
            if tables := self.playing():
                await self.play_deal(tables[0])
            elif not tournament.is_live:
                return tournament
            else:
                await self.wait(100 if tournament.has_next_round else 2000, step=2000)
            await self.settle()
        return None


@pytest.mark.slow
@pytest.mark.parametrize(("count", "rounds", "writes"), [(3, 2, 1), (3, 2, 2), (5, 1, 1), (5, 1, 3)])
async def test_a_night_outlives_a_kill_after_every_step(
    path: Path, count: int, rounds: int, writes: int, caplog: pytest.LogCaptureFixture
) -> None:
    night = Mortal(path)
    night.writes = writes
    terms, over, lives = Terms(CLASSIC, rounds=rounds, deals=1), None, 0
    while over is None:
        await night.open()
        with suppress(Refusal):
            over = await night.go_on(terms, count)
        await night.close()
        lives += 1
        assert lives < 1000
    check(over, count)
    assert lives > 60 / writes
    await night.open()
    marks = Counter(night.asked)
    assert marks.keys() == {(round.number, table.number) for round, table in over.tables}
    ids = await night.database.read("SELECT id FROM tables ORDER BY id")
    assert [id for (id,) in ids] == sorted(table.table for _, table in over.tables if table.table)
    lines = await night.tournaments.season(GUILD, None)
    assert [line.played for line in lines] == [1] * count
    await night.close()
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.slow
async def test_tables_of_a_tournament_that_is_over_close_after_a_kill(path: Path) -> None:
    """It was stopped, and the bot killed before that was told to its tables."""
    night = Mortal(path)
    night.writes = 1000
    await night.open()
    id = await night.start(3, Terms(CLASSIC, rounds=1, deals=1))
    assert night.playing()
    night.left = 1
    await night.tournaments.cancel(id, HOST.id, may_manage=False)
    await night.settle()
    assert night.playing(), "it took no more than one write"
    await night.restart()
    assert (await night.tournaments.find(id)).state is TournamentState.STOPPED
    assert not night.tables.live
    await night.close()
