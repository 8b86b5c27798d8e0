"""The end of a daily game: its result, in place of the hand."""

from bot.daily.results import result
from bot.delivery import Delivery
from engine.tables import DailyDeals, Preferences, Table


class DailyEnds:
    """Shows the result of a finished daily game wherever its player saw the hand."""

    def __init__(self, deals: DailyDeals, delivery: Delivery, preferences: Preferences) -> None:
        self._deals = deals
        self._delivery = delivery
        self._preferences = preferences

    async def __call__(self, table: Table) -> None:
        """Replace the hand by the result.

        A DM compares it with players of the game's server, other places with those of the server there.
        """
        person = table.host
        if table.daily is None or table.game is None or table.seat_of(person) is None:
            return
        language = self._preferences.language_of(person, table.language)
        dms, day = self._delivery.dms, table.daily.day
        my_hand = self._delivery.my_hand.of(table.id, person)
        by_dm = await self._deals.ranking(day, person, table.guild)
        dms.of(table.id, person).show(table.game.begun, result(by_dm, language), create=False)
        in_place = await self._deals.ranking(day, person, my_hand.guild)
        my_hand.show(result(in_place, language))
