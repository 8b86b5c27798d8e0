"""W3 to W24, P1 to P10 and C1 to C10: what one of the documents has alone."""

from random import Random

import pytest
from by_chance import values
from cardtable import (
    ALL_HEARTS,
    after,
    card,
    first_trick,
    last_tricks,
    may_play,
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

from engine.play.deal import Deal, Phase
from engine.play.game import Game, shuffle
from engine.play.moves import Dealt, Declined, Exposed, Played
from engine.play.views import seat_view

CHINESE = rules("chinese", 4)
JOKERS = rules("wikibooks", 3, remainder="jokers")


# The Wikibook's games with one deck: kitties, jokers and dealers


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
    of = rules("wikibooks", 4)
    deal = last_tricks(of, "AS", "2H", "3S", "4S")
    ended = play_on(Game(of, deals=(deal,)), "AS 2H 3S 4S")
    assert shuffle(ended, Random(1)).dealer == deal.dealt.dealer + 1
    last = first_trick(of, "2C", "3C", "4C", "5C", dealer=3)
    assert Game(of, deals=(last,)).next_dealer == 0


# Two decks: the Wikibook's games, and Cancellation Hearts of the PEGWiki

DIRTY = rules("double-deck", 6)
FIRST_WINS = rules("double-deck", 6, remainder="remove")
CANCEL = rules("double-deck", 6, remainder="remove", duplicates="cancel")
SEVEN = rules("double-deck", 7)
CANCELLATION = rules("cancellation", 5)
ALICE, BOB, CAROL, DAVE, EVE, FRANK = range(6)


def test_W16_dirty_the_first_down_card_goes_with_the_first_trick_the_second_with_the_last():
    deal = first_trick(DIRTY, "2C", "3C", "4C", "5C", "6C", "7C", kitty="QS KH", dealer=5)
    deal = play(deal, "2C 3C 4C 5C 6C 7C")
    assert same(deal.kitty_taken[5], "QS")
    assert same(deal.kitty, "KH")
    deal = play(last_tricks(DIRTY, "2S", "3S", "4S", "5S", "7S", "6S", kitty="KH"), "2S 3S 4S 5S 7S 6S")
    assert deal.points == (0, 0, 0, 0, 1, 0)


@pytest.mark.parametrize("of", [SEVEN, CANCELLATION])
def test_W18_P1_the_joker_is_a_club(of):
    assert refused(to_follow(of, "JK 5S", "4S"), "JK").id == "follow_suit"
    assert may_play(to_follow(of, "JK 5D", "4C"), "JK")
    assert may_play(to_follow(of, "6C 2C 5D", "JK"), "6C 2C")


@pytest.mark.parametrize(
    ("of", "cards", "winner"),
    [
        # The joker is a club below the two, and has no twin.
        (SEVEN, "JK 2C AS AS AD AD KD", 1),
        (SEVEN, "JK 2D AS AS AD AD KD", 0),
        (rules("double-deck", 7, duplicates="cancel"), "JK 2C 2C AC AC KD KS", 0),
        (CANCELLATION, "JK 2C AS AD AH", 1),
        (CANCELLATION, "JK AC AC KC KC", 0),
        # The first copy ranks higher, or both drop out.
        (FIRST_WINS, "7D KD 2C 3C KD 9D", BOB),
        (FIRST_WINS, "KD 7D KD 3C 4C 9D", ALICE),
        (CANCEL, "7D KD 2C 3C KD 9D", FRANK),  # W22, example 1
        (CANCEL, "7D KD AD 3C KD AD", ALICE),
        (CANCEL, "7D KD AS AS KD 6D", ALICE),  # twins of another suit change nothing
        (CANCELLATION, "7D KD 2C KD 9D", 4),
        (CANCELLATION, "AD KD AD QD 2D", 1),
        (CANCELLATION, "7D KD 7D KD AH", None),
    ],
)
def test_W18_W20_W22_P1_P6_P7_who_wins_a_trick(of, cards, winner):
    assert trick(of, cards) == winner


@pytest.mark.parametrize(
    ("cards", "winner"),
    [("7D KD 7D KD AH", 3), ("KD 7D AH KD 7D", 3), ("7D AS AS 7D AH", 3), ("7D KD 7D KD 2D", 4)],
)
def test_P8_the_last_trick_is_never_on_hold(cards, winner):
    assert trick(CANCELLATION, cards, last=True) == winner


ON_HOLD = "4H 3H 9C 9D 4H 3H"


def test_W20_W21_P7_the_leader_leads_again_and_the_next_winner_takes_what_is_on_hold_too():
    hands = ["4H 5H 6S 7S", "3H 2H TS 2S", "9C TC JC QC", "9D QS KD AD", "4H 5H KS 3S", "3H TD 8S 9S"]
    deal = play(last_tricks(CANCEL, *hands, broken=True), ON_HOLD)
    assert deal.tricks[-1].winner is None
    assert same(deal.on_hold, ON_HOLD)
    assert deal.taken == ((),) * 6
    assert deal.turn == ALICE
    deal = play(deal, "6S TS TC QS KS 8S")
    assert same(deal.taken[EVE], f"{ON_HOLD} 6S TS TC QS KS 8S")
    assert deal.on_hold == ()
    assert deal.turn == EVE


def test_W21_two_tricks_on_hold_go_to_whoever_wins_the_third():
    hands = ["4H 5H 6S", "4H 5H TS", "9C TC JC", "9D QS KD", "8C TC KS", "3C TD 8S"]
    deal = play(last_tricks(CANCEL, *hands, broken=True), "4H 4H 9C 9D 8C 3C 5H 5H TC QS TC TD")
    assert deal.turn == ALICE
    assert len(deal.on_hold) == 12
    assert play(deal, "6S TS JC KD KS 8S").points == (0, 0, 0, 0, 17, 0)


def test_W21_P8_on_the_last_trick_the_second_copy_of_the_highest_card_takes_all_on_hold_as_well():
    hands = ["AS 7D", "9H KD", "AS 7D", "4C KD", "2H AH"]
    deal = play(last_tricks(CANCELLATION, *hands), "AS 9H AS 4C 2H 7D KD 7D KD AH")
    assert deal.points == (0, 0, 0, 3, 0)
    deal = last_tricks(CANCEL, "4H", "KH", "9C", "QS", "4H", "KH")
    assert play(deal, "4H KH 9C QS 4H KH").points == (0, 0, 0, 0, 0, 17)


def test_W21_a_kitty_card_goes_on_hold_with_its_trick():
    hands = ["2C 4S", "2C KS", "3C 5S", "3C 6S", "9D 7S", "9D 8S"]
    deal = first_trick(rules("double-deck", 6, duplicates="cancel"), *hands, kitty="QS KH", dealer=5)
    deal = play(deal, "2C 2C 3C 3C 9D 9D")
    assert deal.kitty_taken == ((),) * 6
    assert same(deal.kitty, "KH")
    assert same(play(deal, "4S KS 5S 6S 7S 8S").kitty_taken[BOB], "QS")


def test_P4_hearts_are_broken_by_a_trick_on_hold():
    deal = last_tricks(CANCELLATION, "AD 2H 3S", "9H TC JC", "AD 5D 8C", "4C 7C 9C", "3C 5C 6C")
    assert may_play(play(deal, "AD 9H AD 4C 3C"), "2H 3S")


def test_W22_example_2_both_queens_are_cancelled_and_bob_takes_26():
    deal = play(last_tricks(CANCEL, "7S 2D", "JS 3D", "QS 4D", "8S 5D", "QS 6D", "TS 7D"), "7S JS")
    assert may_play(deal, "QS")  # Carol is forced
    assert play(deal, "QS 8S QS TS 3D 4D 5D 6D 7D 2D").points == (0, 26, 0, 0, 0, 0)


def test_W22_example_3_bob_takes_4_from_the_trick_before_and_16_from_this_one():
    hands = ["4H 5H", "3H 2H", "9C TC", "9D QS", "4H 5H", "3H TD"]
    deal = play(last_tricks(CANCEL, *hands, broken=True), f"{ON_HOLD} 5H 2H TC QS 5H TD")
    assert deal.points == (0, 4 + 16, 0, 0, 0, 0)


# Chinese Hearts, in the latest revision of the PEGWiki


def expose(seat: int, code: str) -> Exposed:
    return Exposed(seat, card(CHINESE, code))


#: Before the first trick: seat 0 holds two cards that can be exposed, seats 1 and 2 one each.
EXPOSING = first_trick(CHINESE, "QS AH 2D", "JD 3D 4D", "TC 5C 6C", "7C 8C 9C")


def test_C2_four_cards_may_be_exposed_by_their_holders_and_lie_face_up_before_them():
    assert EXPOSING.phase is Phase.EXPOSING
    assert [{one.code for one in EXPOSING.exposable(seat)} for seat in range(4)] == [
        {"QS", "AH"},
        {"JD"},
        {"TC"},
        set(),
    ]
    assert EXPOSING.waiting_for == (0, 1, 2)
    deal = after(EXPOSING, expose(0, "AH"))
    assert same(deal.hands[0], "QS 2D")
    assert all(same(seat_view(Game(CHINESE, deals=(deal,)), seat).deal.face_up[0], "AH") for seat in range(4))


@pytest.mark.parametrize(
    ("before", "move", "id"),
    [
        ([], expose(1, "3D"), "not_exposable"),
        ([], expose(1, "QS"), "not_held"),
        ([expose(0, "QS")], expose(0, "QS"), "not_held"),
        ([], Declined(3), "nothing_to_expose"),
        ([], Played(0, card(CHINESE, "2D")), "not_playing"),
        ([Declined(0), Declined(1), Declined(2)], expose(0, "QS"), "not_exposing"),
    ],
)
def test_C2_nothing_else_is_exposed_and_not_later(before, move, id):
    assert refused(after(EXPOSING, *before), move).id == id


@pytest.mark.parametrize(
    ("moves", "waiting_for", "face_up"),
    [
        # In any order, without turns; who was done may think again when another card is exposed.
        ([expose(0, "QS"), expose(1, "JD")], (0, 2), ["QS", "JD", "", ""]),
        ([expose(1, "JD"), expose(0, "QS")], (0, 2), ["QS", "JD", "", ""]),
        ([Declined(0), Declined(2)], (1,), ["", "", "", ""]),
        ([Declined(0), Declined(2), expose(1, "JD")], (0, 2), ["", "JD", "", ""]),
        # Then play begins, with seat 0.
        ([Declined(0), Declined(1), Declined(2)], (0,), ["", "", "", ""]),
        ([expose(0, "AH"), expose(0, "QS"), Declined(1), Declined(2)], (0,), ["AH QS", "", "", ""]),
        # The fourth card must be exposed, even by a player who was done.
        ([expose(0, "AH"), expose(2, "TC"), expose(1, "JD")], (0,), ["AH QS", "JD", "TC", ""]),
        ([expose(0, "AH"), Declined(1), expose(2, "TC"), expose(0, "QS")], (0,), ["AH QS", "JD", "TC", ""]),
    ],
)
def test_C2_who_may_still_expose_and_what_lies_face_up(moves, waiting_for, face_up):
    deal = after(EXPOSING, *moves)
    assert deal.waiting_for == waiting_for
    assert deal.phase is (Phase.PLAYING if waiting_for == (0,) else Phase.EXPOSING)
    assert all(same(deal.face_up[seat], codes) for seat, codes in enumerate(face_up))


def test_C2_who_is_still_deciding_is_not_shown():
    views = [seat_view(Game(CHINESE, deals=(deal,)), 3) for deal in (EXPOSING, after(EXPOSING, Declined(0)))]
    assert views[0] == views[1]


@pytest.mark.parametrize("oldest", range(4))
def test_C3_the_oldest_player_leads_the_first_deal(oldest):
    started = Game(CHINESE, oldest=oldest)
    deal = started.advance(shuffle(started, Random(1))).deals[0]
    while deal.phase is Phase.EXPOSING:
        deal = after(deal, Declined(deal.waiting_for[0]))
    assert deal.turn == oldest


def test_C3_C4_later_who_collected_the_queen_of_spades_leads_any_card():
    deal = last_tricks(CHINESE, "4S", "5S", "QS", "6S")
    going = play_on(Game(CHINESE, oldest=1, deals=(deal,)), "4S 5S QS 6S")
    going = going.advance(Dealt(1, EXPOSING.dealt.hands))
    for seat in (0, 1, 2):
        going = going.advance(Declined(seat))
    assert going.deal.turn == 2
    assert may_play(going.deal, "TC 5C 6C")


def test_C4_an_exposed_card_is_led_only_when_the_hand_is_empty():
    assert may_play(to_lead(CHINESE, "2H", face_up="QS"), "2H")
    assert may_play(to_lead(CHINESE, "", face_up="QS JD"), "QS JD")
    first_lead = after(EXPOSING, expose(0, "AH"), Declined(0), Declined(1), Declined(2))
    assert may_play(first_lead, "QS 2D")


@pytest.mark.parametrize(
    ("lead", "held", "face_up", "allowed"),
    [
        ("4S", "2S 9D", "QS", "2S"),
        ("4S", "2H 9D", "QS", "QS"),
        ("4C", "2H 9D", "QS JD", "2H 9D QS JD"),
    ],
)
def test_C5_first_the_suit_from_the_hand_then_exposed_then_any_card(lead, held, face_up, allowed):
    assert may_play(to_follow(CHINESE, held, lead, face_up=face_up), allowed)


def test_C5_there_is_no_safe_first_trick():
    deal = after(first_trick(CHINESE, "2C 3C", "JD 2H QS", "4C 5C", "6C 7C"), Declined(1))
    assert may_play(play(deal, "2C"), "JD 2H QS")


def test_C6_after_a_trick_exposed_cards_of_the_suit_led_go_back_to_the_hand():
    hands = "4S 2D 7C", "AS 3D 7C", "3S 4D 7C", "5S 6D 7C"
    deal = play(last_tricks(CHINESE, *hands, face_up={1: "QS AH", 2: "JD"}), "4S AS 3S")
    assert same(deal.face_up[1], "QS AH")
    deal = play(deal, "5S")
    assert same(deal.face_up[1], "AH")
    assert same(deal.face_up[2], "JD")
    assert may_play(deal, "3D 7C QS")


def test_C6_a_card_that_was_played_does_not_go_back():
    deal = play(last_tricks(CHINESE, "4S 2D", "3D 8D", "3S 4D", "5S 6D", face_up={1: "QS"}), "4S QS 3S 5S")
    assert same(deal.hands[1], "3D 8D")
    assert deal.face_up == ((),) * 4
    assert same(deal.taken[1], "4S QS 3S 5S")


def test_C7_base_values():
    for one in CHINESE.pack.cards:
        if one.code != "TC":
            assert points(CHINESE, one.code)[0] == values(CHINESE).get(one.code, 0)


ONE_EACH = ["QS", "JD", "AH", "5H"]


@pytest.mark.parametrize(
    ("piles", "exposed", "scores"),
    [
        (ONE_EACH, "QS", (-200, 100, -50, -10)),
        (ONE_EACH, "JD", (-100, 200, -50, -10)),
        (ONE_EACH, "AH", (-100, 100, -100, -20)),  # every heart, whoever collects it
        (ONE_EACH, "TC", (-100, 100, -50, -10)),
        (ONE_EACH, "QS JD AH", (-200, 200, -100, -20)),
        # All thirteen hearts flip their signs, and the queen does not.
        ([ALL_HEARTS, "QS", "JD"], "", (200, -100, 100, 0)),
        ([ALL_HEARTS, "QS", "JD"], "AH", (400, -100, 100, 0)),
        ([f"{ALL_HEARTS} QS"], "", (100, 0, 0, 0)),
        ([ALL_HEARTS[3:], "2H"], "", (-200, 0, 0, 0)),
    ],
)
def test_C8_a_value_doubles_if_a_card_of_its_suit_was_exposed_and_a_moon_is_good(piles, exposed, scores):
    assert points(CHINESE, *piles, exposed=exposed) == scores


def test_C8_exposed_counts_when_the_card_was_picked_up_or_played_since():
    deal = last_tricks(CHINESE, "4S", "KS", "3S", "5H", exposed="AH")
    assert play(deal, "4S KS 3S 5H").points == (0, -20, 0, 0)


@pytest.mark.parametrize(
    ("pile", "other", "exposed", "total"),
    [
        (f"{ALL_HEARTS} QS JD TC", "", "TC AH", 10000),
        # Without one of its cards there is no sun.
        (f"{ALL_HEARTS} QS JD", "TC", "", 200),
        (f"{ALL_HEARTS} JD TC", "QS", "", 600),
        (f"{ALL_HEARTS} QS TC", "JD", "", 200),
        (f"{ALL_HEARTS[3:]} QS JD TC", "2H", "", -400),
        # The ten doubles the total or makes it fourfold.
        *(
            (f"TC {with_it}", "", "", 2 * total)
            for with_it, total in (("QS", -100), ("JD 5H", 90), ("2H", 0))
        ),
        ("TC JD", "", "TC", 400),
        ("TC AH", "", "AH TC", -50 * 2 * 4),
        # With none of the cards it multiplies it counts itself.
        ("TC KS 9C QD", "", "", 50),
        ("TC KS 9C QD", "", "TC", 100),
        ("JD 5H QS", "TC", "", -10),
    ],
)
def test_C9_the_sun_and_the_ten_of_clubs(pile, other, exposed, total):
    assert points(CHINESE, pile, other, exposed=exposed)[0] == total
