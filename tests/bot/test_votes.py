"""How people agree to end a game, which counts as it stands, and what becomes of players who are away.

Whoever steps away keeps their say, their seat and their place for a while; whoever leaves does not.
"""

import json
from typing import Any

import pytest
from at_once import deals_played
from own_data import forget
from people import HAND, Player, refusal
from questions import QUESTION, after_a_deal, answer, ask, is_going_on, question
from seen import Seen, totals
from server import Server
from test_replay import record_of

from engine.tables import voting

pytestmark = pytest.mark.slow

#: The seconds of a turn at the live pace, and for which a player who is away is waited for then.
TURN, GRACE = 60, 10 * 60
#: Seconds between what the others do: on a busy machine their clicks may take some of a turn.
BREAK = 40
STILL_THERE = "Are you still there?"


def pings(server: Server) -> list[list[str]]:
    """Whom each question has notified."""
    posts = [one.body for one in server.requests if one.method == "POST" and one.path.endswith("/messages")]
    asking = [body for body in posts if QUESTION in json.dumps(body)]
    return [sorted(map(str, body["allowed_mentions"]["users"])) for body in asking]


@pytest.fixture
async def vote(server: Server, ann: Player) -> None:
    """Ann asks four people in their first deal, who have all the time they want."""
    await server.deal_and_pass(pace="none")
    await ask(ann)


# Before a deal is complete there is no result


async def test_two_people_both_have_to_agree(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await ann.prefer(calls="never")
    await server.seat(ann, bo)
    assert (await bo.run("hearts end")).told == refusal("host_only", host="Ann")
    await ann.click("Start")
    assert (await cy.run("hearts end")).told == refusal("not_seated")
    before = server.stored()["moves"]
    [asked] = (await bo.run("hearts end")).private
    assert asked.enabled == ["End", "Go on"]
    assert asked.says(
        "It ends once more than half agree. No deal is complete yet, so there will be no result."
    )
    await ask(bo)  # who is not the host
    post = question(server)
    assert post.says("Agreed: Bo ⏳ Not yet: Ann")
    assert post.says("It ends once more than half agree. The question closes")
    assert pings(server) == [[]]
    assert await answer(server, ann, "Agree") == ""
    assert question(server).says("More than half agreed: the game ends without a result.")
    assert not question(server).enabled
    assert server.shows("The game was stopped There is no result.")
    assert bo.hand.says("The game was stopped.")
    assert (server.stored()["moves"], server.stored()["results"]) == (before, [])
    assert (await bo.click("Rematch")).public[0].says("Seats")


@pytest.mark.usefixtures("vote")
async def test_an_answer_may_change_and_hands_ask_for_it_until_the_vote_is_over(server: Server) -> None:
    ann, bo, cy, di = server.people
    await bo.open_hand()
    asks = "Ann asks to end this game: answer in"
    for hand in (bo.hand, bo.my_hand, cy.hand):
        assert hand.says(asks)
    assert not ann.hand.says(asks)
    post = question(server)
    await answer(server, bo, "Agree")
    assert await cy.try_control("hearts:vote:1:9:yes", post) == refusal("vote_over")  # which was another
    for hand, is_asked in ((bo.hand, False), (bo.my_hand, False), (cy.hand, True)):
        assert hand.says(asks) == is_asked
    await server.restart()
    assert question(server).id == post.id
    assert question(server).says("Agreed: Ann and Bo ⏳ Not yet: Cy and Di")
    await answer(server, bo, "Play on")
    await answer(server, cy, "Play on")
    assert question(server).says("Agreed: Ann ❌ Against: Bo and Cy")
    assert question(server).says("Too few agree: the game goes on.")
    assert not question(server).enabled
    assert not di.hand.says(asks)
    assert await bo.try_press("Agree", post) == refusal("vote_over")
    assert pings(server) == [sorted(str(player.id) for player in (bo, cy, di))]


# People who leave and are forgotten in mid-vote


@pytest.mark.usefixtures("vote")
async def test_a_question_that_was_deleted_is_asked_again_and_notifies_nobody_twice(server: Server) -> None:
    ann, bo, cy, di = server.people
    first = question(server)
    server.env.backend.delete_message(first.channel, first.id)
    await bo.run("hearts leave")
    await server.settle()
    assert question(server).id != first.id
    assert question(server).says("Not yet: Cy and Di")
    assert pings(server) == [sorted(str(player.id) for player in (bo, cy, di)), []]
    await forget(ann)
    assert question(server).says("Someone asks to end it now, without a result. ⏳ Not yet: Cy and Di")
    assert not question(server).says("Ann")
    await answer(server, cy, "Agree")
    await di.run("hearts leave")
    assert server.shows("The game was stopped")  # nobody else is asked any more


# Once one is, it counts as it stands


async def test_a_conceded_game_counts_as_it_stands(server: Server, ann: Player, bo: Player) -> None:
    """Even if the bot stops before anybody sees it."""
    await server.deal_and_pass(ann, bo, pace="none")
    await ask(ann)
    assert question(server).says("Ann asks to end it now, without a result.")
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))
    for player in (ann, bo):
        await player.pass_cards()
    board = server.post("Deal 2 · Trick 1")
    [table] = server.env.bot.tables.live
    points = dict(zip(table.names, table.game.totals, strict=True))
    best = [name for name, total in points.items() if total == min(points.values())]
    assert question(server).says("Ann asks to end it now: it counts as it stands.")
    assert question(server).says(f"{' and '.join(best)} would win.")
    await server.do_unseen(lambda tables, table: tables.change(table, voting.answer, bo.id, 1, agrees=True))
    await server.restart()
    assert question(server).says("More than half agreed: the game counts as it stands.")
    final = server.post("🏆")
    assert all(name in final.text.partition("\n")[0] for name in best)
    assert final.says("Ended early: the game counts as it stood after 1 deal.")
    assert totals(final.text) == points
    assert {"Rematch", "How did I play?", "Check the deal"} <= set(final.enabled)
    assert board.current.says("The game ended here: this deal does not count.")
    assert not board.current.enabled
    for player in (ann, bo):
        assert player.hand.says("Your hand · Deal 2")
        assert player.hand.says("The game is over.")
        assert player.hand.enabled == ["Replay"]
    results = {row["name"]: (row["deals"], bool(row["won"])) for row in server.stored()["results"]}
    assert results == {name: (1, name in best) for name in ("Ann", "Bo")}
    record = await record_of(ann)
    assert (len(record["deals"]), record["winners"]) == (1, None)
    assert "How you played" in (await ann.click("How did I play?", final)).told
    [lobby] = (await bo.click("Rematch", final)).public
    assert lobby.says("Seats (4 of 4)")


# Who may manage the channel


async def test_A6_who_manages_the_channel_may_ask_or_stop_at_once(server: Server, ann: Player) -> None:
    warden = server.add_warden()
    await after_a_deal(server, warden, ann)
    [asked] = (await warden.run("hearts end")).private
    assert asked.enabled == ["End", "Go on", "Stop without a result"]
    await warden.click("End", asked)
    [again] = (await warden.run("hearts end")).private
    assert again.enabled == ["Go on", "Stop without a result"]
    await warden.click("Stop without a result", again)
    assert question(server).says("The game has ended in the meantime.")
    assert ann.hand.says("The game was stopped.")
    assert not server.stored()["results"]


# Players who step away


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
    standings = dict(zip(players, server.env.bot.tables.get(1).game.totals, strict=False))
    leader = min(players, key=lambda player: standings[player])
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
