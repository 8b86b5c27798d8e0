"""How people agree to end a game: without a result, or counting it as it stands."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from at_once import deals_played
from people import Player, refusal
from questions import CONCEDE, STOP, after_a_deal, answer, ask, is_going_on, question
from seen import Seen, totals
from server import Server

from engine.tables import Pace

pytestmark = pytest.mark.slow

DAY = 86_400


def vote(server: Server) -> dict[str, Any]:
    """The table's last vote as it is stored."""
    found = json.loads(server.stored()["tables"][0]["conduct"])["vote"]
    assert isinstance(found, dict)
    return found


def pings(server: Server) -> list[list[str]]:
    """Whom each question has notified."""
    posts = [one.body for one in server.requests if one.method == "POST" and one.path.endswith("/messages")]
    asking = [body for body in posts if any(words in json.dumps(body) for words in (STOP, CONCEDE))]
    return [sorted(map(str, body["allowed_mentions"]["users"])) for body in asking]


# Stopping


async def test_a_game_is_stopped_when_all_agree(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo)
    before = server.stored()["moves"]
    await ask(ann)
    post = question(server)
    assert post.says("Ann asks to end it now, without a result.")
    assert post.says("Agreed: Ann ⏳ Not yet: Bo")
    assert post.says("It ends once all agree. Closes")
    assert pings(server) == [[str(bo.id)]]
    assert await answer(server, bo, "Agree") == ""
    assert question(server).says("All agreed: the game ends without a result.")
    assert not question(server).enabled
    assert server.shows("The game was stopped There is no result.")
    assert bo.hand.says("The game was stopped.")
    assert (server.stored()["moves"], server.stored()["results"]) == (before, [])
    assert (await bo.click("Rematch")).public[0].says("Seats")


async def test_a_no_of_two_lets_the_game_go_on(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo)
    await ask(bo)  # who is not the host may ask as well
    await answer(server, ann, "Play on")
    assert question(server).says("Agreed: Bo ❌ Against: Ann")
    assert question(server).says("Not all agree: the game goes on.")
    assert not question(server).enabled
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))


async def test_the_host_and_half_of_the_others_are_enough_when_the_time_is_up(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    await server.deal_and_pass(pace="none")
    await ask(ann)
    assert question(server).says("if Ann and two of the others do. Still needed for that: two more.")
    await answer(server, bo, "Agree")
    assert question(server).says("Still needed for that: one more.")
    await answer(server, cy, "Agree")
    assert question(server).says("It ends once all agree. Enough do already: it ends")
    await answer(server, di, "Play on")  # one no alone cannot keep the others there for ever
    assert question(server).says("Agreed: Ann, Bo and Cy ❌ Against: Di")
    assert not question(server).says("once all agree")
    assert re.search(
        r"-# Enough agree: it ends <t:\d+:R>, unless someone changes their answer\.$",
        question(server).text,
    )
    await server.env.advance_time(DAY - 60)
    assert is_going_on(server)
    await server.env.advance_time(61)
    assert question(server).says("The time was up, and enough had agreed: the game ends without a result.")
    assert server.shows("The game was stopped")


@pytest.mark.parametrize("agreeing", [(0, 1), (1, 2, 3)], ids=["too few of the others", "not the host"])
async def test_fewer_are_not_enough(server: Server, agreeing: Sequence[int]) -> None:
    await server.deal_and_pass(pace="none")
    first, *others = [server.people[number] for number in agreeing]
    await ask(first)
    for player in others:
        await answer(server, player, "Agree")
    await server.env.advance_time(DAY + 1)
    assert question(server).says("The time was up, and too few had agreed: the game goes on.")
    assert is_going_on(server)


async def test_who_comes_late_does_not_outvote_who_has_played(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    """A host who is behind could have a friend sit down for a deal, and end the game against the others."""
    await server.deal_and_pass(ann, bo, pace="none")
    [choice] = (await cy.run("hearts join")).private
    await cy.choose("2", choice)
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))
    assert server.post("Seats").says("3. Cy")
    await ask(ann)
    await answer(server, cy, "Agree")
    assert question(server).says("if Ann and Bo do. Still needed for that: one more.")
    await server.env.advance_time(DAY + 1)
    assert question(server).says("The time was up, and too few had agreed: the game goes on.")
    await deals_played([ann, bo, cy], lambda: server.shows("After deal 2"))  # half of the deals are Cy's now
    await server.env.advance_time(DAY + 1)
    await ask(ann)
    assert question(server).says("if Ann and one of the others do. Still needed for that: one more.")
    await answer(server, cy, "Agree")
    await server.env.advance_time(DAY + 1)
    assert server.shows("The game was stopped")


async def test_a_vote_that_cannot_pass_any_more_is_over_at_once(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    await server.deal_and_pass(pace="none")
    await ask(bo)
    assert question(server).says("Still needed for that: Ann and one more.")
    await answer(server, cy, "Play on")
    assert "Agree" in question(server).enabled
    await answer(server, di, "Play on")
    assert question(server).says("Not all agree: the game goes on.")
    assert (await ann.click("Rules", server.post("Seats"))).told  # nothing else has changed
    await server.env.advance_time(DAY + 1)
    await ask(bo)
    await answer(server, ann, "Play on")  # without the host there are never enough
    assert question(server).says("Not all agree: the game goes on.")


async def test_an_answer_may_still_be_changed(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await server.deal_and_pass(ann, bo, cy, pace="none")
    await ask(ann)
    await answer(server, bo, "Play on")
    await answer(server, bo, "Agree")
    assert question(server).says("Agreed: Ann and Bo ⏳ Not yet: Cy")
    await answer(server, cy, "Agree")
    assert server.shows("The game was stopped")


async def test_one_question_at_a_time_and_none_soon_after_one_that_failed(
    server: Server, ann: Player, bo: Player
) -> None:
    await after_a_deal(server, ann, bo, pace="relaxed")
    await ask(ann)
    for player in (ann, bo):
        assert (await player.run("hearts stop")).told == refusal("vote_open")
        assert (await player.run("hearts concede")).told == refusal("vote_open")
    await answer(server, bo, "Play on")
    assert (await ann.run("hearts stop")).told == refusal("vote_rests")
    await ask_to_concede(ann)  # whoever is not let stop may still concede
    old = question(server, CONCEDE)
    await answer(server, bo, "Play on", CONCEDE)
    for command in ("hearts stop", "hearts concede"):
        assert (await bo.run(command)).told == refusal("vote_rests")
    refused = bo.press("Agree", old)
    await server.settle()
    assert refused.told == refusal("vote_over")
    await server.env.advance_time(Pace.RELAXED.grace + 1)
    for player in (ann, bo):
        if "I'm back" in player.hand.enabled:
            await player.click("I'm back", player.hand)
    await ask(ann)
    assert vote(server)["number"] == 3


async def ask_to_concede(player: Player) -> None:
    answer = await player.run("hearts concede")
    await player.click("Concede", answer.private[0])


async def test_only_who_plays_here_answers(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await server.deal_and_pass(ann, bo)
    await ask(ann)
    assert await answer(server, cy, "Agree") == refusal("not_seated")
    await bo.run("hearts leave")
    assert server.shows("The game was stopped")  # nobody else is asked any more


async def test_forged_answers_change_nothing(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await server.deal_and_pass(ann, bo, cy, pace="none")
    await ask(ann)
    before = server.stored()
    answers = [f"{number}:{said}" for number in ("2", "9" * 20, "one") for said in ("yes", "maybe", "")]
    for forged in ("1:maybe", "1:", *answers):
        answer = bo.forge(f"hearts:vote:1:{forged}", question(server))
        await server.settle()
        assert answer.told, forged
        assert server.stored() == before, forged


# People who leave and come back in mid-vote


async def test_who_leaves_is_no_longer_asked(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await server.deal_and_pass(ann, bo, cy, pace="none")
    await ask(ann)
    await answer(server, bo, "Agree")
    assert is_going_on(server)
    await cy.run("hearts leave")
    assert question(server).says("All agreed")
    assert server.shows("The game was stopped")


async def test_who_comes_back_is_asked_anew(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await server.deal_and_pass(ann, bo, cy, pace="none")
    await ask(ann)
    await answer(server, bo, "Agree")
    await bo.run("hearts leave")
    assert question(server).says("Agreed: Ann ⏳ Not yet: Cy")
    await bo.click("I'm back")
    assert question(server).says("Agreed: Ann ⏳ Not yet: Bo and Cy")
    await ann.run("hearts leave")
    assert question(server).says("Someone asks to end it now, without a result. ⏳ Not yet: Bo and Cy")
    await answer(server, bo, "Agree")
    await answer(server, cy, "Agree")
    assert server.shows("The game was stopped")


async def test_who_is_replaced_after_two_turns_is_no_longer_asked(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal(ann, bo, pace="relaxed")
    await ask(ann)
    await ann.pass_cards()
    for _ in range(2):
        await server.env.advance_time(601)
        await ann.act()
    assert server.shows("a computer plays for Bo from now on") or question(server).says("too few had agreed")


async def test_a_vote_with_nobody_left_is_over(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await after_a_deal(server, ann, bo, cy)
    await ask(ann, "Concede")
    await bo.run("hearts leave")
    await cy.run("hearts leave")
    assert question(server, CONCEDE).says("Nobody is left to agree: the game goes on.")
    assert is_going_on(server)
    assert (await ann.run("hearts concede")).told == refusal("nobody_to_agree")
    assert "Stop this game?" in (await ann.run("hearts stop")).told


async def test_who_deletes_everything_in_mid_vote_leaves_no_name(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    await server.deal_and_pass(ann, bo, cy, pace="none")
    await ask(bo)
    [asked] = (await bo.run("privacy delete")).private
    await bo.click("Delete it all", asked)
    assert question(server).says("Someone asks to end it now, without a result. ⏳ Not yet: Ann and Cy")
    assert not question(server).says("Bo")


# Restarts


async def test_a_vote_outlives_a_restart(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await server.deal_and_pass(ann, bo, cy, pace="none")
    await ask(ann)
    post = question(server)
    await server.restart()
    assert question(server).id == post.id
    assert question(server).says("Agreed: Ann ⏳ Not yet: Bo and Cy")
    await answer(server, bo, "Agree")
    await server.restart()
    assert question(server).says("Agreed: Ann and Bo ⏳ Not yet: Cy")
    await server.env.advance_time(DAY + 1)
    assert question(server).says("The time was up, and enough had agreed")
    assert pings(server) == [sorted([str(bo.id), str(cy.id)])]


async def test_a_time_that_was_up_while_the_bot_was_away_is_put_off(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo, pace="none")
    await ask(ann)
    await server.restart(after=2 * DAY)
    assert question(server).says("Agreed: Ann ⏳ Not yet: Bo")
    await server.env.advance_time(DAY / 2 - 60)
    assert "Agree" in question(server).enabled
    await server.env.advance_time(61)
    assert question(server).says("too few had agreed")


async def test_an_end_that_nobody_saw_is_shown_after_the_restart(
    server: Server, ann: Player, bo: Player
) -> None:
    await after_a_deal(server, ann, bo)
    await ask(ann, "Concede")
    await server.do_unseen(lambda tables, table: tables.answer(table, bo.id, 1, agrees=True))
    await server.restart()
    assert question(server, CONCEDE).says("All agreed: the game counts as it stands.")
    assert server.shows("🏆")
    assert server.post("Deal 2 · Trick").says("The game ended here: this deal does not count.")


# Conceding


async def test_a_conceded_game_counts_as_it_stands(server: Server, ann: Player, bo: Player) -> None:
    await after_a_deal(server, ann, bo)
    board = server.post("Deal 2 · Trick 1")
    points = totals_of(server)
    await ask(ann, "Concede")
    best = [name for name, total in points.items() if total == min(points.values())]
    assert question(server, CONCEDE).says(f"{' and '.join(best)} would win.")
    await answer(server, bo, "Agree", CONCEDE)
    final = server.post("🏆")
    assert all(name in final.text.partition("\n")[0] for name in best)
    assert final.says("Ended early: the game counts as it stood after 1 deal.")
    assert totals(final.text) == points
    assert {"Rematch", "How did I play?", "Check the deal"} <= set(final.enabled)
    [now] = [post for post in server.posts() if post.id == board.id]
    assert now.says("The game ended here: this deal does not count.")
    assert not now.enabled
    for player in (ann, bo):
        assert player.hand.says("Your hand · Deal 2")
        assert player.hand.says("The game is over.")
        assert player.hand.enabled == ["Replay"]
    results = {row["name"]: (row["deals"], bool(row["won"])) for row in server.stored()["results"]}
    assert results == {name: (1, name in best) for name in ("Ann", "Bo")}
    record = json.loads((await ann.run("hearts record")).file)
    assert (len(record["deals"]), record["winners"]) == (1, None)
    assert "How you played" in await later(server, ann, "How did I play?", final)
    [lobby] = (await bo.click("Rematch", final)).public
    assert lobby.says("Seats (4 of 4)")


def totals_of(server: Server) -> dict[str, int]:
    """The totals that the newest post between two deals tells."""
    found = re.findall(r"\*\*(.+?)\*\* \S+ → \*\*(−?\d+)\*\*", server.post("After deal").text)
    return {name: int(total.replace("−", "-")) for name, total in found}


async def later(server: Server, player: Player, label: str, on: Seen) -> str:
    await player.click(label, on)
    await server.settle()
    return player.sees()[-1].text


async def test_one_no_is_enough_to_play_on(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await after_a_deal(server, ann, bo, cy)
    await ask(ann, "Concede")
    await answer(server, bo, "Agree", CONCEDE)
    await answer(server, cy, "Play on", CONCEDE)
    assert question(server, CONCEDE).says("Not all agree: the game goes on.")
    assert is_going_on(server)


async def test_who_has_agreed_has_agreed_to_what_stood_then(server: Server, ann: Player, bo: Player) -> None:
    await after_a_deal(server, ann, bo)
    await ask(ann, "Concede")
    old = question(server, CONCEDE)
    assert old.says("or when this deal is over.")
    await deals_played([ann, bo], lambda: server.shows("After deal 2"))
    assert question(server, CONCEDE).says("Another deal counts by now, so the game goes on.")
    late = bo.press("Agree", old)
    await server.settle()
    assert late.told == refusal("vote_over")
    assert is_going_on(server)
    await ask(ann, "Concede")
    await answer(server, bo, "Agree", CONCEDE)
    assert server.post("🏆").says("Ended early: the game counts as it stood after 2 deals.")


async def test_who_is_silent_does_not_concede(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await after_a_deal(server, ann, bo, cy)
    await ask(ann, "Concede")
    await answer(server, bo, "Agree", CONCEDE)
    await server.env.advance_time(DAY + 1)
    assert question(server, CONCEDE).says("too few had agreed")
    assert is_going_on(server)


async def test_what_cannot_be_conceded(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    assert (await ann.run("hearts concede")).told == refusal("no_table")
    await server.seat(ann, bo)
    assert (await ann.run("hearts concede")).told == refusal("not_started")
    await ann.click("Start")
    assert (await ann.run("hearts concede")).told == refusal("nothing_counts_yet")
    [asked] = (await ann.run("hearts stop")).private
    assert asked.enabled == ["Stop", "Go on"]
    assert (await cy.run("hearts concede")).told == refusal("not_seated")
    await bo.run("hearts leave")
    assert (await bo.run("hearts concede")).told == refusal("away")
    assert (await ann.run("hearts concede")).told == refusal("nobody_to_agree")


async def test_a_game_that_ends_by_itself_ends_the_vote(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo, ends_at=1, pace="none")
    await ask(ann)
    await deals_played([ann, bo], lambda: server.shows("🏆"))
    assert question(server).says("The game has ended in the meantime.")
    assert not question(server).enabled


async def test_between_the_cards_of_a_pass_it_can_be_conceded_as_well(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo, pace="none")
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))
    await ask(bo, "Concede")
    await answer(server, ann, "Agree", CONCEDE)
    assert server.post("🏆").says("Ended early")
    assert not any(post.says("Deal 2 · Trick") for post in server.posts())
    assert bo.hand.says("Your hand · Deal 2")
    assert bo.hand.says("The game is over.")


# Where it is seen


async def test_a_hand_tells_who_plays_by_dm(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await server.deal_and_pass(ann, bo, cy, pace="none")
    await bo.open_hand()
    asked = "Ann asks to stop this game: answer in"
    await ask(ann)
    for hand in (bo.hand, bo.my_hand, cy.hand):
        assert hand.says(asked)
    assert not ann.hand.says(asked)
    await answer(server, bo, "Agree")
    assert not bo.hand.says(asked)
    assert not bo.my_hand.says(asked)
    assert cy.hand.says(asked)
    await answer(server, ann, "Play on")
    assert not cy.hand.says(asked)


async def test_whoever_wants_no_mention_is_not_mentioned(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    await server.deal_and_pass(ann, bo, cy, pace="none")
    form = await bo.run("preferences")
    await bo.send(form, calls="never")
    await ask(ann)
    assert pings(server) == [[str(cy.id)]]


async def test_the_time_stands_still_while_the_game_is_paused(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo, pace="none")
    await ask(ann)
    tables = server.env.bot.tables
    await tables.pause(1)
    await server.env.advance_time(2 * DAY)
    assert await answer(server, bo, "Agree") == refusal("paused")
    await tables.unpause(1)
    await server.env.advance_time(DAY - 60)
    assert "Agree" in question(server).enabled
    await answer(server, bo, "Agree")
    assert server.shows("The game was stopped")


# Who may manage the channel


@pytest.fixture
def warden(server: Server) -> Player:
    return server.add_warden()


async def test_a_player_who_manages_the_channel_may_ask_or_stop_at_once(
    server: Server, ann: Player, warden: Player
) -> None:
    await server.deal_and_pass(warden, ann)
    answer = await warden.run("hearts stop")
    [asked] = answer.private
    assert asked.enabled == ["Stop", "Go on", "Stop at once"]
    await warden.click("Stop", asked)
    [again] = (await warden.run("hearts stop")).private
    await warden.click("Stop at once", again)
    assert server.shows("Wanda, who may manage this channel, has stopped the game.")
    assert question(server).says("The game has ended in the meantime.")
    assert ann.hand.says("The game was stopped.")


async def test_an_old_button_of_a_host_stops_no_game_of_others(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo)
    await bo.run("hearts leave")
    [alone] = (await ann.run("hearts stop")).private
    await bo.click("I'm back")
    assert (await ann.click("Stop", alone)).told == refusal("ask_to_stop")
    assert is_going_on(server)


async def test_a_question_that_was_deleted_is_asked_anew_and_notifies_nobody_twice(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    await server.deal_and_pass(ann, bo, cy, pace="none")
    await ask(ann)
    first = question(server)
    server.env.backend.delete_message(first.channel, first.id)
    await bo.run("hearts leave")
    await server.settle()
    assert question(server).id != first.id
    assert question(server).says("Not yet: Cy")
    assert pings(server) == [sorted([str(bo.id), str(cy.id)]), []]
