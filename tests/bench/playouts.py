"""Playouts a second of whole deals, in every game: `python -m tests.bench.playouts [--rounds 5]`.

For each game, from deals dealt, passed and exposed at random: playouts by the policy and at random, in
compiled code, as in a search. The games run in turn, round by round; it prints medians.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from random import Random
from time import process_time

from numba import njit

from engine.kernel.chance import random_state
from engine.kernel.habits import BY_CHANCE, Policy, Roles, play_out
from engine.kernel.records import Laws, Position
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from tests.kernel.encoded import encoded, ready_to_play

DEALS = 32


@njit
def play_many(
    laws: Laws, policy: Policy, roles: Roles, deals: Sequence[Position], count: int, state: Sequence[int]
) -> None:
    """Play positions out as a search does."""
    scratch = deals[:1].copy()
    for index in range(count):
        scratch[0] = deals[index % len(deals)]
        play_out(laws, policy, roles, scratch[0], state)


class Table:
    """A game, and some of its deals before the first lead, all with the same cards exposed."""

    def __init__(self, preset: str, players: int) -> None:
        self.name = f"{preset} {players}"
        rng, rules = Random(1), Ruleset.of(preset, players)
        self.deals = Position.several(DEALS)
        for index in range(DEALS):
            self.laws, self.deals[index] = encoded(ready_to_play(rules, rng))

    def rates(self, seconds: float) -> tuple[float, float]:
        """Playouts a second with the policy and at random."""
        return self._rate(Policy(), seconds), self._rate(BY_CHANCE, seconds)

    def _rate(self, policy: Policy, seconds: float) -> float:
        state, played, start = random_state(1), 0, process_time()
        while process_time() - start < seconds:
            play_many(self.laws, policy, Roles(), self.deals, 1000, state)
            played += 1000
        return played / (process_time() - start)


def main(presets: Sequence[str], rounds: int, seconds: float) -> None:
    """Print a line for each table."""
    tables = [Table(name, players) for name in presets for players in PRESETS[name].players]
    for table in tables:
        table.rates(0.02)  # compiles, and warms up the processor
    figures = [[table.rates(seconds) for table in tables] for _ in range(rounds)]
    sys.stdout.write("whole deals a second    policy   by chance\n")
    for table, found in zip(tables, zip(*figures, strict=True), strict=True):
        policy, by_chance = (statistics.median(rates) for rates in zip(*found, strict=True))
        sys.stdout.write(f"{table.name:20}{policy:10,.0f}{by_chance:12,.0f}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", choices=PRESETS, help="only this game")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each figure in a round")
    arguments = parser.parse_args()
    main([arguments.preset] if arguments.preset else [*PRESETS], arguments.rounds, arguments.seconds)
