"""The standings of a tournament: how much better than par each entrant did, and how lucky they were.

A deal counts for people who made most of their moves in it themselves, once its par has arrived.
"""

from dataclasses import dataclass, replace
from statistics import fmean

from engine.play.par import gain
from engine.tournaments.tournament import Entrant, Tournament

#: Decimal places of a score as it is shown; scores tie if they are equal after rounding.
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

    place: int  # from 1, without ties
    entrant: Entrant
    score: float  # points better than par, all deals added up
    points: int  # of the deals that count
    deals: tuple[DealScore, ...]
    #: How good the cards were: points per deal by which their par is better than the field's; negative if
    #: worse, None without a par.
    luck: float | None

    @property
    def is_ranked(self) -> bool:
        """Whether any deal counts yet; until its par has arrived, only its points are known."""
        return self.missing < len(self.deals)

    @property
    def missing(self) -> int:
        """The number of deals whose par hasn't arrived."""
        return sum(deal.gain is None for deal in self.deals)

    @property
    def best(self) -> DealScore | None:
        """The best deal against par; None if no par has arrived."""
        return max(self._scored, key=_gain, default=None)

    @property
    def worst(self) -> DealScore | None:
        """The worst deal against par; None if no par has arrived."""
        return min(self._scored, key=_gain, default=None)

    @property
    def _scored(self) -> list[DealScore]:
        return [deal for deal in self.deals if deal.gain is not None]


def standings(tournament: Tournament) -> tuple[Standing, ...]:
    """Everyone's standing, best first; entrants who haven't played yet come last.

    Ties are broken by points, then by order of sign-up.
    """
    sign = tournament.terms.rules.winner.sign
    scored = _scores(tournament)
    field = _field(tournament)
    rows = []
    for entrant in tournament.shown.values():
        deals = tuple(scored.get(entrant.number, ()))
        score = round(sum(deal.gain or 0.0 for deal in deals), PLACES)
        points = sum(deal.points for deal in deals)
        pars = [deal.par for deal in deals if deal.par is not None]
        luck = sign * (fmean(pars) - field) if pars and field is not None else None
        rows.append(Standing(0, entrant, score, points, deals, luck))
    rows.sort(key=lambda one: (not one.deals, -one.score, -sign * one.points, one.entrant.number))
    return tuple([replace(one, place=place) for place, one in enumerate(rows, 1)])


def _gain(deal: DealScore) -> float:
    assert deal.gain is not None
    return deal.gain


def _scores(tournament: Tournament) -> dict[int, list[DealScore]]:
    """Each entrant's deals, by the entrant's number, in the order of play."""
    by_entrant: dict[int, list[DealScore]] = {}
    for round, table in tournament.tables:
        for number, deal in enumerate(table.deals, 1):
            gains = gain(tournament.terms.rules, deal.points, deal.par) if deal.par else None
            for seat in sorted(deal.played):
                if (entrant := table.seats[seat]) is None:
                    continue
                par, error = (deal.par.points[seat], deal.par.errors[seat]) if deal.par else (None, None)
                score = gains[seat] if gains else None
                one = DealScore(round.number, table.number, number, deal.points[seat], par, error, score)
                by_entrant.setdefault(entrant, []).append(one)
    return by_entrant


def _field(tournament: Tournament) -> float | None:
    """The mean par of a seat in a deal, over all deals with a par."""
    pars = [
        par for _, table in tournament.tables for deal in table.deals if deal.par for par in deal.par.points
    ]
    return fmean(pars) if pars else None
