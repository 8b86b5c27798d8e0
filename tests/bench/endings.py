"""What solving the last tricks exactly would bring a strong computer: `python -m tests.bench.endings`.

Strong computers play each deal to its last five tricks. From there it is played on once as usual, and
once for each seat and plan with that seat solving the last tricks (`tests.bench.solver`) within possible
deals, on the same cards. It prints by how many points that seat is better, with the standard error over
deals. Fix the number of deals before you look.
"""

# ruff: noqa: T201

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from random import Random
from statistics import fmean, stdev
from time import process_time

import numpy as np
from numpy.typing import NDArray

from engine.play.deal import Deal, Phase
from engine.play.game import Game
from engine.play.moves import Played, SeatMove
from engine.play.views import SeatView, seat_view
from engine.players import Strength, vigilance_of
from engine.players.advice import Vigilance
from engine.players.strong import POLICY, strong_move
from engine.players.strong.playing import candidates, may_aim
from engine.players.strong.trials import Trials, search
from engine.players.strong.worlds import encode_view
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from tests.bench.duplicates import dealt, quantiles
from tests.bench.solver import Lines, solve_cards

#: How many tricks are left when the plans begin.
LAST = 5
#: By the cards in hand, the playouts of a card.
Plan = Mapping[int, int]
#: By name, a plan, and the share of possible deals that are solved; the rest is played out as usual.
PLANS: Mapping[str, tuple[Plan, float]] = {
    "three": ({1: 2000, 2: 2000, 3: 2000}, 1.0),
    "five": ({2: 2000, 3: 2000, 4: 600, 5: 150}, 1.0),
    "five, half": ({2: 2000, 3: 2000, 4: 1000, 5: 300}, 0.5),
}


def best_move(view: SeatView, rng: Random, vigilance: Vigilance, plan: Plan, share: float) -> SeatMove:
    """The strong player's move, or the card that the plan finds in the last tricks."""
    if view.deal.phase is not Phase.PLAYING or len(view.hand) not in plan:
        return strong_move(view, rng, vigilance=vigilance)
    known = encode_view(view)
    groups = candidates(view, known)
    if len(groups) == 1 or may_aim(view, known):  # a moon isn't shot against all others' best play
        return strong_move(view, rng, vigilance=vigilance)
    lines = Lines.up_to(view.rules.players * len(view.hand))
    cards = np.array([known.laws.codes(group[0])[0] for group in groups])

    def attempt(trials: Trials, alive: NDArray[np.int64], first: int, last: int) -> None:
        solve_cards(trials, lines, cards, alive, share, first, last)

    choices = [((group[0],), tuple(group[1:])) for group in groups]
    effort, seed = plan[len(view.hand)], rng.getrandbits(62)
    found = search(view, known, POLICY, vigilance, choices, effort, seed, attempt)
    return Played(view.seat, *found.best)


@dataclass(slots=True)
class Seat:
    """Who plays in one seat: the usual strong computer, or one with a plan."""

    plan: Plan = field(default_factory=dict)
    share: float = 1.0
    seconds: list[float] = field(default_factory=list)  # for each card that the plan found


def played(game: Game, seats: Sequence[Seat], name: str, last: int = 0) -> Game:
    """The game after these computers have played, up to the last tricks if there's a number for that.

    The same name gives each seat the same luck.
    """
    vigilance = vigilance_of([Strength.STRONG] * len(seats))
    while game.deal and not (game.deal.phase is Phase.PLAYING and _has_come_to(game.deal, last)):
        number = game.deal.waiting_for[0]
        view, seat = seat_view(game, number), seats[number]
        rng = Random(f"{name} {number} {game.deal.phase} {len(view.hand)}")
        started = process_time()
        move = best_move(view, rng, vigilance, seat.plan, seat.share)
        if len(view.hand) in seat.plan and len(set(view.legal)) > 1:
            seat.seconds.append(process_time() - started)
        game = game.advance(move)
    return game


def _has_come_to(deal: Deal, last: int) -> bool:
    return not deal.trick.cards and len(deal.hands[0]) == last


def gains(rules: Ruleset, seed: str, number: int) -> dict[str, tuple[float, list[float]]]:
    """By plan, how much better a seat with it is in this deal, and the seconds that its cards took."""
    name, seats = f"{seed} {number}", range(rules.players)
    game = played(dealt(rules, number, Random(f"cards {name}")), [Seat() for _ in seats], name, LAST)
    usual = _points(played(game, [Seat() for _ in seats], name))
    found = {}
    for title, (plan, share) in PLANS.items():
        better, seconds = [], []
        for seat in seats:
            one = Seat(plan, share)
            ended = _points(played(game, [one if other == seat else Seat() for other in seats], name))
            better.append(rules.winner.sign * (_lead(ended, seat) - _lead(usual, seat)))
            seconds += one.seconds
        found[title] = fmean(better), seconds
    return found


def _points(game: Game) -> Sequence[int]:
    (deal,) = game.deals
    assert deal.points is not None
    return deal.points


def _lead(points: Sequence[int], seat: int) -> float:
    """This seat's points less the others' mean."""
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)


def main() -> None:
    """Play, and print a line for each plan."""
    command = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    command.add_argument("preset", nargs="?", default="classic", choices=PRESETS)
    command.add_argument("players", nargs="?", type=int, default=4)
    command.add_argument("--deals", type=int, default=100)
    command.add_argument("--seed", default="1")
    command.add_argument("--jobs", type=int, default=1, help="processes")
    arguments = command.parse_args()
    one = partial(gains, Ruleset.of(arguments.preset, arguments.players), arguments.seed)
    with ProcessPoolExecutor(arguments.jobs, get_context("spawn")) as pool:
        deals = list(pool.map(one, range(arguments.deals)))
    print(f"{'tricks solved':16}{'deals':>6}{'better by':>18}{'ms a card, worst':>18}")
    for title in PLANS:
        better = [deal[title][0] for deal in deals]
        error = stdev(better) / len(better) ** 0.5 if len(better) > 1 else float("inf")
        took = "{:.1f}, {:.0f}".format(*quantiles([second for deal in deals for second in deal[title][1]]))
        print(f"{title:16}{len(deals):6}{f'{fmean(better):+.3f} ± {error:.3f}':>18}{took:>18}")


if __name__ == "__main__":
    main()
