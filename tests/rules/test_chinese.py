"""C1 to C10: Chinese Hearts, in the latest revision of the PEGWiki."""

from random import Random

import pytest
from by_chance import CHINESE
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
)

from engine.play.deal import Phase
from engine.play.game import Game, shuffle
from engine.play.moves import Dealt, Declined, Exposed, Played
from engine.play.views import seat_view

FOUR = rules("chinese", 4)


def expose(seat: int, code: str) -> Exposed:
    return Exposed(seat, card(FOUR, code))


#: Before the first trick: seat 0 holds two cards that can be exposed, seats 1 and 2 one each.
EXPOSING = first_trick(FOUR, "QS AH 2D", "JD 3D 4D", "TC 5C 6C", "7C 8C 9C")


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
    assert all(same(seat_view(Game(FOUR, deals=(deal,)), seat).deal.face_up[0], "AH") for seat in range(4))


@pytest.mark.parametrize(
    ("before", "move", "id"),
    [
        ([], expose(1, "3D"), "not_exposable"),
        ([], expose(1, "QS"), "not_held"),
        ([expose(0, "QS")], expose(0, "QS"), "not_held"),
        ([], Declined(3), "nothing_to_expose"),
        ([], Played(0, card(FOUR, "2D")), "not_playing"),
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
    views = [seat_view(Game(FOUR, deals=(deal,)), 3) for deal in (EXPOSING, after(EXPOSING, Declined(0)))]
    assert views[0] == views[1]


@pytest.mark.parametrize("oldest", range(4))
def test_C3_the_oldest_player_leads_the_first_deal(oldest):
    started = Game(FOUR, oldest=oldest)
    deal = started.advance(shuffle(started, Random(1))).deals[0]
    while deal.phase is Phase.EXPOSING:
        deal = after(deal, Declined(deal.waiting_for[0]))
    assert deal.turn == oldest


def test_C3_C4_later_who_collected_the_queen_of_spades_leads_any_card():
    deal = last_tricks(FOUR, "4S", "5S", "QS", "6S")
    going = play_on(Game(FOUR, oldest=1, deals=(deal,)), "4S 5S QS 6S")
    going = going.advance(Dealt(1, EXPOSING.dealt.hands))
    for seat in (0, 1, 2):
        going = going.advance(Declined(seat))
    assert going.deal.turn == 2
    assert may_play(going.deal, "TC 5C 6C")


def test_C4_an_exposed_card_is_led_only_when_the_hand_is_empty():
    assert may_play(to_lead(FOUR, "2H", face_up="QS"), "2H")
    assert may_play(to_lead(FOUR, "", face_up="QS JD"), "QS JD")
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
    assert may_play(to_follow(FOUR, held, lead, face_up=face_up), allowed)


def test_C5_there_is_no_safe_first_trick():
    deal = after(first_trick(FOUR, "2C 3C", "JD 2H QS", "4C 5C", "6C 7C"), Declined(1))
    assert may_play(play(deal, "2C"), "JD 2H QS")


def test_C6_after_a_trick_exposed_cards_of_the_suit_led_go_back_to_the_hand():
    hands = "4S 2D 7C", "AS 3D 7C", "3S 4D 7C", "5S 6D 7C"
    deal = play(last_tricks(FOUR, *hands, face_up={1: "QS AH", 2: "JD"}), "4S AS 3S")
    assert same(deal.face_up[1], "QS AH")
    deal = play(deal, "5S")
    assert same(deal.face_up[1], "AH")
    assert same(deal.face_up[2], "JD")
    assert may_play(deal, "3D 7C QS")


def test_C6_a_card_that_was_played_does_not_go_back():
    deal = play(last_tricks(FOUR, "4S 2D", "3D 8D", "3S 4D", "5S 6D", face_up={1: "QS"}), "4S QS 3S 5S")
    assert same(deal.hands[1], "3D 8D")
    assert deal.face_up == ((),) * 4
    assert same(deal.taken[1], "4S QS 3S 5S")


def test_C7_base_values():
    for one in FOUR.pack.cards:
        if one.code != "TC":
            assert points(FOUR, one.code)[0] == CHINESE.get(one.code, 0)


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
    assert points(FOUR, *piles, exposed=exposed) == scores


def test_C8_exposed_counts_when_the_card_was_picked_up_or_played_since():
    deal = last_tricks(FOUR, "4S", "KS", "3S", "5H", exposed="AH")
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
    assert points(FOUR, pile, other, exposed=exposed)[0] == total
