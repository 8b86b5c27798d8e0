"""Serves the figures to Prometheus, with prometheus_client."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager

from aiohttp import web
from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.aiohttp import make_aiohttp_handler
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from bot.config import Address, ConfigError
from bot.operator.figures import Figures, Read
from engine.durations import BOUNDS, Durations

log = logging.getLogger(__name__)

PATH = "/metrics"
#: Seconds that a response may still take once the bot is stopping.
LAST_ANSWER = 1.0


@asynccontextmanager
async def serving(address: Address) -> AsyncIterator[Callable[[Read], None]]:
    """Serve metrics at this address within the context; a bot whose event loop hangs doesn't respond.

    Yields a function to call with each new bot's reader of figures; until then, only the process's own
    metrics are served. ConfigError if the address can't be used.
    """
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    app = web.Application()
    app.router.add_get(PATH, make_aiohttp_handler(registry))
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=LAST_ANSWER)
    await runner.setup()
    try:
        await _listen(runner, address)
        log.info("Serving metrics at http://%s%s.", _as_text(address), PATH)
        with _counting_lines() as lines:
            exporter = Exporter(lines)
            registry.register(exporter)
            yield exporter.show
    finally:
        await runner.cleanup()


async def _listen(runner: web.AppRunner, address: Address) -> None:
    try:
        await web.TCPSite(runner, *address).start()
    except OSError as problem:
        # From Python 3.12 on, asyncio gives no error number if there is no such address.
        reason = os.strerror(problem.errno).lower() if problem.errno else "this machine has no such address"
        raise ConfigError(f"HEARTS_METRICS is {_as_text(address)}, which can't be used: {reason}.") from None


def _as_text(address: Address) -> str:
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class _Lines(logging.Handler):
    """Counts the log lines that someone should look at."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.counts = Counter(warning=0, error=0)

    def emit(self, record: logging.LogRecord) -> None:
        self.counts["error" if record.levelno >= logging.ERROR else "warning"] += 1


@contextmanager
def _counting_lines() -> Iterator[Mapping[str, int]]:
    lines = _Lines()
    logging.getLogger().addHandler(lines)
    try:
        yield lines.counts
    finally:
        logging.getLogger().removeHandler(lines)


class Exporter(Collector):
    """The figures under their Prometheus names, each with a line of help."""

    def __init__(self, lines: Mapping[str, int]) -> None:
        self._read: Read | None = None
        self._lines = lines

    def show(self, read: Read) -> None:
        """Set the function that reads the figures."""
        self._read = read

    def collect(self) -> Iterator[Metric]:
        """The current figures."""
        if self._read is None:
            return
        now = self._read()
        yield InfoMetricFamily("hearts_build", "The running version.", {"version": now.version})
        yield from _tables(now)
        yield from _clicks(now)
        yield from _calls(now)
        yield from _pictures_and_thoughts(now)
        yield from _database(now)
        yield _counter("log_lines", "Log lines at WARNING and above.", "level", self._lines)


def _tables(now: Figures) -> Iterator[Metric]:
    yield _gauge("servers", "Servers that the bot is in.", now.servers)
    yield _gauge("gateway_shards", "Open connections to Discord's gateway.", now.shards)
    if now.latency is not None:
        yield _gauge("gateway_latency_seconds", "From a heartbeat to its answer.", now.latency)
    yield _counter("gateway_events_dropped", "Events from the gateway that made no sense.", None, now.dropped)
    yield _gauges("tables", "Live tables, by what they wait for.", "state", now.tables)
    yield _gauge("tables_damaged", "Tables left out at the start because they can't be read.", now.damaged)
    seats = {"person": now.people, "computer": now.computers}
    yield _gauges("seats", "Seats at live tables, by kind of player.", "player", seats)
    yield _counter("games_ended", "Games that have ended, by how.", "how", now.ended)


def _clicks(now: Figures) -> Iterator[Metric]:
    yield _histogram("click_seconds", "From a click until Discord has the answer.", "kind", now.clicks)
    yield _counter(
        "clicks_unanswered", "Clicks not answered within Discord's 3 seconds.", None, now.unanswered
    )


def _calls(now: Figures) -> Iterator[Metric]:
    calls = CounterMetricFamily(
        "hearts_discord_calls", "Calls to Discord's API, by token and route.", labels=["token", "route"]
    )
    for (token, route), count in now.calls.items():
        calls.add_metric([token, route], count)
    yield calls
    refusals = CounterMetricFamily(
        "hearts_discord_refusals",
        "Failed calls, by meaning and Discord's code.",
        labels=["fault", "code"],
    )
    for (fault, code), count in now.refusals.items():
        refusals.add_metric([fault, str(code)], count)
    yield refusals
    statuses = {str(status): count for status, count in now.statuses.items()}
    yield _counter(
        "discord_responses", "Discord's HTTP answers, including those that are retried.", "status", statuses
    )
    yield _gauge(
        "budget_calls_per_second", "Most calls that the bot makes with its token.", now.calls_a_second
    )
    yield _gauges("budget_waiting", "Calls waiting for a turn.", "urgency", now.calls_waiting)
    yield _histogram("budget_wait_seconds", "How long waiting calls waited.", None, now.call_waits)
    yield _gauge("messages_waiting", "Messages that aren't up to date yet.", now.messages_waiting)


def _pictures_and_thoughts(now: Figures) -> Iterator[Metric]:
    yield _histogram("picture_seconds", "From the request for a picture until it was drawn.", None, now.drawn)
    yield _counter("pictures_left_out", "Pictures left out, by reason.", "reason", now.left_out)
    thoughts = {"strong": now.strong, "medium": now.medium}
    yield _counter("thoughts", "Strong computers' moves, by the strength that found them.", "by", thoughts)
    playouts = sum(each * count for each, count in now.thoughts.items())
    yield _counter("playouts", "Playouts behind these moves.", None, playouts)
    yield _gauge("thinking_processes", "Processes thinking for strong computers.", now.thinkers)
    yield _gauge("pars_waiting", "Finished deals whose par is still to be computed.", now.pars_waiting)


def _database(now: Figures) -> Iterator[Metric]:
    yield _histogram(
        "database_seconds", "Database calls, including the wait for a turn.", "call", now.database
    )
    yield _gauge("database_waiting", "Database calls waiting or running.", now.database_waiting)
    yield _gauge("database_bytes", "The database's size.", now.database_size)


def _gauge(name: str, tells: str, value: float) -> Metric:
    return GaugeMetricFamily(f"hearts_{name}", tells, value)


def _gauges(name: str, tells: str, label: str, values: Mapping[str, int]) -> Metric:
    family = GaugeMetricFamily(f"hearts_{name}", tells, labels=[label])
    for each, value in values.items():
        family.add_metric([each], value)
    return family


def _counter(name: str, tells: str, label: str | None, values: Mapping[str, int] | int) -> Metric:
    family = CounterMetricFamily(f"hearts_{name}", tells, labels=[label] if label else [])
    for each, value in values.items() if isinstance(values, Mapping) else [("", values)]:
        family.add_metric([each] if label else [], value)
    return family


def _histogram(
    name: str, tells: str, label: str | None, kinds: Mapping[str, Durations] | Durations
) -> Metric:
    family = HistogramMetricFamily(f"hearts_{name}", tells, labels=[label] if label else [])
    bounds = [*map(str, BOUNDS), "+Inf"]
    for each, durations in kinds.items() if isinstance(kinds, Mapping) else [("", kinds)]:
        buckets = list(zip(bounds, durations.up_to, strict=True))
        family.add_metric([each] if label else [], buckets, durations.seconds)
    return family
