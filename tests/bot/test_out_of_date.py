"""What a message says for a while: it is changed or deleted once it no longer holds."""

from __future__ import annotations

import pytest
from at_once import deals_played
from people import Player, play_on
from seen import Seen
from server import Server

pytestmark = pytest.mark.slow

PROMISE = "Your hand will come here once the cards are dealt"


def texts(player: Player) -> list[str]:
    """What this player's DMs say now."""
    return [dm.text for dm in player.dms()]


async def test_one_hand_is_left_of_all_deals_and_no_welcome(server: Server, ann: Player, bo: Player) -> None:
    await server.deal(ann, bo, ends_at=1000)
    await deals_played([ann, bo], lambda: server.shows("### Deal 4"))
    await server.env.advance_time(30)
    for player in (ann, bo):
        [hand] = player.dms()
        assert hand.says("Your hand · Deal 4")


async def test_an_old_hand_costs_no_call(server: Server, ann: Player, bo: Player) -> None:
    """It is deleted through its player's last click, and not edited before; the first DM has had no click."""
    await server.deal(ann, bo, ends_at=1000)
    await play_on([ann, bo], lambda: server.shows("### Deal 2"))
    await server.env.advance_time(30)
    deleted = [one.path for one in server.requests if one.method == "DELETE" and "/messages/" in one.path]
    dms = [f"/channels/{player.member.user.dm_channel.id}/" for player in (ann, bo)]
    by_token = [path for path in deleted if path.startswith(tuple(dms))]
    through_clicks = [path for path in deleted if path.startswith("/webhooks/")]
    assert (len(by_token), len(through_clicks)) == (2, 2)
    edits = [one for one in server.requests if one.method == "PATCH" and one.path.startswith(tuple(dms))]
    assert not [one for one in edits if "is over" in str(one.body)]


async def test_an_old_hand_stays_until_the_next_is_there(server: Server, ann: Player) -> None:
    await server.deal(ann, ends_at=1000)
    path = f"/channels/{ann.member.user.dm_channel.id}/messages"
    server.env.inject_error("POST", path, status=503, times=3)
    await deals_played([ann], lambda: server.shows("### Deal 2"))
    [hand] = ann.dms()
    assert hand.says("Your hand · Deal 1")
    await server.env.advance_time(120)
    [hand] = ann.dms()
    assert hand.says("Your hand · Deal 2")


async def test_an_old_hand_that_discord_keeps_a_while_is_deleted_later(server: Server, ann: Player) -> None:
    await server.deal(ann, ends_at=1000)
    server.env.inject_error("DELETE", "/channels/*/messages/*", status=503, times=2)
    server.env.inject_error("DELETE", "/webhooks/*/*/messages/*", status=503, times=2)
    await deals_played([ann], lambda: server.shows("### Deal 2"))
    await server.env.advance_time(120)
    [hand] = ann.dms()
    assert hand.says("Your hand · Deal 2")


async def test_a_restart_between_leaves_one_hand_too(server: Server, ann: Player) -> None:
    await server.deal(ann, ends_at=1000)
    server.env.inject_error("DELETE", "/channels/*/messages/*", status=503, times=9)
    server.env.inject_error("DELETE", "/webhooks/*/*/messages/*", status=503, times=9)
    await deals_played([ann], lambda: server.shows("### Deal 2"))
    assert len(ann.dms()) > 1
    server.env.backend.faults.clear()
    await server.restart()
    await ann.pass_cards()
    await server.env.advance_time(30)
    [hand] = ann.dms()
    assert hand.says("Your hand · Deal 2")


@pytest.mark.parametrize("how", ["closed", "left"])
async def test_no_hand_is_promised_where_none_will_come(
    server: Server, ann: Player, bo: Player, how: str
) -> None:
    await server.seat(ann, bo)
    assert bo.dm.says(PROMISE)
    if how == "closed":
        await server.env.advance_time(60 * 60 + 60)
        assert server.shows("This table is closed.")
        assert bo.dm.says("This table is closed.")
        assert ann.dm.says("This table is closed.")
    else:
        await bo.click("Leave")
        await server.env.advance_time(30)
        assert bo.dm.says("You don't have a seat at this table any more.")
        assert ann.dm.says(PROMISE)
    assert not bo.dm.says(PROMISE)
    assert bo.dm.links == {"Go to the table": server.address()}


async def test_who_joins_again_is_promised_a_hand_again(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo)
    await bo.click("Leave")
    await server.env.advance_time(30)
    await bo.click("Join")
    await server.env.advance_time(30)
    [dm] = bo.dms()
    assert dm.says(PROMISE)


async def test_the_hand_takes_the_place_of_the_welcome(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo)
    await ann.click("Start")
    await server.env.advance_time(30)
    for player in (ann, bo):
        [dm] = player.dms()
        assert dm.says("Your hand · Deal 1")


# Private messages about a lobby


@pytest.mark.parametrize("how", ["started", "closed"])
async def test_the_hosts_page_offers_no_computer_once_the_lobby_is_over(
    server: Server, ann: Player, bo: Player, how: str
) -> None:
    await server.seat(ann, bo)
    [page] = (await ann.click("Options")).private
    assert "Easy" in page.buttons
    if how == "started":
        await ann.click("Start")
    else:
        await bo.click("Leave")
        await server.stop_the_game()
    page = Seen.now(page.env, page.message)
    assert page.says("The game is on." if how == "started" else "This table is closed.")
    assert not page.buttons


async def test_no_planned_start_is_told_of_once_the_game_has_begun(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann, bo)
    [planned] = (await ann.send(await ann.click("Plan"), plan="in 9 minutes")).private
    assert planned.says("The game starts")
    [guests] = (await bo.click("Invite")).private
    assert guests.says("Each is mentioned once")
    await ann.click("Start")
    for old in (planned, guests):
        page = Seen.now(old.env, old.message)
        assert page.says("The game is on.")
        assert not page.says("Each is mentioned once")
    assert not any("starts" in post.text for post in server.posts())


async def test_a_page_of_rules_without_choices_stays_readable(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann, bo)
    [page] = (await bo.click("Rules")).private
    await ann.click("Start")
    assert Seen.now(page.env, page.message).text == page.text


async def test_a_page_that_was_dismissed_is_no_error(server: Server, ann: Player) -> None:
    await server.seat(ann)
    [page] = (await ann.click("Rules")).private
    server.env.inject_error("PATCH", "/webhooks/*/*/messages/*", status=404, code=10008, times=None)
    await ann.click("Start")
    assert Seen.now(page.env, page.message).buttons
    assert ann.hand.says("Your hand")
