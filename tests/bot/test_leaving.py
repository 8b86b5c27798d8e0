"""Leaving a game, coming back, and stopping it."""

import re
from random import Random

import pytest
from at_once import deals_played
from people import Player, play_on, refusal
from seen import Seen
from server import Server

pytestmark = pytest.mark.slow


async def test_a_computer_plays_for_who_has_left_and_tricks_mark_their_cards(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo, ends_at=1)
    await play_on([ann, bo], lambda: server.shows("Trick 1"))
    assert not any(post.says(f"{name} 🤖") for post in server.posts() for name in ("Ann", "Bo"))
    told = (await bo.run("hearts leave")).told
    assert "a computer plays your cards until you come back" in told
    assert "If you're still away when the game ends, you come last." in told
    assert server.shows("Bo has left: a computer plays on")
    assert server.post("Seats").says("2. Bo (🤖 plays)")
    await play_on([ann], lambda: server.shows("Trick 4"))
    assert all(post.says("Bo 🤖") for post in server.posts() if "Trick 3" in post.text)
    assert not server.post("Trick 3").says("Ann 🤖")
    await deals_played([ann], lambda: server.shows("🏆"))


async def test_who_leaves_during_the_pass_holds_nobody_up(server: Server, ann: Player, bo: Player) -> None:
    await server.deal(ann, bo)
    await ann.pass_cards()
    await bo.run("hearts leave")
    assert server.shows("Trick 1")


async def test_who_comes_back_plays_in_the_message_that_answered(
    server: Server, ann: Player, bo: Player
) -> None:
    bo.close_dms()
    await server.deal_and_pass(ann, bo)
    await bo.run("hearts leave")
    await bo.click("I'm back")
    await play_on([ann, bo], lambda: server.shows("Trick 3"))


async def test_come_back_pressed_twice_at_once(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo)
    await bo.run("hearts leave")
    post = server.post("Bo has left")
    first, second = bo.press("I'm back", post), bo.press("I'm back", post)
    await server.settle()
    assert first.private[0].says("Your hand")
    assert second.told == refusal("already_seated")


async def test_who_has_left_plays_no_card_and_they_alone_come_back(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    await server.deal_and_pass(ann, bo)
    hand = bo.hand
    await bo.run("hearts leave")
    before = server.stored()
    assert (await cy.click("I'm back")).told == refusal("in_mid_game")
    assert (await ann.click("I'm back")).told == refusal("already_seated")
    answer = bo.press(next(iter(hand.buttons)), hand)
    await server.settle()
    assert answer.told == (await bo.run("hearts hand")).told == refusal("away")
    assert (await bo.run("hearts leave")).told == refusal("not_seated")
    [away] = (await bo.click("My hand")).private
    assert away.text == refusal("away")
    assert server.stored() == before
    [hand] = (await bo.click("I'm back", away)).private
    assert hand.says("Your hand · Deal 1")
    assert server.shows("Bo is back.")


async def test_the_hand_of_who_has_left_offers_the_way_back_and_no_card(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo)
    await play_on([ann, bo], lambda: bool(bo.playable))
    await bo.open_hand()
    await bo.run("hearts leave")
    for hand in (bo.hand, bo.my_hand):
        assert hand.says("A computer plays your cards until you come back.")
        assert hand.enabled == ["I'm back"]
    hand = bo.hand
    answer = await bo.click("I'm back", hand)
    assert not answer.private
    assert bo.hand.id == hand.id
    await play_on([ann, bo], lambda: server.shows("Trick 2"))


async def test_the_hand_of_a_seat_that_is_kept_offers_the_way_back(server: Server, ann: Player) -> None:
    await server.deal(ann, pace="live")
    for _ in range(2):
        await server.env.advance_time(61)
    assert server.shows("a computer plays for Ann from now on")
    assert ann.hand.enabled == ["I'm back"]


async def test_the_way_back_from_a_dm(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo)
    old = bo.hand
    await bo.run("hearts leave")
    before, refused = len(bo.dms()), bo.press(next(iter(old.buttons)), old)
    await server.settle()
    [away] = refused.private
    answer = await bo.click("I'm back", away)
    assert not answer.private
    assert Seen.now(away.env, away.message).says("You're back")
    assert len(bo.dms()) == before + 1  # what was a refusal, and no second hand
    assert bo.hand.says("Your hand · Deal 1")


async def test_who_comes_back_by_dm_keeps_the_name_that_the_server_knows(
    server: Server, ann: Player, bo: Player
) -> None:
    server.rename(bo, "Bobby")
    await server.deal_and_pass(ann, bo)
    await play_on([ann, bo], lambda: bool(bo.playable))
    old = bo.hand
    for _ in range(2):
        await bo.run("hearts leave")
        await bo.click("I'm back", bo.hand)
        assert server.post("Seats").says("2. Bobby 3.")
    await bo.run("hearts leave")
    refused = bo.press(next(iter(old.buttons)), old)
    await server.settle()
    await bo.click("I'm back", refused.private[0])
    assert server.shows("Bobby is back.")


async def test_who_leaves_twice_finds_the_way_back_below(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo, ends_at=1)
    for _ in range(2):
        await bo.run("hearts leave")
        assert server.shows("Bo has left")
        answer = await bo.click("I'm back")
        assert answer.private[0].says("Your hand · Deal 1")
        assert server.shows("Bo is back.")
        assert server.post("Seats").says("2. Bo 3.")
    await deals_played([ann, bo], lambda: server.shows("🏆"))


async def test_without_anybody_left_the_game_waits(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo, ends_at=1)
    await ann.run("hearts leave")
    await bo.run("hearts leave")
    assert server.shows("Nobody is left at the table, so the game waits")
    waiting = len(server.stored()["moves"])
    await bo.click("I'm back")
    assert server.post("Seats").says("2. Bo · host")
    assert len(server.stored()["moves"]) >= waiting
    await deals_played([bo], lambda: server.shows("🏆"))


async def test_a_table_that_all_have_left_makes_room(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann)
    await ann.run("hearts leave")
    await bo.run("hearts new")
    assert server.post("Seats").says("1. Bo · host")
    assert server.shows("The game was stopped")


async def test_the_host_who_leaves_makes_somebody_else_host(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo)
    await ann.run("hearts leave")
    assert server.post("Seats").says("1. Ann (🤖 plays) 2. Bo · host")
    assert "End this game?" in (await bo.run("hearts end")).told


async def test_who_has_left_has_not_won_whatever_the_computer_wins_for_them(open_server) -> None:
    server: Server = await open_server(Random(15))
    ann, bo, *_ = server.people
    await server.deal_and_pass(ann, bo, ends_at=1)
    await bo.run("hearts leave")
    await deals_played([ann], lambda: server.shows("🏆"))
    final = server.post("🏆")
    assert final.says("🏆 Lola wins!")  # though Bo's seat has as few points
    assert final.says("🥇 Lola")
    assert re.search(r"\*\*4\.\*\* \*\*Bo\*\*", final.text)
    assert bo.hand.says("🏆 Lola wins. You had left, so you come last.")
    [board] = (await ann.run("hearts leaderboard")).public
    assert board.says("Bo · 0/1")
    [row] = [row for row in server.stored()["results"] if row["name"] == "Bo"]
    assert (row["place"], row["gone"], row["won"]) == (2, 1, 0)
    assert (row["deals"], row["points"], row["queens"], row["moons"]) == (0, 0, 0, 0)
    assert "points a deal" not in (await bo.run("hearts stats")).told
    for order in ("Wins", "Points a deal"):
        await ann.click(order, board)


async def test_who_leaves_later_keeps_the_deals_that_they_have_played(open_server) -> None:
    server: Server = await open_server(Random(3))
    ann, bo, *_ = server.people
    await server.deal_and_pass(ann, bo, ends_at=60)
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))
    [points] = server.env.bot.tables.live[0].game.points
    await bo.run("hearts leave")
    await server.restart()  # when they left is stored
    await deals_played([ann], lambda: server.shows("🏆"))
    [row] = [row for row in server.stored()["results"] if row["name"] == "Bo"]
    assert (row["deals"], row["points"], row["best"]) == (1, points[1], points[1])


# Stopping


async def test_stopping_asks_first(server: Server, ann: Player) -> None:
    await server.deal_and_pass(ann)
    before = server.stored()
    answer = await ann.run("hearts end")
    assert answer.told == "### End this game?\nNo deal is complete yet, so there will be no result."
    await ann.click("Go on", answer.private[0])
    assert ann.sees()[-1].text == "The game goes on."
    assert server.stored() == before


async def test_a_stopped_game_is_told_and_counts_nothing(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo)
    await bo.run("hearts leave")  # else both would be asked: test_votes.py
    answer = await ann.run("hearts end")
    await ann.click("End", answer.private[0])
    assert server.shows("The game was stopped There is no result.")
    assert server.post("Seats").says("This table is closed.")
    [opening] = [post for post in server.posts() if "My hand" in post.buttons]  # nothing changes that post
    assert (await ann.click("My hand", opening)).told == refusal("no_table")
    for player in (ann, bo):
        assert player.hand.says("The game was stopped.")
        assert not player.hand.enabled
    assert not server.stored()["results"]
    assert (await bo.run("hearts new")).public


async def test_a_lobby_is_closed_by_its_host(server: Server, ann: Player) -> None:
    await server.seat(ann)
    answer = await ann.run("hearts end")
    assert answer.told == "Close this table?"
    await ann.click("Close", answer.private[0])
    assert server.post("Seats").says("This table is closed.")
    assert not server.post("Seats").enabled


async def test_who_may_manage_the_channel_stops_any_table_and_it_is_told(server: Server) -> None:
    warden = server.add_warden()
    await server.deal_and_pass(*server.people[:3])
    answer = await warden.run("hearts end")
    await warden.click("Stop without a result", answer.private[0])
    assert server.shows("Wanda, who may manage this channel, has stopped the game.")
    assert server.shows("The game was stopped There is no result.")
    assert not server.stored()["results"]
    assert b"Wanda" not in server.path.read_bytes()  # who has no seat is nobody to keep a name of


async def test_stop_pressed_twice_at_once(server: Server, ann: Player) -> None:
    await server.deal_and_pass(ann)
    question = (await ann.run("hearts end")).private[0]
    first, second = ann.press("End", question), ann.press("End", question)
    await server.settle()
    assert first.told == ""
    assert second.told == refusal("table_gone")
    assert sum(post.says("The game was stopped") for post in server.posts()) == 1
