"""A card is one object; other frozen values are replaced as `dataclasses.replace` would do it."""

from __future__ import annotations

import dataclasses
import pickle
from copy import deepcopy
from random import Random

import pytest

from engine.cards import CLUB_JOKER, DECK, WILD_JOKER, Card
from engine.play.game import Game, shuffle
from engine.play.values import replace
from engine.rules.plays import Trick
from engine.rules.ruleset import Ruleset


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


def test_a_field_that_there_is_not_is_refused() -> None:
    with pytest.raises(TypeError, match=r"no field of Game: \['deal'\]"):
        replace(Game(Ruleset.of("classic", 4)), deal=None)  # type: ignore[call-arg]


@pytest.mark.parametrize("card", [*DECK, CLUB_JOKER, WILD_JOKER], ids=str)
def test_a_card_that_comes_back_is_the_same(card: Card) -> None:
    assert pickle.loads(pickle.dumps(card)) is card
    assert deepcopy(card) is card
