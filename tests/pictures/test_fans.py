"""A hand of any size lies within its picture, and each card of it can be read."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import drawn
import pytest
from PIL import Image

from bot.pictures import draw
from bot.pictures.fans import ACROSS, CARD_HEIGHT, CARD_WIDTH, fan, places
from bot.pictures.sprites import card

#: The index of a card and what is left of it: so much of each has to be seen.
INDEX = CARD_WIDTH * 0.4


@pytest.mark.parametrize("count", range(1, 27))
def test_every_card_of_a_hand_is_seen(count: int) -> None:
    scene = drawn.hand(count, 0, count - 1)
    spots = places(scene)
    assert len(spots) == count
    picture = fan(scene)
    for one, (x, y) in zip(scene.cards, spots, strict=True):
        sprite = card(one, CARD_WIDTH, look="chosen")
        assert x - sprite.width / 2 >= 0
        assert x + sprite.width / 2 <= picture.width
        assert y - sprite.height / 2 >= 0
        assert y + sprite.height / 2 <= picture.height
    rows = 1 if count <= ACROSS else 2
    steps = [(x2 - x1, y2 - y1) for (x1, y1), (x2, y2) in pairwise(spots)]
    assert sum(across < 0 for across, _ in steps) == rows - 1
    assert all(across >= INDEX or (across < 0 and down > CARD_HEIGHT * 0.4) for across, down in steps)


def test_what_is_chosen_stands_out() -> None:
    plain, chosen, other = drawn.hand(13), drawn.hand(13, 4), drawn.hand(13, 5)
    assert places(chosen)[4][1] < places(plain)[4][1]
    assert places(chosen)[5] == places(plain)[5]
    assert len({draw(plain), draw(chosen), draw(other)}) == 3


def test_where_all_are_chosen_all_are_raised_and_none_stands_out() -> None:
    plain, chosen = drawn.hand(6), drawn.hand(6, *range(6))
    for down, up in zip(places(plain), places(chosen), strict=True):
        assert up[1] < down[1]
        assert inner(fan(chosen), up) == inner(fan(plain), down)


def inner(picture: Image.Image, centre: tuple[float, float]) -> bytes:
    """A card from its left edge, where a ring would be, to its middle."""
    x, y = map(round, centre)
    return picture.crop((x - CARD_WIDTH // 2 + 1, y - 60, x + 40, y + 60)).tobytes()


def test_one_of_two_twins_is_chosen() -> None:
    twins = replace(drawn.hand(2), cards=(drawn.hand(1).cards[0],) * 2)
    first, second = replace(twins, chosen=frozenset({0})), replace(twins, chosen=frozenset({1}))
    assert draw(first) != draw(second)
