"""A small file beside the database with each channel's progress, to notice if an older copy was restored.

It contains no cards and no people. It is written at each stop and once an hour, after the moves that it
counts have been stored.
"""

import json
import logging
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from engine.tables import Table

log = logging.getLogger(__name__)
#: A table's channel; and the numbers of its deal, its finished tricks and the cards in the current trick.
Noted = tuple[int, list[int]]


def note(database: Path, tables: Iterable[Table]) -> None:
    """Write the progress of those tables that are played in channels."""
    progress = {
        table.id: (table.channel, _progress(table)) for table in tables if _is_played_in_channel(table)
    }
    file = _file(database)
    part = file.with_name(f"{file.name}.part")
    try:
        part.write_text(json.dumps(progress))
        part.chmod(0o600)
        part.replace(file)
    except OSError as problem:
        log.warning("An older copy of the database wouldn't be noticed: %s", problem)


def taken_back(database: Path, tables: Iterable[Table], newest: int) -> dict[int, int]:
    """The channels, by table, of games that had got further when their progress was last noted.

    `newest` is the highest stored table id. A table that isn't in `tables` has ended or, if its id is higher,
    was lost.
    """
    now = {table.id: _progress(table) for table in tables if table.game}
    return {
        id: channel
        for id, (channel, before) in _read(database).items()
        if id > newest or (id in now and now[id] < before)
    }


def _read(database: Path) -> dict[int, Noted]:
    with suppress(OSError, ValueError, TypeError):
        noted = json.loads(_file(database).read_text())
        return {int(id): (int(channel), list(progress)) for id, (channel, progress) in noted.items()}
    return {}


def _is_played_in_channel(table: Table) -> bool:
    return table.is_live and not table.is_private and bool(table.game and table.game.deals)


def _progress(table: Table) -> list[int]:
    assert table.game is not None
    if not table.game.deals:
        return [0, 0, 0]
    deal = table.game.deals[-1]
    return [table.game.begun, len(deal.tricks), len(deal.trick.cards)]


def _file(database: Path) -> Path:
    return database.with_name(f"{database.name}.progress")
