"""Asking people to a table in its lobby: a player invites them, or the host calls those who want to hear.

A seat is kept for invited people for a while. No one is asked to the same table twice.
"""

from collections.abc import Sequence
from dataclasses import replace

from engine.errors import Refusal
from engine.names import NOBODY
from engine.tables.seats import Invitation, Way
from engine.tables.table import Person, State, Table

#: Seconds for which a seat is kept for an invited person.
SEAT_KEPT = 600.0
#: Seconds after which a message that asks people isn't sent any more, if it couldn't be so far.
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
    """Invite these people, and keep a seat for each; Refusal if there aren't enough seats."""
    check_may_invite(table, person)
    if len(guests) > table.room:
        raise Refusal("too_many_invited", count=table.room)
    return _ask(table, person, [(guest, Way.INVITED) for guest in guests], now, now + SEAT_KEPT)


def call(table: Table, person: int, guests: Sequence[tuple[Person, Way]], now: float) -> Table:
    """Call people who want to hear when a table needs players, as its host.

    People who have come or been asked meanwhile are left out.
    """
    check_may_call(table, person)
    others = [one for one in guests if _may_be_asked(table, one[0].id)]
    return _ask(table, person, others, now, None)


def check_may_call(table: Table, person: int) -> None:
    """Raise a Refusal unless this person is the host of a lobby with room."""
    check_may_invite(table, person)
    if table.host != person:
        name = table.host_name
        raise Refusal("host_only", host=name) if name else Refusal("no_host")


def _ask(
    table: Table, person: int, guests: Sequence[tuple[Person, Way]], now: float, kept_until: float | None
) -> Table:
    if not all(_may_be_asked(table, guest.id) for guest, _ in guests):
        raise Refusal("already_asked")
    # At least the time, so that no number is used again once everyone with it has been forgotten.
    number = max([int(now), *[one.number + 1 for one in table.invitations]])
    new = [Invitation(guest.id, guest.name, number, person, way, now, kept_until) for guest, way in guests]
    new.sort(key=lambda one: one.person)
    return replace(table, invitations=(*table.invitations, *new))


def _may_be_asked(table: Table, person: int) -> bool:
    return table.seat_of(person) is None and table.invitation_of(person) is None


def begin_dm(table: Table, person: int) -> Table:
    """Note that this person's DM is being sent, so that it's sent only once; Refusal if it shouldn't be."""
    one = table.invitation_of(person)
    if one is None or one.way is not Way.DM or one.is_told or not is_wanted(table, person):
        raise Refusal("stale")
    return _with(table, replace(one, is_told=True))


def put_off_dm(table: Table, person: int) -> Table:
    """Note that this person's DM wasn't sent after all, and may be sent later."""
    one = table.invitation_of(person)
    return _with(table, replace(one, is_told=False)) if one and one.way is Way.DM else table


def is_wanted(table: Table, person: int) -> bool:
    """Whether it still makes sense to ask this person: there is a seat that they could take."""
    return table.state is State.LOBBY and table.room > 0 and table.seat_of(person) is None


def arrived(table: Table, person: int) -> Table:
    """Release the seat kept for this person, who is about to sit down.

    Refusal if all free seats are kept for others.
    """
    one = table.invitation_of(person)
    if one and one.kept_until is not None:
        return _with(table, replace(one, kept_until=None))
    if table.kept and not table.room:
        raise Refusal("seats_kept")
    return table


def is_due(table: Table, now: float) -> bool:
    """Whether a kept seat is due to be released."""
    return any(one.kept_until is not None and one.kept_until <= now for one in table.kept)


def released(table: Table, now: float = float("inf")) -> Table:
    """Release the seats that were kept until `now` (seconds since 1970) or earlier; by default all."""
    for one in table.kept:
        if one.kept_until is not None and one.kept_until <= now:
            table = _with(table, replace(one, kept_until=None))
    return table


def shifted(table: Table, seconds: float) -> Table:
    """Move the times of kept seats by these seconds, as the clock was set."""
    for one in table.kept:
        table = _with(table, replace(one, kept_until=(one.kept_until or 0.0) + seconds))
    return table


def forget(table: Table, person: int) -> Table:
    """Remove every trace of this person as a guest or an inviter."""
    invitations = [
        replace(one, inviter=NOBODY) if one.inviter == person else one
        for one in table.invitations
        if one.person != person
    ]
    return table if invitations == list(table.invitations) else replace(table, invitations=tuple(invitations))


def _with(table: Table, changed: Invitation) -> Table:
    invitations = [changed if one.person == changed.person else one for one in table.invitations]
    return replace(table, invitations=tuple(invitations))
