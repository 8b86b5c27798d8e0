"""The simulated Discord on a local address: HTTP and gateway, over real sockets."""

import asyncio
import io
import json
import re
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import discord
from aiohttp import WSMsgType, web
from openapi import Request as Asked
from openapi import walk
from pages import Page
from simcord import interactions
from simcord._clock import Clock
from simcord.backend import Backend, serializers
from simcord.backend.errors import BackendError
from simcord.enums import InteractionType
from simcord.http import client as _routes  # noqa: F401  # which makes them known
from simcord.http import router
from simcord.intents import prune_guild_create, required_intent

from tests.operations import TOKEN, only

Json = Any
MESSAGES, MESSAGE = r"/channels/\d+/messages", r"/channels/\d+/messages/\d+"
CALLBACK = r"/interactions/\d+/.*/callback"
#: The type of a button.
BUTTON = 2
#: `python -m bot`, with Discord at another address.
PROGRAM = """
import sys, discord.gateway, discord.http, yarl
address = sys.argv.pop(1)
discord.http.Route.BASE = f"{address}/api/v10"
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"{address}/ws/".replace("http", "ws", 1))
from bot.__main__ import main
main()
"""


async def start(address: str, folder: Path, *arguments: str, out: Any = PIPE, **settings: str) -> Process:
    """Start it in this folder, with a token that Discord knows, these settings and no others of its own."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", PROGRAM, address, *arguments),
        cwd=folder,
        env=only(**{"DISCORD_TOKEN": TOKEN, **settings}),
        stdout=out,
        stderr=PIPE,
    )


class RealClock(Clock):
    """The time that a real bot compares with its own clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


@dataclass
class Call:
    """A request; `headers` are added to its answer's."""

    method: str
    path: str
    json: Json
    files: list[discord.File]
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def message(self) -> Json:
        """The message that it sends or edits; empty if it does neither."""
        body = self.json if isinstance(self.json, dict) else {}
        if self.path.endswith("/callback"):
            return body.get("data") or {}
        return body if "/messages" in self.path or re.fullmatch(r"/webhooks/\d+/[^/]+", self.path) else {}

    def matches(self, method: str, path: str) -> bool:
        return self.method == method and re.fullmatch(path, self.path) is not None


#: Called before a request is handled, and after it with its answer. Either may raise BackendError, or
#: ConnectionError to give no answer.
Before = Callable[[Call], None]
After = Callable[[Call, Json], Json]


class Wire:
    """Serves simcord's backend; `before` and `after` make it misbehave."""

    def __init__(self) -> None:
        self.backend = Backend(clock=RealClock())
        self.before: list[Before] = []
        self.after: list[After] = []
        self.calls: list[Call] = []
        self.application: dict[str, Json] = {}  # additional fields
        self.starts_left = 990
        self.has_gateway = True
        #: The code with which it closes each connection to the gateway; 0 closes it before a word is said.
        self.closes_with: int | None = None
        self.connected: list[float] = []  # when
        self.port = 0  # a free one
        self.pause: Callable[[Call], float] = lambda call: 0.0  # seconds before an answer is sent
        self.sockets: dict[web.WebSocketResponse, discord.Intents] = {}
        self._sent: set[asyncio.Task[None]] = set()
        owner = self.backend.make_user("ann", global_name="Ann")
        self.owner = owner.id
        self.other = self.backend.make_user("bo", global_name="Bo").id
        self.guild = self.backend.create_guild("Test server", owner_id=owner.id)
        self.backend.add_member(self.guild.id, self.other)
        self.channel = self.backend.create_channel(self.guild.id, "checks").id
        self.backend.bot_user.name = "Hearts"
        self.backend.subscribers.append(self._emit)

    async def open(self) -> "Wire":
        """Listen; once more at the same address, if it was closed."""
        app = web.Application(client_max_size=50_000_000)
        app.router.add_get("/ws/", self._gateway)
        app.router.add_route("*", "/api/v10/{path:.*}", self._api)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
        self.port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    async def close(self) -> None:
        await self.disconnect()
        await self._runner.cleanup()

    async def disconnect(self) -> None:
        """End all connections to the gateway."""
        for socket in list(self.sockets):
            await socket.close()

    @property
    def base(self) -> str:
        """The address that replaces `https://discord.com/api/v10`."""
        return f"{self.url}/api/v10"

    @property
    def requests(self) -> list[Asked]:
        """All requests, to be checked against Discord's own description."""
        return [Asked(call.method, call.path, call.json) for call in self.calls]

    def permit(self, **permissions: bool) -> None:
        """Have the bot's role in this server allow these permissions or not; @everyone has none of them."""
        for role in self.guild.roles.values():
            allowed = discord.Permissions(role.permissions)
            allowed.update(**{name: value and role.managed for name, value in permissions.items()})
            role.permissions = allowed.value

    # A person's actions

    def messages(self) -> list[Any]:
        """The channel's messages, oldest first, private answers included."""
        return list(self.backend.messages.get(self.channel, {}).values())

    async def press(self, label: str, person: int | None = None) -> None:
        """Press a button in the channel, once it is there, and wait for the answer."""
        message, custom_id = await self.until(lambda: self._button(label))
        click = self._click(message, person, {"custom_id": custom_id, "component_type": BUTTON})
        answered = f"/interactions/{click.id}/"  # even if the answer was refused
        await self.until(lambda: any(call.path.startswith(answered) for call in self.calls) or None)

    def _button(self, label: str) -> tuple[Any, str] | None:
        for message in reversed(self.messages()):
            for one in walk(message.components):
                if one.get("type") == BUTTON and one.get("label") == label:
                    return message, one["custom_id"]
        return None

    def _click(self, message: Any, person: int | None, data: Json) -> Any:
        record, payload = interactions.base_payload(
            self.backend,
            type=InteractionType.MESSAGE_COMPONENT,
            channel_id=message.channel_id,
            guild_id=self.guild.id,
            user_id=person or self.owner,
            data=data,
        )
        record.source_message_id = message.id
        payload["message"] = dict(serializers.message_payload(self.backend, message))
        self.backend.emit("INTERACTION_CREATE", payload)
        return record

    async def until(self, found: Callable[[], Any]) -> Any:
        """Wait until this finds something, and return it."""
        async with asyncio.timeout(20):
            while (what := found()) is None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        return what

    # HTTP

    async def _api(self, request: web.Request) -> web.Response:
        call = await _read(request)
        self.calls.append(call)
        call.headers["Via"] = "1.1 test"  # or discord.py takes a 429 for a proxy's
        try:
            answer = self._answer(call, request)
            status = 204 if answer is None else 200
        except ConnectionError:
            request.transport.abort()
            raise
        except Page as page:
            return web.Response(body=page.message.encode(), status=page.status, content_type=page.kind)
        except BackendError as error:
            answer, status = error.to_json(), error.status
            if status == 429:
                answer |= {"retry_after": 0.01, "global": False}
                call.headers["X-RateLimit-Scope"] = "user"
        await asyncio.sleep(self.pause(call))
        if answer is None:
            return web.Response(status=status, headers=call.headers)
        text = json.dumps(answer).encode()
        return web.Response(body=text, status=status, headers=call.headers, content_type="application/json")

    def _answer(self, call: Call, request: web.Request) -> Json:
        is_open = call.path.startswith(("/webhooks", "/interactions")) or call.path == "/gateway"
        if not is_open and request.headers.get("Authorization") != f"Bot {TOKEN}":
            raise BackendError(401, 0, "401: Unauthorized")
        for before in self.before:
            before(call)
        answer = self._own(call)
        if answer is None:
            asked = {"json": call.json, "params": dict(request.query), "files": call.files}
            answer = router.dispatch(self.backend, call.method, call.path, **asked)
        if call.path == "/oauth2/applications/@me":
            owner = dict(serializers.user_payload(self.backend.users[self.owner]))
            answer |= {"owner": owner, **self.application}
        for after in self.after:
            answer = after(call, answer)
        return answer

    def _own(self, call: Call) -> Json:
        """Handle what simcord doesn't know, or answers differently."""
        socket = f"{self.url.replace('http', 'ws', 1)}/ws/"
        if call.path == "/gateway":
            return {"url": socket}
        if call.path == "/gateway/bot":
            left = self.starts_left
            limits = {"total": 1000, "remaining": left, "reset_after": 7_200_000, "max_concurrency": 1}
            return {"url": socket, "shards": 1, "session_start_limit": limits}
        if call.path == "/users/@me/guilds":
            me, allowed = self.backend.bot_user.id, self.backend.compute_permissions
            return [
                {"id": str(one.id), "name": one.name, "permissions": str(allowed(one.id, me))}
                for one in self.backend.guilds.values()
            ]
        return None

    # The gateway

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        if not self.has_gateway:
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self.connected.append(time.monotonic())
        if self.closes_with == 0:
            await socket.close()
            return socket
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 1000}})
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                break
            said = message.json()
            if said["op"] == 1:
                await socket.send_json({"op": 11})
            elif said["op"] == 2:
                await self._identify(socket, said["d"])
        self.sockets.pop(socket, None)
        return socket

    async def _identify(self, socket: web.WebSocketResponse, told: Json) -> None:
        if told["token"] != TOKEN or self.starts_left < 1 or self.closes_with:
            await socket.close(code=self.closes_with or 4004)
            return
        self.starts_left -= 1
        intents = discord.Intents._from_value(told["intents"])
        self.sockets[socket] = intents
        ready = {
            "v": 10,
            "user": dict(serializers.user_payload(self.backend.bot_user)),
            "guilds": [{"id": str(one), "unavailable": True} for one in self.backend.guilds],
            "session_id": "wire",
            "shard": told.get("shard", [0, 1]),
            "resume_gateway_url": f"{self.url.replace('http', 'ws', 1)}/ws/",
            "application": {"id": str(self.backend.application_id), "flags": 0},
        }
        await self._say(socket, "READY", ready)
        for guild in self.backend.guilds.values():
            payload = dict(serializers.guild_create_payload(self.backend, guild))
            prune_guild_create(payload, intents, self.backend.bot_user.id)
            await self._say(socket, "GUILD_CREATE", payload)

    async def say(self, told: Json) -> None:
        """Send this over all connections to the gateway."""
        for socket in self.sockets:
            await socket.send_json(told)

    async def _say(self, socket: web.WebSocketResponse, event: str, payload: Json) -> None:
        if not socket.closed:
            await socket.send_json({"op": 0, "t": event, "s": 1, "d": payload})

    def _emit(self, event: str, payload: Json) -> None:
        for socket, intents in self.sockets.items():
            gate = required_intent(event, payload)
            if gate is None or getattr(intents, gate):
                sending = asyncio.ensure_future(self._say(socket, event, dict(payload)))
                self._sent.add(sending)
                sending.add_done_callback(self._sent.discard)


async def _read(request: web.Request) -> Call:
    path, files, body = f"/{request.match_info['path']}", [], None
    if request.content_type.startswith("multipart/"):
        async for part in await request.multipart():
            content = await part.read()
            if part.name == "payload_json":
                body = json.loads(content)
            else:
                files.append(discord.File(io.BytesIO(content), filename=part.filename))
    elif request.can_read_body:
        body = await request.json()
    return Call(request.method, path, body, files)


# Ways in which Discord may differ from the simulation: each makes a Wire misbehave in one way

Trick = Callable[[Wire], None]


def refuse(
    method: str, path: str, status: int, code: int, *, when: Callable[[Call], bool] = lambda call: True
) -> Trick:
    """Refuse requests like this."""
    return answer_with(method, path, BackendError(status, code, "No"), when=when)


def answer_with(
    method: str,
    path: str,
    answer: Exception,
    *,
    times: float = float("inf"),
    when: Callable[[Call], bool] = lambda call: True,
) -> Trick:
    """Answer requests like this with an error, a page, or half an answer, this many times."""

    def trick(wire: Wire) -> None:
        so_far = count(1)

        def before(call: Call) -> None:
            if call.matches(method, path) and when(call) and next(so_far) <= times:
                raise answer

        wire.before.append(before)

    return trick


def lose_answer(method: str, path: str) -> Trick:
    """Carry out one request like this, and lose its answer."""

    def trick(wire: Wire) -> None:
        lost: list[Call] = []

        def after(call: Call, answer: Any) -> Any:
            if call.matches(method, path) and not lost:
                lost.append(call)
                raise ConnectionResetError
            return answer

        wire.after.append(after)

    return trick


def tell_of_application(**told: Any) -> Trick:
    """Change the application's settings in the developer portal."""
    return lambda wire: wire.application.update(told)


def with_header(name: str, value: str) -> Trick:
    """Answers have this header."""
    return lambda wire: wire.before.append(lambda call: call.headers.update({name: value}))


def no_starts_left(wire: Wire) -> None:
    """The bot was started too often today."""
    wire.starts_left = 0
