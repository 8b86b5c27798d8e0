"""Learn the weights of computer players from nothing: `python -m engine.learning [table …]`.

A table is for a game and who wins it, as `classic-lowest`. Players who draw their cards by appeal play it
among themselves, with all numbers of players, half of the time with house rules. The same seed and number of
deals give the same weights on the same kind of machine. Each table is then written to engine/numbers/weights,
and judged in duels against players of habit.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from engine.learning.training import DEALS, make
from engine.numbers.weights import TABLES


def main() -> None:
    """Learn the tables asked for, one in each process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", metavar="table", help=f"{', '.join(TABLES)}; all by default")
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    if unknown := set(args.tables) - set(TABLES):
        parser.error(f"there is no table {', '.join(sorted(unknown))}")
    tables = args.tables or TABLES
    with ProcessPoolExecutor(args.jobs, get_context("spawn")) as pool:
        for lines in pool.map(make, tables, [args.deals] * len(tables), [args.seed] * len(tables)):
            sys.stdout.write("\n".join([*lines, ""]))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
