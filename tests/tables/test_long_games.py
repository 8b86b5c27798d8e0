"""A click costs as much in a long game as in a short one, and after it."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from acting import play_on

from bot.table.board import board
from bot.table.hands import hand_of, holder
from engine.errors import Refusal
from engine.play import moves as moves_
from engine.play.game import Game, shuffle
from engine.play.moves import Dealt, Played, SeatMove
from engine.play.seal import with_salt
from engine.rules.ruleset import Ruleset
from engine.storage import tables as storage
from engine.storage.database import Database
from engine.tables import Moment, Person, Table, Tables, changes

RULES = Ruleset.of("classic", 4, {"pass_cards": 0, "ends_at": 100_000, "moon": "others"})
PEOPLE = [Person(number, name) for number, name in enumerate(("Ann", "Bo", "Cy", "Di"), 1)]


def one_deal() -> tuple[Dealt, list[SeatMove]]:
    """A deal, and everybody's plays."""
    dealt = with_salt(shuffle(Game(RULES), Random(1)), Random(1))
    game, plays = Game(RULES).advance(dealt), list[SeatMove]()
    while game.deal:
        [seat] = game.deal.waiting_for
        plays.append(Played(seat, game.deal.legal(seat)[0]))
        game = game.advance(plays[-1])
    return dealt, plays


def log(deals: int) -> list[dict[str, Any]]:
    """The same deal so many times, in the last of them some tricks: nobody passes, and `2C` leads."""
    dealt, plays = one_deal()
    log: list[dict[str, Any]] = []
    for deal in range(deals):
        ours = plays if deal < deals - 1 else plays[:21]
        dealer = (dealt.dealer + deal) % RULES.players
        log += map(moves_.to_json, [replace(dealt, dealer=dealer), *ours])
    return log


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[Database]:
    """The database at this path."""
    database = await Database.open(path)
    try:
        yield database
    finally:
        await database.close()


async def taken_up(database: Database, deals: int) -> tuple[Tables, Table]:
    """A table in the middle of this deal."""
    tables = Tables(database, rng=Random(1))
    table = await tables.open(1, 1, PEOPLE[0], RULES)
    for person in PEOPLE[1:]:
        await tables.join(table.id, person)
    await tables.change(table.id, changes.start, PEOPLE[0].id)
    await database.execute("DELETE FROM moves")
    await database.write(lambda connection: storage.append_moves(connection, table.id, 0, log(deals)))
    again = Tables(database, rng=Random(1))
    await tables.close()
    [table] = await again.resume()
    return again, table


async def calls_for_a_card(folder: Path, deals: int) -> int:
    """Calls of functions, ours and others', for one card played in this deal and shown."""
    async with opened(folder / f"{deals}.sqlite3") as database:
        tables, table = await taken_up(database, deals)
        for at in (21, 22):  # the first time fills caches
            move = one_deal()[1][at]
            with counting() as calls:
                table = await tables.change(
                    table.id,
                    changes.act,
                    PEOPLE[move.seat].id,
                    lambda _, move=move: move,
                    Moment.of(table.game),
                )
                public = table.public
                board(public)
                for person in PEOPLE:
                    hand_of(holder(table, public, person.id))
        await tables.close()
        return next(calls)


async def calls_for_an_ended_game(folder: Path, deals: int) -> int:
    """The same for what is clicked once it has ended: its eleventh deal checked, and a rematch."""
    async with opened(folder / f"{deals}.sqlite3") as database:
        tables, table = await taken_up(database, deals)
        assert table.game is not None
        done = table.game.deals[10]
        await tables.change(table.id, changes.stop, PEOPLE[0].id, may_manage=True)
        with counting() as calls:
            assert await tables.games.done_deal(table.id, 11) == done
            await tables.rematch(table.id, PEOPLE[0])
        await tables.close()
        return next(calls)


@contextmanager
def counting() -> Iterator[count[int]]:
    """Count the calls in this thread; a generator's every item is one."""
    calls = count()

    def note(frame: object, event: str, argument: object) -> None:
        if event in ("call", "c_call"):
            next(calls)

    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(None)


async def test_a_click_after_a_long_game_costs_the_same_as_after_a_short_one(tmp_path: Path) -> None:
    short, long = [await calls_for_an_ended_game(tmp_path, deals) for deals in (12, 112)]
    assert long == pytest.approx(short, abs=50)


@pytest.mark.parametrize(("preset", "players"), [("chinese", 4), ("cancellation", 5), ("wikibooks", 3)])
async def test_a_deal_of_an_ended_game_is_the_one_that_was_played(
    tmp_path: Path, preset: str, players: int
) -> None:
    async with opened(tmp_path / "hearts.sqlite3") as database:
        tables = Tables(database, rng=Random(4))
        ann = PEOPLE[0]
        table = await tables.open(1, 1, ann, Ruleset.of(preset, players, {"ends_at": 100_000}))
        table = await tables.change(table.id, changes.start, ann.id)
        table = await play_on(tables, table, Random(1), lambda table: len(table.game.deals) == 4)
        for _ in range(2):  # while it goes on, and once it has ended
            for number, deal in enumerate(table.game.deals[:3], 1):
                assert await tables.games.done_deal(table.id, number) == deal
            for number in (0, 4, 5, 2**63 - 1):
                with pytest.raises(Refusal, match="stale"):
                    await tables.games.done_deal(table.id, number)
            if table.is_live:
                table = await tables.end(table.id, ann.id)
        await tables.close()


async def test_a_card_costs_the_same_in_the_hundredth_deal(tmp_path: Path) -> None:
    early, late = [await calls_for_a_card(tmp_path, deals) for deals in (12, 112)]
    assert late == pytest.approx(early, abs=50)
