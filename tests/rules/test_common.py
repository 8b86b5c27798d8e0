"""G1 to G6, K1 to K8, and what others share with the classic game: a row for each."""

from collections import Counter
from random import Random

import pytest
from cardtable import (
    ADD,
    ALL_HEARTS,
    CLASSIC,
    SUBTRACT,
    after,
    first_trick,
    game,
    hand,
    last_tricks,
    may_play,
    offsets,
    pass_cards,
    passing,
    play,
    play_on,
    points,
    refused,
    rules,
    same,
    to_follow,
    to_lead,
    trick,
)

from engine.cards import DECK
from engine.play.deal import Deal, Phase
from engine.play.game import Game, shuffle
from engine.play.moves import MoonChosen, Passed, Played
from engine.play.views import seat_view
from engine.rules import plays
from engine.rules.ruleset import Ruleset

JACK = rules("classic", 4, jack_of_diamonds=True)
THREE, FOUR, FIVE, SIX = (rules("wikibooks", players) for players in (3, 4, 5, 6))
JOKERS, FIVE_WITH_JOKERS = (rules("wikibooks", players, remainder="jokers") for players in (3, 5))
KITTY_OF_ONE, KITTY_OF_TWO = (rules("wikibooks", players, remainder="kitty") for players in (3, 5))
JACK_AND_SEVEN = rules("wikibooks", 4, jack_of_diamonds=True, hooligan=True)
SPOT_HEARTS = rules("wikibooks", 4, spot_hearts=True)
DIRTY, SEVEN, EIGHT, NINE, TEN = (rules("double-deck", players) for players in (6, 7, 8, 9, 10))
CLEAN = rules("double-deck", 6, remainder="remove")
NO_PASSING = rules("cancellation", 5)
PASSING = rules("cancellation", 5, pass_cards=3)
CHINESE = rules("chinese", 4)
TWOS = "2C 2D 2S 2H"
ONE_SUIT_EACH = [f"2{suit} 3{suit} 4{suit} 5{suit}" for suit in "CDSH"]
PASS = passing(CLASSIC, *ONE_SUIT_EACH, number=1)


# Cards, and passing them


@pytest.mark.parametrize(
    ("of", "packs", "removed", "added", "each", "down"),
    [
        (CLASSIC, 1, "", "", 13, 0),
        (THREE, 1, "3C", "", 17, 0),
        (FOUR, 1, "", "", 13, 0),
        (FIVE, 1, "3D 3S", "", 10, 0),
        (SIX, 1, "", "JK JK", 9, 0),
        (KITTY_OF_ONE, 1, "", "", 17, 1),
        (KITTY_OF_TWO, 1, "", "", 10, 2),
        (JOKERS, 1, "", "JK JK", 18, 0),
        (FIVE_WITH_JOKERS, 1, "", "JK JK JK", 11, 0),
        (DIRTY, 2, "", "", 17, 2),
        (CLEAN, 2, "2C 2D", "", 17, 0),
        (SEVEN, 2, "", "JK", 15, 0),
        (EIGHT, 2, "", "", 13, 0),
        (NINE, 2, TWOS, "", 11, 1),
        (TEN, 2, TWOS, "", 10, 0),
        (NO_PASSING, 2, "", "JK", 21, 0),
        (rules("chinese", 3), 1, "2C", "", 17, 0),
        (CHINESE, 1, "", "", 13, 0),
        (rules("chinese", 5), 1, "2C 3C", "", 10, 0),
        (rules("chinese", 6), 1, "2C 3C 4C 5C", "", 8, 0),
    ],
)
def test_K1_W1_W2_W16_P1_C1_the_pack_and_what_each_is_dealt(of, packs, removed, added, each, down):
    whole = Counter(one.code for one in DECK * packs) - Counter(removed.split()) + Counter(added.split())
    assert Counter(one.code for one in of.pack.cards) == whole
    dealt = shuffle(Game(of), Random(1))
    assert ([len(held) for held in dealt.hands], len(dealt.kitty)) == ([each] * of.players, down)


@pytest.mark.parametrize(
    ("of", "steps"),
    [
        (CLASSIC, [1, -1, 2, 0]),
        (THREE, [1, -1, 0]),
        (SIX, [1, -1, 2, -2, 3, 0]),
        (SEVEN, [1, -1, 2, -2, 3, -3, 0]),
        (TEN, [1, -1, 2, -2, 3, -3, 4, -4, 5, 0]),
        (NO_PASSING, [0]),
        (PASSING, [0, 1, 2, -2, -1]),
        (rules("classic", 4, pass_cards=0), [0]),
        *((rules("chinese", players), [0]) for players in (3, 4, 5, 6)),
    ],
)
def test_K2_W5_W17_P2_C1_how_far_to_the_left_cards_are_passed_in_each_deal(of, steps):
    assert offsets(of, 2 * len(steps)) == steps * 2


@pytest.mark.parametrize(
    ("of", "number", "left"),
    [(CLASSIC, 1, 1), (CLASSIC, 2, -1), (CLASSIC, 3, 2), (rules("cancellation", 5, pass_cards=5), 4, -2)],
)
def test_K2_P2_the_cards_arrive_there(of, number, left):
    suits = "CDSHC"[: of.pass_cards]
    hands = [" ".join(rank + suit for suit in suits) for rank in "456789"[: of.players]]
    deal = pass_cards(passing(of, *hands, number=number), *hands)
    assert all(same(deal.hands[(seat + left) % of.players], codes) for seat, codes in enumerate(hands))


def test_G3_all_passes_happen_at_once_and_nothing_received_is_seen_before():
    waiting = pass_cards(PASS, "2C 3C 4C", "2D 3D 4D", "2S 3S 4S")
    assert waiting.hands == PASS.hands
    assert waiting.waiting_for == (3,)
    neighbour = seat_view(Game(CLASSIC, deals=(waiting,)), 3)
    assert same(neighbour.hand, ONE_SUIT_EACH[3])
    assert neighbour.received == ()
    assert neighbour.passed is None
    assert neighbour.deal.has_chosen == (True, True, True, False)
    passed = after(waiting, Passed(3, hand(CLASSIC, "2H 3H 4H")))
    assert passed.phase is Phase.PLAYING
    assert same(passed.hands[0], "2H 3H 4H 5C")


@pytest.mark.parametrize(
    ("codes", "id"),
    [
        ("", "pass_count"),
        ("2D 3D", "pass_count"),
        ("2D 3D 4D 5D", "pass_count"),
        ("2D 2D 3D", "not_held"),
        ("2C 2D 3D", "not_held"),  # it was passed to this seat
    ],
)
def test_G3_exactly_the_agreed_number_of_ones_own_cards_is_passed(codes, id):
    deal = pass_cards(PASS, "2C 3C 4C")
    assert refused(deal, Passed(1, hand(CLASSIC, codes))).id == id


def test_K2_in_the_fourth_deal_nothing_is_passed():
    deal = passing(CLASSIC, *ONE_SUIT_EACH, number=4)
    assert deal.phase is Phase.PLAYING
    assert refused(deal, Passed(0, hand(CLASSIC, "2C 3C 4C"))).id == "not_passing"


# The first trick


@pytest.mark.parametrize(
    ("of", "hands", "kitty", "dealer", "leader", "lead"),
    [
        (CLASSIC, "3C AD, 4C AS, 2C AC, 5C AH", "", 0, 2, "2C"),
        (KITTY_OF_TWO, "AD AH, 3C AH, 4C AH, 5C AH, 6C AH", "2C 9S", 0, 1, "3C"),
        (KITTY_OF_TWO, "AD AH, AS AH, 4C AH, 5C AH, 6C AH", "3C 2C", 0, 2, "4C"),
        # Of two copies the first from the dealer's left; who deals is asked last.
        (EIGHT, "3C, 2C 9C, 4C, 5C, 2C 9C, 6C, 7C, 8C", "", 0, 1, "2C"),
        (EIGHT, "3C, 2C 9C, 4C, 5C, 2C 9C, 6C, 7C, 8C", "", 1, 4, "2C"),
        (EIGHT, "3C, 2C 9C, 4C, 5C, 2C 9C, 6C, 7C, 8C", "", 4, 1, "2C"),
        (DIRTY, "9C AH, 3C AH, 4C AH, 3C AH, 5C AH, 2C AH", "2C 9S", 5, 5, "2C"),
        (DIRTY, "9C AH, 3C AH, 4C AH, 3C AH, 5C AH, 9C AH", "2C 2C", 1, 3, "3C"),
        (SEVEN, "2C 3C, 9C 4C, JK 5C, 6C 2C, 7C 8C, 8C TC, 9C TC", "", 0, 2, "JK"),
        (NO_PASSING, "2C 3C, 4C AS, JK AC, 5C AD, 2C 6C", "", 0, 2, "JK"),
    ],
)
def test_K3_W6_W18_P3_who_leads_what_to_the_first_trick(of, hands, kitty, dealer, leader, lead):
    deal = first_trick(of, *hands.split(", "), kitty=kitty, dealer=dealer)
    assert deal.turn == leader
    assert may_play(deal, lead)


def test_K3_its_holder_after_passing_leads():
    assert pass_cards(PASS, *(codes[:8] for codes in ONE_SUIT_EACH)).turn == 1


def follow_first(of: Ruleset, held: str) -> Deal:
    """Seat 1 is to follow with these cards in the first trick."""
    lead = "JK" if of.preset.name == "cancellation" else "2C"
    return play(first_trick(of, f"{lead} 3C", held, *["4C 5C"] * (of.players - 2)), lead)


@pytest.mark.parametrize(
    ("of", "held", "allowed"),
    [
        (CLASSIC, "QS AH KD", "KD"),
        (CLASSIC, "QS 2H", "QS 2H"),  # G2
        (JACK, "JD AH QS", "JD"),
        (FOUR, "QS AH JD KD", "KD JD"),
        (FOUR, "7C 9C", "7C 9C"),
        (JACK_AND_SEVEN, "QS AH JD KD", "KD"),
        (JACK_AND_SEVEN, "7C 9C", "9C"),
        (JACK_AND_SEVEN, "7C 9D", "7C"),  # G2
        (KITTY_OF_ONE, "KD AH", "KD"),
        (KITTY_OF_TWO, "KD AH", "KD"),
        (JOKERS, "JK QS 9H", "JK"),
        (PASSING, "QS AH KD", "KD"),
        (PASSING, "QS 2H", "QS 2H"),
        (rules("cancellation", 5, pass_cards=1, jack_of_diamonds=True), "JD AH", "JD"),
        (NO_PASSING, "QS AH KD", "QS AH KD"),
        (rules("wikibooks", 4, safe_first_trick="off"), "QS AH JD KD", "QS AH JD KD"),
        (rules("classic", 4, safe_first_trick="all-scoring", jack_of_diamonds=True), "QS AH JD KD", "KD"),
    ],
)
def test_G2_K4_W4_W7_P5_what_may_be_played_to_the_first_trick(of, held, allowed):
    assert may_play(follow_first(of, held), allowed)


def test_K4_hearts_are_allowed_in_the_second_trick():
    deal = play(first_trick(CLASSIC, "2C 3C", "KD AH", "AC 6C", "8C 9C"), "2C KD AC 8C 6C 9C 3C")
    assert may_play(deal, "AH")


def test_P5_the_first_trick_is_safe_after_a_pass_too():
    of = rules("cancellation", 5, pass_cards=1)
    deal = passing(of, "JK 9D 2C", "QS AH 8S", "3C 4C 5C", "3C 4C 5C", "6C 7C 8C", number=2)
    assert may_play(play(pass_cards(deal, "9D", "8S", "3C", "3C", "6C"), "JK"), "9D")


# Tricks


def test_G1_play_goes_clockwise_and_the_winner_collects_the_trick_and_leads_the_next():
    deal = last_tricks(CLASSIC, "KS 2D", "3H 3D", "2S 4D", "3S 5D", leader=2)
    assert deal.legal(0) == ()
    assert refused(deal, Played(0, hand(CLASSIC, "KS")[0])).id == "not_your_turn"
    turns = []
    for code in ("2S", "3S", "KS", "3H"):
        turns.append(deal.turn)
        deal = play(deal, code)
    assert turns == [2, 3, 0, 1]
    assert same(deal.taken[0], "2S 3S KS 3H")
    assert deal.taken[1:] == ((),) * 3
    assert deal.turn == 0


def test_G1_a_suit_that_is_led_is_followed_if_possible():
    assert may_play(to_follow(CLASSIC, "5S 3D", "4S"), "5S")
    assert may_play(to_follow(CLASSIC, "5D 3C QH", "4S"), "5D 3C QH")


@pytest.mark.parametrize(
    ("cards", "winner"),
    [("2C TC JC 9C", 2), ("AD KD QD JD", 0), ("9S TS JS QS", 3), ("2S AH AD AC", 0), ("7H AS 8H AC", 2)],
)
def test_G1_the_highest_card_of_the_suit_led_wins(cards, winner):
    assert trick(CLASSIC, cards) == winner


@pytest.mark.parametrize(
    ("of", "held", "allowed"),
    [
        (CLASSIC, "2H 3S", "3S"),
        (CLASSIC, "2H QS 4D", "QS 4D"),
        (CLASSIC, "2H 9H", "2H 9H"),
        (CLASSIC, "2H 9H QS", "2H 9H QS"),
        (rules("classic", 4, lead_hearts_with_queen=False), "2H 9H QS", "QS"),
        (FOUR, "2H 9H", "2H 9H"),
        (FOUR, "2H 9H QS", "QS"),
        (rules("wikibooks", 4, lead_hearts_with_queen=True), "2H 9H QS", "2H 9H QS"),
        (JOKERS, "2H 9H JK", "2H 9H"),
        (JOKERS, "2S JK", "2S"),
        (JOKERS, "JK JK", "JK JK"),
        (NO_PASSING, "2H QS", "QS"),
        (CHINESE, "2H QS 4D", "2H QS 4D"),
    ],
)
def test_K5_W4_W8_P4_C4_what_may_be_led_before_hearts_are_broken(of, held, allowed):
    assert may_play(to_lead(of, held), allowed)


@pytest.mark.parametrize(
    ("of", "discard", "allowed"),
    [
        (CLASSIC, "9H", "2H 3S"),
        (CLASSIC, "QS", "2H 3S"),
        (CLASSIC, "KS", "3S"),
        (rules("classic", 4, hearts_broken_by="hearts"), "QS", "3S"),
        (FOUR, "9H", "2H 3S"),
        (FOUR, "QS", "3S"),
        (rules("wikibooks", 4, hearts_broken_by="hearts-or-queen"), "QS", "2H 3S"),
        (JOKERS, "JK", "3S"),
        (NO_PASSING, "9H", "2H 3S"),
        (NO_PASSING, "QS", "2H 3S"),
    ],
)
def test_K5_W4_W8_P4_what_breaks_hearts_for_the_rest_of_the_deal(of, discard, allowed):
    deal = last_tricks(of, "AD KD 2H 3S", f"{discard} TC JC QC", *["4D 5D 8C 9C"] * (of.players - 2))
    others = of.players - 2
    assert may_play(play(deal, f"AD {discard}" + " 4D" * others + " KD TC" + " 5D" * others), allowed)


@pytest.mark.parametrize(
    ("deal", "move", "sentence"),
    [
        (PASS, Passed(0, ()), "Choose exactly 3 cards to pass."),
        (first_trick(CLASSIC, "2C AC", "3C", "4C", "5C"), "AC", "The two of clubs leads the first trick."),
        (first_trick(NO_PASSING, "JK AC", *["2C"] * 4), "AC", "The joker leads the first trick."),
        (follow_first(CLASSIC, "AH 9S"), "AH", "No hearts and no queen of spades in the first trick."),
        (follow_first(FOUR, "QS KD"), "QS", "No card that scores may be played to the first trick."),
        (to_follow(CLASSIC, "5S 3D", "4S"), "3D", "You have spades, so you must follow suit."),
        (to_follow(CLASSIC, "5S 3D", "4S"), "5H", "You don't hold the five of hearts."),
        (to_lead(CLASSIC, "2H 3S"), "2H", "Hearts are not broken yet: lead another suit."),
        (to_lead(JOKERS, "JK 2S"), "JK", "You may lead a joker only if you hold nothing else."),
        (to_lead(CHINESE, "2H", face_up="QS"), "QS", "Play cards from your hand before those you exposed."),
    ],
)
def test_a_refusal_says_why(deal, move, sentence):
    assert str(refused(deal, move)) == sentence


# Points


MOON = f"{ALL_HEARTS} QS"
MOONS = f"{MOON} {MOON}"


@pytest.mark.parametrize(
    ("of", "piles", "choice", "scores"),
    [
        (CLASSIC, ["2H AH JD", "QS KS", ALL_HEARTS[3:-3]], None, [2, 13, 11, 0]),
        (JACK, ["JD 2H", "QS 7C"], None, [-9, 13, 0, 0]),
        (FOUR, ["2H AH JD", "QS KS 7C"], None, [2, 13, 0, 0]),
        (rules("wikibooks", 4, hooligan=True), ["7C 2H", "QS JD"], None, [8, 13, 0, 0]),
        (SPOT_HEARTS, ["2H 9H", "TH JH", "QH KH", "AH"], None, [11, 21, 25, 14]),
        (JOKERS, ["JK JK 2H"], None, [1, 0, 0]),
        (NO_PASSING, ["2H 2H AH", "QS", "QS JD 7C"], None, [3, 13, 13, 0, 0]),
        # A moon takes every heart and every queen, and nothing else matters to it.
        (JACK, [MOON, "JD"], ADD, [0, 16, 26, 26]),
        (JACK, [f"{MOON} JD"], SUBTRACT, [-36, 0, 0, 0]),
        (JACK_AND_SEVEN, [MOON, "JD", "7C"], None, [0, 16, 33, 26]),
        (JACK_AND_SEVEN, [f"{MOON} JD 7C", "AD"], None, [-3, 26, 26, 26]),
        (FOUR, [ALL_HEARTS, "QS"], None, [13, 13, 0, 0]),
        (FOUR, [MOON[3:], "2H"], None, [25, 1, 0, 0]),
        (CLEAN, [f"{MOON} {ALL_HEARTS}", "QS"], None, [39, 13, 0, 0, 0, 0]),
        # It is worth 52 where a heart was removed too, and 117 a deck with spot hearts.
        (NINE, [f"{MOON} {MOON[3:]}"], SUBTRACT, [-52, *[0] * 8]),
        (TEN, [f"{MOON} {MOON[3:]}"], ADD, [0, *[52] * 9]),
        (rules("wikibooks", 5, spot_hearts=True), [MOON], None, [0, *[117] * 4]),
        (rules("double-deck", 8, spot_hearts=True), [MOONS], ADD, [0, *[234] * 7]),
        (rules("double-deck", 8, spot_hearts=True), [MOONS], SUBTRACT, [-234, *[0] * 7]),
        (rules("double-deck", 8, spot_hearts=True, moon="half"), [MOONS], None, [-117, *[117] * 7]),
        (rules("wikibooks", 4, spot_hearts=True, moon="half"), [MOON], None, [-58, *[58] * 3]),
    ],
)
def test_K6_W4_W9_W10_W11_W12_W13_W23_P9_what_the_cards_taken_count(of, piles, choice, scores):
    assert points(of, *piles, choice=choice) == tuple(scores)


NO_ACE = ALL_HEARTS[:-3]
#: The last trick, in which the leader takes all that a moon lacks, and the hearts taken before; by players.
ALL_BUT_THE_LAST_TRICK = {
    4: ("AS QS AH 2S", NO_ACE),
    5: ("AS QS AH QS 2S", f"{ALL_HEARTS} {NO_ACE}"),
    6: ("AS QS AH QS AH 2S", f"{NO_ACE} {NO_ACE}"),
}


@pytest.mark.parametrize(
    ("of", "choice", "own", "others"),
    [
        (CLASSIC, ADD, 0, 26),
        (CLASSIC, SUBTRACT, -26, 0),
        (rules("classic", 4, moon="others"), None, 0, 26),
        (rules("classic", 4, moon="self"), None, -26, 0),
        (FOUR, None, 0, 26),
        (CLEAN, ADD, 0, 52),
        (CLEAN, SUBTRACT, -52, 0),
        (rules("double-deck", 6, remainder="remove", moon="half"), None, -26, 26),
        (NO_PASSING, ADD, 0, 52),
        (NO_PASSING, SUBTRACT, -52, 0),
    ],
)
def test_K7_W13_W23_P9_who_took_it_all_chooses_or_need_not(of, choice, own, others):
    last, taken = ALL_BUT_THE_LAST_TRICK[of.players]
    before = last_tricks(of, *last.split(), taken={0: taken})
    assert refused(before, MoonChosen(0, ADD)).id == "no_moon_choice"
    deal = play(before, last)
    if choice:
        assert deal.phase is Phase.CHOOSING_MOON
        assert deal.waiting_for == (0,)
        assert deal.points is None
        assert refused(deal, MoonChosen(1, ADD)).id == "no_moon_choice"
        deal = after(deal, MoonChosen(0, choice))
    assert deal.points == (own, *[others] * (of.players - 1))


def test_what_is_at_stake_are_good_points_and_bad_ones():
    # The jack of diamonds too (K8), and in Chinese Hearts hearts of 200 (C7).
    assert [of.at_stake for of in (CLASSIC, JACK, EIGHT, CHINESE)] == [26, 36, 52, 400]


LOW_SHARED = ["5H 6H 7H 8H QS", "9H TH JH QH KH AH JD"]


@pytest.mark.parametrize(
    ("of", "piles", "left", "is_settled"),
    [
        (CLASSIC, [], "2C KD AS JD", True),
        (CLASSIC, [], "2C 2H", False),
        # Low hearts count nothing (C7) unless they complete a moon (C8).
        (CHINESE, [*LOW_SHARED, "", "TC 3H"], "2H 4H 2C", True),
        (CHINESE, [MOON[3:], "JD", "TC 3D"], "2H", False),
        (CHINESE, [MOON, "JD", "TC 3D"], "2S", True),
        # The ten of clubs brings points alone, and multiplies those of its company (C9).
        (CHINESE, [*LOW_SHARED, "3H 4H", "TC 2C"], "2H", False),
        (CHINESE, [*LOW_SHARED, "3H 4H", "TC 4H"], "2H", True),
        (CHINESE, [ALL_HEARTS, "QS JD"], "TC", False),
    ],
)
def test_when_nobodys_points_hang_on_the_cards_that_are_left(of, piles, left, is_settled):
    taken = [hand(of, codes) for codes in piles] + [()] * (of.players - len(piles))
    assert plays.is_settled(of.counting, taken, hand(of, left)) is is_settled


# The end


EVEN = {"remainder": "remove", "even_scores": True}


@pytest.mark.parametrize(
    ("of", "before", "taken", "total", "winners"),
    [
        (CLASSIC, 86, "QS", 99, None),
        (CLASSIC, 87, "QS", 100, (0,)),
        (CLASSIC, -130, "2H", -129, None),
        (SPOT_HEARTS, 486, "QS", 499, None),
        (SPOT_HEARTS, 487, "QS", 500, (0,)),
        (rules("double-deck", 8, ends_at=200), 186, "QS", 199, None),
        (rules("double-deck", 8, ends_at=200), 187, "QS", 200, (0,)),
        # W19: fifty are lost before the end is tested.
        (rules("double-deck", 6, **EVEN), 37, "QS", 0, None),
        (rules("double-deck", 6, **EVEN, ends_at=200), 137, "QS", 100, None),
        (rules("double-deck", 6, **EVEN, ends_at=200), 187, "QS", 200, (0,)),
        (rules("double-deck", 6, **EVEN), 36, "QS", 49, None),
        (rules("double-deck", 6, **EVEN), 38, "QS", 51, None),
        (NO_PASSING, 136, "QS", 149, None),
        (NO_PASSING, 137, "QS", 150, (1,)),
        (rules("cancellation", 5, winner="lowest"), 137, "QS", 150, (0,)),
        (CHINESE, 4899, "JD", 4999, None),
        (CHINESE, 4900, "JD", 5000, (1,)),
        (CHINESE, -4899, "QS", -4999, None),
        (CHINESE, -4900, "QS", -5000, (3,)),
    ],
)
def test_K8_W14_W19_W24_P10_C10_when_a_game_is_over_and_who_wins(of, before, taken, total, winners):
    spades = [f"{rank}S" for rank in "98765432"[: of.players]]
    deal = last_tricks(of, *spades, taken={1: taken})
    ended = play_on(game(of, 0, before, *range(2, of.players), deal=deal), " ".join(spades))
    assert ended.totals == (0, total, *range(2, of.players))
    assert (ended.over, ended.winners) == (winners is not None, winners)


def test_K8_a_moon_can_win_the_game():
    deal = last_tricks(CLASSIC, "2S", "AS", "QS", "AH", taken={1: ALL_HEARTS[:-3]})
    ended = play_on(game(CLASSIC, 80, 90, 70, 60, deal=deal), "2S AS QS AH")
    assert not ended.over
    ended = ended.advance(MoonChosen(1, ADD))
    assert ended.totals == (106, 90, 96, 86)
    assert ended.winners == (3,)


def test_G4_totals_add_up_over_deals_and_the_end_is_not_tested_within_one():
    deal = last_tricks(CLASSIC, "AS 3D", "2H 4D", "3S 5D", "QS 6D", taken={1: "3H 4H"})
    going = play_on(game(CLASSIC, 95, 20, 30, 40, deal=deal), "AS 2H 3S QS")
    assert (going.over, going.winners, going.totals) == (False, None, (95, 20, 30, 40))
    over = play_on(going, "3D 4D 5D 6D")
    assert over.over
    assert over.history == ((95, 20, 30, 40), (109, 22, 30, 40))
    assert refused(over, Played(0, hand(CLASSIC, "2C")[0])).id == "game_over"


@pytest.mark.parametrize(
    ("of", "before", "winners"),
    [(CLASSIC, (99, 20, 20, 20), (1, 2)), (rules("classic", 4, winner="highest"), (99, 98, 20, 99), (0, 3))],
)
def test_G5_level_players_share_the_win(of, before, winners):
    deal = last_tricks(of, "AS", "2H", "3S", "4S", taken={3: "3H"})
    assert play_on(game(of, *before, deal=deal), "AS 2H 3S 4S").winners == winners


@pytest.mark.parametrize("before", [0, 95])
def test_G6_a_game_of_two_deals_is_over_after_the_second_whatever_the_totals(before: int) -> None:
    two, three = (rules("classic", 4, deals=deals) for deals in (2, 3))
    assert not Game(two, history=((120, 0, 0, 0),)).over
    for of in (two, three):
        deal = last_tricks(of, "AS", "2H", "3S", "4S", taken={0: "3H 4H 5H 6H"})
        second = play_on(game(of, before, 20, 30, 40, deal=deal), "AS 2H 3S 4S")
        assert second.totals == (before + 5, 20, 30, 40)
        assert second.over is (of is two)
    assert two.final_totals == ()
    assert "deals" not in CLASSIC.options


def test_G6_rules_without_the_option_are_those_of_older_records() -> None:
    older = CLASSIC.to_whole_json()
    del older["options"]["deals"]
    assert Ruleset.from_json(older) == CLASSIC
