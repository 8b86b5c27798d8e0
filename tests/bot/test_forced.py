"""What has only one answer plays itself after a while, and nothing is played twice for it."""

from __future__ import annotations

import pytest
from at_once import all_pass, moves_made
from games import deal_in_full
from server import Server

from bot.table import playing

pytestmark = pytest.mark.slow

#: Seconds; longer than the simulation waits by itself.
WHILE = 30.0


@pytest.fixture(autouse=True)
def plays_itself(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.tables.flow.FORCED_PLAYS", WHILE)


async def wait(server: Server) -> None:
    await server.env.advance_time(WHILE + 1)


async def test_the_opening_lead_plays_itself_once_whatever_happens_meanwhile(server: Server) -> None:
    await server.deal_and_pass(pace="live")  # whose players are reminded after half a minute
    leader = server.to_play
    before = leader.hand
    assert before.says("You lead with 2♣, which plays itself in a second.")
    await server.env.advance_time(WHILE - 1)
    await server.restart()
    assert server.plays == 0
    await wait(server)
    assert server.plays == 1
    assert server.post("Trick 1").says("2♣")
    assert "2♣︎" not in leader.hand.buttons
    # A click that crosses the card is answered as if it had played it.
    assert await leader.try_press("2♣︎", before) == ""
    await server.restart()
    assert not server.shows("the table is waiting for you")
    await server.env.advance_time(31)
    assert server.shows("the table is waiting for you")
    assert server.plays == 1


async def test_the_last_cards_play_themselves_one_after_the_other_and_hands_are_edited_at_most_once(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    await deal_in_full(server, pace="none")
    await moves_made(server, 48)
    monkeypatch.setattr(playing, "PASSING_BY", 2 * WHILE)
    await server.to_play.play()  # the last trick is open: from here on nobody has to click
    before = len(server.requests)
    for number in (50, 51):
        await wait(server)
        assert server.plays == number
    await wait(server)
    assert server.shows("After deal 1")
    posts = f"/channels/{server.channel.id}/messages"
    edits = [one for one in server.requests[before:] if one.method == "PATCH"]
    # Through the token of a click or the bot's own: the hands of the three who have not clicked.
    assert len([one for one in edits if not one.path.startswith(posts)]) <= 3
    assert all(not player.playable for player in server.people)


async def test_a_card_of_which_only_its_player_knows_that_it_is_forced_waits(server: Server) -> None:
    """Until they want every forced card to play itself, and have not changed their mind."""
    await server.deal(pace="none")
    await all_pass(server)
    await server.to_play.play()
    while len((player := server.to_play).playable) > 1:
        await player.play()
    before = server.plays
    assert before < 48
    for other in server.people:
        await other.prefer(forced="every")
    await player.prefer(forced="known")
    await wait(server)
    assert server.plays == before
    await player.prefer(forced="every")  # while the card already waits
    [label] = player.playable
    told = f"You have no choice: {label}, which plays itself in a second."
    assert player.hand.says(told.replace("\ufe0e", ""))
    await wait(server)
    assert server.plays == before + 1
    assert label not in player.hand.buttons
