"""Who is ahead in a tournament: how much better than par each did, and how lucky each was.

A deal counts for those who made most of their moves in it themselves; one without par counts when its par
has arrived.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import fmean

from engine.play.par import gain
from engine.tournaments.tournament import Entrant, Tournament

#: Decimal places of a score, as it is shown: those equal to the last one are level.
PLACES = 1


@dataclass(frozen=True, slots=True)
class DealScore:
    """One person's deal: rounds, tables and deals count from 1."""

    round: int
    table: int
    deal: int
    points: int
    par: float | None  # of their seat
    error: float | None  # its standard error
    gain: float | None  # how much better than par, negative for worse


@dataclass(frozen=True, slots=True)
class Standing:
    """One entrant's score."""

    place: int  # from 1; no two share one
    entrant: Entrant
    score: float  # better than par, all deals added up
    points: int  # of the deals that count
    deals: tuple[DealScore, ...]
    #: What the cards gave: points a deal better (or, negative, worse) than the field's mean par. None without
    #: a par.
    luck: float | None

    @property
    def is_ranked(self) -> bool:
        """Whether a deal counts already: until its par has arrived, only its points are known."""
        return self.missing < len(self.deals)

    @property
    def missing(self) -> int:
        """The number of deals whose par hasn't arrived."""
        return sum(deal.gain is None for deal in self.deals)

    @property
    def is_provisional(self) -> bool:
        """Whether the score changes when pars arrive."""
        return self.missing > 0

    @property
    def best(self) -> DealScore | None:
        """The deal that was best against par."""
        return max(self._scored, key=lambda deal: deal.gain or 0.0, default=None)

    @property
    def worst(self) -> DealScore | None:
        """The deal that was worst against par."""
        return min(self._scored, key=lambda deal: deal.gain or 0.0, default=None)

    @property
    def _scored(self) -> list[DealScore]:
        return [deal for deal in self.deals if deal.gain is not None]


def standings(tournament: Tournament) -> tuple[Standing, ...]:
    """Everyone's standing, the best first: those who have played nothing yet come last.

    Level scores are decided by points, then by who signed up first.
    """
    sign = tournament.terms.rules.winner.sign
    scored = _scores(tournament)
    field = _field(tournament)
    found = []
    for entrant in tournament.shown.values():
        deals = tuple(scored.get(entrant.number, ()))
        score = round(sum(deal.gain or 0.0 for deal in deals), PLACES)
        points = sum(deal.points for deal in deals)
        pars = [deal.par for deal in deals if deal.par is not None]
        luck = sign * (fmean(pars) - field) if pars and field is not None else None
        found.append(Standing(0, entrant, score, points, deals, luck))
    found.sort(key=lambda one: (not one.deals, -one.score, -sign * one.points, one.entrant.number))
    return tuple([replace(one, place=place) for place, one in enumerate(found, 1)])


def _scores(tournament: Tournament) -> dict[int, list[DealScore]]:
    """Each entrant's deals by their number, in the order in which they were played."""
    found: dict[int, list[DealScore]] = {}
    for round, table in tournament.tables:
        for number, deal in enumerate(table.deals, 1):
            gains = gain(tournament.terms.rules, deal.points, deal.par) if deal.par else None
            for seat in sorted(deal.played):
                if (entrant := table.seats[seat]) is None:
                    continue
                par, error = (deal.par.points[seat], deal.par.errors[seat]) if deal.par else (None, None)
                score = gains[seat] if gains else None
                one = DealScore(round.number, table.number, number, deal.points[seat], par, error, score)
                found.setdefault(entrant, []).append(one)
    return found


def _field(tournament: Tournament) -> float | None:
    """The mean par of a seat in a deal, over all that have one."""
    pars = [
        par for _, table in tournament.tables for deal in table.deals if deal.par for par in deal.par.points
    ]
    return fmean(pars) if pars else None
