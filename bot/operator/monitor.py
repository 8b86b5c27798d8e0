"""The bot's metrics: what it is doing now, and what its parts have counted since it started."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from discord.ext import commands
from prometheus_client import Metric
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily

from bot.delivery import Delivery
from bot.discord.traffic import Traffic
from bot.operator.figures import Figures
from engine import __version__
from engine.storage.database import Database
from engine.tables import State, Table, Tables
from engine.thinking import Thinking


class Monitor:
    """Reads all metrics; nothing in them identifies a person or a place."""

    def __init__(
        self,
        client: commands.AutoShardedBot,
        traffic: Traffic,
        tables: Tables,
        delivery: Delivery,
        thinking: Thinking,
        database: Database,
    ) -> None:
        self.began = 0.0  # by the budget's clock
        self._client = client
        self._traffic = traffic
        self._tables = tables
        self._delivery = delivery
        self._thinking = thinking
        self._database = database
        self._counted = (
            *(traffic.dropped, traffic.clicks, traffic.calls, traffic.refusals, traffic.statuses),
            *(tables.games_ended, thinking.moves, thinking.playouts, database.calls),
            *(delivery.budget.waits, delivery.picture_cache.drawn, delivery.picture_cache.left_out),
        )

    @property
    def running(self) -> float:
        """The seconds since the bot started."""
        return self._delivery.budget.clock() - self.began

    def read(self) -> Figures:
        """What the metrics count now."""
        return Figures.of(self.collect())

    def collect(self) -> Iterator[Metric]:
        """All metrics with their present values."""
        yield from self._discord()
        yield from self._at_tables()
        yield from self._queues()
        for metric in self._counted:
            yield from metric.collect()

    def _discord(self) -> Iterator[Metric]:
        yield InfoMetricFamily("hearts_build", "The running version.", {"version": __version__})
        yield _gauge("servers", "Servers that the bot is in.", len(self._client.guilds))
        shards = sum(not shard.is_closed() for shard in self._client.shards.values())
        yield _gauge("gateway_shards", "Open connections to Discord's gateway.", shards)
        latency = GaugeMetricFamily("hearts_gateway_latency_seconds", "From a heartbeat to its answer.")
        if math.isfinite(self._client.latency):  # not before the first heartbeat
            latency.add_metric([], self._client.latency)
        yield latency
        # Counted when it is read, as a click that isn't answered makes no event.
        unanswered = "Clicks not answered within Discord's 3 seconds."
        yield CounterMetricFamily("hearts_clicks_unanswered", unanswered, self._traffic.unanswered)

    def _at_tables(self) -> Iterator[Metric]:
        live = self._tables.live
        yield _gauges("tables", "Live tables, by what they wait for.", "state", _by_state(live))
        damaged = "Tables left out at the start because they can't be read."
        yield _gauge("tables_damaged", damaged, len(self._tables.damaged))
        seats = [seat for table in live for seat in table.seats]
        people = sum(seat.is_played_by_person for seat in seats)
        players = {"person": people, "computer": len(seats) - people}
        yield _gauges("seats", "Seats at live tables, by kind of player.", "player", players)

    def _queues(self) -> Iterator[Metric]:
        budget, database = self._delivery.budget, self._database
        calls = "Most calls that the bot makes with its token."
        yield _gauge("budget_calls_per_second", calls, budget.calls)
        waiting = {urgency.name.lower(): count for urgency, count in budget.waiting.items()}
        yield _gauges("budget_waiting", "Calls waiting for a turn.", "urgency", waiting)
        yield _gauge("messages_waiting", "Messages that aren't up to date yet.", self._delivery.waiting)
        thinkers = "Processes thinking for strong computers."
        yield _gauge("thinking_processes", thinkers, len(self._thinking.pool.pids))
        pars = "Finished deals whose par is still to be computed."
        yield _gauge("pars_waiting", pars, self._tables.pars_waiting)
        yield _gauge("database_waiting", "Database calls waiting or running.", database.waiting)
        yield _gauge("database_bytes", "The database's size.", database.size)


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(f"hearts_{name}", meaning, value)


def _gauges(name: str, meaning: str, label: str, values: Mapping[str, int]) -> Metric:
    family = GaugeMetricFamily(f"hearts_{name}", meaning, labels=[label])
    for each, value in values.items():
        family.add_metric([each], value)
    return family


def _by_state(tables: Sequence[Table]) -> dict[str, int]:
    counts = Counter(map(_waits_for, tables))
    return {state: counts[state] for state in ("lobby", "people", "computers", "paused")}


def _waits_for(table: Table) -> str:
    if table.paused:
        return "paused"
    if table.state is State.LOBBY:
        return "lobby"
    return "computers" if table.waits_for_computers else "people"
