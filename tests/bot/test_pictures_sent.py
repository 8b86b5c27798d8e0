"""Pictures are drawn beside the loop and sent as files; where that cannot be, words stand in their place."""

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest
from at_once import all_pass
from games import NAMES, arranged
from people import Player, label_of
from scraping import counted
from seen import Seen
from server import PEOPLE, OpenServer, Server, Sketches

from bot.delivery import building, picture_cache
from bot.delivery.budget import Budget
from bot.delivery.picture_cache import NotDrawnYet, PictureCache
from bot.vocabulary.scenes import CurvesScene, FanScene, Scene
from engine.rules.ruleset import Ruleset
from tests.bench.measure import real_time

pytestmark = pytest.mark.slow

FORBIDDEN, TOO_LARGE = (403, 50013), (413, 40005)


@pytest.fixture
async def server(open_server: OpenServer) -> Server:
    """A server whose messages hold pictures."""
    return await open_server(sketches=Sketches())


@pytest.fixture
async def slow(open_server: OpenServer) -> AsyncIterator[Server]:
    """One where time passes, so that pictures can take a while; Ann and Bo have cards to pass."""
    with real_time():
        server = await open_server(sketches=Sketches())
        await server.deal(*server.people[:2])
        yield server


def board(server: Server) -> Seen:
    """The newest post of the game in the channel."""
    return server.newest(server.channel.id, lambda one: "My hand" in one.buttons)


def trick(server: Server) -> dict[str, str]:
    """The cards of the trick on the board, by name, as its picture shows them."""
    [scene] = server.scenes(board(server))
    return {place.name: place.laid.card.symbol for place in scene.places if place.laid}


def files(server: Server, since: int = 0) -> list[str]:
    """The requests since then that brought files along."""
    return [str(one) for one in server.requests[since:] if "filename" in str(one.body)]


def left_out(server: Server) -> dict[str, float]:
    """How many pictures were left out, by the reason why."""
    return counted(server.env.bot.monitor).by("reason", "hearts_pictures_left_out_total")


# What is sent


async def test_a_fan_stays_while_cards_are_tapped_and_each_card_replaces_the_boards_picture(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal(ann, bo, pace="none")
    [scene] = server.scenes(ann.hand)
    drawn = counted(server.env.bot.monitor)
    assert drawn("hearts_picture_seconds_count") == len(server.sketches.scenes) > 0
    assert drawn("hearts_picture_seconds_sum") > 0
    assert isinstance(scene, FanScene)
    assert [card.code for card in scene.cards] == [code for code, _ in ann.hand.offered]
    before, since, drawn = ann.hand.message.attachments, len(server.requests), len(server.sketches.scenes)
    await ann.pick_cards()
    assert ann.hand.message.attachments == before
    assert files(server, since) == []
    await ann.open_hand()
    assert server.scenes(ann.my_hand) == [scene]
    assert len(server.sketches.scenes) == drawn
    await ann.pass_cards()
    await bo.pass_cards()
    assert isinstance(server.scenes(ann.hand)[0], FanScene)
    assert len(ann.hand.message.attachments) == 1

    message, player = board(server), server.to_play
    laid, label = trick(server), player.playable[0]
    await player.play()
    assert board(server).id == message.id
    [(name, symbol)] = trick(server).items() - laid.items()
    assert (name, label.removesuffix("\ufe0e")) == (PEOPLE[server.people.index(player)], symbol)
    assert "###" not in board(server).text  # no words beside it
    [picture] = board(server).pictures
    assert symbol in picture["description"].replace("\ufe0e", "")
    assert len(board(server).message.attachments) == 1


async def test_who_may_expose_a_card_sees_a_fan(open_server: OpenServer) -> None:
    rng = arranged(Ruleset.of("chinese", 4), ("QS AH",))
    server = await open_server(rng, sketches=Sketches(), names=NAMES[:1])
    [ann] = server.people
    await server.deal(ann, game="chinese", players=4)
    [scene] = server.scenes(ann.hand)
    assert isinstance(scene, FanScene)
    assert len(scene.cards) == 13


# Words in their place


async def test_without_the_permission_there_are_words_until_it_is_given(server: Server) -> None:
    server.deny(server.env.bot.user, "attach_files")
    await server.deal_and_pass(pace="none")
    await server.to_play.play()
    assert board(server).pictures == []
    assert board(server).says("Deal 1 · Trick 1")
    assert server.to_play.dm  # and all else goes on
    server.deny(server.env.bot.user)  # gives it back
    await server.to_play.play()
    assert len(trick(server)) == 2
    server.deny(server.env.bot.user, "attach_files")
    await server.to_play.play()
    assert board(server).pictures == []
    assert board(server).message.attachments == []
    assert board(server).says("Deal 1 · Trick 1")


@pytest.mark.parametrize(
    ("method", "status", "code"),
    [("POST", *FORBIDDEN), ("PATCH", *FORBIDDEN), ("PATCH", *TOO_LARGE), ("POST", 400, 20009)],
)
async def test_where_files_are_refused_the_same_message_comes_in_words(
    server: Server, caplog: pytest.LogCaptureFixture, method: str, status: int, code: int
) -> None:
    path = f"/channels/{server.channel.id}/messages" + "/*" * (method == "PATCH")
    await server.deal(pace="none")
    if method == "PATCH":
        await all_pass(server)
    server.env.inject_error(method, path, status=status, code=code)
    await (all_pass(server) if method == "POST" else server.to_play.play())
    assert board(server).pictures == []
    assert board(server).says("Deal 1 · Trick 1")
    assert "without pictures from now on" in caplog.text
    assert left_out(server) == {"refused": 1}
    since = len(server.requests)
    await server.to_play.play()
    assert [one for one in files(server, since) if str(server.channel.id) in one] == []
    assert not any(one.says("paused") for player in server.people for one in player.dms())
    for denied in (["attach_files"], []):
        server.deny(server.env.bot.user, *denied)
        await server.to_play.play()
    assert len(trick(server)) > 1


async def test_where_nothing_may_be_written_words_are_refused_too(server: Server, ann: Player) -> None:
    await server.deal(pace="none")
    path = f"/channels/{server.channel.id}/messages"
    server.env.inject_error("POST", path, status=403, code=50013, times=None)
    await all_pass(server)
    assert ann.dm.says("paused")


async def test_pictures_are_drawn_one_after_another_each_once() -> None:
    sketches = Sketches()
    drawing = PictureCache(sketches, Budget())
    scenes = [CurvesScene((), (limit,), "", "") for limit in range(100)]
    asked = [drawing.pictures([scene], place, 5.0) for place, scene in enumerate([*scenes, *scenes])]
    found = await asyncio.gather(*asked)
    assert found == [[str(number).encode()] for number in range(100)] * 2
    assert sketches.scenes == scenes


async def test_who_waits_gets_the_picture_that_is_wanted_when_their_turn_comes() -> None:
    sketches = Sketches()
    sketches.seconds = 0.05
    drawing = PictureCache(sketches, Budget())
    first, second, third, newer = (CurvesScene((), (limit,), "", "") for limit in range(4))
    early = [asyncio.ensure_future(drawing.pictures([one], one, 9.0)) for one in (first, second, third)]
    await asyncio.sleep(0)
    with pytest.raises(NotDrawnYet) as late:
        await drawing.pictures([newer], second, 0.01)  # in the place of the second, before the third
    await late.value.until
    assert sketches.scenes == [first, newer]
    await drawing.pictures([second], second, 9.0)
    assert sketches.scenes == [first, newer, third, second]
    assert await asyncio.gather(early[0], early[2]) == [[b"0"], [b"2"]]
    with pytest.raises(NotDrawnYet):  # the newer one had its turn
        await early[1]


async def test_what_is_not_drawn_when_the_cache_is_closed_is_not_drawn_any_more() -> None:
    sketches = Sketches()
    sketches.seconds = 9.0
    drawing, scene = PictureCache(sketches, Budget()), CurvesScene((), (1,), "", "")
    early = asyncio.ensure_future(drawing.pictures([scene], 1, 5.0))
    await asyncio.sleep(0.01)
    drawing.close()
    for asked in (early, drawing.pictures([scene], 1, 5.0)):
        with pytest.raises(NotDrawnYet):
            await asyncio.wait_for(asked, 1.0)


async def test_a_drawing_that_fails_is_tried_again_at_once_and_later(
    caplog: pytest.LogCaptureFixture,
) -> None:
    now, tries, fails = 0.0, 0, {1}

    async def draw(scene: Scene) -> bytes:
        nonlocal tries
        tries += 1
        if tries in fails:
            raise OSError("the process has died")
        return b"picture"

    budget = Budget()
    budget.clock = lambda: now
    drawing, scenes = PictureCache(draw, budget), [CurvesScene((), (1,), "", "")]
    assert await drawing.pictures(scenes, 1, 9.0) == [b"picture"]
    assert not caplog.records
    tries, fails, scenes = 0, {1, 2}, [CurvesScene((), (2,), "", "")]
    assert await drawing.pictures(scenes, 1, 9.0) == [None]
    assert "A picture couldn't be drawn" in caplog.text
    assert await drawing.pictures(scenes, 1, 9.0) == [None]
    assert tries == 2
    now += picture_cache.FAILED_FOR
    assert await drawing.pictures(scenes, 1, 9.0) == [b"picture"]


async def test_what_cannot_be_drawn_is_said(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    server.sketches.broken = True
    await server.deal_and_pass(pace="none")
    await server.to_play.play()
    assert board(server).says("Deal 1 · Trick 1")
    assert left_out(server)["failed"] > 0
    broken = [one for one in caplog.records if one.levelno == logging.ERROR]
    assert [one.getMessage() for one in broken] == ["A picture couldn't be drawn; words replace it."] * 2
    caplog.clear()  # one for hands and one for boards
    server.sketches.broken = False
    await server.to_play.play()
    assert len(trick(server)) == 2


async def test_a_message_that_has_not_kept_its_picture_is_not_trusted_for_an_hour_and_others_are(
    server: Server, ann: Player, bo: Player, caplog: pytest.LogCaptureFixture
) -> None:
    await server.deal(ann, bo, pace="none")
    server.env.inject_error("PATCH", "/webhooks/*/messages/@original", status=400, code=50035)
    times = ((ann, 0.0, True), (bo, 0.0, False), (ann, 60.0, True), (ann, building.FILE_RETRY, False))
    for player, after, is_sent in times:
        await server.env.advance_time(after)
        since = len(server.requests)
        await player.pick_cards()
        await player.pick_cards(" ".join(code for code, _ in player.hand.offered[-3:]))
        pictured = [one for one in server.requests[since:] if "attachment://" in str(one.body)]
        assert pictured
        assert bool(files(server, since)) is is_sent
    [line] = [one.getMessage() for one in caplog.records if "does not keep its pictures" in one.getMessage()]
    assert str(ann.hand.id) in line


async def test_a_click_is_answered_before_its_picture_is_drawn(slow: Server) -> None:
    ann, *_ = slow.people
    await ann.pick_cards()
    held, since = slow.scenes(ann.hand), len(slow.requests)
    slow.sketches.seconds = 0.3
    await ann.pass_cards()
    await slow.settle()
    [answer] = [one for one in slow.requests[since:] if one.path.endswith("/callback")]
    # An answer with content would take away the picture that it does not name.
    assert answer.body == {"type": 6}
    kept, drawn = [one for one in slow.requests[since:] if "You pass" in str(one.body)]
    assert "filename" not in str(kept.body)  # it keeps the picture that it holds
    assert "filename" in str(drawn.body)
    assert slow.scenes(ann.hand) != held


async def test_a_click_does_not_wait_for_the_picture_of_the_one_before(slow: Server) -> None:
    ann, *_ = slow.people
    [passed, *_] = codes = [code for code, _ in ann.hand.offered[:3]]
    await ann.pick_cards(" ".join(codes))
    both_answered = asyncio.Event()

    async def until_answered(seconds: float) -> None:
        await asyncio.wait([asyncio.ensure_future(both_answered.wait())], timeout=seconds)

    slow.sketches.pause, slow.sketches.seconds = until_answered, 2.0
    since = len(slow.requests)

    async def answers(count: int) -> None:
        while sum(one.path.endswith("/callback") for one in slow.requests[since:]) < count:  # noqa: ASYNC110 - no event tells so
            await asyncio.sleep(0.01)

    await ann.press_pass(" ".join(codes))
    await answers(1)
    ann.press(label_of(passed), ann.hand)  # not this one after all
    await answers(2)
    assert files(slow, since) == []
    both_answered.set()
    await slow.settle()
    assert len(files(slow, since)) == 1
    assert slow.sketches.scenes[-1] in slow.scenes(ann.hand)
