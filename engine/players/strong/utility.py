"""The worth of a deal's points to a player: a lead over the others and, near the end, the game."""

from math import exp, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernel.compiled import compiled
from engine.numbers.rows import Row
from engine.play.views import SeatView
from engine.rules.counting import lose_bonus
from engine.rules.options import Moon
from engine.rules.ruleset import Ruleset

#: In even shares: how fast the total that ends the game grows, and how far a deal separates two players.
PACE, SPREAD = 1.4, 0.8
#: How many deals before the end winning starts to count as well as points, and its greatest weight.
NEAR, MOST = 6.0, 0.9

#: The rule itself (W19), compiled too.
_lose_bonus = compiled(lose_bonus)


class Stakes(NamedTuple):
    """Everything that decides how much points matter to `seat`, in numbers for compiled code."""

    seat: int
    sign: int  # 1 where points are good, −1 where they are bad (P10)
    totals: NDArray[np.float64]  # before this deal
    ends_at: float
    more: int  # deals after this one, where their number ends the game (G6); else −1
    below_zero: bool  # a total as far below zero ends the game too (C10)
    even_scores: bool  # W19
    choice: int  # the points that a shooter may add to the others or subtract; 0 without a choice
    pace: float  # how much closer to the end a deal brings the foremost total
    spread: float  # how far a deal separates two players
    weight: float  # of winning the game, besides the points: 0 early, most in the last deal
    dread: float  # what another's moon costs beyond the points
    scale: float  # the points that the game is worth, such that among equals a point counts as one


def stakes_of(view: SeatView, others_stop_moons: bool = False) -> Stakes:
    """The stakes of this seat in the current deal; `others_stop_moons` if some of them know how to.

    A moon costs all others the same, but stopping it costs only one of them. If players
    weighed only their own points, each would leave it to the others. So a moon then counts twice.
    """
    rules = view.rules
    share = even_share(rules)
    totals = np.array(view.public.totals, np.float64)
    stakes = Stakes(
        view.seat,
        rules.winner.sign,
        totals,
        float(rules.ends_at),
        rules.deals - len(view.public.history) - 1 if rules.deals else -1,
        rules.preset.ends_below_zero,
        rules.counting.even_scores,
        rules.counting.moon_worth if rules.moon is Moon.CHOICE else 0,
        PACE * share,
        SPREAD * share,
        weight=0.0,
        dread=0.0,
        scale=0.0,
    )
    remaining = float(stakes.more + 1) if rules.deals else deals_left(stakes, totals)
    weight = MOST * min(1.0, max(0.0, (NEAR - remaining) / (NEAR - 1)))
    players = rules.players
    scale = stakes.spread * sqrt(remaining) * players * players / (players - 1)
    dread = (1 - weight) * abs(rules.counting.moon_worth) / (players - 1) if others_stop_moons else 0.0
    return stakes._replace(weight=weight, dread=dread, scale=scale)


def even_share(rules: Ruleset) -> float:
    """A seat's even share of all points in a deal, good or bad."""
    return max(1.0, rules.at_stake / rules.players)


@compiled
def merit(stakes: Stakes, points: Row, shot: bool) -> float:
    """The worth of these points of the deal, by seat, to the stakes' seat; more is better.

    If it `shot` the moon, it chooses between them and `choice` less for everyone (K7, W23, P9).
    """
    best = worth(stakes, points, 0)
    return max(best, worth(stakes, points, stakes.choice)) if shot and stakes.choice else best


@compiled
def worth(stakes: Stakes, points: Row, less: int) -> float:
    """The merit of these points, less `less` for everyone."""
    totals = add_up(stakes, points, less)
    change = totals - stakes.totals
    own = change[stakes.seat]
    lead = float(stakes.sign * (own - (change.sum() - own) / (len(totals) - 1)))
    if stakes.weight == 0.0:
        return lead
    return (1 - stakes.weight) * lead + stakes.weight * stakes.scale * equity(stakes, totals)


@compiled
def add_up(stakes: Stakes, points: Row, less: int) -> NDArray[np.float64]:
    """The totals after the deal (G4), with the bonus for even scores (W19)."""
    totals = stakes.totals.copy()
    for seat in range(len(totals)):
        total = totals[seat] + points[seat] - less
        totals[seat] = _lose_bonus(total) if stakes.even_scores else total
    return totals


@compiled
def equity(stakes: Stakes, totals: NDArray[np.float64]) -> float:
    """The chance of winning the game with these totals after this deal; ties count their share."""
    behind = stakes.sign * totals - (stakes.sign * totals).max()
    mine = behind[stakes.seat]
    if stakes.more == 0 or (stakes.more < 0 and foremost(stakes, totals) >= stakes.ends_at):
        return 1.0 / float((behind == 0.0).sum()) if mine == 0.0 else 0.0
    width = stakes.spread * sqrt(deals_left(stakes, totals))
    return exp(mine / width) / float(np.exp(behind / width).sum())


@compiled
def deals_left(stakes: Stakes, totals: NDArray[np.float64]) -> float:
    """The deals to be played after this one, an estimate where a total ends the game."""
    if stakes.more >= 0:
        return float(max(1, stakes.more))
    return max(1.0, (stakes.ends_at - foremost(stakes, totals)) / stakes.pace)


@compiled
def foremost(stakes: Stakes, totals: NDArray[np.float64]) -> float:
    """The total that is closest to ending the game."""
    return float(np.abs(totals).max() if stakes.below_zero else totals.max())
