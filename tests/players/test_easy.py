"""The easy player: a beginner's honest mistakes, and its place between chance and the middle player."""

from __future__ import annotations

from functools import partial
from random import Random
from statistics import fmean

import pytest
import seating
from seating import dealt, my_view, playing, rules

from engine.play.game import Game, shuffle
from engine.play.moves import Declined, Exposed
from engine.play.views import seat_view
from engine.players import Player, easy_move, medium_move, random_move
from engine.rules.options import Goal
from engine.rules.ruleset import Ruleset

CLASSIC = rules("classic", 4)
CHINESE = rules("chinese", 4)
HIGHEST = rules("cancellation", 5)
GAMES = [
    ("classic", 4),
    ("wikibooks", 6),
    ("double-deck", 6),
    ("cancellation", 5),
    ("chinese", 4),
]


plays, passes = partial(seating.plays, player=easy_move), partial(seating.passes, player=easy_move)


def test_gets_out_of_the_way_of_hearts_that_it_sees() -> None:
    assert plays(playing(CLASSIC, "3D TD AD 2C 3C", "KD 5D 2H")) == "TD"


def test_discards_what_counts_most() -> None:
    assert plays(playing(CLASSIC, "QS AH 2S AD", "5C 7C")) == "QS"


def test_lets_the_queen_go_under_the_king() -> None:
    assert plays(playing(CLASSIC, "QS 2S 3S AD", "KS 7S")) == "QS"


def test_takes_what_is_worth_having() -> None:
    assert plays(playing(rules("classic", 4, jack_of_diamonds=True), "3D KD 2C", "JD 4D")) == "KD"


def test_plays_the_ace_of_spades_before_the_queen_has_come() -> None:
    assert plays(playing(CLASSIC, "AS 2S 3D 4D", "5S")) == "AS"


def test_runs_with_an_ace_though_somebody_may_be_void_by_now() -> None:
    assert plays(playing(CLASSIC, "AD 2C 3S 4H")) == "AD"


def test_passes_points_away_and_keeps_the_high_spades() -> None:
    held = "QS AS KS AH 2H 3C 4C 5C AC 2D 3D 4D 5D"
    assert passes(dealt(CLASSIC, held)) == {"QS", "AH", "2H"}


def test_exposes_a_good_card_that_is_guarded_and_no_bad_one() -> None:
    def exposes(held: str) -> object:
        return easy_move(my_view(dealt(CHINESE, held)), Random(1))

    guarded = exposes("JD KD 3D 4D 2C 3C 4C 2S 3S 4S 2H 3H 4H")
    assert isinstance(guarded, Exposed)
    assert guarded.card.code == "JD"
    assert exposes("QS KS 3D 4D 2C 3C 4C 2S 3S 4S 2H 3H 4H") == Declined(0)


def test_keeps_high_cards_for_tricks_that_count_where_points_are_good() -> None:
    assert plays(playing(HIGHEST, "3D AD 2C", "4D 5D")) == "3D"
    assert plays(playing(HIGHEST, "3D AD 2C", "4D 5H")) == "AD"


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "players"), GAMES)
def test_is_better_than_chance_and_worse_than_the_middle_player(preset: str, players: int) -> None:
    of = Ruleset.of(preset, players)
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
