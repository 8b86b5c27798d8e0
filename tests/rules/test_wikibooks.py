"""W1 to W15: the Wikibook's games with one deck."""

from random import Random

import pytest
from cardtable import (
    ADD,
    ALL_HEARTS,
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
from engine.play.game import Game, shuffle
from engine.play.views import seat_view
from engine.rules.ruleset import Ruleset

THREE = rules("wikibooks", 3)
FOUR = rules("wikibooks", 4)
FIVE = rules("wikibooks", 5)
SIX = rules("wikibooks", 6)
JOKERS = rules("wikibooks", 3, remainder="jokers")


def kitty_rules(players: int, kitty: str) -> Ruleset:
    """The whole deck, and a kitty."""
    return rules("wikibooks", players, remainder="kitty", kitty=kitty)


@pytest.mark.parametrize(
    ("of", "removed", "added", "each"),
    [(THREE, "3C", "", 17), (FOUR, "", "", 13), (FIVE, "3D 3S", "", 10), (SIX, "", "JK JK", 9)],
)
def test_W1_the_deck_is_made_to_divide(of, removed, added, each):
    assert pack(of) == decks(1, removed, added)
    assert layout(of) == ([each] * of.players, 0)


@pytest.mark.parametrize(("players", "each", "down"), [(3, 17, 1), (5, 10, 2)])
def test_W2_the_whole_deck_with_a_kitty(players, each, down):
    of = rules("wikibooks", players, remainder="kitty")
    assert pack(of) == decks(1)
    assert layout(of) == ([each] * players, down)


@pytest.mark.parametrize(("players", "jokers", "each"), [(3, 2, 18), (5, 3, 11)])
def test_W2_jokers_so_that_nothing_is_left(players, jokers, each):
    of = rules("wikibooks", players, remainder="jokers")
    assert pack(of) == decks(1, added="JK " * jokers)
    assert layout(of) == ([each] * players, 0)


def kitty_deal(kitty: str):
    """Five players, `3H QS` down, and three tricks that seat 0 wins."""
    of = kitty_rules(5, kitty)
    return first_trick(
        of, "2C AC KC", "3C 4C 5C", "6C 7C 8C", "9C TC 2D", "JC QC 4D", kitty="3H QS", dealer=4
    )


FIRST, SECOND = "2C 3C 6C 9C JC", "QC AC 4C 7C TC"


def test_W3_first_trick_the_first_trick_takes_the_whole_kitty():
    deal = play(kitty_deal("first-trick"), FIRST)
    assert same(deal.kitty_taken[4], "3H QS")
    assert deal.kitty == ()


def test_W3_one_per_trick_each_trick_takes_the_next_card():
    deal = play(kitty_deal("one-per-trick"), FIRST)
    assert same(deal.kitty_taken[4], "3H")
    assert same(deal.kitty, "QS")
    deal = play(deal, SECOND)
    assert same(deal.kitty_taken[4], "3H")
    assert same(deal.kitty_taken[0], "QS")
    assert deal.kitty == ()


def test_W3_first_and_last_the_last_trick_takes_what_remains():
    deal = play(kitty_deal("first-and-last"), f"{FIRST} {SECOND}")
    assert same(deal.kitty_taken[4], "3H")
    assert same(deal.kitty, "QS")
    of = kitty_rules(5, "first-and-last")
    deal = play(last_tricks(of, "4S", "5S", "9S", "6S", "7S", kitty="QS"), "4S 5S 9S 6S 7S")
    assert same(deal.kitty_taken[2], "QS")
    assert deal.points == (0, 0, 13, 0, 0)


def test_W3_only_the_taker_sees_what_the_kitty_held():
    of = kitty_rules(5, "first-trick")
    going = Game(of, deals=(play(kitty_deal("first-trick"), FIRST),))
    views = [seat_view(going, seat) for seat in range(5)]
    assert same(views[4].kitty, "3H QS")
    assert [view.kitty for view in views[:4]] == [()] * 4
    assert {view.deal.kitty_taken for view in views} == {None}
    assert ["QS" in repr(view) for view in views] == [False, False, False, False, True]


def test_W3_the_kitty_is_shown_when_the_deal_ends():
    of = kitty_rules(5, "first-and-last")
    deal = last_tricks(of, "4S", "5S", "9S", "6S", "7S", kitty="QS")
    over = seat_view(play_on(Game(of, deals=(deal,)), "4S 5S 9S 6S 7S"), 0)
    assert same(over.deal.kitty_taken[2], "QS")


def test_W3_the_kitty_never_breaks_hearts():
    of = kitty_rules(3, "first-trick")
    deal = play(first_trick(of, "2C 2H 2S", "3C 3D 4D", "AC 4H 4S", kitty="3H", dealer=2), "2C 3C AC")
    assert same(deal.kitty_taken[2], "3H")
    assert refused(deal, "4H").id == "hearts_unbroken"


def test_W4_a_joker_may_be_played_to_any_lead():
    assert may_play(play(last_tricks(JOKERS, "4S 2D", "5S JK 9H", "2S 4D"), "4S"), "5S JK")


def test_W4_a_joker_does_not_oblige():
    assert may_play(play(last_tricks(JOKERS, "4S 2D", "5D JK 9H", "2S 4D"), "4S"), "5D JK 9H")


def test_W4_a_joker_never_wins():
    assert trick(JOKERS, "2S JK AD") == 0
    assert trick(JOKERS, "JK 2S AD") == 1
    assert trick(JOKERS, "JK JK 2H") == 2


def test_W4_a_joker_is_led_only_from_a_hand_of_nothing_but_jokers():
    deal = last_tricks(JOKERS, "JK 2S", "5D 9H", "2D 4D")
    assert may_play(deal, "2S")
    refusal = refused(deal, "JK")
    assert refusal.id == "joker_lead"
    assert str(refusal) == "You may lead a joker only if you hold nothing else."
    assert may_play(last_tricks(JOKERS, "JK JK", "5D 9H", "2D 4D"), "JK JK")


def test_W4_after_a_joker_the_next_other_card_sets_the_suit():
    deal = play(last_tricks(JOKERS, "JK", "JK", "9S"), "JK JK 9S")
    assert same(deal.taken[2], "JK JK 9S")
    deal = play(last_tricks(SIX, "JK", "9S", "AD", "TS", "JK", "2S"), "JK 9S")
    assert deal.trick.led_suit.title == "spades"
    deal = play(last_tricks(SIX, "JK JK", "9S 9D", "AD TS", "3S KD", "AC KC", "2S QD"), "JK 9S")
    assert refused(deal, "AD").id == "follow_suit"
    assert same(play(deal, "TS 3S AC 2S").taken[2], "JK 9S TS 3S AC 2S")


def test_W4_with_jokers_alone_before_it_any_card_may_be_played():
    assert may_play(play(last_tricks(JOKERS, "JK JK", "5D 9H", "2D 4D"), "JK"), "5D 9H")


def test_W4_a_joker_does_not_count_nor_break_hearts():
    deal = play(last_tricks(JOKERS, "AS 2S 2H", "JK 2D 3D", "JK 4D 5D"), "AS JK JK")
    assert refused(deal, "2H").id == "hearts_unbroken"
    assert points(JOKERS, "JK JK 2H") == (1, 0, 0)


def test_W4_a_joker_is_safe_in_the_first_trick():
    deal = play(first_trick(JOKERS, "2C 3C", "JK QS 9H", "4C 5C"), "2C")
    assert may_play(deal, "JK")


@pytest.mark.parametrize(
    ("of", "steps"),
    [
        (THREE, [1, -1, 0]),
        (FOUR, [1, -1, 2, 0]),
        (FIVE, [1, -1, 2, -2, 0]),
        (SIX, [1, -1, 2, -2, 3, 0]),
    ],
)
def test_W5_passes_go_to_everyone_in_turn_and_then_nowhere(of, steps):
    assert offsets(of, 2 * len(steps)) == steps * 2


def test_W5_three_cards_two_places_to_the_left():
    hands = ["2C 3C 4C", "2D 4D 5D", "2S 4S 5S", "2H 3H 4H", "AC AD AS"]
    deal = pass_cards(passing(FIVE, *hands, number=3), *hands)
    assert [same(deal.hands[(seat + 2) % 5], codes) for seat, codes in enumerate(hands)] == [True] * 5


def test_W6_the_holder_of_the_two_of_clubs_leads_it():
    deal = first_trick(FOUR, "3C AD", "4C AS", "5C AC", "2C AH")
    assert deal.turn == 3
    assert may_play(deal, "2C")
    assert refused(deal, "AH").id == "opening_lead"


@pytest.mark.parametrize(
    ("kitty", "leader", "lead"),
    [("2C 9S", 1, "3C"), ("9S 9D", 0, "2C"), ("3C 2C", 2, "4C"), ("2C 4C", 1, "3C")],
)
def test_W6_if_it_lies_in_the_kitty_the_next_club_is_led(kitty, leader, lead):
    clubs = {"2C": 0, "3C": 1, "4C": 2, "5C": 3, "6C": 4}
    hands = [""] * 5
    for code, seat in clubs.items():
        if code not in kitty:
            hands[seat] += f" {code}"
    deal = first_trick(kitty_rules(5, "first-trick"), *(f"{one} AH" for one in hands), kitty=kitty)
    assert deal.turn == leader
    assert may_play(deal, lead)


def test_W7_no_card_that_alters_the_score_in_the_first_trick():
    of = rules("wikibooks", 4, jack_of_diamonds=True, hooligan=True)
    deal = play(first_trick(of, "2C 3C", "QS AH JD KD", "7C 9C", "8C TC"), "2C")
    assert may_play(deal, "KD")
    assert {refused(deal, code).id for code in ("QS", "AH", "JD")} == {"safe_from_scoring"}
    assert str(refused(deal, "JD")) == "No card that scores may be played to the first trick."
    assert may_play(play(deal, "KD"), "9C")


def test_W7_the_jack_and_the_seven_are_safe_where_they_do_not_count():
    deal = play(first_trick(FOUR, "2C 3C", "QS AH JD KD", "7C 9C", "8C TC"), "2C")
    assert may_play(deal, "KD JD")
    assert may_play(play(deal, "KD"), "7C 9C")


def test_W7_is_an_option():
    free = rules("wikibooks", 4, safe_first_trick="off")
    deal = play(first_trick(free, "2C 3C", "QS AH JD KD", "7C 9C", "8C TC"), "2C")
    assert may_play(deal, "QS AH JD KD")


@pytest.mark.parametrize("players", [3, 5])
def test_W7_is_the_rule_where_there_is_a_kitty_which_may_still_hold_a_heart(players):
    of = kitty_rules(players, "first-trick")
    hands = ["2C 3C", "AC AH", "4C 5C", "6C 7C", "8C 9C"][:players]
    deal = play(first_trick(of, *hands, kitty="9H"), "2C")
    assert refused(deal, "AH").id == "follow_suit"
    deal = play(first_trick(of, *[hands[0], "KD AH", *hands[2:]], kitty="9H"), "2C")
    assert refused(deal, "AH").id == "safe_from_scoring"
    deal = play(deal, " ".join(["KD", "5C", "7C", "9C"][: players - 1]))
    assert same(deal.kitty_taken[players - 1], "9H")


def test_W8_hearts_are_led_only_after_a_heart():
    hands = ["AD 2H 3S", "9H TC JC", "4D 5D 8C", "6D 7D 9C"]
    deal = last_tricks(FOUR, *hands)
    assert may_play(deal, "AD 3S")
    assert refused(deal, "2H").id == "hearts_unbroken"
    assert may_play(play(deal, "AD 9H 4D 6D"), "2H 3S")


def test_W8_the_queen_of_spades_does_not_break_hearts():
    deal = play(last_tricks(FOUR, "AD 2H 3S", "QS TC JC", "4D 5D 8C", "6D 7D 9C"), "AD QS 4D 6D")
    assert may_play(deal, "3S")


def test_W8_a_hand_of_hearts_alone_may_lead_one():
    assert may_play(last_tricks(FOUR, "2H 9H", "2D 3D", "4D 5D", "6D 7D"), "2H 9H")


def test_W8_a_hand_of_hearts_jokers_aside_may_lead_one():
    assert may_play(last_tricks(JOKERS, "2H 9H JK", "2D 3D 9D", "4D 5D TD"), "2H 9H")


def test_W8_a_hand_of_hearts_and_the_queen_leads_the_queen():
    assert may_play(last_tricks(FOUR, "2H 9H QS", "2D 3D 8D", "4D 5D 9D", "6D 7D TD"), "QS")


def test_W9_a_heart_is_one_and_the_queen_thirteen():
    assert points(FOUR, "2H AH JD", "QS KS 7C", "3C", ALL_HEARTS[3:-3]) == (2, 13, 0, 11)


def test_W10_the_jack_of_diamonds_is_minus_ten():
    assert points(rules("wikibooks", 4, jack_of_diamonds=True), "JD 2H", "QS 7C") == (-9, 13, 0, 0)


def test_W11_the_hooligan_is_seven():
    assert points(rules("wikibooks", 4, hooligan=True), "7C 2H", "QS JD") == (8, 13, 0, 0)


@pytest.mark.parametrize(
    ("code", "value"),
    [("2H", 2), ("9H", 9), ("TH", 10), ("JH", 11), ("QH", 12), ("KH", 13), ("AH", 14), ("QS", 13), ("KS", 0)],
)
def test_W12_with_spot_hearts_each_heart_counts_its_face(code, value):
    assert points(rules("wikibooks", 4, spot_hearts=True), code) == (value, 0, 0, 0)


def test_W13_the_shooter_gets_nothing_and_every_other_26():
    deal = last_tricks(FOUR, "2S", "AS", "QS", "AH", taken={1: ALL_HEARTS[:-3]})
    deal = play(deal, "2S AS QS AH")
    assert deal.phase is Phase.DONE  # nobody chooses anything
    assert deal.points == (26, 0, 26, 26)


def test_W13_with_spot_hearts_every_other_gets_117():
    assert points(rules("wikibooks", 5, spot_hearts=True), f"{ALL_HEARTS} QS") == (0, 117, 117, 117, 117)


def test_W13_the_jack_and_the_seven_count_for_their_takers_besides():
    of = rules("wikibooks", 4, jack_of_diamonds=True, hooligan=True)
    assert points(of, f"{ALL_HEARTS} QS", "JD", "7C") == (0, 16, 33, 26)
    assert points(of, f"{ALL_HEARTS} QS 7C JD", "AD") == (-3, 26, 26, 26)


@pytest.mark.parametrize("missing", ["QS", "2H"])
def test_W13_all_of_them_are_needed(missing):
    moon = " ".join(code for code in f"{ALL_HEARTS} QS".split() if code != missing)
    scores = (13, 13, 0, 0) if missing == "QS" else (25, 1, 0, 0)
    assert points(FOUR, moon, missing) == scores


def test_W13_a_heart_from_the_kitty_belongs_to_the_moon():
    of = rules("wikibooks", 3, remainder="kitty", kitty="first-and-last", moon="choice")
    deal = last_tricks(of, "2S", "AS", "QS", taken={1: ALL_HEARTS[:-3]}, kitty="AH")
    deal = choose(play(deal, "2S AS QS"), ADD)
    assert deal.points == (26, 0, 26)


@pytest.mark.parametrize(("spot", "limit"), [(False, 100), (True, 500)])
def test_W14_over_when_anyone_reaches_the_limit(spot, limit):
    of = rules("wikibooks", 4, spot_hearts=spot)
    for before, over in ((limit - 14, False), (limit - 13, True)):
        deal = last_tricks(of, "AS", "KS", "3S", "QS")
        ended = play_on(game(of, before, 7, 5, 9, deal=deal), "AS KS 3S QS")
        assert ended.totals == (before + 13, 7, 5, 9)
        assert ended.winners == ((2,) if over else None)


def test_W15_the_deal_passes_to_the_left():
    deal = last_tricks(FOUR, "AS", "2H", "3S", "4S")
    ended = play_on(Game(FOUR, deals=(deal,)), "AS 2H 3S 4S")
    assert deal.dealt.dealer == 0
    assert ended.next_dealer == 1
    again = ended.advance(shuffle(ended, Random(1)))
    assert again.deals[-1].dealt.dealer == 1


def test_W15_from_the_last_seat_it_comes_round_to_the_first():
    deal = first_trick(FOUR, "2C", "3C", "4C", "5C", dealer=3)
    assert Game(FOUR, deals=(deal,)).next_dealer == 0
