"""The DM of somebody for whom a computer plays: it learns what becomes of them and of the game."""

from __future__ import annotations

import pytest
from at_once import deals_played
from own_data import forget
from people import HAND, Player
from seen import Seen
from server import Server

from engine.tables import Person

pytestmark = pytest.mark.slow

AWAY = "A computer plays your cards until you come back."


def now(message: Seen) -> Seen:
    """How this message looks now."""
    return Seen.now(message.env, message.message)


def is_gone(message: Seen, player: Player) -> bool:
    """Whether this DM of the player's is deleted."""
    return message.id not in [dm.id for dm in player.dms()]


def hands(player: Player) -> list[Seen]:
    """The DMs that show this player's hands, the oldest first."""
    return [dm for dm in player.dms() if HAND in dm.text]


async def to_next_deal(server: Server, *players: Player) -> None:
    """These play on until the deal after this one is dealt."""
    number = sum(post.says("After deal") for post in server.posts())
    await deals_played(players, lambda: sum(post.says("After deal") for post in server.posts()) > number)


async def leave_and_let_a_deal_end(server: Server, ann: Player, bo: Player) -> Seen:
    """Bo leaves in the first deal, and Ann plays on to the second; returned is Bo's DM."""
    await server.deal_and_pass(ann, bo)
    await bo.run("hearts leave")
    left = bo.hand
    await to_next_deal(server, ann)
    assert now(left).says(AWAY)
    assert now(left).enabled == ["I'm back"]  # the way back stays where it is
    assert [dm.id for dm in hands(bo)] == [left.id]
    return left


async def test_who_comes_back_in_a_later_deal_is_no_longer_said_to_be_away(
    server: Server, ann: Player, bo: Player
) -> None:
    left = await leave_and_let_a_deal_end(server, ann, bo)
    await bo.click("I'm back", server.post("Bo has left"))
    assert is_gone(left, bo)
    assert bo.hand.says("Your hand · Deal 2")
    assert bo.hand.id != left.id


async def test_who_comes_back_by_that_dm_gets_the_new_hand_below_it(
    server: Server, ann: Player, bo: Player
) -> None:
    left = await leave_and_let_a_deal_end(server, ann, bo)
    await bo.click("I'm back", left)
    assert is_gone(left, bo)
    assert bo.hand.says("Your hand · Deal 2")
    await to_next_deal(server, ann, bo)
    assert server.shows("### Deal 3")


async def test_it_says_that_the_game_is_over(server: Server, ann: Player, bo: Player) -> None:
    left = await leave_and_let_a_deal_end(server, ann, bo)
    await server.stop_the_game()
    assert now(left).says("The game was stopped.")
    assert not now(left).enabled


async def test_it_says_how_the_game_ended(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo, ends_at=40)
    await bo.run("hearts leave")
    left = bo.hand
    await deals_played([ann], lambda: server.shows("🏆"))
    assert server.opening(2)
    assert now(left).says("The game is over. 🏆")
    assert now(left).enabled == ["Replay"]


async def test_it_says_whose_the_seat_is_by_now(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    left = await leave_and_let_a_deal_end(server, ann, bo)
    [choice] = (await cy.run("hearts join")).private
    await cy.choose("1", choice)
    assert now(left).says("Cy takes your seat with the next deal.")
    await to_next_deal(server, ann)
    assert now(left).says("Cy has taken your seat: you have left this game for good.")
    assert not now(left).enabled


@pytest.mark.parametrize("how", ["killed", "stopped"])
async def test_after_a_restart_it_still_learns(server: Server, ann: Player, bo: Player, how: str) -> None:
    left = await leave_and_let_a_deal_end(server, ann, bo)
    await (server.restart() if how == "killed" else server.stop_and_start())
    assert now(left).enabled == ["I'm back"]
    await bo.click("I'm back", server.post("Bo has left"))
    assert is_gone(left, bo)


async def test_what_happened_before_a_kill_and_was_not_shown_is_shown_after_it(
    server: Server, ann: Player, bo: Player
) -> None:
    left = await leave_and_let_a_deal_end(server, ann, bo)
    person = server.env.bot.tables.get(1).seats[1]
    await server.do_unseen(lambda tables, table: tables.join(table, Person(person.person, person.name)))
    await server.restart()
    assert is_gone(left, bo)
    assert bo.hand.says("Your hand · Deal 2")


@pytest.mark.parametrize("alone", [False, True], ids=["others play on", "nobody is left"])
async def test_who_is_forgotten_is_told_so_in_their_hand(
    server: Server, ann: Player, bo: Player, alone: bool
) -> None:
    left = await leave_and_let_a_deal_end(server, ann, bo)
    if alone:
        await forget(ann)
    await forget(bo)
    assert now(left).says("You have left this game for good")
    assert not now(left).enabled
    assert str(bo.id).encode() not in server.path.read_bytes()


async def test_who_plays_and_is_forgotten_has_no_buttons_left(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo)
    await to_next_deal(server, ann, bo)
    [second] = hands(bo)
    await forget(bo)
    assert now(second).says("You have left this game for good")
    assert not now(second).enabled
    await deals_played([ann], lambda: server.shows("After deal 2"))
    assert [dm.id for dm in hands(bo)] == [second.id]
