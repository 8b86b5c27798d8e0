"""The bot's process ends and another begins: the games go on."""

import pytest
from at_once import deals_played
from conftest import OpenServer
from games import deal_in_full
from people import Player, card_of, computer, play_on
from server import Server, stacked

from engine.play.moves import Played

pytestmark = pytest.mark.slow


async def test_a_lobby_goes_on_and_who_had_left_the_game_comes_back(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann)
    await server.restart()
    await bo.click("Join")
    assert server.post("Seats").says("1. Ann · host 2. Bo")
    await ann.click("Start")
    assert server.shows("Everyone passes 3 cards")
    await bo.run("hearts leave")
    await server.restart()
    assert server.post("Seats").says("2. Bo (🤖 plays)")
    await bo.click("I'm back")
    await play_on([ann, bo], lambda: server.shows("Trick 2"))


async def test_a_pass_goes_on_and_what_was_chosen_stays(server: Server, ann: Player, bo: Player) -> None:
    await server.deal(ann, bo)
    await ann.pass_cards()
    chosen = ann.hand.text
    await server.restart()
    assert ann.hand.text == chosen
    assert ann.hand.says("Still choosing: Bo")
    await bo.pass_cards()
    assert server.shows("Trick 1")


async def test_a_game_goes_on_with_its_old_messages(server: Server) -> None:
    await server.deal_and_pass(ends_at=1)
    for _ in range(6):
        await server.to_play.play()
    posts = [post.id for post in server.posts()]
    shown = [post.everything for post in server.posts()]
    hands = [player.hand.text for player in server.people]
    await server.restart()
    assert [post.id for post in server.posts()] == posts
    assert [post.everything for post in server.posts()] == shown
    assert [player.hand.text for player in server.people] == hands
    await play_on(server.people, lambda: server.shows("Trick 3"))


async def test_a_restart_after_every_card_changes_nothing(server: Server, ann: Player) -> None:
    await server.deal_and_pass(ann, ends_at=1)
    while not server.shows("🏆"):
        await ann.play()
        await server.restart()
    assert len(ann.dms()) == 1
    headings = server.headings()
    assert len(headings) == len(set(headings)) == 4  # the lobby, the opening, the deal and the end


async def test_old_hands_in_the_channel_go_on(server: Server, ann: Player) -> None:
    ann.close_dms()
    await server.deal_and_pass(ann)
    await server.restart()
    await play_on([ann], lambda: server.shows("Trick 4"))


async def test_my_hand_of_an_old_post_answers(server: Server, ann: Player) -> None:
    await server.deal(ann)
    await server.restart()
    assert (await ann.open_hand()).links == {"Open the DM": ann.dm.address}


async def test_a_moon_waits_for_its_choice(open_server) -> None:
    hands = ("2C 3C 4C 5C 6C 7C 8C 9C TC JC 2D 3D 4D", "", "", "QC KC AC")
    server: Server = await open_server(stacked(hands))
    ann, bo, cy, di = server.people
    await server.deal(ends_at=1)
    await ann.pass_cards("2D 3D 4D")
    await bo.pass_cards()
    await cy.pass_cards()
    await di.pass_cards("QC KC AC")
    await play_on(server.people, lambda: server.shows("shoots the moon"))
    await server.restart()
    await ann.click("+26 for the others", ann.hand)
    assert server.shows("Ann wins!")


async def test_a_rematch_after_the_restart(server: Server, ann: Player) -> None:
    await server.deal_and_pass(ann, ends_at=1)
    await deals_played([ann], lambda: server.shows("🏆"))
    await server.restart()
    assert (await ann.click("Rematch")).public[0].says(f"1. Ann · host 2. {computer('Lola')}")


async def test_an_ended_table_leaves_its_channel_free(server: Server, ann: Player) -> None:
    await server.deal_and_pass(ann)
    question = (await ann.run("hearts end")).private[0]
    await server.restart()
    await ann.click("End", question)
    await server.restart()
    assert (await ann.run("hearts new")).public
    assert len(server.posts()) == len({post.id for post in server.posts()})


async def test_a_card_that_nobody_saw_is_shown_after_the_restart(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo)
    player = server.to_play
    await server.act_unseen(player, lambda seat: Played(seat, card_of(player.playable[0])))
    before = [post.everything for post in server.posts()]
    await server.restart()
    assert [post.everything for post in server.posts()] != before
    await play_on([ann, bo], lambda: server.shows("Trick 3"))


async def test_the_hand_of_a_deal_that_ended_unseen_is_deleted(server: Server, ann: Player) -> None:
    await deal_in_full(server, ann, pace="none")
    await play_on([ann], lambda: len(ann.playable) == len(ann.hand.buttons) == 1)
    old = ann.hand
    await server.act_unseen(ann, lambda seat: Played(seat, card_of(ann.playable[0])))
    await server.restart()
    assert old.id not in [dm.id for dm in ann.dms()]
    edits = sum(one.method == "PATCH" for one in server.requests)
    await server.stop_and_start()
    assert sum(one.method == "PATCH" for one in server.requests) == edits
    assert ann.hand.asks_to_pass


async def test_a_game_that_ended_unseen_is_shown_to_its_end(server: Server, ann: Player) -> None:
    await deal_in_full(server, ann, ends_at=1)
    while len(ann.hand.buttons) > 1:
        await ann.play()
    await server.act_unseen(ann, lambda seat: Played(seat, card_of(ann.playable[0])))
    assert server.stored()["results"]
    await server.restart()
    assert server.shows("🏆")
    assert server.post("Seats").says("The game is over.")
    assert ann.hand.says("The game is over.")
    await server.restart()
    assert sum(post.says("🏆") for post in server.posts()) == 1


async def test_commands_are_sent_to_discord_only_when_they_changed(server: Server) -> None:
    def syncs() -> int:
        return sum(one.method == "PUT" and one.path.endswith("/commands") for one in server.requests)

    assert syncs() == 1
    await server.restart()
    assert syncs() == 1
    await server.forget_synced_commands()
    await server.restart()
    assert syncs() == 2
    await server.restart()
    assert syncs() == 2


async def test_another_database_shares_no_nonce_with_this_one(open_server: OpenServer) -> None:
    """Its tables have the same numbers, and Discord would take its messages for those sent before."""

    def nonces(server: Server) -> set[str]:
        return {one.body["nonce"] for one in server.requests if "nonce" in (one.body or {})}

    first = await open_server()
    await first.deal_and_pass()
    await first.close()  # two simulations cannot live at once
    second = await open_server()
    await second.deal_and_pass()
    assert nonces(first)
    assert nonces(second)
    assert nonces(first).isdisjoint(nonces(second))
