"""P1 to P10: Cancellation Hearts, as the PEGWiki gives it."""

import pytest
from cardtable import (
    ADD,
    ALL_HEARTS,
    SUBTRACT,
    choose,
    decks,
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
    trick,
)

from engine.play.deal import Phase

NO_PASSING = rules("cancellation", 5)
PASSING = rules("cancellation", 5, pass_cards=3)


def test_P1_two_decks_and_one_joker_make_21_cards_each():
    assert pack(NO_PASSING) == decks(2, added="JK")
    assert layout(NO_PASSING) == ([21] * 5, 0)


def test_P1_the_joker_is_a_club_below_the_two():
    assert trick(NO_PASSING, "JK 2C AS AD AH") == 1
    assert trick(NO_PASSING, "JK 2D AS AD AH") == 0
    deal = last_tricks(NO_PASSING, "4S 4C", "JK 5D", "6S 6C", "7S 7C", "8S 8C")
    assert may_play(play(deal, "4C"), "JK")
    deal = last_tricks(NO_PASSING, "4S 4C", "JK 5S", "6S 6C", "7S 7C", "8S 8C")
    assert may_play(play(deal, "4S"), "5S")


def test_P2_no_card_is_passed_unless_agreed():
    assert offsets(NO_PASSING, 6) == [0] * 6
    assert first_trick(NO_PASSING, "JK", "2C", "3C", "4C", "5C", number=2).phase is Phase.PLAYING


def test_P2_none_left_two_left_two_right_right():
    assert offsets(PASSING, 10) == [0, 1, 2, -2, -1] * 2


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_P2_as_many_cards_as_agreed(count):
    of = rules("cancellation", 5, pass_cards=count)
    hands = [" ".join(f"{rank}{suit}" for rank in "23456"[:count]) for suit in "CDSHC"]
    deal = pass_cards(passing(of, *hands, number=4), *hands)
    assert [same(deal.hands[(seat - 2) % 5], codes) for seat, codes in enumerate(hands)] == [True] * 5


def test_P3_the_joker_is_led_to_the_first_trick():
    deal = first_trick(NO_PASSING, "2C 3C", "4C AS", "JK AC", "5C AD", "2C 6C")
    assert deal.turn == 2
    assert may_play(deal, "JK")
    refusal = refused(deal, "AC")
    assert refusal.id == "opening_lead"
    assert str(refusal) == "The joker leads the first trick."


def test_P3_its_holder_after_passing_leads():
    one = rules("cancellation", 5, pass_cards=1)
    deal = passing(one, "JK 2C", "3C 4C", "5C 6C", "7C 8C", "9C TC", number=2)
    assert pass_cards(deal, "JK", "3C", "5C", "7C", "9C").turn == 1


def test_P4_a_leader_with_another_suit_may_not_lead_an_unbroken_heart():
    deal = last_tricks(NO_PASSING, "2H QS 4D", "2D 3D 8D", "4C 5D 9D", "6D 7D TD", "2S 3S 4S")
    assert may_play(deal, "QS 4D")  # the queen may be led
    assert refused(deal, "2H").id == "hearts_unbroken"


def test_P4_a_hand_of_hearts_alone_may_lead_one():
    assert may_play(last_tricks(NO_PASSING, "2H 2H", "2D 3D", "4C 5D", "6D 7D", "2S 3S"), "2H 2H")


def test_P4_a_hand_of_hearts_and_the_queen_has_another_suit():
    assert may_play(last_tricks(NO_PASSING, "2H QS", "2D 3D", "4C 5D", "6D 7D", "2S 3S"), "QS")


@pytest.mark.parametrize(("discard", "broken"), [("9H", True), ("QS", True), ("KS", False)])
def test_P4_hearts_are_broken_by_a_heart_or_the_queen(discard, broken):
    deal = last_tricks(NO_PASSING, "AD 2H 3S", f"{discard} TC JC", "4D 5D 8C", "6D 7D 9C", "3D 5C 6C")
    assert may_play(play(deal, f"AD {discard} 4D 6D 3D"), "2H 3S" if broken else "3S")


def test_P4_hearts_are_broken_by_a_trick_on_hold():
    deal = last_tricks(NO_PASSING, "AD 2H 3S", "9H TC JC", "AD 5D 8C", "4C 7C 9C", "3C 5C 6C")
    deal = play(deal, "AD 9H AD 4C 3C")
    assert deal.tricks[-1].winner is None
    assert may_play(deal, "2H 3S")


FIRST_HANDS = ("JK 2C", "QS AH KD", "3C 4C", "QS 2H", "5C 6C")


@pytest.mark.parametrize("number", [1, 6])
def test_P5_in_a_game_with_passing_no_heart_and_no_queen_in_the_first_trick(number):
    deal = play(first_trick(PASSING, *FIRST_HANDS, number=number), "JK")
    assert may_play(deal, "KD")
    assert refused(deal, "AH").id == "safe_first_trick"
    assert str(refused(deal, "QS")) == "No hearts and no queen of spades in the first trick."
    assert may_play(play(deal, "KD 3C"), "QS 2H")  # nothing else is held


def test_P5_after_a_pass_too():
    of = rules("cancellation", 5, pass_cards=1)
    deal = passing(of, "JK 9D 2C", "QS AH 8S", "3C 4C 5C", "3C 4C 5C", "6C 7C 8C", number=2)
    deal = play(pass_cards(deal, "9D", "8S", "3C", "3C", "6C"), "JK")
    assert may_play(deal, "9D")
    assert refused(deal, "QS").id == "safe_first_trick"


def test_P5_in_a_game_without_passing_the_first_trick_is_not_safe():
    assert may_play(play(first_trick(NO_PASSING, *FIRST_HANDS), "JK"), "QS AH KD")


def test_P5_the_jack_of_diamonds_is_not_forbidden():
    of = rules("cancellation", 5, pass_cards=1, jack_of_diamonds=True)
    deal = play(first_trick(of, "JK 2C", "JD AH", "3C 4C", "QS 2H", "5C 6C"), "JK")
    assert may_play(deal, "JD")


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("7D KD 2C KD 9D", 4),
        ("7D KD AD AD KD", 0),
        ("AD KD AD QD 2D", 1),
        ("JK AC AC KC KC", 0),  # the joker has no twin
        ("7D AS AS 8D AH", 3),
    ],
)
def test_P6_identical_cards_cancel_and_the_highest_left_wins(cards, winner):
    assert trick(NO_PASSING, cards) == winner


def test_P7_a_trick_of_which_all_are_cancelled_is_on_hold():
    assert trick(NO_PASSING, "7D KD 7D KD AH") is None


def test_P7_its_leader_leads_and_the_next_winner_takes_all():
    hands = ["AD 2H 3S", "9H TC 4S", "AD 5D 8S", "4C 7C 9S", "QS 5C 6S"]
    deal = play(last_tricks(NO_PASSING, *hands), "AD 9H AD 4C QS")
    assert deal.turn == 0
    assert same(deal.on_hold, "AD 9H AD 4C QS")
    deal = play(deal, "3S 4S 8S 9S 6S")
    assert same(deal.taken[3], "AD 9H AD 4C QS 3S 4S 8S 9S 6S")
    assert deal.turn == 3
    assert play(deal, "7C 5C 2H TC 5D").points == (0, 1, 0, 14, 0)


def test_P8_on_the_last_trick_the_second_copy_of_the_highest_card_wins():
    assert trick(NO_PASSING, "7D KD 7D KD AH", last=True) == 3
    assert trick(NO_PASSING, "KD 7D AH KD 7D", last=True) == 3
    assert trick(NO_PASSING, "7D AS AS 7D AH", last=True) == 3


def test_P8_it_takes_all_on_hold_as_well():
    hands = ["AS 7D", "9H KD", "AS 7D", "4C KD", "2H AH"]
    deal = play(last_tricks(NO_PASSING, *hands), "AS 9H AS 4C 2H 7D KD 7D KD AH")
    assert same(deal.taken[3], "AS 9H AS 4C 2H 7D KD 7D KD AH")
    assert deal.points == (0, 0, 0, 3, 0)


def test_P8_an_uncancelled_card_wins_the_last_trick_as_any_other():
    assert trick(NO_PASSING, "7D KD 7D KD 2D", last=True) == 4


def test_P9_a_heart_is_one_and_each_queen_thirteen():
    assert points(NO_PASSING, "2H 2H AH", "QS", "QS JD 7C") == (3, 13, 13, 0, 0)
    assert points(NO_PASSING, "2H QS QS") == (27, 0, 0, 0, 0)


@pytest.mark.parametrize(("choice", "scores"), [(ADD, (52, 0, 52, 52, 52)), (SUBTRACT, (0, -52, 0, 0, 0))])
def test_P9_the_moon_is_52_either_way(choice, scores):
    hearts = f"{ALL_HEARTS} {ALL_HEARTS[:-3]}"
    deal = last_tricks(NO_PASSING, "2S", "AS", "QS", "AH", "QS", taken={1: hearts})
    deal = play(deal, "2S AS QS AH QS")
    assert deal.phase is Phase.CHOOSING_MOON
    assert deal.waiting_for == (1,)
    assert choose(deal, choice).points == scores


def test_P9_without_one_queen_it_is_no_moon():
    assert points(NO_PASSING, f"{ALL_HEARTS} {ALL_HEARTS} QS", "QS") == (39, 13, 0, 0, 0)


def ended(before: int, **options):
    """Seat 1 takes a queen of spades on top of this total."""
    of = rules("cancellation", 5, **options)
    deal = last_tricks(of, "2S", "3S", "4S", "5S", "6S", taken={1: "QS"})
    return play_on(game(of, 1, before, 2, 3, 4, deal=deal), "2S 3S 4S 5S 6S")


@pytest.mark.parametrize(("before", "over"), [(136, False), (137, True)])
def test_P10_over_when_a_total_exceeds_149_and_the_highest_wins(before, over):
    assert ended(before).totals == (1, before + 13, 2, 3, 4)
    assert ended(before).over is over
    assert ended(before).winners == ((1,) if over else None)


def test_P10_the_option_lets_the_lowest_win():
    assert ended(137, winner="lowest").winners == (0,)
