"""Who looks something up takes no turn at the connection on which moves are stored."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from at_once import deals_played
from server import Server

pytestmark = pytest.mark.slow

#: What grows with every game: looking through it takes long after a year.
BIG = re.compile(r"FROM (standings|results|moves|daily_results|achievements|house_rules)\b")
COMMANDS = (
    "hearts leaderboard",
    "hearts stats",
    "hearts scores",
    "hearts rules",
    "hearts record",
    "hearts replay",
    "hearts house",
    "hearts privacy",
)


class Moves(sqlite3.Connection):
    """The connection on which moves are stored: notes what is read there."""

    read: list[str]

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if statement.lstrip().startswith(("SELECT", "WITH")):
            self.read.append(statement)
        return super().execute(statement, *values)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements that are read there."""
    connect = sqlite3.connect

    def noted(database: Any, *given: Any, **named: Any) -> sqlite3.Connection:
        return connect(database, *given, **named, factory=sqlite3.Connection if "uri" in named else Moves)

    monkeypatch.setattr(sqlite3, "connect", noted)
    monkeypatch.setattr(Moves, "read", [], raising=False)
    return Moves.read


async def test_looking_something_up_takes_no_turn_from_who_plays(
    read: list[str], open_server: Callable[..., Awaitable[Server]]
) -> None:
    server = await open_server()
    ann, bo, *_ = server.people
    await server.deal(ann, bo, ends_at=1)
    await ann.save_rules("Fridays")
    await deals_played([ann, bo], lambda: server.shows("🏆"))
    for command in COMMANDS:
        read.clear()
        answer = await ann.run(command)
        assert answer.private or answer.public
        assert [one for one in read if BIG.search(one)] == [], command
    read.clear()
    assert (await ann.run("hearts stats", against=bo.member)).private
    [again] = (await ann.run("hearts replay")).private
    await ann.click("Trick ›", again)
    assert [one for one in read if BIG.search(one)] == []
