"""What the table service promises whatever happens around it: memory and database tell the same."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from itertools import count
from random import Random
from typing import Any

import acting
import pytest

from engine.errors import Refusal
from engine.languages import by_code
from engine.loading import in_thread
from engine.play.game import Game, shuffle
from engine.play.moves import Move, SeatMove
from engine.play.views import SeatView, seat_view
from engine.players import Strength, medium_move, random_move
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.tables import Hints, NoticeKind, Pace, Person, State, Table, Tables, changes
from engine.tables.service import UNPLAYED_KEPT
from engine.tables.store import TableStore

ANN = Person(1, "Ann")
CHINESE = by_code("zh")


async def started(tables: Tables) -> Table:
    """Ann alone with computers."""
    table = await tables.open(1, 1, ANN, Ruleset.of("classic", 4, {"ends_at": 500}))
    return await tables.change(table.id, changes.start, ANN.id)


async def act(tables: Tables, table: Table) -> Table:
    """Ann does something that she may."""
    table = tables.get(table.id)
    assert table.game is not None
    return await acting.act(tables, table, Random(len(table.game.deals)))


async def as_stored(database: Database) -> Table:
    """What another process would find."""
    *_, table = await Tables(database, clock=lambda: 0.0).resume()
    return table


@pytest.mark.slow
async def test_a_caller_who_goes_away_at_any_moment_leaves_no_table_behind_its_log(
    database: Database,
) -> None:
    tables = Tables(database, rng=Random(3))
    table = await started(tables)
    for turns in range(30):
        before = tables.get(table.id)
        going_away = asyncio.create_task(act(tables, table))
        for _ in range(turns):
            await asyncio.sleep(0.0001)
        going_away.cancel()
        await asyncio.wait([going_away])
        await tables.close()
        assert await as_stored(database) == tables.get(table.id)
        assert await act(tables, table) != before


async def test_a_game_is_found_as_it_is_at_one_moment_while_another_begins(database: Database) -> None:
    store, tables = TableStore(database, in_thread), Tables(database, rng=Random(3))
    table = await started(tables)
    for _ in range(3):
        await tables.change(table.id, changes.stop, ANN.id, may_manage=True)
        before, table = table, await tables.open(1, 1, ANN, Ruleset.of("classic", 4))
        _, *found = await asyncio.gather(
            tables.change(table.id, changes.start, ANN.id), *(store.latest_game(1) for _ in range(4))
        )
        assert {one.id for one in found if one} <= {before.id, table.id}


async def test_closing_finishes_what_is_in_hand(database: Database) -> None:
    tables = Tables(database, rng=Random(3))
    table = await started(tables)
    moving = asyncio.create_task(act(tables, table))
    await asyncio.sleep(0)
    await tables.close()
    assert await as_stored(database) == await moving


async def test_a_listener_that_fails_undoes_nothing_and_is_logged_with_the_tables_number(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(table: Table) -> None:
        raise ValueError("no ink")

    tables = Tables(database, fail, rng=Random(3))
    table = await started(tables)
    for _ in range(5):
        await act(tables, table)
    assert await as_stored(database) == tables.get(table.id)
    errors = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert {record.getMessage() for record in errors} == {f"table {table.id} could not be told"}


async def test_a_timer_that_fails_is_logged_with_the_tables_number_and_the_table_goes_on(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    def lost(view: SeatView, rng: Random) -> SeatMove:
        if view.seat in (0, 1):
            raise ValueError("no mind")
        return medium_move(view, rng)

    leaps = count(0, 40)  # seconds: each look at the clock is later than the next ring
    tables = Tables(
        database, rng=Random(3), computer=lambda strength, manner: lost, clock=lambda: next(leaps)
    )
    table = await tables.open(1, 1, ANN, Ruleset.of("classic", 4))
    await tables.join(table.id, Person(2, "Bo"))
    table = await tables.change(table.id, changes.start, ANN.id)
    await tables.change(table.id, changes.change_pace, ANN.id, Pace.LIVE)
    async with asyncio.timeout(5):
        while f"the timer of table {table.id} failed" not in caplog.text:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert "no mind" in caplog.text
    assert (await act(tables, table)).game != table.game
    await tables.close()


async def deserted(tables: Tables) -> Table:
    """Everybody has left."""
    table = await started(tables)
    return await tables.change(table.id, changes.leave_or_stay_out, ANN.id)


async def under_way(database: Database, *asked: Coroutine[Any, Any, Any]) -> list[Any]:
    """What comes of these when each is begun before the one ahead of it could be stored."""
    async with database.snapshot():
        tasks = [asyncio.create_task(one) for one in asked]
        while database.waiting < 2:  # noqa: ASYNC110 - ours, and the first of them; no event tells so
            await asyncio.sleep(0)
        for _ in range(5):  # the others as far as they get
            await asyncio.sleep(0)
    return await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_table_can_be_opened_while_a_deserted_one_closes_there(database: Database) -> None:
    tables = Tables(database, rng=Random(3))
    old = await deserted(tables)
    closed, opened = await under_way(
        database,
        tables.change(old.id, changes.close, NoticeKind.DESERTED),
        tables.open(1, 1, ANN, Ruleset.of("classic", 4)),
    )
    assert not closed.is_live
    assert tables.in_channel(1) == opened
    assert tables.live == [opened]


async def test_a_table_to_which_somebody_has_just_come_back_makes_way_for_no_other(
    database: Database,
) -> None:
    tables = Tables(database, rng=Random(3))
    old = await deserted(tables)
    back, refusal = await under_way(
        database, tables.join(old.id, ANN), tables.open(1, 1, Person(2, "Bo"), Ruleset.of("classic", 4))
    )
    assert isinstance(refusal, Refusal)
    assert refusal.id == "table_in_channel"
    assert tables.in_channel(1) == back


async def test_a_table_whose_host_is_forgotten_has_none_to_name(database: Database) -> None:
    tables, bo = Tables(database, rng=Random(3)), Person(2, "Bo")
    table = await tables.open(1, 1, ANN, Ruleset.of("classic", 4))
    await tables.join(table.id, bo)
    await tables.change(table.id, changes.start, ANN.id)
    await tables.change(table.id, changes.leave_or_stay_out, bo.id)
    await tables.forget(ANN.id)
    for refused, id in (
        (tables.change(table.id, changes.change_pace, bo.id, Pace.LIVE), "no_host"),
        (tables.change(table.id, changes.stop, bo.id, may_manage=False), "only_manager_may_stop"),
    ):
        with pytest.raises(Refusal) as refusal:
            await refused
        assert refusal.value.id == id


async def test_a_notice_in_the_lobby_follows_its_player_when_another_leaves(database: Database) -> None:
    tables, people = Tables(database, clock=lambda: 0.0), [ANN, Person(2, "Bo"), Person(3, "Cy")]
    table = await tables.open(1, 1, ANN, Ruleset.of("classic", 4))
    for person in people[1:]:
        await tables.join(table.id, person)
    await tables.change(table.id, changes.start, ANN.id)
    await tables.change(table.id, changes.stop, ANN.id, may_manage=True)
    table = await tables.rematch(table.id, people[2])
    await tables.plan_start(table.id, 3, 3600.0)
    table = await tables.change(table.id, changes.leave_or_stay_out, 1)
    assert table.notice is not None
    assert [table.seats[seat].name for seat in table.notice.seats] == ["Cy"]
    assert not table.notice.is_void
    assert await as_stored(database) == table
    table = await tables.change(table.id, changes.leave_or_stay_out, 3)
    assert table.notice is not None
    assert table.notice.is_void
    assert await as_stored(database) == table


async def test_the_player_who_leads_first_is_the_same_after_a_restart_though_forgotten(
    database: Database,
) -> None:
    tables, bo = Tables(database, rng=Random(3)), Person(2, "Bo")
    table = await tables.open(1, 1, bo, Ruleset.of("chinese", 4))
    await tables.join(table.id, ANN)
    before = await tables.change(table.id, changes.start, bo.id)
    await tables.forget(ANN.id)
    table = await as_stored(database)
    assert table.game is not None
    assert before.game is not None
    assert table.game.oldest == before.game.oldest == 1


async def test_a_deserted_table_makes_way_for_another(database: Database) -> None:
    tables = Tables(database, rng=Random(3))
    old = await deserted(tables)
    new = await tables.open(1, 1, ANN, Ruleset.of("classic", 4))
    assert tables.live == [new]
    assert (await tables.find(old.id)).state is State.STOPPED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "players"),
    [("classic", 4), ("wikibooks", 5), ("double-deck", 7), ("cancellation", 5), ("chinese", 4)],
)
def test_a_game_taken_up_again_at_any_moment_is_the_game_that_was_left(preset: str, players: int) -> None:
    rules = Ruleset.of(preset, players, {"ends_at": 60} if preset != "chinese" else {})
    rng = Random(4)
    game, moves = Game(rules), list[Move]()
    while not game.over and len(game.deals) < 3:
        if game.deal is None:
            move: Move = shuffle(game, rng)
        else:
            seat = rng.choice(game.deal.waiting_for)
            move = random_move(seat_view(game, seat), rng)
        game = game.advance(move)
        moves.append(move)
        assert Game(rules).replay(moves) == game


async def test_what_a_form_says_is_changed_in_one_or_not_at_all(database: Database) -> None:
    told: list[Table] = []
    tables = Tables(database, told.append)
    table = await tables.open(1, 1, ANN, Ruleset.of("classic", 4))
    table = await tables.join(table.id, Person(2, "Bo"))
    told.clear()

    async def set_up(person: int) -> Table:
        rules = Ruleset.of("cancellation", 5)
        return await tables.change(
            table.id, changes.set_up, person, lambda old: rules, Pace.LIVE, Strength.EASY, CHINESE
        )

    async def set_up_deals(person: int, first: int) -> Table:
        return await tables.change(
            table.id,
            changes.set_up_deals,
            person,
            Hints.NOBODY,
            finishes_early=False,
            points_out_moons=False,
            first=first,
        )

    with pytest.raises(Refusal, match="host_only"):
        await set_up(2)
    with pytest.raises(Refusal, match="host_only"):
        await set_up_deals(2, 2)
    with pytest.raises(Refusal, match="stale"):
        await set_up_deals(ANN.id, 77)
    assert tables.get(table.id) == table
    changed = await set_up(ANN.id)
    assert (changed.rules.preset.name, changed.pace, changed.strength, changed.language) == (
        "cancellation",
        Pace.LIVE,
        Strength.EASY,
        CHINESE,
    )
    assert told == [changed]
    changed = await set_up_deals(ANN.id, 2)
    assert (changed.hints, changed.finishes_early, changed.points_out_moons, changed.first) == (
        Hints.NOBODY,
        False,
        False,
        2,
    )
    assert told[1:] == [changed]
    [stored] = await Tables(database).resume()
    assert (stored.rules, stored.pace, stored.first) == (changed.rules, changed.pace, 2)
    assert (stored.strength, stored.hints, stored.language) == (Strength.EASY, Hints.NOBODY, CHINESE)


async def test_a_table_without_a_finished_deal_is_deleted_a_day_after_it_closed(database: Database) -> None:
    now, told = 1e9, list[Table]()
    tables = Tables(database, told.append, rng=Random(3), clock=lambda: now)
    table = await tables.open(1, 1, ANN, Ruleset.of("classic", 4))
    kept = (await tables.change(table.id, changes.start, ANN.id)).id
    await acting.play_on(tables, tables.get(kept), Random(2), lambda table: bool(table.game.points))
    await tables.end(kept, ANN.id)
    for channel in range(2, 6):
        lobby = await tables.open(1, channel, ANN, Ruleset.of("classic", 4))
        if channel == 3:
            await tables.change(lobby.id, changes.start, ANN.id)
        if channel < 5:
            await tables.change(lobby.id, changes.stop, ANN.id, may_manage=True)
    await database.execute("UPDATE tables SET end_seen = 1 WHERE id <> 4")

    async def ids() -> list[int]:
        return [id for (id,) in await database.read("SELECT id FROM tables ORDER BY id")]

    now += UNPLAYED_KEPT
    await tables.drop_unplayed()
    assert await ids() == [1, 2, 3, 4, 5]
    now += 1
    await tables.drop_unplayed()
    assert await ids() == [kept, 4, 5], "the end of the fourth is still to be shown, the fifth is open"
    assert await database.read("SELECT 1 FROM people WHERE table_id IN (2, 3)") == []
    await tables.change(5, changes.stop, ANN.id, may_manage=True)
    await database.execute("UPDATE tables SET end_seen = 1")
    now += 2 * UNPLAYED_KEPT
    await tables.drop_unplayed()
    assert await ids() == [kept]
    assert (await tables.open(1, 1, ANN, Ruleset.of("classic", 4))).id == 6, "no old button names it"
    with pytest.raises(Refusal, match="table_gone"):
        await tables.rematch(2, ANN)
