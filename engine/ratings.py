"""How strong people are, by the games they have played against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import BradleyTerryPart

#: Ranked games of a kind before somebody's rating is shown: of fewer it tells little.
SHOWN_FROM = 5
#: What is shown for who has not played yet, and how much each point of `mu` is worth: a difference of 400
#: says about what it does in chess.
START, SCALE = 1000, 30
#: So many times its doubt is taken off a rating: it is rather too low than too high.
CAUTION = 3.0

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


def after(brought: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings after a game in which these people came to these places, from 1; ties share one.

    To the last digit the same in whatever order they are named.
    """
    order = sorted(range(len(brought)), key=lambda one: (places[one], brought[one].mu, brought[one].sigma))
    teams = [[_MODEL.create_rating([brought[one].mu, brought[one].sigma])] for one in order]
    rated = _MODEL.rate(teams, ranks=[places[one] for one in order])
    found = {one: Rating(team[0].mu, team[0].sigma) for one, team in zip(order, rated, strict=True)}
    return [found[one] for one in range(len(brought))]
