"""What happens while something else is still on its way to Discord."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import pytest
from games import change_pace
from people import HAND, Player
from seen import Seen
from server import Server
from weather import SLOW, Weather


def hands(player: Player) -> list[Seen]:
    """The hands that the channel shows to this player alone."""
    return [one for one in player.sees() if one.is_private and HAND in one.text]


async def test_a_first_my_hand_is_kept_up_to_date_while_it_is_being_answered(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
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


async def test_my_hand_pressed_while_the_hand_is_about_to_move_leaves_one_hand_to_play_from(
    server: Server, ann: Player
) -> None:
    ann.close_dms()
    await server.deal_and_pass(ann, pace="none")
    weather = Weather(server)
    weather.slow_down(rf"/channels/{server.channel.id}/messages")
    while not ann.my_hand.says("comes below"):
        await ann.play()
    assert not (await ann.run("hearts hand")).private[0].enabled  # the seal of the deal is not posted yet
    weather.clear_up()
    await server.env.advance_time(3 * SLOW)
    [hand] = [hand for hand in hands(ann) if hand.enabled]
    assert ann.sees()[-1].id == hand.id


async def test_closed_dms_are_told_even_where_nobody_can_say_whether_the_player_is_there(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal(ann, bo, pace="none")
    Weather(server).lose_request("GET", r"/guilds/\d+/members/\d+")
    path = f"/channels/{bo.member.user.dm_channel.id}/messages*"
    server.env.inject_error("*", path, status=403, code=50007, times=None)
    hand = await bo.open_hand()
    await bo.pass_cards(on=hand)
    await ann.pass_cards()
    assert server.shows("Bo: I can't DM you.")


async def test_the_dm_of_a_deal_that_ended_in_the_channel_is_deleted(server: Server, ann: Player) -> None:
    await server.deal_and_pass(ann, pace="none")
    old = ann.hand
    await ann.open_hand()
    ann.has_dms = False  # she plays in the channel, and the DMs follow
    while not server.shows("Deal 2"):
        await ann.act()
    await server.env.advance_time(30)
    assert old.id not in [dm.id for dm in ann.dms()]
