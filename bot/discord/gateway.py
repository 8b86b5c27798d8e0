"""Additions to discord.py's gateway connections: they survive odd events, and never wait long."""

import asyncio
import logging
import math
from collections.abc import Callable
from typing import Any

import discord
from discord.backoff import ExponentialBackoff
from prometheus_client import Counter

log = logging.getLogger(__name__)

#: Seconds, at most, before we reconnect; discord.py alone would wait up to 1,024.
LONGEST_RECONNECT = 30.0
#: Seconds, at least, between two tries; discord.py alone may try again at once.
SHORTEST_WAIT = 1.0
#: Seconds after which a connection counts as stable: if it is lost then, we reconnect at once.
LASTING = 60.0

Parser = Callable[[Any], None]


class Backoff(ExponentialBackoff[Any]):
    """discord.py's backoff between these limits."""

    def __init__(self) -> None:
        super().__init__()
        self._max = 5  # of its doublings, from a second up

    def delay(self) -> Any:
        """Seconds until the next try."""
        return max(SHORTEST_WAIT, min(super().delay(), LONGEST_RECONNECT))


class Shard(discord.shard.Shard):
    """A connection with our backoff, which also applies if it closes as soon as it is open."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._backoff = Backoff()
        self._tried_at = -math.inf

    async def reidentify(self, exc: "discord.gateway.ReconnectWebSocket") -> None:
        """Connect again after Discord has closed the connection or told us to."""
        clock = asyncio.get_running_loop().time
        if clock() - self._tried_at < LASTING:
            await asyncio.sleep(self._backoff.delay())
        self._tried_at = clock()
        await super().reidentify(exc)


discord.shard.Shard = Shard  # type: ignore[misc, assignment]


def drop_odd_events(parsers: dict[str, Parser], dropped: Counter) -> None:
    """Log and count the events that discord.py can't parse, each of which would end the process."""
    for event, parse in parsers.items():
        parsers[event] = _guarded(event, parse, dropped)


def _guarded(event: str, parse: Parser, dropped: Counter) -> Parser:
    def guarded(data: Any) -> None:
        try:
            parse(data)
        except Exception as error:
            dropped.inc()
            # Without a traceback or the message, which may name people.
            log.warning("an odd %s event was dropped (%s)", event, type(error).__name__)
            if event == "READY":  # nothing works without it
                raise discord.gateway.ReconnectWebSocket(None, resume=False) from None

    return guarded
