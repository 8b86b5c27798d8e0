"""Draws a table in the middle of a deal."""

from __future__ import annotations

from PIL import Image

from bot.pictures import lettering
from bot.pictures.lettering import Line, put_line, write
from bot.pictures.palette import DARK, FELT, GOLD, GREEN, INK, RED, SOFT, WHITE, Colour, mixed
from bot.pictures.seats import Box, Plan, Spot, around, plan
from bot.pictures.sprites import card, felt, put, rounded, sign, tile
from bot.scenes import LaidCard, LastTrick, Place, TableScene, Tone
from engine.cards import Hand

PILLS: dict[Tone, Colour] = {Tone.PLAIN: mixed(FELT, WHITE, 0.25), Tone.GOOD: GREEN, Tone.BAD: RED}
#: The largest tile, and what is between two.
TILE, GAP = 64, 4


def table(scene: TableScene) -> Image.Image:
    """The whole picture."""
    where = plan(len(scene.places))
    picture = felt(where.height).copy()
    for number, (place, spot) in enumerate(zip(scene.places, where.spots, strict=True), 1):
        _place(picture, where, spot, place, number)
    _title(picture, where.title, scene)
    if scene.on_hold:
        _on_hold(picture, where.on_hold, scene.on_hold)
    if scene.last:
        _last(picture, where.last, scene.last)
    return picture


def _place(picture: Image.Image, where: Plan, spot: Spot, place: Place, number: int) -> None:
    _slot(picture, spot.card, place)
    plate(picture, spot.plate, where.text, place, number)
    if place.laid:
        _laid(picture, spot, place.laid, numbered=where.in_rows)
    for index, exposed in enumerate(place.exposed):
        box, size = spot.exposed, min(TILE, spot.exposed.width)
        put(picture, tile(exposed, size), (box.centre[0], box.top + size / 2 + index * (size + GAP)))


def _slot(picture: Image.Image, box: Box, place: Place) -> None:
    """Where a card will lie."""
    if place.laid:
        return
    colour, inside = (GOLD, 30) if place.is_turn else ((0, 0, 0), 26)
    picture.paste(colour, box[:2], rounded(box.width, box.height, box.width // 10, strength=inside))
    if place.is_turn:
        picture.paste(colour, box[:2], rounded(box.width, box.height, box.width // 10, line=4, strength=230))


def _laid(picture: Image.Image, spot: Spot, laid: LaidCard, *, numbered: bool) -> None:
    look = "cancelled" if laid.is_cancelled else "highest" if laid.is_highest else ""
    put(picture, card(laid.card, spot.card.width, spot.tilt, look), spot.card.centre)
    if numbered:
        _disc(picture, (spot.card.left + 8, spot.card.bottom - 12), str(laid.place))


def _disc(picture: Image.Image, centre: tuple[float, float], text: str) -> None:
    """A number of the order of play."""
    for size, colour in ((46, WHITE), (40, DARK)):
        box = around(*centre, size, size)
        picture.paste(colour, box[:2], rounded(size, size, size // 2))
    write(picture, (centre[0], centre[1] + 10), text, 28, WHITE, across=0.5)


def plate(picture: Image.Image, room: Box, size: int, place: Place, number: int) -> Box:
    """Who sits here, with the points of this deal; returns what it covers."""
    pad, height = round(size * 0.6), round(size * 1.6)
    points = lettering.line(place.score.text, size - 4) if place.score else None
    pill = round(points.width + size * 0.7) if points else 0
    robot = round(size * 0.95) if place.is_computer else 0
    extra = 2 * pad + (pill - pad + 16 if pill else 0) + (robot + 8 if robot else 0)
    name = lettering.named(place.name, number, size, room.width - extra)
    box = around(*room.centre, round(name.width + extra), height)
    if place.is_turn:
        for more, strength in ((32, 50), (16, 90)):
            light = around(*box.centre, box.width + more, height + more)
            picture.paste(GOLD, light[:2], rounded(*light.size, light.height // 2, strength=strength))
    ground, ink = (GOLD, INK) if place.is_turn else (DARK, WHITE)
    picture.paste(
        ground, box[:2], rounded(box.width, height, height // 2, strength=255 if place.is_turn else 205)
    )
    x, y = box.left + pad, box.centre[1] + size * 0.355
    if robot:
        put(picture, sign("dark_robot" if place.is_turn else "robot", robot), (x + robot / 2, box.centre[1]))
        x += robot + 8
    put_line(picture, (x, y), name, ink)
    if points and place.score:
        _pill(
            picture,
            Box(box.right - pill - 8, box.top + 8, box.right - 8, box.bottom - 8),
            points,
            place.score.tone,
        )
    return box


def _pill(picture: Image.Image, box: Box, text: Line, tone: Tone) -> None:
    picture.paste(PILLS[tone], box[:2], rounded(box.width, box.height, box.height // 2))
    put_line(picture, (box.centre[0], box.centre[1] + text.size * 0.355), text, WHITE, across=0.5)


def _title(picture: Image.Image, box: Box, scene: TableScene) -> None:
    write(picture, (box.left, box.top + 32), scene.title, 34, WHITE, width=box.width)
    if scene.note:
        put(picture, sign("heart", 26), (box.left + 13, box.top + 66))
        write(picture, (box.left + 36, box.top + 76), scene.note, 28, SOFT, width=box.width - 36)


def _on_hold(picture: Image.Image, box: Box, held: Hand) -> None:
    write(picture, (box.left, box.top + 24), "On hold", 26, SOFT)
    _tiles(
        picture,
        Box(box.left, box.top + 34, box.right, box.bottom),
        tuple(LaidCard(one, 0) for one in held),
        0.0,
    )


def _last(picture: Image.Image, box: Box, last: LastTrick) -> None:
    """Its cards in order of play, the highest with a ring; who took it stands above."""
    points = lettering.line(last.score.text, 26)
    right: float = box.right
    if points:
        width = round(points.width + 22)
        _pill(picture, Box(box.right - width, box.top - 2, box.right, box.top + 36), points, last.score.tone)
        right -= width + 10
    write(
        picture, (right, box.top + 27), last.taker or "On hold", 28, WHITE, width=right - box.left, across=1.0
    )
    _tiles(picture, Box(box.left, box.top + 44, box.right, box.bottom), last.cards, 1.0)


def _tiles(picture: Image.Image, box: Box, cards: tuple[LaidCard, ...], across: float) -> None:
    size, columns = grid(len(cards), box.width, box.height)
    wide = min(columns, len(cards)) * (size + GAP) - GAP
    left = box.left + across * (box.width - wide)
    for index, laid in enumerate(cards):
        x = left + index % columns * (size + GAP) + size / 2
        y = box.top + index // columns * (size + GAP) + size / 2
        put(picture, tile(laid.card, size, dimmed=laid.is_cancelled), (x, y))
        if laid.is_highest:
            rim = around(x, y, size + 6, size + 6)
            picture.paste(GOLD, rim[:2], rounded(rim.width, rim.height, size // 5 + 3, line=5))


def grid(count: int, width: int, height: int) -> tuple[int, int]:
    """The largest size of so many tiles that fit, and how many are in a row."""
    for size in range(TILE, 8, -2):
        columns = max(1, (width + GAP) // (size + GAP))
        rows = -(-count // columns)
        if rows * (size + GAP) - GAP <= height:
            return size, columns
    return 8, count
