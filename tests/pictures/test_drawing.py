"""Pictures: small files, the same for an equal scene alone; and on a table's everything has its own place."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from io import BytesIO
from itertools import combinations
from typing import Any

import drawn
import pytest
from drawn import differ
from PIL import Image, ImageChops, ImageStat

from bot.pictures import DrawingProcess, draw, sprites
from bot.pictures.plates import LIGHT
from bot.pictures.seats import Box, around, plan
from bot.pictures.tables import grid, plates
from bot.vocabulary.scenes import (
    FanScene,
    HandsScene,
    LaidCard,
    LastTrick,
    LuckScene,
    ParScene,
    Scene,
    Score,
    StandingsScene,
    TableScene,
    Tone,
)
from engine.cards import CLUB_JOKER, card, cards
from engine.play.feats import FeatKind
from engine.rules.presets import PRESETS, Preset
from engine.worker import Lost

pytestmark = pytest.mark.slow

SCENES: dict[str, Scene] = {
    **{f"{count} at a table": drawn.table(count, count - 1, turn=count - 1) for count in (5, 7, 8, 9)},
    **{f"{count} and all else": drawn.crowded(count) for count in (3, 4, 6, 10)},
    **{f"a hand of {count}": drawn.hand(count, 0) for count in (1, 2, 13, 14, 26)},
    "nobody's cards": FanScene(()),
    "open hands": drawn.open_hands(4, 13),
    "open hands of ten, below their table": drawn.open_hands(10, 10, drawn.crowded(10)),
    "before the first deal is over": drawn.totals(3, 0),
    "a first deal": drawn.totals(4, 1),
    "ten players' totals": drawn.totals(10, 12),
    "sixty deals": drawn.totals(6, 60, 500),
    "a game that ends below zero": drawn.totals(4, 12, -500, -90, 30),
    "no limit": drawn.totals(4, 5, None),
    **{f"a feat: {kind.value}": drawn.feat(kind) for kind in FeatKind},
    "a feat with a long name": drawn.feat(FeatKind.MOON, drawn.NAMES[-1]),
    "one deal against par": drawn.pars(4, 1),
    "a game against par": drawn.pars(4, 7, unknown=3),
    "ten players against par": drawn.pars(10, 9),
    "sixty deals against par": drawn.pars(6, 60),
    "points that are good, against par": drawn.pars(5, 6, least=-200, most=100),
    "a rating after two games": drawn.rating(2),
    "a rating after a hundred games": drawn.rating(100),
    "standings of four": drawn.standings(4),
    "standings of sixteen": drawn.standings(16),
    "a podium": drawn.podium(),
    "what was luck": drawn.luck(8),
}
#: Heights that a picture may have; most are seen at a glance.
TALLEST = {HandsScene: 1800, ParScene: 1800, StandingsScene: 1300, LuckScene: 900}


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES.keys())
def test_a_picture_is_a_small_webp_file_whose_few_colours_hide_nothing(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A colour that the palette lacks would become another's."""
    content = draw(scene)
    monkeypatch.setattr(Image.Image, "quantize", lambda picture, **_: picture)
    in_all_colours = draw(scene)
    assert len(content) < (95_000 if isinstance(scene, HandsScene) else 45_000)
    with Image.open(BytesIO(content)) as picture, Image.open(BytesIO(in_all_colours)) as whole:
        assert picture.format == "WEBP"
        assert picture.width == 1100
        assert 250 < picture.height < TALLEST.get(type(scene), 800)
        difference = ImageChops.difference(whole.convert("RGB"), picture.convert("RGB"))
    assert max(ImageStat.Stat(difference).rms) < 8


def test_a_table_of_four_costs_few_bytes_all_deal_long() -> None:
    sizes = [len(draw(drawn.table(4, laid, turn=laid % 4))) for laid in range(5)]
    assert sum(sizes) / len(sizes) < 20_000


def test_an_equal_scene_has_the_same_picture_also_in_threads() -> None:
    scenes = list({type(scene): scene for scene in SCENES.values()}.values())
    alone = list(map(draw, scenes))
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(draw, scenes * 2)) == alone * 2


# Whatever changes is seen


def first(scene: Any, field: str, **changed: Any) -> Any:
    """The scene with its first curve, hand or line changed."""
    one, *others = getattr(scene, field)
    return replace(scene, **{field: (replace(one, **changed), *others)})


def at_seat_3(**changed: Any) -> TableScene:
    return drawn.with_place(TABLE, 3, **changed)


TABLE = replace(drawn.table(4, 3, turn=3), on_hold=cards("2C 3C"))
LAST = TABLE.last
TOTALS, PARS, HANDS = drawn.totals(4, 5), drawn.pars(3, 5), drawn.open_hands(3, 17)
DEAL, *LATER = PARS.players[0].deals
RATING, STANDINGS, FEAT = drawn.rating(9), drawn.standings(5), drawn.feat(FeatKind.MOON)
*BEFORE, (GAME, LATEST) = RATING.ratings
PODIUM, LUCK = drawn.podium(), drawn.luck(4)
QUEEN = card("QS")
CHANGES = [
    [
        TABLE,
        at_seat_3(is_turn=False),
        at_seat_3(is_computer=True),
        at_seat_3(name="Cy"),
        at_seat_3(score=Score("1", Tone.BAD)),
        at_seat_3(score=Score("1", Tone.GOOD)),
        at_seat_3(score=Score("1")),
        at_seat_3(exposed=cards("QS")),
        at_seat_3(exposed=cards("QS JD")),
        at_seat_3(laid=LaidCard(QUEEN, 4)),
        at_seat_3(laid=LaidCard(CLUB_JOKER, 4)),
        at_seat_3(laid=LaidCard(QUEEN, 4, is_highest=True)),
        at_seat_3(laid=LaidCard(QUEEN, 4, is_cancelled=True)),
        replace(TABLE, title="Deal 3 · Trick 8"),
        replace(TABLE, note=""),
        replace(TABLE, note="Q♠ passed"),
        replace(TABLE, note="Q♥ passed"),
        replace(TABLE, on_hold=()),
        replace(TABLE, on_hold=cards("2C 4C")),
        replace(TABLE, doubled=cards("QS")),
        replace(TABLE, doubled=cards("QS JD")),
        replace(TABLE, last=None),
        replace(TABLE, last=replace(LAST, taker=1)),
        replace(TABLE, last=replace(LAST, taker=None)),
        replace(TABLE, last=replace(LAST, score=Score("14", Tone.BAD))),
        replace(TABLE, last=replace(LAST, cards=LAST.cards[:3])),
        replace(
            TABLE, last=replace(LAST, cards=tuple(replace(one, is_cancelled=True) for one in LAST.cards))
        ),
    ],
    [
        HANDS,
        first(HANDS, "hands", lit=frozenset({3})),
        first(HANDS, "hands", gone=frozenset({3})),
        first(HANDS, "hands", name="Cy"),
        first(HANDS, "hands", cards=HANDS.hands[0].cards[1:]),
        replace(HANDS, table=drawn.table(3)),
    ],
    [
        TOTALS,
        replace(TOTALS, limits=()),
        replace(TOTALS, limits=(50,)),
        replace(TOTALS, curves=TOTALS.curves[1:]),
        first(TOTALS, "curves", has_won=False),
        first(TOTALS, "curves", name="Cy"),
        first(TOTALS, "curves", totals=(*TOTALS.curves[0].totals[:-1], 99)),
    ],
    [
        PARS,
        replace(PARS, first=7),
        replace(PARS, legend=("par", "good", "bad")),
        first(PARS, "players", name="Gus"),
        first(PARS, "players", summary="40 points, par 45.2"),
        first(PARS, "players", gain=Score("▲ 5.2", Tone.GOOD)),
        first(PARS, "players", has_won=False),
        first(PARS, "players", deals=(replace(DEAL, points=DEAL.points + 4), *LATER)),
        first(PARS, "players", deals=(replace(DEAL, par=99.0), *LATER)),
        first(PARS, "players", deals=(replace(DEAL, par=None), *LATER)),
        first(PARS, "players", deals=(replace(DEAL, tone=Tone.PLAIN), *LATER)),
    ],
    [
        RATING,
        replace(RATING, ratings=(*BEFORE, (GAME, LATEST + 40))),
        replace(RATING, ratings=(*BEFORE, (GAME + 5, LATEST))),
        replace(RATING, ratings=tuple(BEFORE)),
    ],
    [
        STANDINGS,
        replace(STANDINGS, title="Now"),
        replace(STANDINGS, lines=(*STANDINGS.lines[1:], STANDINGS.lines[0])),
        first(STANDINGS, "lines", is_playing=not STANDINGS.lines[0].is_playing),
        first(STANDINGS, "lines", score=Score("0", Tone.PLAIN)),
    ],
    [PODIUM, replace(PODIUM, steps=PODIUM.steps[:2])],
    [LUCK, first(LUCK, "lines", cards=-9.0)],
    [
        *(replace(FEAT, kind=kind) for kind in FeatKind),
        replace(FEAT, name="Bo"),
        replace(FEAT, deed="shot the moon"),
        replace(FEAT, outcome="−26 points"),
    ],
]


@pytest.mark.parametrize("scenes", CHANGES, ids=lambda scenes: type(scenes[0]).__name__)
def test_whatever_changes_is_seen(scenes: list[Scene]) -> None:
    differ(*scenes)


async def test_another_process_draws_the_same_until_it_is_closed() -> None:
    scene = SCENES["a hand of 13"]
    with closing(DrawingProcess()) as drawing:
        assert await drawing.draw(scene) == draw(scene)
    with pytest.raises(Lost):
        await drawing.draw(scene)


# Everything on a table has a place of its own

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
