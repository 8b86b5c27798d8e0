"""W3, W4 and W15: kitties, jokers and dealers of the Wikibook's games with one deck."""

from random import Random

import pytest
from cardtable import (
    ALL_HEARTS,
    first_trick,
    last_tricks,
    may_play,
    play,
    play_on,
    refused,
    rules,
    same,
    to_follow,
    trick,
)

from engine.play.deal import Deal
from engine.play.game import Game, shuffle
from engine.play.views import seat_view

FOUR = rules("wikibooks", 4)
JOKERS = rules("wikibooks", 3, remainder="jokers")


def kitty_deal(kitty: str) -> Deal:
    """Five players, `3H QS` down, of whom seat 4 wins the first trick and seat 0 the second."""
    of = rules("wikibooks", 5, remainder="kitty", kitty=kitty)
    hands = ["2C AC KC", "3C 4C 5C", "6C 7C 8C", "9C TC 2D", "JC QC 4D"]
    return first_trick(of, *hands, kitty="3H QS", dealer=4)


FIRST, SECOND = "2C 3C 6C 9C JC", "QC AC 4C 7C TC"


@pytest.mark.parametrize(
    ("kitty", "first", "second", "left"),
    [
        ("first-trick", "3H QS", "", ""),
        ("one-per-trick", "3H", "QS", ""),
        ("first-and-last", "3H", "", "QS"),
    ],
)
def test_W3_which_tricks_take_the_kitty(kitty, first, second, left):
    deal = play(kitty_deal(kitty), f"{FIRST} {SECOND}")
    assert same(deal.kitty_taken[4], first)
    assert same(deal.kitty_taken[0], second)
    assert same(deal.kitty, left)


def test_W3_the_last_trick_takes_what_remains_and_then_the_kitty_is_shown():
    of = rules("wikibooks", 5, remainder="kitty", kitty="first-and-last")
    deal = last_tricks(of, "4S", "5S", "9S", "6S", "7S", kitty="QS")
    over = play_on(Game(of, deals=(deal,)), "4S 5S 9S 6S 7S")
    assert over.points[-1] == (0, 0, 13, 0, 0)
    assert same(seat_view(over, 0).deal.kitty_taken[2], "QS")


def test_W3_only_the_taker_sees_what_the_kitty_held():
    deal = play(kitty_deal("first-trick"), FIRST)
    views = [seat_view(Game(deal.rules, deals=(deal,)), seat) for seat in range(5)]
    assert same(views[4].kitty, "3H QS")
    assert [view.kitty for view in views[:4]] == [()] * 4


def test_W3_W7_the_kitty_may_hold_a_heart_which_never_breaks_hearts():
    of = rules("wikibooks", 3, remainder="kitty")
    deal = play(first_trick(of, "2C 2H 2S", "3C 3D 4D", "AC 4H 4S", kitty="3H", dealer=2), "2C 3C AC")
    assert same(deal.kitty_taken[2], "3H")
    assert refused(deal, "4H").id == "hearts_unbroken"


def test_W13_a_heart_from_the_kitty_belongs_to_the_moon():
    of = rules("wikibooks", 3, remainder="kitty", kitty="first-and-last")
    deal = last_tricks(of, "2S", "AS", "QS", taken={1: ALL_HEARTS[:-3]}, kitty="AH")
    assert play(deal, "2S AS QS").points == (26, 0, 26)


def test_W4_a_joker_follows_any_lead_and_does_not_oblige():
    assert may_play(to_follow(JOKERS, "5S JK 9H", "4S"), "5S JK")
    assert may_play(to_follow(JOKERS, "5D JK 9H", "4S"), "5D JK 9H")


@pytest.mark.parametrize(("cards", "winner"), [("2S JK AD", 0), ("JK 2S AD", 1), ("JK JK 2H", 2)])
def test_W4_a_joker_never_wins(cards, winner):
    assert trick(JOKERS, cards) == winner


def test_W4_after_jokers_the_next_other_card_sets_the_suit():
    assert may_play(to_follow(JOKERS, "5D 9H", "JK"), "5D 9H")
    six = rules("wikibooks", 6)
    deal = play(last_tricks(six, "JK JK", "9S 9D", "AD TS", "3S KD", "AC KC", "2S QD"), "JK 9S")
    assert deal.trick.led_suit.title == "spades"
    assert may_play(deal, "TS")
    assert same(play(deal, "TS 3S AC 2S").taken[2], "JK 9S TS 3S AC 2S")


def test_W15_the_deal_passes_to_the_left():
    deal = last_tricks(FOUR, "AS", "2H", "3S", "4S")
    ended = play_on(Game(FOUR, deals=(deal,)), "AS 2H 3S 4S")
    assert shuffle(ended, Random(1)).dealer == deal.dealt.dealer + 1
    last = first_trick(FOUR, "2C", "3C", "4C", "5C", dealer=3)
    assert Game(FOUR, deals=(last,)).next_dealer == 0
