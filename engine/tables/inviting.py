"""Who is asked to a table in its lobby: invited by a player, or told because they wanted to be.

An invited person has a seat kept for a while; nobody is asked to the same table twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.errors import Refusal
from engine.names import NOBODY
from engine.tables.seats import Invitation, Way
from engine.tables.table import Person, State, Table

#: Seconds for which the seat of someone who is invited is kept.
SEAT_KEPT = 600.0
#: Seconds after which a message that asks someone isn't sent any more, if it couldn't be.
FRESH = 60.0


def check_may_invite(table: Table, person: int) -> None:
    """Raise a Refusal unless this person may invite others: they have a seat, and the lobby has room."""
    if table.state is not State.LOBBY:
        raise Refusal("already_started")
    if table.paused:
        raise Refusal("paused")
    if table.seat_of(person) is None:
        raise Refusal("not_seated")
    if not table.room:
        raise Refusal("nothing_to_invite_to")


def invite(table: Table, person: int, guests: Sequence[Person], now: float) -> Table:
    """Ask these people to the table, and keep a seat for each; Refusal if there aren't that many."""
    check_may_invite(table, person)
    if len(guests) > table.room:
        raise Refusal("too_many_invited", count=table.room)
    return _asked(table, person, [(guest, Way.INVITED) for guest in guests], now, now + SEAT_KEPT)


def call(table: Table, person: int, told: Sequence[tuple[Person, Way]], now: float) -> Table:
    """Tell people who wanted to be told that the table needs players, as its host.

    Those who have come or been asked meanwhile aren't.
    """
    check_may_call(table, person)
    others = [one for one in told if _may_be_asked(table, one[0].id)]
    return _asked(table, person, others, now, None)


def check_may_call(table: Table, person: int) -> None:
    """Raise a Refusal unless this person is the host of a lobby with room."""
    check_may_invite(table, person)
    if table.host != person:
        name = table.host_name
        raise Refusal("host_only", host=name) if name else Refusal("no_host")


def _asked(
    table: Table, person: int, guests: Sequence[tuple[Person, Way]], now: float, kept_until: float | None
) -> Table:
    if not all(_may_be_asked(table, guest.id) for guest, _ in guests):
        raise Refusal("already_asked")
    # By the clock: once everyone asked by a message is forgotten, its number isn't another one's.
    number = max([int(now), *[one.number + 1 for one in table.invitations]])
    made = [Invitation(guest.id, guest.name, number, person, way, now, kept_until) for guest, way in guests]
    made.sort(key=lambda one: one.person)
    return replace(table, invitations=(*table.invitations, *made))


def _may_be_asked(table: Table, person: int) -> bool:
    return table.seat_of(person) is None and table.invitation_of(person) is None


def begin_dm(table: Table, person: int) -> Table:
    """Note that this person's DM is being sent, so that it never is twice; Refusal if it shouldn't be."""
    one = table.invitation_of(person)
    if one is None or one.way is not Way.DM or one.is_told or not is_wanted(table, person):
        raise Refusal("stale")
    return _with(table, replace(one, is_told=True))


def put_off_dm(table: Table, person: int) -> Table:
    """Note that this person's DM wasn't sent after all, and may be later."""
    one = table.invitation_of(person)
    return _with(table, replace(one, is_told=False)) if one and one.way is Way.DM else table


def is_wanted(table: Table, person: int) -> bool:
    """Whether there is still a reason to ask this person: a seat they could have."""
    return table.state is State.LOBBY and table.room > 0 and table.seat_of(person) is None


def arrived(table: Table, person: int) -> Table:
    """The table as this person sits down, who needs no kept seat any more.

    Refusal if all that is free is kept for others.
    """
    one = table.invitation_of(person)
    if one and one.kept_until is not None:
        return _with(table, replace(one, kept_until=None))
    if table.kept and not table.room:
        raise Refusal("seats_kept")
    return table


def is_due(table: Table, now: float) -> bool:
    """Whether a seat has been kept for long enough."""
    return any(one.kept_until is not None and one.kept_until <= now for one in table.kept)


def released(table: Table, now: float = float("inf")) -> Table:
    """The table without the seats that were kept up to now."""
    for one in table.kept:
        if one.kept_until is not None and one.kept_until <= now:
            table = _with(table, replace(one, kept_until=None))
    return table


def shifted(table: Table, seconds: float) -> Table:
    """The table once the clock was set by this."""
    for one in table.kept:
        table = _with(table, replace(one, kept_until=(one.kept_until or 0.0) + seconds))
    return table


def forget(table: Table, person: int) -> Table:
    """The table without a trace of this person, asked or asking."""
    left = [
        replace(one, inviter=NOBODY) if one.inviter == person else one
        for one in table.invitations
        if one.person != person
    ]
    return table if left == list(table.invitations) else replace(table, invitations=tuple(left))


def _with(table: Table, changed: Invitation) -> Table:
    known = [changed if one.person == changed.person else one for one in table.invitations]
    return replace(table, invitations=tuple(known))
