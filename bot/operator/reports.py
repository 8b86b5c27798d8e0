"""The operator's view of the bot: its figures, and a few lines in the log."""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from discord.ext import commands, tasks

from bot.delivery import Delivery
from bot.discord.traffic import Traffic
from bot.operator.figures import Figures
from bot.operator.messages import connected, resumed, stopped, stopping, summary
from engine import __version__
from engine.durations import Durations
from engine.storage.database import Database
from engine.tables import State, Table, Tables
from engine.thinking import Thinking

log = logging.getLogger(__name__)


# The log


class Reports:
    """Logs a few lines at INFO, with figures and without names."""

    def __init__(self, monitor: Monitor) -> None:
        self._monitor = monitor
        self._first: Figures | None = None  # at the start; None before it and after the stop
        self._yesterday: Figures | None = None

    def resumed(self, seconds: float) -> None:
        """Log that the tables have been resumed, and in how many seconds; start the daily summaries."""
        self._first = self._yesterday = self._monitor.read()
        log.info(resumed(self._first, seconds))
        self.each_day.start()

    def connected(self) -> None:
        """Log that the gateway has sent our servers."""
        log.info(connected(self._monitor.read()))

    @tasks.loop(hours=24)
    async def each_day(self) -> None:
        """Log what was done in the last 24 hours."""
        if self.each_day.current_loop and self._yesterday:  # not at the start
            self._yesterday = self._log_summary("In 24 h", self._yesterday)

    def stopping(self) -> None:
        """Log which tables will continue at the next start, and what was done since this one."""
        self.each_day.cancel()
        if self._first:
            log.info(stopping(self._monitor.read()))
            self._log_summary("Since the start", self._first)

    def stopped(self) -> None:
        """Log that the bot has stopped, and whether messages are still to be shown."""
        if self._first:
            log.info(stopped(self._monitor.read()))
            self._first = None

    def _log_summary(self, when: str, then: Figures) -> Figures:
        now = self._monitor.read()
        for line in summary(now, then):
            log.info("%s: %s.", when, line)
        return now


# The figures


@dataclass(slots=True, kw_only=True)
class Monitor:
    """Collects figures from each part of the bot; `began` is when it started, by the budget's clock."""

    client: commands.AutoShardedBot
    traffic: Traffic
    tables: Tables
    delivery: Delivery
    thinking: Thinking
    database: Database
    began: float = 0.0

    def read(self) -> Figures:
        """A snapshot of all figures."""
        latency = self.client.latency
        seats = [seat for table in self.tables.live for seat in table.seats]
        people = sum(seat.is_played_by_person for seat in seats)
        cache, budget, traffic = self.delivery.picture_cache, self.delivery.budget, self.traffic
        return Figures(
            version=__version__,
            running=budget.clock() - self.began,
            servers=len(self.client.guilds),
            shards=sum(not shard.is_closed() for shard in self.client.shards.values()),
            latency=latency if math.isfinite(latency) else None,
            dropped=traffic.dropped.total(),
            tables=_by_state(self.tables.live),
            damaged=len(self.tables.damaged),
            people=people,
            computers=len(seats) - people,
            ended={state.value: count for state, count in self.tables.ended.items()},
            clicks=_copied(traffic.clicks),
            unanswered=traffic.unanswered,
            calls={(token.value, route): count for (token, route), count in traffic.calls.items()},
            statuses=dict(traffic.statuses),
            refusals=dict(traffic.refusals),
            calls_a_second=budget.calls,
            calls_waiting={urgency.name.lower(): count for urgency, count in budget.waiting.items()},
            call_waits=budget.waits + Durations(),
            messages_waiting=self.delivery.waiting,
            drawn=cache.drawn + Durations(),
            left_out=dict(cache.left_out),
            thoughts=dict(self.thinking.made),
            thinkers=len(self.thinking.pool.pids),
            pars_waiting=self.tables.pars_waiting,
            database=_copied(self.database.calls),
            database_waiting=self.database.waiting,
            database_size=self.database.size,
        )


def _by_state(tables: Sequence[Table]) -> dict[str, int]:
    counts = Counter(map(_waits_for, tables))
    return {state: counts[state] for state in ("lobby", "people", "computers", "paused")}


def _waits_for(table: Table) -> str:
    if table.paused:
        return "paused"
    if table.state is State.LOBBY:
        return "lobby"
    return "computers" if table.waits_for_computers else "people"


def _copied(kinds: Mapping[str, Durations]) -> dict[str, Durations]:
    return {kind: durations + Durations() for kind, durations in kinds.items()}
