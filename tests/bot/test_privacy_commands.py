"""/hearts privacy: all that is stored about somebody, handed out and deleted."""

import json
from typing import Any

import pytest
from at_once import deals_played
from games import arranged, play_a_game
from outside import traces
from own_data import NAME, exported, forget
from people import HAND, Player, refusal
from server import OpenServer, Server
from settling import let_time_stand_still

from engine.rules.ruleset import Ruleset
from engine.storage import house_rules, privacy
from engine.storage.database import Database

pytestmark = pytest.mark.slow

DELETED = "Everything I stored about you is deleted."


@pytest.fixture
async def server(open_server: OpenServer) -> Server:
    return await open_server(names=(NAME, "Bo", "Cy", "Di"))


def is_known(server: Server, player: Player, name: str = NAME) -> bool:
    """Whether their id or this name stands anywhere in the database's files."""
    return traces(server.path, name, str(player.id), player.id.to_bytes(8, "big"))


def moves(server: Server) -> list[Any]:
    return [json.loads(move) for (move,) in server.rows("SELECT move FROM moves ORDER BY number")]


async def tables_of(player: Player) -> list[Any]:
    """The tables in what is handed out to this player."""
    return (await exported(await player.export_data()))["tables"]


# export


async def test_all_that_is_stored_about_one_person_is_exported_and_deleted(
    server: Server, ann: Player, bo: Player
) -> None:
    await play_a_game(server, bo, ann)
    await ann.run("hearts new")
    await ann.save_rules(f"{NAME}'s rules")
    await bo.click("Join")
    data = await exported(await ann.export_data())
    assert data["person"] == str(ann.id)
    finished, lobby = data["tables"]
    assert (finished["state"], finished["is_host"]) == ("over", False)
    assert (finished["seat"]["number"], finished["seat"]["name"]) == (1, NAME)
    assert (finished["server"], finished["channel"]) == (str(server.guild.id), str(server.channel.id))
    assert finished["moves"] == [move for move in moves(server) if move.pop("seat", None) == 1]
    assert len(finished["moves"]) > 13
    assert (lobby["state"], lobby["is_host"], lobby["moves"]) == ("lobby", True, [])
    assert lobby["seat"]["number"] == 0
    [result] = data["results"]
    [row] = server.rows("SELECT * FROM results WHERE person = ?", ann.id)
    figures = list(result.values())[list(result).index("place") :]
    assert figures == list(row[-len(figures) :])
    assert result["ended"].startswith("20")
    assert result["is_left_early"] is False
    assert [one["name"] for one in data["house_rules"]] == [f"{NAME}'s rules"]
    sent = server.rows("SELECT message FROM messages WHERE key LIKE ?", f"%:{ann.id}")
    told = {one["message"] for one in data["direct_messages"]}
    assert told == {str(message) for (message,) in sent} != set()

    await ann.click("Start")
    before = server.stored()
    question = await ann.ask_to_delete()
    assert question.says("Delete everything I store about you?")
    await ann.click("Keep it", question)
    assert ann.sees()[-1].says("Nothing was deleted.")
    assert server.stored() == before
    assert is_known(server, ann)
    await forget(ann)
    assert any(one.says(DELETED) for one in ann.sees())
    assert not is_known(server, ann)


async def test_export_does_not_tell_how_many_others_could_have_exposed_a_card(
    open_server: OpenServer,
) -> None:
    """C2: each of them has made a move that nobody sees."""
    exports = []
    for hands in (("QS 2D", "JD TC AH"), ("QS 2D", "JD", "TC", "AH")):
        server = await open_server(arranged(Ruleset.of("chinese", 4), hands))
        await server.deal(game="chinese")
        for player in server.people:
            if decline := player.hand.decline:
                await player.click(decline, player.hand)
        ann = server.people[0]
        await ann.play("2D")
        [table] = await tables_of(ann)
        exports.append(table["moves"])
        await server.env.shutdown()
    assert exports[0] == exports[1]


async def test_picked_cards_are_exported_and_deleted(server: Server, ann: Player, bo: Player) -> None:
    await server.deal(bo, ann)
    hand = await ann.pick_cards(" ".join(code for code, _ in ann.hand.offered[-2:]))
    await bo.pick_cards()
    picked = [place for place, (_, is_picked) in enumerate(hand.offered) if is_picked]
    [table] = await tables_of(ann)
    assert table["places_in_hand_picked_to_pass"] == picked != []
    await forget(ann)
    assert [one["seat"] for one in server.stored()["picks"]] == [0]
    assert bo.hand.asks_to_pass


async def test_a_seat_that_has_changed_hands_is_each_ones_for_their_own_deals(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    await server.deal_and_pass(bo, ann)
    await ann.run("hearts leave")
    for player, seat in ((cy, "1"), (di, "2")):
        [choice] = (await player.run("hearts join")).private
        await player.choose(seat, choice)
    [table] = await tables_of(di)
    assert (table["seat_wanted"]["name"], table["channel"]) == ("Di", str(server.channel.id))
    await di.run("hearts leave")
    await deals_played([bo], lambda: server.shows("After deal 1"))
    await cy.pass_cards()
    made = moves(server)
    second = max(number for number, move in enumerate(made) if "dealt" in move)
    own = [[move for move in part if move.get("seat") == 1] for part in (made[:second], made[second:])]
    [table] = await tables_of(ann)
    [lost] = table["seats_lost"]
    assert (lost["name"], lost["since"], lost["until"]) == (NAME, 1, 1)
    assert len(table["moves"]) == len(own[0]) > 13
    [table] = await tables_of(cy)
    assert len(table["moves"]) == len(own[1]) == 1
    await server.stop_the_game()
    await forget(ann)
    assert not is_known(server, ann)
    [replay] = (await bo.run("hearts replay")).private
    assert replay.says("Bo")
    assert not replay.says("Cy")
    await forget(cy)
    assert not is_known(server, cy, "in no other word")


# delete


async def test_with_nothing_stored_nothing_is_changed(server: Server, ann: Player, bo: Player) -> None:
    await play_a_game(server, bo)
    before = server.stored()
    answer = await ann.export_data()
    assert not answer.public
    assert {key: value for key, value in (await exported(answer)).items() if value} == {"person": str(ann.id)}
    await forget(ann)
    assert ann.sees()[-1].says(DELETED)
    assert server.stored() == before


async def test_others_keep_their_results_until_nobody_else_is_left(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    await play_a_game(server, bo)
    await play_a_game(server, ann, bo, cy)
    others = "SELECT * FROM results WHERE person <> ? AND person > 0 ORDER BY seat"
    before = server.rows(others, ann.id), (await bo.run("hearts stats")).told
    await forget(ann)
    assert (server.rows(others, ann.id), (await bo.run("hearts stats")).told) == before
    [board] = (await bo.run("hearts leaderboard")).public
    assert [name in board.text for name in ("Bo", "Cy", NAME)] == [True, True, False]
    await forget(bo)
    known = server.rows("SELECT seat, person, name, people FROM results ORDER BY seat")
    assert known == [(0, -1, "", 3), (1, -2, "", 3), (2, cy.id, "Cy", 3)]
    seats = server.stored()["seats"][-4:]
    assert [seat["person"] for seat in seats] == [None, None, cy.id, None]
    assert len({seat["name"] for seat in seats} - {NAME, "Bo"}) == 4
    assert (await cy.click("Rematch")).public[0].says("Seats (4 of 4)")
    await forget(cy)
    assert server.rows("SELECT * FROM results") == []
    await play_a_game(server, ann, bo)  # anyone who sits down again is new
    assert len(server.rows("SELECT * FROM results WHERE person = ?", ann.id)) == 1


async def test_a_computer_takes_the_seat_and_plays_on_although_others_play_at_the_same_moment(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo, ends_at=1)
    while not bo.playable:
        await ann.play()
    question = await ann.ask_to_delete()
    bo.press(bo.playable[0], bo.hand)
    ann.press("Delete it all", question)
    bo.press(bo.playable[-1], bo.hand)
    await server.settle()
    told = server.post("has left for good")
    assert told.says("A player has left for good: 🤖 Nina has taken the seat.")
    assert not told.enabled  # nobody can take the seat back
    assert not told.says("Nobody is left")
    assert bo.playable or bo.hand.asks_to_pass
    trick = next(post for post in reversed(server.posts()) if "Trick" in post.text)
    assert NAME not in trick.text
    stored = server.stored()
    seats = [(seat["person"], seat["name"]) for seat in stored["seats"]]
    assert seats == [(None, "Nina"), (bo.id, "Bo"), (None, "Lola"), (None, "Hugo")]
    assert [table["host"] for table in stored["tables"]] == [bo.id]
    assert "You're not in this game yet." in (await ann.run("hearts hand")).told
    await server.restart()
    await deals_played([bo], lambda: server.shows("🏆"))
    assert not is_known(server, ann)
    assert server.rows("SELECT name FROM results") == [("Bo",)]


async def test_who_is_away_is_forgotten_and_a_table_of_nobody_else_closed(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    await server.deal_and_pass(ann, bo, cy)
    await ann.run("hearts leave")
    await forget(ann)
    assert not is_known(server, ann)
    assert refusal("in_mid_game") in (await ann.click("I'm back")).told
    await bo.run("hearts leave")
    await forget(cy)
    assert server.post("has left for good").says("Nobody is left at the table, so the game waits for a day.")
    await forget(bo)
    assert [(one["state"], one["host"]) for one in server.stored()["tables"]] == [("stopped", 0)]
    assert (await bo.run("hearts new")).public


async def test_a_deletion_by_dm_frees_the_seat_in_a_lobby(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo)
    assert len(await tables_of(ann.in_dm)) == 1
    await forget(ann.in_dm)
    assert server.post("Seats").says("Seats (1 of 4) 1. Bo · host 2. free")
    assert not server.shows("has left for good")
    assert not is_known(server, ann)


async def delete_author(database: Database, name: str, *saved: str) -> list[str]:
    """Delete someone of this name who has saved house rules; returns the names that their rules have then."""
    for title in saved:
        await house_rules.save(database, 1, title, Ruleset.of("classic", 4), 5, may_manage=False)
    await privacy.delete(database, 5, name)
    rows = await database.read("SELECT name, author FROM house_rules ORDER BY name")
    assert {author for _, author in rows} == {0}
    return [title for title, _ in rows]


async def test_house_rules_stay_without_their_authors_name(database: Database) -> None:
    saved = (f"{NAME}'s rules", f"{NAME.upper()}'S house", f"like {NAME}sson", "quick")
    left = await delete_author(database, NAME, *saved)
    assert left == ["like Zephyrinesson", "quick", "somebody'S house", "somebody's rules"]


async def test_house_rules_named_like_their_author_stay_different(database: Database) -> None:
    left = await delete_author(database, "A", *(" ".join(one) for one in ("A" * 20, "a" * 19, "A" * 18)))
    assert len(set(left)) == 3
    assert all(90 < len(name) <= 100 for name in left)  # what Discord takes as a suggestion


async def test_house_rules_lose_the_whole_of_a_name_that_holds_another(server: Server, ann: Player) -> None:
    await server.seat(ann)
    server.rename(ann, f"{NAME} Quill")
    ann.at = server.add_thread("another table")
    await ann.run("hearts new")
    await ann.save_rules(f"as {NAME} Quill likes it")
    await forget(ann)
    assert server.rows("SELECT name FROM house_rules") == [("as somebody likes it",)]


@pytest.mark.parametrize("is_over", [False, True])
async def test_a_hand_that_is_still_on_its_way_leaves_no_trace(
    server: Server, ann: Player, bo: Player, monkeypatch: pytest.MonkeyPatch, is_over: bool
) -> None:
    """Nor does that of a game that is over by then."""
    let_time_stand_still(monkeypatch)
    await server.seat(bo, ann)
    question = await ann.ask_to_delete()
    path = f"/channels/{ann.member.user.dm_channel.id}/messages"
    server.env.inject_error("POST", path, status=503, times=6)
    bo.press("Start", server.post("Seats"))
    if is_over:
        await server.settle()
        await server.stop_the_game()
    ann.press("Delete it all", question)
    await server.settle()
    await server.env.advance_time(120)
    assert any(one.says(DELETED) for one in ann.sees())
    assert not is_known(server, ann)
    assert not any(HAND in one.text for one in ann.dms())
