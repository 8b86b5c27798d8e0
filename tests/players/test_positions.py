"""Positions that any regular knows, solved by the medium and the strong player."""

from functools import partial
from random import Random

import pytest
import seating
from seating import dealt, hand, my_view, playing, rules

from engine.play.moves import Declined, Exposed
from engine.players import medium_move
from engine.players.strong import strong_move

CLASSIC = rules("classic", 4)
CANCELLATION = rules("cancellation", 5)
CANCEL_LOWEST = rules("cancellation", 5, winner="lowest")
FIRST_WINS = rules("double-deck", 8)
CHINESE = rules("chinese", 4)
CHINESE_LOWEST = rules("chinese", 4, winner="lowest")
WITH_JACK = rules("classic", 4, jack_of_diamonds=True)


@pytest.fixture(params=[medium_move, strong_move])
def player(request):
    return request.param


@pytest.fixture
def plays(player):
    return partial(seating.plays, player=player)


@pytest.fixture
def passes(player):
    return partial(seating.passes, player=player)


# Passing


@pytest.mark.parametrize(
    "held",
    [
        "QS 2S 4S 6S 8S TS 3C 9C KC 5D JD 4H QH",
        "QS 3S 5S 7S 9S JS 8C KC AC TD QD 9H JH",
        "AS KS QS JS 5S 3S 4C 7C TC 6D 8D KD 5H",
        "QS 2S 3S 5S 7S 9S JS 8C KC TD QD 9H JH",
    ],
)
def test_the_queen_is_not_passed_from_six_spades(held, passes):
    assert "QS" not in passes(dealt(CLASSIC, held))


def test_the_queen_without_guards_is_passed(passes):
    assert "QS" in passes(dealt(CLASSIC, "QS 3S 4C 8C TC KC 2D 6D 9D 3H 5H 6H 8H"))


def test_ace_and_king_of_spades_without_guards_are_passed(passes):
    assert {"AS", "KS"} <= passes(dealt(CLASSIC, "AS KS 2C 5C 6C 9C 2D 3D 8D 2H 3H 5H 7H"))


def test_low_spades_are_not_passed(passes):
    assert passes(dealt(CLASSIC, "2S 5S 8S TS 4C JC AC 5D QD KD 3H 9H QH")).isdisjoint(
        {"2S", "5S", "8S", "TS"}
    )


@pytest.mark.parametrize("player", [strong_move])
def test_a_hand_that_can_shoot_passes_its_low_cards(passes):
    passed = passes(dealt(CLASSIC, "AS KS QS AH KH QH JH TH AC KC AD 3D 4C"))
    assert {"3D", "4C"} <= passed


# Spades


@pytest.mark.parametrize("high", ["AS", "KS"])
def test_the_ace_of_spades_is_not_played_before_her_while_a_small_one_will_do(high, plays):
    assert plays(playing(CLASSIC, f"{high} 7S 3S 2D 3D 4D 4C 9C 2H 3H", "5S")) in {"7S", "3S"}
    assert plays(playing(CLASSIC, f"{high} 7S 3S 2D 3D 4D 4C 9C 2H 3H", "5S 8S")) in {"7S", "3S"}


@pytest.mark.parametrize("high", ["AS", "KS"])
def test_the_ace_of_spades_is_safe_in_the_last_seat(high, plays):
    assert plays(playing(CLASSIC, f"{high} 7S 3S 2D 3D 4D 4C 9C 2H 3H", "5S 6S 8S")) == high


def test_the_queen_goes_under_the_ace(plays):
    assert plays(playing(CLASSIC, "QS 5S 9D 4D 8C 3C 6H 4H", "TS AS 3S")) == "QS"
    assert plays(playing(CLASSIC, "QS 5S 9D 4D 8C 3C 6H 4H", "TS KS")) == "QS"


def test_the_queen_is_discarded(plays):
    assert plays(playing(CLASSIC, "QS AH KH 2S 9S AD", "5C 7C")) == "QS"


def test_a_bare_queen_is_not_led(plays):
    assert plays(playing(CLASSIC, "QS 7D 4D 9C 6C 3C JD 8H 5H 2H")) != "QS"


def test_low_spades_are_led_to_draw_the_queen(plays):
    assert plays(playing(CLASSIC, "3S 5S 6S 8S JD QD JC KC")).endswith("S")
    assert plays(playing(CLASSIC, "KS AS 4S 2D 3D 2C 3C 2H 3H")) not in {"KS", "AS"}


# Ducking and safe leads


@pytest.mark.parametrize("player", [strong_move])
def test_ducks_with_a_high_card_that_still_loses(plays):
    assert plays(playing(CLASSIC, "3D TD QD AD 2C 3C 4C 5C 6S 7S", "JD KD 2H")) in {"TD", "QD"}


def test_takes_a_free_trick_in_the_last_seat_with_the_highest_card(plays):
    assert plays(playing(CLASSIC, "2C TC AC 3D 4D 5D 6S 7S 2H 3H", "5C 7C 9C")) == "AC"


def test_leads_safely_late(plays):
    """A low card below those that are out, and not the one that only it holds."""
    assert plays(playing(CLASSIC, "3D KC 9H", out="4D 6D 9D 5H TH JH QH KH AH")) in {"3D", "9H"}
    assert plays(playing(CLASSIC, "3D KC", out="4D 6D 9D 5H 6H 7H")) == "3D"
    assert plays(playing(CLASSIC, "AC 2H", out="3H 4H 5H 6H 7H 8H")) == "2H"


def test_gets_rid_of_the_lead_late(plays):
    assert plays(playing(CLASSIC, "2H 4D", out="3H 5H 8H QH 7H AH")) == "2H"


# Moons


def test_a_moon_is_stopped_with_one_heart(plays):
    taken = {2: "2H 4H 6H 7H 8H 9H TH QS"}
    assert plays(playing(CLASSIC, "3H AH", "5H KH JH", out="QH KC AC", taken=taken)) == "AH"
    nobody = {1: "2H 4H 6H 7H", 2: "8H 9H TH QS"}
    assert plays(playing(CLASSIC, "3H AH", "5H KH JH", out="QH KC AC", taken=nobody)) == "3H"


def test_a_heart_that_stops_a_moon_is_kept(plays):
    """Discarding, it parts with anything but the heart that will take a trick from the shooter."""
    taken = {1: "2H 4H 5H 6H 7H 8H 9H TH JH QS"}
    assert plays(playing(CLASSIC, "AH 5C 6C", "AD 4D KD", out="KH QH 3H KC AC QC", taken=taken)) != "AH"


@pytest.mark.parametrize("player", [strong_move])
def test_a_hand_that_can_shoot_shoots(plays):
    held = "AH KH QH JH TH 9H"
    assert plays(playing(CLASSIC, f"{held} AC", "2H 3H 4H")).endswith("H")
    taken = {0: "QS 2H 3H 4H"}
    assert plays(playing(CLASSIC, f"{held} 2C", "KD 5D 8D", taken=taken)) == "2C"
    assert plays(playing(CLASSIC, f"{held} 2C", "KD 5D 8D", taken={1: "QS 2H 3H 4H"})) == "AH"


def test_a_hand_that_can_shoot_takes_the_queen(plays):
    held = "AS KS AH KH QH JH TH 9H AD KD"
    assert plays(playing(CLASSIC, held, "4S QS 5S")) in {"AS", "KS"}


# What other games count


def test_takes_the_jack_of_diamonds_only_where_it_counts(plays):
    assert plays(playing(WITH_JACK, "3D 9D KD 2C 3C", "JD 4D 5H")) == "KD"
    assert plays(playing(CLASSIC, "3D 9D KD 2C 3C", "JD 4D QS")) == "9D"


def test_plays_for_points_where_the_highest_total_wins(plays):
    trick = "KH 5H QS 2H"
    assert plays(playing(CANCELLATION, "3H AH 2C 3C", trick)) == "AH"
    assert plays(playing(CANCEL_LOWEST, "3H AH 2C 3C", trick)) == "3H"


def test_counts_what_lies_on_hold(plays):
    assert plays(playing(CANCELLATION, "3D AD 2C 3C", "KD 5D 6D 7D", on_hold="QS 5H")) == "AD"
    assert plays(playing(CANCEL_LOWEST, "3D AD 2C 3C", "KD 5D 6D 7D", on_hold="QS 5H")) == "3D"


def test_twins_cancel(plays):
    assert plays(playing(CANCEL_LOWEST, "8D 3D 2C 3C", "KD KD 5D QS")) == "3D"  # both kings drop out
    assert plays(playing(CANCEL_LOWEST, "KD AD 2C 3C", "KD 5D 8D QS")) == "KD"  # and so does one's own


def test_the_first_of_two_copies_wins(plays):
    assert plays(playing(FIRST_WINS, "3D KD AD 2C", "KD 5D 8D 2H 6D 7D 4D")) == "KD"


def test_chinese_takes_the_jack_and_fears_the_queen(plays):
    assert plays(playing(CHINESE, "3D AD 2C 3C", "JD 4D 5D")) == "AD"
    assert plays(playing(CHINESE, "3S AS 2C 3C", "QS 4S 5S")) == "3S"
    assert plays(playing(CHINESE_LOWEST, "3S AS 2C 3C", "QS 4S 5S")) == "AS"


@pytest.mark.parametrize(
    ("held", "exposed"),
    [
        ("AD KD JD 5D 4D 2C 3C 4C 2S 3S 4S 2H 3H", "JD"),
        ("JD 2C 3C 4C 5C 7C 2S 3S 4S 2H 3H 4H 5H", None),
        ("AH KH QH 2C 3C 4C 5C 2D 3D 4D 2S 3S 4S", None),
        ("QS 3S 2C 3C 4C 5C 2D 3D 4D 2H 3H 4H 5H", None),
    ],
)
def test_chinese_exposes_what_is_well_guarded(held, exposed, player):
    move = player(my_view(dealt(CHINESE, held)), Random(1))
    assert move == (Exposed(0, hand(CHINESE, exposed)[0]) if exposed else Declined(0))
