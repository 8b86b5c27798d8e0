"""Seats that change hands in the middle of a game: wishes, the next deal, and what is stored of them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import acting
import pytest

from engine.errors import Refusal
from engine.names import COMPUTERS, NOBODY
from engine.play.views import seat_view
from engine.players import random_move
from engine.rules.ruleset import Ruleset
from engine.storage import privacy
from engine.storage.database import Database
from engine.storage.settings import TRACES_LEFT
from engine.tables import NoticeKind, Person, State, Table, Tables, changes
from engine.tables.live import Thought
from engine.tables.seats import FormerOccupant, SeatClaim
from tests.bodies import bodies

ANN, BO, CY, DI = (Person(number, name) for number, name in enumerate(("Ann", "Bo", "Cy", "Di"), 1))
LONG_GAME = Ruleset.of("classic", 4, {"ends_at": 500})


@pytest.fixture
def tables(database: Database) -> Tables:
    return Tables(database, rng=Random(3), clock=lambda: 0.0)


async def started(tables: Tables, *people: Person, rules: Ruleset = LONG_GAME) -> Table:
    """These people with computers; the cards are dealt."""
    host, *others = people
    table = await tables.open(1, 1, host, rules)
    for person in others:
        await tables.join(table.id, person)
    return await tables.change(table.id, changes.start, host.id)


async def play_deal(tables: Tables, table: Table) -> Table:
    """Everybody who is there does something that they may, until the next deal is dealt or the game over."""
    assert table.game is not None
    begun = len(table.game.deals)
    while table.is_live and table.game and len(table.game.deals) == begun:
        table = await act(tables, table)
    return table


async def act(tables: Tables, table: Table) -> Table:
    assert table.game is not None
    return await acting.act(tables, table, Random(len(table.game.deals)))


def kind(table: Table) -> NoticeKind:
    assert table.notice is not None
    return table.notice.kind


async def refused(change: object) -> str:
    with pytest.raises(Refusal) as raised:
        await change  # type: ignore[misc]
    return raised.value.id


async def test_a_computers_seat_is_the_takers_from_the_next_deal_on(tables: Tables) -> None:
    table = await started(tables, ANN)
    before = table.seats[2]
    table = await tables.take_seat(table.id, CY, 2)
    assert kind(table) is NoticeKind.SEAT_WANTED
    assert table.seats[2] == before
    assert table.free_seats == (1, 3)
    table = await play_deal(tables, table)
    assert table.seat_claims == ()
    assert (table.seats[2].person, table.seats[2].name, table.seats[2].since) == (CY.id, "Cy", 2)
    assert table.former_occupants == (FormerOccupant(2, NOBODY, before.name, since=1, until=1),)
    assert table.as_in(1).seats[2].name == before.name
    assert table.as_in(2) is table
    assert 2 in table.awaited
    assert table.seat_in(CY.id, 1) is None
    assert table.seat_in(CY.id, 2) == 2
    assert not table.seats.are_for_one


async def test_what_a_computer_has_thought_of_is_played_although_its_seat_was_taken_meanwhile(
    tables: Tables,
) -> None:
    table = await started(tables, ANN)
    assert table.game is not None
    move = random_move(seat_view(table.game, 0), Random(1))
    after = Thought(table, (move,)).on(await tables.take_seat(table.id, CY, 2))
    assert after.game == table.game.advance(move)
    assert after.seat_claims


async def test_who_had_left_a_seat_that_is_taken_has_left_for_good(tables: Tables) -> None:
    table = await started(tables, ANN, BO)
    await tables.change(table.id, changes.leave_or_stay_out, BO.id)
    table = await tables.take_seat(table.id, CY, 1)
    assert table.seat_of(BO.id) == 1
    table = await play_deal(tables, table)
    assert table.former_occupants == (FormerOccupant(1, BO.id, "Bo", since=1, until=1, deals_before_away=0),)
    assert table.seat_of(BO.id) is None
    assert table.seat_in(BO.id, 1) == 1
    assert await refused(tables.join(table.id, BO)) == "seat_lost"
    table = await play_deal(tables, await tables.take_seat(table.id, BO, 2))
    assert (table.seat_of(BO.id), table.seat_in(BO.id, 1), table.seat_in(BO.id, 2)) == (2, 1, None)


async def test_who_comes_back_in_time_keeps_the_seat(tables: Tables) -> None:
    table = await started(tables, ANN, BO)
    await tables.change(table.id, changes.leave_or_stay_out, BO.id)
    await tables.take_seat(table.id, CY, 1)
    table = await tables.join(table.id, BO)
    assert kind(table) is NoticeKind.BACK_IN_TIME
    table = await play_deal(tables, table)
    assert (table.seats[1].person, table.seats[1].since, table.former_occupants) == (BO.id, 1, ())
    assert table.seat_of(CY.id) is None


async def test_what_cannot_be_taken(tables: Tables) -> None:
    lobby = await tables.open(1, 2, DI, LONG_GAME)
    assert await refused(tables.take_seat(lobby.id, CY, 1)) == "not_started"
    table = await started(tables, ANN, BO)
    assert await refused(tables.take_seat(table.id, ANN, 2)) == "already_seated"
    assert await refused(tables.take_seat(table.id, CY, 1)) == "seat_taken"
    assert await refused(tables.take_seat(table.id, CY, 17)) == "seat_taken"
    await tables.change(table.id, changes.leave_or_stay_out, BO.id)
    assert await refused(tables.take_seat(table.id, BO, 2)) == "away"
    await tables.take_seat(table.id, CY, 2)
    assert await refused(tables.take_seat(table.id, CY, 3)) == "already_taking"
    assert await refused(tables.take_seat(table.id, DI, 2)) == "seat_taken"
    await tables.take_seat(table.id, DI, 1)
    await tables.take_seat(table.id, Person(5, "Ed"), 3)
    assert await refused(tables.take_seat(table.id, Person(6, "Flo"), 3)) == "no_free_seat"


async def test_a_wish_is_taken_back(tables: Tables) -> None:
    table = await started(tables, ANN)
    await tables.take_seat(table.id, CY, 2)
    table = await tables.change(table.id, changes.leave_or_stay_out, CY.id)
    assert (table.seat_claims, kind(table)) == ((), NoticeKind.SEAT_FREE)
    assert await refused(tables.change(table.id, changes.leave_or_stay_out, CY.id)) == "not_seated"
    table = await play_deal(tables, table)
    assert table.seats[2].person is None


async def test_the_host_closes_the_seats_and_opens_them_again(tables: Tables, database: Database) -> None:
    table = await started(tables, ANN, BO)
    await tables.take_seat(table.id, CY, 2)
    assert (
        await refused(tables.change(table.id, changes.change_latecomers, BO.id, welcome=False)) == "host_only"
    )
    table = await tables.change(table.id, changes.change_latecomers, ANN.id, welcome=False)
    assert (table.seat_claims, table.free_seats, kind(table)) == ((), (), NoticeKind.SEATS_CLOSED)
    assert await refused(tables.take_seat(table.id, CY, 2)) == "no_latecomers"
    [again] = await Tables(database).resume()
    assert not again.takes_latecomers
    table = await tables.change(table.id, changes.change_latecomers, ANN.id, welcome=True)
    assert kind(table) is NoticeKind.SEATS_OPENED
    assert (await tables.take_seat(table.id, CY, 2)).seat_claims


async def test_a_wish_outlives_a_restart(tables: Tables, database: Database) -> None:
    table = await started(tables, ANN, BO)
    await tables.change(table.id, changes.leave_or_stay_out, BO.id)
    await tables.take_seat(table.id, CY, 1)
    await tables.close()
    again = Tables(database, rng=Random(3), clock=lambda: 0.0)
    [table] = await again.resume()
    assert table.seat_claims == (SeatClaim(1, CY.id, "Cy"),)
    table = await play_deal(again, table)
    await again.close()
    [table] = await Tables(database).resume()
    assert (table.seats[1].person, table.seats[1].since) == (CY.id, 2)
    assert table.former_occupants == (FormerOccupant(1, BO.id, "Bo", since=1, until=1, deals_before_away=0),)


async def test_a_game_that_all_have_left_goes_on_for_who_wants_in(tables: Tables) -> None:
    table = await started(tables, ANN, BO)
    await tables.change(table.id, changes.leave_or_stay_out, BO.id)
    table = await tables.change(table.id, changes.leave_or_stay_out, ANN.id)
    assert not table.has_people
    assert table.free_seats == (2, 3)  # who has left could not come back before the next deal
    table = await tables.take_seat(table.id, CY, 2)
    assert table.game is not None
    assert len(table.game.deals) == 2  # the computers have played the first to its end
    assert (table.seats[2].person, table.host) == (CY.id, CY.id)
    assert table.awaited == (2,)
    assert table.free_seats == (0, 1, 3)
    assert (await tables.join(table.id, ANN)).seats[0].is_played_by_person


async def test_where_all_of_a_full_table_have_left_whoever_wants_in_takes_a_seat_of_theirs(
    tables: Tables,
) -> None:
    table = await started(tables, ANN, BO, CY, DI)
    for person in (ANN, BO, CY, DI):
        table = await tables.change(table.id, changes.leave_or_stay_out, person.id)
    table = await tables.take_seat(table.id, Person(5, "Ed"), 3)
    assert table.former_occupants == (FormerOccupant(3, DI.id, "Di", since=1, until=1, deals_before_away=0),)
    assert table.awaited == (3,)


async def test_a_table_that_somebody_is_about_to_join_makes_no_room_for_another(
    tables: Tables, database: Database
) -> None:
    table = await started(tables, ANN, BO)
    await tables.take_seat(table.id, CY, 2)
    await tables.change(table.id, changes.leave_or_stay_out, BO.id)
    assert await refused(tables.open(1, 1, DI, LONG_GAME)) == "table_in_channel"


async def test_with_the_games_last_deal_nobody_takes_a_seat(tables: Tables) -> None:
    table = await started(tables, ANN, rules=Ruleset.of("classic", 4, {"ends_at": 1}))
    await tables.take_seat(table.id, CY, 2)
    table = await play_deal(tables, table)
    assert table.state is State.OVER
    assert table.seats[2].person is None
    rematch = await tables.rematch(table.id, ANN)
    assert (rematch.seat_claims, rematch.seat_of(CY.id)) == ((), None)


async def test_computers_names_stay_apart_from_a_takers(tables: Tables) -> None:
    table = await started(tables, ANN)
    other = table.seats[1].name
    table = await play_deal(tables, await tables.take_seat(table.id, Person(CY.id, other.upper()), 2))
    names = [seat.name.casefold() for seat in table.seats]
    assert len(set(names)) == len(names)
    assert table.seats[2].name == other.upper()


async def test_a_rematch_keeps_who_sits_there_now_from_its_first_deal(tables: Tables) -> None:
    table = await started(tables, ANN, BO, rules=Ruleset.of("classic", 4, {"ends_at": 30}))
    await tables.change(table.id, changes.leave_or_stay_out, BO.id)
    await tables.take_seat(table.id, CY, 1)
    while table.is_live:
        table = await play_deal(tables, table)
    assert table.seat_of(CY.id) == 1
    assert await refused(tables.rematch(table.id, BO)) == "no_rematch"
    rematch = await tables.rematch(table.id, CY)
    assert [seat.person for seat in rematch.seats if seat.person] == [ANN.id, CY.id]
    assert {seat.since for seat in rematch.seats} == {1}


@pytest.mark.parametrize("has_left", [True, False])
async def test_a_rematch_is_led_by_who_was_named_for_it_if_they_are_there(
    tables: Tables, has_left: bool
) -> None:
    table = await tables.open(1, 1, ANN, Ruleset.of("chinese", 4))
    table = await tables.join(table.id, BO)
    await tables.change(
        table.id,
        changes.set_up_deals,
        ANN.id,
        table.hints,
        finishes_early=True,
        points_out_moons=True,
        first=BO.id,
    )
    await tables.change(table.id, changes.start, ANN.id)
    if has_left:
        await tables.change(table.id, changes.leave_or_stay_out, BO.id)
    await tables.change(table.id, changes.stop, ANN.id, may_manage=True)
    assert (await tables.rematch(table.id, ANN)).first == (None if has_left else BO.id)


async def test_who_is_forgotten_wants_nothing_and_has_lost_nothing(
    tables: Tables, database: Database, path: Path
) -> None:
    table = await started(tables, ANN, BO)
    await tables.change(table.id, changes.leave_or_stay_out, BO.id)
    table = await play_deal(tables, await tables.take_seat(table.id, CY, 1))
    await tables.take_seat(table.id, DI, 2)
    assert await tables.forget(BO.id)
    assert await tables.forget(DI.id)
    table = tables.get(table.id)
    [before] = table.former_occupants  # the deal is not held against Cy, who has the seat now
    assert (before.seat, before.person, before.until, table.seat_claims) == (1, NOBODY, 1, ())
    assert before.name in set(COMPUTERS) - {seat.name for seat in table.seats}
    assert table.as_in(1).seats[1].person is None
    [stored] = bodies(path)
    assert [(one["person"], one["name"]) for one in stored["former_occupants"]] == [(NOBODY, before.name)]
    assert stored["seat_claims"] == []
    [(noted,)] = await database.read("SELECT COUNT(*) FROM settings WHERE name = ?", (TRACES_LEFT,))
    assert noted


async def test_who_is_forgotten_leaves_a_table_that_cannot_be_read_too(
    tables: Tables, database: Database, path: Path
) -> None:
    table = await tables.open(1, 1, ANN, Ruleset.of("chinese", 4))
    await tables.join(table.id, BO)
    await tables.change(
        table.id,
        changes.set_up_deals,
        ANN.id,
        table.hints,
        finishes_early=True,
        points_out_moons=True,
        first=BO.id,
    )
    await tables.change(table.id, changes.start, ANN.id)
    await tables.change(table.id, changes.leave_or_stay_out, BO.id)
    await tables.take_seat(table.id, CY, 2)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE moves SET move = 'QS'")
    assert await Tables(database).resume() == []
    for person in (BO, CY):
        await privacy.delete(database, person.id, person.name, [Tables.stored])
    [stored] = bodies(path)
    assert (stored["first"], stored["seat_claims"]) == (None, [])
    assert (stored["seats"][1]["person"], stored["seats"][1]["away"]) == (None, False)


async def test_of_each_deal_it_is_known_who_had_the_seat_although_the_next_is_forgotten(
    tables: Tables,
) -> None:
    table = await started(tables, ANN, BO)
    await tables.change(table.id, changes.leave_or_stay_out, BO.id)
    table = await play_deal(tables, await tables.take_seat(table.id, CY, 1))
    await tables.forget(CY.id)
    name = tables.get(table.id).seats[1].name
    table = await play_deal(tables, await tables.take_seat(table.id, DI, 1))
    assert [table.as_in(deal).seats[1].name for deal in (1, 2, 3)] == ["Bo", name, "Di"]
