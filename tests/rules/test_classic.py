"""K1 to K8: the classic game, as GameColony gives it."""

import pytest
from cardtable import (
    ADD,
    ALL_HEARTS,
    CLASSIC,
    SUBTRACT,
    choose,
    first_trick,
    game,
    last_tricks,
    layout,
    may_play,
    offsets,
    pack,
    pass_cards,
    passing,
    play,
    play_on,
    points,
    refused,
    rules,
    same,
)

from engine.play.deal import Phase
from engine.play.moves import MoonChosen, Passed

WITH_JACK = rules("classic", 4, jack_of_diamonds=True)


def test_K1_four_players_hold_thirteen_of_the_52_cards():
    assert len(pack(CLASSIC)) == pack(CLASSIC).total() == 52
    assert layout(CLASSIC) == ([13] * 4, 0)


def test_K2_three_cards_go_left_right_across_and_nowhere():
    left, right, across, none = 1, -1, 2, 0
    assert offsets(CLASSIC, 6) == [left, right, across, none, left, right]


@pytest.mark.parametrize(("number", "receives"), [(1, "H"), (2, "D"), (3, "S")])
def test_K2_the_first_player_receives_from_the_right_the_left_and_across(number, receives):
    deal = passing(CLASSIC, "2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H", number=number)
    deal = pass_cards(deal, "2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H")
    assert same(deal.hands[0], f"2{receives} 3{receives} 4{receives}")


def test_K2_in_the_fourth_deal_nothing_is_passed():
    deal = passing(CLASSIC, "2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H", number=4)
    assert deal.phase is Phase.PLAYING
    assert refused(deal, Passed(0, deal.hands[0])).id == "not_passing"


def test_K3_the_two_of_clubs_is_led_to_the_first_trick():
    deal = first_trick(CLASSIC, "3C AD", "4C AS", "2C AC KD", "5C AH")
    assert deal.turn == 2
    assert may_play(deal, "2C")
    refusal = refused(deal, "AC")
    assert refusal.id == "opening_lead"
    assert str(refusal) == "The two of clubs leads the first trick."


def test_K3_its_holder_after_passing_leads():
    deal = passing(CLASSIC, "2C 3C 4C 5C", "2D 3D 4D 5D", "2S 3S 4S 5S", "2H 3H 4H 5H", number=1)
    assert pass_cards(deal, "2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H").turn == 1


def test_K4_no_heart_and_no_queen_of_spades_in_the_first_trick():
    deal = play(first_trick(CLASSIC, "2C 3C 4C", "QS AH KD", "5C 6C 7C", "8C 9C TC"), "2C")
    assert may_play(deal, "KD")
    assert refused(deal, "QS").id == "safe_first_trick"
    refusal = refused(deal, "AH")
    assert refusal.id == "safe_first_trick"
    assert str(refusal) == "No hearts and no queen of spades in the first trick."


def test_K4_the_jack_of_diamonds_is_allowed_in_the_first_trick():
    deal = play(first_trick(WITH_JACK, "2C 3C 4C", "JD AH QS", "5C 6C 7C", "8C 9C TC"), "2C")
    assert may_play(deal, "JD")


def test_K4_hearts_are_allowed_in_the_second_trick():
    deal = play(first_trick(CLASSIC, "2C 3C", "KD AH", "AC 6C", "8C 9C"), "2C KD AC 8C 6C 9C 3C")
    assert may_play(deal, "AH")


def test_K5_hearts_may_not_be_led_before_they_are_broken():
    deal = last_tricks(CLASSIC, "2H 3S", "2D 3D", "4D 5D", "6D 7D")
    assert may_play(deal, "3S")
    refusal = refused(deal, "2H")
    assert refusal.id == "hearts_unbroken"
    assert str(refusal) == "Hearts are not broken yet: lead another suit."


@pytest.mark.parametrize("broken_by", ["9H", "QS"])
def test_K5_hearts_led_only_after_a_heart_or_the_queen(broken_by):
    deal = last_tricks(CLASSIC, "AD 2H 3S", f"{broken_by} TC JC", "4D 5D 8C", "6D 7D 9C")
    assert refused(deal, "2H").id == "hearts_unbroken"
    deal = play(deal, f"AD {broken_by} 4D 6D")
    assert may_play(deal, "2H 3S")


def test_K5_hearts_once_broken_stay_broken():
    hands = "AD KD 2H 3S", "9H TC JC QC", "4D 5D 8C KC", "6D 7D 9C AC"
    assert may_play(play(last_tricks(CLASSIC, *hands), "AD 9H 4D 6D KD TC 5D 7D"), "2H 3S")


def test_K5_other_cards_do_not_break_hearts():
    deal = play(last_tricks(CLASSIC, "AD 2H 3S", "KS TC JC", "4D 5D 8C", "6D 7D 9C"), "AD KS 4D 6D")
    assert may_play(deal, "3S")


def test_K5_a_hand_of_hearts_alone_may_lead_one():
    assert may_play(last_tricks(CLASSIC, "2H 9H", "2D 3D", "4D 5D", "6D 7D"), "2H 9H")


def test_K5_a_hand_of_hearts_and_the_queen_may_lead_either():
    assert may_play(last_tricks(CLASSIC, "2H 9H QS", "2D 3D 8D", "4D 5D 9D", "6D 7D TD"), "2H 9H QS")


def test_K5_the_queen_of_spades_may_always_be_led():
    assert may_play(last_tricks(CLASSIC, "2H QS 4D", "2D 3D 8D", "4C 5D 9D", "6D 7D TD"), "QS 4D")


def test_K6_a_heart_is_one_and_the_queen_thirteen():
    assert points(CLASSIC, "2H AH KC", "QS AS AD", ALL_HEARTS[3:-3]) == (2, 13, 11, 0)


def test_K6_without_the_option_the_jack_of_diamonds_is_nothing():
    assert points(CLASSIC, "JD 2H", "QS") == (1, 13, 0, 0)


def test_K6_with_the_option_the_jack_of_diamonds_is_minus_ten():
    assert points(WITH_JACK, "JD 2H", "QS") == (-9, 13, 0, 0)


@pytest.mark.parametrize(
    ("choice", "scores"),
    [(ADD, (0, 16, 26, 26)), (SUBTRACT, (-26, -10, 0, 0))],
)
def test_K6_the_jack_counts_for_its_taker_beside_a_moon(choice, scores):
    assert points(WITH_JACK, f"{ALL_HEARTS} QS", "JD", choice=choice) == scores


def test_K6_the_jack_counts_for_the_shooter_too():
    assert points(WITH_JACK, f"{ALL_HEARTS} QS JD", choice=ADD) == (-10, 26, 26, 26)
    assert points(WITH_JACK, f"{ALL_HEARTS} QS JD", choice=SUBTRACT) == (-36, 0, 0, 0)


def moonshot():
    """Seat 1 is about to take the last heart of all, and the queen of spades."""
    return last_tricks(CLASSIC, "2S", "AS", "QS", "AH", taken={1: ALL_HEARTS[:-3]})


@pytest.mark.parametrize(
    ("choice", "scores"),
    [(ADD, (26, 0, 26, 26)), (SUBTRACT, (0, -26, 0, 0))],
)
def test_K7_the_shooter_chooses_minus_26_or_26_for_every_other(choice, scores):
    deal = play(moonshot(), "2S AS QS AH")
    assert deal.phase is Phase.CHOOSING_MOON
    assert deal.waiting_for == (1,)
    assert deal.points is None
    assert choose(deal, choice).points == scores


def test_K7_nobody_else_chooses_and_nobody_before_the_last_trick():
    assert refused(moonshot(), MoonChosen(1, ADD)).id == "no_moon_choice"
    assert refused(play(moonshot(), "2S AS QS AH"), MoonChosen(0, ADD)).id == "no_moon_choice"


@pytest.mark.parametrize(
    ("taken", "last", "scores"),
    [
        (ALL_HEARTS, "2S AS KS 3S", (13, 13, 0, 0)),  # another took the queen
        (ALL_HEARTS[3:-3], "2S AS QS AH", (1, 25, 0, 0)),  # another took a heart
    ],
)
def test_K7_it_takes_all_thirteen_hearts_and_the_queen(taken, last, scores):
    hands = last.split()
    other = "QS" if taken == ALL_HEARTS else "2H"
    deal = play(last_tricks(CLASSIC, *hands, taken={0: other, 1: taken}), last)
    assert deal.phase is Phase.DONE
    assert deal.points == scores


@pytest.mark.parametrize(
    ("taken", "total", "over"), [("2H", 99, False), ("2H 4H", 100, True), ("QS", 111, True)]
)
def test_K8_over_when_anyone_has_a_hundred_or_more(taken, total, over):
    deal = last_tricks(CLASSIC, "AS", "5H", "3S", "4S", taken={0: taken, 2: "3H"})
    ended = play_on(game(CLASSIC, 97, 7, 5, 9, deal=deal), "AS 5H 3S 4S")
    assert ended.totals == (total, 7, 6, 9)
    assert ended.over is over
    assert ended.winners == ((2,) if over else None)


def test_K8_a_moon_can_win_the_game():
    ended = play_on(game(CLASSIC, 80, 90, 70, 60, deal=moonshot()), "2S AS QS AH")
    assert not ended.over
    ended = ended.advance(MoonChosen(1, ADD))
    assert ended.totals == (106, 90, 96, 86)
    assert ended.winners == (3,)


def test_K8_a_total_below_minus_a_hundred_does_not_end_the_game():
    deal = last_tricks(CLASSIC, "AS", "5H", "3S", "4S")
    ended = play_on(game(CLASSIC, 7, -130, 5, 9, deal=deal), "AS 5H 3S 4S")
    assert ended.totals == (8, -130, 5, 9)
    assert not ended.over
