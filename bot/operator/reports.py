"""A few lines in the log for the operator."""

import logging

from discord.ext import tasks

from bot.operator.figures import Figures
from bot.operator.messages import connected, resumed, stopped, stopping, summary
from bot.operator.monitor import Monitor

log = logging.getLogger(__name__)


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
            log.info(stopping(self._monitor.read(), self._monitor.running))
            self._log_summary("Since the start", self._first)

    def stopped(self) -> None:
        """Log that the bot has stopped, and whether messages are still to be shown."""
        if self._first:
            log.info(stopped(self._monitor.read()))
            self._first = None

    def _log_summary(self, when: str, then: Figures) -> Figures:
        now = self._monitor.read()
        for line in summary(now - then):
            log.info("%s: %s.", when, line)
        return now
