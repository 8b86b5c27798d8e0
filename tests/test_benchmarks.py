"""Every benchmark, started as a contributor would, with the least that it can measure."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser import CHROMIUM, NO_CHROMIUM

pytestmark = pytest.mark.slow

BENCH = Path(__file__).parent / "bench"
#: Seconds after which one has hung; a machine may have to compile first.
LONGEST = 900.0
#: By name the arguments that make it small, and what the figures look like that it prints.
BRIEFLY = {
    "calibration": ("classic 4 --deals 1 --effort 50 --table medium", r"medium +points, playing +[\d.]+ "),
    "card": ("--tricks 1", r"median of 2: \d+(\.5)? modules .* \d+(\.5)? calls"),
    "games": ("--games 1 --preset classic", r"1 games, 0 faults"),
    "greedy": (
        "--tables 2 --rate 4 --seconds 1 --rounds 1 --deals 2 --ranked 10",
        r"leaderboard +\d+ +\d+ +\d+",
    ),
    "kills": ("--times 2 --seed 7", r"\d+ moves acknowledged, \d+ stored, 0 lost, 0 doubled"),
    "lengths": ("--deals 3 --preset classic", r"to 100 [\d.]+ deals, \d+ cards each"),
    "limit": ("--tables 2 --rate 4 --seconds 1", r"calls with the token: \d+, at most \d+ in a second"),
    "local": ("--cards 1", r"the card leaves the hand: median \d+ ms"),
    "nights": ("--people 2 --rounds 1", r"round 1: all tables open after [\d.]+ s, all hands dealt after"),
    "overload": ("--tables 2 --rate 4 --seconds 1", r"\d+ answered in time"),
    "par": (
        "--deals 2 --searches 1 --replays 4 --playouts 20",
        r"strong +[+-][\d.]+ ± [\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ ",
    ),
    "playouts": ("--rounds 1 --seconds 0.02 --preset classic --kernel-only", r"classic 4 +[\d,]+ +[\d,]+"),
    "ratings": ("--times 0 --farm new_accounts", r"new accounts, of somebody known +\d+ +\d+"),
    "reasons": ("--hints 3 --effort 50 --preset classic", r"playing: \w+ +\d+\.\d"),
    "replays": ("--deals 1 --pictures 1", r"chinese +4 players +1 deals: opened +\d+ +step +[\d.]+"),
    "resume": ("--tables 2", r"after an orderly stop: [\d.]+ s until clicks are taken, [\d.]+ s until all"),
    "soak": ("--minutes 2 --minute 1 --tables 2", r"minute 2: [\d.]+ MiB, \d+ objects"),
    "standings": ("--results 300 --people 20 --times 1", r"the slowest read took [\d.]+ ms"),
    "stops": ("--tables 2 --rate 4 --seconds 1 --latency 0.01", r"the stop took [\d.]+ s"),
    "tables": ("--tables 2 --rounds 2", r"click to answer: median \d+ ms, 99th percentile \d+ ms"),
    "tournament": ("classic 4 --deals 2 --first medium", r"classic +4 +2 +[+-][\d.]+ ± [\d.]+"),
}


def test_each_benchmark_is_started_here() -> None:
    assert BRIEFLY.keys() == {file.stem for file in BENCH.glob("*.py") if "__main__" in file.read_text()}


@pytest.mark.parametrize("name", BRIEFLY)
def test_a_benchmark_prints_its_figures(name: str) -> None:
    if name == "local" and NO_CHROMIUM:
        pytest.skip(f"no {CHROMIUM}")
    arguments, figures = BRIEFLY[name]
    done = subprocess.run(
        [sys.executable, "-m", f"tests.bench.{name}", *arguments.split()],
        cwd=BENCH.parent.parent,
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    assert done.returncode == 0, done.stderr
    assert re.search(figures, done.stdout), done.stdout
    assert "Traceback" not in done.stderr
