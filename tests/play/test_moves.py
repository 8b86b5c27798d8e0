"""Moves as they are stored, and what frozen values have in common: a card is one object."""

from __future__ import annotations

import dataclasses
import json
import pickle
from collections.abc import Callable
from copy import deepcopy
from random import Random

import pytest

from engine.cards import CLUB_JOKER, DECK, QUEEN_OF_SPADES, WILD_JOKER, Card, card, cards
from engine.errors import Refusal
from engine.play.deal import advance_deal
from engine.play.game import Game, shuffle
from engine.play.moves import (
    Declined,
    Ended,
    Exposed,
    MoonChosen,
    Move,
    Passed,
    Played,
    from_json,
    to_json,
)
from engine.play.seal import with_salt
from engine.play.values import replace
from engine.players import play_game, random_move
from engine.rules.options import MoonChoice
from engine.rules.plays import Trick
from engine.rules.ruleset import Ruleset

CLASSIC = Ruleset.of("classic", 4)
WITH_A_KITTY = Ruleset.of("wikibooks", 5, {"remainder": "kitty"})
DEALT = shuffle(Game(WITH_A_KITTY), Random(1))
CLASSIC_GAME = Game(CLASSIC).advance(shuffle(Game(CLASSIC), Random(1)))


@pytest.mark.parametrize(
    ("rules", "move"),
    [
        (WITH_A_KITTY, DEALT),
        (WITH_A_KITTY, with_salt(DEALT, Random(2))),
        (CLASSIC, Passed(3, cards("QS AS KS"))),
        (Ruleset.of("chinese", 4), Exposed(2, QUEEN_OF_SPADES)),
        (Ruleset.of("chinese", 4), Declined(0)),
        (CLASSIC, Played(1, QUEEN_OF_SPADES)),
        (Ruleset.of("cancellation", 5), Played(4, CLUB_JOKER)),
        (Ruleset.of("wikibooks", 6), Played(5, WILD_JOKER)),
        (CLASSIC, MoonChosen(1, MoonChoice.ADD)),
        (CLASSIC, MoonChosen(2, MoonChoice.SUBTRACT)),
        (CLASSIC, Ended()),
    ],
    ids=str,
)
def test_a_move_is_read_back_as_it_was_stored(rules: Ruleset, move: Move) -> None:
    assert from_json(rules, json.loads(json.dumps(to_json(move)))) == move


NO_SEAT: list[Callable[[int], Move]] = [
    lambda seat: Passed(seat, CLASSIC_GAME.deals[0].hands[0][:3]),
    lambda seat: Played(seat, card("2C")),
    lambda seat: Exposed(seat, QUEEN_OF_SPADES),
    Declined,
    lambda seat: MoonChosen(seat, MoonChoice.ADD),
]


def refusal(game: Game, move: Move) -> str:
    with pytest.raises(Refusal) as refused:
        game.advance(move)
    return refused.value.id


@pytest.mark.parametrize("seat", [-1, 4])
@pytest.mark.parametrize("move", NO_SEAT)
@pytest.mark.parametrize("preset", ["classic", "chinese"])
def test_a_seat_outside_the_table_is_refused(preset: str, move: Callable[[int], Move], seat: int) -> None:
    game = Game(Ruleset.of(preset, 4)).advance(CLASSIC_GAME.deals[0].dealt)
    assert refusal(game, move(seat)) == "no_such_seat"


def test_a_deal_that_is_over_waits_for_nobody_and_takes_no_move() -> None:
    deal = play_game(CLASSIC, random_move, Random(1), Random(1)).deals[0]
    assert deal.waiting_for == ()
    with pytest.raises(Refusal) as refused:
        advance_deal(deal, Played(0, deal.dealt.hands[0][0]))
    assert refused.value.id == "deal_over"


@pytest.mark.parametrize("dealer", [-1, 4])
def test_a_dealer_outside_the_table_is_refused(dealer: int) -> None:
    dealt = dataclasses.replace(CLASSIC_GAME.deals[0].dealt, dealer=dealer)
    assert refusal(Game(CLASSIC), dealt) == "no_such_seat"


@pytest.mark.parametrize("foreign", [CLUB_JOKER, WILD_JOKER], ids=["club joker", "wild joker"])
def test_a_card_outside_the_pack_is_refused(foreign: Card) -> None:
    own = CLASSIC_GAME.deals[0].hands[0][:2]
    assert refusal(CLASSIC_GAME, Passed(0, (foreign, *own))) == "not_held"
    assert refusal(CLASSIC_GAME, Passed(0, (foreign,) * 3)) == "not_held"
    exposing = Game(Ruleset.of("chinese", 4)).advance(CLASSIC_GAME.deals[0].dealt)
    assert refusal(exposing, Exposed(0, foreign)) == "not_exposable"
    playing = Game(Ruleset.of("cancellation", 5))
    playing = playing.advance(shuffle(playing, Random(1)))
    assert refusal(playing, Played(playing.deals[0].waiting_for[0], WILD_JOKER)) == "not_held"


@pytest.mark.parametrize(
    "stored", [{}, {"seat": 1}, {"seat": 1, "declined": False}, {"played": "QS"}], ids=str
)
def test_anything_else_is_no_move(stored: dict[str, object]) -> None:
    with pytest.raises(KeyError, match="no move"):
        from_json(CLASSIC, stored)


def test_what_is_wrong_with_a_deal_is_told_without_its_cards() -> None:
    """It comes to the log, which whoever plays may read, and the game may go on once the row is mended."""
    deal = to_json(with_salt(DEALT, Random(1)))
    del deal["dealer"]
    with pytest.raises(KeyError) as raised:
        from_json(WITH_A_KITTY, deal)
    assert raised.value.args == ("no move: dealt, kitty, salt",)


# Values in general


def test_a_value_with_changes_is_the_one_that_dataclasses_make_and_keeps_nothing_cached() -> None:
    game = Game(Ruleset.of("cancellation", 5))
    deal = game.advance(shuffle(game, Random(1))).deals[0]
    assert deal.turn == 4
    assert "turn" in vars(deal)
    other = replace(deal, trick=Trick(3), hearts_broken=True)
    assert other == dataclasses.replace(deal, trick=other.trick, hearts_broken=True)
    assert list(vars(other)) == [field.name for field in dataclasses.fields(other)]
    assert (deal.turn, other.turn) == (4, 3)
    assert not deal.hearts_broken


@pytest.mark.parametrize("card", [*DECK, CLUB_JOKER, WILD_JOKER], ids=str)
def test_a_card_that_comes_back_is_the_same(card: Card) -> None:
    assert pickle.loads(pickle.dumps(card)) is card
    assert deepcopy(card) is card
