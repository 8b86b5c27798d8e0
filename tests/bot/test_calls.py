"""Whoever's turn it is is called when they take their time, and the call goes when they have moved."""

import pytest
from at_once import all_pass
from nights import calls as calls_sent
from people import Player, card_of, play_on
from seen import Seen
from server import Server

from bot.delivery import queue
from bot.table import calls as rendering
from engine.play.moves import Played

TURN = "it's your turn."
REMINDED = "the table is waiting for you"
#: The flag of a message that comes without a sound.
SILENT = 1 << 12
#: Seconds; for less than five the simulation waits as long, in place of moving its clock.
WAIT = 6.0


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "FIRST_WAIT", WAIT)
    monkeypatch.setattr(rendering, "AT_ONCE", WAIT)


def calls(server: Server) -> list[Seen]:
    """The calls that stand in the channel."""
    return [post for post in server.posts() if post.says(TURN)]


async def to_second_card(server: Server, pace: str = "none") -> Player:
    """The opening card lies; who is to play the next."""
    await server.deal(pace=pace)
    await all_pass(server)
    await server.to_play.play()
    return server.to_play


@pytest.mark.parametrize(("pace", "seconds"), [("none", 150), ("live", 10)])
async def test_who_takes_long_is_called_once(server: Server, pace: str, seconds: int) -> None:
    late = await to_second_card(server, pace)
    await server.env.advance_time(seconds - 1)
    assert calls_sent(server, TURN) == []
    await server.env.advance_time(2)
    assert calls_sent(server, TURN) == [[late.id]]
    [call] = calls(server)
    assert call.says(f"<@{late.id}>, it's your turn.")
    path = f"/channels/{server.channel.id}/messages"
    posts = [one.body for one in server.requests if (one.method, one.path) == ("POST", path)]
    assert [bool(body["allowed_mentions"]["users"]) for body in posts].count(True) == 1
    assert all(bool(body["flags"] & SILENT) != bool(body["allowed_mentions"]["users"]) for body in posts)
    assert not any(player.hand.flags & SILENT for player in server.people)
    await server.restart()
    await server.env.advance_time(15)
    assert calls_sent(server, TURN) == [[late.id]]
    assert (await late.click("My hand", call)).private[0].says("Your turn")
    await late.play()
    assert calls(server) == []
    await server.env.advance_time(seconds + 1)
    assert len(calls(server)) == 1
    await server.stop_the_game()
    assert calls(server) == []


async def test_who_moves_in_time_is_never_called_and_nothing_is_asked_of_discord(server: Server) -> None:
    await to_second_card(server)
    for _ in range(6):
        await server.env.advance_time(100)
        await server.to_play.play()
    assert calls_sent(server, TURN) == []
    channel = f"/channels/{server.channel.id}/"
    assert not any(one.method == "DELETE" and one.path.startswith(channel) for one in server.requests)


async def test_exposing_and_playing_alone_call_nobody(server: Server, ann: Player, bo: Player) -> None:
    await server.deal(ann, bo, game="chinese", pace="none")
    await server.env.advance_time(200)
    assert server.shows("Exposing")
    await server.stop_the_game()
    await server.deal_and_pass(ann, pace="none")
    await server.env.advance_time(200)
    assert calls_sent(server, TURN) == []


async def test_who_wants_it_is_called_at_every_turn_or_never(server: Server) -> None:
    late = await to_second_card(server, "live")
    await late.prefer(calls="never")
    await server.env.advance_time(40)
    assert calls_sent(server, TURN) == []
    assert f"<@{late.id}>" not in server.post(REMINDED).text
    await late.play()
    late = server.to_play
    await late.prefer(calls="always")
    await server.env.advance_time(WAIT + 1)
    assert calls_sent(server, TURN) == [[late.id]]
    await late.prefer(calls="never")
    assert calls(server) == []
    await late.prefer(calls="late")
    await server.env.advance_time(11)
    assert len(calls(server)) == 1
    await late.run("hearts leave")
    assert calls(server) == []


async def test_a_reminder_takes_the_place_of_the_call_until_there_is_other_news(server: Server) -> None:
    late = await to_second_card(server, "live")
    await server.env.advance_time(31)
    assert calls(server) == []
    reminder = server.post(REMINDED)
    assert f"<@{late.id}>" in reminder.text
    assert (await late.click("My hand", reminder)).private[0].says("Your turn")
    other = next(player for player in server.people if player is not late)
    await other.run("hearts leave")
    assert not server.shows(REMINDED)
    await server.env.advance_time(20)
    assert len(calls(server)) == 1
    await server.env.advance_time(10)
    assert server.to_play is not late
    assert calls(server) == []
    assert server.shows("Time's up")


async def test_a_reminder_goes_once_all_have_acted(server: Server, ann: Player, bo: Player) -> None:
    await server.deal(ann, bo, pace="live")
    await server.env.advance_time(31)
    await ann.pass_cards()
    assert server.shows(REMINDED)
    await bo.pass_cards()
    assert not server.shows(REMINDED)
    await play_on([ann, bo], lambda: bool(ann.playable))
    await server.env.advance_time(31)
    assert server.shows(REMINDED)
    await ann.play()
    assert not server.shows(REMINDED)


@pytest.mark.parametrize(("pace", "seconds", "words"), [("live", 31, REMINDED), ("none", 151, TURN)])
async def test_a_move_nobody_saw_ends_the_call(server: Server, pace: str, seconds: int, words: str) -> None:
    late = await to_second_card(server, pace)
    await server.env.advance_time(seconds)
    await server.act_unseen(late, lambda seat: Played(seat, card_of(late.playable[0])))
    assert server.shows(words)
    await server.restart()
    assert not server.shows(words)
