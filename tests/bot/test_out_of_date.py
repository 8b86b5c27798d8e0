"""Messages go or change once they no longer hold, whatever else is still on its way to Discord."""

import asyncio
from typing import Any

import discord
import pytest
from at_once import deals_played
from games import change_pace
from people import HAND, Player, play_on
from seen import Seen
from server import Server
from weather import SLOW, Weather

pytestmark = pytest.mark.slow

PROMISE = "Your hand will come here once the cards are dealt"


async def check_hands(server: Server, deal: int, *players: Player) -> None:
    """After a while, the only DM that each of them has is their hand of this deal."""
    await server.env.advance_time(120)
    for player in players:
        [hand] = player.dms()
        assert hand.says(f"Your hand · Deal {deal}")


async def test_one_hand_is_left_and_old_ones_cost_no_call(server: Server, ann: Player, bo: Player) -> None:
    """It is deleted through its player's last click, and not edited before; the first DM has had no click."""
    await server.deal(ann, bo, ends_at=1000)
    await check_hands(server, 1, ann, bo)
    await play_on([ann, bo], lambda: server.shows("### Deal 2"))
    await check_hands(server, 2, ann, bo)
    deleted = [one.path for one in server.requests if one.method == "DELETE" and "/messages/" in one.path]
    dms = [f"/channels/{player.member.user.dm_channel.id}/" for player in (ann, bo)]
    by_token = [path for path in deleted if path.startswith(tuple(dms))]
    through_clicks = [path for path in deleted if path.startswith("/webhooks/")]
    assert (len(by_token), len(through_clicks)) == (2, 2)
    edits = [one for one in server.requests if one.method == "PATCH" and one.path.startswith(tuple(dms))]
    assert not [one for one in edits if "is over" in str(one.body)]
    await bo.open_hand()
    bo.has_dms = False  # he plays in the channel, and the DMs follow
    await play_on([ann, bo], lambda: server.shows("### Deal 3"))
    await check_hands(server, 3, ann, bo)


async def test_an_old_hand_stays_until_the_next_one_is_there(server: Server, ann: Player) -> None:
    async def until(deal: int, method: str, *paths: str, times: int) -> None:
        for path in paths:
            server.env.inject_error(method, path, status=503, times=times)
        await deals_played([ann], lambda: server.shows(f"### Deal {deal}"))

    await server.deal(ann, ends_at=1000)
    await until(2, "POST", f"/channels/{ann.member.user.dm_channel.id}/messages", times=3)
    [hand] = ann.dms()
    assert hand.says("Your hand · Deal 1")
    await check_hands(server, 2, ann)
    deletions = ("/channels/*/messages/*", "/webhooks/*/*/messages/*")
    await until(3, "DELETE", *deletions, times=2)
    await check_hands(server, 3, ann)
    await until(4, "DELETE", *deletions, times=9)
    assert len(ann.dms()) > 1
    server.env.backend.faults.clear()
    await server.restart()
    await ann.play()
    await check_hands(server, 4, ann)


async def test_no_hand_is_promised_where_none_will_come(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo)
    assert bo.dm.says(PROMISE)
    await bo.click("Leave")
    await server.env.advance_time(30)
    assert bo.dm.says("You don't have a seat at this table any more.")
    assert not bo.dm.says(PROMISE)
    assert bo.dm.links == {"Go to the table": server.address()}
    assert ann.dm.says(PROMISE)
    await bo.click("Join")
    await server.env.advance_time(30)
    [dm] = bo.dms()
    assert dm.says(PROMISE)
    await server.env.advance_time(60 * 60 + 60)
    assert server.shows("This table is closed.")
    for player in (ann, bo):
        assert player.dm.says("This table is closed.")
        assert not player.dm.says(PROMISE)


# Private messages about a lobby


async def test_a_lobbys_pages_end_when_it_closes_or_the_game_starts(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann)
    [page] = (await ann.click("Options")).private
    await server.stop_the_game()
    assert page.current.says("This table is closed.")
    assert not page.current.buttons
    await server.seat(ann, bo)
    [planned] = (await ann.send(await ann.click("Plan"), plan="in 9 minutes")).private
    assert planned.says("The game starts")
    [options] = (await ann.click("Options")).private
    assert "Easy" in options.buttons
    [guests] = (await bo.click("Invite")).private
    assert guests.says("Each is mentioned once")
    [rules] = (await bo.click("Rules")).private
    await ann.click("Start")
    for old in (planned, options, guests):
        assert old.current.says("The game is on.")
        assert not old.current.says("Each is mentioned once")
        assert not old.current.buttons
    assert not any("starts" in post.text for post in server.posts())
    assert rules.current.text == rules.text  # which offers no choice


async def test_a_page_that_was_dismissed_is_no_error(server: Server, ann: Player) -> None:
    await server.seat(ann)
    [page] = (await ann.click("Rules")).private
    server.env.inject_error("PATCH", "/webhooks/*/*/messages/*", status=404, code=10008, times=None)
    await ann.click("Start")
    assert page.current.buttons
    assert ann.hand.says("Your hand")


# While something else is still on its way to Discord


def hands(player: Player) -> list[Seen]:
    """The hands that the channel shows to this player alone."""
    return [one for one in player.sees() if one.is_private and HAND in one.text]


async def test_my_hand_changes_while_it_is_sent(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    await server.deal_and_pass(pace="none")
    first = server.to_play
    second = server.people[(server.people.index(first) + 1) % 4]
    send = discord.InteractionResponse.send_message

    async def slowly(*arguments: Any, **options: Any) -> Any:
        answer = await send(*arguments, **options)
        await asyncio.sleep(SLOW)
        return answer

    with monkeypatch.context() as slow:
        slow.setattr(discord.InteractionResponse, "send_message", slowly)
        second.press("My hand", next(one for one in reversed(second.sees()) if "My hand" in one.enabled))
        await server.settle()
    await first.play()
    await server.env.advance_time(2 * SLOW)
    assert second.my_hand.says("Your turn")


async def test_an_opening_is_not_edited_by_what_changes_while_it_is_sent(server: Server, ann: Player) -> None:
    await server.seat(ann)
    Weather(server).slow_down(rf"/channels/{server.channel.id}/messages")  # new posts take their time
    await ann.click("Start")
    await change_pace(ann, server, "live")
    await server.env.advance_time(3 * SLOW)
    assert server.opening(1).message.edited_timestamp is None


async def test_a_hand_that_cannot_be_taken_away_does_not_come_a_third_time(
    server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann.close_dms()
    await server.deal_and_pass(ann, pace="none")
    shown = len(hands(ann))

    async def never(interaction: discord.Interaction) -> None:
        raise TimeoutError

    monkeypatch.setattr(discord.Interaction, "delete_original_response", never)
    while len(hands(ann)) == shown:
        await ann.act()
    await server.env.advance_time(SLOW)
    assert len(hands(ann)) == shown + 1
    assert sum(bool(hand.enabled) for hand in hands(ann)) == 1


async def test_a_hand_about_to_move_offers_no_card_and_leaves_one_hand_below(
    server: Server, ann: Player
) -> None:
    ann.close_dms()
    await server.deal_and_pass(ann, pace="none")
    weather = Weather(server)
    weather.slow_down(rf"/channels/{server.channel.id}/messages")
    while not ann.my_hand.says("comes below"):
        await ann.play()
    assert ann.my_hand.says("Your hand comes below in a moment.")
    assert ann.my_hand.enabled == []
    assert not (await ann.run("hearts hand")).private[0].enabled  # the seal of the deal is not posted yet
    weather.clear_up()
    await server.env.advance_time(3 * SLOW)
    [hand] = [hand for hand in hands(ann) if hand.enabled]
    assert hand.says("Your hand · Deal 2")
    assert ann.sees()[-1].id == hand.id
