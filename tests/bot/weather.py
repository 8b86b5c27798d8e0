"""Discord's bad days: requests that aren't answered, or whose answer is lost."""

import asyncio
import math
import re
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from server import Server
from simcord.backend import serializers
from simcord.backend.errors import BackendError
from simcord.http.client import FakeHTTPClient, _raise_for

Json = dict[str, Any]
#: Seconds; longer than the simulation waits by itself.
SLOW = 60.0
#: On an ordinary day: how many calls a route takes in how many seconds, seconds for an answer, and refusals.
ROUTE_CALLS, ROUTE_SECONDS = 5, 5.0
LATENCY, REFUSED = (0.05, 0.4), 1 / 50


@dataclass
class _DmLimit:
    count: float = math.inf
    seconds: float = 1.0
    status: int = 403
    opened: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)

    def count_one(self, now: float) -> None:
        self.opened = [at for at in self.opened if at > now - self.seconds]
        if len(self.opened) >= self.count:
            self.refused.append(now)
            raise BackendError(self.status, 40003, "You are opening direct messages too fast")
        self.opened.append(now)


class Weather:
    """Sits between Discord and all bots from now on, at discord.py's request; treats nonces like Discord.

    Discord: with enforce_nonce, "if another message was created by the same author with the same nonce, that
    message will be returned and no new message will be created"; if that is deleted, it is unknown.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        #: When the calls that Discord counts against the bot's token reached it, in seconds since 1970.
        self.calls: list[float] = []
        self._nonces: dict[tuple[int, str], int] = {}
        self._lost: list[tuple[str, str, bool]] = []
        self._slow: list[str] = []
        self._dms = _DmLimit()
        self._ordinary: Random | None = None
        self._latest: defaultdict[tuple[str, int], deque[float]] = defaultdict(
            lambda: deque(maxlen=ROUTE_CALLS)
        )
        vars(server.env.backend)["weather"] = self

    def be_ordinary(self, rng: Random) -> None:
        """From now on be as Discord is: slow, limited by route, and out of order once in a while."""
        self._ordinary = rng

    def lose_request(self, method: str, path: str) -> None:
        """Lose the next request like this."""
        self._lost.append((method, path, False))

    def lose_answer(self, method: str, path: str) -> None:
        """Carry out the next request like this, and lose its answer."""
        self._lost.append((method, path, True))

    def slow_down(self, path: str) -> None:
        """Make requests to this path slow from now on."""
        self._slow.append(path)

    def clear_up(self) -> None:
        """Make nothing slow any more."""
        self._slow.clear()

    def limit_dms(self, count: int, seconds: float, status: int = 403) -> None:
        """From now on allow this many new DM channels in this many seconds (0: none), over all people.

        Discord says of more that they are opened too fast, with one or another status.
        """
        self._dms = _DmLimit(count, seconds, status)

    @property
    def dms_refused(self) -> list[float]:
        """The times at which DM channels were opened too fast, by the simulated clock."""
        return self._dms.refused

    async def request(self, request: Callable[..., Any], route: Any, options: Json) -> Any:
        """Pass this request on, or not."""
        path = re.sub(r"^.*?/api/v\d+", "", route.url)
        if self._ordinary:
            await self._as_ever(self._ordinary, route)
        if any(re.fullmatch(slow, path) for slow in self._slow):
            await asyncio.sleep(SLOW)
        found = (one for one in self._lost if one[0] == route.method and re.fullmatch(one[1], path))
        lost = next(found, None)
        if (route.method, path) == ("POST", "/users/@me/channels"):
            self._dms.count_one(self._server.env.now().timestamp())
        if lost:
            self._lost.remove(lost)
            if not lost[2]:
                raise TimeoutError
        self.calls.append(self._server.env.now().timestamp())
        answer = await self._once(request, route, options)
        if lost:
            raise TimeoutError
        return answer

    async def _as_ever(self, rng: Random, route: Any) -> None:
        """Wait as long as discord.py does for a route that is used up, and then for the answer."""
        if route.channel_id:
            latest = self._latest[route.method, int(route.channel_id)]
            now = self._server.env.now().timestamp()
            at = max(now, latest[0] + ROUTE_SECONDS) if len(latest) == ROUTE_CALLS else now
            latest.append(at)
            await asyncio.sleep(at - now)
        await asyncio.sleep(rng.uniform(*LATENCY))
        if route.channel_id and rng.random() < REFUSED:
            raise BackendError(503, 0, "Service Unavailable")

    async def _once(self, request: Callable[..., Any], route: Any, options: Json) -> Any:
        body = options.get("json") or {}
        if not (isinstance(body, dict) and body.get("enforce_nonce")):
            return await request(route, **options)
        known = (int(route.channel_id), body["nonce"])
        backend = self._server.env.backend
        if known in self._nonces:
            message = backend.messages.get(known[0], {}).get(self._nonces[known])
            if message is None:
                raise BackendError(404, 10008, "Unknown Message")
            return dict(serializers.message_payload(backend, message))
        before = set(backend.messages.get(known[0], ()))
        try:
            return await request(route, **options)
        finally:  # even if the answer has become a page
            for message in set(backend.messages.get(known[0], ())) - before:
                self._nonces[known] = message


_request = FakeHTTPClient.request


async def _request_in_the_weather(self: Any, route: Any, **options: Any) -> Any:
    weather = vars(self.backend).get("weather")
    if weather is None:
        return await _request(self, route, **options)
    try:
        return await weather.request(partial(_request, self), route, options)
    except BackendError as error:
        _raise_for(error)


FakeHTTPClient.request = _request_in_the_weather
