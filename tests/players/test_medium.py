"""The medium player: what test_positions lacks, and honesty. How well it plays is in test_easy."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from seating import dealt, my_view, passes, playing, plays, reshuffled, rules, with_history

from engine.play.deal import Phase
from engine.play.game import Game, shuffle
from engine.play.moves import MoonChosen
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


def test_discards_a_high_heart_rather_than_a_low_one():
    assert plays(playing(CLASSIC, "2H AH 3S 4S 2D", "5C 7C", taken={1: "QS"})) == "AH"


def test_passes_the_queen_without_guards_and_keeps_it_with_many():
    bare = dealt(CLASSIC, "QS 3S 2C 3C 4C 5C 2D 3D 4D 2H 3H 4H 5H")
    assert "QS" in passes(bare)
    guarded = dealt(CLASSIC, "QS 2S 3S 4S 5S 6S AC KC AD KD AH KH QH")
    assert "QS" not in passes(guarded)


def test_goes_for_the_moon_with_an_overwhelming_hand():
    held = "AH KH QH JH TH 9H"
    assert plays(playing(CLASSIC, f"{held} AC", "2H 3H 4H")).endswith("H")
    assert plays(playing(CLASSIC, f"{held} AC", "QS AS 2S")) == "AC"


def test_avoids_the_seven_of_clubs_with_hooligan():
    assert plays(playing(HOOLIGAN, "3C 5C KC 2D 3D", "6C 7C 2C")) == "5C"
    assert plays(playing(rules("wikibooks", 4), "3C 5C KC 2D 3D", "6C 7C 2C")) == "KC"


def test_knows_that_twins_cancel():
    trick = "KD 5D KD 2H"
    assert plays(playing(CANCELLATION, "4D 6D 2C 3C", trick)) == "6D"
    assert plays(playing(CANCEL_LOWEST, "4D 6D 2C 3C", trick)) == "4D"
    assert plays(playing(CANCEL_LOWEST, "KD 3D 2C 3C", "KD 5D 8D 2H")) == "KD"  # both kings drop out


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
