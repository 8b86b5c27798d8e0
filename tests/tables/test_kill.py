"""The table service alone, under load, killed again and again."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest
from lives import Diary, Left, outlive_kills

from engine.errors import Refusal
from engine.play import moves as moves_
from engine.play.views import seat_view
from engine.players import Strength, random_move
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.tables import Moment, Person, State, Table, Tables, changes, flow, live
from engine.thinking import Thinking

pytestmark = pytest.mark.slow

KILLS, THINKING_KILLS = 35, 12
CHANNELS, THINKING_CHANNELS = 6, 2
#: Seconds: about as long as a move takes to be stored, so that a kill or a move may come first.
FORCED_PLAYS = 0.002
#: Seconds: about as long as computers think, so that some thoughts come too late.
LONGEST_ROUND = 0.1


def test_a_service_that_is_killed_under_load_loses_nothing(tmp_path: Path) -> None:
    outlive_kills(serve, tmp_path, Random(5), kills=KILLS, most=80)
    diary = Diary(tmp_path)
    assert diary.read("acked").total() > 4 * KILLS
    played_themselves = Left(tmp_path / "hearts.sqlite3").moves() - diary.read("sent")
    assert played_themselves.total() > KILLS


def test_a_service_that_is_killed_while_computers_think_loses_nothing(tmp_path: Path) -> None:
    outlive_kills(think, tmp_path, Random(8), kills=THINKING_KILLS, most=12)


def serve(folder: Path, number: int, to_the_end: bool = False) -> None:
    """One life: takes the tables up, or opens them, and plays; for ever, or until every game is over."""
    asyncio.run(_serve(folder, Random(number), to_the_end, None))


def think(folder: Path, number: int, to_the_end: bool = False) -> None:
    """The same at fewer tables, where computers are strong."""
    thinking = Thinking(workers=1)
    asyncio.run(_serve(folder, Random(number), to_the_end, thinking))
    thinking.close()


async def _serve(folder: Path, rng: Random, to_the_end: bool, thinking: Thinking | None) -> None:
    flow.FORCED_PLAYS, live.LONGEST_ROUND = FORCED_PLAYS, LONGEST_ROUND
    database = await Database.open(folder / "hearts.sqlite3")
    tables = Tables(database, rng=rng, thinking=thinking)
    await tables.resume()
    note = Diary(folder).open()
    channels = range(THINKING_CHANNELS if thinking else CHANNELS)
    await asyncio.gather(*(_sit_in(tables, channel, note, rng, to_the_end) for channel in channels))
    await tables.close()
    await database.close()


async def _sit_in(tables: Tables, channel: int, note: Any, rng: Random, to_the_end: bool) -> None:
    """Game after game in this channel, some of them with computers."""
    while True:
        table = tables.in_channel(channel) or (None if to_the_end else await _open(tables, channel))
        if table is None:
            return
        if table.state is State.LOBBY:
            table = await _start(tables, table)
        while table.is_live:
            await asyncio.gather(*(_act(tables, table, seat, note, rng) for seat in table.awaited))
            if table.waits_for_computers:
                await asyncio.sleep(0.001)
            try:
                table = tables.get(table.id)
            except Refusal:
                break


async def _open(tables: Tables, channel: int) -> Table:
    host = Person(channel * 10 + 1, "Ann")
    rules = Ruleset.of("classic", 4, {"ends_at": 40, "moon": "choice"})
    return await tables.open(1, channel, host, rules, strength=Strength.STRONG)


async def _start(tables: Tables, table: Table) -> Table:
    for number in range(1, 2 + table.channel % 4):
        person = Person(table.channel * 10 + number, f"Player {number}")
        if table.seat_of(person.id) is None and len(table.seats) < 4:
            await tables.join(table.id, person)
    return await tables.change(table.id, changes.start, table.host)


async def _act(tables: Tables, table: Table, seat: int, note: Any, rng: Random) -> None:
    """Make the move of a seat that is waited for; Refusals of moves that came too late are in order."""
    person, move = table.seats[seat].person, random_move(seat_view(table.game, seat), rng)
    said = {name: value for name, value in moves_.to_json(move).items() if name != "seat"}
    made = (table.id, len(table.game.deals), person, said)
    if table.forced and rng.random() < 0.8:
        return await _wait_for_forced_card(tables, table)
    note("sent", *made)
    try:
        await tables.change(table.id, changes.act, person, lambda _: move, Moment.of(table.game))
    except Refusal:
        assert table.forced, "only a card that has played itself meanwhile can be too late"
    else:
        note("acked", *made)


async def _wait_for_forced_card(tables: Tables, table: Table) -> None:
    """Until it has played itself."""
    while (now := tables.in_channel(table.channel)) and now.stage == table.stage:  # noqa: ASYNC110
        await asyncio.sleep(0.001)
