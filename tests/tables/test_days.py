"""The daily deal: the same cards and the same answers for everybody, once a day."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from lives import life

from engine.errors import Refusal
from engine.play.deal import Phase
from engine.play.moves import Declined, MoonChosen, Passed, Played, SeatMove, to_json
from engine.play.seal import seal
from engine.rules.options import MoonChoice
from engine.storage.backup import back_up
from engine.storage.database import Database
from engine.storage.privacy import export_person
from engine.tables import Forgetting, Forgotten, Moment, Person, State, Table, Tables, changes
from engine.tables.daily import DailyDeals
from engine.tables.days import DEALS_A_DAY, NO_END, date_of, make, rules_of, start_of_day
from engine.tables.forgetting import REFUSED_FOR

pytestmark = pytest.mark.slow

SATURDAY, SUNDAY, MONDAY = "2026-11-21", "2026-11-22", "2026-11-23"
NOON = 12 * 60 * 60.0
A_DAY = 24 * 60 * 60.0
ANN, BO, CY = Person(1, "Ann"), Person(2, "Bo"), Person(3, "Cy")
HERE, THERE, CHANNEL = 7, 8, 5


class Clock:
    """The time of day, which the test tells."""

    def __init__(self, day: str) -> None:
        self.now = start_of_day(day) + NOON

    def __call__(self) -> float:
        return self.now


class Service:
    """The tables and the daily deals upon one database."""

    def __init__(self, database: Database, day: str) -> None:
        self.database = database
        self.clock = Clock(day)
        self.tables = Tables(database, clock=self.clock)
        self.daily = DailyDeals(self.tables, database, self.clock)
        self.forgetting = Forgetting(self.tables, database, self._leave, lambda: self.daily.today)

    async def _leave(self, person: int) -> None:
        """Nobody is sent anything here."""

    @staticmethod
    async def open(path: Path, day: str) -> Service:
        service = Service(await Database.open(path), day)
        await service.tables.resume()
        await service.forgetting.finish()
        return service

    async def close(self) -> None:
        await self.forgetting.close()
        await self.tables.close()
        await self.database.close()

    async def play(self, person: Person, guild: int = HERE, *, moves: int = 1000) -> Table:
        """This person plays so many moves of today's game, or of one left before, or all there are."""
        table = self.daily.going_on(person.id) or await self.daily.play(person, guild, CHANNEL)
        for _ in range(moves):
            if not table.is_live:
                break
            made = choose(table)
            table = await self.tables.change(
                table.id, changes.act, person.id, lambda _, made=made: made, Moment.of(table.game)
            )
        return table


def choose(table: Table) -> SeatMove:
    """Something that may be done: the same for everybody who is at the same place."""
    assert table.game is not None
    assert table.game.deal is not None
    deal = table.game.deal
    rng = Random(f"{deal.number} {len(deal.tricks)}")
    match deal.phase:
        case Phase.PASSING:
            return Passed(0, tuple(rng.sample(deal.hands[0], 3)))
        case Phase.EXPOSING:
            return Declined(0)
        case Phase.CHOOSING_MOON:
            return MoonChosen(0, MoonChoice.ADD)
        case _:
            return Played(0, rng.choice(deal.legal(0)))


def log_of(folder: Path, table: int) -> list[Any]:
    """The moves of this table as they are stored."""
    with closing(sqlite3.connect(folder / "hearts.sqlite3")) as connection:
        rows = connection.execute("SELECT move FROM moves WHERE table_id = ? ORDER BY number", (table,))
        return [json.loads(move) for (move,) in rows]


@pytest.fixture
def on(tmp_path: Path) -> Callable[[str], Any]:
    return lambda day: Service.open(tmp_path / "hearts.sqlite3", day)


# What is dealt


def test_sundays_are_chinese_and_no_game_ends_before_its_third_deal() -> None:
    classic, chinese = rules_of(SATURDAY), rules_of(SUNDAY)
    assert (classic.preset.name, chinese.preset.name) == ("classic", "chinese")
    # K7: a moon costs 26. C8 to C10: all that counts, twice where it was exposed, four times with the ten.
    assert sum(classic.counting.values.values()) * DEALS_A_DAY < NO_END == classic.ends_at == chinese.ends_at
    most = sum(map(abs, chinese.counting.values.values())) * 2 * 4
    assert chinese.counting.sun
    assert max(most, chinese.counting.sun.points) * DEALS_A_DAY < NO_END


def test_the_deals_of_a_day_are_those_of_a_whole_game() -> None:
    day = make(SATURDAY, Random(1), 0.0)
    assert [dealt.dealer for dealt in day.deals] == [3, 0, 1]
    assert all(len(set().union(*dealt.hands)) == 52 and dealt.salt for dealt in day.deals)
    assert len(set(day.seals)) == DEALS_A_DAY


async def test_a_day_is_made_the_day_before_and_never_again(on: Any) -> None:
    service = await on(SATURDAY)
    await service.daily.tend()
    before = await service.tables.days.find(SUNDAY)
    assert before.was_sealed_before
    with pytest.raises(Refusal, match="no_such_day"):
        await service.daily.day(SUNDAY)  # which is nobody's business yet
    assert not (await service.daily.day(SATURDAY)).was_sealed_before  # nothing was running on Friday
    await service.close()
    service = await on(SUNDAY)
    await service.daily.tend()
    now = await service.daily.day(SUNDAY)
    assert now == before
    assert now.seals == tuple(seal(number, dealt) for number, dealt in enumerate(now.deals, 1))
    with pytest.raises(Refusal, match="no_such_day"):
        await service.daily.day("2020-01-01")
    await service.close()


# The same for everybody


async def test_the_same_play_is_answered_alike(on: Any, tmp_path: Path) -> None:
    """Two people in two servers, one of them through a restart and across midnight."""
    service = await on(SATURDAY)
    ann = await service.play(ANN, HERE)
    await service.play(BO, THERE, moves=20)
    await service.close()
    service = await on(SUNDAY)
    bo = await service.play(BO, THERE)
    await service.close()
    assert ann.state is bo.state is State.OVER
    assert log_of(tmp_path, bo.id) == log_of(tmp_path, ann.id)


async def test_other_play_is_answered_by_the_same_cards(on: Any, tmp_path: Path) -> None:
    service = await on(SATURDAY)
    ann = await service.play(ANN)
    bo = await service.daily.play(BO, HERE, CHANNEL)
    given = bo.game.deal.hands[0][-3:]
    await service.tables.change(
        bo.id, changes.act, BO.id, lambda seat: Passed(seat, given), Moment.of(bo.game)
    )
    bo = await service.play(BO)
    await service.close()
    logs = [log_of(tmp_path, table.id) for table in (ann, bo)]
    assert logs[0] != logs[1]
    assert [[one for one in log if "dealt" in one] for log in logs] == [to_json_of(ann)] * 2


def to_json_of(table: Table) -> list[Any]:
    assert table.game is not None
    return [to_json(deal.dealt) for deal in table.game.deals]


def test_another_process_answers_alike(tmp_path: Path) -> None:
    """Sets are in another order there, and objects lie elsewhere."""
    logs = []
    for person in (ANN, BO, CY):
        with process(tmp_path, [SATURDAY, SUNDAY], person) as playing:
            said, _ = playing.communicate()
        logs.append([log_of(tmp_path, int(table)) for table in dict.fromkeys(said.split())])
    assert logs[0] == logs[1] == logs[2]
    assert [len(log) > DEALS_A_DAY * 52 for log in logs[0]] == [True, True]


async def test_a_game_outlives_kills(on: Any, tmp_path: Path) -> None:
    service = await on(SATURDAY)
    whole = log_of(tmp_path, (await service.play(ANN)).id)
    await service.close()
    table = 0
    for moves in (1, 4, 7, 2):  # fewer than any three deals take
        with process(tmp_path, [SATURDAY], BO, stdin=subprocess.PIPE) as playing:
            assert playing.stdin is not None
            assert playing.stdout is not None
            for _ in range(moves):
                playing.stdin.write(b"on\n")
                playing.stdin.flush()
                table = int(playing.stdout.readline())
            playing.kill()
    service = await on(SUNDAY)
    assert (await service.play(BO)).id == table
    await service.close()
    assert log_of(tmp_path, table) == whole


def process(
    folder: Path, days: list[str], person: Person, stdin: int | None = None
) -> subprocess.Popen[bytes]:
    """Somebody plays these days in a process of its own, which says its table's number after each move.

    With `stdin` it makes a move for each line there.
    """
    known = (str(folder), days, person.id, stdin is not None)
    code = f"import test_days; test_days.play_in_a_process(*{known!r})"
    paths = os.pathsep.join(sys.path)
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=stdin,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parent,
        env=os.environ | {"PYTHONHASHSEED": str(person.id), "PYTHONPATH": paths},
    )


def play_in_a_process(folder: str, days: list[str], person: int, is_told: bool) -> None:
    """Play each day's game on to the end, perhaps a move whenever that `is_told`."""

    async def play(day: str) -> None:
        service = await Service.open(Path(folder) / "hearts.sqlite3", day)
        if is_told:
            sys.stdin.readline()
        table = await service.play(Person(person, "Ann"), moves=1)
        while table.is_live:
            print(table.id, flush=True)  # noqa: T201
            if is_told:
                sys.stdin.readline()
            table = await service.play(Person(person, "Ann"), moves=1)
        print(table.id)  # noqa: T201
        await service.close()

    for day in days:
        asyncio.run(play(day))


# Once a day


async def test_a_game_is_resumed_wherever_it_is_asked_for_and_played_once(on: Any) -> None:
    service = await on(SATURDAY)
    begun = await service.play(ANN, HERE, moves=5)
    assert await service.daily.play(ANN, THERE, CHANNEL) == begun
    assert (await service.play(ANN)).id == begun.id
    with pytest.raises(Refusal, match="played_today"):
        await service.daily.play(ANN, THERE, CHANNEL)
    service.clock.now = start_of_day(SUNDAY)
    assert (await service.daily.play(ANN, THERE, CHANNEL)).rules.preset.name == "chinese"
    await service.close()


@pytest.mark.parametrize("now", ["2026-11-20", "2026-11-30"], ids=["set back", "days later"])
async def test_a_game_can_be_finished_whatever_day_it_is_by_now(on: Any, now: str) -> None:
    service = await on(MONDAY)
    await service.play(ANN, moves=3)
    await service.close()
    service = await on(now)
    assert (await service.play(ANN)).state is State.OVER
    await service.close()


async def test_two_clicks_at_once_begin_one_game(on: Any) -> None:
    service = await on(SATURDAY)
    begun = await asyncio.gather(*(service.daily.play(ANN, HERE, CHANNEL) for _ in range(3)))
    assert len({table.id for table in begun}) == len(service.tables.live) == 1
    await service.close()


async def test_a_game_that_was_left_gives_way_and_ends_after_a_day(on: Any) -> None:
    service = await on(SATURDAY)
    ann = await service.play(ANN, moves=5)
    bo = await service.play(BO, moves=5)
    await service.close()
    service = await on(SUNDAY)
    await service.daily.tend()
    assert {table.id for table in service.tables.live} == {ann.id, bo.id}
    assert (await service.daily.play(ANN, HERE, CHANNEL)).daily.day == SUNDAY
    await service.close()
    service = await on(MONDAY)
    await service.daily.tend()
    assert [table.seats[0].person for table in service.tables.live] == [ANN.id]
    await service.close()


# What became of it


async def test_the_ranking_of_a_day(on: Any) -> None:
    service = await on(SATURDAY)
    ann, bo = await service.play(ANN, HERE), await service.play(BO, THERE)
    found = await service.daily.ranking(SATURDAY, ANN.id, HERE)
    assert [one.name for one in found.here] == ["Ann"]  # and not who has played elsewhere
    assert found.everywhere.people == 2
    assert found.place == 1
    assert not found.is_over
    assert found.own.points == tuple(points[0] for points in ann.game.points)
    assert found.everywhere.averages == found.own.points  # as Bo has played alike
    await service.play(CY, moves=5)
    service.clock.now = start_of_day(SUNDAY) + 1
    await service.play(CY)  # when the cards lie open
    found = await service.daily.ranking(SATURDAY, CY.id, HERE)
    assert found.is_over
    assert found.own.total == bo.game.totals[0]
    assert found.place is None
    assert found.everywhere.people == 2
    assert found.streak == 1
    await service.close()


async def test_no_daily_game_counts_on_a_leaderboard(on: Any) -> None:
    service = await on(SATURDAY)
    await service.play(ANN)
    assert not await service.database.read("SELECT * FROM results")
    await service.close()


async def test_a_streak_is_of_days_in_a_row(on: Any) -> None:
    service = await on(SATURDAY)
    streaks = []
    for days in (0, 1, 3, 4, 5):
        day = date_of(start_of_day(SATURDAY) + days * A_DAY)
        service.clock.now = start_of_day(day) + NOON
        await service.play(ANN)
        streaks.append((await service.daily.ranking(day, ANN.id, HERE)).streak)
    assert streaks == [1, 2, 1, 2, 3]
    await service.close()


async def test_a_result_is_shared_once(on: Any) -> None:
    service = await on(SATURDAY)

    async def share(meanwhile: Any = None) -> None:
        async with service.daily.sharing(SATURDAY, ANN.id):
            if meanwhile:
                await meanwhile()

    async def cannot_share() -> None:
        with pytest.raises(Refusal, match="already_shared"):
            await share()

    await cannot_share()
    await service.play(ANN)
    with pytest.raises(ZeroDivisionError):  # it could not be posted
        async with service.daily.sharing(SATURDAY, ANN.id):
            raise ZeroDivisionError
    await share(meanwhile=cannot_share)
    await cannot_share()
    await service.close()


async def test_nothing_of_a_deal_is_told_before_its_day_is_over(on: Any) -> None:
    service = await on(SATURDAY)
    table = await service.play(ANN)
    for asked in (service.tables.games.whole(table.id), service.tables.games.done_deal(table.id, 1)):
        with pytest.raises(Refusal, match="day_not_over"):
            await asked
    service.clock.now = start_of_day(SUNDAY)
    assert (await service.tables.games.whole(table.id)).game.deals == table.game.deals
    assert (await service.tables.games.done_deal(table.id, 1)).dealt == table.game.deals[0].dealt
    await service.close()


# Once, whatever is deleted


async def refuses_to_deal_again(service: Any, person: Person) -> bool:
    """Whether this person has seen today's cards."""
    with pytest.raises(Refusal) as refused:
        await service.daily.play(person, HERE, CHANNEL)
    return refused.value.id == "seen_today"


def secrets_of(path: Path) -> set[bytes]:
    """The keys and hashes of those who have seen a day's cards and deleted everything since."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT key, hash FROM deleted_players").fetchall()
        return {secret for row in rows for secret in row}


def holds(path: Path, secrets: set[bytes]) -> bool:
    """Whether one of the database's files holds a byte string like these."""
    files = [file for file in path.parent.glob(f"{path.name}*") if file.is_file()]
    return any(secret in file.read_bytes() for file in files for secret in secrets)


@pytest.mark.parametrize("moves", [0, 5, 1000])
async def test_nobody_plays_twice_by_deleting_everything_and_a_restart(
    on: Any, path: Path, moves: int
) -> None:
    service = await on(SATURDAY)
    await service.daily.play(ANN, HERE, CHANNEL)
    await service.play(ANN, moves=moves)
    assert await service.forgetting.forget(ANN) is Forgotten.WHOLLY
    assert await refuses_to_deal_again(service, ANN)
    await service.close()
    service = await on(SATURDAY)
    await service.daily.tend()
    assert await refuses_to_deal_again(service, ANN)
    assert await service.forgetting.forget(ANN) is Forgotten.WHOLLY  # once more
    assert await refuses_to_deal_again(service, ANN)
    assert len(secrets_of(path)) == 2
    assert json.loads(await export_person(service.database, ANN.id, [Tables.stored]))["daily_deals_seen"] == [
        SATURDAY
    ]
    assert (await service.daily.play(BO, HERE, CHANNEL)).is_live  # who has nothing to do with it
    assert json.loads(await export_person(service.database, BO.id, [Tables.stored]))["daily_deals_seen"] == []
    await service.close()


async def test_when_the_day_is_over_nobody_can_find_out_who_it_was(on: Any, path: Path) -> None:
    service = await on(SATURDAY)
    for person in (ANN, BO):
        await service.play(person, moves=5)
        await service.forgetting.forget(person)
    kept = secrets_of(path)
    assert len(kept) == 4  # each has a key of their own
    assert holds(path, kept)
    service.clock.now = start_of_day(SUNDAY)
    await service.daily.tend()
    assert not holds(path, kept)
    await asyncio.sleep(REFUSED_FOR)
    assert (await service.daily.play(ANN, HERE, CHANNEL)).daily.day == SUNDAY
    await service.close()


async def test_a_start_on_another_day_destroys_what_was_kept_too(on: Any, path: Path) -> None:
    service = await on(SATURDAY)
    await service.play(ANN, moves=5)
    await service.forgetting.forget(ANN)
    kept = secrets_of(path)
    await service.close()
    service = await on(MONDAY)
    await service.daily.tend()
    assert not holds(path, kept)
    await service.close()


async def test_who_has_not_begun_the_day_leaves_nothing(on: Any, path: Path) -> None:
    service = await on(SATURDAY)
    await service.play(ANN, moves=5)
    await service.close()
    service = await on(SUNDAY)
    await service.play(BO)
    await service.forgetting.forget(ANN)
    assert secrets_of(path) == set()
    await asyncio.sleep(REFUSED_FOR)
    assert (await service.daily.play(ANN, HERE, CHANNEL)).daily.day == SUNDAY
    await service.close()


async def test_no_copy_keeps_it_for_longer(on: Any, path: Path) -> None:
    service = await on(SATURDAY)
    await service.play(ANN, moves=5)
    await service.forgetting.forget(ANN)
    kept, copy = secrets_of(path), path.with_name("copy.sqlite3")
    back_up(path, copy)
    assert kept
    assert not holds(copy, kept)
    await service.close()
    service = await Service.open(copy, SATURDAY)
    assert (await service.daily.play(BO, HERE, CHANNEL)).is_live
    await service.close()


async def test_a_kill_while_everything_is_deleted_lets_nobody_play_twice(on: Any, path: Path) -> None:
    service = await on(SATURDAY)
    await service.play(ANN, moves=5)
    await service.close()
    with life(die_while_forgetting, path) as process:
        process.join(60)
        assert process.exitcode == 9
    service = await on(SATURDAY)
    assert await refuses_to_deal_again(service, ANN)
    left = json.loads(await export_person(service.database, ANN.id, [Tables.stored]))["tables"]
    # Until the deletion is finished, the table's number is hers.
    assert all((table["seat"], table["is_host"]) == (None, False) for table in left)
    await service.close()


def die_while_forgetting(path: Path) -> None:
    """A process that is gone as soon as the daily game has been given up."""

    async def live() -> None:
        service = await Service.open(path, SATURDAY)

        async def die(person: int) -> None:
            os._exit(9)

        await Forgetting(service.tables, service.database, die, lambda: SATURDAY).forget(ANN)

    asyncio.run(live())


async def test_nobody_plays_twice_while_their_deletion_has_to_wait(
    on: Any, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.storage.file.LOCK_WAIT", 0.02)
    service = await on(SATURDAY)
    await service.play(ANN, moves=5)
    other = sqlite3.connect(path, isolation_level=None)

    async def lock(person: int) -> None:
        other.execute("BEGIN IMMEDIATE")

    forgetting = Forgetting(service.tables, service.database, lock, lambda: SATURDAY)
    assert await forgetting.forget(ANN) is Forgotten.IN_PART
    assert service.daily.going_on(ANN.id) is None
    assert await refuses_to_deal_again(service, ANN)
    other.close()
    await forgetting.finish()
    assert await refuses_to_deal_again(service, ANN)
    await forgetting.close()
    await service.close()
