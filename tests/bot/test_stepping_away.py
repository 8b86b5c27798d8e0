"""Whoever steps away keeps their say, their seat and their place for a while; whoever leaves does not."""

from __future__ import annotations

from typing import Any

import pytest
from at_once import deals_played
from own_data import forget
from people import HAND, Player, refusal
from questions import after_a_deal, answer, ask, is_going_on, question
from seen import Seen
from server import Server

pytestmark = pytest.mark.slow

TURN = 60
#: How long a player who is away is waited for, at the live pace.
GRACE = 10 * 60
#: Seconds between what the others do: on a busy machine their clicks may take some of a turn.
BREAK = 40
STILL_THERE = "Are you still there?"


async def step_away(server: Server, absent: Player, *others: Player) -> None:
    """The others play on, and this one does not move any more until a computer keeps the seat."""
    while not any(row["person"] == absent.id and row["away"] for row in server.stored()["seats"]):
        while [await player.act() for player in others].count(True):
            pass
        await server.env.advance_time(TURN + 1)


async def play_through_the_grace(server: Server, *players: Player) -> None:
    """Let these players go on until somebody who is away counts as having left."""
    for _ in range(GRACE // BREAK + 1):
        for player in players:
            await player.act()
        await server.env.advance_time(BREAK)


async def leader_steps_away(
    server: Server, *players: Player, **options: Any
) -> tuple[Player, str, list[Player]]:
    """Whoever leads after a deal steps away; returned are they, their name and the others."""
    await after_a_deal(server, *players, **{"pace": "live", **options})
    totals = dict(zip(players, server.env.bot.tables.get(1).game.totals, strict=False))
    leader = min(players, key=lambda player: totals[player])
    others = [player for player in players if player is not leader]
    await step_away(server, leader, *others)
    return leader, str(leader.member.user.global_name), others


@pytest.fixture
async def asked(server: Server, ann: Player, bo: Player) -> Seen:
    """Ann has stepped away from a game with Bo: the DM that asks her."""
    await server.deal_and_pass(ann, bo, pace="live")
    await step_away(server, ann, bo)
    [asked] = letters(ann, STILL_THERE)
    return asked


def letters(player: Player, words: str) -> list[Seen]:
    """The DMs about the game, other than hands, that say this."""
    return [dm for dm in player.dms() if HAND not in dm.text and dm.says(words)]


def outcome(server: Server) -> dict[str, tuple[int, bool]]:
    """Everybody's place, and whether they have left."""
    return {row["name"]: (row["place"], bool(row["gone"])) for row in server.stored()["results"]}


# The others agree to end the game


async def test_A1_A5_a_leader_who_is_away_has_a_say_and_wins(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    leader, name, others = await leader_steps_away(server, ann, bo, cy)
    await ask(others[0])
    assert is_going_on(server)
    assert question(server).says("Not yet: ")
    assert question(server).says(f"{name} is away and also asked by DM")
    [asked] = letters(leader, "asks to end it now: it counts as it stands.")
    assert asked.enabled == ["Agree", "Play on", "I'm back"]
    await leader.click("Agree", asked)
    end = f"A computer finished for {name}, who was away: their place follows from the total."
    assert server.post("🏆").says(end)
    assert outcome(server)[name] == (1, False)
    assert not letters(leader, "asks to end it now")[0].enabled


async def test_A2_A4_who_was_away_for_ten_minutes_comes_last_when_the_others_concede(server: Server) -> None:
    ann, bo, cy, di = server.people
    leader, name, others = await leader_steps_away(server, ann, bo, cy, game="wikibooks", players=3)
    assert (await di.run("hearts join")).told == refusal("no_free_seat")
    await play_through_the_grace(server, *others)
    assert "Take a seat" in server.post(f"{name} was away for too long").enabled
    for player in others:
        if "I'm back" in player.hand.enabled:
            await player.click("I'm back", player.hand)
    await ask(others[0])
    await answer(server, others[1], "Agree")
    final = server.post("🏆")
    assert final.says(f"{name} left before the end and comes last, whatever the total.")
    assert outcome(server)[name] == (3, True)
    assert leader.hand.says("You had left, so you come last.")


# With two people


async def test_A4_a_guest_cannot_end_an_absent_hosts_game(server: Server, ann: Player, bo: Player) -> None:
    await after_a_deal(server, ann, bo, pace="live")
    await step_away(server, ann, bo)
    assert server.post("Seats").says("1. Ann (🤖 plays) · host")
    await ask(bo)
    assert is_going_on(server)
    [asked] = letters(ann, "asks to end it now: it counts as it stands.")
    await ann.click("Play on", asked)
    assert question(server).says("Too few agree: the game goes on.")
    assert asked.current.says("Too few agree: the game goes on.")
    assert ann.hand.says("A computer plays your cards until you come back.")
    await bo.run("hearts leave")
    assert not letters(bo, STILL_THERE)
    assert (await bo.run("hearts new")).told == refusal("players_away")
    assert is_going_on(server)
    await server.env.advance_time(GRACE)
    assert (await bo.run("hearts new")).public


async def test_who_is_away_from_a_game_alone_opens_another_table(server: Server, ann: Player) -> None:
    await server.deal(ann, pace="live")
    await step_away(server, ann)
    assert not letters(ann, STILL_THERE)  # nobody waits
    assert (await ann.run("hearts new")).public
    assert server.shows("The game was stopped")


# The game ends by itself


async def test_A2_who_is_away_may_leave_by_command(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo, ends_at=1, pace="live")
    await step_away(server, bo, ann)
    await bo.run("hearts leave")
    assert (await bo.run("hearts leave")).told == refusal("not_seated")
    await deals_played([ann], lambda: server.shows("🏆"))
    assert outcome(server)["Bo"] == (2, True)


# What they are told


async def test_A3_A4_a_dm_asks_who_steps_away_until_they_are_back_and_says_when_they_have_left(
    server: Server, asked: Seen, ann: Player, bo: Player
) -> None:
    assert asked.says("a computer plays your cards until you come back.")
    assert asked.says("nobody can take your seat, and you're asked before the game ends")
    assert asked.enabled == ann.hand.enabled == ["I'm back"]
    assert server.address() in asked.links.values()
    await server.restart()
    await server.stop_and_start()
    await ask(bo)
    assert is_going_on(server)
    assert len(letters(ann, STILL_THERE)) == 1
    await ann.click("I'm back", asked)
    assert asked.current.says("You're back")
    assert not asked.current.enabled
    assert server.shows("Ann is back.")
    assert ann.hand.enabled != ["I'm back"]

    await step_away(server, ann, bo)
    [again] = letters(ann, STILL_THERE)
    await play_through_the_grace(server, bo)
    assert server.post("Seats").says("2. Bo · host")
    assert again.current.says("You count as having left")
    assert again.current.enabled == ["I'm back"]
    await ann.click("I'm back", server.post("Ann was away for too long"))
    assert not again.current.enabled
    assert len(letters(ann, "You're back")) == 2


@pytest.mark.parametrize("end", ["stopped", "forgotten"])
async def test_the_dm_learns_that_nothing_is_to_be_done_any_more(
    server: Server, asked: Seen, ann: Player, bo: Player, end: str
) -> None:
    await ask(bo)
    [voted] = letters(ann, "asks to end it now")
    await (server.stop_the_game() if end == "stopped" else forget(ann))
    assert not asked.current.enabled
    assert not voted.current.enabled
    told = "The game was stopped." if end == "stopped" else "You have left this game for good"
    assert asked.current.says(told)
