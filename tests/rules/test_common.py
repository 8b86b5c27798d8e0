"""G1 to G6: what all the games have in common."""

import pytest
from cardtable import (
    CLASSIC,
    after,
    first_trick,
    game,
    hand,
    last_tricks,
    may_play,
    pass_cards,
    passing,
    play,
    play_on,
    refused,
    rules,
    same,
    trick,
)

from engine.errors import Refusal
from engine.play.deal import Phase
from engine.play.game import Game
from engine.play.moves import Dealt, Passed, Played
from engine.play.views import seat_view
from engine.rules.ruleset import Ruleset


def test_G1_play_goes_clockwise_from_the_leader():
    deal = last_tricks(CLASSIC, "4S 2D", "5S 3D", "2S 4D", "3S 5D", leader=2)
    turns = []
    for code in ("2S", "3S", "4S", "5S"):
        turns.append(deal.turn)
        deal = play(deal, code)
    assert turns == [2, 3, 0, 1]


def test_G1_nobody_plays_out_of_turn():
    deal = last_tricks(CLASSIC, "4S 2D", "5S 3D", "2S 4D", "3S 5D", leader=2)
    refusal = refused(deal, Played(0, hand(CLASSIC, "4S")[0]))
    assert refusal.id == "not_your_turn"
    assert deal.legal(0) == ()


def test_G1_a_suit_that_is_led_is_followed_if_possible():
    deal = play(last_tricks(CLASSIC, "4S 2D", "5S 3D", "2S 4D", "3S 5D"), "4S")
    assert may_play(deal, "5S")
    refusal = refused(deal, "3D")
    assert refusal.id == "follow_suit"
    assert str(refusal) == "You have spades, so you must follow suit."


def test_G1_who_is_void_may_play_any_card():
    deal = play(last_tricks(CLASSIC, "4S 2D 3D", "5D 3C QH", "2S 4D TH", "3S 6D JH"), "4S")
    assert may_play(deal, "5D 3C QH")


def test_G1_a_card_that_is_not_held_cannot_be_played():
    deal = last_tricks(CLASSIC, "4S 2D", "5S 3D", "2S 4D", "3S 5D")
    refusal = refused(deal, "5S")
    assert refusal.id == "not_held"
    assert str(refusal) == "You don't hold the five of spades."


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("2C TC JC 9C", 2),
        ("AD KD QD JD", 0),
        ("9S TS JS QS", 3),
        ("2S AH AD AC", 0),  # no other suit beats the one that was led
        ("7H AS 8H AC", 2),
    ],
)
def test_G1_the_highest_card_of_the_suit_led_wins(cards, winner):
    assert trick(CLASSIC, cards) == winner


def test_G1_the_winner_collects_the_trick_and_leads_the_next():
    deal = play(last_tricks(CLASSIC, "4S 2D", "5S 3D", "KS 4D", "3H 5D"), "4S 5S KS 3H")
    assert same(deal.taken[2], "4S 5S KS 3H")
    assert deal.taken[0] == deal.taken[1] == deal.taken[3] == ()
    assert deal.turn == 2


def test_G2_what_forbids_every_card_forbids_none():
    only_hearts_and_the_queen = first_trick(CLASSIC, "2C 3C", "QS 2H", "4C 5C", "6C 7C")
    assert may_play(play(only_hearts_and_the_queen, "2C"), "QS 2H")


def test_G2_following_suit_comes_before_a_safe_first_trick():
    hooligan = rules("classic", 4, hooligan=True, safe_first_trick="all-scoring")
    deal = play(first_trick(hooligan, "2C 3C", "7C 9D", "4C 5C", "6C 8C"), "2C")
    assert may_play(deal, "7C")
    assert refused(deal, "9D").id == "follow_suit"


def test_G2_among_cards_of_the_suit_the_safe_first_trick_still_forbids():
    hooligan = rules("classic", 4, hooligan=True, safe_first_trick="all-scoring")
    deal = play(first_trick(hooligan, "2C 3C", "7C 9C", "4C 5C", "6C 8C"), "2C")
    assert may_play(deal, "9C")
    assert refused(deal, "7C").id == "safe_from_scoring"


def test_G3_all_passes_happen_at_once():
    deal = passing(CLASSIC, "2C 3C 4C 5C", "2D 3D 4D 5D", "2S 3S 4S 5S", "2H 3H 4H 5H", number=1)
    waiting = pass_cards(deal, "2C 3C 4C", "2D 3D 4D", "2S 3S 4S")
    assert waiting.hands == deal.hands
    assert waiting.waiting_for == (3,)
    passed = after(waiting, Passed(3, hand(CLASSIC, "2H 3H 4H")))
    assert passed.phase is Phase.PLAYING
    assert [str(sorted(one, key=lambda card: card.order)) for one in passed.hands] == [
        "[5C, 2H, 3H, 4H]",
        "[2C, 3C, 4C, 5D]",
        "[2D, 3D, 4D, 5S]",
        "[2S, 3S, 4S, 5H]",
    ]


def test_G3_received_cards_are_not_seen_before_everyone_has_chosen():
    dealt = Dealt(0, tuple(hand(CLASSIC, f"2{suit} 3{suit} 4{suit} 5{suit}") for suit in "CDSH"))
    on_the_way = Game(CLASSIC).advance(dealt).advance(Passed(0, hand(CLASSIC, "2C 3C 4C")))
    neighbour = seat_view(on_the_way, 1)
    assert same(neighbour.hand, "2D 3D 4D 5D")
    assert neighbour.received == ()
    assert neighbour.passed is None
    assert neighbour.deal.has_chosen == (True, False, False, False)


def test_G3_received_cards_cannot_be_passed_on():
    deal = passing(CLASSIC, "2C 3C 4C 5C", "2D 3D 4D 5D", "2S 3S 4S 5S", "2H 3H 4H 5H", number=1)
    deal = pass_cards(deal, "2C 3C 4C")
    refusal = refused(deal, Passed(1, hand(CLASSIC, "2C 2D 3D")))
    assert refusal.id == "not_held"
    assert str(refusal) == "You don't hold the two of clubs."


def test_G3_the_number_of_cards_to_pass_is_exact():
    deal = passing(CLASSIC, "2C 3C 4C 5C", "2D 3D 4D 5D", "2S 3S 4S 5S", "2H 3H 4H 5H", number=1)
    for codes in ("", "2C 3C", "2C 3C 4C 5C"):
        assert refused(deal, Passed(0, hand(CLASSIC, codes))).id == "pass_count"
    assert str(refused(deal, Passed(0, ()))) == "Choose exactly 3 cards to pass."
    assert refused(deal, Passed(0, hand(CLASSIC, "2C 2C 3C"))).id == "not_held"


def test_G4_totals_add_up_over_deals():
    deal = last_tricks(CLASSIC, "AS", "2H", "3S", "QS", taken={1: "3H 4H"})
    ended = play_on(game(CLASSIC, 10, 20, 30, 40, deal=deal), "AS 2H 3S QS")
    assert ended.totals == (24, 22, 30, 40)
    assert ended.history == ((10, 20, 30, 40), (24, 22, 30, 40))


def test_G4_the_end_is_not_tested_within_a_deal():
    deal = last_tricks(CLASSIC, "AS 3D", "2H 4D", "3S 5D", "QS 6D")
    going = play_on(game(CLASSIC, 95, 20, 30, 40, deal=deal), "AS 2H 3S QS")
    assert not going.over
    assert going.winners is None
    assert going.totals == (95, 20, 30, 40)
    over = play_on(going, "3D 4D 5D 6D")
    assert over.over
    with pytest.raises(Refusal) as caught:
        over.advance(Played(0, hand(CLASSIC, "2C")[0]))
    assert caught.value.id == "game_over"


def test_G5_level_players_share_the_win():
    deal = last_tricks(CLASSIC, "AS", "2H", "3S", "4S", taken={3: "3H"})
    over = play_on(game(CLASSIC, 99, 20, 20, 20, deal=deal), "AS 2H 3S 4S")
    assert over.totals == (100, 20, 20, 21)
    assert over.winners == (1, 2)


def test_G5_level_players_share_the_win_where_the_highest_total_wins():
    highest = rules("classic", 4, winner="highest")
    deal = last_tricks(highest, "AS", "2H", "3S", "4S", taken={1: "3H"})
    over = play_on(game(highest, 99, 99, 20, 20, deal=deal), "AS 2H 3S 4S")
    assert over.totals == (100, 100, 20, 20)
    assert over.winners == (0, 1)


@pytest.mark.parametrize("before", [0, 95])
def test_G6_a_game_of_two_deals_is_over_after_the_second_whatever_the_totals(before: int) -> None:
    two = rules("classic", 4, deals=2)
    deal = last_tricks(two, "AS", "2H", "3S", "4S", taken={0: "3H 4H 5H 6H"})
    assert not Game(two, history=((120, 0, 0, 0),)).over
    second = play_on(game(two, before, 20, 30, 40, deal=deal), "AS 2H 3S 4S")
    assert second.over
    assert second.totals == (before + 5, 20, 30, 40)
    assert second.winners == ((0,) if before == 0 else (1,))


def test_G6_a_total_does_not_end_it() -> None:
    three = rules("classic", 4, deals=3)
    deal = last_tricks(three, "AS", "2H", "3S", "4S")
    assert not play_on(game(three, 99, 20, 30, 40, deal=deal), "AS 2H 3S 4S").over


def test_G6_rules_without_the_option_are_those_of_older_records() -> None:
    assert "deals" not in rules("classic", 4).options
    older = rules("classic", 4).to_whole_json()
    del older["options"]["deals"]
    assert Ruleset.from_json(older) == rules("classic", 4)


@pytest.mark.parametrize(
    ("game", "players", "options", "together"),
    [
        ("classic", 4, {}, 26),
        ("classic", 4, {"jack_of_diamonds": True}, 36),  # good points are at stake as well (K8)
        ("double-deck", 6, {}, 52),
        ("chinese", 4, {}, 400),  # the queen -100, the jack +100, hearts -200 (C7)
    ],
)
def test_what_is_at_stake_are_good_points_and_bad_ones(game, players, options, together):
    assert rules(game, players, **options).at_stake == together
