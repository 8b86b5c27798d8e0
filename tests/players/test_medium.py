"""The medium player: named situations and honesty. How well it plays is in test_easy."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from seating import dealt, hand, my_view, passes, playing, plays, reshuffled, rules, with_history

from engine.play.deal import Phase
from engine.play.game import Game, shuffle
from engine.play.moves import Declined, Exposed, MoonChosen
from engine.play.views import seat_view
from engine.players import Player, Strength, computer, medium_move, random_move
from engine.players.manners import Manner
from engine.players.memory import not_seen, passed_on
from engine.rules.options import MoonChoice

CLASSIC = rules("classic", 4)
WITH_JACK = rules("classic", 4, jack_of_diamonds=True)
HOOLIGAN = rules("wikibooks", 4, hooligan=True)
CANCELLATION = rules("cancellation", 5)
CANCEL_LOWEST = rules("cancellation", 5, winner="lowest")
FIRST_WINS = rules("double-deck", 8)
CHINESE = rules("chinese", 4)
CHINESE_LOWEST = rules("chinese", 4, winner="lowest")

GAMES = [
    CLASSIC,
    WITH_JACK,
    rules("classic", 4, winner="highest"),
    rules("wikibooks", 3, remainder="jokers"),
    rules("wikibooks", 5, remainder="kitty", kitty="one-per-trick"),
    rules("wikibooks", 6, spot_hearts=True, jack_of_diamonds=True, hooligan=True),
    rules("double-deck", 7, duplicates="cancel"),
    rules("double-deck", 8, moon="half"),
    CANCELLATION,
    rules("cancellation", 5, pass_cards=5, winner="lowest"),
    CHINESE,
    rules("chinese", 5),
    CHINESE_LOWEST,
]


def name(of):
    if isinstance(of, int):
        return ""
    return " ".join(
        [of.preset.name, str(of.players), *(f"{key}={value}" for key, value in of.options.items())]
    )


def test_ducks_with_a_high_card_that_still_loses():
    assert plays(playing(CLASSIC, "3D TD QD 2C 3C 4C 5C 2S 6S 7S", "JD KD 2H")) in {"TD", "QD"}


def test_takes_a_free_trick_in_the_last_seat_with_the_highest_card():
    assert plays(playing(CLASSIC, "2C TC AC 3D 4D 5D 6S 7S 2H 3H", "5C 7C 9C")) == "AC"


def test_discards_the_queen_of_spades_when_void():
    assert plays(playing(CLASSIC, "QS AH KH 2S 9S AD", "5C 7C")) == "QS"


def test_discards_a_high_heart_rather_than_a_low_one():
    assert plays(playing(CLASSIC, "2H AH 3S 4S 2D", "5C 7C", taken={1: "QS"})) == "AH"


def test_passes_the_queen_without_guards_and_keeps_it_with_many():
    bare = dealt(CLASSIC, "QS 3S 2C 3C 4C 5C 2D 3D 4D 2H 3H 4H 5H")
    assert "QS" in passes(bare)
    guarded = dealt(CLASSIC, "QS 2S 3S 4S 5S 6S AC KC AD KD AH KH QH")
    assert "QS" not in passes(guarded)


def test_passes_ace_and_king_of_spades_without_guards():
    assert {"AS", "KS"} <= passes(dealt(CLASSIC, "AS KS 2C 3C 4C 5C 2D 3D 4D 2H 3H 4H 5H"))


@pytest.mark.parametrize("high", ["AS", "KS"])
def test_keeps_ace_and_king_of_spades_back_while_the_queen_may_still_come(high):
    assert plays(playing(CLASSIC, f"{high} 7S 3S 2D 3D 4D 4C 9C 2H 3H", "5S")) == "7S"
    assert plays(playing(CLASSIC, f"{high} 7S 3S 2D 3D 4D 4C 9C 2H 3H", "5S 6S 8S")) == high


def test_leads_low_spades_to_draw_the_queen_but_never_into_her():
    assert plays(playing(CLASSIC, "4S 5S 6S JD QD JC QC 8H 9H")).endswith("S")
    assert plays(playing(CLASSIC, "KS AS 4S 2D 3D 2C 3C 2H 3H")) not in {"KS", "AS"}


def test_stops_a_moon_with_a_heart():
    taken = {2: "2H 4H 6H 7H 8H 9H TH QS"}
    assert plays(playing(CLASSIC, "3H AH 2C", "5H KH JH", out="QH KC AC 5C 6C 7C", taken=taken)) == "AH"
    nobody = {1: "2H 4H 6H 7H", 2: "8H 9H TH QS"}
    assert plays(playing(CLASSIC, "3H AH 2C", "5H KH JH", out="QH KC AC 5C 6C 7C", taken=nobody)) == "3H"


def test_does_not_feed_a_shooter():
    taken = {1: "2H 4H 5H 6H 7H 8H 9H TH JH QS"}
    assert plays(playing(CLASSIC, "AH 5C 6C", "AD 4D KD", out="KH QH 3H KC AC QC", taken=taken)) != "AH"


def test_goes_for_the_moon_with_an_overwhelming_hand():
    held = "AH KH QH JH TH 9H"
    assert plays(playing(CLASSIC, f"{held} AC", "2H 3H 4H")).endswith("H")
    assert plays(playing(CLASSIC, f"{held} AC", "QS AS 2S")) == "AC"


def test_takes_the_jack_of_diamonds_only_where_it_counts():
    assert plays(playing(WITH_JACK, "3D 9D KD 2C 3C", "JD 4D 5H")) == "KD"
    assert plays(playing(CLASSIC, "3D 9D KD 2C 3C", "JD 4D QS")) == "9D"


def test_avoids_the_seven_of_clubs_with_hooligan():
    assert plays(playing(HOOLIGAN, "3C 5C KC 2D 3D", "6C 7C 2C")) == "5C"
    assert plays(playing(rules("wikibooks", 4), "3C 5C KC 2D 3D", "6C 7C 2C")) == "KC"


def test_plays_for_points_where_the_highest_total_wins():
    trick = "KH 5H QS 2H"
    assert plays(playing(CANCELLATION, "3H AH 2C 3C", trick)) == "AH"
    assert plays(playing(CANCEL_LOWEST, "3H AH 2C 3C", trick)) == "3H"


def test_counts_what_lies_on_hold():
    assert plays(playing(CANCELLATION, "3D AD 2C 3C", "KD 5D 6D 7D", on_hold="QS 5H")) == "AD"
    assert plays(playing(CANCEL_LOWEST, "3D AD 2C 3C", "KD 5D 6D 7D", on_hold="QS 5H")) == "3D"


def test_knows_that_twins_cancel():
    trick = "KD 5D KD 2H"
    assert plays(playing(CANCELLATION, "4D 6D 2C 3C", trick)) == "6D"
    assert plays(playing(CANCEL_LOWEST, "4D 6D 2C 3C", trick)) == "4D"
    assert plays(playing(CANCEL_LOWEST, "KD 3D 2C 3C", "KD 5D 8D 2H")) == "KD"  # both kings drop out


def test_knows_that_the_first_of_two_copies_wins():
    assert plays(playing(FIRST_WINS, "3D KD AD 2C", "KD 5D 8D 2H 6D 7D 4D")) == "KD"


def test_chinese_takes_the_jack_and_fears_the_queen():
    assert plays(playing(CHINESE, "3D AD 2C 3C", "JD 4D 5D")) == "AD"
    assert plays(playing(CHINESE, "3S AS 2C 3C", "QS 4S 5S")) == "3S"
    assert plays(playing(CHINESE_LOWEST, "3S AS 2C 3C", "QS 4S 5S")) == "AS"


@pytest.mark.parametrize(
    ("held", "exposed"),
    [
        ("AD KD JD 5D 4D 2C 3C 4C 2S 3S 4S 2H 3H", "JD"),
        ("JD 2C 3C 4C 5C 7C 2S 3S 4S 2H 3H 4H 5H", None),
        ("QS 3S 2C 3C 4C 5C 2D 3D 4D 2H 3H 4H 5H", None),
        ("AH KH QH 2C 3C 4C 5C 2D 3D 4D 2S 3S 4S", None),
    ],
)
def test_chinese_exposes_what_is_well_guarded(held, exposed):
    move = medium_move(my_view(dealt(CHINESE, held)), Random(1))
    assert move == (Exposed(0, hand(CHINESE, exposed)[0]) if exposed else Declined(0))


ALL_POINTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH QS"


@pytest.mark.parametrize(
    ("totals", "choice"),
    [
        ((10, 80, 80, 80), MoonChoice.ADD),  # it ends the game and wins it
        ((60, 90, 20, 50), MoonChoice.SUBTRACT),  # to add would end the game for seat 2
        ((10, 40, 50, 60), MoonChoice.ADD),  # ahead: nearer to the end
        ((60, 20, 50, 40), MoonChoice.SUBTRACT),  # behind: further from it
    ],
)
def test_chooses_the_moon_that_wins(totals, choice):
    assert moon_choice(CLASSIC, totals) is choice


def test_the_moon_costs_least_where_the_highest_total_wins():
    highest = rules("classic", 4, winner="highest")
    assert moon_choice(highest, (95, 90, 20, 20)) is MoonChoice.SUBTRACT  # to add would end it for seat 1


def moon_choice(of, totals):
    game = with_history(playing(of, "", out="", taken={0: ALL_POINTS}), *totals)
    deal = replace(game.deals[0], phase=Phase.CHOOSING_MOON, shooter=0)
    move = medium_move(my_view(replace(game, deals=(deal,))), Random(1))
    assert isinstance(move, MoonChosen)
    return move.choice


def test_remembers_passed_cards_and_what_is_out():
    game = dealt(CLASSIC, "QS KS AS 2C 3C 4C 5C 2D 3D 4D 2H 3H 4H")
    rng = Random(3)
    while len(game.deals[0].tricks) < 4:
        seat = game.deals[0].waiting_for[0]
        game = game.advance((medium_move if seat == 0 else random_move)(seat_view(game, seat), rng))
    view, deal = my_view(game), game.deals[0]
    assert Counter(not_seen(view)) == Counter(card for hand in deal.hands[1:] for card in hand)
    [(receiver, passed)] = passed_on(view).items()
    assert passed, "seat 1 was passed three cards and has played at most four"
    assert set(passed) <= set(deal.hands[receiver])


@pytest.mark.slow
@pytest.mark.parametrize("strength", [Strength.EASY, Strength.MEDIUM])
@pytest.mark.parametrize("of", GAMES, ids=name)
def test_moves_are_legal_and_never_depend_on_hidden_cards(of, strength):
    """What it sees is the same after the hidden cards change places, and so is what it does."""
    plays_by_itself(of, computer(strength))


@pytest.mark.slow
@pytest.mark.parametrize("manner", Manner)
@pytest.mark.parametrize("of", [CLASSIC, FIRST_WINS, CANCELLATION, CHINESE], ids=name)
def test_whatever_its_manner_it_plays_by_the_rules_and_by_what_it_sees(of, manner):
    plays_by_itself(of, computer(Strength.MEDIUM, manner))


def plays_by_itself(of, player: Player):
    rng = Random(5)
    game = Game(of)
    for _ in range(2):
        game = game.advance(shuffle(game, rng))
        while game.deal:
            seat = game.deal.waiting_for[0]
            view, other = seat_view(game, seat), seat_view(reshuffled(game, seat, rng), seat)
            assert other == view
            move = player(view, Random(7))
            assert player(other, Random(7)) == move
            game.advance(move)
            game = game.advance(move if rng.random() < 0.5 else random_move(view, rng))
        if game.over:
            break
