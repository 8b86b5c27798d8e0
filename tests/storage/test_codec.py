"""Values to JSON and back: what is stored, what is refused, and a field that came later."""

import json
from dataclasses import dataclass, fields

import pytest
from cattrs.errors import BaseValidationError, ForbiddenExtraKeysError
from tables.baretable import started
from tables.house import ANN

from engine.storage.codec import Codec
from engine.tables import Table, Vote
from engine.tables.seats import Way

#: What follows from the moves and the results.
DERIVED = ("game", "logged", "unsaved", "achieved", "rated", "pars")


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


def stored() -> dict[str, object]:
    encoded: dict[str, object] = json.loads(Codec(Table, but=DERIVED).encode(started(ANN).value))
    return encoded


def test_what_does_not_compare_is_not_stored() -> None:
    assert set(stored()) == {one.name for one in fields(Table) if one.compare} - {*DERIVED}


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
    with pytest.raises((TypeError, ValueError, LookupError, BaseValidationError, ForbiddenExtraKeysError)):
        Codec(Table, but=DERIVED).decode(json.dumps(stored() | {field: value}))
