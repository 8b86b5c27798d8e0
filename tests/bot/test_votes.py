"""How people agree to end a game, which counts as it stands."""

from __future__ import annotations

import json

import pytest
from at_once import deals_played
from own_data import forget
from people import Player, refusal
from questions import QUESTION, after_a_deal, answer, ask, question
from seen import totals
from server import Server

from engine.tables import voting

pytestmark = pytest.mark.slow


def pings(server: Server) -> list[list[str]]:
    """Whom each question has notified."""
    posts = [one.body for one in server.requests if one.method == "POST" and one.path.endswith("/messages")]
    asking = [body for body in posts if QUESTION in json.dumps(body)]
    return [sorted(map(str, body["allowed_mentions"]["users"])) for body in asking]


@pytest.fixture
async def asked(server: Server, ann: Player) -> None:
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


@pytest.mark.usefixtures("asked")
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


@pytest.mark.usefixtures("asked")
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
    record = json.loads((await ann.run("hearts record")).file)
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
