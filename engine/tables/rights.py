"""Who may do what at a table: whoever may not is refused."""

from __future__ import annotations

from engine.errors import Refusal
from engine.tables.info import State
from engine.tables.table import Moment, Table


def check_is_hosting_lobby(table: Table, person: int) -> None:
    """Refusal unless the table is in its lobby and this person its host."""
    if table.state is not State.LOBBY:
        raise Refusal("already_started")
    check_is_host(table, person)


def check_is_host(table: Table, person: int) -> None:
    """Refusal unless this person is the table's host."""
    if table.host != person:
        name = table.host_name
        raise Refusal("host_only", host=name) if name else Refusal("no_host")


def check_may_stop(table: Table, person: int, *, may_manage: bool) -> None:
    """Refusal unless this person may stop the table at once.

    Whoever may manage the channel may, and its host unless others have a say in it.
    """
    if may_manage or (person == table.host and not table.asks_all):
        return
    if table.asks_all:
        raise Refusal("ask_to_stop")
    name = table.host_name
    raise Refusal("may_not_stop", host=name) if name else Refusal("only_manager_may_stop")


def check_may_play(table: Table, person: int, at: Moment | None) -> int:
    """This person's seat; Refusal unless it is theirs to play, and the game still stands at that moment."""
    number = table.seat_of(person)
    if table.paused:
        raise Refusal("paused")
    if table.game is None:
        raise Refusal("not_started")
    if number is None:
        raise Refusal("not_seated")
    if table.seats[number].away:
        raise Refusal("away", table=table.id)
    if at is not None and at.is_past(table.game):
        raise Refusal("stale")
    return number


def check_may_take(table: Table, person: int) -> None:
    """Refusal unless this person may take a seat with the next deal, and one is free."""
    if table.state is not State.PLAYING:
        raise Refusal("not_started")
    if (own := table.seat_of(person)) is not None:
        raise Refusal("away", table=table.id) if table.seats[own].away else Refusal("already_seated")
    if table.taker(person):
        raise Refusal("already_taking")
    if not table.takes_latecomers:
        raise Refusal("no_latecomers")
    if not table.free_seats:
        raise Refusal("no_free_seat")
