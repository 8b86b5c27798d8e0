"""Everything on a table has a place of its own."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import drawn
import pytest

from bot.pictures import draw, sprites
from bot.pictures.plates import LIGHT
from bot.pictures.seats import Box, around, plan
from bot.pictures.tables import grid, plates
from bot.vocabulary.scenes import LaidCard, LastTrick, Score, Tone
from engine.cards import card
from engine.rules.presets import PRESETS, Preset

pytestmark = pytest.mark.slow

PLAYERS = range(3, 11)


def overlap(one: Box, other: Box) -> bool:
    return (
        one.left < other.right
        and other.left < one.right
        and one.top < other.bottom
        and other.top < one.bottom
    )


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("name", [*drawn.NAMES, "Ann"])
def test_nothing_on_a_table_covers_anything_else(players: int, name: str) -> None:
    where = plan(players)
    boxes = {"title": where.title, "on hold": where.on_hold, "last trick": where.last}
    for seat, (spot, plate) in enumerate(zip(where.spots, plates(drawn.crowded(players, name)), strict=True)):
        boxes |= {f"card {seat}": spot.card, f"plate {seat}": plate.box}
        if players <= 6:
            boxes[f"exposed {seat}"] = spot.exposed
        if not (plate.box.left < plate.points.left and plate.points.right < plate.box.right):
            boxes[f"points {seat}"] = plate.points._replace(left=plate.box.right)
    for box in boxes.values():
        assert 0 <= box.left < box.right <= 1100
        assert 0 <= box.top < box.bottom <= where.height
    covered = [(one, other) for one, other in combinations(boxes, 2) if overlap(boxes[one], boxes[other])]
    assert not covered


@pytest.mark.parametrize("players", PLAYERS)
def test_the_light_of_whose_turn_it_is_falls_on_nobody_elses_card(players: int) -> None:
    """Nor on the ring of the highest, however much of its room a name takes."""
    spots = plan(players).spots
    rings = [around(*spot.card.centre, *(side + 14 for side in spot.card.size)) for spot in spots]
    for seat, spot in enumerate(spots):
        light = around(*spot.plate.centre, *(side + LIGHT[0][0] for side in spot.plate.size))
        assert not any(overlap(light, ring) for other, ring in enumerate(rings) if other != seat)


@pytest.mark.parametrize("players", PLAYERS)
def test_everybody_is_named_as_far_as_there_is_room(players: int) -> None:
    short = plates(drawn.table(players))
    assert "".join(run.text for run in short[0].name.runs) == "Ann"
    long = plates(drawn.crowded(players, "Wolfgang Amadeus Mozart"))
    for plate in long:
        written = "".join(run.text for run in plate.name.runs)
        assert written.endswith("…")
        assert len(written) >= 5


TABLE = drawn.table(4, 3, turn=3)


def test_a_trick_on_hold_is_worth_nothing_yet() -> None:
    held = LastTrick((LaidCard(card("QH"), 1),), None, Score("0"))
    other = replace(held, score=Score("1", Tone.BAD))
    assert draw(replace(TABLE, last=held)) == draw(replace(TABLE, last=other))


def test_who_took_the_last_trick_is_named_as_at_the_table() -> None:
    """Also who has a name in no font."""
    scene = drawn.table(8)
    scene = replace(scene, last=replace(scene.last, taker=6))
    by_seat = drawn.with_place(scene, 6, name="Seat 7")
    assert draw(scene) == draw(by_seat) != draw(replace(scene, last=replace(scene.last, taker=5)))


@pytest.mark.parametrize("players", [5, 10])
def test_the_order_of_play_is_seen_where_it_does_not_follow_from_the_seats(players: int) -> None:
    scene = drawn.table(players, 1)
    laid = scene.places[0].laid
    assert draw(scene) != draw(drawn.with_place(scene, 0, laid=replace(laid, place=2)))


@pytest.mark.parametrize("preset", PRESETS.values(), ids=str)
def test_every_game_s_cards_have_faces_large_and_small(preset: Preset) -> None:
    for players, packs in preset.packs.items():
        width = plan(players).spots[0].card.width
        for pack in packs.values():
            faces = set(pack.cards)
            assert len({sprites.card(face, width).tobytes() for face in faces}) == len(faces)
            assert len({sprites.tile(face, 64).tobytes() for face in faces}) == len(faces)


@pytest.mark.parametrize("count", range(1, 41))
def test_tiles_fit_where_they_are_put(count: int) -> None:
    for width, height in ((64, 238), (310, 90), (310, 138)):
        size, columns = grid(count, width, height)
        rows = -(-count // columns)
        assert columns * (size + 4) - 4 <= width
        assert rows * (size + 4) - 4 <= height
        assert size >= 20 or count > 20
