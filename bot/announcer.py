"""What the table service tells, shown: every message of a table brought up to date."""

from __future__ import annotations

from bot.background import Background
from bot.delivery import Delivery
from bot.hands import as_dm, hand_of, place
from bot.render.board import board
from bot.render.hand import over
from bot.troubles import Troubles
from engine.tables import Table


class Announcer:
    """Listens to the table service."""

    def __init__(self, delivery: Delivery, troubles: Troubles) -> None:
        self._delivery = delivery
        self._troubles = troubles
        self._background = Background()

    def __call__(self, table: Table) -> None:
        """Show this state of the table."""
        if table.paused and table.is_live:
            return
        self._troubles.told(table)
        public = table.public
        for key, post, create in board(public):
            self._delivery.posts.show(public, key, post, create=create)
        if table.game is not None and table.game.deals:
            for seat in table.people:
                assert seat.person is not None
                shown = hand_of(table, seat.person, public=public)
                deal, dms = len(table.game.deals), self._delivery.dms
                if dms.offers(table.id, seat.person, deal - 1):  # its last card was played elsewhere
                    dms.show(table.id, seat.person, deal - 1, as_dm(over(public, deal - 1), public))
                dms.show(table.id, seat.person, deal, as_dm(shown, public))
                self._delivery.hands.show(table.id, seat.person, place(shown, table))
        if not table.is_live:
            self._background.start(table.id, "the farewell", self._delivery.forget(table.id))
