"""Seats that change hands in the middle of a game: with the next deal a computer's becomes a person's."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import Refusal
from engine.names import NOBODY
from engine.storage.seats import Departed, Taker
from engine.tables import changes
from engine.tables.info import Person, State
from engine.tables.notices import NoticeKind
from engine.tables.rights import check_is_host, check_may_take
from engine.tables.seats import Seat
from engine.tables.table import Table


def take_seat(table: Table, person: Person, seat: int) -> Table:
    """This person plays from the next deal on, where a computer plays until then."""
    check_may_take(table, person.id)
    if seat not in table.free_seats:
        raise Refusal("seat_taken")
    wanted = sorted([*table.takers, Taker(seat, person.id, person.name)], key=lambda taker: taker.seat)
    return replace(table, takers=tuple(wanted)).told(NoticeKind.SEAT_WANTED, [seat])


def leave(table: Table, person: int, why: NoticeKind = NoticeKind.LEFT) -> Table:
    """Who was about to take a seat does not after all; who has one leaves it."""
    return stay_out(table, person) if table.taker(person) else changes.leave(table, person, why)


def stay_out(table: Table, person: int) -> Table:
    """Who was about to take a seat does not after all; once its deal is dealt it is too late."""
    taker = table.taker(person)
    if taker is None:
        raise Refusal("not_taking")
    return table.without_taker(taker.seat).told(NoticeKind.SEAT_FREE, [taker.seat])


def change_latecomers(table: Table, person: int, *, welcome: bool) -> Table:
    """The host decides, at any time, whether computers' seats may be taken in the middle of the game.

    Where they may not, those who were about to take one do not.
    """
    check_is_host(table, person)
    if welcome is table.takes_latecomers:
        return table
    table = replace(table, takes_latecomers=welcome, takers=table.takers if welcome else ())
    if table.state is not State.PLAYING:
        return table
    kind = NoticeKind.SEATS_OPENED if welcome else NoticeKind.SEATS_CLOSED
    return changes.tell(table, kind, person)


def change_hands(table: Table) -> Table:
    """As the next deal is dealt, seats become theirs who take them; who had left them has left for good."""
    assert table.game is not None
    deal, departed = len(table.game.deals) + 1, list(table.departed)
    for taker in table.takers:
        old = table.seats[taker.seat]
        departed.append(Departed(taker.seat, old.person or NOBODY, old.name, old.since, deal - 1))
        table = table.with_seat(taker.seat, Seat(taker.person, taker.name, since=deal))
    return changes.with_host(changes.with_names_apart(replace(table, takers=(), departed=tuple(departed))))


def forget(table: Table, person: int) -> Table:
    """The table without a trace of this person; in a game their seat becomes a computer's for good."""
    if table.taker(person):
        table = leave(table, person)
    if any(one.person == person for one in table.departed):
        # The deals that they played stay apart from those of who has their seat now.
        computer = changes.next_computer(table)
        known = [_as_played_by(computer, one) if one.person == person else one for one in table.departed]
        table = replace(table, departed=tuple(known))
    number = table.seat_of(person)
    if number is not None and table.state is State.LOBBY:
        table, number = changes.leave(table, person), None
    if number is not None:
        computer = replace(changes.next_computer(table), since=table.seats[number].since)
        table = table.with_seat(number, computer).told(NoticeKind.SEAT_GIVEN_UP, [number])
        if not table.takers and all(seat.person is None for seat in table.seats):
            table = changes.close(table, NoticeKind.DESERTED)
    if table.first == person:
        table = replace(table, first=None)
    if table.host == person:
        table = changes.with_host(replace(table, host=NOBODY))
    return table


def _as_played_by(computer: Seat, departed: Departed) -> Departed:
    return replace(departed, person=NOBODY, name=computer.name)
