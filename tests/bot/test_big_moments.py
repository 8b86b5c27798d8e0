"""What was special about a deal has a headline and a picture of its own where the deal ends."""

from __future__ import annotations

import pytest
from at_once import deals_played
from games import arranged, change_rules
from people import play_on
from server import OpenServer, Server, Sketches
from test_moon import CLUBS

from bot.vocabulary.scenes import FeatScene
from engine.play.feats import FeatKind
from engine.rules.ruleset import Ruleset

pytestmark = pytest.mark.slow

#: Ann takes a heart with her ace of clubs; then Bo takes all the others.
STOPPED = (
    "AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD",
    "AD 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC",
    "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
    "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
)


SHOT = FeatScene(FeatKind.MOON, "Ann", "Seat 1", "shot the moon", "+26 for everyone else")


async def started(open_server: OpenServer, *hands: str, ends_at: int = 100, **choices: str) -> Server:
    """A game of four people in which these hands are dealt first, and nobody passes."""
    server = await open_server(arranged(Ruleset.of("classic", 4), hands), sketches=Sketches())
    ann = await server.seat(ends_at=ends_at)
    await change_rules(ann, pass_cards="0", **choices)
    await ann.click("Start")
    return server


async def test_a_moon_between_two_deals(open_server: OpenServer) -> None:
    server = await started(open_server, CLUBS, moon="others")
    await deals_played(server.people, lambda: server.shows("After deal 1"))
    post = server.post("After deal 1")
    assert post.text.startswith("## 🌕 **Ann** shot the moon\nEveryone else gets +26.")
    assert SHOT in server.scenes(post)
    described = "A full moon among stars. Ann shot the moon: +26 for everyone else"
    assert post.pictures[0]["description"] == described
    assert post.says("Deal 2")


async def test_a_moon_that_was_stopped(open_server: OpenServer) -> None:
    server = await started(open_server, *STOPPED)
    await deals_played(server.people, lambda: server.shows("After deal 1"))
    post = server.post("After deal 1")
    assert post.says("🌒 Bo nearly shot the moon Bo took 25 of 26 points, and Ann stopped it.")
    nearly = FeatScene(FeatKind.STOPPED, "Bo", "Seat 2", "nearly shot the moon", "25 of 26 points")
    assert nearly in server.scenes(post)


async def test_a_moon_by_choice_that_ends_the_game(open_server: OpenServer) -> None:
    server = await started(open_server, CLUBS, ends_at=20)
    ann = server.people[0]
    await play_on(server.people, lambda: server.shows("shoots the moon"))
    await ann.click("+26 for the others", ann.hand)
    assert server.post("shoots the moon").says("Everyone else gets +26.")
    post = server.post("🏆")
    assert "## 🌕 **Ann** shot the moon" in post.text
    assert SHOT in server.scenes(post)
