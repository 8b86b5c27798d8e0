"""Asking a table to wait while nothing can be saved."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.delivery import Delivery
from bot.render.operations import wait
from engine.tables import Table

#: Seconds before a table is asked again.
PAUSE = 60.0


class Waiting:
    """Hears of each table whose change could not be saved, and asks it to wait, at most once a minute."""

    def __init__(self, delivery: Delivery, clock: Callable[[], float] = time.time) -> None:
        self._delivery = delivery
        self._clock = clock
        self._asked: dict[int, float] = {}

    def __call__(self, table: Table) -> None:
        """This table's change could not be saved."""
        now = self._clock()
        self._asked = {id: asked for id, asked in self._asked.items() if now - asked < PAUSE}
        if table.id not in self._asked:
            self._asked[table.id] = now
            # A new key each time: asking again is a new message, not an edit of one far above.
            self._delivery.posts.show(table.public, f"wait{int(now)}", wait())
