"""How good par is: `python -m tests.bench.par classic 4 --deals 200`.

For each deal it computes the par, lets strong computers play it, and then a strong, a medium, an easy and a
random player in each seat among strong ones, always with the same cards. It prints what a par costs and its
error; and for each kind of player how much better than par it was, how much that varies from hand to hand
compared with its points, and by seat. Fix the number of deals before you look.
"""

# ruff: noqa: T201

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from math import sqrt
from random import Random
from statistics import fmean
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.play.game import Game
from engine.play.par import DealStart, gain, par_of
from engine.play.views import seat_view
from engine.players import PLAYERS, Player, Strength, par, skills_of
from engine.players.advice import FULL, QUICK
from engine.players.strong import strong_move
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.thinking import REPLAYS, SEARCHES
from engine.thinking.answers import warm_up
from tests.bench.duplicates import dealt

#: How often strong computers at full strength play each deal.
STRONG_GAMES = 2
#: The players that are held against par, each in every seat.
KINDS = ("strong", "medium", "easy", "random")
Row = dict[str, Any]


def measure(rules: Ruleset, number: int, searches: int, replays: int, playouts: int) -> Row:
    """All that is measured of one deal; `playouts` are those for a move in full strong games."""
    game = dealt(rules, number, Random(f"par {number}"))
    start = DealStart(rules, game.deals[0].number, game.deals[0].dealt, game.oldest, game.totals)
    began = process_time()
    passes = par.choose_passes(start, searches, 0, float("inf"))
    passing = process_time() - began
    points = par.replay(start, passes, 0, replays, float("inf"))
    everyone = [_strong(rules, playouts)] * rules.players
    return {
        "passing": passing,
        "seconds": process_time() - began,
        "replays": points,
        "strong": [_play(game, everyone, f"strong {number} {time}") for time in range(STRONG_GAMES)],
        **{
            kind: [[_seated(rules, game, kind, seat, min(QUICK, playouts)) for seat in range(rules.players)]]
            for kind in KINDS[1:]
        },
    }


def _seated(rules: Ruleset, game: Game, kind: str, seat: int, playouts: int) -> int:
    """The points of such a player in this seat among strong ones, who think less than usual."""
    players = [_strong(rules, playouts)] * rules.players
    players[seat] = PLAYERS[kind]
    return _play(game, players, f"{kind} {seat}")[seat]


def _strong(rules: Ruleset, effort: int) -> Player:
    return partial(strong_move, effort=effort, skills=skills_of([Strength.STRONG] * rules.players))


def _play(game: Game, players: Sequence[Player], seed: str) -> Sequence[int]:
    chances = [Random(f"{seed} {seat}") for seat in range(len(players))]
    while game.deal:
        seat = game.deal.waiting_for[0]
        game = game.advance(players[seat](seat_view(game, seat), chances[seat]))
    return game.points[0]


# What the rows say


def costs(rows: Sequence[Row], searches: int) -> Iterator[str]:
    """What a par costs, and its error, in which replays with the same passes count as one."""
    replays = np.array([row["replays"] for row in rows], float)
    count, spread = replays.shape[1], sqrt(replays.var(axis=1, ddof=1).mean())
    seconds, passing = fmean(row["seconds"] for row in rows), fmean(row["passing"] for row in rows)
    each = (seconds - passing) / count
    yield f"{seconds:.2f} s of CPU a deal: {passing:.2f} s for passes, {each:.4f} s a replay, SD {spread:.2f}"
    errors = np.array([par_of(row["replays"], searches).errors for row in rows])
    error = sqrt((errors**2).mean())
    yield f"{count} replays, {searches} passes of each seat: standard error {error:.2f}"
    if len(rows) > 2:
        yield f"correlation with full strength, without the luck of either: {correlation(rows):.3f}"


def correlation(rows: Sequence[Row]) -> float:
    """That of the par with the mean of full strong games, as if there were endlessly many of both."""
    replays = np.array([row["replays"] for row in rows], float)
    games = np.array([row["strong"] for row in rows], float)
    pars = replays.mean(axis=1)
    of_pars = pars.var(ddof=1) - (replays.var(axis=1, ddof=1) / replays.shape[1]).mean()
    of_games = games.mean(axis=1).var(ddof=1) - (games.var(axis=1, ddof=1) / games.shape[1]).mean()
    both = np.cov(pars.ravel(), games.mean(axis=1).ravel())[0, 1]
    return float(both / sqrt(max(1e-9, of_pars * of_games)))


def validation(rules: Ruleset, rows: Sequence[Row]) -> Iterator[str]:
    """How each kind of player did against par."""
    found = {kind: _against_par(rules, rows, kind) for kind in KINDS}
    yield f"{'player':8}{'better than par':>20}{'varies by':>11}{'points by':>11}{'factor':>8}  by seat"
    for kind, (gains, points) in found.items():
        by_deal = gains.mean(axis=(1, 2))
        error = by_deal.std(ddof=1) / sqrt(len(by_deal)) if len(by_deal) > 1 else float("inf")
        spread, raw = gains.std(), points.std()
        by_seat = "  ".join(f"{one:+.2f}" for one in gains.mean(axis=(0, 1)))
        yield (
            f"{kind:8}{by_deal.mean():+12.2f} ± {error:.2f}{spread:11.2f}{raw:11.2f}"
            f"{(raw / spread) ** 2 if spread else 0:8.2f}  {by_seat}"
        )
    after, before = (found["strong"][of].var() + found["medium"][of].var() for of in (0, 1))
    yield f"to tell strong from medium, par saves a factor of {before / after:.2f} in deals"


def _against_par(
    rules: Ruleset, rows: Sequence[Row], kind: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The gains on par of such players, and their points, each by deal, game and seat."""
    gains = [[gain(rules, game, par_of(row["replays"])) for game in row[kind]] for row in rows]
    return np.array(gains, float), np.array([row[kind] for row in rows], float)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("preset", nargs="?", choices=PRESETS, default="classic")
    parser.add_argument("players", nargs="?", type=int, default=4)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--searches", type=int, default=SEARCHES, help="for each seat's pass")
    parser.add_argument("--replays", type=int, default=REPLAYS)
    parser.add_argument("--effort", type=int, default=par.PLAYING, help="playouts for a card of a replay")
    parser.add_argument("--playouts", type=int, default=FULL, help="for a move in full strong games")
    given = parser.parse_args()
    rules = Ruleset.of(given.preset, given.players)
    par.PLAYING = given.effort
    warm_up()  # so that all is compiled
    numbers = range(1, given.deals + 1)
    rows = [measure(rules, number, given.searches, given.replays, given.playouts) for number in numbers]
    print(*costs(rows, given.searches), *validation(rules, rows), sep="\n")


if __name__ == "__main__":
    main()
