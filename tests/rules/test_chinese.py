"""C1 to C10: Chinese Hearts, in the latest revision of the PEGWiki."""

from random import Random

import pytest
from cardtable import (
    ALL_HEARTS,
    after,
    card,
    decks,
    first_trick,
    game,
    last_tricks,
    layout,
    may_play,
    offsets,
    pack,
    play,
    play_on,
    points,
    refused,
    rules,
    same,
)

from engine.play.deal import Deal, Phase
from engine.play.game import Game, shuffle
from engine.play.moves import Dealt, Declined, Exposed, Played
from engine.play.views import seat_view

FOUR = rules("chinese", 4)
SIX = rules("chinese", 6)


def expose(seat: int, code: str) -> Exposed:
    return Exposed(seat, card(FOUR, code))


@pytest.mark.parametrize(
    ("players", "removed", "each"),
    [(3, "2C", 17), (4, "", 13), (5, "2C 3C", 10), (6, "2C 3C 4C 5C", 8)],
)
def test_C1_the_lowest_clubs_are_removed_until_the_hands_are_equal(players, removed, each):
    of = rules("chinese", players)
    assert pack(of) == decks(1, removed)
    assert layout(of) == ([each] * players, 0)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_C1_nothing_is_passed(players):
    assert offsets(rules("chinese", players), 2 * players) == [0] * 2 * players


def exposing() -> Deal:
    """Before the first trick: seat 0 holds two cards that can be exposed, seats 1 and 2 one each."""
    return first_trick(FOUR, "QS AH 2D", "JD 3D 4D", "TC 5C 6C", "7C 8C 9C")


def test_C2_four_cards_may_be_exposed_by_their_holders():
    deal = exposing()
    assert deal.phase is Phase.EXPOSING
    assert [same(deal.exposable(seat), codes) for seat, codes in enumerate(("QS AH", "JD", "TC", ""))] == [
        True
    ] * 4
    assert deal.waiting_for == (0, 1, 2)


def test_C2_an_exposed_card_lies_face_up_before_its_owner():
    deal = after(exposing(), expose(0, "AH"))
    assert same(deal.hands[0], "QS 2D")
    assert same(deal.face_up[0], "AH")
    everyone = [seat_view(Game(FOUR, deals=(deal,)), seat).deal for seat in range(4)]
    assert [same(public.face_up[0], "AH") for public in everyone] == [True] * 4


@pytest.mark.parametrize("order", [[(0, "QS"), (1, "JD")], [(1, "JD"), (0, "QS")]])
def test_C2_in_any_order_without_turns(order):
    deal = after(exposing(), *(expose(seat, code) for seat, code in order))
    assert [(seat, one.code) for seat, one in deal.exposures] == order
    assert deal.phase is Phase.EXPOSING


def test_C2_no_other_card_and_nobody_elses():
    refusal = refused(exposing(), expose(1, "3D"))
    assert refusal.id == "not_exposable"
    assert refused(exposing(), expose(1, "QS")).id == "not_held"
    assert refused(after(exposing(), expose(0, "QS")), expose(0, "QS")).id == "not_held"
    assert refused(exposing(), Declined(3)).id == "nothing_to_expose"


def test_C2_the_fourth_card_must_be_exposed():
    deal = after(exposing(), expose(0, "AH"), expose(2, "TC"), expose(1, "JD"))
    assert deal.phase is Phase.PLAYING
    assert deal.exposures[-1] == (0, card(FOUR, "QS"))
    assert same(deal.face_up[0], "AH QS")
    assert same(deal.hands[0], "2D")


def test_C2_the_fourth_card_must_be_exposed_by_a_player_who_was_done():
    deal = after(exposing(), Declined(1), expose(0, "AH"), Declined(1), expose(2, "TC"), expose(0, "QS"))
    assert deal.phase is Phase.PLAYING
    assert same(deal.face_up[1], "JD")


def test_C2_a_player_may_expose_none_any_or_all():
    none = after(exposing(), Declined(0), Declined(1), Declined(2))
    assert none.face_up == ((),) * 4
    one = after(exposing(), Declined(1), Declined(2), expose(0, "AH"), Declined(0), Declined(1), Declined(2))
    assert same(one.face_up[0], "AH")
    both = after(exposing(), expose(0, "AH"), expose(0, "QS"), Declined(1), Declined(2))
    assert same(both.face_up[0], "AH QS")
    assert {deal.phase for deal in (none, one, both)} == {Phase.PLAYING}


def test_C2_the_phase_goes_on_while_anybody_may_be_willing():
    deal = after(exposing(), Declined(0), Declined(2))
    assert deal.phase is Phase.EXPOSING
    assert deal.waiting_for == (1,)


def test_C2_who_was_done_may_think_again_when_another_card_is_exposed():
    deal = after(exposing(), Declined(0), Declined(2), expose(1, "JD"))
    assert deal.phase is Phase.EXPOSING
    assert deal.waiting_for == (0, 2)
    assert same(after(deal, expose(2, "TC")).face_up[2], "TC")


def test_C2_no_card_is_exposed_once_the_first_trick_may_begin():
    deal = after(exposing(), Declined(0), Declined(1), Declined(2))
    assert refused(deal, expose(0, "QS")).id == "not_exposing"
    assert refused(exposing(), Played(0, card(FOUR, "2D"))).id == "not_playing"


def test_C2_who_is_still_deciding_is_not_shown():
    quiet, declined = exposing(), after(exposing(), Declined(0))
    views = [seat_view(Game(FOUR, deals=(deal,)), 3) for deal in (quiet, declined)]
    assert views[0] == views[1]


def test_C3_the_oldest_player_leads_the_first_deal():
    for oldest in range(4):
        started = Game(FOUR, oldest=oldest)
        started = started.advance(shuffle(started, Random(1)))
        deal = started.deals[0]
        while deal.waiting_for and deal.phase is Phase.EXPOSING:
            deal = after(deal, Declined(deal.waiting_for[0]))
        assert deal.turn == oldest


def test_C3_later_who_collected_the_queen_of_spades_leads():
    deal = last_tricks(FOUR, "4S", "5S", "QS", "6S")
    going = play_on(Game(FOUR, oldest=1, deals=(deal,)), "4S 5S QS 6S")
    hands = "2C JD QS", "3C 4C 5C", "AH 6C 7C", "TC 8C 9C"
    going = going.advance(Dealt(1, tuple(tuple(card(FOUR, code) for code in one.split()) for one in hands)))
    for seat in (0, 2, 3):
        going = going.advance(Declined(seat))
    assert going.deal.turn == 2
    assert may_play(going.deal, "AH 6C 7C")  # C4: no card is fixed


def test_C4_the_leader_may_lead_any_card_of_the_hand_hearts_included():
    assert may_play(last_tricks(FOUR, "2H QS 4D", "2D 3D 8D", "4C 5D 9D", "6D 7D TD"), "2H QS 4D")


def test_C4_an_exposed_card_is_led_only_when_the_hand_is_empty():
    deal = last_tricks(FOUR, "2H", "2D 3D", "4C 5D", "6D 7D", face_up={0: "QS"})
    assert may_play(deal, "2H")
    refusal = refused(deal, "QS")
    assert refusal.id == "hand_before_exposed"
    assert str(refusal) == "Play cards from your hand before those you exposed."
    assert may_play(last_tricks(FOUR, "", "2D 3D", "4C 5D", "6D 7D", face_up={0: "QS JD"}), "QS JD")


def led(hand: str, *, face_up: str, lead: str = "4S") -> Deal:
    """Seat 1, with these cards in hand and these exposed, is to follow."""
    count = len(f"{hand} {face_up}".split())
    return play(last_tricks(FOUR, lead, hand, "2D " * count, "3D " * count, face_up={1: face_up}), lead)


def test_C5_a_card_of_the_suit_from_the_hand_comes_first():
    deal = led("2S 9D", face_up="QS")
    assert may_play(deal, "2S")
    assert refused(deal, "QS").id == "hand_before_exposed"
    assert refused(deal, "9D").id == "follow_suit"


def test_C5_then_one_that_lies_exposed():
    deal = led("2H 9D", face_up="QS")
    assert may_play(deal, "QS")
    assert refused(deal, "9D").id == "follow_suit"


def test_C5_then_any_card_from_the_hand_or_exposed():
    assert may_play(led("2H 9D", face_up="QS JD", lead="4C"), "2H 9D QS JD")


def test_C5_there_is_no_safe_first_trick():
    deal = first_trick(FOUR, "2C 3C", "JD 2H QS", "4C 5C", "6C 7C")
    deal = play(after(deal, Declined(1)), "2C")
    assert may_play(deal, "JD 2H QS")


def test_C6_an_exposed_card_of_the_suit_led_goes_back_to_the_hand():
    hands = "4S 2D", "2S 3D", "3S 4D", "5S 6D"
    deal = last_tricks(FOUR, *(f"{one} 7C" for one in hands), face_up={1: "QS AH", 2: "JD"})
    deal = play(deal, "4S 2S 3S 5S")
    assert same(deal.hands[1], "3D 7C QS")
    assert same(deal.face_up[1], "AH")
    assert same(deal.face_up[2], "JD")


def test_C6_not_before_the_trick_is_over():
    deal = last_tricks(FOUR, "4S 2D", "2S 3D", "3S 4D", "5S 6D", face_up={1: "QS"})
    deal = play(deal, "4S 2S 3S")
    assert same(deal.face_up[1], "QS")
    assert same(play(deal, "5S").hands[1], "3D QS")


def test_C6_a_card_that_was_played_does_not_go_back():
    deal = last_tricks(FOUR, "4S 2D", "3D 8D", "3S 4D", "5S 6D", face_up={1: "QS"})
    deal = play(deal, "4S QS 3S 5S")
    assert same(deal.hands[1], "3D 8D")
    assert deal.face_up == ((),) * 4
    assert same(deal.taken[1], "4S QS 3S 5S")


def test_C6_once_back_in_the_hand_it_may_be_led():
    deal = last_tricks(FOUR, "4S 2D", "AS 3D", "3S 4D", "5S 6D", face_up={1: "QS"})
    assert may_play(play(deal, "4S AS 3S 5S"), "3D QS")


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("QS", -100),
        ("JD", 100),
        ("AH", -50),
        ("KH", -40),
        ("QH", -30),
        ("JH", -20),
        *[(f"{rank}H", -10) for rank in "56789T"],
        *[(f"{rank}H", 0) for rank in "234"],
        *[(code, 0) for code in ("KS", "AS", "QD", "9C", "7C", "AC")],
    ],
)
def test_C7_base_values(code, value):
    assert points(FOUR, code) == (value, 0, 0, 0)


@pytest.mark.parametrize(
    ("exposed", "scores"),
    [
        ("QS", (-200, 100, -50, -10)),
        ("JD", (-100, 200, -50, -10)),
        ("AH", (-100, 100, -100, -20)),  # every heart, whoever collects it
        ("TC", (-100, 100, -50, -10)),
        ("QS JD AH", (-200, 200, -100, -20)),
    ],
)
def test_C8_a_value_doubles_if_a_card_of_its_suit_was_exposed(exposed, scores):
    assert points(FOUR, "QS", "JD", "AH", "5H", exposed=exposed) == scores


def test_C8_exposed_counts_when_the_card_was_picked_up_or_played_since():
    deal = last_tricks(FOUR, "4S", "KS", "3S", "5H", exposed="AH")
    assert play(deal, "4S KS 3S 5H").points == (0, -20, 0, 0)


def test_C8_all_thirteen_hearts_flip_their_signs():
    assert points(FOUR, ALL_HEARTS, "QS", "JD") == (200, -100, 100, 0)
    assert points(FOUR, ALL_HEARTS, "QS", "JD", exposed="AH") == (400, -100, 100, 0)


def test_C8_the_queen_does_not_flip():
    assert points(FOUR, f"{ALL_HEARTS} QS") == (100, 0, 0, 0)


def test_C8_twelve_hearts_do_not_flip():
    assert points(FOUR, ALL_HEARTS[3:], "2H") == (-200, 0, 0, 0)


def test_C9_the_sun():
    assert points(FOUR, f"{ALL_HEARTS} QS JD TC", exposed="TC AH") == (10000, 0, 0, 0)


def test_C9_without_one_of_its_cards_there_is_no_sun():
    assert points(FOUR, f"{ALL_HEARTS} QS JD", "TC") == (200, 50, 0, 0)
    assert points(FOUR, f"{ALL_HEARTS} JD TC", "QS") == (600, -100, 0, 0)
    assert points(FOUR, f"{ALL_HEARTS} QS TC", "JD") == (200, 100, 0, 0)
    assert points(FOUR, f"{ALL_HEARTS[3:]} QS JD TC", "2H") == (-400, 0, 0, 0)


@pytest.mark.parametrize(
    ("pile", "total"),
    [("TC QS", -100), ("TC JD", 100), ("TC AH", -50), ("TC JD 5H", 90), ("TC 2H", 0)],
)
def test_C9_the_ten_doubles_the_total_and_exposed_it_makes_it_fourfold(pile, total):
    assert points(FOUR, pile) == (2 * total, 0, 0, 0)
    assert points(FOUR, pile, exposed="TC") == (4 * total, 0, 0, 0)


def test_C9_the_ten_with_none_of_them_is_50_or_100():
    assert points(FOUR, "TC KS 9C QD") == (50, 0, 0, 0)
    assert points(FOUR, "TC KS 9C QD", exposed="TC") == (100, 0, 0, 0)


def test_C9_doubling_and_the_ten_multiply():
    assert points(FOUR, "TC AH", exposed="AH TC") == (-50 * 2 * 4, 0, 0, 0)


def test_C9_without_the_ten_the_total():
    assert points(FOUR, "JD 5H QS", "TC") == (-10, 50, 0, 0)


@pytest.mark.parametrize(
    ("before", "taken", "over"),
    [(4899, "JD", False), (4900, "JD", True), (-4899, "QS", False), (-4900, "QS", True)],
)
def test_C10_over_when_a_totals_absolute_value_exceeds_4999(before, taken, over):
    deal = last_tricks(FOUR, "4S", "KS", "3S", "5S", taken={1: taken})
    ended = play_on(game(FOUR, 0, before, 10, 20, deal=deal), "4S KS 3S 5S")
    assert abs(ended.totals[1]) == abs(before) + 100
    assert ended.over is over


def test_C10_the_highest_total_wins():
    deal = last_tricks(FOUR, "4S", "KS", "3S", "5S", taken={1: "QS"})
    ended = play_on(game(FOUR, 0, -4900, 10, 20, deal=deal), "4S KS 3S 5S")
    assert ended.totals == (0, -5000, 10, 20)
    assert ended.winners == (3,)
    deal = last_tricks(FOUR, "4S", "KS", "3S", "5S", taken={1: "JD"})
    ended = play_on(game(FOUR, 0, 4900, 10, 20, deal=deal), "4S KS 3S 5S")
    assert ended.winners == (1,)
