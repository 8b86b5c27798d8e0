"""Ratings: how strong people are, by their games against each other.

A game counts less, on leaderboards too, if it says less about a person's strength and is cheap to arrange: if
it is short, if the same people keep meeting, or if the opponents are new.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from openskill.models import BradleyTerryPart

#: Ranked games of a kind before a rating is shown: with fewer it means little.
SHOWN_FROM = 5
#: The rating shown for a new player, and the points shown for 1 of `mu`: a difference of 400 means about what
#: it does in chess.
START, SCALE = 1000, 30
#: How many times its uncertainty is subtracted from a rating: better too low than too high.
CAUTION = 3.0

#: What a game with this many deals counts; one with more, of twenty minutes or longer, counts in full.
SHORT_GAMES = {0: 0.0, 1: 0.01, 2: 0.05, 3: 0.5}
#: What an opponent counts in their first game, and the full-length games after which they count in full.
NEWCOMER, KNOWN_AFTER = 0.05, 4.0
#: Seconds for which meetings are remembered, and the number in that time after which another counts half.
REMEMBERED, OFTEN = 3 * 24 * 60 * 60.0, 4.0

#: Everyone is compared with everyone else at the table. Of openskill's models, this one predicted the places
#: of simulated players best, and ties gain or lose the same whatever their seats.
_MODEL = BradleyTerryPart(window_size=100)


@dataclass(frozen=True, slots=True)
class Rating:
    """A person's strength at one kind of game in one server: an estimate and its uncertainty."""

    mu: float
    sigma: float

    @property
    def shown(self) -> int:
        """The whole number that people see."""
        return round(START + SCALE * (self.mu - CAUTION * self.sigma))


#: Everyone's first rating.
NEW = Rating(_MODEL.mu, _MODEL.sigma)


@dataclass(frozen=True, slots=True)
class Contestant:
    """A person in a ranked game: their place, and what was known about them before."""

    place: int  # from 1; ties share one
    rating: Rating
    experience: float  # full-length games played before, short ones in parts
    met: int  # the meetings with the others in the last REMEMBERED seconds, added up


def length(deals: int) -> float:
    """The weight of a game with this many deals: 1 for full length."""
    return SHORT_GAMES.get(deals, 1.0)


def rate_game(people: Sequence[Contestant], deals: int) -> list[Rating]:
    """The ratings of these people after a game with this many deals, in their order.

    Their order doesn't change a digit of any rating.
    """
    order = sorted(people, key=_sort_key)
    counts = dict(zip(people, weights(people, deals), strict=True))
    teams = [[_MODEL.create_rating([person.rating.mu, person.rating.sigma])] for person in order]
    rated = _MODEL.rate(teams, ranks=[person.place for person in order])
    ratings = {
        person: _towards(person.rating, Rating(team.mu, team.sigma), counts[person])
        for person, [team] in zip(order, rated, strict=True)
    }
    return [ratings[person] for person in people]


def weights(people: Sequence[Contestant], deals: int) -> list[float]:
    """The weight of a game with this many deals for each of these people, from 0 to 1."""
    others, familiarity = len(people) - 1, fsum(map(_familiarity, people))
    if not others:
        return [length(deals)] * len(people)
    return [
        length(deals) * _novelty(person, others) * (familiarity - _familiarity(person)) / others
        for person in people
    ]


def _sort_key(person: Contestant) -> tuple[float, ...]:
    return person.place, person.rating.mu, person.rating.sigma, person.experience, person.met


def _novelty(person: Contestant, opponents: int) -> float:
    """A game's weight for this person, which is less the more often they have just met these opponents."""
    return 1 / (1 + (person.met / opponents / OFTEN) ** 2)


def _familiarity(person: Contestant) -> float:
    """A game's weight for this person's opponents, which grows to 1 with this person's experience."""
    return min(1.0, NEWCOMER + (1 - NEWCOMER) * person.experience / KNOWN_AFTER)


def _towards(before: Rating, after: Rating, weight: float) -> Rating:
    """A rating between these two: with a weight of 0 the one before, with 1 the one after."""
    mu = before.mu + weight * (after.mu - before.mu)
    return Rating(mu, sqrt(before.sigma**2 + weight * (after.sigma**2 - before.sigma**2)))
