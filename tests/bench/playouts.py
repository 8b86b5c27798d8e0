"""Playouts a second of whole deals, in every game: `python -m tests.bench.playouts [--rounds 5]`.

For each game, from deals dealt, passed and exposed at random: playouts by the policy and at random, in
compiled code, as in a search. For comparison, classic Hearts at random called from Python, with this kernel
and with OpenSpiel (https://pypi.org/project/open-spiel/, installed into a temporary folder), and with this
kernel without numba. All run in turn, round by round; it prints medians, and then what the kernel costs a
process.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
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

#: Plays classic Hearts at random for some seconds, from dealt deals, as ours: each card chosen in Python,
#: then by OpenSpiel's own loop and players. Both figures are playouts a second.
OPEN_SPIEL = """
import random, sys, time
import pyspiel

def dealt():
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(random.choice(state.legal_actions()))
    return state

def card_by_card(state):
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
    state.returns()

def rate(play):
    played, start = 0, time.process_time()
    while time.process_time() - start < float(sys.argv[1]):
        play(deals[played % len(deals)].clone())
        played += 1
    return played / (time.process_time() - start)

game = pyspiel.load_game("hearts")
deals = [dealt() for _ in range(32)]
bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(4)]
print(rate(card_by_card), rate(lambda state: pyspiel.evaluate_bots(state, bots, 1)))
"""
#: What the kernel costs a process: CPU seconds to import it and until it is ready, MB without and with it.
COST = """
import os, time

def memory():
    with open("/proc/self/statm") as pages:
        return int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

from engine.rules.ruleset import Ruleset
import engine.play.views
without, start = memory(), time.process_time()
from engine.kernel import chance, habits, records
imported = time.process_time()
classic = records.Laws.of(Ruleset.of("classic", 4))
empty = records.Position.empty()
habits.play_out(classic, habits.Policy(), habits.Roles(), empty, chance.random_state(0))
print(imported - start, time.process_time() - imported, without, memory())
"""
#: Classic Hearts without compiled code.
PLAIN = """
import sys
from tests.bench.playouts import BY_CHANCE, Policy, Table
table = Table("classic", 4)
print(*[table.rate_from_python(policy, float(sys.argv[1])) for policy in (Policy(), BY_CHANCE)])
"""


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
        self.cards = rules.pack.hand_size * players  # played in a deal
        self.deals = Position.several(DEALS)
        for index in range(DEALS):
            self.laws, self.deals[index] = encoded(ready_to_play(rules, rng))

    def rate(self, policy: Policy, seconds: float) -> float:
        """Playouts a second in compiled code."""
        state, played, start = random_state(1), 0, process_time()
        while process_time() - start < seconds:
            play_many(self.laws, policy, Roles(), self.deals, 1000, state)
            played += 1000
        return played / (process_time() - start)

    def rate_from_python(self, policy: Policy, seconds: float) -> float:
        """Playouts a second, each called from Python."""
        state, played, scratch, start = random_state(1), 0, Position.several(1), process_time()
        while process_time() - start < seconds:
            scratch[0] = self.deals[played % DEALS]
            play_out(self.laws, policy, Roles(), scratch[0], state)
            played += 1
        return played / (process_time() - start)

    def rates(self, seconds: float) -> list[float]:
        """The rates with the policy and at random."""
        return [self.rate(Policy(), seconds), self.rate(BY_CHANCE, seconds)]


def answers(python: str, code: str, *arguments: str, **environment: str) -> list[float]:
    """The numbers that this code prints in a separate process."""
    command = [python, "-c", code, *arguments]
    run = subprocess.run(command, env=os.environ | environment, check=True, capture_output=True, text=True)
    return [float(number) for number in run.stdout.split()]


def with_open_spiel(folder: str) -> str | None:
    """A Python with OpenSpiel, created in this folder; None if it can't be installed."""
    venv.create(folder, with_pip=True)
    python = str(Path(folder, "Scripts" if os.name == "nt" else "bin", "python"))
    installed = subprocess.run([python, "-m", "pip", "install", "--quiet", "open_spiel"], capture_output=True)
    return None if installed.returncode else python


def medians(rounds: list[list[float]]) -> list[float]:
    """The median of each figure of the rounds."""
    return [statistics.median(figures) for figures in zip(*rounds, strict=True)]


def say(*lines: str) -> None:
    sys.stdout.write("\n".join((*lines, "")))
    sys.stdout.flush()


def main(presets: list[str], rounds: int, seconds: float, *, kernel_only: bool) -> None:
    """Print all figures, or only the kernel's."""
    tables = [Table(name, players) for name in presets for players in PRESETS[name].players]
    with tempfile.TemporaryDirectory() as folder:
        rival = None if kernel_only else with_open_spiel(folder)
        measures: dict[str, Callable[[], list[float]]] = {
            table.name: partial(table.rates, seconds) for table in tables
        }
        measures["from Python"] = lambda: [
            tables[0].rate_from_python(policy, seconds) for policy in (Policy(), BY_CHANCE)
        ]
        if not kernel_only:
            measures["without numba"] = lambda: answers(
                sys.executable, PLAIN, str(seconds), NUMBA_DISABLE_JIT="1"
            )
        if rival:
            measures["OpenSpiel"] = lambda: answers(rival, OPEN_SPIEL, str(seconds))
        for table in tables:
            table.rates(0.02)  # compiles, and warms up the processor
        figures: dict[str, list[list[float]]] = {name: [] for name in measures}
        for _ in range(rounds):
            for name, measure in measures.items():
                figures[name].append(measure())
    print_rates({name: medians(found) for name, found in figures.items()}, tables)
    if not kernel_only:
        print_cost()


def print_rates(figures: dict[str, list[float]], tables: list[Table]) -> None:
    """Print a line for each table, and the comparisons; two decks have twice as many cards a deal."""
    classic = tables[0]
    say("whole deals a second    policy   by chance   of classic's    its cards a second")
    for table in tables:
        own, others, cards = figures[table.name], figures[classic.name], table.cards / classic.cards
        deals = [rate / other for rate, other in zip(own, others, strict=True)]
        of_classic = f"{deals[0]:8.2f}{deals[1]:6.2f}{deals[0] * cards:14.2f}{deals[1] * cards:6.2f}"
        say(f"{table.name:20}{own[0]:10,.0f}{own[1]:12,.0f}{of_classic}")
    say("", "classic Hearts          policy   by chance")
    say(f"called from Python  {figures['from Python'][0]:10,.0f}{figures['from Python'][1]:12,.0f}")
    if "without numba" not in figures:
        return
    say(f"without numba       {figures['without numba'][0]:10,.0f}{figures['without numba'][1]:12,.0f}")
    if "OpenSpiel" not in figures:
        say("OpenSpiel could not be installed here")
        return
    by_card, by_deal = figures["OpenSpiel"]
    say(f"OpenSpiel, each card chosen in Python{by_card:5,.0f}", f"OpenSpiel, its own loop {by_deal:18,.0f}")


def print_cost() -> None:
    """What a process pays that imports the kernel."""
    with tempfile.TemporaryDirectory() as cache:
        _, compiling, without, after = answers(sys.executable, COST, NUMBA_CACHE_DIR=cache)
        importing, finding, _, found = answers(sys.executable, COST, NUMBA_CACHE_DIR=cache)
    say(
        "",
        f"CPU seconds to import {importing:.1f}, to compile {compiling:.1f}, to find compiled {finding:.1f}",
        f"MB of memory without it {without:.0f}, having compiled it {after:.0f}, having found it {found:.0f}",
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--preset", choices=PRESETS, help="only this game, besides classic Hearts")
    parser.add_argument("--kernel-only", action="store_true", help="leave out Python and OpenSpiel")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each figure in a round")
    arguments = parser.parse_args()
    presets = list(dict.fromkeys(["classic", arguments.preset])) if arguments.preset else list(PRESETS)
    main(presets, arguments.rounds, arguments.seconds, kernel_only=arguments.kernel_only)
