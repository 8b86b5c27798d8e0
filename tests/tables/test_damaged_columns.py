"""Any value in any column: who asks for it is refused, the log says why, and everybody else plays on.

And what stands there is handed out to whom it is about.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import sqlite3
from collections.abc import Iterator, Sequence, Set
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from everything import PARTIES, TODAY, House

from engine.errors import Refusal
from engine.storage import message_ids, privacy
from engine.storage.daily import morning_channels, servers_told
from engine.storage.database import Database
from engine.storage.migrations import FUNCTIONS, MIGRATIONS
from engine.storage.privacy import about_person
from engine.storage.results import unseen_achievements
from engine.storage.tables import picked_cards

pytestmark = pytest.mark.slow

VALUES = {
    "nothing": "NULL",
    "a word": "'many'",
    "no UTF-8": "CAST(x'5aff5a' AS TEXT)",
    "a huge number": "9223372036854775807",
    "no end": "9e999",
    "no bytes": "x''",
}
HIT, OTHERS = PARTIES
#: What a start changes: how messages looked at the last stop, which tables can be read again, and what is
#: kept for a day that is none.
CHANGED = {
    ("messages", "shown"),
    ("tournament_messages", "shown"),
    ("tables", "damaged"),
    ("deleted_players", "occasion"),
}
#: What a start adds up anew where it is damaged.
ADDED_UP = "standings"
COMPUTED_WITH_IT = [("results", column) for column in ("weight", "mu_before", "sigma_before", "mu", "sigma")]
#: Tables with a row for each person and by far the most columns.
WIDEST = ("results", "standings")
#: Which rows are damaged, one after the other: those of one server's people.
ROWS = {
    "tables": [f"id = {id}" for id in HIT.tables],
    "seats": [f"table_id = {id} AND seat = 0" for id in HIT.tables[:2]],
    "moves": [f"table_id = {id} AND number = 3" for id in HIT.tables[:2]],
    "takers": [f"table_id = {HIT.tables[1]}"],
    "departed": [f"table_id = {HIT.tables[1]}"],
    "invitations": [f"table_id = {HIT.tables[1]}"],
    "call_wishes": [f"person = {HIT[1].id}"],
    "pars": [f"table_id = {HIT.tables[0]}"],
    "day_pars": ["day = '2026-11-21'"],
    "picks": [f"table_id = {HIT.tables[1]}"],
    "results": [f"person = {HIT[number].id}" for number in (1, 2)],
    "standings": [f"person = {HIT[number].id} AND period = 0" for number in (1, 2)],
    "achievements": [f"person = {HIT[1].id}"],
    "messages": [f"table_id = {HIT.tables[1]}"],
    "house_rules": [f"guild = {HIT.guild} AND name = 'quick'"],
    "settings": ["name = 'traces left'"],
    "preferences": [f"person = {HIT[1].id}"],
    "locales": [f"person = {HIT[1].id}"],
    "server_languages": [f"guild = {HIT.guild}"],
    "server_settings": [f"guild = {HIT.guild}"],
    "threads": [f"guild = {HIT.guild}"],
    "days": ["day = '2026-11-21'"],
    "daily_results": [f"person = {HIT[1].id}"],
    "daily_channels": [f"guild = {HIT.guild}"],
    "daily_posts": [f"guild = {HIT.guild}"],
    "handed_in": [f"person = {HIT[1].id}"],
    "blocked": ["rowid = 1"],
    "deleted_players": ["rowid = 1"],
    "deletions": [f"person = {HIT[1].id}"],
    "dm_channels": [f"person = {HIT[1].id}"],
    "tournaments": [f"id = {id}" for id in (1, 2)],
    "tournament_messages": ["table_id = -1"],
    "entrants": [f"tournament = {id} AND number = 1" for id in (1, 2)],
    "tournament_tables": [f"tournament = {id}" for id in (1, 2)],
}
#: Tables that are about nobody, or follow from others; and columns of other tables that are not handed out.
NOBODYS = (
    *("settings", "days", "daily_channels", "daily_posts", "server_languages", "server_settings"),
    *("standings", "threads", "pars", "day_pars", "tournament_messages"),
)
NOT_TOLD = {
    "tables": {"pace", "strength", "paused", "timer", "notice", "end_seen", "damaged", "unplayed_since"},
    "seats": {"strength"},
    "messages": {"shown"},
    "results": {"number"},
    "handed_in": {"id", "at"},
    "tournaments": {"seed", "is_reminded", "rounds", "next_at"},
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A sound database, and what the others are told of it."""
    path = tmp_path_factory.mktemp("sound") / "hearts.sqlite3"

    async def furnish() -> dict[str, Any]:
        house = await House.open(path)
        for party in PARTIES:
            await house.move_in(party)
        await house.hold_tournaments()
        await house.close()
        house = await House.open(path)
        answers = await house.answers(OTHERS)
        await house.close()
        return answers

    return path, asyncio.run(furnish())


def schema() -> dict[str, list[str]]:
    """The columns of every table."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for name, function in FUNCTIONS.items():
            connection.create_function(name, 1, function)
        for statement in [one for statements in MIGRATIONS for one in statements]:
            connection.execute(statement)
        tables = connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        )
        return {
            table: [column for _, column, *_ in connection.execute(f"PRAGMA table_info({table})")]
            for (table,) in tables.fetchall()
        }


SCHEMA = schema()


def at_once(table: str) -> int:
    """How many of its columns are damaged in one life."""
    return 2 if table in WIDEST else 1


#: How many lives it takes until each column has been damaged.
PLACES = max(ceil(len(columns) / at_once(table)) for table, columns in SCHEMA.items())


@contextmanager
def editor(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to the file itself, as an editor would open it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.text_factory = bytes
        connection.execute("PRAGMA ignore_check_constraints = ON")
        yield connection


@dataclass(frozen=True)
class Damage:
    """This value in this column of one row."""

    table: str
    column: str
    value: str
    row: str

    @property
    def statement(self) -> str:
        return f"UPDATE {self.table} SET {self.column} = {self.value} WHERE {self.row}"

    def is_kept(self, edited: sqlite3.Connection) -> bool:
        """Whether it still stands where it was put, for repair."""
        return bool(
            edited.execute(f"SELECT 1 FROM {self.table} WHERE {self.column} IS {self.value}").fetchall()
        )


def damage(edited: sqlite3.Connection, place: int, turn: int) -> Iterator[Damage]:
    """Damage the column at this place of each table, as far as the schema lets that be.

    Of the widest tables, two columns are damaged at a time, in the rows of two people.
    """
    for number, (table, rows) in enumerate(ROWS.items()):
        value = list(VALUES.values())[(number + turn) % len(VALUES)]
        count = at_once(table)
        for other, column in enumerate(SCHEMA[table][place * count : (place + 1) * count]):
            one = Damage(table, column, value, rows[(place + turn + other) % len(rows)])
            with suppress(sqlite3.IntegrityError):
                edited.execute(one.statement)
                yield one


def test_every_table_is_tried() -> None:
    assert ROWS.keys() == SCHEMA.keys()


@pytest.mark.parametrize("place", range(PLACES))
def test_a_damaged_value_harms_nobody_else(
    place: int, sound: tuple[Path, dict[str, Any]], path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """In each life a column of each table is damaged, as the tables are read apart from each other."""
    file, told = sound
    for turn in range(len(VALUES)):
        shutil.copy(file, path)
        with editor(path) as edited:
            done = list(damage(edited, place, turn))
        caplog.clear()
        try:
            asyncio.run(live_with(path, done, told))
        except Exception as problem:
            raise AssertionError("\n".join(one.statement for one in done)) from problem
        assert not [record for record in caplog.records if record.exc_info], done
        assert not re.findall(f"{HIT.guild}0000000[1-9]", caplog.text), done


async def live_with(path: Path, damaged: Sequence[Damage], told: dict[str, Any]) -> None:
    """One life of the service on this file, in which everybody asks for everything."""
    kept = [one for one in damaged if one.table != ADDED_UP and (one.table, one.column) not in CHANGED]
    if any(one.table == ADDED_UP for one in damaged):
        kept = [one for one in kept if (one.table, one.column) not in COMPUTED_WITH_IT]
    with editor(path) as edited:
        kept = [one for one in kept if one.is_kept(edited)]
    house = await House.open(path)
    try:
        await check_notes(house.database)
        await house.answers(HIT)
        answers = await house.answers(OTHERS)
        if any(one.table == "days" for one in damaged):  # which are everybody's
            answers["day"] = told["day"]
        assert answers == told
        with editor(path) as edited:
            assert all(one.is_kept(edited) for one in kept)
        with suppress(Refusal):  # for who has lost their seat with it
            await house.concede(HIT)
        assert await house.concede(OTHERS)
        for person in (HIT[1], HIT[2]):
            await house.tables.forget(person.id)
            await house.tournaments.forget(person.id)
            await privacy.delete(house.database, person.id, person.name)
    finally:
        await house.close()
    lost = {one.table for one in damaged if one.column in ("person", "author")}
    check_forgotten(path, lost | {ADDED_UP} if "results" in lost else lost)


async def check_notes(database: Database) -> None:
    """What is read for all tables together is there for the others."""
    assert {5, 6} >= {table for table, *_ in await message_ids.take_messages(database) if table > 4} >= {6}
    assert OTHERS.tables[1] in await picked_cards(database)
    assert (OTHERS.guild, OTHERS.channel(9)) in await morning_channels(database)
    assert OTHERS.guild in await servers_told(database, TODAY)
    assert OTHERS.tables[0] in await unseen_achievements(database)


def check_forgotten(path: Path, lost: Set[str]) -> None:
    """Nothing is left of people who deleted everything, except in rows that no longer say whose they are."""
    with editor(path) as edited:
        for table in SCHEMA.keys() - lost:
            for column in SCHEMA[table]:
                told = f"CAST({column} AS TEXT)"
                holds = f"{told} LIKE '%{HIT[1].id}%' OR {told} LIKE '%{HIT[2].id}%'"
                assert not edited.execute(f"SELECT * FROM {table} WHERE {holds}").fetchall(), (table, column)


def test_whatever_is_stored_of_somebody_is_handed_out(sound: tuple[Path, dict[str, Any]]) -> None:
    path, _ = sound
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        told = exports(connection)
        for table, columns in SCHEMA.items():
            kept = {column for column in columns if not is_told(connection, table, column, told)}
            assert kept == set(NOT_TOLD.get(table, columns if table in NOBODYS else ())), table


def exports(connection: sqlite3.Connection) -> list[Any]:
    """What each of those is handed out whose rows these are."""
    return [about_person(connection, HIT[number].id) for number in (1, 3, 5)]


def is_told(connection: sqlite3.Connection, table: str, column: str, told: list[Any]) -> bool:
    """Whether their exports are others where another value stands in this column."""
    for value in (0, 123456789, HIT[1].id):
        connection.execute("BEGIN")
        try:
            connection.execute(f"UPDATE {table} SET {column} = {value} WHERE {ROWS[table][0]}")
            if exports(connection) != told:
                return True
        except sqlite3.IntegrityError:
            continue
        finally:
            connection.rollback()
    return False
