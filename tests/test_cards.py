"""A card is one object, wherever it comes from."""

import pickle
from copy import deepcopy

import pytest

from engine.cards import CLUB_JOKER, DECK, WILD_JOKER, Card


@pytest.mark.parametrize("card", [*DECK, CLUB_JOKER, WILD_JOKER], ids=str)
def test_a_card_that_comes_back_is_the_same(card: Card) -> None:
    assert pickle.loads(pickle.dumps(card)) is card
    assert deepcopy(card) is card
