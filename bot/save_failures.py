"""Changes that could not be saved: their tables are told to wait."""

from __future__ import annotations

import time
from collections.abc import Callable

from bot.delivery import Delivery
from bot.render.operations import cannot_save
from engine.tables import Table

#: Seconds before a table is told again.
TELL_AGAIN_AFTER = 60.0


class SaveFailures:
    """Hears of each table whose change could not be saved, and tells it to wait, at most once a minute."""

    def __init__(self, delivery: Delivery, clock: Callable[[], float] = time.time) -> None:
        self._delivery = delivery
        self._clock = clock
        self._told_at: dict[int, float] = {}

    def __call__(self, table: Table) -> None:
        """This table's change could not be saved; of a daily game only whoever clicked is told."""
        if table.daily:
            return
        now = self._clock()
        self._told_at = {id: told for id, told in self._told_at.items() if now - told < TELL_AGAIN_AFTER}
        if table.id not in self._told_at:
            self._told_at[table.id] = now
            # A new key each time: telling it again is a new message, not an edit of one far above.
            self._delivery.posts.show(table.id, table.channel, f"wait{int(now)}", cannot_save())
