"""Draws a hand of cards as a fan, a large one in two rows.

The cards stand upright in an arc, so that none has to be turned and other fans can use the same sprites.
"""

from itertools import pairwise

from PIL import Image

from bot.pictures.files import CARD, WIDTH
from bot.pictures.sprites import card, felt, put
from bot.vocabulary.scenes import FanScene

#: The most cards in one row.
ACROSS = 13
CARD_WIDTH = 164
CARD_HEIGHT = CARD_WIDTH * CARD[1] // CARD[0]
#: The distance of two rows, which leaves the upper one readable; the gap between two suits; how far a chosen
#: card is raised.
ROW, APART, RAISED = 156, 12, 32
#: How far a row's ends are lowered.
DROP = 16
MARGIN = 24


def fan(scene: FanScene) -> Image.Image:
    """Draw the hand; if some of the cards are chosen, but not all, the others are dimmed."""
    spots = places(scene)
    rows = max(1, -(-len(scene.cards) // ACROSS))
    picture = felt(MARGIN * 2 + RAISED + CARD_HEIGHT + DROP + (rows - 1) * ROW)
    is_choice = 0 < len(scene.chosen) < len(scene.cards)  # where all are raised, none has to stand out
    for index, (one, spot) in enumerate(zip(scene.cards, spots, strict=True)):
        look = "" if not is_choice else "chosen" if index in scene.chosen else "dimmed"
        put(picture, card(one, CARD_WIDTH, look=look, faces=scene.faces), spot)
    return picture


def places(scene: FanScene) -> list[tuple[float, float]]:
    """The centre of each card."""
    count = len(scene.cards)
    rows = -(-count // ACROSS)
    centres: list[tuple[float, float]] = []
    for row in range(rows):
        first, last = count * row // rows, count * (row + 1) // rows
        middle = MARGIN + RAISED + CARD_HEIGHT / 2 + row * ROW
        for index, x in enumerate(_across(scene, first, last), first):
            aside = (x - WIDTH / 2) / (WIDTH / 2)
            raised = RAISED if index in scene.chosen else 0
            centres.append((x, middle + DROP * aside * aside - raised))
    return centres


def _across(scene: FanScene, first: int, last: int) -> list[float]:
    """The centres of a row's cards: wider apart between two suits, closer if there are many."""
    row = scene.cards[first:last]
    gaps = [0]
    for left, right in pairwise(row):
        gaps.append(gaps[-1] + (APART if left.suit is not right.suit else 0))
    room = WIDTH - 2 * MARGIN - CARD_WIDTH - gaps[-1]
    step = min(CARD_WIDTH + 8, room / max(1, len(row) - 1))
    start = (WIDTH - step * (len(row) - 1) - gaps[-1]) / 2
    return [start + index * step + gap for index, gap in enumerate(gaps)]
