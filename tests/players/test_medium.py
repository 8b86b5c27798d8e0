"""Easy and medium players: moons, honesty and strength. How they solve positions is in test_positions.py."""

from collections import Counter
from dataclasses import replace
from random import Random
from statistics import fmean

import pytest
from seating import dealt, my_view, playing, reshuffled, rules, with_history

from engine.play.deal import Phase
from engine.play.game import Game, shuffle
from engine.play.moves import MoonChosen
from engine.play.views import seat_view
from engine.players import Player, Strength, computer, easy_move, medium_move, random_move
from engine.players.manners import Manner
from engine.players.memory import not_seen, passed_on
from engine.rules.options import Goal, MoonChoice
from engine.rules.ruleset import Ruleset

CLASSIC = rules("classic", 4)
CANCELLATION = rules("cancellation", 5)
FIRST_WINS = rules("double-deck", 8)
CHINESE = rules("chinese", 4)
GAMES = [
    CLASSIC,
    rules("classic", 4, jack_of_diamonds=True),
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
    rules("chinese", 4, winner="lowest"),
]
ALL_POINTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH QS"


def name(of):
    if not isinstance(of, Ruleset):
        return None
    options = [f"{key}={value}" for key, value in of.options.items()]
    return " ".join([of.preset.name, str(of.players), *options])


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
    game = with_history(playing(CLASSIC, "", out="", taken={0: ALL_POINTS}), *totals)
    deal = replace(game.deals[0], phase=Phase.CHOOSING_MOON, shooter=0)
    view = my_view(replace(game, deals=(deal,)))
    assert medium_move(view, Random(1)) == MoonChosen(0, choice)


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
@pytest.mark.parametrize(
    ("of", "strength", "manner"),
    [
        *((of, strength, None) for of in GAMES for strength in (Strength.EASY, Strength.MEDIUM)),
        *(
            (of, Strength.MEDIUM, manner)
            for of in (CLASSIC, FIRST_WINS, CANCELLATION, CHINESE)
            for manner in Manner
        ),
    ],
    ids=name,
)
def test_moves_are_legal_and_never_depend_on_hidden_cards(of, strength, manner):
    """What it sees is the same after the hidden cards change places, and so is what it does."""
    player, rng = computer(strength, manner), Random(5)
    game = Game(of)
    while len(game.deals) < 2 and not game.over:
        game = game.advance(shuffle(game, rng))
        while game.deal:
            seat = game.deal.waiting_for[0]
            view, other = seat_view(game, seat), seat_view(reshuffled(game, seat, rng), seat)
            assert other == view
            move = player(view, Random(7))
            assert player(other, Random(7)) == move
            game.advance(move)
            game = game.advance(move if rng.random() < 0.5 else random_move(view, rng))


@pytest.mark.slow
@pytest.mark.parametrize(
    "of", [CLASSIC, rules("wikibooks", 6), rules("double-deck", 6), CANCELLATION, CHINESE], ids=name
)
def test_the_easy_player_is_better_than_chance_and_worse_than_the_medium_one(of: Ruleset) -> None:
    assert better_by(of, easy_move, random_move) > 0
    assert better_by(of, easy_move, medium_move) < 0


def better_by(of: Ruleset, one: Player, others: Player) -> float:
    """Points of one player less the others' mean, good ones positive, in duplicate deals."""
    sign = 1 if of.winner is Goal.HIGHEST else -1
    found = []
    for number in range(8):
        start = Game(of).advance(shuffle(Game(of), Random(number)))
        for mine in range(of.players):
            game = start
            while game.deal:
                seat = game.deal.waiting_for[0]
                player = one if seat == mine else others
                game = game.advance(player(seat_view(game, seat), Random(number)))
            [points] = game.points
            found.append(sign * (points[mine] - (sum(points) - points[mine]) / (of.players - 1)))
    return fmean(found)
