"""Long games are loaded in a process of their own, and a click in one costs no more than in a short one."""

import asyncio
import json
import os
import signal
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from house import ANN, PEOPLE, House, play_on, refusal

from bot.table.board import board
from bot.table.hands import hand_of, holder
from engine.errors import RecordError, Refusal
from engine.loading import Loader
from engine.play import moves as moves_
from engine.play.game import Game, shuffle
from engine.play.moves import Dealt, Played, SeatMove
from engine.play.record import FORMAT, read_record
from engine.play.seal import with_salt
from engine.rules.ruleset import Ruleset
from engine.storage import tables as storage
from engine.storage.privacy import export_person
from engine.tables import Moment, Table, Tables, changes
from engine.tables.replays import _text_of
from engine.tables.store import SHORT_LOG

CHANNEL = 7
RULES = Ruleset.of("classic", 4, {"pass_cards": 0, "ends_at": 100_000, "moon": "others"})


@pytest.fixture
def loader() -> Iterator[Loader]:
    loader = Loader()
    yield loader
    loader.close()


@pytest.mark.slow
async def test_what_is_refused_elsewhere_is_refused_here(loader: Loader) -> None:
    with pytest.raises(Refusal) as refused:
        await loader(_text_of, b"{}\n{}\n", 3)
    assert (refused.value.id, refused.value.values) == ("several_games", {"count": 2})
    record = {"format": FORMAT, "rules": {"preset": "classic", "players": 4}, "seats": [""] * 4, "deals": [7]}
    with pytest.raises(RecordError, match="A deal must be an object, not 7") as fault:
        await loader(read_record, record)
    assert (fault.value.deal, fault.value.play) == (1, None)
    with pytest.raises(sqlite3.OperationalError, match="unable to open") as failed:
        await loader(sqlite3.connect, "/no/such/folder/hearts.sqlite3")
    assert failed.value.sqlite_errorcode == sqlite3.SQLITE_CANTOPEN


@pytest.mark.slow
async def test_a_process_that_is_lost_refuses_and_another_answers_until_the_end(loader: Loader) -> None:
    first = await loader(os.getpid)
    loading = asyncio.create_task(loader(time.sleep, 1e6))
    await asyncio.sleep(0.01)
    os.kill(first, signal.SIGKILL)
    assert await refusal(loading) == "cannot_load"
    assert first != await loader(os.getpid) != os.getpid()
    loader.close()
    assert await refusal(loader(os.getpid)) == "cannot_load"


# Games of tables, and what is stored of a person


@pytest.mark.slow
async def test_a_long_game_and_an_export_are_the_same_from_another_process_and_refused_if_damaged(
    path: Path, loader: Loader, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def here(rows: Any) -> Any:
        raise AssertionError("this takes turns with all who play")

    monkeypatch.setattr("engine.tables.store.restore", here)
    house = await House(path, load=loader).open()
    table = await house.start(ANN, rules=Ruleset.of("classic", 4, {"ends_at": 60}), channel=CHANNEL)
    table = await play_on(house.tables, table, Random(4), lambda table: not table.is_live)
    assert table.logged > SHORT_LOG
    games, id = house.tables.games, table.id
    for found in (await games.latest(CHANNEL), await games.whole(id)):
        assert (found.seats, found.rules, found.state) == (table.seats, table.rules, table.state)
        assert found.game.deals == table.game.deals
    stored = await export_person(house.database, ANN.id, [Tables.stored], loader)
    assert len(json.loads(stored)["tables"][0]["moves"]) > SHORT_LOG / 5
    assert json.loads(stored) == await house.stored_of(ANN)
    await house.database.execute(f"UPDATE moves SET move = '[]' WHERE table_id = {id} AND number = 100")
    assert await refusal(games.latest(CHANNEL)) == "damaged"
    assert f"table {id} of channel {CHANNEL} is damaged" in caplog.text
    os.remove(path)
    assert await refusal(export_person(house.database, ANN.id, [Tables.stored], loader)) == "cannot_read"
    assert "it cannot be opened" in caplog.text
    await house.close()


# What a click costs


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


async def taken_up(path: Path, deals: int) -> tuple[House, Table]:
    """A table in the middle of this deal."""
    house = await House(path).open()
    table = await house.start(*PEOPLE, rules=RULES)
    await house.database.execute("DELETE FROM moves")
    await house.database.write(lambda connection: storage.append_moves(connection, table.id, 0, log(deals)))
    await house.restart()
    return house, house.table


async def calls_for_a_card(folder: Path, deals: int) -> int:
    """Calls of functions, ours and others', for one card played in this deal and shown."""
    house, table = await taken_up(folder / f"{deals}.sqlite3", deals)
    for at in (21, 22):  # the first time fills caches
        move = one_deal()[1][at]
        person, moment = PEOPLE[move.seat].id, Moment.of(table.game)
        with counting() as calls:
            table = await house.tables.change(
                table.id, changes.act, person, lambda _, move=move: move, moment
            )
            public = table.public
            board(public)
            for one in PEOPLE:
                hand_of(holder(table, public, one.id))
    await house.close()
    return next(calls)


async def calls_for_an_ended_game(folder: Path, deals: int) -> int:
    """The same for what is clicked once it has ended: its eleventh deal checked, and a rematch."""
    house, table = await taken_up(folder / f"{deals}.sqlite3", deals)
    await house.stop(table)
    with counting() as calls:
        assert await house.tables.games.done_deal(table.id, 11) == table.game.deals[10]
        await house.tables.rematch(table.id, ANN)
    await house.close()
    return next(calls)


@contextmanager
def counting() -> Iterator["count[int]"]:
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


@pytest.mark.parametrize("calls", [calls_for_a_card, calls_for_an_ended_game])
async def test_a_click_costs_the_same_in_the_hundredth_deal_and_after_it(tmp_path: Path, calls: Any) -> None:
    short, long = [await calls(tmp_path, deals) for deals in (12, 112)]
    assert long == pytest.approx(short, abs=50)


@pytest.mark.parametrize(("preset", "players"), [("chinese", 4), ("cancellation", 5), ("wikibooks", 3)])
async def test_a_done_deal_is_the_one_that_was_played(house: House, preset: str, players: int) -> None:
    table = await house.start(ANN, rules=Ruleset.of(preset, players, {"ends_at": 100_000}))
    table = await play_on(house.tables, table, Random(1), lambda table: len(table.game.deals) == 4)
    for _ in range(2):  # while it goes on, and once it has ended
        for number, deal in enumerate(table.game.deals[:3], 1):
            assert await house.tables.games.done_deal(table.id, number) == deal
        for number in (0, 4, 5, 2**63 - 1):
            assert await refusal(house.tables.games.done_deal(table.id, number)) == "stale"
        if table.is_live:
            table = await house.tables.end(table.id, ANN.id)
