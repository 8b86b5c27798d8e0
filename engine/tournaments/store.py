"""Stores tournaments in the database and restores them, each as a whole value."""

import logging
import sqlite3
from datetime import UTC, datetime
from typing import Any

from engine.names import NOBODY
from engine.storage import privacy
from engine.storage import tournaments as storage
from engine.storage.codec import Codec, plain
from engine.storage.database import Database
from engine.storage.deleted_players import drop_of_tournament, note_player, tournament_occasion
from engine.storage.message_ids import owe_end
from engine.storage.settings import NOTE_TRACES, TRACES_LEFT
from engine.storage.tournaments import StoredTournament, TournamentResult
from engine.tournaments import changes
from engine.tournaments.standings import standings
from engine.tournaments.tournament import Entrant, RoundTable, Tournament, TournamentState

log = logging.getLogger(__name__)
_BODY = Codec(Tournament, but=("id", "guild", "state"))


def season_of(now: float) -> int:
    """The season of this moment (seconds since 1970): a quarter of a year by UTC, such as 20264."""
    today = datetime.fromtimestamp(now, UTC)
    return today.year * 10 + (today.month + 2) // 3


async def insert(database: Database, new: Tournament) -> int:
    """Store a new tournament; returns its id. Refusal if its server has another live one."""
    columns, people = {"guild": new.guild, **_columns(new)}, people_of(new)
    return await database.write(lambda connection: storage.insert(connection, columns, people))


async def update(database: Database, old: Tournament, new: Tournament) -> None:
    """Store all changes in one transaction, with the results once it is over.

    The message with the end is then marked as outdated, also when a late par changes the results.
    """
    if new != old:
        columns = _columns(new)
        await database.write(lambda connection: _update(connection, old, new, columns))


def _update(
    connection: sqlite3.Connection, old: Tournament, new: Tournament, columns: dict[str, Any]
) -> None:
    storage.update(connection, new.id, columns)
    before, people = people_of(old), people_of(new)
    if people != before:
        storage.put_people(connection, new.id, people)
    if set(before.items()) - set(people.items()):
        connection.execute(NOTE_TRACES, (TRACES_LEFT,))
    if new.state is TournamentState.PLAYING:
        for person in _forgotten(old, new):
            note_player(connection, tournament_occasion(new.id), person)
    elif not new.is_live:
        drop_of_tournament(connection, new.id)
    if new.state is TournamentState.OVER:
        storage.put_results(connection, new.id, new.guild, _results(new))
        owe_end(connection, new.id)


def _columns(tournament: Tournament) -> dict[str, Any]:
    return {"state": tournament.state.value, "body": _BODY.encode(tournament)}


def people_of(tournament: Tournament) -> dict[int, str]:
    """Everyone whom the tournament names, with their names; the host's may be empty."""
    names = {tournament.host: ""} | {one.person: one.name for one in tournament.entrants}
    names.pop(NOBODY, None)
    return names


def _forgotten(old: Tournament, new: Tournament) -> list[int]:
    """The people who had signed up and have just been deleted."""
    deleted = {one.number for one in new.entrants if not one.is_known}
    return [one.person for one in old.by_person.values() if one.number in deleted]


def _results(tournament: Tournament) -> list[TournamentResult]:
    assert tournament.ended_at is not None
    season = season_of(tournament.ended_at)
    return [
        TournamentResult(one.entrant.person, one.entrant.name, season, one.place, one.score, len(one.deals))
        for one in standings(tournament)
        if one.deals and one.entrant.is_known
    ]


def restore(stored: StoredTournament) -> Tournament:
    """Restore a stored tournament; raises if it is damaged."""
    return _BODY.decode(stored.body, id=stored.id, guild=stored.guild, state=TournamentState(stored.state))


# One person's data in tournaments that are over; the service handles live ones


def names(connection: sqlite3.Connection, person: int) -> set[str]:
    """The names that this person has in tournaments."""
    return privacy.names_in(storage.tournaments_of(connection, person), restore, people_of, person)


def forget(connection: sqlite3.Connection, person: int) -> None:
    """Remove this person from every tournament that is over."""
    for stored in storage.tournaments_of(connection, person):
        try:
            tournament = restore(stored)
        except Exception as problem:
            log.error(
                "tournament %s can't be read and tells of somebody: it is emptied: %r", stored.id, problem
            )
            storage.empty(connection, stored.id)
            continue
        if tournament.is_live:
            continue
        new = changes.forget(tournament, person)
        storage.update(connection, new.id, _columns(new))
        storage.put_people(connection, new.id, people_of(new))


def about(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    """What each tournament holds about this person, as JSON values, with only the tables where they sat."""
    return privacy.about_each(
        "tournament",
        storage.tournaments_of(connection, person),
        restore,
        lambda _, tournament: _about(
            tournament, tournament.by_person.get(person), is_host=tournament.host == person
        ),
    )


def _about(tournament: Tournament, own: Entrant | None, *, is_host: bool) -> dict[str, Any]:
    return {
        "tournament": tournament.id,
        "server": privacy.id_text(tournament.guild),
        "channel": privacy.id_text(tournament.channel),
        "state": tournament.state.value,
        "opened": privacy.time_text(tournament.opened_at),
        "is_host": is_host,
        **({"terms": plain(tournament.terms)} if is_host else {}),
        "signed_up_as": own and {name: value for name, value in plain(own).items() if name != "person"},
        "tables": [
            {"round": round.number, **_about_table(table, table.seats.index(own.number))}
            for round, table in tournament.tables
            if own and own.number in table.seats
        ],
    }


def _about_table(table: RoundTable, seat: int) -> dict[str, Any]:
    return {
        "number": table.number,
        "table": table.table,
        "channel": table.channel and str(table.channel),
        "state": table.state.value,
        "seat": seat,
        "deals": [
            {
                "points": deal.points[seat],
                "is_played_by_this_person": seat in deal.played,
                "par": deal.par and deal.par.points[seat],
            }
            for deal in table.deals
        ],
    }
