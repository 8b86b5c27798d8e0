"""No statement that somebody waits for reads through a whole table that grows with every game."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

import pytest
from everything import PARTIES, House

from engine.storage import privacy
from engine.storage.message_ids import TABLES, MessageIds

pytestmark = pytest.mark.slow

#: Tables that grow with each game, person or server. The others stay small: settings, the files of a day.
GROWING = {
    "achievements",
    "call_wishes",
    "daily_channels",
    "daily_posts",
    "daily_results",
    "house_rules",
    "locales",
    "messages",
    "moves",
    "people",
    "pars",
    "preferences",
    "results",
    "server_languages",
    "server_settings",
    "standings",
    "tables",
    "tournament_people",
    "tournament_results",
    "tournaments",
}
#: Indexes of what is going on alone, however many games are over.
LIVE = {"one_live_table_a_channel", "tables_unseen"}


class Noted(sqlite3.Connection):
    """Notes each statement with its values."""

    statements: ClassVar[dict[str, Any]] = {}

    def execute(self, statement: str, values: Any = (), /) -> sqlite3.Cursor:
        self.statements.setdefault(statement, values)
        return super().execute(statement, values)

    def executemany(self, statement: str, rows: Any, /) -> sqlite3.Cursor:
        rows = list(rows)
        if rows:
            self.statements.setdefault(statement, rows[0])
        return super().executemany(statement, rows)


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Each statement from now on, with its values."""
    connect = sqlite3.connect
    monkeypatch.setattr(Noted, "statements", {})
    monkeypatch.setattr(sqlite3, "connect", lambda *given, **named: connect(*given, **named, factory=Noted))
    return Noted.statements


async def test_nothing_that_somebody_waits_for_scans_a_table_that_grows(
    path: Path, statements: dict[str, Any]
) -> None:
    house = await House.open(path)
    statements.clear()  # a start may take its time
    for party in PARTIES:
        await house.move_in(party)
        await house.answers(party)
        await house.replays.drop_old_files()
        await house.tables.drop_unplayed()
    await house.hold_tournaments()
    for party in PARTIES:
        await house.answers(party)
    ended, going_on = PARTIES[0].tables[:2]
    messages = MessageIds(house.database, TABLES)
    await messages.rename(ended, "hand:1", "hand:2")
    await messages.drop(ended, "hand:2")
    await messages.put_fingerprints([(going_on, "hand:1", "abc")])
    assert await house.concede(PARTIES[0])
    for number in (1, 2):
        person = PARTIES[0][number]
        await house.tables.forget(person.id)
        await house.tournaments.forget(person.id)
        naming = [house.tables.stored, house.tournaments.stored]
        await privacy.delete(house.database, person.id, person.name, naming)
    await house.close()
    for table in GROWING - {"daily_channels"}:  # which is read through once a day, and nobody waits for that
        assert any(re.search(rf"FROM {table}\b", one) for one in statements), table
    found = [f"{detail}: {statement}" for statement, detail in scans(path, dict(statements))]
    assert not found, "\n".join(found)


def scans(path: Path, statements: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The statements that read through a table that grows, and the step of their plan that does."""
    with closing(sqlite3.connect(path)) as connection:
        for statement, values in statements.items():
            if re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b", statement):
                aliases = {alias: table for table, alias in re.findall(r"(\w+) AS (\w+)", statement)}
                for *_, detail in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values):
                    step, name, *how = detail.split()
                    # A search without a condition, as for the largest id, begins at one end and goes on.
                    scanned = step == "SCAN" or (step == "SEARCH" and "(" not in detail)
                    if scanned and aliases.get(name, name) in GROWING and not LIVE & {*how}:
                        yield " ".join(statement.split()), detail
