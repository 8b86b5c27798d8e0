"""Par of a deal: the points of strong computers with the same cards, on average."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from engine.play.game import Game
from engine.play.moves import Dealt
from engine.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class DealStart:
    """Everything that a deal starts from, except who plays."""

    rules: Ruleset
    number: int  # from 1
    dealt: Dealt
    first_leader: int | None  # if no card decides who leads (C3); None if the seats take turns
    totals: tuple[int, ...]  # before the deal

    @staticmethod
    def of(game: Game, number: int) -> "DealStart":
        """The start of this game's deal with this number (from 1); ValueError unless it is finished."""
        if not 1 <= number <= len(game.points):
            raise ValueError(f"deal {number} isn't finished")
        deal = game.deals[number - 1]
        totals = game.history[number - 2] if number > 1 else (0,) * game.rules.players
        return DealStart(game.rules, number, deal.dealt, deal.tricks[0].trick.leader, totals)


@dataclass(frozen=True, slots=True)
class Par:
    """The mean points of a deal, by seat, when strong computers replay it from the cards as dealt.

    `errors` are the standard errors of these means.
    """

    points: tuple[float, ...]
    errors: tuple[float, ...]
    replays: int  # the number of replays


def par_of(points: Sequence[Sequence[int]], pass_sets: int = 0) -> Par:
    """The par that follows from the points of some replays, by seat.

    The replays take turns with `pass_sets` sets of passes; 0 if they share none. Replays with the same passes
    are correlated, so each group of them counts as one in the standard error.
    """
    seats, replays = list(zip(*points, strict=True)), len(points)
    groups = min(pass_sets or replays, replays)
    errors = []
    for seat in seats:
        means = [fmean(seat[number::groups]) for number in range(groups)]
        errors.append(stdev(means) / sqrt(groups) if groups > 1 else 0.0)
    return Par(tuple(map(fmean, seats)), tuple(errors), replays)


def gain(rules: Ruleset, points: Sequence[int], par: Par) -> tuple[float, ...]:
    """How many points better than par each seat did, with these points in the deal.

    More is better, whether points are good or bad:

    >>> gain(Ruleset.of("classic", 4), (0, 26, 0, 0), Par((6.5, 10.5, 4.0, 5.0), (0.4,) * 4, 60))
    (6.5, -15.5, 4.0, 5.0)
    """
    sign = rules.winner.sign
    return tuple([sign * (own - mean) for own, mean in zip(points, par.points, strict=True)])
