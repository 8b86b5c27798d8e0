"""The daily deal: the same cards and the same answers for everybody, once a day."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any, Self

import house as houses
import pytest
from house import ANN, BO, CY, act, refusal
from lives import life
from outside import edit, traces

from engine.play.moves import Passed, to_json
from engine.play.seal import seal
from engine.storage.backup import back_up
from engine.tables import Forgetting, Forgotten, Moment, Person, State, Table, changes
from engine.tables.days import DEALS_A_DAY, NO_END, date_of, make, rules_of, start_of_day
from engine.tables.forgetting import REFUSED_FOR

pytestmark = pytest.mark.slow

FRIDAY, SATURDAY, SUNDAY, MONDAY = (f"2026-11-{day}" for day in range(20, 24))
NOON = 12 * 60 * 60.0
A_DAY = 24 * 60 * 60.0
HERE, THERE, CHANNEL = 7, 8, 5


class House(houses.House):
    """A house where the daily deal is played, at noon of a day."""

    async def on(self, day: str) -> Self:
        """Close it, and open it on this day."""
        await self.close()
        self.now = start_of_day(day) + NOON
        return await self.open()

    async def play(self, person: Person, guild: int = HERE, *, moves: int = 1000) -> Table:
        """This person plays so many moves of today's game, or of one left before, or all there are."""
        table = self.daily.going_on(person.id) or await self.begin(person, guild)
        for _ in range(moves):
            if not table.is_live:
                break
            # The same for everybody who is at the same place.
            rng = Random(f"{len(table.game.deals)} {len(table.game.deal.tricks)}")
            table = await act(self.tables, table, rng)
        return table

    async def begin(self, person: Person, guild: int = HERE) -> Table:
        return await self.daily.play(person, guild, CHANNEL)

    async def has_been_seen_by(self, person: Person) -> bool:
        """Whether this person isn't dealt today's cards, having seen them before they deleted everything."""
        return await refusal(self.begin(person)) == "seen_today"


@pytest.fixture
async def house(path: Path) -> AsyncIterator[House]:
    """On Saturday."""
    house = await House(path).on(SATURDAY)
    yield house
    await house.close()


def log_of(path: Path, table: int) -> list[Any]:
    """The moves of this table as they are stored."""
    rows = edit(path, f"SELECT move FROM moves WHERE table_id = {table} ORDER BY number")
    return [json.loads(move) for (move,) in rows]


# What is dealt


def test_a_day_has_three_deals_sundays_are_chinese_and_no_game_ends_before() -> None:
    classic, chinese = rules_of(SATURDAY), rules_of(SUNDAY)
    assert (classic.preset.name, chinese.preset.name) == ("classic", "chinese")
    # K7: a moon costs 26. C8 to C10: all that counts, twice where it was exposed, four times with the ten.
    assert sum(classic.counting.values.values()) * DEALS_A_DAY < NO_END == classic.ends_at == chinese.ends_at
    most = sum(map(abs, chinese.counting.values.values())) * 2 * 4
    assert max(most, chinese.counting.sun.points) * DEALS_A_DAY < NO_END
    day = make(SATURDAY, Random(1), 0.0)
    assert [dealt.dealer for dealt in day.deals] == [3, 0, 1]
    assert all(len(set().union(*dealt.hands)) == 52 and dealt.salt for dealt in day.deals)
    assert len(set(day.seals)) == DEALS_A_DAY


async def test_a_day_is_made_the_day_before_and_never_again(house: House) -> None:
    await house.daily.tend()
    before = await house.tables.days.find(SUNDAY)
    assert before.was_sealed_before
    assert await refusal(house.daily.day(SUNDAY)) == "no_such_day"  # which is nobody's business yet
    assert not (await house.daily.day(SATURDAY)).was_sealed_before  # nothing was running on Friday
    await house.on(SUNDAY)
    await house.daily.tend()
    now = await house.daily.day(SUNDAY)
    assert now == before
    assert now.seals == tuple(seal(number, dealt) for number, dealt in enumerate(now.deals, 1))
    assert await refusal(house.daily.day("2020-01-01")) == "no_such_day"


# The same for everybody


async def test_the_same_play_is_answered_alike_and_all_get_the_same_cards(house: House, path: Path) -> None:
    """Two people in two servers, one of them over midnight and a restart; the third passes other cards."""
    ann = await house.play(ANN, HERE)
    await house.play(BO, THERE, moves=20)
    cy = await house.begin(CY)
    given = cy.game.deal.hands[0][-3:]
    await house.tables.change(cy.id, changes.act, CY.id, lambda seat: Passed(seat, given), Moment.of(cy.game))
    cy = await house.play(CY)
    await house.on(SUNDAY)
    bo = await house.play(BO, THERE)
    assert ann.state is bo.state is State.OVER
    as_ann, as_bo, as_cy = (log_of(path, table.id) for table in (ann, bo, cy))
    assert as_bo == as_ann != as_cy
    assert [one for one in as_cy if "dealt" in one] == [to_json(deal.dealt) for deal in ann.game.deals]


def test_another_process_answers_alike(path: Path) -> None:
    """Sets are in another order there, and objects lie elsewhere."""
    logs = []
    for person in (ANN, BO):
        said = subprocess.run(
            [sys.executable, "-c", f"import test_days; test_days.play_two_days({str(path)!r}, {person.id})"],
            capture_output=True,
            check=True,
            cwd=Path(__file__).parent,
            env=os.environ | {"PYTHONHASHSEED": str(person.id), "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        logs.append([log_of(path, int(table)) for table in said.stdout.split()])
    assert logs[0] == logs[1]
    assert [len(log) > DEALS_A_DAY * 52 for log in logs[0]] == [True, True]


def play_two_days(path: str, person: int) -> None:
    """Play Saturday's game and Sunday's, and print the numbers of their tables."""

    async def play() -> None:
        house = House(Path(path))
        for day in (SATURDAY, SUNDAY):
            await house.on(day)
            print((await house.play(Person(person, "Ann"))).id)  # noqa: T201
        await house.close()

    asyncio.run(play())


# Once a day


async def test_a_game_is_resumed_wherever_it_is_asked_for_and_played_once(house: House) -> None:
    begun, *others = await asyncio.gather(*(house.begin(ANN) for _ in range(3)))  # clicks at once
    assert others == [begun, begun]
    begun = await house.play(ANN, HERE, moves=5)
    assert await house.begin(ANN, THERE) == begun == house.table
    await house.on(FRIDAY)  # the clock was set back
    assert (await house.play(ANN)).state is State.OVER
    await house.on(SATURDAY)
    assert await refusal(house.begin(ANN, THERE)) == "played_today"
    house.now = start_of_day(SUNDAY)
    assert (await house.begin(ANN, THERE)).rules.preset.name == "chinese"


async def test_a_game_that_was_left_gives_way_and_ends_after_a_day(house: House) -> None:
    ann, bo = [await house.play(person, moves=5) for person in (ANN, BO)]
    await house.on(SUNDAY)
    await house.daily.tend()
    assert {table.id for table in house.tables.live} == {ann.id, bo.id}
    assert (await house.begin(ANN)).daily.day == SUNDAY
    await house.on(MONDAY)
    await house.daily.tend()
    assert house.table.seats[0].person == ANN.id


# What became of it


async def test_the_ranking_of_a_day(house: House) -> None:
    ann, bo = await house.play(ANN, HERE), await house.play(BO, THERE)
    found = await house.daily.ranking(SATURDAY, ANN.id, HERE)
    assert [one.name for one in found.here] == ["Ann"]  # and not who has played elsewhere
    assert (found.everywhere.people, found.place, found.is_over) == (2, 1, False)
    assert found.own.points == tuple(points[0] for points in ann.game.points)
    assert found.everywhere.averages == found.own.points  # as Bo has played alike
    await house.play(CY, moves=5)
    house.now = start_of_day(SUNDAY) + 1
    await house.play(CY)  # when the cards lie open
    found = await house.daily.ranking(SATURDAY, CY.id, HERE)
    assert (found.own.total, found.place, found.is_over) == (bo.game.totals[0], None, True)
    assert (found.everywhere.people, found.streak) == (2, 1)
    assert not await house.database.read("SELECT * FROM results"), "it counts on no leaderboard"


async def test_a_streak_is_of_days_in_a_row(house: House) -> None:
    streaks = []
    for days in (0, 1, 3, 4, 5):
        day = date_of(start_of_day(SATURDAY) + days * A_DAY)
        house.now = start_of_day(day) + NOON
        await house.play(ANN)
        streaks.append((await house.daily.ranking(day, ANN.id, HERE)).streak)
    assert streaks == [1, 2, 1, 2, 3]


async def test_a_result_is_shared_once(house: House) -> None:
    async def share() -> None:
        async with house.daily.sharing(SATURDAY, ANN.id):
            pass

    assert await refusal(share()) == "already_shared"  # or rather, there is none
    await house.play(ANN)
    with pytest.raises(ZeroDivisionError):
        async with house.daily.sharing(SATURDAY, ANN.id):
            raise ZeroDivisionError  # it could not be posted
    async with house.daily.sharing(SATURDAY, ANN.id):
        assert await refusal(share()) == "already_shared"
    assert await refusal(share()) == "already_shared"


async def test_nothing_of_a_deal_is_told_before_its_day_is_over(house: House) -> None:
    table, games = await house.play(ANN), house.tables.games
    for asked in (games.whole(table.id), games.done_deal(table.id, 1)):
        assert await refusal(asked) == "day_not_over"
    house.now = start_of_day(SUNDAY)
    assert (await games.whole(table.id)).game.deals == table.game.deals
    assert (await games.done_deal(table.id, 1)).dealt == table.game.deals[0].dealt


# Once, whatever is deleted


def secrets_of(path: Path) -> set[bytes]:
    """The keys and hashes of those who have seen a day's cards and deleted everything since."""
    return {secret for row in edit(path, "SELECT key, hash FROM deleted_players") for secret in row}


@pytest.mark.parametrize("moves", [0, 5, 1000])
async def test_nobody_plays_twice_by_deleting_everything(house: House, path: Path, moves: int) -> None:
    await house.begin(ANN)
    await house.play(ANN, moves=moves)
    for _ in range(2):
        assert await house.forgetting.forget(ANN) is Forgotten.WHOLLY
        assert await house.has_been_seen_by(ANN)
        await house.on(SATURDAY)
        await house.daily.tend()
        assert await house.has_been_seen_by(ANN)
    kept, copy = secrets_of(path), path.with_name("copy.sqlite3")
    assert len(kept) == 2
    assert (await house.stored_of(ANN))["daily_deals_seen"] == [SATURDAY]
    assert (await house.begin(BO)).is_live  # who has nothing to do with it
    assert (await house.stored_of(BO))["daily_deals_seen"] == []
    back_up(path, copy)
    assert not traces(copy, *kept), "no copy keeps it for longer"
    other = await House(copy).on(SATURDAY)
    assert (await other.begin(CY)).is_live
    await other.close()


@pytest.mark.parametrize("has_restarted", [False, True])
async def test_after_the_day_nobody_can_tell_who_it_was(
    house: House, path: Path, has_restarted: bool
) -> None:
    await house.play(CY, moves=5)
    await house.on(SUNDAY)
    await house.forgetting.forget(CY)  # who has seen nothing of today's
    assert secrets_of(path) == set()
    for person in (ANN, BO):
        await house.play(person, moves=5)
        await house.forgetting.forget(person)
    kept = secrets_of(path)
    assert len(kept) == 4  # each has a key of their own
    assert traces(path, *kept)
    await house.wait(REFUSED_FOR)
    assert (await house.begin(CY)).daily.day == SUNDAY
    if has_restarted:
        await house.on(MONDAY)
    house.now = start_of_day(MONDAY)
    await house.daily.tend()
    assert not traces(path, *kept)
    assert (await house.begin(ANN)).daily.day == MONDAY


async def test_a_kill_while_everything_is_deleted_lets_nobody_play_twice(house: House, path: Path) -> None:
    await house.play(ANN, moves=5)
    await house.close()
    with life(die_while_forgetting, path) as process:
        process.join(60)
        assert process.exitcode == 9
    await house.on(SATURDAY)
    assert await house.has_been_seen_by(ANN)
    # Until the deletion is finished, the table's number is hers.
    left = (await house.stored_of(ANN))["tables"]
    assert all((table["seat"], table["is_host"]) == (None, False) for table in left)


def die_while_forgetting(path: Path) -> None:
    """A process that is gone as soon as the daily game has been given up."""

    async def die(person: int) -> None:
        os._exit(9)

    async def live() -> None:
        house = await House(path).on(SATURDAY)
        await Forgetting(house.tables, house.database, die, lambda: SATURDAY).forget(ANN)

    asyncio.run(live())
