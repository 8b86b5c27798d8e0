"""Par of a deal: what strong computers make of the same cards, on average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from engine.play.game import Game
from engine.play.moves import Dealt
from engine.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class DealStart:
    """All that a deal begins with, besides who plays."""

    rules: Ruleset
    number: int  # from 1
    dealt: Dealt
    first_leader: int | None  # where no card decides who leads (C3); None if each may
    totals: tuple[int, ...]

    @staticmethod
    def of(game: Game, number: int) -> DealStart:
        """That of this game's finished deal of this number; ValueError for any other."""
        if not 1 <= number <= len(game.points):
            raise ValueError(f"deal {number} isn't finished")
        deal = game.deals[number - 1]
        totals = game.history[number - 2] if number > 1 else (0,) * game.rules.players
        return DealStart(game.rules, number, deal.dealt, deal.tricks[0].trick.leader, totals)


@dataclass(frozen=True, slots=True)
class Par:
    """The mean points of a deal by seat, when strong computers play it from the cards as dealt.

    `errors` are the standard errors of these means.
    """

    points: tuple[float, ...]
    errors: tuple[float, ...]
    replays: int  # how often it was played


def par_of(points: Sequence[Sequence[int]], begins: int = 0) -> Par:
    """The par that follows from the points, by seat, of some replays.

    `begins` is how many sets of passes the replays take turns with, 0 if each begins anew. Replays with the
    same passes are partly alike, so each group of them counts as one in the standard error.
    """
    seats, replays = list(zip(*points, strict=True)), len(points)
    groups = min(begins or replays, replays)
    errors = []
    for seat in seats:
        means = [fmean(seat[number::groups]) for number in range(groups)]
        errors.append(stdev(means) / sqrt(groups) if groups > 1 else 0.0)
    return Par(tuple(map(fmean, seats)), tuple(errors), replays)


def gain(rules: Ruleset, points: Sequence[int], par: Par) -> tuple[float, ...]:
    """How much better than par each seat did in a deal that brought these points.

    It is positive for who did better, whether points are good or bad:

    >>> gain(Ruleset.of("classic", 4), (0, 26, 0, 0), Par((6.5, 10.5, 4.0, 5.0), (0.4,) * 4, 60))
    (6.5, -15.5, 4.0, 5.0)
    """
    sign = rules.winner.sign
    return tuple([sign * (own - mean) for own, mean in zip(points, par.points, strict=True)])
