"""Hands by DM, and what becomes of them where DMs are closed."""

import pytest
from at_once import deals_played
from people import Player
from server import Server


async def test_the_first_dm_names_and_links_its_table_and_comes_once(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann, bo)
    for player in (ann, bo):
        assert player.dm.says(f"You have a seat Hearts in {server.channel.mention}. Your hand will come here")
        assert player.dm.links == {"Go to the table": server.address()}
        assert not player.dm.says("total")  # nor any other rule, as the host may still change it
    for _ in range(2):
        await bo.click("Leave")
        assert (await bo.click("Join")).told == ""
    await server.restart()
    await bo.click("Leave")
    await bo.click("Join")
    assert server.post("Seats").says("2. Bo")
    assert len(bo.dms()) == 1


async def test_one_dm_shows_all_hands_long_after_its_last_click(server: Server, ann: Player) -> None:
    await server.deal(ann, ends_at=30, pace="none")
    assert (await ann.open_hand()).links == {"Open the DM": ann.dm.address}
    await ann.pass_cards()
    await server.env.advance_time(16 * 60)
    await deals_played([ann], lambda: "Deal 2" in ann.hand.text)
    [hand] = ann.dms()
    assert hand.says(f"Your hand · Deal 2 -# Hearts in {server.channel.mention}")
    assert hand.links == {"Go to the table": server.address()}
    assert (await ann.open_hand()).links == {"Open the DM": hand.address}
    await server.stop_the_game()
    [hand] = ann.dms()
    assert not hand.pressable


@pytest.mark.slow
async def test_closed_dms_are_told_at_once_what_to_press_and_not_tried_again_before_joining_anew(
    server: Server, ann: Player, bo: Player
) -> None:
    for player in (ann, bo):
        player.close_dms()
    opened = await ann.run("hearts new")
    assert opened.public[0].says("Seats")
    for told in (opened.told, (await bo.click("Join")).told):
        assert "I can't DM you" in told
        assert "press **My hand** in this channel" in told
    await ann.click("Start")
    assert (await ann.open_hand()).links == {}
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))
    path = f"/channels/{ann.member.user.dm_channel.id}/messages"
    assert sum(request.path == path for request in server.requests) == 1
    await server.stop_the_game()
    server.env.backend.faults.clear()
    ann.has_dms = True
    assert (await ann.run("hearts new")).told == ""
    assert ann.dm.says("You have a seat")
    await ann.click("Start")
    assert ann.hand.asks_to_pass


@pytest.mark.slow
async def test_who_has_no_account_left_is_written_to_once(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo, ends_at=60)
    await server.restart()
    dms = [f"/channels/{player.member.user.dm_channel.id}/messages" for player in (ann, bo)]
    for path in dms:
        server.env.inject_error("POST", path, status=404, code=10013, times=None)
    before = len(server.requests)
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))
    for player in (ann, bo):
        player.has_dms = False
        await player.open_hand()
    await deals_played([ann, bo], lambda: server.shows("After deal 2"))
    assert sorted(one.path for one in server.requests[before:] if one.path in dms) == sorted(dms)


async def test_where_dms_are_closed_my_hand_is_left_and_comes_back(server: Server, ann: Player) -> None:
    await server.seat(ann, pace="none")
    ann.close_dms()
    await ann.click("Start")
    dismissed = await ann.open_hand()
    server.env.backend.delete_message(ann.at.id, dismissed.id)
    await ann.open_hand()
    await ann.pass_cards()
    await server.env.advance_time(16 * 60)
    old = ann.my_hand
    assert (await ann.open_hand()).id != old.id
    await ann.play()
    cards = [one for one in ann.my_hand.buttons.values() if ":play:" in one["custom_id"]]
    assert len(cards) == 12
