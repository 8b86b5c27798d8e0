"""W16 to W24: the Wikibook's games with two decks."""

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

DIRTY = rules("double-deck", 6)
CLEAN = rules("double-deck", 6, remainder="remove")
SEVEN = rules("double-deck", 7)
EIGHT = rules("double-deck", 8)
NINE = rules("double-deck", 9)
TEN = rules("double-deck", 10)
FIRST_WINS = CLEAN
CANCEL = rules("double-deck", 6, remainder="remove", duplicates="cancel")
BOTH_MOONS = f"{ALL_HEARTS} {ALL_HEARTS} QS QS"
ALICE, BOB, CAROL, DAVE, EVE, FRANK = range(6)


@pytest.mark.parametrize(
    ("of", "cards", "scores", "each", "down"),
    [
        (DIRTY, 104, 52, 17, 2),
        (CLEAN, 102, 52, 17, 0),
        (SEVEN, 105, 52, 15, 0),
        (EIGHT, 104, 52, 13, 0),
        (NINE, 100, 51, 11, 1),
        (TEN, 100, 51, 10, 0),
    ],
)
def test_W16_the_table_of_decks_points_and_hands(of, cards, scores, each, down):
    assert pack(of).total() == cards
    assert pack(of)["QS"] * 13 + sum(pack(of)[code] for code in ALL_HEARTS.split()) == scores
    assert layout(of) == ([each] * of.players, down)


@pytest.mark.parametrize(
    ("of", "removed", "added"),
    [
        (DIRTY, "", ""),
        (CLEAN, "2C 2D", ""),
        (SEVEN, "", "JK"),
        (EIGHT, "", ""),
        (NINE, "2C 2D 2S 2H", ""),
        (TEN, "2C 2D 2S 2H", ""),
    ],
)
def test_W16_what_is_removed_and_added(of, removed, added):
    assert pack(of) == decks(2, removed, added)


def test_W16_dirty_the_first_down_card_goes_with_the_first_trick_the_second_with_the_last():
    deal = first_trick(DIRTY, "2C", "3C", "4C", "5C", "6C", "7C", kitty="QS KH", dealer=5)
    deal = play(deal, "2C 3C 4C 5C 6C 7C")
    assert same(deal.kitty_taken[5], "QS")
    assert same(deal.kitty, "KH")
    deal = play(last_tricks(DIRTY, "2S", "3S", "4S", "5S", "7S", "6S", kitty="KH"), "2S 3S 4S 5S 7S 6S")
    assert deal.points == (0, 0, 0, 0, 1, 0)


def test_W16_with_nine_the_down_card_goes_with_the_first_trick():
    hands = ["2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC"]
    deal = play(first_trick(NINE, *hands, kitty="QS", dealer=8), " ".join(hands))
    assert same(deal.kitty_taken[8], "QS")
    assert deal.kitty == ()


@pytest.mark.parametrize(
    ("of", "steps"),
    [
        (DIRTY, [1, -1, 2, -2, 3, 0]),
        (CLEAN, [1, -1, 2, -2, 3, 0]),
        (SEVEN, [1, -1, 2, -2, 3, -3, 0]),
        (EIGHT, [1, -1, 2, -2, 3, -3, 4, 0]),
        (NINE, [1, -1, 2, -2, 3, -3, 4, -4, 0]),
        (TEN, [1, -1, 2, -2, 3, -3, 4, -4, 5, 0]),
    ],
)
def test_W17_passes_go_to_everyone_in_turn_and_then_nowhere(of, steps):
    assert offsets(of, 2 * len(steps)) == steps * 2


def test_W17_three_cards_straight_across():
    hands = [f"{rank}C {rank}D {rank}S" for rank in "456789"]
    deal = pass_cards(passing(CLEAN, *hands, number=5), *hands)
    assert [same(deal.hands[(seat + 3) % 6], codes) for seat, codes in enumerate(hands)] == [True] * 6


@pytest.mark.parametrize(
    ("dealer", "leader"),
    [(0, 1), (1, 4), (3, 4), (4, 1), (5, 1)],  # who deals is asked last
)
def test_W18_of_two_copies_the_first_from_the_dealers_left_leads(dealer, leader):
    deal = first_trick(EIGHT, "3C", "2C 9C", "4C", "5C", "2C 9C", "6C", "7C", "8C", dealer=dealer)
    assert deal.turn == leader
    assert may_play(deal, "2C")
    assert str(refused(deal, "9C")) == "The two of clubs leads the first trick."


@pytest.mark.parametrize(
    ("kitty", "leader", "lead"),
    [("2C 9S", 5, "2C"), ("2C 2C", 3, "3C"), ("9S 9D", 0, "2C")],
)
def test_W18_if_every_copy_lies_in_the_kitty_the_three_is_searched_the_same_way(kitty, leader, lead):
    twos = ["2C" if kitty.count("2C") == 0 else "9C", "2C" if kitty.count("2C") < 2 else "9C"]
    hands = [f"{twos[0]} AH", "3C AH", "4C AH", "3C AH", "5C AH", f"{twos[1]} AH"]
    deal = first_trick(DIRTY, *hands, kitty=kitty, dealer=1 if lead == "3C" else 5)
    assert deal.turn == leader
    assert may_play(deal, lead)


SEVEN_HANDS = ["2C 3C", "9C 4C", "JK 5C", "6C 2C", "7C 8C", "8C TC", "9C TC"]


def test_W18_with_seven_the_joker_leads():
    deal = first_trick(SEVEN, *SEVEN_HANDS)
    assert deal.turn == 2
    assert may_play(deal, "JK")
    assert str(refused(deal, "5C")) == "The joker leads the first trick."


def test_W18_the_joker_is_a_club_to_be_followed():
    deal = play(first_trick(SEVEN, *SEVEN_HANDS), "JK")
    assert deal.trick.led_suit.title == "clubs"
    assert may_play(deal, "6C 2C")


def test_W18_the_joker_follows_clubs_only():
    hands = ["4S 4C", "JK 5S", "6S 6C", "7S 7C", "8S 8C", "9S 9C", "TS TC"]
    assert refused(play(last_tricks(SEVEN, *hands), "4S"), "JK").id == "follow_suit"
    hands[1] = "JK 5D"
    assert may_play(play(last_tricks(SEVEN, *hands), "4C"), "JK")


def test_W18_the_joker_is_the_lowest_club_but_can_win():
    assert trick(SEVEN, "JK 2C AS AS AD AD KD") == 1
    assert trick(SEVEN, "JK 2D AS AS AD AD KD") == 0


def test_W18_the_joker_is_never_cancelled():
    cancel = rules("double-deck", 7, duplicates="cancel")
    assert trick(cancel, "JK 2C 2C AC AC KD KS") == 0


@pytest.mark.parametrize(
    ("before", "taken", "total"),
    [(37, "QS", 0), (87, "QS", 50), (137, "QS", 100), (36, "QS", 49), (38, "QS", 51), (187, "QS", 200)],
)
def test_W19_a_total_exactly_on_fifty_a_hundred_or_150_loses_fifty(before, taken, total):
    of = rules("double-deck", 6, remainder="remove", even_scores=True, ends_at=200)
    deal = last_tricks(of, "AS", "3S", "4S", "5S", "6S", "7S", taken={1: taken})
    ended = play_on(game(of, 1, before, 2, 3, 4, 5, deal=deal), "AS 3S 4S 5S 6S 7S")
    assert ended.totals == (1, total, 2, 3, 4, 5)


@pytest.mark.parametrize(("option", "over"), [(True, False), (False, True)])
def test_W19_fifty_are_lost_before_the_end_is_tested(option, over):
    of = rules("double-deck", 6, remainder="remove", even_scores=option)
    deal = last_tricks(of, "AS", "3S", "4S", "5S", "6S", "7S", taken={1: "QS"})
    ended = play_on(game(of, 1, 87, 2, 3, 4, 5, deal=deal), "AS 3S 4S 5S 6S 7S")
    assert ended.over is over


def test_W20_first_wins_the_first_copy_ranks_higher():
    assert trick(FIRST_WINS, "7D KD 2C 3C KD 9D") == BOB
    assert trick(FIRST_WINS, "KD 7D KD 3C 4C 9D") == ALICE


def test_W20_cancel_both_copies_drop_out():
    assert trick(CANCEL, "7D KD 2C 3C KD 9D") == FRANK
    assert trick(CANCEL, "7D KD AD 3C KD AD") == ALICE
    assert trick(CANCEL, "7D KD AS AS KD 6D") == ALICE  # twins of another suit change nothing


def test_W20_cancelled_cards_still_count():
    deal = play(last_tricks(CANCEL, "7H", "KH", "2C", "3C", "KH", "9H"), "7H KH 2C 3C KH 9H")
    assert deal.points == (0, 0, 0, 0, 0, 4)


ON_HOLD = "4H 3H 9C 9D 4H 3H"


def held():
    """A trick on hold, and three tricks to come."""
    hands = ["4H 5H 6S 7S", "3H 2H TS 2S", "9C TC JC QC", "9D QS KD AD", "4H 5H KS 3S", "3H TD 8S 9S"]
    return play(last_tricks(CANCEL, *hands, broken=True), ON_HOLD)


def test_W21_a_trick_of_which_all_are_cancelled_is_on_hold_and_its_leader_leads_again():
    deal = held()
    assert deal.tricks[-1].winner is None
    assert same(deal.on_hold, ON_HOLD)
    assert deal.taken == ((),) * 6
    assert deal.turn == ALICE


def test_W21_the_next_winner_takes_what_is_on_hold_too():
    deal = play(held(), "6S TS TC QS KS 8S")
    assert same(deal.taken[EVE], f"{ON_HOLD} 6S TS TC QS KS 8S")
    assert deal.on_hold == ()
    assert deal.turn == EVE


def test_W21_two_tricks_on_hold_go_to_whoever_wins_the_third():
    hands = ["4H 5H 6S", "4H 5H TS", "9C TC JC", "9D QS KD", "8C TC KS", "3C TD 8S"]
    deal = play(last_tricks(CANCEL, *hands, broken=True), "4H 4H 9C 9D 8C 3C 5H 5H TC QS TC TD")
    assert deal.turn == ALICE
    assert len(deal.on_hold) == 12
    assert play(deal, "6S TS JC KD KS 8S").points == (0, 0, 0, 0, 17, 0)


def test_W21_on_the_last_trick_the_second_copy_of_the_highest_card_wins_all():
    deal = last_tricks(CANCEL, "4H", "KH", "9C", "QS", "4H", "KH")
    assert play(deal, "4H KH 9C QS 4H KH").points == (0, 0, 0, 0, 0, 17)


def test_W21_a_kitty_card_goes_on_hold_with_its_trick():
    of = rules("double-deck", 6, duplicates="cancel")
    hands = ["2C 4S", "2C KS", "3C 5S", "3C 6S", "9D 7S", "9D 8S"]
    deal = play(first_trick(of, *hands, kitty="QS KH", dealer=5), "2C 2C 3C 3C 9D 9D")
    assert deal.turn == ALICE
    assert deal.kitty_taken == ((),) * 6
    assert same(deal.kitty, "KH")
    assert same(play(deal, "4S KS 5S 6S 7S 8S").kitty_taken[BOB], "QS")


def test_W22_first_come_first_served():
    deal = last_tricks(FIRST_WINS, "7D 2S", "KD 3S", "2C 4S", "3C 5S", "KD 6S", "9D 7S")
    deal = play(deal, "7D KD 2C 3C KD 9D")
    assert deal.tricks[-1].winner == BOB
    assert deal.turn == BOB


def test_W22_example_1_both_kings_drop_out_and_frank_wins_with_the_nine():
    deal = last_tricks(CANCEL, "7D 2S", "KD 3S", "2C 4S", "3C 5S", "KD 6S", "9D 7S")
    deal = play(deal, "7D KD 2C 3C KD 9D")
    assert deal.tricks[-1].winner == FRANK
    assert deal.turn == FRANK


def test_W22_example_2_both_queens_are_cancelled_and_bob_takes_26():
    deal = last_tricks(CANCEL, "7S 2D", "JS 3D", "QS 4D", "8S 5D", "QS 6D", "TS 7D")
    deal = play(deal, "7S JS")
    assert may_play(deal, "QS")  # Carol is forced
    deal = play(deal, "QS 8S QS TS")
    assert deal.tricks[-1].winner == BOB
    assert play(deal, "3D 4D 5D 6D 7D 2D").points == (0, 26, 0, 0, 0, 0)


def test_W22_example_3_bob_takes_4_from_the_trick_before_and_16_from_this_one():
    hands = ["4H 5H", "3H 2H", "9C TC", "9D QS", "4H 5H", "3H TD"]
    deal = play(last_tricks(CANCEL, *hands, broken=True), "4H 3H 9C 9D 4H 3H")
    assert deal.tricks[-1].winner is None
    assert deal.turn == ALICE
    deal = play(deal, "5H 2H TC QS 5H TD")
    assert deal.tricks[-1].winner == BOB
    assert deal.points == (0, 4 + 16, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("choice", "scores"), [(ADD, (52, 0, 52, 52, 52, 52)), (SUBTRACT, (0, -52, 0, 0, 0, 0))]
)
def test_W23_the_shooter_chooses_52(choice, scores):
    deal = last_tricks(
        CLEAN, "2S", "AS", "QS", "AH", "QS", "AH", taken={1: f"{ALL_HEARTS[:-3]} {ALL_HEARTS[:-3]}"}
    )
    deal = play(deal, "2S AS QS AH QS AH")
    assert deal.phase is Phase.CHOOSING_MOON
    assert choose(deal, choice).points == scores


def test_W23_one_deck_of_hearts_is_no_moon():
    assert points(CLEAN, f"{ALL_HEARTS} QS", f"{ALL_HEARTS} QS") == (26, 26, 0, 0, 0, 0)
    assert points(CLEAN, f"{ALL_HEARTS} {ALL_HEARTS} QS", "QS") == (39, 13, 0, 0, 0, 0)


def test_W23_the_moon_is_worth_52_where_a_heart_was_removed():
    moon = f"{ALL_HEARTS} {ALL_HEARTS[3:]} QS QS"
    assert points(NINE, moon, choice=SUBTRACT) == (-52, *[0] * 8)
    assert points(TEN, moon, choice=ADD) == (0, *[52] * 9)


def test_W23_half_a_moon():
    half = rules("double-deck", 6, remainder="remove", moon="half")
    deal = last_tricks(
        half, "2S", "AS", "QS", "AH", "QS", "AH", taken={1: f"{ALL_HEARTS[:-3]} {ALL_HEARTS[:-3]}"}
    )
    deal = play(deal, "2S AS QS AH QS AH")
    assert deal.phase is Phase.DONE  # nobody chooses anything
    assert deal.points == (26, -26, 26, 26, 26, 26)


@pytest.mark.parametrize(
    ("preset", "players", "moon", "worth"),
    [("double-deck", 8, BOTH_MOONS, 117), ("wikibooks", 4, f"{ALL_HEARTS} QS", 58)],
)
def test_W23_half_of_117_for_each_deck_rounded_down(preset, players, moon, worth):
    half = rules(preset, players, moon="half", spot_hearts=True)
    assert points(half, moon) == (-worth, *[worth] * (players - 1))


@pytest.mark.parametrize(
    ("choice", "scores"),
    [(ADD, (0, *[234] * 7)), (SUBTRACT, (-234, *[0] * 7))],
)
def test_W23_with_spot_hearts_117_for_each_deck(choice, scores):
    assert points(rules("double-deck", 8, spot_hearts=True), BOTH_MOONS, choice=choice) == scores


@pytest.mark.parametrize(
    ("options", "limit"),
    [({}, 100), ({"ends_at": 200}, 200)],
)
def test_W24_over_at_a_hundred_or_two_hundred(options, limit):
    of = rules("double-deck", 8, **options)
    for before, over in ((limit - 14, False), (limit - 13, True)):
        deal = last_tricks(of, "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", taken={3: "QS"})
        ended = play_on(game(of, 1, 2, 3, before, 5, 6, 7, 8, deal=deal), "2S 3S 4S 5S 6S 7S 8S 9S")
        assert ended.over is over
        assert ended.winners == ((0,) if over else None)
