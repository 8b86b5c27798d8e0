"""A tournament as a JSON document (.github/RECORD.md): who sat where, each table's game, and its pars."""

from dataclasses import asdict
from typing import Any

from engine.errors import Refusal
from engine.play.record import write_record
from engine.tables import Tables
from engine.tournaments.standings import Standing, standings
from engine.tournaments.tournament import RoundTable, Tournament

FORMAT = "hearts-tournament/1"


async def write_tournament(tournament: Tournament, tables: Tables) -> dict[str, Any]:
    """The record of a tournament that is over, with names instead of ids.

    Tables that can't be read have no game.
    """
    return {
        "format": FORMAT,
        "rules": tournament.terms.rules.to_json(),
        "deals_a_round": tournament.terms.deals,
        "players": [{"number": one.number, "name": one.name} for one in tournament.shown.values()],
        "standings": [_standing(one) for one in standings(tournament)],
        "rounds": [
            {"number": round.number, "tables": [await _table(table, tables) for table in round.tables]}
            for round in tournament.rounds
        ],
    }


def _standing(one: Standing) -> dict[str, Any]:
    return {
        "place": one.place,
        "player": one.entrant.number,
        "better_than_par": one.score,
        "points": one.points,
        "deals": len(one.deals),
        "luck_a_deal": None if one.luck is None else round(one.luck, 2),
    }


async def _table(table: RoundTable, tables: Tables) -> dict[str, Any]:
    return {
        "number": table.number,
        "seats": list(table.seats),
        "played": [sorted(deal.played) for deal in table.deals],
        "pars": [asdict(deal.par) if deal.par else None for deal in table.deals],
        "game": await _game(table, tables),
    }


async def _game(table: RoundTable, tables: Tables) -> dict[str, Any] | None:
    if table.table is None:
        return None
    try:
        whole = await tables.games.whole(table.table)
    except Refusal:
        return None
    if whole.game is None:
        return None
    return write_record(whole.game.complete_deals, whole.names)
