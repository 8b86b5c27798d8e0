"""The bot in a server; a test fails if the bot logs an error or sends what Discord would refuse."""

import gc
import logging
import os
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import discord
import pytest
from manners import lapses
from openapi import Description, faults
from people import Player
from server import NEVER, OpenServer, Server
from wire import Wire

from bot import delivery
from bot.answering import limits
from bot.answering.limits import Hourly
from bot.delivery import posts
from bot.logs import JsonFormatter, Masked
from bot.table import deals, passing, playing

WATCHED = ("discord", "bot", "engine", "asyncio")


@pytest.fixture(scope="session")
def description() -> Description | None:
    """Discord's description of its API, if DISCORD_OPENAPI names it."""
    path = os.environ.get("DISCORD_OPENAPI")
    found = Description.read(path) if path else None
    gc.freeze()  # what stays for all tests needn't be collected after each
    return found


@pytest.fixture(scope="module", autouse=True)
def only_new_garbage() -> None:
    """What modules before this one have left, such as caches, needn't be looked through after each test."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Posts follow each card at once; test_calm.py tests how they wait.

    Cards don't play themselves; test_forced.py tests that. People may ask for as much as they like;
    test_greedy.py tests the limits.
    """
    monkeypatch.setattr(limits, "ALLOWANCE", NEVER)
    monkeypatch.setattr(limits, "MOST_AN_HOUR", dict.fromkeys(Hourly, NEVER))
    for most in ("LOBBIES_OF_ONE", "LOBBIES_IN_SERVER", "PLANS_OF_ONE", "PLANS_IN_SERVER"):
        monkeypatch.setattr(limits, most, NEVER)
    monkeypatch.setattr("engine.tables.flow.FORCED_PLAYS", NEVER)
    monkeypatch.setattr(playing, "PASSING_BY", 0.0)
    monkeypatch.setattr(posts, "SPACING", 0.0)
    monkeypatch.setattr(posts, "MOMENT", 0.0)
    monkeypatch.setattr(delivery, "TOURNAMENT_SPACING", 0.0)
    monkeypatch.setattr(deals, "OPENS", 0.0)
    monkeypatch.setattr(passing, "WATCHING", 0.0)


@pytest.fixture
async def open_server(
    tmp_path: Path, description: Description | None, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[OpenServer]:
    """Opens a server: `await open_server(rng=..., names=...)`."""
    opened: list[Server] = []
    caplog.set_level(logging.INFO)

    async def open_one(rng: Random | None = None, **options: Any) -> Server:
        folder = tmp_path / str(len(opened))
        folder.mkdir()
        server = Server(folder, rng or Random(1))
        opened.append(server)
        return await server.open(**options)

    yield open_one
    problems: list[str] = []
    for server in opened:
        await server.close()
        problems += [f"raised: {error!r}" for error in server.errors]
        problems += [*faults(server.requests, description), *lapses(server)]
    gc.collect()  # asyncio reports unretrieved exceptions when their tasks are collected
    records = [*caplog.get_records("setup"), *caplog.get_records("call"), *caplog.get_records("teardown")]
    problems += [
        f"logged: {record.getMessage()} {record.exc_text or record.exc_info or ''}"
        for record in records
        if record.levelno >= logging.ERROR and record.name.partition(".")[0] in WATCHED
    ]
    problems += [
        f"logged of a person: {line}"
        for server in opened
        for line in map(Masked(JsonFormatter(), None).format, records)
        if any(id in line for id in server.ids_of_people)
    ]
    if problems:
        pytest.fail("\n".join([*problems[:20], f"{len(problems)} problems in all"]), pytrace=False)


@pytest.fixture
async def server(open_server: OpenServer) -> Server:
    """A server with a channel and four people."""
    return await open_server()


@pytest.fixture
async def wire(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Wire]:
    """A Discord that does as simcord does, at a local address that discord.py uses."""
    wire = await Wire().open()
    monkeypatch.setattr(discord.http.Route, "BASE", wire.base)
    yield wire
    await wire.close()


@pytest.fixture
def ann(server: Server) -> Player:
    return server.people[0]


@pytest.fixture
def bo(server: Server) -> Player:
    return server.people[1]


@pytest.fixture
def cy(server: Server) -> Player:
    return server.people[2]


@pytest.fixture
def di(server: Server) -> Player:
    return server.people[3]
