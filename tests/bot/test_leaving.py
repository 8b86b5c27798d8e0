"""Leaving a game, what becomes of one's hand then, coming back, and stopping the game."""

import re
from random import Random

import pytest
from at_once import deals_played, to_next_deal
from own_data import forget
from people import HAND, Player, play_on, refusal
from seen import Seen
from server import OpenServer, Server

from engine.tables import Person

pytestmark = pytest.mark.slow

AWAY = "A computer plays your cards until you come back."
FOR_GOOD = "You have left this game for good"


async def test_a_computer_plays_on_for_who_has_left_and_whatever_it_wins_they_come_last(
    open_server: OpenServer,
) -> None:
    server = await open_server(Random(15))
    ann, bo, *_ = server.people
    await server.deal_and_pass(ann, bo, ends_at=1)
    told = (await bo.run("hearts leave")).told
    assert "a computer plays your cards until you come back" in told
    assert "If you're still away when the game ends, you come last." in told
    assert server.shows("Bo has left: a computer plays on")
    assert server.post("Seats").says("2. Bo (🤖 plays)")
    await play_on([ann], lambda: server.shows("Trick 3"))
    assert server.post("Trick 3").says("Bo 🤖")
    assert not server.post("Trick 3").says("Ann 🤖")
    left = bo.hand
    await deals_played([ann], lambda: server.shows("🏆"))
    final = server.post("🏆")
    assert final.says("🏆 Lola wins!")  # though Bo's seat has as few points
    assert final.says("🥇 Lola")
    assert re.search(r"\*\*4\.\*\* \*\*Bo\*\*", final.text)
    assert left.current.says("The game is over. 🏆 Lola wins. You had left, so you come last.")
    assert left.current.enabled == ["Replay"]
    [board] = (await ann.run("hearts leaderboard")).public
    assert board.says("Bo · 0/1")
    assert "points a deal" not in (await bo.run("hearts stats")).told


async def test_who_has_left_plays_no_card_and_they_alone_come_back_wherever_that_is_offered(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    server.rename(bo, "Bobby")
    await server.deal_and_pass(ann, bo)
    await play_on([ann, bo], lambda: bool(bo.playable))
    await bo.open_hand()
    old = bo.hand
    await bo.run("hearts leave")
    for hand in (bo.hand, bo.my_hand):
        assert hand.says(AWAY)
        assert hand.enabled == ["I'm back"]
    before, dms = server.stored(), len(bo.dms())
    assert (await cy.click("I'm back", server.post("Bobby has left"))).told == refusal("in_mid_game")
    assert (await ann.click("I'm back")).told == refusal("already_seated")
    assert (await bo.run("hearts hand")).told == (await bo.click("My hand")).told == refusal("away")
    assert (await bo.run("hearts leave")).told == refusal("not_seated")
    assert server.stored() == before
    assert not (await bo.click("I'm back", bo.hand)).private
    assert bo.hand.id == old.id
    assert server.post("Seats").says("2. Bobby 3.")  # the name that the server knows, though this was a DM
    await bo.run("hearts leave")
    refused = bo.press(next(iter(old.buttons)), old)
    await server.settle()
    assert refused.told == refusal("away")
    [away] = refused.private
    assert not (await bo.click("I'm back", away)).private
    assert away.current.says("You're back")
    assert len(bo.dms()) == dms + 1  # what was a refusal, and no second hand
    assert bo.hand.says("Your hand · Deal 1")
    assert server.shows("Bobby is back.")
    await bo.run("hearts leave")
    await bo.click("I'm back", server.post("Bobby has left"))  # the way back stands below again
    await bo.run("hearts leave")
    [hand] = (await bo.run("hearts join")).private
    assert hand.says("Your hand · Deal 1")
    await ann.run("hearts leave")
    assert server.post("Seats").says("1. Ann (🤖 plays) 2. Bobby · host")


# The DM of somebody for whom a computer plays


def hands(player: Player) -> list[int]:
    """The DMs that show this player's hands, the oldest first."""
    return [dm.id for dm in player.dms() if HAND in dm.text]


@pytest.fixture
async def left(server: Server, ann: Player, bo: Player) -> Seen:
    """Bo has left in the first deal, and Ann has played on to the second: Bo's DM."""
    await server.deal_and_pass(ann, bo)
    await bo.run("hearts leave")
    left = bo.hand
    await to_next_deal(server, ann)
    assert left.current.says(AWAY)
    assert left.current.enabled == ["I'm back"]  # the way back stays where it is
    assert hands(bo) == [left.id]
    return left


@pytest.mark.parametrize("way", ["by that DM", "by a post", "just before a kill"])
async def test_who_comes_back_in_a_later_deal_gets_its_hand_below_and_hears_of_the_end(
    server: Server, left: Seen, bo: Player, way: str
) -> None:
    if way == "just before a kill":
        await server.do_unseen(lambda tables, table: tables.join(table, Person(bo.id, "Bo")))
        await server.restart()
    else:
        await server.restart()
        await server.stop_and_start()
        assert left.current.enabled == ["I'm back"]
        await bo.click("I'm back", left if way == "by that DM" else server.post("Bo has left"))
    assert left.id not in [dm.id for dm in bo.dms()]
    assert bo.hand.says("Your hand · Deal 2")
    await bo.run("hearts leave")
    again = bo.hand
    await server.stop_the_game()
    assert again.current.says("The game was stopped.")
    assert not again.current.enabled
    assert b"Wanda" not in server.path.read_bytes()  # who has no seat is nobody to keep a name of


@pytest.mark.parametrize(("alone", "is_back"), [(False, False), (True, False), (False, True)])
async def test_who_is_forgotten_is_told_so_in_their_hand(
    server: Server, left: Seen, ann: Player, bo: Player, alone: bool, is_back: bool
) -> None:
    if is_back:
        await bo.click("I'm back", left)
    hand = bo.hand
    if alone:
        await forget(ann)
    await forget(bo)
    assert hand.current.says(FOR_GOOD)
    assert not hand.current.enabled
    assert str(bo.id).encode() not in server.path.read_bytes()
    if not alone:
        await deals_played([ann], lambda: server.shows("After deal 2"))
    assert hands(bo) == [hand.id]


# Stopping


async def test_stopping_asks_first_and_nothing_counts(server: Server, ann: Player) -> None:
    await server.deal_and_pass(ann)
    before = server.stored()
    answer = await ann.run("hearts end")
    assert answer.told == "### End this game?\nNo deal is complete yet, so there will be no result."
    await ann.click("Go on", answer.private[0])
    assert answer.private[0].current.text == "The game goes on."
    assert server.stored() == before
    [question] = (await ann.run("hearts end")).private
    first, second = ann.press("End", question), ann.press("End", question)
    await server.settle()
    assert (first.told, second.told) == ("", refusal("table_gone"))
    assert sum(post.says("The game was stopped There is no result.") for post in server.posts()) == 1
    assert server.post("Seats").says("This table is closed.")
    assert not server.stored()["results"]
