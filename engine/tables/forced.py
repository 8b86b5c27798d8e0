"""The cards that play themselves, as there is nothing to choose."""

from __future__ import annotations

from collections.abc import Callable

from engine.cards import Card
from engine.tables.info import State
from engine.tables.preferences import Forced, Preference
from engine.tables.table import Table


def forced_card(table: Table, preference_of: Callable[[int], Preference]) -> Card | None:
    """The only card that the player whose turn it is can play, where it shall play itself.

    That it does at once tells the others that it was forced: so by default only where they know that anyway.
    """
    deal = table.game.deal if table.game else None
    if deal is None or deal.turn is None or table.paused or table.state is not State.PLAYING:
        return None
    seat = table.seats[deal.turn]
    if seat.person is None or seat.away:
        return None
    if not deal.is_known_to_be_forced and preference_of(seat.person).forced is not Forced.EVERY:
        return None
    legal = deal.legal(deal.turn)
    return legal[0] if len(set(legal)) == 1 else None
