"""Taking a computer's seat in the middle of a game: from the next deal on, whoever had it before."""

from __future__ import annotations

from dataclasses import replace

import moments
import pytest
from at_once import deals_played, to_next_deal
from people import Player, play_on, refusal
from seen import Seen
from server import Server

from bot.table.latecomers import arrivals, latecomers
from engine.names import NOBODY
from engine.tables import FormerOccupant, Seat, Seats

pytestmark = pytest.mark.slow


async def take(player: Player, whose: str) -> Seen:
    """Ask for a seat, and choose whose; returned is what the taker is told."""
    [choice] = (await player.run("hearts join")).private
    [options] = [menu["options"] for menu in choice.selects.values()]
    value = next(one["value"] for one in options if one["label"].startswith(whose))
    await player.choose(value, choice)
    return choice.current


async def tricks(player: Player, deal: int) -> str:
    """What a button tells of this deal's tricks that was in the channel then."""
    return await player.try_control(f"hearts:tricks:1:{deal}", player.server.posts()[-1])


async def test_a_computers_seat_is_taken_while_the_computer_plays_on(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    """A restart meanwhile changes nothing, and the tricks of each deal name who played them."""
    cy.close_dms()
    await server.deal_and_pass(ann, bo)
    await play_on([ann, bo], lambda: server.shows("Trick 3"))
    computer = server.stored()["seats"][2]["name"]
    opening = server.opening(1)
    [choice] = (await cy.click("Take a seat", opening)).private
    assert choice.says("Whose seat do you want?")
    await cy.choose("2", choice)
    assert choice.current.says("You play from the next deal")
    assert choice.current.says("I can't DM you: press My hand in this channel")
    coming = choice.current
    assert server.post("👋").says(f"Cy takes the seat of {computer} 🤖 with the next deal.")
    assert server.post("Seats").says(f"3. 🤖 {computer}")
    assert server.post("Seats").says("Cy takes the seat with the next deal")
    assert "You play from the next deal" in (await cy.click("My hand", opening)).told
    await server.restart(after=60)
    await to_next_deal(server, ann, bo)
    assert server.opening(2).says(f"👋 Cy plays from this deal on, in place of {computer} 🤖.")
    assert f"**{computer}**" in server.opening(2).text.partition("### Deal 2")[0]  # whose points those were
    assert server.post("Seats").says("3. Cy")
    assert await cy.try_press("Cancel", coming) == refusal("not_taking")
    assert (await cy.open_hand()).says("Your hand · Deal 2")
    assert server.post("Deal 1 · Trick 13").says(computer)
    assert not server.post("Deal 1 · Trick 13").says("Cy")
    first = await tricks(ann, 1)
    assert computer in first
    assert "Cy" not in first
    await play_on([ann, bo, cy], lambda: server.shows("Deal 2 · Trick 2"))
    assert "Cy" in await tricks(ann, 2)
    await to_next_deal(server, ann, bo, cy)
    told = (await di.run("hearts join")).told  # the last computer's seat, without a choice
    assert "You play from the next deal" in told


async def test_the_seat_of_who_has_left_is_lost_with_the_next_deal(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    await server.deal_and_pass(ann, bo)
    await play_on([ann, bo], lambda: server.shows("Trick 2"))
    await bo.run("hearts leave")
    left = bo.hand
    await take(cy, "Bo")
    wanted = server.post("👋")
    assert wanted.says("Cy takes the seat of Bo 🤖 with the next deal.")
    assert wanted.says("Bo, it's still yours if you come back before then.")
    assert bo.hand.says("Cy takes your seat with the next deal.")
    await to_next_deal(server, ann)
    assert server.opening(2).says("👋 Cy plays from this deal on, in place of Bo 🤖.")
    assert left.current.says("Cy has taken your seat: you have left this game for good.")
    assert not left.current.enabled
    assert bo.hand.id == left.id  # no other hand was dealt to Bo
    [told] = (await bo.click("I'm back", wanted)).private
    assert told.says(refusal("seat_lost"))
    await bo.click("Take a seat", told)
    [choice] = [one for one in bo.sees() if one.says("Whose seat do you want?")]
    assert choice.select is not None
    assert len(choice.select["options"]) == 2
    assert (await cy.click("How did I play?", server.opening(2))).told == refusal("not_your_deal")


async def test_a_wish_is_taken_back_by_its_button_and_by_leaving_and_falls_away_with_the_game(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, ends_at=1)
    await take(bo, server.stored()["seats"][2]["name"])
    [coming] = (await bo.run("hearts join")).private
    await bo.click("Cancel", coming)
    assert server.shows("seat is no longer being taken over.")
    await take(bo, server.stored()["seats"][2]["name"])
    assert (await bo.run("hearts leave")).told == "OK, cancelled."
    assert not server.stored()["seat_claims"]
    await take(bo, server.stored()["seats"][1]["name"])
    await deals_played([ann], lambda: server.shows("🏆"))
    assert server.post("🏆").says("Bo was about to sit down: press Join in the rematch.")
    assert [row["name"] for row in server.stored()["results"]] == ["Ann"]


async def test_the_host_lets_nobody_in(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await server.deal_and_pass(ann, bo)
    await take(cy, server.stored()["seats"][2]["name"])
    [page] = (await ann.run("hearts rules")).private
    assert page.says("Anyone may take a computer's seat mid-game")
    assert not (await bo.run("hearts rules")).private[0].buttons
    await ann.click("Options", page)
    assert page.current.text == "### Options\n-# Pace: relaxed (10 minutes a turn)."
    assert page.current.enabled == ["Pace", "Close the seats"]  # what can't change any more isn't offered
    await ann.click("Close the seats", page.current)
    assert server.shows("Ann has closed the seats")
    [told] = (await cy.run("hearts hand")).private
    assert told.says("no seat is free")
    assert not told.buttons.get("Take a seat")
    await to_next_deal(server, ann, bo)
    assert "Take a seat" not in server.opening(2).buttons
    [page] = (await ann.run("hearts rules")).private
    assert page.says("Nobody may take a seat mid-game.")
    await ann.click("Options", page)
    await ann.click("Open the seats", page.current)
    [choice] = (await cy.click("Take a seat", server.post("Ann has opened the seats"))).private
    assert choice.says("Whose seat do you want?")


def test_who_came_when_is_told_of_people_alone() -> None:
    seats = Seats([Seat(1, "Ann"), Seat(2, "Bo", since=2), Seat(None, "Otto", since=2), Seat(4, "Di")])
    departed = (FormerOccupant(1, NOBODY, "Lola", 1, 1),)
    table = replace(moments.played("classic", 4, deals=2), seats=seats, former_occupants=departed)
    assert table.view is not None
    assert table.view.deal is not None
    [first], second = table.view.past, table.view.deal
    assert list(arrivals(table, first)) == []
    assert list(arrivals(table, second)) == ["👋 **Bo** plays from this deal on, in place of **Lola** 🤖."]
    assert list(latecomers(table)) == ["-# **Bo** joined in deal 2."]
