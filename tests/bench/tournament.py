"""Any two computers in any game, in duplicate deals: `python -m tests.bench.tournament classic 4`.

It prints by how many points a deal the first player is better than the mean of the
others, with the standard error over deals; the points of each kind of player; the hands in which they shot
the moon; and the first one's processor time. Fix the number of deals before you look: if you stop at a good
moment, you measure luck.
"""

# ruff: noqa: T201

import argparse
from statistics import fmean, median

from engine.play.deal import Phase
from engine.rules.presets import PRESETS
from tests.bench.duplicates import Match, Tally, play

HEAD = (
    f"{'table':16}{'deals':>6}{'better by':>18}{'points a deal':>18}{'moons':>16}"
    f"{'ms a card, worst':>18}{'a pass, worst':>16}"
)


def line(match: Match, tally: Tally) -> str:
    better = f"{tally.mean:+.2f} ± {tally.error:.2f}"
    points = "{:.1f} / {:.1f}".format(*map(fmean, tally.points))
    hands = len(tally.points[0])
    moons = f"{tally.moons[0] / hands:.1%} / {tally.moons[1] / hands / (match.players - 1):.1%}"
    card, passing = _times(tally, Phase.PLAYING), _times(tally, Phase.PASSING)
    return (
        f"{match.preset:13}{match.players:3}{len(tally.better):6}{better:>18}{points:>18}{moons:>16}"
        f"{card:>18}{passing:>16}"
    )


def _times(tally: Tally, phase: Phase) -> str:
    seconds = tally.seconds.get(phase)
    return f"{1000 * median(seconds):.1f}, {1000 * max(seconds):.0f}" if seconds else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("preset", choices=PRESETS)
    parser.add_argument("players", type=int)
    parser.add_argument("--first", default="medium", help="a player's name, or module:attribute")
    parser.add_argument("--second", default="random")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    match = Match(given.preset, given.players, given.first, given.second, given.seed)
    print(f"{given.first} against {given.second}\n{HEAD}", flush=True)
    print(line(match, play(match, given.deals)))


if __name__ == "__main__":
    main()
