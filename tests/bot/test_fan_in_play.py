"""The fan in a hand from which cards are played: what it shows, and how it gives way."""

import asyncio
from collections import Counter

import pytest
from moments import tables
from people import Player
from seen import Seen
from server import OpenServer, Server, Sketches
from settling import let_time_stand_still

from bot.delivery import building, picture_cache
from bot.delivery.budget import Budget
from bot.delivery.picture_cache import PictureCache
from bot.table import hand
from bot.vocabulary.messages import Button, Picture
from bot.vocabulary.scenes import CurvesScene, FanScene
from engine.play.deal import Phase
from engine.play.views import seat_view
from engine.rules.ruleset import Ruleset

#: Seconds within which a click is answered, even if its picture takes longer.
SOON = building.PICTURE_GRACE + 0.01


@pytest.fixture
async def server(open_server: OpenServer) -> Server:
    """A server that shows pictures."""
    return await open_server(sketches=Sketches())


def fan(server: Server, seen: Seen) -> FanScene | None:
    """What the hand's fan shows, if there is one."""
    [scene, *others] = [one for one in server.scenes(seen) if isinstance(one, FanScene)] or [None]
    assert not others
    return scene


def buttons(seen: Seen, *, enabled: bool) -> Counter[str]:
    """The codes of the cards on its buttons, or on those that can be pressed."""
    found = [one for one in seen.buttons.values() if ":play:" in one["custom_id"]]
    shown = [one for one in found if not enabled or not one.get("disabled")]
    return Counter(one["custom_id"].rpartition(":")[2].partition(".")[0] for one in shown)


def is_true(server: Server, seen: Seen) -> bool:
    """Whether its fan shows the cards on its buttons, with those raised that can be pressed."""
    scene = fan(server, seen)
    if scene is None:
        return not buttons(seen, enabled=False)
    raised = Counter(scene.cards[place].code for place in scene.chosen)
    held = Counter(card.code for card in scene.cards)
    return held == buttons(seen, enabled=False) and raised == buttons(seen, enabled=True)


async def play(player: Player) -> str:
    """Play the first card, wait for the answer alone, and return the card's code."""
    label = player.playable[0]
    code = player.hand.buttons[label]["custom_id"].rpartition(":")[2].partition(".")[0]
    player.press(label, player.hand)
    await player.server.env.advance_time(SOON)
    return str(code)


@pytest.mark.parametrize(("game", "players"), [("double-deck", 8), ("classic", 4), ("chinese", 4)])
def test_it_shows_all_cards_to_the_last_and_raises_the_playable_ones(game: str, players: int) -> None:
    """In Chinese Hearts, exposed ones too."""
    for table in tables(Ruleset.of(game, players), seed=1, deals=1):
        for seat in range(players) if table.game.deal and table.game.deal.phase is Phase.PLAYING else ():
            shown = hand.hand(table.public, seat_view(table.game, seat))
            rows = [part for part in shown.parts if isinstance(part, tuple)]
            cards = [one for row in rows for one in row if isinstance(one, Button) and one.card]
            scenes = [part.scene for part in shown.parts if isinstance(part, Picture)]
            assert len(scenes) == bool(cards)
            for scene in scenes:
                assert isinstance(scene, FanScene)
                raised = Counter(scene.cards[place] for place in scene.chosen)
                assert Counter(scene.cards) == Counter(one.card for one in cards)
                assert raised == Counter(one.card for one in cards if one.enabled)


# How it gives way


@pytest.fixture
async def playing(server: Server, monkeypatch: pytest.MonkeyPatch) -> Player:
    """A player whose turn it is, in a game in which time passes only when a test says so."""
    await server.deal(pace="none")
    for player in server.people:
        await player.pass_cards()  # so that their hands are edited by clicks' tokens
    let_time_stand_still(monkeypatch)
    return server.to_play


async def test_buttons_do_not_wait_for_it_and_it_follows_for_free(server: Server, playing: Player) -> None:
    server.sketches.seconds, since = 0.05, len(server.requests)
    played = await play(playing)
    assert played not in buttons(playing.hand, enabled=False)
    assert server.to_play is not playing  # whose buttons can be used already
    await server.env.advance_time(0.25)
    assert is_true(server, playing.hand)
    assert is_true(server, server.to_play.hand)
    channels = tuple(f"/channels/{one.member.user.dm_channel.id}/" for one in server.people)
    requests = server.requests[since:]
    assert not [one for one in requests if one.method == "PATCH" and one.path.startswith(channels)]


async def test_one_that_is_out_of_date_goes_until_there_is_time(server: Server, playing: Player) -> None:
    server.sketches.seconds = 9.0
    await play(playing)
    assert fan(server, playing.hand)  # it doesn't flicker at once
    await server.env.advance_time(building.LATE_PICTURE)
    assert fan(server, playing.hand) is None
    for _ in range(3):
        other = server.to_play
        await play(other)
        await server.env.advance_time(building.LATE_PICTURE)
        assert fan(server, other.hand) is None
        assert sum(buttons(other.hand, enabled=False).values()) == 12
    await server.env.advance_time(30.0)
    assert fan(server, playing.hand) is None  # nor does it come and go
    server.sketches.seconds = 0.0
    for is_shown in (False, True):
        other = server.to_play
        await play(other)
        assert (fan(server, other.hand) is not None) == is_shown
        await server.env.advance_time(picture_cache.SPARED_FOR)
    assert is_true(server, other.hand)


async def test_while_calls_are_scarce_there_is_none(server: Server, playing: Player) -> None:
    budget = server.env.bot.delivery.budget
    budget.calls = 1
    budget.spend()
    drawn = len(server.sketches.scenes)
    played = await play(playing)
    assert played not in buttons(playing.hand, enabled=False)
    assert fan(server, playing.hand) is None
    assert not any(isinstance(one, FanScene) for one in server.sketches.scenes[drawn:])


async def test_boards_are_drawn_first() -> None:
    sketches = Sketches()
    drawing = PictureCache(sketches, Budget())
    fans = [FanScene((), frozenset({one})) for one in range(picture_cache.MOST_WAITING)]
    board = CurvesScene((), (4,), "", "")
    asked = [drawing.pictures([scene], scene, 5.0, are_optional=True) for scene in fans]
    drawn = asyncio.gather(*asked, drawing.pictures([board], "a board", 5.0))
    await asyncio.sleep(0)
    assert not drawing.is_busy  # however many fans wait
    await drawn
    assert sketches.scenes == [board, *fans]
