"""What discord.py's connections to the gateway lack: surviving odd events, and patience with a limit."""

from __future__ import annotations

import asyncio
import logging
import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import discord
from discord.backoff import ExponentialBackoff

log = logging.getLogger(__name__)

#: Seconds, at most, until a lost connection is tried again; discord.py alone would wait up to 1,024.
LONGEST_RECONNECT = 30.0
#: Seconds, at least, between two tries; discord.py alone would leave none where a connection closes at once.
SHORTEST_WAIT = 1.0
#: Seconds after which a connection has held: if it is lost then, the next try comes at once.
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
    """A connection with that backoff, also where it is closed as soon as it is open."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._backoff = Backoff()
        self._tried_at = -math.inf

    async def reidentify(self, exc: discord.gateway.ReconnectWebSocket) -> None:
        """Connect again after Discord has closed the connection or told us to."""
        clock = asyncio.get_running_loop().time
        if clock() - self._tried_at < LASTING:
            await asyncio.sleep(self._backoff.delay())
        self._tried_at = clock()
        await super().reidentify(exc)


discord.shard.Shard = Shard  # type: ignore[misc, assignment]


def drop_odd_events(parsers: dict[str, Parser], dropped: Counter[str]) -> None:
    """Log and count the events that discord.py can't parse, each of which would end the process."""
    for event, parse in parsers.items():
        parsers[event] = _guarded(event, parse, dropped)


def _guarded(event: str, parse: Parser, dropped: Counter[str]) -> Parser:
    def guarded(data: Any) -> None:
        try:
            parse(data)
        except Exception as error:
            dropped[event] += 1
            # Without a traceback or the message, which may name people.
            log.warning("an odd %s event was dropped (%s)", event, type(error).__name__)
            if event == "READY":  # without which nothing works
                raise discord.gateway.ReconnectWebSocket(None, resume=False) from None

    return guarded
