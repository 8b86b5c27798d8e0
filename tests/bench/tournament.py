"""Any two computers in any game, in duplicate deals: `python -m tests.bench.tournament classic 4`.

It prints a line for each table: by how many points a deal the first player is better than the mean of the
others, with the standard error over deals; the points of each kind of player; the hands in which they shot
the moon; and the first one's processor time. Fix the number of deals before you look: if you stop at a good
moment, you measure luck.
"""

# ruff: noqa: T201

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random
from statistics import fmean
from typing import Any

from engine.play.deal import Phase
from engine.rules.lengths import ENDINGS
from engine.rules.options import OPTIONS, from_text
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset, allowed_of, default_of
from tests.bench.duplicates import Match, Tally, play, quantiles

Table = tuple[str, int, dict[str, Any]]

#: The tables at which a strong player has to prove itself.
TABLES: list[Table] = [
    ("classic", 4, {}),
    *(("wikibooks", players, {}) for players in (3, 4, 5, 6)),
    *(
        ("double-deck", players, {"duplicates": twins})
        for players in (6, 7, 8, 9, 10)
        for twins in ("first-wins", "cancel")
    ),
    *(("cancellation", 5, {"winner": goal}) for goal in ("highest", "lowest")),
    *(("chinese", players, {}) for players in (3, 4, 5, 6)),
]


def random_table(chance: Random) -> Table:
    """A random game with half of its options changed."""
    name = chance.choice(list(PRESETS))
    game = PRESETS[name]
    players = chance.choice(game.players)
    chosen: dict[str, Any] = {}
    options: dict[str, Any] = {}
    for option in OPTIONS:
        default = default_of(game, players, option, chosen)
        if default is None:
            continue
        chosen[option] = default
        if option not in ENDINGS and chance.random() < 0.5:
            options[option] = chance.choice(allowed_of(game, players, option))
            chosen[option] = OPTIONS[option].parse(options[option])
    return name, players, Ruleset.of(name, players, options).options


def tables(arguments: argparse.Namespace) -> Iterator[Table]:
    """The tables to play."""
    if arguments.all:
        yield from TABLES
    for number in range(arguments.random):
        yield random_table(Random(f"table {arguments.seed} {number}"))
    if arguments.preset:
        pairs = [option.partition("=")[::2] for option in arguments.option]
        yield arguments.preset, arguments.players, {name: from_text(name, text) for name, text in pairs}


HEAD = (
    f"{'table':16}{'deals':>6}{'better by':>18}{'points a deal':>18}{'moons':>16}"
    f"{'ms a card, worst':>18}{'a pass, worst':>16}  options"
)


def line(table: Table, tally: Tally) -> str:
    """The outcome of this match."""
    preset, players, options = table
    better = f"{tally.mean:+.2f} ± {tally.error:.2f}"
    points = "{:.1f} / {:.1f}".format(*map(fmean, tally.points))
    moons = " / ".join(f"{shot / hands:.1%}" for shot, hands in zip(tally.moons, tally.hands, strict=True))
    card, passing = _times(tally, Phase.PLAYING), _times(tally, Phase.PASSING)
    others = ", ".join(f"{name} {value}" for name, value in options.items())
    return (
        f"{preset:13}{players:3}{len(tally.better):6}{better:>18}{points:>18}{moons:>16}"
        f"{card:>18}{passing:>16}  {others}"
    )


def _times(tally: Tally, phase: Phase) -> str:
    seconds = tally.seconds.get(phase)
    return "{:.1f}, {:.0f}".format(*quantiles(seconds)) if seconds else "-"


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    command = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    command.add_argument("preset", nargs="?", choices=PRESETS)
    command.add_argument("players", nargs="?", type=int)
    command.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    command.add_argument("--all", action="store_true", help="every game in its usual forms")
    command.add_argument("--random", type=int, default=0, metavar="N", help="N tables with random options")
    command.add_argument("--first", default="medium", help="a player's name, or module:attribute")
    command.add_argument("--second", default="random")
    command.add_argument("--several", type=int, default=1, help="players of the first kind")
    command.add_argument("--deals", type=int, default=100)
    command.add_argument("--seed", default="1")
    command.add_argument("--jobs", type=int, default=1, help="processes")
    return command


def main() -> None:
    """Play, and print a line for each table."""
    arguments = parser().parse_args()
    print(f"{arguments.several} {arguments.first} against {arguments.second}\n{HEAD}", flush=True)
    for table in tables(arguments):
        match = Match(*table, arguments.first, arguments.second, arguments.several, arguments.seed)
        print(line(table, play(match, arguments.deals, arguments.jobs)), flush=True)


if __name__ == "__main__":
    main()
