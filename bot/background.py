"""Background tasks: their failures are logged, and everything else goes on."""

from __future__ import annotations

import logging
from collections.abc import Coroutine
from typing import Any

from engine.errors import Refusal
from engine.tables.live import Work

log = logging.getLogger(__name__)


#: Refusals which mean that something could not be done, rather than that it need not be.
NOT_DONE = ("cannot_save", "cannot_read", "damaged")


class Background:
    """Starts such tasks for tables; the log names the table."""

    def __init__(self) -> None:
        self._work = Work()

    def start(self, table: int, doing: str, work: Coroutine[Any, Any, Any]) -> None:
        """Start this for a table; a Refusal means that it is no longer needed, or why it can't be done."""
        self._work.start(watched(table, doing, work))


async def watched(table: int, doing: str, work: Coroutine[Any, Any, Any]) -> None:
    """Do this for a table as `Background` does, and wait for it."""
    try:
        await work
    except Refusal as refusal:
        if refusal.id in NOT_DONE:
            log.warning("table %s: %s failed: %s", table, doing, refusal)
        else:
            log.info("table %s: %s was not needed: %s", table, doing, refusal)
    except Exception:
        log.exception("table %s: %s failed", table, doing)


async def repeated(doing: str, work: Coroutine[Any, Any, Any]) -> None:
    """Do this in a `tasks.loop`, which would end for good with an exception: it is logged instead."""
    try:
        await work
    except Refusal as refusal:
        log.warning("%s has to wait: %s", doing, refusal)
    except Exception:
        log.exception("%s failed, and is tried again the next time", doing)
