"""How strong people are, by the games they have played against each other.

A game counts less where it tells less about a person's strength, and so is cheap to arrange: if it was short,
if the same people have just met again and again, or if the opponents are new.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from openskill.models import BradleyTerryPart

#: Ranked games of a kind before somebody's rating is shown: of fewer it tells little.
SHOWN_FROM = 5
#: What is shown for who has not played yet, and how much each point of `mu` is worth: a difference of 400
#: says about what it does in chess.
START, SCALE = 1000, 30
#: So many times its doubt is taken off a rating: it is rather too low than too high.
CAUTION = 3.0

#: What a game with this many deals counts for; one with more, some twenty minutes and longer, counts in full.
SHORT = {1: 0.01, 2: 0.05, 3: 0.5}
#: What an opponent counts for in their first game, and the full-length games after which they count in full.
NEWCOMER, KNOWN_AFTER = 0.05, 4.0
#: Seconds for which a meeting is remembered, and after how many of them within that time another counts half.
REMEMBERED, OFTEN = 3 * 24 * 60 * 60.0, 4.0

#: Everybody is held against everybody else at the table. Of openskill's models it foretold the places of
#: made-up players best, and those who share a place gain or lose alike whatever their seats.
_MODEL = BradleyTerryPart(window_size=100)


@dataclass(frozen=True, slots=True)
class Rating:
    """A person's strength at one kind of game in one server: the best guess, and how doubtful it is."""

    mu: float
    sigma: float

    @property
    def shown(self) -> int:
        """The whole number that people see."""
        return round(START + SCALE * (self.mu - CAUTION * self.sigma))


#: What everybody begins with.
NEW = Rating(_MODEL.mu, _MODEL.sigma)


@dataclass(frozen=True, slots=True)
class Contestant:
    """A person in a ranked game: the place they came to, and what was known of them before it."""

    place: int  # from 1; ties share one
    rating: Rating
    experience: float  # games of full length that they had played, short ones in parts
    met: int  # how often they had met the others within the last REMEMBERED seconds, all added up


def length(deals: int) -> float:
    """What a game with this many deals counts for: 1 for one of full length."""
    return SHORT.get(deals, 1.0)


def rate_game(people: Sequence[Contestant], deals: int) -> list[Rating]:
    """The ratings of these people after a game with this many deals.

    To the last digit the same in whatever order they are named.
    """
    order = sorted(people, key=_sort_key)
    teams = [[_MODEL.create_rating([one.rating.mu, one.rating.sigma])] for one in order]
    rated = _MODEL.rate(teams, ranks=[one.place for one in order])
    known = fsum(map(_familiarity, people))
    found = {}
    for one, [team] in zip(order, rated, strict=True):
        opponents = (known - _familiarity(one)) / (len(people) - 1)
        weight = length(deals) * _novelty(one, len(people) - 1) * opponents
        found[one] = _towards(one.rating, Rating(team.mu, team.sigma), weight)
    return [found[one] for one in people]


def _sort_key(one: Contestant) -> tuple[float, ...]:
    return one.place, one.rating.mu, one.rating.sigma, one.experience, one.met


def _novelty(one: Contestant, opponents: int) -> float:
    """What a game counts for by how often this person has just met these opponents."""
    return 1 / (1 + (one.met / opponents / OFTEN) ** 2)


def _familiarity(one: Contestant) -> float:
    """What a game counts for to their opponents by how much this person has played."""
    return min(1.0, NEWCOMER + (1 - NEWCOMER) * one.experience / KNOWN_AFTER)


def _towards(before: Rating, after: Rating, weight: float) -> Rating:
    """The rating between these two: with a weight of 0 that before, with 1 that after."""
    mu = before.mu + weight * (after.mu - before.mu)
    return Rating(mu, sqrt(before.sigma**2 + weight * (after.sigma**2 - before.sigma**2)))
