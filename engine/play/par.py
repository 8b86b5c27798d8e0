"""Par of a deal: what strong computers make of the same cards, on average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Par:
    """The mean points of a deal by seat, when strong computers play it from the cards as dealt.

    `errors` are the standard errors of these means.
    """

    points: tuple[float, ...]
    errors: tuple[float, ...]
    replays: int  # how often it was played


def gain(rules: Ruleset, points: Sequence[int], par: Par) -> tuple[float, ...]:
    """How much better than par each seat did in a deal that brought these points.

    It is positive for who did better, whether points are good or bad:

    >>> gain(Ruleset.of("classic", 4), (0, 26, 0, 0), Par((6.5, 10.5, 4.0, 5.0), (0.4,) * 4, 60))
    (6.5, -15.5, 4.0, 5.0)
    """
    sign = rules.winner.sign
    return tuple([sign * (own - mean) for own, mean in zip(points, par.points, strict=True)])
