"""Values to JSON and back: all of a table, and a field that came later."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields

import pytest
from cattrs.errors import BaseValidationError, ForbiddenExtraKeysError

from engine.languages import by_code
from engine.rules.ruleset import Ruleset
from engine.storage.codec import Codec
from engine.tables import DailyGame, Hints, NoticeKind, Pace, Plan, State, Table, TournamentGame, Vote
from engine.tables.plan import Timer
from engine.tables.seats import FormerOccupant, Invitation, Seat, SeatClaim, Seats, Way
from engine.tables.table import HintRequest

#: What follows from the moves and the results.
DERIVED = ("game", "logged", "unsaved", "achieved", "rated", "pars")
FULL = Table(
    id=1,
    guild=2,
    channel=3,
    host=11,
    rules=Ruleset.of("chinese", 4),
    state=State.PLAYING,
    seats=Seats([Seat(11, "Ann"), Seat(None, "Hugo"), Seat(12, "Bo", away=True, kept_until=9.5)]),
    seat_claims=(SeatClaim(1, 13, "Cy"),),
    former_occupants=(FormerOccupant(1, 14, "Di", 1, 2, 1),),
    invitations=(Invitation(15, "Ed", 7, 11, Way.INVITED, 5.0, 6.0),),
    takes_latecomers=False,
    first=12,
    leads=2,
    pace=Pace.DAILY,
    hints=Hints.EVERYBODY,
    asked=(HintRequest(1, 0, 3),),
    daily=DailyGame("2026-11-22", 4),
    tournament=TournamentGame(1, 2, 3, 4, 5.5, (frozenset({2, 0}),), frozenset({1})),
    margins=(1, 0, -2),
    plan=Plan(8.0, 2.0, reminded=True),
    called_at=4.5,
    timer=Timer(7.0, 60.0),
    vote=Vote(1, 0, frozenset({0}), frozenset({2})),
    language=by_code("zh"),
    picks=((0, 2), None, ()),
).with_notice(NoticeKind.LEFT, [1])


def test_all_of_a_table_comes_back() -> None:
    codec = Codec(Table, but=DERIVED)
    assert codec.decode(codec.encode(FULL)) == FULL


def test_equal_values_are_stored_alike() -> None:
    codec = Codec(Vote)
    one, other = (Vote(1, None, agreed=frozenset(seats)) for seats in ([8, 0, 1], [1, 8, 0]))
    assert codec.encode(one) == codec.encode(other)


@dataclass(frozen=True)
class Before:
    """A value of an older version."""

    name: str


@dataclass(frozen=True)
class Now:
    """The same with another field."""

    name: str
    hats: tuple[Way, ...] = (Way.DM,)


def test_a_field_that_is_added_with_a_default_needs_nothing_else() -> None:
    stored = Codec(Before).encode(Before("Ann"))
    assert Codec(Now).decode(stored) == Now("Ann")
    changed = Now("Ann", (Way.INVITED, Way.MENTION))
    assert Codec(Now).decode(Codec(Now).encode(changed)) == changed


def test_what_does_not_compare_is_not_stored() -> None:
    codec = Codec(Table, but=DERIVED)
    stored = json.loads(codec.encode(FULL))
    assert set(stored) == {one.name for one in fields(Table) if one.compare} - {*DERIVED}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("host", "11"),
        ("host", True),
        ("takes_latecomers", 1),
        ("called_at", "now"),
        ("pace", "slow"),
        ("seats", [{"person": 1}]),
        ("seats", [{"person": 1, "name": "Ann", "hat": "red"}]),
        ("picks", [["a"]]),
        ("colour", "red"),
    ],
)
def test_another_type_or_field_is_refused(field: str, value: object) -> None:
    codec = Codec(Table, but=DERIVED)
    stored = json.loads(codec.encode(FULL)) | {field: value}
    with pytest.raises((TypeError, ValueError, LookupError, BaseValidationError, ForbiddenExtraKeysError)):
        codec.decode(json.dumps(stored))
