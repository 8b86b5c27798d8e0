"""How strong computers are: chosen in the lobby, for all or for each, and kept."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from life import life

from engine.errors import Refusal
from engine.players import Player, Strength, computer
from engine.players.advice import PERSON
from engine.players.manners import Manner
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.tables import NoticeKind, Person, Table, Tables, changes

EASY, MEDIUM, STRONG = Strength
ANN, BO = Person(1, "Ann"), Person(2, "Bo")
CLASSIC = Ruleset.of("classic", 4)


def computers(table: Table) -> list[Strength]:
    return [seat.strength for seat in table.seats if seat.person is None]


async def test_computers_are_medium_unless_somebody_says_otherwise(path: Path) -> None:
    async with life(path) as (_, tables):
        table = await tables.open(1, 1, ANN, CLASSIC)
        assert computers(await tables.change(table.id, changes.start, ANN.id)) == [MEDIUM] * 3


async def test_a_table_is_opened_with_strong_computers(path: Path) -> None:
    async with life(path) as (_, tables):
        table = await tables.open(1, 1, ANN, CLASSIC, strength=STRONG)
        assert computers(await tables.change(table.id, changes.start, ANN.id)) == [STRONG] * 3


async def test_each_computer_has_its_own_and_the_last_one_says_what_fills_the_table(path: Path) -> None:
    async with life(path) as (_, tables):
        table = await tables.open(1, 1, ANN, CLASSIC)
        await tables.change(table.id, changes.add_computer, ANN.id, STRONG)
        await tables.change(table.id, changes.add_computer, ANN.id, EASY)
        assert computers(await tables.change(table.id, changes.start, ANN.id)) == [STRONG, EASY, EASY]


async def test_what_a_table_knows_of_its_seats_tells_who_plays_like_a_regular(path: Path) -> None:
    async with life(path) as (_, tables):
        table = await tables.open(1, 1, ANN, CLASSIC)
        await tables.join(table.id, BO)
        await tables.change(table.id, changes.add_computer, ANN.id, STRONG)
        await tables.change(table.id, changes.add_computer, ANN.id, EASY)
        table = await tables.change(table.id, changes.start, ANN.id)
        assert table.seats.skills == [PERSON, PERSON, 1.0, 0.0]
        await tables.change(table.id, changes.leave_or_stay_out, BO.id)
        assert tables.get(table.id).seats.skills == [PERSON, 1.0, 1.0, 0.0]


async def test_the_host_gives_all_the_same_at_once(path: Path) -> None:
    async with life(path) as (_, tables):
        table = await tables.open(1, 1, ANN, CLASSIC)
        await tables.join(table.id, BO)
        with pytest.raises(Refusal, match="host_only"):
            await tables.change(table.id, changes.add_computer, BO.id, EASY)
        await tables.change(table.id, changes.add_computer, ANN.id, EASY)
        with pytest.raises(Refusal, match="host_only"):
            await tables.change(table.id, changes.change_strength, BO.id, STRONG)
        table = await tables.change(table.id, changes.change_strength, ANN.id, STRONG)
        assert computers(table) == [STRONG]
        assert computers(await tables.change(table.id, changes.start, ANN.id)) == [STRONG, STRONG]
        with pytest.raises(Refusal, match="already_started"):
            await tables.change(table.id, changes.change_strength, ANN.id, EASY)


async def test_a_restart_and_a_rematch_keep_them(path: Path) -> None:
    async with life(path) as (_, tables):
        table = await tables.open(1, 1, ANN, CLASSIC, strength=EASY)
        await tables.change(table.id, changes.add_computer, ANN.id, STRONG)
        before = await tables.change(table.id, changes.start, ANN.id)
    async with life(path) as (_, tables):
        [after] = tables.live
        assert after.seats == before.seats
        assert after.strength is STRONG
        await tables.end(after.id, ANN.id)
        again = await tables.rematch(after.id, ANN)
        assert again.seats == before.seats
        assert again.strength is STRONG


async def test_who_brings_a_computers_name_along_leaves_it_its_strength(path: Path) -> None:
    async with life(path) as (_, tables):
        table = await tables.open(1, 1, ANN, CLASSIC)
        table = await tables.change(table.id, changes.add_computer, ANN.id, STRONG)
        table = await tables.change(table.id, changes.add_computer, ANN.id, EASY)
        table = await tables.join(table.id, Person(3, table.seats[1].name))
        assert computers(table) == [STRONG, EASY]


async def test_a_computer_of_medium_strength_plays_for_who_is_away(path: Path) -> None:
    async with life(path) as (_, tables):
        table = await tables.open(1, 1, ANN, CLASSIC, strength=STRONG)
        await tables.join(table.id, BO)
        await tables.change(table.id, changes.start, ANN.id)
        table = await tables.change(table.id, changes.leave_or_stay_out, BO.id)
        assert table.seats[1].away
        assert table.seats[1].strength is MEDIUM


async def test_each_seat_is_played_by_its_strength_and_manner(path: Path) -> None:
    asked = set()

    def seen(strength: Strength, manner: Manner | None) -> Player:
        asked.add((strength, manner))
        return computer(strength, manner)

    database = await Database.open(path)
    tables = Tables(database, rng=Random(1), computer=seen)
    table = await tables.open(1, 1, ANN, CLASSIC)
    await tables.join(table.id, BO)
    await tables.change(table.id, changes.add_computer, ANN.id, EASY)
    await tables.change(table.id, changes.add_computer, ANN.id, MEDIUM)
    await tables.change(table.id, changes.start, ANN.id)
    table = await tables.change(table.id, changes.leave_or_stay_out, BO.id)
    _, bo, easy, medium = table.seats
    assert bo.manner is None
    assert easy.manner is None
    assert asked == {(MEDIUM, None), (EASY, None), (MEDIUM, medium.manner)}
    await tables.close()
    await database.close()


async def test_who_is_forgotten_leaves_the_seat_to_one_like_the_others(path: Path) -> None:
    async with life(path) as (_, tables):
        table = await tables.open(1, 1, ANN, CLASSIC, strength=EASY)
        await tables.join(table.id, BO)
        await tables.change(table.id, changes.start, ANN.id)
        await tables.forget(BO.id)
        [table] = tables.live
        assert table.notice is not None
        assert table.notice.kind is NoticeKind.SEAT_GIVEN_UP
        assert computers(table) == [EASY] * 3


async def test_the_last_computer_can_be_sent_away_and_those_to_come_are_like_the_one_before(
    path: Path,
) -> None:
    async with life(path) as (_, tables):
        table = await tables.open(1, 1, ANN, CLASSIC)
        with pytest.raises(Refusal, match="no_computer"):
            await tables.change(table.id, changes.remove_computer, ANN.id)
        await tables.change(table.id, changes.add_computer, ANN.id, EASY)
        await tables.change(table.id, changes.add_computer, ANN.id, STRONG)
        await tables.join(table.id, BO)
        for guest in (BO.id, 9):
            with pytest.raises(Refusal, match="host_only"):
                await tables.change(table.id, changes.remove_computer, guest)
        table = await tables.change(table.id, changes.remove_computer, ANN.id)
        assert [seat.person for seat in table.seats] == [ANN.id, None, BO.id]
        assert computers(await tables.change(table.id, changes.start, ANN.id)) == [EASY, EASY]
        with pytest.raises(Refusal, match="already_started"):
            await tables.change(table.id, changes.remove_computer, ANN.id)
