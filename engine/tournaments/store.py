"""Tournaments to their rows, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from engine.languages import by_code
from engine.play.par import Par
from engine.players import Strength
from engine.rules.ruleset import Ruleset
from engine.storage.damage import reader
from engine.storage.tournaments import StoredEntrant, StoredRoundTable, StoredTournament
from engine.tables.table import Pace
from engine.tournaments.tournament import (
    Entrant,
    PlayedDeal,
    Reason,
    Round,
    RoundTable,
    State,
    TableState,
    Terms,
    Tournament,
)


def to_stored(tournament: Tournament, known: Tournament | None = None) -> StoredTournament:
    """The tournament as it is stored, without the tables that `known` has unchanged."""
    unchanged = {id(table) for _, table in known.tables} if known else set()
    return StoredTournament(
        id=tournament.id,
        guild=tournament.guild,
        channel=tournament.channel,
        host=tournament.host,
        terms=_terms_to_json(tournament.terms),
        state=tournament.state.value,
        opened_at=tournament.opened_at,
        seed=tournament.seed,
        starts_at=tournament.starts_at,
        is_reminded=tournament.is_reminded,
        rounds=tuple([(round.began_at, round.until) for round in tournament.rounds]),
        next_at=tournament.next_at,
        ended_at=tournament.ended_at,
        reason=tournament.reason.value if tournament.reason else None,
        entrants=tuple([StoredEntrant(**asdict(one)) for one in tournament.entrants]),
        tables=tuple(
            [
                _table_to_stored(round.number, table)
                for round, table in tournament.tables
                if id(table) not in unchanged
            ]
        ),
    )


def _terms_to_json(terms: Terms) -> dict[str, Any]:
    return {
        "rules": terms.rules.to_whole_json(),
        "rounds": terms.rounds,
        "deals": terms.deals,
        "pace": terms.pace.value,
        "strength": terms.strength.value,
        "minutes": terms.minutes,
        "language": terms.language.code,
    }


def _table_to_stored(round: int, table: RoundTable) -> StoredRoundTable:
    return StoredRoundTable(
        round=round,
        number=table.number,
        seats=table.seats,
        state=table.state.value,
        channel=table.channel,
        table=table.table,
        deals=[_deal_to_json(deal) for deal in table.deals],
        tries=table.tries,
    )


def _deal_to_json(deal: PlayedDeal) -> dict[str, Any]:
    par = asdict(deal.par) if deal.par else None
    return {"points": list(deal.points), "played": sorted(deal.played), "par": par}


def from_stored(stored: StoredTournament) -> Tournament:
    """The tournament of these rows; ValueError, TypeError, LookupError or Refusal if they are damaged."""
    terms = _terms_from_json(stored.terms)
    numbers = {one.number for one in stored.entrants}
    rounds = []
    for number, (began_at, until) in enumerate(stored.rounds, 1):
        found = [_table_from_stored(one, terms, numbers) for one in stored.tables if one.round == number]
        rounds.append(Round(number, began_at, until, tuple(found)))
        if [table.number for table in found] != list(range(1, 1 + len(found))):
            raise ValueError(f"the tables of round {number} are not all there")
    if any(one.round > len(rounds) for one in stored.tables):
        raise ValueError("a table of no round")
    return Tournament(
        id=stored.id,
        guild=stored.guild,
        channel=stored.channel,
        host=stored.host,
        terms=terms,
        opened_at=stored.opened_at,
        seed=stored.seed,
        state=State(stored.state),
        starts_at=stored.starts_at,
        is_reminded=stored.is_reminded,
        entrants=tuple([Entrant(**asdict(one)) for one in stored.entrants]),
        rounds=tuple(rounds),
        next_at=stored.next_at,
        ended_at=stored.ended_at,
        reason=Reason(stored.reason) if stored.reason else None,
    )


def _terms_from_json(terms: Mapping[str, Any]) -> Terms:
    return Terms(
        rules=Ruleset.from_json(terms["rules"]),
        rounds=reader(int)(terms["rounds"]),
        deals=reader(int)(terms["deals"]),
        pace=Pace(terms["pace"]),
        strength=Strength(terms["strength"]),
        minutes=None if terms["minutes"] is None else reader(int)(terms["minutes"]),
        language=by_code(terms["language"]),
    )


def _table_from_stored(stored: StoredRoundTable, terms: Terms, numbers: set[int]) -> RoundTable:
    if len(stored.seats) != terms.rules.players or not {*stored.seats} - {None} <= numbers:
        raise ValueError(f"the seats {stored.seats}")
    return RoundTable(
        number=stored.number,
        seats=stored.seats,
        state=TableState(stored.state),
        channel=stored.channel,
        table=stored.table,
        deals=tuple([_deal_from_json(deal, terms.rules.players) for deal in stored.deals]),
        tries=stored.tries,
    )


def _deal_from_json(deal: Mapping[str, Any], players: int) -> PlayedDeal:
    points = reader(tuple[int, ...])(deal["points"])
    played = reader(frozenset[int])(deal["played"])
    par = None if deal["par"] is None else reader(Par)(deal["par"])
    if len(points) != players or not played <= set(range(players)):
        raise ValueError(f"a deal with the points {points}")
    if par and not len(par.points) == len(par.errors) == players:
        raise ValueError("the par of another deal")
    return PlayedDeal(points, played, par)
