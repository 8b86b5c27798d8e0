"""A game that none of the documents has is data: defined here, played through, and told in words."""

from dataclasses import replace
from random import Random

import pytest
from cardtable import ALL_HEARTS, SUBTRACT, first_trick, last_tricks, may_play, offsets, play, points, refused

from engine.cards import HEARTS, card, cards
from engine.languages import ENGLISH
from engine.play.moves import SeatMove
from engine.play.views import SeatView
from engine.players import medium_move, play_game, random_move
from engine.rules.counting import PENALTIES, Counting, total
from engine.rules.options import Goal, HeartsBrokenBy, Moon, SafeFirstTrick
from engine.rules.packs import Pack
from engine.rules.presets import CHINESE, Preset
from engine.rules.ruleset import Ruleset
from engine.rules.wording import describe

FOUR_OF_ONE_DECK = {4: {None: Pack(4)}}

BLACK_MARIA = Preset(
    "black-maria",
    "Black Maria",
    FOUR_OF_ONE_DECK,
    {"pass_cards": 3, "safe_first_trick": SafeFirstTrick.ALL_SCORING, "ends_at": 100, "winner": Goal.LOWEST},
    rotation=(-1,),
    counting=Counting({**dict.fromkeys(HEARTS, 1), card("QS"): 13, card("KS"): 10, card("AS"): 7}),
)

GOOD_QUEEN = Preset(
    "good-queen",
    "Hearts with a good queen",
    FOUR_OF_ONE_DECK,
    {
        "pass_cards": 3,
        "safe_first_trick": SafeFirstTrick.ALL_SCORING,
        "hearts_broken_by": HeartsBrokenBy.HEARTS,
        "moon": Moon.CHOICE,
        "ends_at": 100,
        "winner": Goal.LOWEST,
    },
    counting=Counting({**PENALTIES.values, card("QC"): -5}, moon=PENALTIES.moon),
)

each_game = pytest.mark.parametrize("game", [BLACK_MARIA, GOOD_QUEEN], ids=lambda game: game.name)
MARIA, QUEEN = Ruleset.for_preset(BLACK_MARIA, 4), Ruleset.for_preset(GOOD_QUEEN, 4)


@pytest.mark.slow
@each_game
def test_computers_play_whole_games(game: Preset):
    """Short ones: the first total above zero ends them."""
    rules = Ruleset.for_preset(game, 4, {"ends_at": 1})
    values, moons = rules.counting.values, 0
    for number in range(40):
        played = play_game(rules, medium_move, Random(f"cards {number}"), Random(number))
        for deal in played.deals:
            moons += deal.shooter is not None
            if deal.shooter is None:
                assert list(deal.points) == [sum(values.get(one, 0) for one in pile) for pile in deal.piles]
    assert bool(moons) == (game is GOOD_QUEEN)


@pytest.mark.slow
@each_game
def test_the_computer_knows_what_to_take_and_what_to_avoid(game: Preset):
    rules = Ruleset.for_preset(game, 4, {"ends_at": 50})
    mine = theirs = 0.0
    for number in range(10):

        def player(view: SeatView, rng: Random, seat: int = number % 4) -> SeatMove:
            return (medium_move if view.seat == seat else random_move)(view, rng)

        played = play_game(rules, player, Random(f"cards {number}"), Random(number))
        mine += played.totals[number % 4]
        theirs += sum(played.totals) / 4
    assert mine < theirs / 2


def test_the_words_of_the_two():
    assert describe(MARIA, ENGLISH) == [
        "One deck: 13 cards each.",
        "Pass three cards to the right.",
        "The holder of 2♣ leads it to the first trick.",
        "First trick: no card that scores.",
        "Each heart counts 1, Q♠ 13, K♠ 10, A♠ 7.",
    ]
    assert describe(QUEEN, ENGLISH)[-2:] == [
        "Each heart counts +1, Q♠ +13, Q♣ −5.",
        "The moon (all hearts and Q♠): the shooter chooses −26 for the shooter or +26 for everyone else.",
    ]


@pytest.mark.parametrize(
    ("game", "unsafe", "safe"), [(BLACK_MARIA, "AS KS QS 2H", "4D KD"), (GOOD_QUEEN, "QC", "4C KC")]
)
def test_what_scores_is_not_safe_in_the_first_trick(game, unsafe, safe):
    rules = Ruleset.for_preset(game, 4, {"pass_cards": 0})
    deal = play(first_trick(rules, "2C 3C", f"{unsafe} {safe}", "5C 6C", "7C 8C"), "2C")
    assert {refused(deal, code).id for code in unsafe.split()} == {"safe_from_scoring"}
    assert may_play(deal, safe)


def test_cards_go_to_the_right_in_every_deal_and_all_count_where_there_is_no_moon():
    assert offsets(MARIA, 4) == [-1] * 4
    deal = play(last_tricks(MARIA, "AS", "KS", "QS", "AH", taken={0: ALL_HEARTS[:-3]}), "AS KS QS AH")
    assert deal.shooter is None
    assert deal.points == (43, 0, 0, 0)


def test_what_other_games_have_can_be_combined():
    """Exposing, a multiplier and a moon that others pay for, in one game."""
    counting = replace(GOOD_QUEEN.counting, multiplier=CHINESE.counting.multiplier)
    game = replace(GOOD_QUEEN, counting=counting, exposable=cards("QS QC TC"))
    rules = Ruleset.for_preset(game, 4, {"pass_cards": 0})
    assert "Q♠, Q♣ and 10♣ may be exposed before play; once two are, the third must be." in describe(
        rules, ENGLISH
    )
    assert points(rules, "QS 2H", "QC TC", "3H TC", exposed="QC") == (14, 100 - 10, 4, 0)
    assert points(rules, f"{ALL_HEARTS} QS TC", "QC", exposed="QC", choice=SUBTRACT) == (-104, -10, 0, 0)
    for number in range(20):
        played = play_game(rules, random_move, Random(number), Random(number))
        for deal in played.deals:
            assert list(deal.points) == [total(account) for account in deal.accounts]
