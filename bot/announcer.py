"""What the table service tells, shown: every message of a table brought up to date."""

from __future__ import annotations

import asyncio

from bot.delivery import Delivery, Placed
from bot.messages import Colour, Link, Whisper
from bot.render.board import board
from bot.render.hand import hand, over
from bot.render.text import channel_link
from bot.troubles import Troubles
from engine.errors import Refusal
from engine.play.deal import Phase
from engine.play.views import seat_view
from engine.tables import Table


class Announcer:
    """Listens to the table service."""

    def __init__(self, delivery: Delivery, troubles: Troubles) -> None:
        self._delivery = delivery
        self._troubles = troubles
        self._farewells: set[asyncio.Task[None]] = set()

    def __call__(self, table: Table) -> None:
        """Show this state of the table."""
        if table.paused:
            return
        self._troubles.told(table)
        public = table.public
        for key, post, create in board(public):
            self._delivery.post(public, key, post, create=create)
        if table.game is not None and table.game.deals:
            for seat in table.people:
                assert seat.person is not None
                self._show_hand(table, seat.person, len(table.game.deals))
        if not table.is_live:
            farewell = asyncio.create_task(self._delivery.forget(table.id))
            self._farewells.add(farewell)
            farewell.add_done_callback(self._farewells.discard)

    def _show_hand(self, table: Table, person: int, deal: int) -> None:
        placed = placed_hand(table, person)
        self._delivery.hand(table.id, person, deal, hand_of(table, person, in_dm=True), placed)


def placed_hand(table: Table, person: int) -> Placed:
    """The hand as My hand shows it: below the newest post when something is to be done with it."""
    whisper = hand_of(table, person)
    return Placed(whisper, newest_post(table) if whisper.colour is Colour.TURN else None)


def newest_post(table: Table) -> str:
    """The key of the post that the game stands at."""
    assert table.game is not None
    deal = table.game.deals[-1]
    before_play = deal.phase in (Phase.PASSING, Phase.EXPOSING)
    return f"deal{deal.number}" + ("" if before_play else f".trick{len(deal.tricks) + 1}")


def hand_of(table: Table, person: int, deal: int | None = None, *, in_dm: bool = False) -> Whisper:
    """This player's hand; of an earlier `deal`, that it is over. Refusal if they have none."""
    seat = table.seat_of(person)
    if seat is None:
        raise Refusal("not_seated")
    if table.game is None:
        raise Refusal("not_started")
    if table.seats[seat].away:
        raise Refusal("away")
    public = table.public
    if not table.is_live or (deal is not None and deal != len(table.game.deals)):
        whisper = over(public, deal or len(table.game.deals))
    else:
        whisper = hand(public, seat_view(table.game, seat))
    if not in_dm:
        return whisper
    return Whisper((*whisper.parts, (Link("Go to the table", channel_link(public)),)), whisper.colour)
