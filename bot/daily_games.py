"""Daily games, each shown to its player alone: their changes come here, and not to the announcer."""

from __future__ import annotations

from bot.background import Background
from bot.delivery import Delivery
from bot.hands import hand_of
from bot.render import daily as render
from bot.render.hand import over
from engine.tables import DailyDeals, State, Table


class DailyGames:
    """Listens to the table service for daily games; `deals` tells what they came to."""

    deals: DailyDeals

    def __init__(self, delivery: Delivery) -> None:
        self._delivery = delivery
        self._background = Background()

    def __call__(self, table: Table) -> None:
        """Show the hand as it is now wherever its player looks at it; by DM only where they wanted that."""
        person, public = table.host, table.public
        if table.seat_of(person) is not None and table.game is not None:
            dms, deal = self._delivery.dms, table.game.begun
            shown = hand_of(table, public, person)
            is_by_dm = any(dms.is_wanted(table.id, person, one) for one in (deal - 1, deal))
            if dms.is_open(table.id, person, deal - 1):
                dms.end(table.id, person, deal - 1, over(public, deal - 1, person))
            dms.show(table.id, person, deal, shown, create=is_by_dm and table.is_live)
            self._delivery.my_hand.show(table.id, person, shown)
        if not table.is_live:
            self._background.start(table.id, "the end of a daily game", self._end(table))

    async def _end(self, table: Table) -> None:
        """Show the result in place of the hand, and then nothing more."""
        person = table.host
        if table.state is State.OVER and table.daily and table.game and table.seat_of(person) is not None:
            result = render.result(await self.deals.ranking(table.daily.day, person, table.guild))
            self._delivery.dms.show(table.id, person, table.game.begun, result, create=False)
            self._delivery.my_hand.show(table.id, person, result)
        await self._delivery.forget(table.id)
