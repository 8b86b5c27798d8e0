"""The bot's state, and what it has done since it started, as plain figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add

from engine.durations import Durations


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """All figures at one moment, counted since the start; nothing identifies a person or a place."""

    version: str
    running: float  # seconds since the start

    servers: int
    shards: int  # open connections to Discord's gateway
    latency: float | None  # seconds; None before the first heartbeat
    dropped: int  # the gateway's events that discord.py couldn't parse

    tables: Mapping[str, int]  # live ones by what they wait for: lobby, people, computers, paused
    damaged: int  # tables left out at the start
    people: int
    computers: int
    ended: Mapping[str, int]  # games by how they ended: over, stopped

    clicks: Mapping[str, Durations]  # until each was answered, by kind: command, control, suggestion, form
    unanswered: int  # clicks for which Discord stopped waiting

    calls: Mapping[tuple[str, str], int]  # of Discord's API, by token (bot, click) and route
    statuses: Mapping[int, int]  # its answers by HTTP status
    refusals: Mapping[tuple[str, int], int]  # failed calls, by fault and Discord's code
    calls_a_second: int  # that the bot's token may make
    calls_waiting: Mapping[str, int]  # for their turn, by urgency: new, edit, low
    call_waits: Durations
    messages_waiting: int

    drawn: Durations  # pictures
    left_out: Mapping[str, int]  # pictures, by reason: busy, late, failed, no_call, refused

    thoughts: Mapping[int, int]  # strong computers' moves by number of playouts; 0 for medium moves instead
    thinkers: int  # processes that think
    pars_waiting: int  # finished deals whose par is still to be computed

    database: Mapping[str, Durations]  # calls by kind: read, read_apart, write, rewrite
    database_waiting: int
    database_size: int  # bytes

    @property
    def answers(self) -> Durations:
        """How long it took to answer clicks of all kinds."""
        return _all(self.clicks)

    @property
    def queries(self) -> Durations:
        """How long database calls of all kinds took."""
        return _all(self.database)

    @property
    def token_calls(self) -> int:
        """Calls with the bot's own token, which Discord limits."""
        return sum(count for (token, _), count in self.calls.items() if token == "bot")

    @property
    def medium(self) -> int:
        """Moves that a medium computer made in a strong one's place, for lack of time."""
        return self.thoughts.get(0, 0)

    @property
    def strong(self) -> int:
        """Moves that strong computers made themselves."""
        return sum(self.thoughts.values()) - self.medium

    @property
    def faults(self) -> dict[str, int]:
        """Failed calls by fault alone, the most frequent first."""
        counts: Counter[str] = Counter()
        for (fault, _), count in self.refusals.items():
            counts[fault] += count
        return dict(counts.most_common())


#: Returns the current figures.
Read = Callable[[], Figures]


def _all(kinds: Mapping[str, Durations]) -> Durations:
    return reduce(add, kinds.values(), Durations())
