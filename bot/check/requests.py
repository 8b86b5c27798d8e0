"""Records every request to Discord, with the ids that identify it there."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import aiohttp
from yarl import URL

#: Headers that identify a request to Discord's or Cloudflare's support; the first one found is used.
IDS = ("x-discord-trace-id", "x-request-id", "cf-ray")
API = re.compile(r"^/api/v\d+")
#: A click's token in the path: anyone who knows it can answer for 15 minutes.
SECRET = re.compile(r"(?<=^/)(webhooks|interactions)/(\d+)/[^/]+")


@dataclass
class Request:
    """A request and its answer; `status` is 0 if there was none. Times in seconds."""

    number: int
    method: str
    route: str  # `/channels/7/messages/8`, without secrets
    status: int = 0
    seconds: float = 0.0
    id: str = ""
    bucket: str = ""  # of the rate limit that it counts against:
    limit: int | None = None  # the calls it allows,
    remaining: int | None = None  # those left,
    reset_after: float | None = None  # and the seconds until all are back
    scope: str = ""  # whose limit refused it: user, global or shared
    date: str = ""
    body: Any = None  # the answer's JSON

    @property
    def code(self) -> int:
        """Discord's error code, or 0."""
        found = self.body.get("code", 0) if isinstance(self.body, dict) and self.status >= 400 else 0
        return found if isinstance(found, int) else 0

    @property
    def kind(self) -> str:
        """Method and route without ids: `PATCH /channels/{}/messages/{}`."""
        return f"{self.method} {re.sub(r'(?<=/)[0-9]+', '{}', self.route)}"


_collecting: ContextVar[tuple[list[Request], ...]] = ContextVar("collecting", default=())


class Recorder:
    """Records all requests of the sessions that are given its `trace`."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_start.append(self._start)
        self.trace.on_request_end.append(self._end)
        self.trace.on_response_chunk_received.append(self._read)

    @contextmanager
    def collecting(self) -> Iterator[list[Request]]:
        """Within, collect the requests made by this task and by those it starts."""
        made: list[Request] = []
        token = _collecting.set((*_collecting.get(), made))
        try:
            yield made
        finally:
            _collecting.reset(token)

    async def _start(self, _: Any, context: SimpleNamespace, sent: aiohttp.TraceRequestStartParams) -> None:
        request = Request(len(self.requests) + 1, sent.method, route(sent.url))
        context.request, context.began = request, time.perf_counter()
        for made in (self.requests, *_collecting.get()):
            made.append(request)

    async def _end(self, _: Any, context: SimpleNamespace, done: aiohttp.TraceRequestEndParams) -> None:
        request: Request = context.request
        request.seconds = time.perf_counter() - context.began
        request.status = done.response.status
        _read_headers(request, done.response.headers)

    async def _read(
        self, _: Any, context: SimpleNamespace, part: aiohttp.TraceResponseChunkReceivedParams
    ) -> None:
        if API.match(part.url.path):  # pictures aren't JSON
            try:
                context.request.body = json.loads(part.chunk)
            except ValueError:
                context.request.body = None


def route(url: URL) -> str:
    """The path of a request, with secrets masked."""
    return SECRET.sub(r"\1/\2/***", API.sub("", url.path))


def _read_headers(request: Request, headers: Mapping[str, str]) -> None:
    request.id = next((f"{name} {headers[name]}" for name in IDS if name in headers), "")
    request.bucket = headers.get("X-RateLimit-Bucket", "")
    request.limit = _whole(headers.get("X-RateLimit-Limit"))
    request.remaining = _whole(headers.get("X-RateLimit-Remaining"))
    request.scope = headers.get("X-RateLimit-Scope", "")
    request.date = headers.get("Date", "")
    try:
        request.reset_after = float(headers["X-RateLimit-Reset-After"])
    except (KeyError, ValueError):
        request.reset_after = None


def _whole(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() else None
