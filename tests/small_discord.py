"""Enough of Discord, on a local port, for the bot's process to start and stay connected."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from aiohttp import WSMsgType, web

from tests.operations import ROOT, TOKEN, environment

T = TypeVar("T")
BOT = {"id": "42", "username": "Hearts", "discriminator": "0", "avatar": None, "bot": True}
APPLICATION = {
    "id": BOT["id"],
    "name": "Hearts",
    "description": "",
    "icon": None,
    "summary": "",
    "verify_key": "",
    "flags": 0,
    "bot_public": True,
    "bot_require_code_grant": False,
    "owner": BOT,
}
#: Starts `python -m bot` with Discord on this port.
START = """
import discord.gateway, discord.http, yarl
discord.http.Route.BASE = 'http://127.0.0.1:{port}'
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL('ws://127.0.0.1:{port}/')
from bot.__main__ import main
main()
"""


def start_bot(port: int, database: Path, **settings: str) -> subprocess.Popen[str]:
    """Start the bot's process with Discord on this port; its log is in `stderr`."""
    return subprocess.Popen(
        [sys.executable, "-c", START.format(port=port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment(database, **settings),
    )


class SmallDiscord:
    """Knows one token, and has a gateway that can be closed."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.is_open = True
        #: What it answers instead, once each, by the path.
        self.instead: dict[str, list[web.Response]] = {}
        #: The code with which it closes each connection to the gateway; 0 closes it before a word is said.
        self.closes_with: int | None = None
        self.asked: list[str] = []
        self.connected: list[float] = []
        self._sockets: set[web.WebSocketResponse] = set()
        self._ids = count(100)
        self.loop = asyncio.new_event_loop()

    def close_gateway(self) -> None:
        """Disconnect everyone, and accept no more connections."""
        self.is_open = False
        self.end_connections()

    def end_connections(self) -> None:
        """Disconnect everyone."""

        async def close() -> None:
            for socket in list(self._sockets):
                await socket.close()

        self.run(close())

    def say(self, text: str) -> None:
        """Send everyone this text, which may be an event."""

        async def say() -> None:
            for socket in self._sockets:
                await socket.send_str(text)

        self.run(say())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of this, on its own thread."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(10)

    async def listen(self) -> web.AppRunner:
        app = web.Application()
        app.router.add_get("/", self._gateway)
        app.router.add_route("*", "/{path:.+}", self._rest)
        runner = web.AppRunner(app, shutdown_timeout=1.0)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", self.port).start()
        return runner

    async def _rest(self, request: web.Request) -> web.Response:
        self.asked.append(f"{request.method} {request.path}")
        if others := self.instead.get(request.path):
            return others.pop(0)
        if request.headers.get("Authorization") != f"Bot {TOKEN}":
            return as_json({"code": 0, "message": "401: Unauthorized"}, 401)
        return as_json(self._answer(request))

    def _answer(self, request: web.Request) -> Any:
        match request.method, request.path:
            case "GET", "/users/@me":
                return BOT
            case "GET", "/oauth2/applications/@me":
                return APPLICATION
            case "GET", "/gateway/bot":
                limit = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
                return {"url": f"ws://127.0.0.1:{self.port}/", "shards": 1, "session_start_limit": limit}
            case "GET", _:
                return {"items": []}
            case "PUT", _:
                return []
        return {"id": str(next(self._ids)), "name": "emoji"}

    async def _gateway(self, request: web.Request) -> web.StreamResponse:
        if not self.is_open:
            return web.Response(status=503)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self.connected.append(time.monotonic())
        if self.closes_with == 0:
            await socket.close()
            return socket
        self._sockets.add(socket)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 1000}, "s": None, "t": None})
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                told = json.loads(message.data)
                if told["op"] == 2 and self.closes_with:
                    await socket.close(code=self.closes_with)
                for answer in self._hear(told) if not socket.closed else ():
                    await socket.send_json(answer)
        self._sockets.discard(socket)
        return socket

    def _hear(self, told: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if told["op"] == 1:
            yield {"op": 11, "d": None, "s": None, "t": None}
        elif told["op"] == 2:
            ready = {
                "v": 10,
                "user": BOT,
                "guilds": [],
                "session_id": "one",
                "resume_gateway_url": f"ws://127.0.0.1:{self.port}/",
                "shard": told["d"].get("shard", [0, 1]),
                "application": {"id": BOT["id"], "flags": 0},
            }
            yield {"op": 0, "d": ready, "s": 1, "t": "READY"}


def page(status: int) -> web.Response:
    """What something between the bot and Discord answers."""
    text = "<!doctype html>\n<title>One moment</title>"
    return web.Response(text=text, status=status, content_type="text/html")


def half() -> web.Response:
    """An answer that breaks off."""
    return web.Response(body=b'{"id": "42", "usern', headers={"Content-Type": "application/json"})


def as_json(content: Any, status: int = 200) -> web.Response:
    # discord.py only parses JSON if the content type has no character set.
    body = json.dumps(content).encode()
    return web.Response(body=body, status=status, headers={"Content-Type": "application/json"})


@contextmanager
def small_discord(port: int) -> Iterator[SmallDiscord]:
    """Within, it listens on this port."""
    discord = SmallDiscord(port)
    loop = discord.loop
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    runner = discord.run(discord.listen())
    try:
        yield discord
    finally:
        discord.run(runner.cleanup())
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
