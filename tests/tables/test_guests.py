"""People who are asked to a table: kept seats, and messages that are sent once."""

from __future__ import annotations

from functools import partial

import pytest
from baretable import BareTable
from house import ANN, BO, CY, DI

from engine.names import NOBODY
from engine.tables import Person, Table, changes, inviting
from engine.tables.seats import Way

EVE = Person(5, "Eve")


def kept(table: Table) -> list[int]:
    return [one.person for one in table.kept]


def test_a_seat_is_kept_until_its_guest_sits_down_or_time_is_up() -> None:
    table = BareTable(ANN)
    table.do(inviting.invite, ANN.id, [BO, CY, DI], 100.0)
    assert kept(table.value) == [BO.id, CY.id, DI.id]
    assert table.refusal(inviting.arrived, EVE.id) == "seats_kept"
    table.do(inviting.arrived, CY.id)
    assert kept(table.value) == [BO.id, DI.id]
    table.do(inviting.shifted, 50.0)
    due = 100.0 + inviting.SEAT_KEPT + 50.0
    assert [inviting.is_due(table.value, now) for now in (due - 1, due)] == [False, True]
    assert kept(inviting.released(table.value, due - 1)) == [BO.id, DI.id]
    assert kept(inviting.released(table.value, due)) == kept(inviting.released(table.value)) == []


def test_each_guest_is_asked_once_and_numbers_grow() -> None:
    table = BareTable(ANN)
    table.do(inviting.invite, ANN.id, [CY, BO], 100.9)
    table.do(inviting.call, ANN.id, [(BO, Way.DM), (DI, Way.DM)], 50.0)
    asked = [(one.person, one.number, one.kept_until) for one in table.value.invitations]
    assert asked == [(BO.id, 100, 700.9), (CY.id, 100, 700.9), (DI.id, 101, None)]
    assert table.refusal(inviting.invite, ANN.id, [DI], 0.0) == "already_asked"
    assert table.refusal(inviting.invite, ANN.id, [EVE, BO], 0.0) == "too_many_invited"
    assert table.refusal(inviting.call, BO.id, [], 0.0) == "not_seated"
    table.do(inviting.arrived, BO.id)
    table.do(changes.join, BO)
    assert table.refusal(inviting.call, BO.id, [], 0.0) == "host_only"


def test_a_message_is_begun_once_and_again_only_if_it_was_not_sent() -> None:
    table = BareTable(ANN)
    table.do(inviting.invite, ANN.id, [CY], 0.0)
    table.do(inviting.call, ANN.id, [(BO, Way.DM), (DI, Way.MENTION)], 0.0)
    for person in (CY, DI, EVE):  # asked in the channel, or not at all
        assert table.refusal(inviting.begin_dm, person.id) == "stale"
        assert inviting.put_off_dm(table.value, person.id) is table.value
    table.do(inviting.begin_dm, BO.id)
    assert table.refusal(inviting.begin_dm, BO.id) == "stale"
    table.do(inviting.put_off_dm, BO.id)
    table.do(changes.join, DI)
    table.do(inviting.released)
    table.do(inviting.begin_dm, BO.id)
    table.do(inviting.put_off_dm, BO.id)
    for person in (CY, EVE):
        table.do(changes.join, person)
    assert table.refusal(inviting.begin_dm, BO.id) == "stale"  # no seat is left


def test_no_trace_of_a_guest_or_an_inviter_stays() -> None:
    table = BareTable(ANN)
    table.do(inviting.invite, ANN.id, [BO, CY], 0.0)
    forgotten = inviting.forget(inviting.forget(table.value, BO.id), ANN.id)
    assert [(one.person, one.inviter) for one in forgotten.invitations] == [(CY.id, NOBODY)]
    assert inviting.forget(forgotten, BO.id) is forgotten


@pytest.mark.parametrize(
    ("spoil", "refused"),
    [
        (partial(changes.start, person=ANN.id), "already_started"),
        (lambda table: changes.join(changes.join(changes.join(table, CY), DI), EVE), "nothing_to_invite_to"),
    ],
)
def test_only_a_lobby_with_room_is_worth_an_invitation(spoil: object, refused: str) -> None:
    table = BareTable(ANN)
    table.do(spoil)  # type: ignore[arg-type]
    assert table.refusal(inviting.check_may_invite, ANN.id) == refused
