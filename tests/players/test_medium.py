"""All players' honesty, and easy and medium ones' moons and strength. test_positions.py has their cards."""

from collections import Counter
from dataclasses import replace
from random import Random
from statistics import fmean

import pytest
from seating import dealt, my_view, playing, reshuffled, rules, with_history

from engine.play.deal import Phase
from engine.play.game import Game, shuffle
from engine.play.moves import MoonChosen, SeatMove
from engine.play.views import SeatView, seat_view
from engine.players import Player, Strength, computer, easy_move, medium_move, random_move
from engine.players.manners import Manner
from engine.players.memory import not_seen, passed_on
from engine.players.strong import strong_move
from engine.rules.options import Goal, MoonChoice
from engine.rules.ruleset import Ruleset

CLASSIC = rules("classic", 4)
CHINESE = rules("chinese", 4)
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
@pytest.mark.parametrize("player", [easy_move, medium_move])
def test_chooses_the_moon_that_wins(totals, choice, player):
    game = with_history(playing(CLASSIC, "", out="", taken={0: ALL_POINTS}), *totals)
    deal = replace(game.deals[0], phase=Phase.CHOOSING_MOON, shooter=0)
    view = my_view(replace(game, deals=(deal,)))
    assert player(view, Random(1)) == MoonChosen(0, choice)


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


def strong(view: SeatView, rng: Random) -> SeatMove:
    """The strong player with hardly any thought."""
    return strong_move(view, rng, effort=30)


MANNERED = [computer(Strength.MEDIUM, manner) for manner in Manner]
HONEST = [
    (CLASSIC, [easy_move, *MANNERED, medium_move, strong]),
    (rules("classic", 4, jack_of_diamonds=True, winner="highest"), [easy_move, medium_move]),
    (rules("wikibooks", 3, remainder="jokers"), [medium_move, strong]),
    (rules("wikibooks", 5, remainder="kitty", kitty="one-per-trick"), [easy_move, medium_move, strong]),
    (rules("wikibooks", 6, spot_hearts=True, jack_of_diamonds=True, hooligan=True), [medium_move]),
    (rules("double-deck", 7, duplicates="cancel"), [medium_move, strong]),
    (rules("double-deck", 8, moon="half"), [easy_move, *MANNERED, medium_move]),
    (rules("cancellation", 5, pass_cards=5, winner="lowest"), [easy_move, *MANNERED, medium_move]),
    (CHINESE, [easy_move, *MANNERED, medium_move]),
    (rules("chinese", 5), [strong]),
    (rules("chinese", 4, winner="lowest"), [easy_move, medium_move]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("of", "player"), [(of, one) for of, players in HONEST for one in players])
def test_moves_are_legal_and_never_depend_on_hidden_cards_and_a_seed_repeats_them(
    of: Ruleset, player: Player
) -> None:
    """What it sees is the same after the hidden cards change places, and so is what it does."""
    rng = Random(5)
    game = Game(of)
    while len(game.deals) < (1 if player is strong else 2) and not game.over:
        game = game.advance(shuffle(game, rng))
        while game.deal:
            seat = rng.choice(game.deal.waiting_for)
            view, other = seat_view(game, seat), seat_view(reshuffled(game, seat, rng), seat)
            assert other == view
            move = player(view, Random(7))
            assert player(other, Random(7)) == move
            game.advance(move)
            game = game.advance(move if rng.random() < 0.5 else random_move(view, rng))


@pytest.mark.slow
@pytest.mark.parametrize(
    "of",
    [CLASSIC, rules("wikibooks", 6), rules("double-deck", 6), rules("cancellation", 5), CHINESE],
    ids=lambda of: of.preset.name,
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
