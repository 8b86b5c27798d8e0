"""A restart edits what is wrong, posts what is missing, and leaves the rest alone."""

from __future__ import annotations

import pytest
from at_once import deals_played
from people import Player, card_of, play_on
from server import Server

from engine.play.moves import Played
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.tables import Person, Tables, changes


def written(server: Server, since: int) -> list[str]:
    """What was sent or edited since then, as method and path."""
    requests = server.requests[since:]
    return [f"{one.method} {one.path}" for one in requests if one.method != "GET" and "/messages" in one.path]


@pytest.mark.slow
async def test_after_an_orderly_stop_nothing_is_written_again(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo)
    await play_on([ann, bo], lambda: server.shows("Trick 4"))
    ann.at = server.add_thread("another table")
    await server.seat(ann)
    asked = len(server.requests)
    await server.stop_and_start()
    assert written(server, asked) == []
    ann.at = server.channel
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))
    headings = [post.text.partition("\n")[0] for post in server.posts()]
    assert len(headings) == len(set(headings))


async def test_only_what_has_changed_meanwhile_is_written(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(pace="none")
    await server.to_play.play()
    player = server.to_play
    trick, asked = server.post("Trick 1"), len(server.requests)
    await server.env.bot.close()
    await server.act_unseen(player, lambda seat: Played(seat, card_of(player.playable[0])))
    await server.restart()
    edited = written(server, asked)
    assert f"PATCH /channels/{trick.channel}/messages/{trick.id}" in edited
    assert len(edited) == 3  # and the hands of who played and who is to play
    assert len(server.posts()) == len({post.text.partition("\n")[0] for post in server.posts()})


async def test_what_was_noted_at_the_last_stop_does_not_outlive_the_next_change(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann)
    await server.stop_and_start()
    await bo.click("Join")
    assert server.post("Seats").says("2. Bo")
    # Bo leaves again, which nobody sees: the lobby is to look as it did at the stop.
    await server.do_unseen(lambda tables, table: tables.change(table, changes.leave_or_stay_out, bo.id))
    await server.restart()
    assert server.post("Seats").says("2. free")


async def test_a_table_that_was_opened_and_never_shown_shows_its_lobby(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.databases[-1].close()
    database = await Database.open(server.path)
    tables = Tables(database)
    host = Person(ann.id, "Ann")
    await tables.open(server.guild.id, server.channel.id, host, Ruleset.of("classic", 4))
    await tables.close()
    await database.close()
    await server.restart()
    await bo.click("Join")
    assert server.post("Seats").says("1. Ann · host 2. Bo")
    await server.restart()
    assert sum("Seats" in post.text for post in server.posts()) == 1


@pytest.mark.slow
async def test_buttons_on_messages_from_before_work(server: Server, ann: Player, bo: Player) -> None:
    lobby_before = (await ann.run("hearts new", pace="none")).public[0]
    await server.restart()
    await bo.click("Join", lobby_before)
    await server.restart()
    await ann.click("Start", server.post("Seats"))
    hands = {player: player.hand for player in (ann, bo)}
    await server.stop_and_start()
    for player, hand in hands.items():
        await player.pass_cards(on=hand)
    assert server.shows("Trick 1")
    player = server.to_play
    hand, card = player.hand, player.playable[0]
    trick = server.post("Trick 1")
    await server.restart()
    answer = player.press(card, hand)
    await server.settle()
    assert answer.told == ""
    assert card not in player.hand.buttons
    await player.rest()
    again = player.press(card, hand)
    await server.settle()
    assert again.told != ""  # it was played: the old hand is told so, and nothing happens twice
    assert (await player.click("My hand", trick)).private[0].says("Your hand")
    await play_on([ann, bo], lambda: server.shows("Trick 3"))


async def test_a_game_that_ended_with_a_stop_has_nothing_left_to_show(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, ends_at=1)
    await deals_played([ann], lambda: server.shows("🏆"))
    asked = len(server.requests)
    await server.stop_and_start()
    await server.restart()
    assert written(server, asked) == []


async def test_a_new_message_costs_one_request(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo)
    for place in (server.opening(1), ann.hand):
        path, calls = f"/channels/{place.channel}/messages", written(server, 0)
        deleted = sum(one.startswith(f"DELETE {path}/") for one in calls)
        left = len(server.messages(place.channel)) - (place.channel == server.channel.id)
        assert calls.count(f"POST {path}") == left + deleted
    asked = len(server.requests)
    await ann.run("hearts leave")
    left = server.post("Ann has left")
    assert f"PATCH /channels/{left.channel}/messages/{left.id}" not in written(server, asked)
