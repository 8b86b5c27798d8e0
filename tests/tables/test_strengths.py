"""How strong computers are: chosen in the lobby, for all or for each, and kept."""

from __future__ import annotations

import pytest
from baretable import BareTable
from house import ANN, BO

from engine.players import Player, Strength, computer
from engine.players.advice import PERSON
from engine.players.manners import Manner
from engine.tables import NoticeKind, Person, Table, changes

EASY, MEDIUM, STRONG = Strength


def computers(table: Table) -> list[Strength]:
    return [seat.strength for seat in table.seats if seat.person is None]


@pytest.mark.parametrize(
    ("opened", "added", "playing"),
    [
        ({}, [], [MEDIUM, MEDIUM, MEDIUM]),
        ({"strength": STRONG}, [], [STRONG, STRONG, STRONG]),
        ({}, [STRONG, EASY], [STRONG, EASY, EASY]),
    ],
)
def test_each_computer_has_its_own_and_the_last_one_says_what_fills_the_table(
    opened: dict[str, Strength], added: list[Strength], playing: list[Strength]
) -> None:
    table = BareTable(ANN, **opened)
    for strength in added:
        table.do(changes.add_computer, ANN.id, strength)
    before = table.start()
    assert computers(before) == playing
    rematch = changes.rematch(table.stop(), ANN)
    assert (rematch.seats, rematch.strength) == (before.seats, playing[-1])


def test_what_a_table_knows_of_its_seats_tells_who_plays_like_a_regular() -> None:
    table = BareTable(ANN, BO)
    table.do(changes.add_computer, ANN.id, STRONG)
    table.do(changes.add_computer, ANN.id, EASY)
    assert table.start().seats.skills == [PERSON, PERSON, 1.0, 0.0]
    assert table.do(changes.leave_or_stay_out, BO.id).seats.skills == [PERSON, 1.0, 1.0, 0.0]


def test_the_host_gives_all_the_same_at_once() -> None:
    table = BareTable(ANN, BO)
    assert table.refusal(changes.add_computer, BO.id, EASY) == "host_only"
    table.do(changes.add_computer, ANN.id, EASY)
    assert table.refusal(changes.change_strength, BO.id, STRONG) == "host_only"
    assert computers(table.do(changes.change_strength, ANN.id, STRONG)) == [STRONG]
    assert computers(table.start()) == [STRONG, STRONG]
    assert table.refusal(changes.change_strength, ANN.id, EASY) == "already_started"


def test_who_brings_a_computers_name_along_leaves_it_its_strength() -> None:
    table = BareTable(ANN)
    table.do(changes.add_computer, ANN.id, STRONG)
    name = table.value.seats[1].name
    table.do(changes.add_computer, ANN.id, EASY)
    joined = table.do(changes.join, Person(3, name))
    assert computers(joined) == [STRONG, EASY]
    assert len({seat.name for seat in joined.seats}) == 4


def test_each_seat_is_played_by_its_strength_and_manner_and_medium_ones_for_who_is_away() -> None:
    asked = set()

    def seen(strength: Strength, manner: Manner | None) -> Player:
        asked.add((strength, manner))
        return computer(strength, manner)

    table = BareTable(ANN, BO, computer=seen)
    table.do(changes.add_computer, ANN.id, MEDIUM)
    table.do(changes.add_computer, ANN.id, EASY)
    table.start()
    _, bo, medium, easy = table.do(changes.leave_or_stay_out, BO.id).seats
    assert (bo.away, bo.strength, bo.manner, easy.manner) == (True, MEDIUM, None, None)
    assert asked == {(MEDIUM, None), (EASY, None), (MEDIUM, medium.manner)}


def test_who_is_forgotten_leaves_the_seat_to_one_like_the_others() -> None:
    table = BareTable(ANN, BO, strength=EASY)
    table.start()
    forgotten = table.do(changes.forget, BO.id)
    assert forgotten.notice.kind is NoticeKind.SEAT_GIVEN_UP
    assert computers(forgotten) == [EASY] * 3


def test_the_last_computer_can_be_sent_away_and_those_to_come_are_like_the_one_before() -> None:
    table = BareTable(ANN)
    assert table.refusal(changes.remove_computer, ANN.id) == "no_computer"
    table.do(changes.add_computer, ANN.id, EASY)
    table.do(changes.add_computer, ANN.id, STRONG)
    table.do(changes.join, BO)
    for guest in (BO.id, 9):
        assert table.refusal(changes.remove_computer, guest) == "host_only"
    seats = table.do(changes.remove_computer, ANN.id).seats
    assert [seat.person for seat in seats] == [ANN.id, None, BO.id]
    assert computers(table.start()) == [EASY, EASY]
    assert table.refusal(changes.remove_computer, ANN.id) == "already_started"
