"""Open hands of any size lie within their picture, and none lies on another."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import drawn
import pytest

from bot.pictures import draw
from bot.pictures.open_hands import open_hands, places, rooms
from bot.pictures.seats import Box
from engine.cards import CLUB_JOKER, DECK, HEARTS, WILD_JOKER, Hand, sort_hand

#: As they are dealt at some table: from 7 cards at a table of seven to 18 of two decks among six.
SIZES = range(5, 19)
#: The width and height of a card, in the picture's 1100: 15 points on a phone.
READABLE = 56


def holds(room: Box, box: Box) -> bool:
    """Whether a box lies in a room."""
    return room.left <= box.left < box.right <= room.right and room.top <= box.top < box.bottom <= room.bottom


@pytest.mark.parametrize("size", SIZES)
def test_every_card_has_its_place_and_can_be_read(size: int) -> None:
    where = rooms(10, size)
    picture = open_hands(drawn.open_hands(4, size))
    assert picture.height > rooms(4, size)[-1][1].bottom
    mixed = sort_hand((WILD_JOKER, CLUB_JOKER, *(DECK[index * 5 % 52] for index in range(size - 2))))
    for name, cards in where:
        boxes = places(mixed, cards)
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
        boxes = places(sort_hand(taken), cards)
        assert len(boxes) == len(taken)
        assert all(holds(cards, box) for box in boxes)


def test_whatever_changes_is_seen() -> None:
    scene = drawn.open_hands(3, 17)
    first, *others = scene.hands
    changed = [
        replace(scene, hands=(replace(first, lit=frozenset({3})), *others)),
        replace(scene, hands=(replace(first, gone=frozenset({3})), *others)),
        replace(scene, hands=(replace(first, name="Cy"), *others)),
        replace(scene, hands=(replace(first, cards=first.cards[1:]), *others)),
        replace(scene, table=drawn.table(3)),
    ]
    assert len({draw(scene), *map(draw, changed)}) == len(changed) + 1
