"""Pars of finished deals, and people's results against par.

A result holds the sum of its gains on par (see `engine.play.par.gain`) and the sum of their squares, over its
deals that have a par; the standings add these up. A par that arrives after the end of the game is added to
both.
"""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from engine.play.par import Par
from engine.storage.database import Database
from engine.storage.results import Result

_PAR = "points, errors, replays"


# Pars as they are stored


def insert_par(connection: sqlite3.Connection, table: int, deal: int, par: Par) -> None:
    """Store the par of this table's deal (from 1); does nothing if the table has been deleted."""
    connection.execute(
        f"""INSERT OR REPLACE INTO pars (table_id, deal, {_PAR})
        SELECT id, ?, ?, ?, ? FROM tables WHERE id = ?""",
        (deal, *_columns(par), table),
    )


async def pars_of(database: Database, tables: Iterable[int]) -> dict[int, dict[int, Par]]:
    """The pars of these tables' deals, by table and deal (from 1)."""
    ids = list(tables)
    rows = await database.read(
        f"SELECT table_id, deal, {_PAR} FROM pars WHERE table_id IN ({', '.join('?' * len(ids))})", ids
    )
    pars: dict[int, dict[int, Par]] = {}
    for table, deal, *par in rows:
        pars.setdefault(table, {})[deal] = _parse(*par)
    return pars


async def tables_without_pars(database: Database, since: float, most: int) -> list[int]:
    """The ids of up to `most` of the latest ended tables that may lack a par, newest first.

    Only tables opened after `since` (seconds since 1970), and no daily games.
    """
    rows = await database.reader.read(
        """SELECT id FROM tables WHERE id > (SELECT MAX(id) FROM tables) - ?1 AND opened_at > ?2
        AND state IN ('over', 'stopped') AND NOT is_damaged AND body ->> '$.daily' IS NULL
        AND (SELECT COUNT(*) FROM moves INDEXED BY deals
            WHERE table_id = tables.id AND substr(move, 1, 8) = '{"dealt"')
            > (SELECT COUNT(*) FROM pars WHERE table_id = tables.id)
        ORDER BY id DESC LIMIT ?3""",
        (10 * most, since, most),
    )
    return [id for (id,) in rows]


async def put_day_par(database: Database, day: str, deal: int, par: Par) -> None:
    """Store the par of this day's deal (from 1)."""
    await database.execute(
        f"INSERT OR REPLACE INTO day_pars (day, deal, {_PAR}) VALUES (?, ?, ?, ?, ?)",
        (day, deal, *_columns(par)),
    )


async def day_pars(database: Database, day: str) -> dict[int, Par]:
    """The pars of this day's deals (from 1); empty before the day is over."""
    rows = await database.read(f"SELECT deal, {_PAR} FROM day_pars WHERE day = ?", (day,))
    return {deal: _parse(*par) for deal, *par in rows}


def _columns(par: Par) -> tuple[str, str, int]:
    return json.dumps(par.points), json.dumps(par.errors), par.replays


def _parse(points: str, errors: str, replays: int) -> Par:
    return Par(tuple(json.loads(points)), tuple(json.loads(errors)), replays)


# People's results against par


@dataclass(frozen=True, slots=True)
class UnderPar:
    """A person's average gain on par per deal; negative if worse than par."""

    deals: int
    mean: float
    error: float | None  # the standard error of the mean; None with a single deal

    @staticmethod
    def of(deals: int, total: float, squares: float) -> "UnderPar | None":
        """Compute it from the number of deals, the sum of gains and that of squares; None without a deal."""
        if not deals:
            return None
        mean = total / deals
        spread = max(0.0, squares - deals * mean * mean)
        return UnderPar(deals, mean, sqrt(spread / (deals - 1) / deals) if deals > 1 else None)


def update_results(connection: sqlite3.Connection, table: int, results: Iterable[Result]) -> None:
    """Replace this table's results by these, after a late par, and add the difference to the standings."""
    for result in results:
        rows = connection.execute(
            """SELECT guild, game, lowest, people > 1, person, ended_at, par_deals, par_gain, par_squares
            FROM results WHERE table_id = ? AND person = ?""",
            (table, result.person),
        ).fetchall()
        for *key, ended_at, deals, gain, squares in rows:
            connection.execute(
                """UPDATE results SET par_deals = ?, par_gain = ?, par_squares = ?
                WHERE table_id = ? AND person = ?""",
                (result.par_deals, result.par_gain, result.par_squares, table, result.person),
            )
            connection.execute(
                """UPDATE standings SET par_deals = par_deals + ?, par_gain = par_gain + ?,
                    par_squares = par_squares + ?
                WHERE guild = ? AND game = ? AND lowest = ? AND ranked = ? AND person = ?
                    AND period IN (0, CAST(strftime('%Y', ?, 'unixepoch') AS INTEGER),
                        CAST(strftime('%Y%m', ?, 'unixepoch') AS INTEGER))""",
                (
                    *(result.par_deals - deals, result.par_gain - gain, result.par_squares - squares),
                    *(*key, ended_at, ended_at),
                ),
            )
