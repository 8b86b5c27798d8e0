"""Hands of any size, one's own or open, lie within their picture, and each card of them can be read."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import drawn
import pytest
from drawn import differ
from PIL import Image

from bot.pictures.fans import ACROSS, CARD_HEIGHT, CARD_WIDTH, fan, places
from bot.pictures.open_hands import open_hands, rooms
from bot.pictures.open_hands import places as places_in
from bot.pictures.seats import Box
from bot.pictures.sprites import card
from engine.cards import CLUB_JOKER, DECK, HEARTS, WILD_JOKER, Hand, sort_hand

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


def test_what_is_chosen_stands_out_also_of_two_twins() -> None:
    plain, chosen, other = drawn.hand(13), drawn.hand(13, 4), drawn.hand(13, 5)
    assert places(chosen)[4][1] < places(plain)[4][1]
    assert places(chosen)[5] == places(plain)[5]
    differ(plain, chosen, other)
    twins = replace(drawn.hand(2), cards=(drawn.hand(1).cards[0],) * 2)
    differ(replace(twins, chosen=frozenset({0})), replace(twins, chosen=frozenset({1})))


def test_where_all_are_chosen_all_are_raised_and_none_stands_out() -> None:
    plain, chosen = drawn.hand(6), drawn.hand(6, *range(6))
    for down, up in zip(places(plain), places(chosen), strict=True):
        assert up[1] < down[1]
        assert inner(fan(chosen), up) == inner(fan(plain), down)


def inner(picture: Image.Image, centre: tuple[float, float]) -> bytes:
    """A card from its left edge, where a ring would be, to its middle."""
    x, y = map(round, centre)
    return picture.crop((x - CARD_WIDTH // 2 + 1, y - 60, x + 40, y + 60)).tobytes()


# Open hands

#: As they are dealt at some table: from 7 cards at a table of seven to 18 of two decks among six.
SIZES = range(5, 19)
#: The width and height of a card, in the picture's 1100: 15 points on a phone.
READABLE = 56


def holds(room: Box, box: Box) -> bool:
    """Whether a box lies in a room."""
    return room.left <= box.left < box.right <= room.right and room.top <= box.top < box.bottom <= room.bottom


@pytest.mark.parametrize("size", SIZES)
def test_every_open_card_has_its_place_and_can_be_read(size: int) -> None:
    where = rooms(10, size)
    picture = open_hands(drawn.open_hands(4, size))
    assert picture.height > rooms(4, size)[-1][1].bottom
    mixed = sort_hand((WILD_JOKER, CLUB_JOKER, *(DECK[index * 5 % 52] for index in range(size - 2))))
    for name, cards in where:
        boxes = places_in(mixed, cards)
        assert all(holds(cards, box) and min(box.size) >= READABLE for box in boxes)
        assert len({box.size for box in boxes}) == 1
        assert all(other.left >= one.right or other.top >= one.bottom for one, other in pairwise(boxes))
        assert name.right <= cards.left
    for (_, above), (name, below) in pairwise(where):
        assert above.bottom < min(name.top, below.top) or above.bottom < below.top


@pytest.mark.parametrize("taken", [(), HEARTS, (*HEARTS, *HEARTS, *DECK[10:13], *DECK[10:13])])
@pytest.mark.parametrize("size", SIZES)
def test_more_cards_than_a_hand_has_are_smaller(size: int, taken: Hand) -> None:
    for _, cards in rooms(3, size):
        boxes = places_in(sort_hand(taken), cards)
        assert len(boxes) == len(taken)
        assert all(holds(cards, box) for box in boxes)
