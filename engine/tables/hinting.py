"""What hints change at a table: each takes a table and gives the next, or refuses."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import Refusal
from engine.play.views import SeatView, seat_view
from engine.tables.hints import Hint, Hints, asking, is_there_a_choice, place
from engine.tables.rights import check_is_hosting_lobby, check_may_play
from engine.tables.table import Moment, Table


def change_hints(table: Table, person: int, hints: Hints) -> Table:
    """The host decides in the lobby who may ask for hints."""
    check_is_hosting_lobby(table, person)
    return replace(table, hints=hints)


def view_for_hint(table: Table, person: int, at: Moment) -> SeatView:
    """What a person sees who asks for a hint; Refusal where the table gives none, or none could help."""
    number = check_may_play(table, person, at)
    if not table.gives_hints:
        raise Refusal("no_hints")
    assert table.game is not None
    view = seat_view(table.game, number)
    if not is_there_a_choice(view):
        raise Refusal("nothing_to_hint")
    return view


def give_hint(table: Table, hint: Hint) -> Table:
    """A player is told, and the table hears of it; nothing if the game has moved on meanwhile."""
    deal = table.game.deals[-1] if table.game else None
    if deal is None or place(deal) != hint.place or table.advice_for(hint.seat):
        return table
    told = None if table.seats.are_for_one else asking(deal, hint.seat)
    asked = (*table.asked, told) if told and told not in table.asked else table.asked
    others = tuple([one for one in table.given if one.place == hint.place])
    return replace(table, asked=asked, given=(*others, hint))
