"""What a message says for a while: it is changed or deleted once it no longer holds."""

from __future__ import annotations

import pytest
from at_once import deals_played
from people import Player, play_on
from seen import Seen
from server import Server

pytestmark = pytest.mark.slow

PROMISE = "Your hand will come here once the cards are dealt"


async def test_of_all_dms_one_hand_is_left_and_an_old_one_costs_no_call(
    server: Server, ann: Player, bo: Player
) -> None:
    """It is deleted through its player's last click, and not edited before; the first DM has had no click."""

    async def check_hands(deal: int) -> None:
        await server.env.advance_time(30)
        for player in (ann, bo):
            [hand] = player.dms()
            assert hand.says(f"Your hand · Deal {deal}")

    await server.deal(ann, bo, ends_at=1000)
    await check_hands(1)
    await play_on([ann, bo], lambda: server.shows("### Deal 2"))
    await check_hands(2)
    deleted = [one.path for one in server.requests if one.method == "DELETE" and "/messages/" in one.path]
    dms = [f"/channels/{player.member.user.dm_channel.id}/" for player in (ann, bo)]
    by_token = [path for path in deleted if path.startswith(tuple(dms))]
    through_clicks = [path for path in deleted if path.startswith("/webhooks/")]
    assert (len(by_token), len(through_clicks)) == (2, 2)
    edits = [one for one in server.requests if one.method == "PATCH" and one.path.startswith(tuple(dms))]
    assert not [one for one in edits if "is over" in str(one.body)]
    await deals_played([ann, bo], lambda: server.shows("### Deal 4"))
    await check_hands(4)


async def test_an_old_hand_stays_until_the_next_is_there_and_goes_when_discord_lets_it(
    server: Server, ann: Player
) -> None:
    async def until(deal: int, method: str, *paths: str, times: int) -> None:
        for path in paths:
            server.env.inject_error(method, path, status=503, times=times)
        await deals_played([ann], lambda: server.shows(f"### Deal {deal}"))

    await server.deal(ann, ends_at=1000)
    await until(2, "POST", f"/channels/{ann.member.user.dm_channel.id}/messages", times=3)
    for deal in (1, 2):
        [hand] = ann.dms()
        assert hand.says(f"Your hand · Deal {deal}")
        await server.env.advance_time(120)
    deletions = ("/channels/*/messages/*", "/webhooks/*/*/messages/*")
    await until(3, "DELETE", *deletions, times=2)
    await server.env.advance_time(120)
    [hand] = ann.dms()
    assert hand.says("Your hand · Deal 3")
    await until(4, "DELETE", *deletions, times=9)
    assert len(ann.dms()) > 1
    server.env.backend.faults.clear()
    await server.restart()
    await ann.play()
    await server.env.advance_time(30)
    [hand] = ann.dms()
    assert hand.says("Your hand · Deal 4")


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


async def test_once_the_game_is_on_no_page_offers_what_was_for_the_lobby(
    server: Server, ann: Player, bo: Player
) -> None:
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
        page = Seen.now(old.env, old.message)
        assert page.says("The game is on.")
        assert not page.says("Each is mentioned once")
        assert not page.buttons
    assert not any("starts" in post.text for post in server.posts())
    assert Seen.now(rules.env, rules.message).text == rules.text  # which offers no choice


async def test_a_page_of_a_closed_table_offers_nothing_and_one_that_was_dismissed_is_no_error(
    server: Server, ann: Player
) -> None:
    await server.seat(ann)
    [page] = (await ann.click("Options")).private
    await server.stop_the_game()
    page = Seen.now(page.env, page.message)
    assert page.says("This table is closed.")
    assert not page.buttons
    await server.seat(ann)
    [page] = (await ann.click("Rules")).private
    server.env.inject_error("PATCH", "/webhooks/*/*/messages/*", status=404, code=10008, times=None)
    await ann.click("Start")
    assert Seen.now(page.env, page.message).buttons
    assert ann.hand.says("Your hand")
