"""Serves metrics to Prometheus, with prometheus_client."""

import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from aiohttp import web
from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.aiohttp import make_aiohttp_handler
from prometheus_client.registry import Collector

from bot.config import Address, ConfigError
from bot.operator.figures import Collect
from engine.metrics import counter

log = logging.getLogger(__name__)

PATH = "/metrics"
#: Seconds that a response may still take once the bot is stopping.
LAST_ANSWER = 1.0


@asynccontextmanager
async def serving(address: Address) -> AsyncIterator[Callable[[Collect], None]]:
    """Serve metrics at this address within the context; a bot whose event loop hangs doesn't respond.

    Yields a function to call with each new bot's `collect`; until then, only the process's own metrics are
    served. ConfigError if the address can't be used.
    """
    registry, lines, bot = CollectorRegistry(), _Lines(), _Bot()
    registry.register(lines.counts)
    registry.register(bot)
    ProcessCollector(registry=registry)
    app = web.Application()
    app.router.add_get(PATH, make_aiohttp_handler(registry))
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=LAST_ANSWER)
    await runner.setup()
    try:
        await _listen(runner, address)
        log.info("Serving metrics at http://%s%s.", _as_text(address), PATH)
        logging.getLogger().addHandler(lines)
        yield bot.show
    finally:
        logging.getLogger().removeHandler(lines)
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
        levels = ("warning", "error")
        self.counts = counter("log_lines", "Log lines at WARNING and above.", "level", values=levels)

    def emit(self, record: logging.LogRecord) -> None:
        self.counts.labels("error" if record.levelno >= logging.ERROR else "warning").inc()


class _Bot(Collector):
    """The metrics of the newest bot of this process; after a lost connection there is another."""

    def __init__(self) -> None:
        self.collect: Collect = list

    def show(self, collect: Collect) -> None:
        """Serve what this function returns from now on."""
        self.collect = collect
