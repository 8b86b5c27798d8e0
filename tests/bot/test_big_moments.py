"""What was special about a deal has a headline and a picture of its own where the deal ends."""

from __future__ import annotations

import pytest
from moments import table_of
from play.test_proofs import ADD, BROKEN, MOON, classic

from bot.table import scores
from bot.vocabulary.messages import Picture
from bot.vocabulary.scenes import FeatScene
from engine.play.feats import FeatKind
from engine.play.game import Game
from engine.play.public import public_deal

SHOT = "## 🌕 **Ann** shot the moon"
MOON_SCENE = FeatScene(FeatKind.MOON, "Ann", "Seat 1", "shot the moon", "+26 for everyone else")
MOON_PICTURE = Picture(
    MOON_SCENE, "A full moon among stars. Ann shot the moon: +26 for everyone else", words=""
)
STOPPED = "## 🌒 **Bo** nearly shot the moon\n**Bo** took 25 of 26 points, and **Ann** stopped it."
STOPPED_SCENE = FeatScene(FeatKind.STOPPED, "Bo", "Seat 2", "nearly shot the moon", "25 of 26 points")
STOPPED_PICTURE = Picture(
    STOPPED_SCENE, "A moon in eclipse. Bo nearly shot the moon: 25 of 26 points", words=""
)


@pytest.mark.parametrize(
    ("game", "headline", "picture"),
    [
        (classic((MOON[0], ADD), moon="others"), f"{SHOT}\nEveryone else gets +26.", MOON_PICTURE),
        (classic((MOON[0], ADD)), SHOT, MOON_PICTURE),  # the post right above says what Ann chose
        (classic((BROKEN, ADD)), STOPPED, STOPPED_PICTURE),
    ],
)
def test_a_moon_or_nearly_one_stands_above_the_points(game: Game, headline: str, picture: Picture) -> None:
    first, second, points, *_ = scores.after_deal(table_of(game).public, public_deal(game.deals[0]))
    assert (first, second) == (headline, picture)
    assert str(points).startswith("### After deal 1")


def test_the_end_of_a_game_shows_it_too() -> None:
    post = scores.final(table_of(classic((MOON[0], ADD), ends_at=20)).public)
    assert post.parts[1:3] == (SHOT, MOON_PICTURE)
