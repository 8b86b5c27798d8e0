"""The pages of a leaderboard, held against everyone put into order in Python."""

import math
import sqlite3
from itertools import product
from random import Random
from typing import Any

import pytest
from storage.results import CHINESE, CLASSIC

from engine.ratings import CAUTION, SHOWN_FROM
from engine.storage.database import Database
from engine.storage.standings import PAR_FROM, POINTS_FROM, Board, BoardLine, Order, Period, board_page

NOW = 1_795_000_000.0
SERVER, PEOPLE, COUNT = 1, 60, 7

Row = dict[str, Any]


def standings(rng: Random) -> list[Row]:
    """Few different figures, so that many are level; whoever played this month also played before."""
    rows = []
    for kind, ranked, person in product((CLASSIC, CHINESE), (True, False), range(1, PEOPLE + 1)):
        for period in Period:
            if period is Period.EVER or rng.random() < 0.6:
                rows.append(
                    {
                        "guild": rng.choice([SERVER] * 9 + [2]),
                        "period": period.number(NOW),
                        "game": kind.game,
                        "lowest": kind.lowest,
                        "ranked": ranked,
                        "person": person,
                        "name": f"P{person}",
                        "games": rng.randint(1, SHOWN_FROM + 2),
                        "wins": rng.randint(0, 2),
                        "points": rng.randint(1, 3) * 10,
                        "deals": rng.choice([20, 40]),
                        "moons": 0,
                        "weight": rng.choice([0.0, 0.9, 1.0, 3.0]),
                        "counted_wins": rng.choice([0.0, 0.96, 1.0, 1.04, 2.5]),
                        "counted_points": rng.randint(1, 3) * 5.0,
                        "counted_deals": rng.choice([0.0, 10.0, 20.0]),
                        "par_deals": rng.choice([PAR_FROM - 2, PAR_FROM - 1, PAR_FROM, 2 * PAR_FROM]),
                        "par_gain": rng.randint(-1, 2) * 40.0,
                        "par_squares": 10_000.0,
                        **dict.fromkeys(("mu_before", "mu"), rng.choice([25.0, 30.5]) if ranked else None),
                        **dict.fromkeys(
                            ("sigma_before", "sigma"), rng.choice([8.0, 2.5]) if ranked else None
                        ),
                    }
                )
    return rows


def write(connection: sqlite3.Connection, rows: list[Row]) -> None:
    columns = list(rows[0])
    values = ", ".join(f":{column}" for column in columns)
    connection.executemany(f"INSERT INTO standings ({', '.join(columns)}) VALUES ({values})", rows)


def in_order(rows: list[Row], board: Board) -> list[tuple[int, int | None, int]]:
    """Number, place and person of everyone on a board."""
    wanted = (SERVER, board.kind.game, board.kind.lowest, board.ranked)
    ours = [row for row in rows if (row["guild"], row["game"], row["lowest"], row["ranked"]) == wanted]
    ever = {row["person"]: row["games"] for row in ours if row["period"] == 0}
    here = [row for row in ours if row["period"] == board.period.number(NOW) and row["person"] in ever]

    def key(row: Row) -> tuple[float, ...]:
        average = (1 if board.kind.lowest else -1) * row["points"] / row["deals"]
        if board.order is Order.WINS:
            return (-round(row["counted_wins"], 1), average)
        if board.order is Order.POINTS:
            counted = math.inf
            if row["counted_deals"]:
                counted = (1 if board.kind.lowest else -1) * row["counted_points"] / row["counted_deals"]
            return (row["weight"] < POINTS_FROM, counted, -row["deals"])
        if board.order is Order.PAR:
            if row["par_deals"] < PAR_FROM:
                return (1, -row["par_deals"])
            return (0, -row["par_gain"] / row["par_deals"], -row["par_deals"])
        if ever[row["person"]] >= SHOWN_FROM:
            return (0, CAUTION * row["sigma"] - row["mu"])
        return (1, -ever[row["person"]], -row["wins"])

    def has_place(row: Row) -> bool:
        return board.order in (Order.WINS, Order.POINTS) or key(row)[0] == 0

    keys = sorted(map(key, here))
    return [
        (number, keys.index(key(row)) + 1 if has_place(row) else None, row["person"])
        for number, row in enumerate(sorted(here, key=lambda row: (key(row), row["person"])), 1)
    ]


def known(line: BoardLine | None) -> tuple[int, int | None, int] | None:
    return (line.number, line.place, line.person) if line else None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
async def test_every_page_for_everyone(database: Database, seed: int) -> None:
    rows = standings(Random(seed))
    await database.write(lambda connection: write(connection, rows))
    for kind, ranked, order, period in product((CLASSIC, CHINESE), (True, False), Order, Period):
        board = Board(kind, ranked, order, period)
        expected = in_order(rows, board)
        by_person = {person: place for place, (_, _, person) in enumerate(expected)}
        for number in range(0, PEOPLE, COUNT):
            asker = Random(f"{seed} {number}").randint(1, PEOPLE + 5)
            page = await board_page(database, SERVER, board, NOW, asker, first=number, count=COUNT)
            assert [known(line) for line in page.lines] == expected[number : number + COUNT]
            assert page.total == len(expected)
            place = by_person.get(asker)
            assert known(page.own) == (None if place is None else expected[place])
            assert known(page.ahead) == (expected[place - 1] if place else None)
