"""Draws everyone's cards, face up, below their table."""

from dataclasses import replace

from PIL import Image

from bot.pictures.files import WIDTH
from bot.pictures.palette import GOLD
from bot.pictures.plates import plate, put_plate
from bot.pictures.seats import MARGIN, Box, around
from bot.pictures.sprites import felt, fill, put, tile
from bot.pictures.tables import table
from bot.vocabulary.scenes import HandsScene, OpenHand, SeatScene
from engine.cards import Hand

#: The largest tile for few hands and for many, the gap between two, and the extra one between suits.
LARGE, TILE, GAP, APART = 96, 74, 3, 6
#: The most hands that are few.
FEW = 4
#: The most cards in a row.
ACROSS = 13
#: The width of a name beside its cards, a name's height, and its text size.
NAMES, NAME, TEXT = 204, 56, 32
#: The gaps between a name and its cards, between two hands, and at the edge.
ASIDE, BETWEEN, EDGE = 12, 14, 28


def open_hands(scene: HandsScene) -> Image.Image:
    """Draw the hands, below their table if there is one."""
    layout = rooms(len(scene.hands), scene.room)
    picture = felt(layout[-1][1].bottom + EDGE)
    for hand, (name, cards) in zip(scene.hands, layout, strict=True):
        _name(picture, name, hand)
        _cards(picture, cards, hand)
    if scene.table is None:
        return picture
    above = table(scene.table)
    whole = Image.new("RGB", (WIDTH, above.height + picture.height))
    whole.paste(above, (0, 0))
    whole.paste(picture, (0, above.height))
    return whole


def rooms(hands: int, most: int) -> list[tuple[Box, Box]]:
    """For each hand, the boxes of the player's name and of the cards beside it: at most `most` cards."""
    rows = -(-most // ACROSS)
    left, across = MARGIN + NAMES + ASIDE, -(-most // rows)
    largest = LARGE if hands <= FEW else TILE
    size = min(largest, (WIDTH - MARGIN - left - 3 * APART + GAP) // across - GAP)
    high = max(NAME, rows * (size + GAP) - GAP)
    boxes = []
    for number in range(hands):
        top = EDGE + number * (high + BETWEEN)
        middle = top + high // 2
        name = Box(MARGIN, middle - NAME // 2, MARGIN + NAMES, middle + NAME // 2)
        boxes.append((name, Box(left, top, WIDTH - MARGIN, top + high)))
    return boxes


def _cards(picture: Image.Image, room: Box, hand: OpenHand) -> None:
    for index, (one, box) in enumerate(zip(hand.cards, places(hand.cards, room), strict=True)):
        put(picture, tile(one, box.width, dimmed=index in hand.gone), box.centre)
        if index in hand.lit:
            fill(picture, around(*box.centre, box.width + 6, box.width + 6), GOLD, box.width // 5 + 3, line=5)


def _name(picture: Image.Image, room: Box, hand: OpenHand) -> None:
    """Draw a player's name at the left of its room."""
    place = SeatScene(hand.name, hand.seat, score=hand.score, is_computer=hand.is_computer)
    centred = plate(place, room, TEXT, at_corner=False)
    aside = centred.box.left - room.left
    points = centred.points and _moved_left(centred.points, aside)
    put_plate(picture, replace(centred, box=_moved_left(centred.box, aside), points=points))


def _moved_left(box: Box, aside: int) -> Box:
    return box._replace(left=box.left - aside, right=box.right - aside)


def places(cards: Hand, room: Box) -> list[Box]:
    """The box of each card, in even rows with gaps between suits, and smaller if there are very many."""
    for size in range(LARGE, 8, -2):
        across = (room.width - 4 * APART + GAP) // (size + GAP)
        rows = -(-len(cards) // across)
        if rows * (size + GAP) - GAP <= room.height:
            break
    boxes = []
    for row in range(rows):
        part = cards[len(cards) * row // rows : len(cards) * (row + 1) // rows]
        left, top = room.left, room.top + row * (size + GAP)
        for index, one in enumerate(part):
            if index:
                left += size + GAP + (APART if part[index - 1].suit is not one.suit else 0)
            boxes.append(Box(left, top, left + size, top + size))
    return boxes
