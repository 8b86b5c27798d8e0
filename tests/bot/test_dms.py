"""Hands by DM, and what becomes of them where DMs are closed."""

import pytest
from at_once import deals_played
from people import Player
from server import Server


async def test_the_first_dm_names_the_table_and_links_to_the_channel(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann, bo)
    for player in (ann, bo):
        assert player.dm.says(f"You have a seat Hearts in {server.channel.mention}. Your hand will come here")
        assert player.dm.links == {"Go to the table": server.address()}


async def test_the_first_dm_says_no_rules_that_may_still_change(server: Server, ann: Player) -> None:
    await server.seat(ann, game="chinese", players=4)
    assert not ann.dm.says("total")


async def test_each_deal_has_a_dm_that_names_it_and_links_to_the_channel(server: Server, ann: Player) -> None:
    await server.deal(ann, ends_at=30)
    await deals_played([ann], lambda: "Deal 2" in ann.hand.text)
    [hand] = ann.dms()
    assert hand.says(f"Your hand · Deal 2 -# Hearts in {server.channel.mention}")
    assert hand.links == {"Go to the table": server.address()}
    await server.stop_the_game()  # Ann's last click was on the first
    [hand] = ann.dms()
    assert not hand.pressable


async def test_my_hand_links_to_the_newest_dm(server: Server, ann: Player) -> None:
    await server.deal(ann, ends_at=30)
    assert (await ann.open_hand()).links == {"Open the DM": ann.dm.address}
    await deals_played([ann], lambda: "Deal 2" in ann.hand.text)
    assert (await ann.open_hand()).links == {"Open the DM": ann.dm.address}


async def test_one_dm_is_kept_up_to_date_for_a_whole_deal(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo)
    sent = len(ann.dms())
    hand = ann.hand.text
    for _ in range(6):
        await server.to_play.play()
    assert ann.hand.text != hand
    assert len(ann.dms()) == sent


async def test_closed_dms_are_told_at_once_what_to_press(server: Server, ann: Player, bo: Player) -> None:
    bo.close_dms()
    await ann.run("hearts new")
    told = (await bo.click("Join")).told
    assert "I can't DM you" in told
    assert "press **My hand** in this channel" in told


async def test_the_host_hears_of_closed_dms_as_well(server: Server, ann: Player) -> None:
    ann.close_dms()
    answer = await ann.run("hearts new")
    assert "I can't DM you" in answer.told
    assert answer.public[0].says("Seats")


async def test_who_joins_and_leaves_in_turn_is_greeted_once(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann)
    for _ in range(3):
        assert (await bo.click("Join")).told == ""
        assert server.post("Seats").says("2. Bo")
        await bo.click("Leave")
    assert len(bo.dms()) == 1
    await server.restart()
    await bo.click("Join")
    assert len(bo.dms()) == 1


@pytest.mark.slow
async def test_refused_dms_are_not_tried_again(server: Server, ann: Player) -> None:
    ann.close_dms()
    await server.deal(ann, ends_at=30)
    await ann.open_hand()
    await deals_played([ann], lambda: server.shows("🏆"))
    path = f"/channels/{ann.member.user.dm_channel.id}/messages"
    assert sum(request.path == path for request in server.requests) == 1


@pytest.mark.slow
async def test_who_has_no_account_any_more_is_written_to_once(
    server: Server, ann: Player, bo: Player
) -> None:
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


async def test_closed_dms_have_no_link_to_a_dm(server: Server, ann: Player) -> None:
    ann.close_dms()
    await server.deal(ann)
    assert (await ann.open_hand()).links == {}


@pytest.mark.slow
async def test_dms_that_close_before_the_deal_leave_my_hand(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo)
    bo.close_dms()
    await ann.click("Start")
    hand = await bo.open_hand()
    assert hand.asks_to_pass
    await bo.pass_cards()
    await ann.pass_cards()
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))


async def test_dms_that_have_opened_again_are_used_after_joining_anew(server: Server, ann: Player) -> None:
    ann.close_dms()
    await ann.run("hearts new")
    server.env.backend.faults.clear()
    ann.has_dms = True
    await ann.click("Leave")
    answer = await ann.run("hearts new")
    assert answer.told == ""
    assert ann.dm.says("You have a seat")
    await ann.click("Start")
    assert ann.hand.asks_to_pass


async def test_my_hand_can_be_asked_for_again_when_its_message_is_old(server: Server, ann: Player) -> None:
    ann.close_dms()
    await server.deal_and_pass(ann, pace="none")
    await server.env.advance_time(16 * 60)
    old = ann.my_hand
    hand = await ann.open_hand()
    assert hand.id != old.id
    await ann.play()
    cards = [one for one in ann.my_hand.buttons.values() if ":play:" in one["custom_id"]]
    assert len(cards) == 12


@pytest.mark.slow
async def test_a_hand_that_was_dismissed_comes_back_on_demand(
    server: Server, ann: Player, bo: Player
) -> None:
    ann.close_dms()
    bo.close_dms()
    await server.deal(ann, bo)
    for player in (ann, bo):
        await player.open_hand()
    server.env.backend.delete_message(ann.at.id, ann.my_hand.id)
    await bo.pass_cards()
    await ann.open_hand()
    await ann.pass_cards()
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))


@pytest.mark.slow
async def test_the_dm_goes_on_changing_when_its_last_click_is_long_past(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo, pace="none")
    await server.env.advance_time(16 * 60)
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))
    assert ann.hand.says("Deal 2")
