"""The bot's process ends and another begins: games go on, and nothing is sent twice.

A restart edits what is wrong, posts what is missing, and leaves the rest alone.
"""

import os
from pathlib import Path

import pytest
from at_once import deals_played
from games import deal_in_full
from people import Player, card_of, computer, play_on
from seen import Seen
from server import OpenServer, Server, Sketches
from test_timers import count
from weather import Weather

from bot.delivery import queue
from engine.play.moves import Played
from engine.rules.ruleset import Ruleset
from engine.storage.backup import back_up
from engine.tables import Person, changes

TAKEN_BACK = "Some moves were taken back"


def written(server: Server, since: int) -> list[str]:
    """What was sent or edited since then, as method and path."""
    requests = server.requests[since:]
    return [f"{one.method} {one.path}" for one in requests if one.method != "GET" and "/messages" in one.path]


def shown(server: Server) -> list[tuple[int, str]]:
    """The channel's posts, with all that each says."""
    return [(post.id, post.everything) for post in server.posts()]


async def play_unseen(server: Server, player: Player) -> None:
    """Store a card that nobody sees."""
    await server.act_unseen(player, lambda seat: Played(seat, card_of(player.playable[0])))


# After a kill


@pytest.mark.slow
async def test_a_restart_after_every_card_changes_nothing(server: Server, ann: Player) -> None:
    await deal_in_full(server, ann, ends_at=1)
    while len(ann.hand.buttons) > 1:
        await ann.play()
        before, hand = shown(server), ann.hand.text
        await server.restart()
        assert (shown(server), ann.hand.text) == (before, hand)
    await play_unseen(server, ann)
    assert server.stored()["results"]
    for _ in range(2):
        await server.restart()
        assert server.post("Seats").says("The game is over.")
        [dm] = ann.dms()
        assert dm.says("The game is over.")
        headings = server.headings()
        assert len(headings) == len(set(headings)) == 4  # the lobby, the opening, the deal and the end
        assert "🏆" in headings[-1]
    assert (await ann.click("Rematch")).public[0].says(f"1. Ann · host 2. {computer('Lola')}")
    await ann.click("Start")
    [question] = (await ann.run("hearts end")).private
    await server.restart()
    await ann.click("End", question)
    await server.restart()
    assert (await ann.run("hearts new")).public


@pytest.mark.slow
async def test_buttons_from_before_work_and_choices_stay(server: Server, ann: Player, bo: Player) -> None:
    bo.close_dms()
    [lobby] = (await ann.run("hearts new", pace="none")).public
    await server.restart()
    await bo.click("Join", lobby)
    assert server.post("Seats").says("1. Ann · host 2. Bo")
    await server.restart()
    await ann.click("Start", lobby.current)
    hands = {ann: ann.hand, bo: await bo.open_hand()}
    await ann.pass_cards()
    chosen = ann.hand.text
    await server.restart()
    assert ann.hand.text == chosen
    assert ann.hand.says("Still choosing: Bo")
    await bo.pass_cards(on=hands[bo])
    player, trick = server.to_play, server.post("Trick 1")
    hand, card = player.hand, player.playable[0]
    await server.restart()
    assert await player.try_press(card, hand) == ""
    assert card not in player.hand.buttons
    await player.rest()
    assert await player.try_press(card, hand)  # it was played: the old hand is told so
    assert (await ann.click("My hand", trick)).private[0].links == {"Open the DM": ann.hand.address}
    await bo.run("hearts leave")
    await server.restart()
    assert server.post("Seats").says("2. Bo (🤖 plays)")
    await bo.click("I'm back")
    await play_on([ann, bo], lambda: server.shows("Trick 3"))


@pytest.mark.slow
async def test_the_hand_of_a_deal_that_ended_unseen_is_deleted(server: Server, ann: Player) -> None:
    await deal_in_full(server, ann, pace="none")
    await play_on([ann], lambda: len(ann.playable) == len(ann.hand.buttons) == 1)
    old = ann.hand
    await play_unseen(server, ann)
    await server.restart()
    assert old.id not in [dm.id for dm in ann.dms()]
    edits = sum(one.method == "PATCH" for one in server.requests)
    await server.stop_and_start()
    assert sum(one.method == "PATCH" for one in server.requests) == edits
    assert ann.hand.asks_to_pass


async def test_a_lobby_that_was_never_shown_is_shown_once_and_so_is_what_changes_in_it_unseen(
    server: Server, ann: Player, bo: Player
) -> None:
    async with server.unseen_tables() as tables:
        host, rules = Person(ann.id, "Ann"), Ruleset.of("classic", 4)
        await tables.open(server.guild.id, server.channel.id, host, rules)
    await server.restart()
    await server.stop_and_start()
    await bo.click("Join")
    assert server.post("Seats").says("1. Ann · host 2. Bo")
    # Bo leaves again, which nobody sees: the lobby is to look as it did at the stop.
    await server.do_unseen(lambda tables, table: tables.change(table, changes.leave_or_stay_out, bo.id))
    await server.restart()
    assert server.post("Seats").says("2. free")
    assert count(server, "Seats") == 1


@pytest.mark.slow
async def test_a_kill_in_the_middle_of_a_move_leaves_one_board(
    server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def boards() -> list[Seen]:
        return [post for post in server.posts() if "Deal 1 · Trick" in post.text]

    await server.deal_and_pass(ann, pace="none")
    await server.env.advance_time(61)
    await ann.member.send(server.channel, "Nice weather")
    await ann.run("hearts help")  # tells the bot of what was written
    monkeypatch.setattr(queue, "FIRST_WAIT", 6.0)  # nothing is tried again before the kill
    Weather(server).lose_answer("POST", rf"/channels/{server.channel.id}/messages")
    while len(boards()) == 1:
        await ann.play()
    await server.restart()
    await server.env.advance_time(1)
    assert len(boards()) == 1
    await ann.play()
    assert len(boards()) == 1


@pytest.mark.slow
async def test_another_database_shares_no_nonce_with_this_one(open_server: OpenServer) -> None:
    """Its tables have the same numbers, and Discord would take its messages for those sent before."""
    nonces: list[set[str]] = []
    for _ in range(2):
        server = await open_server()
        await server.deal_and_pass()
        await server.close()  # two simulations cannot live at once
        nonces.append({one.body["nonce"] for one in server.requests if "nonce" in (one.body or {})})
    assert all(nonces)
    assert nonces[0].isdisjoint(nonces[1])


# After an orderly stop


@pytest.mark.slow
async def test_after_an_orderly_stop_nothing_is_written_again(open_server: OpenServer) -> None:
    server = await open_server(sketches=Sketches())
    ann, bo, cy, _ = server.people

    def attached() -> list[str]:
        return [file["id"] for post in server.posts() for file in post.message.attachments]

    await server.deal_and_pass(ann, bo, pace="none", ends_at=1)
    await server.to_play.play()
    cy.at = server.add_thread("another table")
    await server.seat(cy)
    asked = len(server.requests)
    await server.stop_and_start()
    assert written(server, asked) == []
    [before] = attached()
    await play_on([ann, bo], lambda: server.plays > 4)
    [after] = attached()
    assert after != before
    await deals_played([ann, bo], lambda: server.shows("🏆"))
    await cy.click("Leave")
    assert len(server.headings()) == len(set(server.headings()))
    asked = len(server.requests)
    await server.stop_and_start()
    await server.restart()
    assert written(server, asked) == []


async def test_only_what_has_changed_meanwhile_is_written(server: Server) -> None:
    await server.deal_and_pass(pace="none")
    await server.to_play.play()
    trick, asked = server.post("Trick 1"), len(server.requests)
    await server.env.bot.close()
    await play_unseen(server, server.to_play)
    await server.restart()
    edited = written(server, asked)
    assert f"PATCH /channels/{trick.channel}/messages/{trick.id}" in edited
    assert len(edited) == 3  # and the hands of who played and who is to play
    assert len(server.headings()) == len(set(server.headings()))


# An older copy of the database


@pytest.mark.slow
async def test_a_channel_is_told_once_if_moves_were_taken_back_by_an_older_copy(
    server: Server, ann: Player, bo: Player, tmp_path: Path
) -> None:
    async def put_back(copy: str) -> None:
        await server.stop_and_start(meanwhile=lambda: os.replace(tmp_path / copy, server.path))
        await server.settle()

    back_up(server.path, tmp_path / "before the game")
    await server.deal_and_pass(ann, bo, pace="none")
    await server.to_play.play()
    await server.stop_and_start()
    for copy in ("same", "older"):
        back_up(server.path, tmp_path / copy)
    await put_back("same")
    assert count(server, TAKEN_BACK) == 0
    await server.to_play.play()
    await put_back("older")
    assert count(server, TAKEN_BACK) == 1
    await put_back("before the game")
    assert count(server, TAKEN_BACK) == 2
    await server.deal_and_pass(ann, bo)
    await server.stop_the_game()
    await server.stop_and_start()
    assert count(server, TAKEN_BACK) == 2
