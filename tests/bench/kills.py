"""The bot's process killed again and again while people click: `python -m tests.bench.kills [--times 100]`.

Each process is killed by SIGKILL, at a random moment of its start or of its games; the next one continues
with the same database, and the last plays every game to its end. After each, the database is compared with
what people were told: nothing acknowledged may be missing, and nothing may be stored twice.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from random import Random

#: Where the helpers are of the test that kills the bot a few times.
TESTS = Path(__file__).parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "bot")]

from bot_life import live  # noqa: E402
from lives import Balance, Diary, Left, outlive_kills  # noqa: E402

#: The most moves before a process is killed.
MOST = 12


def main(times: int, seed: int) -> int:
    """Kill and print; returns status 1 if anything was lost or doubled, or a process hung."""
    began, wrong = time.perf_counter(), ""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            outlive_kills(live, folder, Random(seed), kills=times, most=MOST)
        except AssertionError as error:
            wrong = f"{error or 'the last life did not end its games'}\n"
        if not (folder / "hearts.sqlite3").exists():
            sys.stdout.write("Every life was killed before it had a database: try more of them.\n")
            return 1
        balance = Balance.of(Left(folder / "hearts.sqlite3"), Diary(folder))
    out = sys.stdout.write
    out(f"{times} kills in {time.perf_counter() - began:.0f} s: {balance.acked.total()} moves acknowledged, ")
    out(f"{balance.stored.total()} stored, {balance.lost.total()} lost, {balance.doubled.total()} doubled\n")
    out(wrong)
    return bool(wrong)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="of the moments at which it is killed")
    arguments = parser.parse_args()
    sys.exit(main(arguments.times, arguments.seed))
