"""What computers are called: names of their own, at every table others."""

from __future__ import annotations

from engine.names import COMPUTERS, computer_name
from engine.rules.presets import PRESETS

MOST_SEATS = max(max(preset.players) for preset in PRESETS.values())


def test_the_largest_table_of_namesakes_leaves_names_for_computers() -> None:
    assert len({name.casefold() for name in COMPUTERS}) == len(COMPUTERS) >= 2 * MOST_SEATS
    for table in range(1, 200):
        taken: list[str] = [name.upper() for name in COMPUTERS[table % 40 : table % 40 + MOST_SEATS]]
        for _ in range(MOST_SEATS):
            taken.append(computer_name(taken, table))
        assert len({name.casefold() for name in taken}) == len(taken)


def test_names_are_short_and_in_plain_letters() -> None:
    assert all(name.isascii() and name.isalpha() and len(name) <= 5 for name in COMPUTERS)
