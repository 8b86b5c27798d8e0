"""Hands, totals, par, ratings, standings and feats lie within their pictures, and cards can be read."""

from dataclasses import replace
from itertools import pairwise

import drawn
import pytest
from drawn import differ
from PIL import Image

from bot.pictures import draw
from bot.pictures.charts import ticks
from bot.pictures.curves import APART, chart, label_heights, near_limits
from bot.pictures.fans import ACROSS, CARD_HEIGHT, CARD_WIDTH, fan, places
from bot.pictures.feats import LEFT, RADIUS, ROOM, SKY, _name
from bot.pictures.files import WIDTH
from bot.pictures.open_hands import open_hands, rooms
from bot.pictures.open_hands import places as places_in
from bot.pictures.pars import NUMBER, bars
from bot.pictures.ratings import HEIGHT, rating_scale
from bot.pictures.seats import Box
from bot.pictures.sprites import card
from bot.pictures.standings import BARS, Bars
from bot.vocabulary.scenes import MOST_BARS, Curve, CurvesScene, ParScene, RatingScene
from engine.cards import CLUB_JOKER, DECK, HEARTS, WILD_JOKER, Hand, sort_hand
from engine.play.feats import FeatKind

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


# Totals and other lines

TOTALS = [
    drawn.totals(players, deals, limit, least, most)
    for players in range(3, 11)
    for deals, limit, least, most in (
        (0, 100, 0, 0),
        (1, 100, 0, 26),
        (60, 500, 0, 13),
        (12, -500, -90, 30),
        (9, 5000, -40, 40),
    )
]


@pytest.mark.parametrize("scene", TOTALS)
def test_every_curve_and_every_name_has_its_place(scene: CurvesScene) -> None:
    scale, height = chart(scene)
    for curve in scene.curves:
        for deal, total in enumerate(curve.totals):
            assert scale.room.left <= scale.x(deal) <= scale.room.right
            assert scale.room.top <= scale.y(total) <= scale.room.bottom
    heights = label_heights(scene, scale)
    ends = [curve.totals[-1] for curve in scene.curves]
    assert [total for _, total in sorted(zip(heights, ends, strict=True))] == sorted(ends, reverse=True)
    labels = sorted(heights)
    assert all(other - one >= APART - 0.001 for one, other in pairwise(labels))
    assert labels[0] >= 90
    assert labels[-1] <= height - 20


@pytest.mark.parametrize(
    ("least", "most", "shown"),
    [(-10, 10, []), (-40, 10, [-100]), (-10, 40, [100]), (-40, 40, [100, -100])],
)
def test_only_an_end_that_is_near_has_its_line(least: int, most: int, shown: list[int]) -> None:
    scene = CurvesScene((Curve("Ann", "Seat 1", (0, least, most)),), (100, -100), "", "")
    scale, _ = chart(scene)
    assert near_limits(scene) == shown
    assert (scale.least, scale.most) == (min(least, *shown, 0), max(most, *shown, 0))


@pytest.mark.parametrize(("least", "most"), [(0, 1), (0, 7), (0, 100), (-530, 0), (-3, 4), (-10_000, 10_000)])
def test_lines_across_are_at_round_totals(least: int, most: int) -> None:
    found = ticks(least, most)
    assert 2 <= len(found) <= 7
    assert all(least <= total <= most for total in found)
    assert 0 in found


AGAINST_PAR = [
    drawn.pars(players, deals, least=least, most=most, unknown=unknown)
    for players in range(3, 11)
    for deals, least, most, unknown in (
        (1, 0, 0, None),
        (1, 0, 26, 1),
        (7, 0, 26, 3),
        (13, -10, 26, None),
        (MOST_BARS, -400, 100, None),
        (9, -40, -1, None),
    )
]


@pytest.mark.parametrize("scene", AGAINST_PAR)
def test_every_bar_against_par_has_its_place(scene: ParScene) -> None:
    layout = bars(scene)
    for player, scale in zip(scene.players, layout, strict=True):
        middles = [scale.x(index) for index in range(len(player.deals))]
        assert all(other - one > 2 * scale.half for one, other in pairwise(middles))
        assert middles[0] - scale.half >= 0
        assert middles[-1] + scale.half <= WIDTH
        for deal in player.deals:
            values = [0, deal.points, *([] if deal.par is None else [deal.par])]
            assert all(scale.room.top <= scale.y(value) <= scale.room.bottom for value in values)
    assert all(one.box.bottom + NUMBER < other.box.top for one, other in pairwise(layout))
    heights = [scale.y(0) - scale.y(13) for scale in layout]
    assert heights == pytest.approx([heights[0]] * len(heights))


@pytest.mark.parametrize("start", [-400, 0, 1500])
@pytest.mark.parametrize(("games", "every"), [(2, 1), (31, 1), (1000, 7)])
def test_a_rating_has_its_place(games: int, every: int, start: int) -> None:
    scene = drawn.rating(games, every=every, start=start)
    scale = rating_scale(scene)
    for game, rating in scene.ratings:
        assert scale.room.left <= scale.x(game) <= scale.room.right
        assert scale.room.top <= scale.y(rating) <= scale.room.bottom < HEIGHT
    assert scale.x(scene.ratings[0][0]) == scale.room.left
    assert scale.x(scene.ratings[-1][0]) == scale.room.right
    assert len(ticks(scale.least, scale.most)) >= 2


@pytest.mark.parametrize("values", [(), (0.0,), (0.1, -0.1), (-30.0, -2.0), (3.0, 60.0), (-400.0, 250.5)])
def test_every_bar_of_standings_has_its_place(values: tuple[float, ...]) -> None:
    scale = Bars(values)
    assert BARS[0] < scale.zero < BARS[1]
    for value in values:
        box = scale.box(value, 100, 30)
        assert BARS[0] - 4 <= box.left < box.right <= BARS[1] + 4
        if abs(value) > 1:
            assert (box.centre[0] > scale.zero) is (value > 0)


def test_what_is_small_does_not_look_large() -> None:
    scale = rating_scale(RatingScene("", ((1, 1000), (2, 1003))))
    assert scale.y(1000) - scale.y(1003) < scale.room.height / 20
    assert Bars([0.2]).box(0.2, 0, 30).width < Bars([20.0]).box(20.0, 0, 30).width / 2


def test_nobody_need_have_played() -> None:
    for scene in (drawn.standings(0), replace(drawn.podium(), steps=()), drawn.luck(0)):
        assert draw(scene)


@pytest.mark.parametrize("name", drawn.NAMES)
def test_every_name_has_its_place_beside_the_sky(name: str) -> None:
    assert _name(drawn.feat(FeatKind.SUN, name)).width <= ROOM
    assert SKY[0] - RADIUS > LEFT + ROOM
