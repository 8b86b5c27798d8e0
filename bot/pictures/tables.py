"""Draws a table during a deal."""

from PIL import Image

from bot.pictures import lettering
from bot.pictures.lettering import put_line, write
from bot.pictures.palette import DARK, FELT, GOLD, LINE, SOFT, WHITE, mixed
from bot.pictures.plates import Plate, plate, points_width, put_plate, put_points
from bot.pictures.seats import Box, Point, SeatLayout, SeatPlan, around, plan
from bot.pictures.sprites import card, felt, fill, put, sign, tile
from bot.vocabulary.scenes import LaidCard, LastTrick, SeatScene, TableScene
from engine.cards import Hand

#: The largest tile, and the gap between two.
TILE, GAP = 72, 4
#: The size of a tile below the title, of an exposed card that doubles its suit.
DOUBLED = 60
#: How far the words beside these tiles may reach beyond the title's box.
BESIDE = 90
#: The text sizes of the title, the note, headings, and the last trick's taker.
TITLE, NOTE, HEADING, TAKER = 37, 31, 30, 32
SLOT = mixed(FELT, GOLD, 0.1)


def table(scene: TableScene) -> Image.Image:
    """Draw the table: its seats with the cards in play, the title, cards on hold and the last trick."""
    layout = plan(len(scene.places))
    picture = felt(layout.height)
    for place, spot, name in zip(scene.places, layout.spots, plates(scene), strict=True):
        put_plate(picture, name)
        _slot(picture, spot.card, place)
        if place.laid:
            _laid(picture, spot, place.laid, numbered=layout.in_rows)
        _tiles(picture, spot.exposed, tuple(LaidCard(exposed, 0) for exposed in place.exposed))
    _title(picture, layout.title, scene)
    if scene.on_hold:
        _on_hold(picture, layout.on_hold, scene.on_hold, scene.words.on_hold)
    if scene.last:
        _last(picture, layout, scene, scene.last)
    return picture


def plates(scene: TableScene) -> list[Plate]:
    """The name plates of all seats, laid out in their boxes."""
    layout = plan(len(scene.places))
    return [
        plate(place, spot.plate, layout.text, at_corner=layout.is_narrow)
        for place, spot in zip(scene.places, layout.spots, strict=True)
    ]


def _slot(picture: Image.Image, box: Box, place: SeatScene) -> None:
    """Draw the empty place of a card."""
    radius = box.width // 10
    if place.is_turn:
        fill(picture, box, SLOT, radius)
    fill(picture, box, GOLD if place.is_turn else LINE, radius, line=5 if place.is_turn else 2)


def _laid(picture: Image.Image, spot: SeatLayout, laid: LaidCard, *, numbered: bool) -> None:
    look = "cancelled" if laid.is_cancelled else "highest" if laid.is_highest else ""
    put(picture, card(laid.card, spot.card.width, spot.tilt, look), spot.card.centre)
    if numbered:
        _disc(picture, (spot.card.left + 6, spot.card.bottom - 12), str(laid.place))


def _disc(picture: Image.Image, centre: Point, text: str) -> None:
    """Draw a card's number in the order of play."""
    for size, colour in ((46, WHITE), (40, DARK)):
        fill(picture, around(*centre, size, size), colour)
    write(picture, (centre[0], centre[1] + 10), text, 28, WHITE, across=0.5)


def _title(picture: Image.Image, box: Box, scene: TableScene) -> None:
    """Write the numbers of the deal and the trick, the note, and the suits that count double."""
    write(picture, (box.left, box.top + 34), scene.title, TITLE, WHITE, most=box.width)
    top = box.top + 50
    if scene.note:
        put(picture, sign("heart", NOTE), (box.left + 15, top + 22))
        write(picture, (box.left + 40, top + 33), scene.note, NOTE, SOFT, most=box.width - 40)
        top += 46
    if scene.doubled:
        size = min(DOUBLED, box.bottom - top)
        right = box.left + len(scene.doubled) * (size + GAP)
        _tiles(
            picture, Box(box.left, top, right, top + size), tuple(LaidCard(one, 0) for one in scene.doubled)
        )
        room = box.right + BESIDE - right
        write(picture, (right + 8, top + size * 0.72), scene.words.doubled, NOTE, SOFT, most=room)


def _on_hold(picture: Image.Image, box: Box, held: Hand, heading: str) -> None:
    write(picture, (box.left, box.top + 28), heading, HEADING, SOFT, most=box.width)
    _tiles(picture, box._replace(top=box.top + 44), tuple(LaidCard(one, 0) for one in held))


def _last(picture: Image.Image, layout: SeatPlan, scene: TableScene, last: LastTrick) -> None:
    """Draw the last trick: its cards in order of play, the highest with a ring, its taker and its points."""
    box = layout.last
    heading = lettering.fitted(scene.words.last_trick, HEADING, box.width / (2 if layout.in_rows else 1))
    wide = heading.width if heading else 0.0
    if layout.in_rows:
        room = box._replace(left=round(box.left + wide) + 14)
        right, base = _taker(picture, room, box.top + 18, last, scene) - 14, box.top + 29
    else:
        right, base = float(box.right), box.top + 26
        _taker(picture, box, box.bottom - 20, last, scene)
    if heading:
        put_line(picture, (right, base), heading, SOFT, across=1.0)
    _tiles(picture, box._replace(top=box.top + (46 if layout.in_rows else 40)), last.cards, across=1.0)


def _taker(picture: Image.Image, room: Box, middle: float, last: LastTrick, scene: TableScene) -> float:
    """Write the taker and the points at the right of the room; returns the x where the text begins."""
    right = room.right
    if last.taker is None:  # on hold: no one has its points yet
        name = lettering.name_line(scene.words.on_hold, "", TAKER, right - room.left)
    else:
        wide, taker = points_width(last.score, TAKER - 4), scene.places[last.taker]
        put_points(picture, around(right - wide / 2, middle, wide, 38), last.score)
        right -= wide + 10
        name = lettering.name_line(taker.name, taker.seat, TAKER, right - room.left)
    put_line(picture, (right, middle + 11), name, WHITE, across=1.0)
    return right - name.width


def _tiles(picture: Image.Image, box: Box, cards: tuple[LaidCard, ...], *, across: float = 0.0) -> None:
    """Draw cards as tiles, as large as fits, row by row; `across` 1 aligns them to the right."""
    size, columns = grid(len(cards), *box.size)
    wide = min(columns, len(cards)) * (size + GAP) - GAP
    left = box.left + across * (box.width - wide)
    for index, laid in enumerate(cards):
        x = left + index % columns * (size + GAP) + size / 2
        y = box.top + index // columns * (size + GAP) + size / 2
        put(picture, tile(laid.card, size, dimmed=laid.is_cancelled), (x, y))
        if laid.is_highest:
            fill(picture, around(x, y, size + 6, size + 6), GOLD, size // 5 + 3, line=5)


def grid(count: int, width: int, height: int) -> tuple[int, int]:
    """The largest size at which this many tiles fit in even rows, and the number in a row."""
    for size in range(TILE, 8, -2):
        columns = max(1, (width + GAP) // (size + GAP))
        rows = -(-count // columns)
        if size <= width and rows * (size + GAP) - GAP <= height:
            return size, -(-count // max(1, rows))
    return 8, max(1, count)
