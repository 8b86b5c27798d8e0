"""When nobody's points hang on the cards that are left, by what counts alone."""

from __future__ import annotations

import pytest

from engine.cards import cards
from engine.rules import plays
from engine.rules.counting import Counting
from engine.rules.ruleset import Ruleset

CLASSIC = Ruleset.of("classic", 4).counting
WITH_JACK = Ruleset.of("classic", 4, {"jack_of_diamonds": True}).counting
TWO_DECKS = Ruleset.of("double-deck", 8).counting
CHINESE = Ruleset.of("chinese", 4).counting
ALL_HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"


def is_settled(counting: Counting, piles: tuple[str, ...], left: str) -> bool:
    return plays.is_settled(counting, [cards(pile) for pile in piles], cards(left))


@pytest.mark.parametrize(("left", "is_so"), [("2C KD AS", True), ("2C 2H", False), ("QS", False), ("", True)])
def test_without_hearts_and_the_queen_nothing_is_left(left: str, is_so: bool) -> None:
    assert is_settled(CLASSIC, ("", "", "", ""), left) is is_so


def test_an_option_adds_a_card_that_counts() -> None:
    assert is_settled(CLASSIC, ("", "", "", ""), "JD")
    assert not is_settled(WITH_JACK, ("", "", "", ""), "JD")


def test_in_two_decks_each_copy_counts() -> None:
    assert not is_settled(TWO_DECKS, (f"{ALL_HEARTS} {ALL_HEARTS} QS", *[""] * 7), "QS 2C")
    assert is_settled(TWO_DECKS, (f"{ALL_HEARTS} {ALL_HEARTS} QS", "QS", *[""] * 6), "2C")


def test_low_hearts_of_chinese_hearts_count_nothing_where_no_moon_is_possible() -> None:
    """C7, C8."""
    assert is_settled(CHINESE, ("5H 6H 7H 8H QS", "9H TH JH QH KH AH JD", "", "TC 3H"), "2H 4H 2C")


def test_a_low_heart_may_complete_a_moon() -> None:
    """C8."""
    but_one = ALL_HEARTS.removeprefix("2H ")
    assert not is_settled(CHINESE, (f"{but_one} QS", "JD", "TC 3D", ""), "2H")
    assert is_settled(CHINESE, (f"{ALL_HEARTS} QS", "JD", "TC 3D", ""), "2S")


def test_a_low_heart_may_keep_the_ten_of_clubs_company() -> None:
    """C9: alone it brings points itself."""
    piles = ("5H 6H 7H 8H QS", "9H TH JH QH KH AH JD", "3H 4H", "TC 2C")
    assert not is_settled(CHINESE, piles, "2H")
    assert is_settled(CHINESE, (*piles[:3], "TC 4H"), "2H")


def test_the_ten_of_clubs_counts_though_it_has_no_points_itself() -> None:
    """C9."""
    assert not is_settled(CHINESE, (ALL_HEARTS, "QS JD", "", ""), "TC")
