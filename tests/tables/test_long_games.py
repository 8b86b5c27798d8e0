"""What is done for one card is as much in the hundredth deal as in the tenth."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.hands import hand_of
from bot.render.board import board
from engine.play import moves as moves_
from engine.play.game import Game, shuffle
from engine.play.moves import Dealt, Played, SeatMove
from engine.play.seal import with_salt
from engine.rules.ruleset import Ruleset
from engine.storage import tables as storage
from engine.storage.database import Database
from engine.tables import Person, Table, Tables

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


async def taken_up(database: Database, deals: int) -> tuple[Tables, Table]:
    """A table in the middle of this deal."""
    tables = Tables(database, rng=Random(1))
    table = await tables.open(1, 1, PEOPLE[0], RULES)
    for person in PEOPLE[1:]:
        await tables.join(table.id, person)
    await tables.start(table.id, PEOPLE[0].id)
    async with database.transaction() as connection:
        await connection.execute("DELETE FROM moves")
        await storage.append_moves(connection, table.id, 0, log(deals))
    again = Tables(database, rng=Random(1))
    [table] = await again.resume()
    return again, table


async def calls_for_a_card(folder: Path, deals: int) -> int:
    """Calls of functions, ours and others', for one card played in this deal and shown."""
    database = await Database.open(folder / f"{deals}.sqlite3")
    try:
        tables, table = await taken_up(database, deals)
        for at in (21, 22):  # the first time fills caches
            move = one_deal()[1][at]
            with counting() as calls:
                table = await tables.act(table.id, PEOPLE[move.seat].id, lambda _, move=move: move)
                public = table.public
                for part in board(public):
                    part.render()
                for person in PEOPLE:
                    hand_of(table, public, person.id)
        await tables.close()
        return next(calls)
    finally:
        await database.close()


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


async def test_a_card_costs_the_same_in_the_hundredth_deal(tmp_path: Path) -> None:
    early, late = [await calls_for_a_card(tmp_path, deals) for deals in (12, 112)]
    assert late == pytest.approx(early, abs=50)
