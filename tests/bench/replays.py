"""How long a click in a replay takes: `python -m tests.bench.replays [--deals 10]`.

Games of all kinds are played in a real database. It prints milliseconds of CPU time: to open a game for the
first time, which reads its moves; then for each step, reading included, and for its picture, which is drawn
in a separate process; and to read the game's record as a file, in a thread.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

from bot.pictures import draw
from bot.replays.replay import ReplayPosition, replay
from bot.vocabulary.messages import Picture
from engine.play import steps
from engine.play.record import write_record
from engine.play.views import seat_view
from engine.players import random_move
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.tables import Moment, Person, Replays, Tables, changes
from tests.bench.measure import quantile

ANN = Person(1, "Ann")
GAMES = (("classic", 4), ("wikibooks", 5), ("double-deck", 10), ("cancellation", 5), ("chinese", 4))


async def play(tables: Tables, rules: Ruleset, deals: int) -> int:
    """Play this many deals and stop the game; returns the table's id."""
    table = await tables.open(1, rules.players, ANN, rules)
    table = await tables.change(table.id, changes.start, ANN.id)
    rng = Random(4)
    while table.game is None or len(table.game.points) < deals:
        assert table.game is not None
        move = random_move(seat_view(table.game, 0), rng)
        table = await tables.change(
            table.id, changes.act, ANN.id, lambda seat, move=move: move, Moment.of(table.game)
        )
    await tables.change(table.id, changes.stop, ANN.id, may_manage=True)
    return table.id


async def timed(work: Callable[[], Awaitable[object]]) -> float:
    """The milliseconds that this takes."""
    began = time.process_time()
    await work()
    return 1000 * (time.process_time() - began)


async def measure(database: Database, name: str, players: int, deals: int, most: int) -> None:
    """Print a line of figures."""
    tables = Tables(database, rng=Random(3))
    id = await play(tables, Ruleset.of(name, players, {"ends_at": 100_000}), deals)
    replays = Replays(tables, database, time.time)
    opened = await timed(lambda: replays.of_table(id))
    shows, drawn = [], []
    game = (await replays.of_table(id)).game
    assert game is not None
    for deal in game.deals:
        for step in range(steps.count(deal)):
            began = time.process_time()
            shown = replay(await replays.of_table(id), ReplayPosition(id, deal=deal.number, step=step))
            shows.append(1000 * (time.process_time() - began))
            pictures = [part for part in shown.parts if isinstance(part, Picture)]
            if len(drawn) < most:
                began = time.process_time()
                draw(pictures[0].scene)
                drawn.append(1000 * (time.process_time() - began))
    record = json.dumps(write_record(game, ["Ann"] * players)).encode()
    read = await timed(lambda: replays.hand_in(ANN.id, record, None))
    step, slow, picture = quantile(shows, 0.5), quantile(shows, 0.99), quantile(drawn, 0.5)
    sys.stdout.write(
        f"{name:12} {players:2} players {deals:3} deals: opened {opened:4.0f}   step {step:4.1f}"
        f" (p99 {slow:4.1f})   picture {picture:4.0f}   file {read:4.0f} of {len(record) / 1024:.0f} kB\n"
    )


async def main(deals: int, pictures: int) -> None:
    """Print the lines of all games."""
    with tempfile.TemporaryDirectory() as folder:
        database = await Database.open(Path(folder) / "hearts.sqlite3")
        for name, players in GAMES:
            await measure(database, name, players, deals, pictures)
        await database.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--deals", type=int, default=10, help="in each game")
    parser.add_argument("--pictures", type=int, default=20, help="to draw of each game")
    arguments = parser.parse_args()
    asyncio.run(main(arguments.deals, arguments.pictures))
