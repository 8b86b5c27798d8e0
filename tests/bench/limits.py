"""Limits of the real Discord that the simulated one lacks, by the real clock: too many calls, late answers.

Answers take no time here, and there are no limits by channel.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from types import MethodType
from typing import Any
from unittest.mock import patch

import aiohttp
import discord
from discord.http import HTTPClient
from multidict import CIMultiDict
from simcord.backend import Backend, errors
from simcord.backend.errors import BackendError
from simcord.env import Env
from simcord.http import client, router

from tests.bench.load import CALLBACK, kind_of

#: Calls with a bot's token that Discord allows in any second.
CALLS = 50
#: Seconds in which a click must get its first answer.
DEADLINE = 3.0


class Limit:
    """Counts the calls with the bot's token, and refuses those beyond the limit in any second."""

    def __init__(self, calls: int = CALLS) -> None:
        self._window: deque[float] = deque(maxlen=calls)
        self.taken: list[float] = []
        self.refused: list[float] = []

    def wait(self, now: float) -> float:
        """Seconds for which a call made now is refused; 0 if it is allowed."""
        if len(self._window) == self._window.maxlen and now < self._window[0] + 1:
            self.refused.append(now)
            return self._window[0] + 1 - now
        self._window.append(now)
        self.taken.append(now)
        return 0.0


def most_in_a_second(times: list[float]) -> int:
    """The most of these times within any second."""
    most, window = 0, deque[float]()
    for at in sorted(times):
        window.append(at)
        while window[0] <= at - 1:
            window.popleft()
        most = max(most, len(window))
    return most


class _Response:
    """The parts of aiohttp's response that discord.py uses."""

    reason = ""

    def __init__(self, status: int, body: Any, **headers: str) -> None:
        self.status = status
        self.headers = CIMultiDict({"Content-Type": "application/json"} | headers)
        self._body = body

    async def text(self, encoding: str = "utf-8") -> str:
        return json.dumps(self._body)


class _Session:
    """Replaces discord.py's connection, below its own waiting and retrying."""

    def __init__(self, backend: Backend, limit: Limit) -> None:
        self._backend = backend
        self._limit = limit

    @asynccontextmanager
    async def request(
        self, method: str, url: str, *, data: Any = None, params: Any = None, headers: Any = None
    ) -> AsyncIterator[_Response]:
        path = client._path_of(url)
        wait = self._limit.wait(time.perf_counter()) if kind_of(method, path)[1] else 0.0
        yield _too_many(wait) if wait else self._answer(method, path, data, params)

    def _answer(self, method: str, path: str, data: Any, params: Any) -> _Response:
        body, files = _read(data)
        try:
            done = router.dispatch(self._backend, method, path, json=body, params=params, files=files)
            return _Response(200, done)
        except (router.RouteNotImplemented, router.UnsupportedField):
            raise
        except BackendError as error:
            return _Response(error.status, error.to_json())


def _read(data: Any) -> tuple[Any, list[discord.File]]:
    """The body and files of a request, which are form fields if there are files."""
    if not isinstance(data, aiohttp.FormData):
        return json.loads(data) if data else None, []
    fields = {about["name"]: (about.get("filename"), value) for about, _, value in data._fields}
    _, body = fields.pop("payload_json")
    return json.loads(body), [discord.File(content, filename=name) for name, content in fields.values()]


def _too_many(wait: float) -> _Response:
    body = {"message": "You are being rate limited.", "retry_after": wait, "global": True}
    headers = {"Retry-After": f"{wait:.3f}", "X-RateLimit-Global": "true", "X-RateLimit-Scope": "global"}
    return _Response(429, body, Via="1.1 google", **headers)


def limited(env: Env, calls: int = CALLS) -> Limit:
    """From now on refuse the bot's calls beyond this many a second, which discord.py handles."""
    limit = Limit(calls)
    http = env.bot.http
    http._HTTPClient__session = _Session(env.backend, limit)
    http._global_over = asyncio.Event()
    http._global_over.set()
    http.request = MethodType(HTTPClient.request, http)
    return limit


@contextmanager
def deadline(due: Mapping[int, float]) -> Iterator[dict[int, float]]:
    """Within, a click's first answer is refused more than three seconds after it was due.

    Yields the times of late answers, by click.
    """
    dispatch, late = router.dispatch, dict[int, float]()

    def in_time(backend: Backend, method: str, path: str, **options: Any) -> Any:
        now = time.perf_counter()
        if (found := CALLBACK.fullmatch(path)) and now > due[int(found[1])] + DEADLINE:
            late.setdefault(int(found[1]), now)
            raise errors.unknown_interaction()
        return dispatch(backend, method, path, **options)

    with patch.object(router, "dispatch", in_time):
        yield late
