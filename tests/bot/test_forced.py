"""What has only one answer plays itself after a while, and nothing is played twice for it."""

from __future__ import annotations

from typing import Any

import pytest
from at_once import all_pass, moves_made
from games import deal_in_full
from people import Player
from server import Server

from bot.table import playing

pytestmark = pytest.mark.slow

#: Seconds; longer than the simulation waits by itself.
WHILE = 30.0
TRICKS = 13


@pytest.fixture(autouse=True)
def plays_itself(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.tables.flow.FORCED_PLAYS", WHILE)


def cards_played(server: Server) -> int:
    return sum("played" in row["move"] for row in server.stored()["moves"])


async def wait(server: Server) -> None:
    await server.env.advance_time(WHILE + 1)


async def choose(player: Player, **chosen: Any) -> None:
    await player.prefer(**chosen)


async def until_last_trick(server: Server) -> None:
    await moves_made(server, 4 * (TRICKS - 1))


async def until_forced(server: Server) -> Player:
    """Somebody can follow with one card alone, which nobody else knows."""
    await server.deal(pace="none")
    await all_pass(server)
    await server.to_play.play()
    while len((player := server.to_play).playable) > 1:
        await player.play()
    assert cards_played(server) < 4 * (TRICKS - 1)
    return player


async def test_the_opening_lead_plays_itself(server: Server) -> None:
    await server.deal_and_pass(pace="none")
    leader = server.to_play
    before = leader.hand
    assert before.says("You lead with 2♣, which plays itself in a second.")
    await server.env.advance_time(WHILE - 1)
    assert cards_played(server) == 0
    await server.env.advance_time(2)
    assert cards_played(server) == 1
    assert server.post("Trick 1").says("2♣")
    assert server.to_play is not leader
    assert "2♣︎" not in leader.hand.buttons
    late = leader.press("2♣︎", before)  # a click that crosses the card is answered as if it had played it
    await server.settle()
    assert late.told == ""
    assert cards_played(server) == 1
    other = next(label for label in before.buttons if label != "2♣︎")
    await leader.rest()
    wrong = leader.press(other, before)
    await server.settle()
    assert wrong.told


async def test_the_last_cards_of_a_deal_play_themselves_one_after_the_other(server: Server) -> None:
    await deal_in_full(server, pace="none")
    await until_last_trick(server)
    for number in range(1, 4):
        await wait(server)
        assert cards_played(server) == 4 * (TRICKS - 1) + number
    await wait(server)
    assert server.shows("After deal 1")


async def test_meanwhile_a_click_plays_the_card_and_nothing_plays_twice(server: Server) -> None:
    await server.deal_and_pass(pace="none")
    await server.to_play.play()
    assert cards_played(server) == 1
    await wait(server)
    assert cards_played(server) == 1


async def test_a_card_of_which_only_its_player_knows_that_it_is_forced_waits(server: Server) -> None:
    """Until they want every forced card to play itself, and have not changed their mind."""
    player = await until_forced(server)
    before = cards_played(server)
    await wait(server)
    for other in server.people:
        if other is not player:
            await choose(other, forced="every")
    await wait(server)
    await choose(player, forced="every")
    await choose(player, forced="known")
    await wait(server)
    assert cards_played(server) == before
    await choose(player, forced="every")  # while the card already waits
    [label] = player.playable
    assert player.hand.says(
        f"You have no choice: {label}, which plays itself in a second.".replace("\ufe0e", "")
    )
    await wait(server)
    assert cards_played(server) == before + 1
    assert label not in player.hand.buttons


async def test_a_choice_among_cards_never_plays_itself(server: Server) -> None:
    await server.deal_and_pass(pace="none")
    for player in server.people:
        await choose(player, forced="every")
    await wait(server)
    while len(server.to_play.playable) == 1:
        await wait(server)
    before = cards_played(server)
    await wait(server)
    assert cards_played(server) == before


async def test_after_a_restart_meanwhile_it_plays_once(server: Server) -> None:
    await server.deal_and_pass(pace="none")
    await server.env.advance_time(WHILE - 1)
    await server.restart()
    assert cards_played(server) == 0
    await wait(server)
    assert cards_played(server) == 1
    await server.restart()
    await wait(server)
    assert cards_played(server) == 1


async def test_a_reminder_does_not_keep_it_waiting_nor_does_it_keep_a_reminder(server: Server) -> None:
    await server.deal_and_pass(pace="live")  # whose players are reminded after half a minute
    await wait(server)
    assert cards_played(server) == 1
    assert not server.shows("the table is waiting for you")
    await server.env.advance_time(31)
    assert server.shows("the table is waiting for you")


async def test_a_hand_is_painted_at_most_once_while_its_last_card_plays_itself(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    await deal_in_full(server, pace="none")
    await until_last_trick(server)
    monkeypatch.setattr(playing, "PASSING_BY", 2 * WHILE)
    await server.to_play.play()  # the last trick is open: from here on nobody has to click
    before = len(server.requests)
    while not server.shows("After deal 1"):
        await wait(server)
    posts = f"/channels/{server.channel.id}/messages"
    edits = [one for one in server.requests[before:] if one.method == "PATCH"]
    # Through the token of a click or the bot's own: the hands of the three who have not clicked.
    hands = [str(one.body) for one in edits if not one.path.startswith(posts)]
    assert len(hands) <= 3
    assert all(not player.playable for player in server.people)
