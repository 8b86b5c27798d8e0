"""What the log tells of a start, of each day and of an end."""

from __future__ import annotations

import logging

from discord.ext import tasks

from bot.figures import Figures
from bot.render.operations import connected, resumed, stopped, stopping, summary
from bot.status import Monitor

log = logging.getLogger(__name__)


class Reports:
    """Logs a few lines at INFO, with figures and without names."""

    def __init__(self, monitor: Monitor) -> None:
        self._monitor = monitor
        self._first: Figures | None = None  # at the start; None when there is nothing to tell of
        self._yesterday: Figures | None = None

    def resumed(self, seconds: float) -> None:
        """The tables have been taken up again, in this time."""
        self._first = self._yesterday = self._monitor.read()
        log.info(resumed(self._first, seconds))
        self.each_day.start()

    def connected(self) -> None:
        """Discord's gateway has told us which servers we are in."""
        log.info(connected(self._monitor.read()))

    @tasks.loop(hours=24)
    async def each_day(self) -> None:
        """What has been done since the last time."""
        if self.each_day.current_loop and self._yesterday:  # not at the start
            self._yesterday = self._tell("In 24 h", self._yesterday)

    def stopping(self) -> None:
        """What goes on at the next start, and what has been done since this one."""
        self.each_day.cancel()
        if self._first:
            log.info(stopping(self._monitor.read()))
            self._tell("Since the start", self._first)

    def stopped(self) -> None:
        """Everything has been shown for which there was time."""
        if self._first:
            log.info(stopped(self._monitor.read()))
            self._first = None

    def _tell(self, when: str, then: Figures) -> Figures:
        now = self._monitor.read()
        for line in summary(now, then):
            log.info("%s: %s.", when, line)
        return now
