"""What the table service promises whatever happens around it: memory and database tell the same."""

import asyncio
import logging
from collections.abc import Coroutine
from random import Random
from typing import Any

import pytest
from baretable import BareTable, started
from house import ANN, BO, CLASSIC, CY, LONG_GAME, House, act, play_on, refusal

from engine.errors import Refusal
from engine.languages import by_code
from engine.loading import in_thread
from engine.play.moves import SeatMove
from engine.play.views import SeatView
from engine.players import Strength, medium_move
from engine.rules.ruleset import Ruleset
from engine.storage.settings import TRACES_LEFT
from engine.tables import Hints, Moment, NoticeKind, Pace, State, Table, Tables, changes, planning
from engine.tables.service import UNPLAYED_KEPT
from engine.tables.store import TableStore

CHINESE = by_code("zh")


async def ann_acts(house: House) -> Table:
    """She does something that she may."""
    return await act(house.tables, house.table, Random(len(house.table.game.deals)))


async def as_stored(house: House) -> Table:
    """What another process would find."""
    *_, table = await Tables(house.database, clock=lambda: 0.0).resume()
    return table


@pytest.mark.slow
async def test_a_caller_who_goes_away_at_any_moment_leaves_no_table_behind_its_log(house: House) -> None:
    await house.start(ANN, rules=LONG_GAME)
    for turns in range(30):
        before = house.table
        going_away = asyncio.create_task(ann_acts(house))
        for _ in range(turns):
            await asyncio.sleep(0.0001)
        going_away.cancel()
        await asyncio.wait([going_away])
        await house.tables.close()  # which finishes what is in hand
        assert await as_stored(house) == house.table
        assert await ann_acts(house) != before


async def test_closing_finishes_what_is_in_hand(house: House) -> None:
    before = await house.start(ANN)
    moving = asyncio.create_task(ann_acts(house))
    await asyncio.sleep(0)
    await house.tables.close()
    assert await as_stored(house) == await moving == house.table != before


async def test_a_game_is_found_as_it_is_at_one_moment_while_another_begins(house: House) -> None:
    store, table = TableStore(house.database, in_thread), await house.start(ANN)
    for _ in range(3):
        await house.stop(table)
        before, table = table, await house.seat(ANN)
        _, *found = await asyncio.gather(
            house.tables.change(table.id, changes.start, ANN.id), *(store.latest_game(1) for _ in range(4))
        )
        assert {one.id for one in found if one} <= {before.id, table.id}


async def test_a_listener_that_fails_undoes_nothing_and_is_logged_with_the_tables_number(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(table: Table) -> None:
        raise ValueError("no ink")

    house.tables.watch(fail)
    table = await house.start(ANN)
    for _ in range(5):
        await ann_acts(house)
    assert await as_stored(house) == house.table
    errors = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert {record.getMessage() for record in errors} == {f"table {table.id} could not be told"}


async def test_a_timer_that_fails_is_logged_with_the_tables_number_and_the_table_goes_on(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    def lost(view: SeatView, rng: Random) -> SeatMove:
        if view.seat in (0, 1):
            raise ValueError("no mind")
        return medium_move(view, rng)

    house.options["computer"] = lambda strength, manner: lost
    await house.restart()
    table = await house.start(ANN, BO, pace=Pace.LIVE)
    for _ in range(2):  # the reminder, and the end of the turn
        await house.wait(table.timer.limit / 2)
    assert f"the timer of table {table.id} failed: no mind" in caplog.text
    assert (await ann_acts(house)).game != table.game


async def deserted(house: House) -> int:
    """The id of a table that everybody has left."""
    table = await house.start(ANN)
    await house.tables.change(table.id, changes.leave_or_stay_out, ANN.id)
    return table.id


async def under_way(house: House, *asked: Coroutine[Any, Any, Any]) -> list[Any]:
    """What comes of these when each is begun before the one ahead of it could be stored."""
    async with house.database.snapshot():
        tasks = [asyncio.create_task(one) for one in asked]
        while house.database.waiting < 2:  # noqa: ASYNC110 - ours, and the first of them; no event tells so
            await asyncio.sleep(0)
        for _ in range(5):  # the others as far as they get
            await asyncio.sleep(0)
    return await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_table_can_be_opened_while_a_deserted_one_closes_there(house: House) -> None:
    old = await deserted(house)
    closing = house.tables.change(old, changes.close, NoticeKind.DESERTED)
    closed, opened = await under_way(house, closing, house.tables.open(1, 1, ANN, CLASSIC))
    assert not closed.is_live
    assert house.tables.in_channel(1) == house.table == opened


async def test_a_deserted_table_makes_way_unless_somebody_has_just_come_back(house: House) -> None:
    old, tables = await deserted(house), house.tables
    back, refused = await under_way(house, tables.join(old, ANN), tables.open(1, 1, BO, CLASSIC))
    assert isinstance(refused, Refusal)
    assert refused.id == "table_in_channel"
    assert tables.in_channel(1) == back
    await tables.change(old, changes.leave_or_stay_out, ANN.id)
    assert await house.seat(BO) == house.table  # for which a deserted one makes way
    assert (await tables.find(old)).state is State.STOPPED


def test_a_table_whose_host_is_forgotten_has_none_to_name() -> None:
    table = started(ANN, BO)
    table.do(changes.leave_or_stay_out, BO.id)
    table.do(changes.forget, ANN.id)
    assert table.refusal(changes.change_pace, BO.id, Pace.LIVE) == "no_host"
    assert table.refusal(changes.stop, BO.id, may_manage=False) == "only_manager_may_stop"


def test_a_notice_in_the_lobby_follows_its_player_when_another_leaves() -> None:
    table = started(ANN, BO, CY)
    table.value = changes.rematch(table.stop(), CY)
    table.do(planning.plan_start, CY.id, 3600.0, 0.0)
    notice = table.do(changes.leave_or_stay_out, ANN.id).notice
    assert [table.value.seats[seat].name for seat in notice.seats] == ["Cy"]
    assert not notice.is_void
    assert table.do(changes.leave_or_stay_out, CY.id).notice.is_void


async def test_who_leads_first_is_the_same_after_a_restart_though_forgotten(house: House) -> None:
    before = await house.start(BO, ANN, rules=Ruleset.of("chinese", 4))
    await house.tables.forget(ANN.id)
    assert (await as_stored(house)).game.oldest == before.game.oldest == 1


def test_what_a_form_says_is_changed_in_one_or_not_at_all() -> None:
    table = BareTable(ANN, BO)
    rules = Ruleset.of("cancellation", 5)
    options = (lambda old: rules, Pace.LIVE, Strength.EASY, CHINESE)
    of_deals = {"finishes_early": False, "points_out_moons": False}
    assert table.refusal(changes.set_up, BO.id, *options) == "host_only"
    assert table.refusal(changes.set_up_deals, BO.id, Hints.NOBODY, **of_deals, first=2) == "host_only"
    assert table.refusal(changes.set_up_deals, ANN.id, Hints.NOBODY, **of_deals, first=77) == "stale"
    found = table.do(changes.set_up, ANN.id, *options)
    assert (found.rules, found.pace, found.strength, found.language) == (rules, *options[1:])
    found = table.do(changes.set_up_deals, ANN.id, Hints.NOBODY, **of_deals, first=2)
    assert (found.hints, found.first) == (Hints.NOBODY, 2)
    assert (found.finishes_early, found.points_out_moons) == (False, False)


async def test_a_table_without_a_finished_deal_is_deleted_a_day_after_it_closed(house: House) -> None:
    tables, database = house.tables, house.database
    kept = (await house.start(ANN)).id
    await play_on(tables, house.table, Random(2), lambda table: bool(table.game.points))
    await tables.end(kept, ANN.id)
    await house.stop(await house.seat(ANN, channel=2))
    await house.stop(await house.start(ANN, channel=3))
    await house.stop(await house.seat(ANN, channel=4))
    await house.seat(ANN, channel=5)
    await database.execute("UPDATE tables SET end_seen = 1 WHERE id <> 4")

    async def ids() -> list[int]:
        await tables.drop_unplayed()
        return [id for (id,) in await database.read("SELECT id FROM tables ORDER BY id")]

    house.now += UNPLAYED_KEPT
    assert await ids() == [1, 2, 3, 4, 5]
    house.now += 1
    assert await ids() == [kept, 4, 5], "the end of the fourth is still to be shown, the fifth is open"
    assert await database.read("SELECT 1 FROM people WHERE table_id IN (2, 3)") == []
    assert await database.read("SELECT 1 FROM settings WHERE name = ?", (TRACES_LEFT,))
    await tables.change(5, changes.stop, ANN.id, may_manage=True)
    await database.execute("UPDATE tables SET end_seen = 1")
    house.now += 2 * UNPLAYED_KEPT
    assert await ids() == [kept]
    assert (await house.seat(ANN)).id == 6, "no old button names it"
    assert await refusal(tables.rematch(2, ANN)) == "table_gone"


async def test_a_table_that_ends_meanwhile_keeps_nobody_from_being_forgotten(house: House) -> None:
    table = await house.start(ANN, BO)
    stopped, is_forgotten = await asyncio.gather(house.stop(table), house.tables.forget(BO.id))
    assert stopped.state is State.STOPPED
    assert is_forgotten


# Cards picked to pass


def pick(table: BareTable, place: int, *, is_picked: bool = True) -> tuple[int, ...]:
    """Ann picks a card or puts it back; returns the places of those she has picked."""
    table.do(changes.pick, ANN.id, place, Moment.of(table.value.game), is_picked=is_picked)
    return table.value.picked_by(0)


def test_cards_are_picked_in_any_order_and_put_back() -> None:
    table = started(ANN, BO)
    assert [pick(table, place) for place in (7, 2, 12)] == [(7,), (2, 7), (2, 7, 12)]
    at = Moment.of(table.value.game)
    assert table.refusal(changes.pick, ANN.id, 3, at, is_picked=True) == "all_picked"
    assert pick(table, 7) == (2, 7, 12)
    assert pick(table, 2, is_picked=False) == (7, 12)
    assert table.refusal(changes.pick, ANN.id, 13, at, is_picked=True) == "stale"
    assert table.value.picked_by(1) == ()


def test_a_pass_shows_as_picked_until_its_player_picks_again() -> None:
    table = started(ANN, BO)
    table.act(0)
    passed = table.value.picked_by(0)
    assert len(passed) == 3
    assert pick(table, passed[0], is_picked=False) == passed[1:]
    table.act(0)
    table.act(1)
    at = Moment.of(table.value.game)
    assert table.refusal(changes.pick, ANN.id, 0, at, is_picked=True) == "not_passing"


def test_the_cards_picked_when_time_is_up_are_passed() -> None:
    table = started(ANN, BO, pace=Pace.LIVE)
    hand = table.value.game.deals[0].hands[0]
    for place in (0, 5, 9):
        pick(table, place)
    deal = table.wait(Pace.LIVE.seconds).game.deals[0]
    assert deal.passes[0] == (hand[0], hand[5], hand[9])
    assert len(deal.passes[1]) == 3
