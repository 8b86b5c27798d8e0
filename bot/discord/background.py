"""Background tasks; failures are logged."""

import logging
from collections.abc import Coroutine
from typing import Any

from engine.errors import Refusal
from engine.tables.keeper import Work

log = logging.getLogger(__name__)


#: Refusals which mean that something couldn't be done, rather than that it is no longer needed.
NOT_DONE = ("cannot_save", "cannot_read", "damaged")


class Background:
    """Starts background tasks for tables, and logs their failures by table."""

    def __init__(self) -> None:
        self._work = Work()

    def start(self, table: int, doing: str, work: Coroutine[Any, Any, Any]) -> None:
        """Start this for a table; `doing` describes it in the log."""
        self._work.start(watched(table, doing, work))


async def watched(table: int, doing: str, work: Coroutine[Any, Any, Any]) -> None:
    """Await this for a table, and log its failure; a Refusal may mean that it is no longer needed."""
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
    """Await this in a `tasks.loop`, and log its failure, which would end the loop for good."""
    try:
        await work
    except Refusal as refusal:
        log.warning("%s has to wait: %s", doing, refusal)
    except Exception:
        log.exception("%s failed and will be retried", doing)
