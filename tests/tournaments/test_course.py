"""What comes between: late people, people who leave or never come, time that is up, places that are gone."""

from collections.abc import Awaitable

import pytest
from night import CHANNEL, CLASSIC, GUILD, HOST, Night, people

from engine.errors import Refusal
from engine.play.par import Par
from engine.tables import NoticeKind, Pace, Person, State, changes
from engine.tables.flow import LEFT_TO_COMPUTERS
from engine.tournaments import Reason, RoundTable, TableState, Terms, Tournament, TournamentState, standings
from engine.tournaments.changes import PAUSE, TRIES, TRY_AGAIN
from tests.tables.house import act, refusal

SHORT, ONE_DEAL = (Terms(CLASSIC, rounds=rounds, deals=1) for rounds in (2, 1))
ANN, BO, CY, DI = people(4)
LATE = Person(1, "Late")


def counted(over: Tournament) -> dict[str, int]:
    """How many deals count for each person."""
    return {one.entrant.name: len(one.deals) for one in standings(over)}


def is_out(night: Night, person: Person = ANN) -> bool:
    return night.tournament.by_person[person.id].is_out


def first_round(night: Night) -> tuple[RoundTable, ...]:
    return night.tournament.rounds[0].tables


# People who come late, leave, come back or never come


async def test_who_comes_late_or_again_plays_from_the_next_round(night: Night) -> None:
    id = await night.start(4, Terms(CLASSIC, rounds=3, deals=1))
    await night.tournaments.sign_up(id, LATE)
    assert night.table.seat_of(LATE.id) is None
    await night.tournaments.withdraw(id, ANN.id)
    await night.next_round()
    await night.tournaments.sign_up(id, ANN)
    assert (night.table.seat_of(ANN.id), len(night.table.seats.people)) == (None, 4)
    await night.next_round()
    assert sorted(len(table.people) for table in night.tournament.rounds[2].tables) == [2, 3]
    assert await refusal(night.tournaments.sign_up(id, Person(2, "Later"))) == "tournament_last_round"


async def test_nobody_comes_back_for_whom_nothing_is_left_to_play(night: Night) -> None:
    id = await night.start(8, ONE_DEAL)
    first, second = night.playing()
    one, other = (Person(table.seats.people[0].person or 0, "P") for table in (first, second))
    for person in (one, other):
        await night.tournaments.withdraw(id, person.id)
    await night.play_deal(night.tables.get(first.id))
    await night.settle()
    assert await refusal(night.tournaments.sign_up(id, one)) == "tournament_last_round"
    await night.tournaments.sign_up(id, other)
    assert not is_out(night, other)


@pytest.mark.parametrize(
    ("leaves", "comes", "counts"), [(5, None, 0), (7, None, 1), (0, 1, 1), (0, 8, 0)], ids=str
)
async def test_a_deal_counts_for_who_made_most_of_their_moves(
    night: Night, leaves: int, comes: int | None, counts: int
) -> None:
    id = await night.start(4, ONE_DEAL)
    await play_tricks(night, leaves)
    await night.tables.change(night.table.id, changes.leave_or_stay_out, ANN.id)
    await night.restart()
    if comes is not None:
        await play_tricks(night, comes)
        await night.tables.join(night.table.id, ANN)
    assert counted(await night.to_the_end(id)) == {"P1": counts, "P2": 1, "P3": 1, "P4": 1}


async def play_tricks(night: Night, tricks: int) -> None:
    """Everyone plays until this many tricks are done."""
    while len(night.table.game.deals[-1].tricks) < tricks:
        await act(night.tables, night.table, night.rng)


async def test_who_withdraws_or_leaves_the_table_has_the_seat_again_by_joining_either(night: Night) -> None:
    id = await night.start(4, SHORT)
    tables, tournaments, table = night.tables, night.tournaments, night.table
    seat = table.seat_of(ANN.id)
    assert await refusal(tournaments.sign_up(id, ANN)) == "signed_up"
    await tables.change(table.id, changes.leave_or_stay_out, ANN.id)
    await tournaments.sign_up(id, ANN)
    assert not night.table.seats[seat].away
    await tournaments.withdraw(id, ANN.id)
    assert night.table.seats[seat].has_left
    assert is_out(night)
    assert await refusal(tournaments.withdraw(id, ANN.id)) == "not_signed_up"
    await tournaments.sign_up(id, ANN)
    assert not night.table.seats[seat].away
    assert not is_out(night)
    await tournaments.withdraw(id, ANN.id)
    await tables.join(table.id, ANN)
    await night.play_round()
    assert not is_out(night)


async def play_without(night: Night, absent: Person) -> None:
    """Everyone else plays until no table waits for anybody: a computer plays for who misses two turns."""
    while tables := night.playing():
        for table in tables:
            there = [seat for seat in table.awaited if table.seats[seat].person != absent.id]
            if there:
                await act(night.tables, table, night.rng, there[0])
            else:
                await night.wait(61)
        await night.settle()


async def test_who_was_away_at_the_end_has_one_more_seat_and_then_sits_out(night: Night) -> None:
    id = await night.start(4, Terms(CLASSIC, rounds=3, deals=2))
    await night.play_deal(night.table)
    await play_without(night, ANN)
    assert [len(deal.played) for deal in first_round(night)[0].deals] == [4, 3]
    assert not is_out(night)
    await night.restart()  # what is known of her is stored
    await night.wait(PAUSE + 1)
    assert night.table.seats[night.table.seat_of(ANN.id)].away
    assert night.tournament.by_person[ANN.id].is_missing
    await play_without(night, ANN)
    assert is_out(night)
    await night.wait(PAUSE + 1)
    assert night.table.seat_of(ANN.id) is None
    assert counted(await night.to_the_end(id)) == {"P1": 1, "P2": 6, "P3": 6, "P4": 6}


async def test_who_was_away_for_long_but_played_a_deal_is_seated_again(night: Night) -> None:
    await night.start(4, Terms(CLASSIC, rounds=2, deals=2, minutes=60))
    await night.play_deal(night.table)
    seat = night.table.seat_of(ANN.id)
    while not night.table.seats[seat].has_left:
        await night.wait(50)
        if others := {*night.table.awaited} - {seat}:
            await act(night.tables, night.table, night.rng, min(others))
    await play_without(night, ANN)
    await night.wait(PAUSE + 1)
    assert night.table.seat_of(ANN.id) is not None


async def test_who_comes_back_between_two_rounds_plays_themselves(night: Night) -> None:
    id = await night.start(4, SHORT)
    await play_without(night, ANN)
    await night.tournaments.sign_up(id, ANN)
    assert await refusal(night.tournaments.sign_up(id, ANN)) == "signed_up"
    await night.wait(PAUSE + 1)
    assert len(night.table.seats.people) == 4
    assert counted(await night.to_the_end(id)) == {"P1": 1, "P2": 2, "P3": 2, "P4": 2}


@pytest.mark.parametrize("is_back", [False, True])
async def test_who_left_after_a_deal_is_seated_again_if_back_before_the_end(
    night: Night, is_back: bool
) -> None:
    await night.start(4, Terms(CLASSIC, rounds=2, deals=2))
    await night.play_deal(night.table)
    await night.tables.change(night.table.id, changes.leave_or_stay_out, ANN.id)
    await night.restart()
    if is_back:
        await night.tables.join(night.table.id, ANN)
    await play_without(night, ANN)
    assert is_out(night) is not is_back
    await night.wait(PAUSE + 1)
    seat = night.table.seat_of(ANN.id)
    assert night.table.seats[seat].away if is_back else seat is None


async def planned(night: Night, count: int, *here: Person) -> int:
    """A tournament whose planned start has come, when of those who signed up these are there."""
    id = await night.sign_up(count, SHORT, starts_in=3600)
    await night.wait(3000 - 20, step=600)
    assert not night.tournament.plan.reminded
    await night.wait(30)
    assert night.tournament.plan.reminded
    for one in here:
        await night.tournaments.be_here(id, one.id)
    await night.wait(595)
    return id


async def test_a_planned_start_seats_those_who_came_together(night: Night) -> None:
    await planned(night, 8, *people(8)[3:])
    first, second = sorted(night.tables.live, key=lambda table: table.channel)
    assert [len(table.seats.people) for table in (first, second)] == [4, 1]
    assert all(seat.has_left for seat in second.seats if seat.away)


@pytest.mark.parametrize("comes", [False, True])
async def test_a_table_where_nobody_came_waits_a_while_and_has_no_results(night: Night, comes: bool) -> None:
    await planned(night, 8, *people(4))
    empty = max(night.tables.live, key=lambda table: table.channel)
    assert empty.game.deal.passes == (None,) * 4
    await night.restart()  # a table where nobody has played can be read
    assert not night.tables.get(empty.id).has_people
    if comes:
        [first, *_] = empty.seats
        await night.tables.join(empty.id, Person(first.person, first.name))
        await night.tables.change(empty.id, changes.leave_or_stay_out, first.person)
    await night.wait(LEFT_TO_COMPUTERS + 5)
    table = first_round(night)[1]
    assert table.state is TableState.DONE
    assert [deal.played for deal in table.deals] == [frozenset()]
    assert await night.database.read("SELECT 1 FROM results") == []
    assert {one.number for one in night.tournament.entrants if one.is_out} == set(table.people)


@pytest.mark.parametrize(("count", "came", "why"), [(1, 1, Reason.TOO_FEW), (5, 1, Reason.NOBODY_CAME)])
async def test_a_start_without_enough_people_closes_it(
    night: Night, count: int, came: int, why: Reason
) -> None:
    stopped = await night.tournaments.find(await planned(night, count, *people(came)))
    assert (stopped.state, stopped.reason) == (TournamentState.STOPPED, why)
    assert night.tournaments.in_guild(GUILD) is None


async def test_another_time_asks_again_who_is_there(night: Night) -> None:
    id = await night.sign_up(2, SHORT, starts_in=400)
    await night.wait(30)

    def plan(at: float | None) -> Awaitable[Tournament]:
        return night.tournaments.plan_start(id, HOST.id, at, may_manage=False)

    assert all(one.is_here for one in night.tournament.entrants)
    moved = await plan(night.now + 7200)
    assert not moved.plan.reminded
    assert not any(one.is_here for one in moved.entrants)
    assert (await plan(None)).plan is None
    await night.wait(8000, step=1000)
    assert night.tournament.state is TournamentState.SIGNING_UP
    assert await refusal(plan(night.now + 60)) == "start_too_soon"


async def test_a_start_that_was_missed_is_caught_up_with_or_dropped(night: Night) -> None:
    id = await night.sign_up(2, SHORT, starts_in=3600)
    await night.be_away(3600 + 600)
    # They have two minutes to say that they are there.
    assert night.tournament.state is TournamentState.SIGNING_UP
    for one in people(2):
        await night.tournaments.be_here(id, one.id)
    await night.wait(121)
    assert night.tournament.state is TournamentState.PLAYING
    other = await night.tournaments.open(GUILD + 1, CHANNEL, HOST, SHORT, night.now + 3600)
    await night.be_away(2 * 3600 + 60)
    await night.wait(1)
    assert (await night.tournaments.find(other.id)).reason is Reason.START_MISSED


async def test_a_tournament_that_almost_all_have_left_ends_with_what_was_played(night: Night) -> None:
    id = await night.start(4, Terms(CLASSIC, rounds=3, deals=1))
    for one in (ANN, BO, CY):
        await night.tournaments.withdraw(id, one.id)
    await night.next_round()
    over = await night.tournaments.find(id)
    assert (over.state, over.reason, len(over.rounds)) == (TournamentState.OVER, Reason.TOO_FEW, 1)
    # A computer played for the others.
    assert [line.name for line in await night.tournaments.season(GUILD, None)] == ["P4"]


# Time


async def test_computers_finish_a_deal_when_the_rounds_time_is_up(night: Night) -> None:
    await night.start(8, Terms(CLASSIC, rounds=2, deals=4, pace=Pace.RELAXED, minutes=8))
    slow, quick = night.tables.live
    await night.play_deal(quick)
    await night.wait(8 * 60 - 5, step=60)
    assert len(night.tables.live) == 2
    await night.wait(10)
    assert night.tables.live == []
    assert [[len(deal.played) for deal in table.deals] for table in first_round(night)] == [[0], [4, 0]]
    assert (await night.tables.find(slow.id)).notice.kind is NoticeKind.ROUND_OVER
    assert not any(one.is_out for one in night.tournament.entrants)
    await night.wait(PAUSE)
    assert len(night.tournament.rounds) == 2


async def test_a_round_has_all_its_time_from_its_opening_also_in_an_absence(night: Night) -> None:
    night.without_place = lambda table: True
    await night.start(4, SHORT)
    night.without_place = lambda table: False
    await night.be_away(9000)
    limit = 60 * night.tournament.terms.limit
    assert night.tournament.rounds[0].until == pytest.approx(night.now + limit, abs=2)
    assert night.table.awaited
    await night.be_away(limit + 100)
    await night.wait(1)
    assert night.tables.live == []
    assert [len(table.deals) for table in first_round(night)] == [1]
    await night.wait(PAUSE + 1)
    assert len(night.tables.live) == 1


# Places


async def test_a_table_without_a_place_holds_up_no_other_and_is_tried_again(night: Night) -> None:
    night.without_place = lambda table: table.number == 1
    await night.start(8, SHORT)
    assert night.table.channel == 10_102
    night.without_place = lambda table: False
    await night.wait(TRY_AGAIN + 1)
    assert sorted(table.channel for table in night.tables.live) == [10_101, 10_102]
    assert first_round(night)[0].tries == 1


async def test_a_table_is_given_up_once_discord_refuses_and_not_while_it_is_away(night: Night) -> None:
    night.without_place = lambda table: table.number == 1
    night.failure = TimeoutError()
    await night.start(8, SHORT)
    await night.play_round()
    await night.wait((TRIES + 1) * TRY_AGAIN)
    assert [table.state for table in first_round(night)] == [TableState.WAITING, TableState.DONE]
    night.failure = Refusal("bot_may_not_post")
    await night.wait(TRY_AGAIN)
    assert first_round(night)[0].state is TableState.GIVEN_UP
    night.without_place = lambda table: False
    await night.wait(PAUSE + 1)
    assert len(night.tables.live) == 2


async def test_a_round_without_any_place_ends_the_tournament(night: Night) -> None:
    night.without_place = lambda table: True
    id = await night.start(8, SHORT)
    await night.wait((TRIES - 2) * TRY_AGAIN)
    assert [table.state for table in first_round(night)] == [TableState.WAITING] * 2
    await night.wait(2 * TRY_AGAIN)
    stopped = await night.tournaments.find(id)
    assert (stopped.state, stopped.reason) == (TournamentState.STOPPED, Reason.NO_PLACE)


async def test_a_table_whose_channel_is_gone_is_over_with_what_was_played(night: Night) -> None:
    await night.start(8, Terms(CLASSIC, rounds=2, deals=2))
    one, _ = night.tables.live
    await night.play_deal(one)
    await night.tables.change(one.id, changes.close, NoticeKind.CHANNEL_GONE)
    await night.settle()
    table = first_round(night)[0]
    assert (table.state, len(table.deals)) == (TableState.DONE, 1)


#: Nothing can be noted of a round's tables, though they can be opened.
BROKEN = """CREATE TRIGGER broken BEFORE UPDATE OF body ON tournaments
    WHEN new.body ->> '$.rounds[0].tables' <> old.body ->> '$.rounds[0].tables'
    BEGIN SELECT RAISE(ABORT, 'broken'); END"""


async def test_what_could_not_be_saved_is_tried_once_a_minute_however_often_the_table_changes(
    night: Night, caplog: pytest.LogCaptureFixture
) -> None:
    await night.start(4, Terms(CLASSIC, rounds=2, deals=3))
    table = night.table
    await night.database.execute(BROKEN)
    for _ in range(2):
        await night.play_deal(night.table)
        await night.settle()
    await night.tables.change(table.id, changes.pause)  # no further change of its own is tried at once
    await night.settle()
    caplog.clear()
    await night.wait(61)
    assert len([one for one in caplog.records if "could not be noted" in one.getMessage()]) == 1
    await night.tables.change(table.id, changes.unpause)
    await night.play_round()
    assert not night.tournament.rounds[0].is_over
    await night.database.execute("DROP TRIGGER broken")
    await night.wait(61)
    assert night.tournament.rounds[0].is_over
    await night.wait(PAUSE + 1)
    assert night.table.id == table.id + 1


async def test_a_table_whose_opening_could_not_be_noted_opens_once(night: Night) -> None:
    id = await night.sign_up(4, SHORT)
    await night.database.execute(BROKEN)
    await night.tournaments.start(id, HOST.id, may_manage=False)
    await night.settle()
    table = night.table
    assert first_round(night)[0].table is None
    await night.database.execute("DROP TRIGGER broken")
    await night.wait(TRY_AGAIN + 1)
    assert night.table.id == table.id
    [known] = first_round(night)
    assert (known.table, known.state) == (table.id, TableState.PLAYING)


# What the table doesn't let anyone do


async def test_nobody_changes_or_ends_a_tournaments_game(night: Night) -> None:
    await night.start(3, SHORT)
    tables, table = night.tables, night.table
    computer = next(number for number, seat in enumerate(table.seats) if seat.person is None)
    for work in (
        tables.change(table.id, changes.change_pace, table.host, Pace.NONE),
        tables.change(table.id, changes.change_latecomers, table.host, welcome=True),
        tables.change(table.id, changes.stop, table.host, may_manage=True),
        tables.end(table.id, table.host),
    ):
        assert await refusal(work) == "tournament_decides"
    assert await refusal(tables.take_seat(table.id, LATE, computer)) == "tournament_seats"
    assert await refusal(tables.join(table.id, LATE)) == "tournament_seats"
    assert await refusal(tables.open(GUILD, table.channel, LATE, CLASSIC)) == "table_in_channel"
    for person in people(3):
        await tables.change(table.id, changes.leave_or_stay_out, person.id)
    assert await refusal(tables.open(GUILD, table.channel, LATE, CLASSIC)) == "table_in_channel"
    await night.wait(LEFT_TO_COMPUTERS + 5)
    assert (await tables.find(table.id)).state is State.OVER
    assert await refusal(tables.rematch(table.id, ANN)) == "tournament_no_rematch"
    assert night.tournament.rounds[0].is_over


# Pars


def par(*points: float) -> Par:
    return Par(points, (0.5,) * len(points), 60)


async def test_the_score_is_what_people_did_against_par(night: Night) -> None:
    id = await night.start(2, Terms(CLASSIC, rounds=1, deals=2))
    await night.play_round()
    [table] = first_round(night)
    before = standings(night.tournament)
    assert [(one.score, one.missing, one.best, one.luck) for one in before] == [(0.0, 2, None, None)] * 2
    assert before[0].points <= before[1].points
    pars = [(5, 6, 7, 8), (1, 2, 3, 20)]
    await night.tables.put_par(table.table, 1, par(*pars[0]))
    await night.settle()
    assert night.tournament.deals_without_par == 1
    await night.tables.put_par(table.table, 2, par(*pars[1]))
    await night.settle()
    over = await night.tournaments.find(id)
    assert over.state is TournamentState.OVER  # at once, as nothing is missing
    for one in standings(over):
        seat = table.seats.index(one.entrant.number)
        gains = [own[seat] - deal.points[seat] for own, deal in zip(pars, table.deals, strict=True)]
        assert (one.score, one.missing) == (round(sum(gains), 1), 0)
    scores = [one.score for one in standings(over)]
    assert [line.score for line in await night.tournaments.season(GUILD, None)] == scores


async def test_a_par_that_comes_after_the_end_changes_the_result(night: Night) -> None:
    over = await night.to_the_end(await night.start(2, ONE_DEAL))
    [(_, table)] = over.tables
    night.changed.clear()
    second = table.seats.index(standings(over)[1].entrant.number)
    points = [0.0] * 4
    points[second] = 100.0
    await night.tables.put_par(table.table, 1, par(*points))
    await night.settle()
    after = await night.tournaments.find(over.id)
    assert after.deals_without_par == 0
    winner = standings(after)[0].entrant
    assert table.seats[second] == winner.number
    assert night.changed == [after]
    assert (await night.tournaments.season(GUILD, None))[0].name == winner.name


async def test_a_par_that_came_just_before_a_kill_counts(night: Night) -> None:
    id = await night.start(2, ONE_DEAL)
    await night.play_round()
    [table] = first_round(night)
    await night.tournaments.close()  # it is stored with its table, and nobody hears of it here
    await night.tables.put_par(table.table, 1, par(5, 6, 7, 8))
    await night.restart()
    assert (await night.tournaments.find(id)).state is TournamentState.OVER
