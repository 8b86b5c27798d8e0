"""Manners: tied to names, and chosen only among what is about equally good."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from seating import my_view, playing, rules

from engine.names import COMPUTERS, computer_name
from engine.play.moves import Played
from engine.players import computer
from engine.players.manners import Manner, manner_of
from engine.players.strength import Strength
from engine.rules.presets import PRESETS

CLASSIC = rules("classic", 4)


def plays(game, manner):
    move = computer(Strength.MEDIUM, manner)(my_view(game), Random(1))
    assert isinstance(move, Played)
    return move.card.code


def test_each_name_has_a_manner_and_no_other_has() -> None:
    counted = Counter(manner_of(name) for name in COMPUTERS)
    assert counted == dict.fromkeys(Manner, len(COMPUTERS) // len(Manner))
    assert manner_of("Ann") is None


@pytest.mark.parametrize("seats", sorted({most for preset in PRESETS.values() for most in preset.players}))
def test_computers_at_one_table_have_as_many_manners_as_there_are(seats: int) -> None:
    for table in range(1, 100):
        taken: list[str] = []
        for _ in range(seats):
            taken.append(computer_name(taken, table))
        assert len({manner_of(name) for name in taken}) == min(seats, len(Manner))


def test_a_manner_is_told_in_a_few_words() -> None:
    assert all(len(manner.value) <= 22 for manner in Manner)


@pytest.mark.parametrize("manner", Manner)
def test_no_manner_takes_the_queen_that_can_be_ducked(manner: Manner) -> None:
    assert plays(playing(CLASSIC, "AS KS 2S 3D 4D 4C", "QS 5S 6S"), manner) == "2S"


@pytest.mark.parametrize("manner", Manner)
def test_no_manner_keeps_the_queen_that_can_be_discarded(manner: Manner) -> None:
    assert plays(playing(CLASSIC, "QS AH KH 2S 9S AD", "5C 7C"), manner) == "QS"
