"""Counts clicks from Discord and calls to it."""

from collections.abc import Awaitable, Callable, Mapping
from time import perf_counter
from typing import Any

import aiohttp
import discord
from discord.webhook.async_ import async_context

from bot.discord.faults import NETWORK, Garbled, fault_of, leave_out_page
from engine import metrics

#: Seconds after which Discord tells the player that the application didn't respond.
ANSWER_DEADLINE = 3.0
#: Discord bans IP addresses with too many of these; counted from 0, so that alerts see the first one.
WATCHED = (401, 403, 429)
#: The route of a click's first response.
ANSWER = "/interactions/{webhook_id}/{webhook_token}/callback"
#: Kinds of interactions, by Discord's type numbers.
KINDS = {2: "command", 3: "control", 4: "suggestion", 5: "form"}

Request = Callable[..., Awaitable[Any]]


class Traffic:
    """Statistics: how fast clicks were answered, which calls were made, and which of them failed."""

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        # Unanswered clicks by id: their kind, and since when.
        self._open: dict[int, tuple[str, float]] = {}
        self._unanswered = 0
        self.dropped = metrics.counter(
            "gateway_events_dropped", "Events from the gateway that discord.py couldn't parse."
        )
        self.clicks = metrics.histogram(
            "click_seconds", "From a click until Discord has the answer.", "kind", values=KINDS.values()
        )
        #: A route reads like `POST /channels/{channel_id}/messages`.
        self.calls = metrics.counter(
            "discord_calls", "Calls to Discord's API, by token and route.", "token", "route"
        )
        self.refusals = metrics.counter(
            "discord_refusals", "Failed calls, by meaning and Discord's code.", "fault", "code"
        )
        self.statuses = metrics.counter(
            "discord_responses",
            "Discord's HTTP answers, including those that are retried.",
            "status",
            values=map(str, WATCHED),
        )

    @property
    def unanswered(self) -> int:
        """The number of clicks that weren't answered in time."""
        late = self._clock() - ANSWER_DEADLINE
        for id in [id for id, (_, since) in self._open.items() if since <= late]:
            del self._open[id]
            self._unanswered += 1
        return self._unanswered

    def clicked(self, interaction: Mapping[str, Any]) -> None:
        """Start the clock for an interaction, given as Discord sends it."""
        if kind := KINDS.get(interaction.get("type", 0)):
            self._open[int(interaction["id"])] = kind, self._clock()

    def trace(self) -> aiohttp.TraceConfig:
        """A hook into discord.py's HTTP client that counts all responses, even those that it retries."""
        trace = aiohttp.TraceConfig()

        async def answered(session: Any, context: Any, request: aiohttp.TraceRequestEndParams) -> None:
            self.statuses.labels(request.response.status).inc()

        trace.on_request_end.append(answered)
        return trace

    def listen(self, http: discord.http.HTTPClient) -> None:
        """Count the calls made through this client from now on, and those that answer clicks."""
        http.request = self._counting("bot", http.request)  # type: ignore[method-assign]
        answers = async_context.get()
        answers.request = self._counting("click", answers.request)  # type: ignore[method-assign]

    def _counting(self, token: str, request: Request) -> Any:
        """This request, counted by whose token it carries: Discord limits calls with the bot's own."""

        async def counted(route: Any, *arguments: Any, **options: Any) -> Any:
            self.calls.labels(token, f"{route.method} {route.path}").inc()
            try:
                answer = await _whole(request(route, *arguments, **options), route)
            except discord.HTTPException as error:
                leave_out_page(error)
                self.refusals.labels(fault_of(error).name.lower(), error.code).inc()
                raise
            except NETWORK:
                self.refusals.labels("network", 0).inc()
                raise
            if route.path == ANSWER:
                self._answered(route.webhook_id)
            return answer

        return counted

    def _answered(self, click: int) -> None:
        if pending := self._open.pop(click, None):
            kind, since = pending
            self.clicks.labels(kind).observe(self._clock() - since)


async def _whole(request: Awaitable[Any], route: Any) -> Any:
    """Await a whole response; Garbled if it is a web page, or only part of one of Discord's."""
    try:
        answer = await request
    except ValueError as error:  # JSON or text that ends in the middle
        raise Garbled(f"{route.method} {route.path} brought half an answer") from error
    if route.method in ("POST", "PATCH"):
        key = "interaction" if route.path == ANSWER else "id"
        is_whole = isinstance(answer, dict) and key in answer
    else:
        is_whole = not isinstance(answer, str) or (route.method != "GET" and not answer)
    if not is_whole:
        raise Garbled(f"{route.method} {route.path} brought no answer of Discord's")
    return answer
