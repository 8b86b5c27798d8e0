"""Computers' names, and their manners: tied to names, and seen in what computers play."""

from __future__ import annotations

from collections import Counter

import pytest
from seating import dealt, passes, playing, plays, rules

from engine.names import COMPUTERS, computer_name
from engine.players import Player, Strength, computer
from engine.players.manners import Manner, manner_of
from engine.rules.presets import PRESETS

CLASSIC = rules("classic", 4)


def medium(manner: Manner | None) -> Player:
    return computer(Strength.MEDIUM, manner)


def test_each_name_has_a_manner_and_no_other_has() -> None:
    counted = Counter(manner_of(name) for name in COMPUTERS)
    assert counted == dict.fromkeys(Manner, len(COMPUTERS) // len(Manner))
    assert manner_of("Ann") is None
    assert all(name.isascii() and name.isalpha() and len(name) <= 5 for name in COMPUTERS)
    assert all(len(manner.value) <= 15 for manner in Manner)


@pytest.mark.parametrize("seats", sorted({most for preset in PRESETS.values() for most in preset.players}))
def test_computers_at_one_table_have_as_many_manners_as_there_are(seats: int) -> None:
    for table in range(1, 100):
        taken: list[str] = []
        for _ in range(seats):
            taken.append(computer_name(taken, table))
        assert len({manner_of(name) for name in taken}) == min(seats, len(Manner))


def test_the_largest_table_of_namesakes_leaves_names_for_computers() -> None:
    most = max(max(preset.players) for preset in PRESETS.values())
    assert len({name.casefold() for name in COMPUTERS}) == len(COMPUTERS) >= 2 * most
    for table in range(1, 200):
        taken: list[str] = [name.upper() for name in COMPUTERS[table % 40 : table % 40 + most]]
        for _ in range(most):
            taken.append(computer_name(taken, table))
        assert len({name.casefold() for name in taken}) == len(taken)


@pytest.mark.parametrize("manner", Manner)
def test_no_manner_takes_the_queen_that_can_be_ducked_and_only_a_shooter_keeps_her(manner: Manner) -> None:
    assert plays(playing(CLASSIC, "AS KS 2S 3D 4D 4C", "QS 5S 6S"), medium(manner)) == "2S"
    if manner is not Manner.SHOOTS_MOONS:
        assert plays(playing(CLASSIC, "QS AH KH 2S 9S AD", "5C 7C"), medium(manner)) == "QS"


@pytest.mark.parametrize(
    ("manner", "held", "trick", "usual", "own"),
    [
        (Manner.SAVES_HEARTS, "8H 9H AD KD 2S", "5C 7C", "8H", "KD"),
        (Manner.EMPTIES_SUITS, "9S TS 9D TD QD KD", "5C 7C", "9S", "QD"),
        (Manner.EMPTIES_SUITS, "3D 4D 4C 5S 7S 8H", "", "8H", "4C"),
        (Manner.HOARDS_DIAMONDS, "7C AC QD QS TS", "", "QD", "7C"),
        (Manner.HATES_SPADES, "3S 5C 6H 7C KD", "", "6H", "3S"),
        (Manner.HUNTS_QUEENS, "2S 3C 7D 7H KH TD", "", "3C", "2S"),
        (Manner.SHOOTS_MOONS, "AC AS AD KH KD AH QS JC", "", "KH", "AC"),
    ],
)
def test_a_manner_changes_what_is_played(manner: Manner, held: str, trick: str, usual: str, own: str) -> None:
    game = playing(CLASSIC, held, trick)
    assert (plays(game, medium(None)), plays(game, medium(manner))) == (usual, own)


def test_who_saves_hearts_does_not_pass_them() -> None:
    fresh = dealt(CLASSIC, "2S 6S TS 9C 8C 4C KC 3C JH TH 9H 7D 8D")
    assert passes(fresh, medium(None)) == {"JH", "TH", "9H"}
    assert passes(fresh, medium(Manner.SAVES_HEARTS)) == {"JH", "8D", "7D"}
