"""Work that nobody waits for."""

from __future__ import annotations

import logging
from collections.abc import Coroutine
from typing import Any

from engine.errors import Refusal
from engine.tables.live import Work

log = logging.getLogger(__name__)


class Background:
    """Watches over such work: its failure is logged with the table's number, and the table goes on."""

    def __init__(self) -> None:
        self._work = Work()

    def start(self, table: int, doing: str, work: Coroutine[Any, Any, Any]) -> None:
        """Do this for a table, by and by; a Refusal says that it need not be done any more."""
        self._work.start(watched(table, doing, work))


async def watched(table: int, doing: str, work: Coroutine[Any, Any, Any]) -> None:
    """Do this for a table as `Background` does, and wait for it."""
    try:
        await work
    except Refusal as refusal:
        log.info("table %s: %s was not needed: %s", table, doing, refusal)
    except Exception:
        log.exception("table %s: %s failed", table, doing)
