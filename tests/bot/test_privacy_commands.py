"""/hearts privacy: all that is stored about somebody, handed out and deleted."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from at_once import deals_played
from games import arranged
from own_data import NAME, exported, forget
from people import Player, play_on, refusal
from server import Server
from settling import let_time_stand_still

from engine.rules.ruleset import Ruleset

pytestmark = pytest.mark.slow

NAMES = (NAME, "Bo", "Cy", "Di")


@pytest.fixture
async def server(open_server: Any) -> Server:
    opened: Server = await open_server(names=NAMES)
    return opened


def traces(path: Path, person: int, name: str) -> list[str]:
    """Where a database says this id or name: in a column, or anywhere in its files' bytes."""
    found = []
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for row in connection.execute(f"SELECT * FROM {table}"):
                if any(str(person) in str(value) or name in str(value) for value in row):
                    found.append(f"{table}: {row}")
    for file in (path, path.with_name(f"{path.name}-wal")):
        raw = file.read_bytes()
        for kind, trace in {
            "name": name.encode(),
            "id": str(person).encode(),
            "number": person.to_bytes(8, "big"),
        }.items():
            if trace in raw:
                found.append(f"{file.name}: {kind}")
    return found


def rows(path: Path, statement: str, *values: object) -> list[Any]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement, values).fetchall()


async def one_finished_game(server: Server, *players: Player, **options: Any) -> None:
    """These play a game to its end; the channel is free again after it."""
    before = len(server.stored()["results"])
    await server.deal(*players, ends_at=1, **options)
    await deals_played(players, lambda: len(server.stored()["results"]) > before)


# export


async def test_export_hands_out_tables_moves_results_house_rules_and_messages(
    server: Server, ann: Player, bo: Player
) -> None:
    await one_finished_game(server, ann, bo)
    await bo.run("hearts new")
    await bo.save_rules("Bo's rules")
    await ann.click("Join")
    await ann.run("hearts leave")
    await ann.export_data()
    data = await exported(await bo.export_data())
    assert data["person"] == str(bo.id)
    finished, lobby = data["tables"]
    assert (finished["state"], finished["is_host"]) == ("over", False)
    assert (finished["seat"]["number"], finished["seat"]["name"]) == (1, "Bo")
    assert (lobby["state"], lobby["is_host"], lobby["moves"]) == ("lobby", True, [])
    assert lobby["seat"]["number"] == 0
    assert finished["channel"] == str(server.channel.id)
    assert finished["server"] == str(server.guild.id)
    [result] = data["results"]
    stored = rows(server.path, "SELECT * FROM results WHERE person = ?", bo.id)
    columns = [name for _, name, *_ in rows(server.path, "PRAGMA table_info(results)")]
    [row] = [dict(zip(columns, one, strict=True)) for one in stored]
    same = columns[columns.index("place") :]
    renamed = {
        "won": "is_won",
        "gone": "is_left_early",
        "experience": "full_games_before",
        "met": "recent_meetings",
        "par_deals": "deals_with_par",
        "par_gain": "better_than_par",
        "par_squares": "squares_of_that",
    }
    for name in renamed:
        same.remove(name)
    assert [result[name] for name in same] == [row[name] for name in same]
    assert result["ended"].startswith("20")
    assert result["is_left_early"] is False
    assert {name: result[told] for name, told in renamed.items()} == {name: row[name] for name in renamed}
    assert [one["name"] for one in data["house_rules"]] == ["Bo's rules"]
    sent = rows(server.path, "SELECT message FROM messages WHERE key LIKE ?", f"%:{bo.id}")
    assert (
        {one["message"] for one in data["direct_messages"]} == {str(message) for (message,) in sent} != set()
    )


async def test_export_tells_each_own_move_and_nobody_elses(server: Server, ann: Player, bo: Player) -> None:
    await server.deal(ann, bo)
    await ann.pass_cards()
    await bo.pass_cards()
    await play_on([ann, bo], lambda: server.shows("Trick 3"))
    for player, seat in ((ann, 0), (bo, 1)):
        [table] = (await exported(await player.export_data()))["tables"]
        stored = [json.loads(move) for (move,) in rows(server.path, "SELECT move FROM moves ORDER BY number")]
        mine = [move for move in stored if move.get("seat") == seat]
        assert table["moves"] == [{k: v for k, v in move.items() if k != "seat"} for move in mine]
        assert len(table["moves"]) >= 3


async def test_export_does_not_tell_how_many_others_could_have_exposed_a_card(open_server: Any) -> None:
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
        [table] = (await exported(await ann.export_data()))["tables"]
        exports.append(table["moves"])
        await server.env.shutdown()
    assert exports[0] == exports[1]


async def test_export_tells_what_is_picked_to_pass_to_who_picked_it(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal(ann, bo)
    hand = await ann.pick_cards(" ".join(code for code, _ in ann.hand.offered[-2:]))
    [table] = (await exported(await ann.export_data()))["tables"]
    picked = [place for place, (_, is_picked) in enumerate(hand.offered) if is_picked]
    assert table["places_in_hand_picked_to_pass"] == picked != []
    [table] = (await exported(await bo.export_data()))["tables"]
    assert table["places_in_hand_picked_to_pass"] == []


async def test_a_seat_that_has_changed_hands_is_each_ones_for_their_own_deals(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    await server.deal_and_pass(bo, ann)
    await ann.run("hearts leave")
    for player, place in ((cy, NAME), (di, "Lola")):
        [choice] = (await player.run("hearts join")).private
        assert choice.select is not None
        seat = next(one["value"] for one in choice.select["options"] if one["label"].startswith(place))
        await player.choose(seat, choice)
    [table] = (await exported(await di.export_data()))["tables"]
    assert (table["seat_wanted"]["name"], table["channel"]) == ("Di", str(server.channel.id))
    await di.run("hearts leave")
    await deals_played([bo], lambda: server.shows("After deal 1"))
    await cy.pass_cards()
    made = [json.loads(move) for (move,) in rows(server.path, "SELECT move FROM moves ORDER BY number")]
    second = max(number for number, move in enumerate(made) if "dealt" in move)
    own = [[move for move in part if move.get("seat") == 1] for part in (made[:second], made[second:])]
    [table] = (await exported(await ann.export_data()))["tables"]
    [lost] = table["seats_lost"]
    assert (lost["name"], lost["since"], lost["until"]) == (NAME, 1, 1)
    assert len(table["moves"]) == len(own[0]) > 13
    [table] = (await exported(await cy.export_data()))["tables"]
    assert len(table["moves"]) == len(own[1]) == 1
    await forget(ann)
    assert traces(server.path, ann.id, NAME) == []
    await forget(cy)
    assert traces(server.path, cy.id, "in no other word") == []


@pytest.mark.parametrize("is_over", [False, True])
async def test_the_deals_of_who_lost_a_seat_do_not_become_anothers(
    server: Server, ann: Player, bo: Player, cy: Player, is_over: bool
) -> None:
    await server.deal_and_pass(bo, ann)
    await ann.run("hearts leave")
    [choice] = (await cy.run("hearts join")).private
    await cy.choose("1", choice)
    await deals_played([bo], lambda: server.shows("After deal 1"))
    if is_over:
        await server.stop_the_game()
    await forget(ann)
    assert traces(server.path, ann.id, NAME) == []
    [replay] = (await bo.run("hearts replay")).private
    assert replay.says("Bo")
    assert not replay.says("Cy")


async def test_export_before_anything_is_stored(server: Server, ann: Player) -> None:
    answer = await ann.export_data()
    assert not answer.public
    assert len(answer.private) == 1
    assert await exported(answer) == {
        "person": str(ann.id),
        "tables": [],
        "tournaments": [],
        "tournament_results": [],
        "wants_to_be_told": [],
        "results": [],
        "daily_deals": [],
        "daily_deals_seen": [],
        "tournaments_missed": [],
        "achievements": [],
        "house_rules": [],
        "direct_messages": [],
        "direct_message_channel": [],
        "preferences": [],
        "locale": [],
        "handed_in": None,
        "being_deleted": [],
        "is_blocked": False,
    }


async def test_privacy_works_in_dms(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo)
    in_dm = ann.goes_to(ann.member.user.dm_channel)
    assert len((await exported(await in_dm.export_data()))["tables"]) == 1
    await ann.click("Delete it all", await in_dm.ask_to_delete())
    assert traces(server.path, ann.id, NAME) == []


# delete


async def test_deleting_asks_first(server: Server, ann: Player, bo: Player) -> None:
    await one_finished_game(server, ann, bo)
    before = server.stored()
    question = await ann.ask_to_delete()
    assert question.says("Delete everything I store about you?")
    assert server.stored() == before
    await ann.click("Keep it", question)
    assert ann.sees()[-1].says("Nothing was deleted.")
    assert server.stored() == before


async def test_after_it_no_trace_is_left_in_the_file(server: Server, ann: Player, bo: Player) -> None:
    await one_finished_game(server, ann, bo)
    await one_finished_game(server, bo, ann)
    await ann.run("hearts new")
    await ann.save_rules(f"{NAME}'s rules")
    await bo.click("Join")
    await ann.click("Start")
    assert len(traces(server.path, ann.id, NAME)) > 10
    await forget(ann)
    assert any(one.says("Everything I stored about you is deleted.") for one in ann.sees())
    assert traces(server.path, ann.id, NAME) == []


async def test_others_keep_their_results_and_strangers_are_told_apart(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    await one_finished_game(server, ann, bo, cy)
    others = "SELECT * FROM results WHERE person <> ? AND person > 0 ORDER BY seat"
    before = rows(server.path, others, ann.id), (await bo.run("hearts stats")).told
    await forget(ann)
    assert (rows(server.path, others, ann.id), (await bo.run("hearts stats")).told) == before
    assert rows(server.path, "SELECT person, name, mu, sigma FROM results WHERE person < 0") == [
        (-1, "", None, None)
    ]
    [board] = (await bo.run("hearts leaderboard")).public
    assert "Bo" in board.text
    assert "Cy" in board.text
    assert NAME not in board.text
    await forget(bo)
    known = rows(server.path, "SELECT seat, person, name, people FROM results ORDER BY seat")
    assert known == [(0, -1, "", 3), (1, -2, "", 3), (2, cy.id, "Cy", 3)]
    names = [(seat["name"], seat["person"]) for seat in server.stored()["seats"]]
    assert names == [("Hugo", None), ("Nina", None), ("Cy", cy.id), ("Lola", None)]
    rematch = (await cy.click("Rematch")).public[0]
    assert rematch.says("Seats (4 of 4)")


async def test_nothing_is_left_of_a_game_of_strangers(server: Server, ann: Player, bo: Player) -> None:
    await one_finished_game(server, ann, bo)
    await one_finished_game(server, bo)
    await forget(bo)
    assert [one for (one,) in rows(server.path, "SELECT people FROM results")] == [2, 2]
    await forget(ann)
    assert rows(server.path, "SELECT * FROM results") == []
    await one_finished_game(server, ann, bo)  # who sits down again is new
    assert len(rows(server.path, "SELECT * FROM results WHERE person = ?", ann.id)) == 1


async def test_a_computer_takes_the_seat_and_plays_at_once(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo)
    while not ann.playable:
        await bo.play()
    await forget(ann)
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


async def test_nothing_is_left_of_what_was_picked(server: Server, ann: Player, bo: Player) -> None:
    await server.deal(bo, ann)
    await bo.pick_cards()
    await ann.pick_cards()
    await forget(ann)
    assert [one["seat"] for one in server.stored()["picks"]] == [0]
    assert bo.hand.asks_to_pass


async def test_the_table_is_told_that_nobody_is_left_where_the_others_are_away(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal_and_pass(ann, bo)
    await bo.run("hearts leave")
    await forget(ann)
    assert server.post("has left for good").says("Nobody is left at the table, so the game waits for a day.")


async def test_a_table_of_nobody_else_is_closed(server: Server, ann: Player, bo: Player) -> None:
    await server.deal(ann)
    await forget(ann)
    assert [(one["state"], one["host"]) for one in server.stored()["tables"]] == [("stopped", 0)]
    assert (await bo.run("hearts new")).public


async def test_in_the_lobby_the_seat_is_free_again(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo)
    await forget(ann)
    assert server.post("Seats").says("Seats (1 of 4) 1. Bo · host 2. free")
    assert not server.shows("has left for good")
    assert traces(server.path, ann.id, NAME) == []


async def test_somebody_who_is_away_is_forgotten_for_good(server: Server, ann: Player, bo: Player) -> None:
    await server.deal(ann, bo)
    await ann.run("hearts leave")
    await forget(ann)
    assert traces(server.path, ann.id, NAME) == []
    back = next(post for post in reversed(server.posts()) if "I'm back" in post.enabled)
    assert refusal("in_mid_game") in (await ann.click("I'm back", back)).told


async def test_nothing_comes_back_when_the_game_goes_on_and_after_a_restart(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal(ann, bo, ends_at=1)
    await forget(ann)
    await bo.pass_cards()
    assert traces(server.path, ann.id, NAME) == []
    await server.restart()
    await deals_played([bo], lambda: server.shows("🏆"))
    assert traces(server.path, ann.id, NAME) == []
    assert [name for (name,) in rows(server.path, "SELECT name FROM results")] == ["Bo"]


async def test_whoever_led_chinese_hearts_first_stays_so_in_its_record(
    open_server: Any,
) -> None:
    server: Server = await open_server(names=NAMES)
    first, second, *_ = server.people  # the first has the older account: C3 lets them lead
    await server.deal(second, first, game="chinese", players=3)
    await play_on([first, second], lambda: server.shows("Trick 2"))
    await forget(first)
    await server.restart()
    await deals_played([second], lambda: server.shows("After deal 1"))
    answer = await second.run("hearts record")
    record = json.loads(await answer.result.response.attachments[0].read())
    assert record["oldest"] == 1
    assert record["deals"]


async def test_house_rules_stay_without_their_authors_name(server: Server, ann: Player, bo: Player) -> None:
    await ann.run("hearts new")
    for name in (f"{NAME}'s rules", f"{NAME.upper()}'S house", f"like {NAME}sson", "quick"):
        await ann.save_rules(name)
    await forget(ann)
    saved = rows(server.path, "SELECT name, author FROM house_rules ORDER BY name")
    assert saved == [
        ("like Zephyrinesson", 0),
        ("quick", 0),
        ("somebody'S house", 0),
        ("somebody's rules", 0),
    ]


async def test_house_rules_can_still_be_chosen_where_their_name_was_their_authors_often(
    server: Server, ann: Player, bo: Player
) -> None:
    server.rename(ann, "A")
    await ann.run("hearts new")
    for name in (" ".join("A" * 20), " ".join("a" * 19), " ".join("A" * 18)):
        await ann.save_rules(name)
    await forget(ann)
    offered = await bo.member.autocomplete(bo.at, "hearts new", "house", "")
    names = [choice["value"] for choice in offered]
    assert len(set(names)) == 3
    for name in names:
        assert 90 < len(name) <= 100  # what Discord takes as a suggestion


async def test_house_rules_lose_the_whole_of_a_name_that_holds_another(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann, bo)
    server.rename(ann, f"{NAME} Quill")
    ann.at = server.add_thread("another table")
    await ann.run("hearts new")
    await ann.save_rules(f"as {NAME} Quill likes it")
    await forget(ann)
    assert rows(server.path, "SELECT name FROM house_rules") == [("as somebody likes it",)]


async def test_delete_pressed_by_who_has_nothing_stored(server: Server, ann: Player, bo: Player) -> None:
    await one_finished_game(server, bo)
    before, version = server.stored(), rows(server.path, "PRAGMA schema_version")
    await forget(ann)
    assert ann.sees()[-1].says("Everything I stored about you is deleted.")
    assert server.stored() == before
    # SQLite counts it up when it writes the file anew, for which everybody would have to wait.
    assert rows(server.path, "PRAGMA schema_version") == version


async def test_deleting_while_others_play_at_the_same_moment(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo, ends_at=1)
    while not bo.playable:
        await ann.play()
    question = await ann.ask_to_delete()
    bo.press(bo.playable[0], bo.hand)
    ann.press("Delete it all", question)
    bo.press(bo.playable[-1], bo.hand)
    await server.settle()
    assert traces(server.path, ann.id, NAME) == []
    await server.restart()
    await deals_played([bo], lambda: server.shows("🏆"))
    assert traces(server.path, ann.id, NAME) == []


@pytest.mark.parametrize("failing", [0, 1])
async def test_a_hand_that_is_still_on_its_way_leaves_no_trace(
    server: Server, ann: Player, bo: Player, failing: int
) -> None:
    await server.seat(bo, ann)
    question = await ann.ask_to_delete()
    if failing:  # Discord is out of order for a moment, and the DM is to be sent again later
        path = f"/channels/{ann.member.user.dm_channel.id}/messages"
        server.env.inject_error("POST", path, status=503, code=0, times=6)
    bo.press("Start", server.post("Seats"))
    ann.press("Delete it all", question)
    await server.settle()
    await server.env.advance_time(120)
    assert any(one.says("Everything I stored about you is deleted.") for one in ann.sees())
    assert traces(server.path, ann.id, NAME) == []


async def test_a_hand_of_a_game_that_is_over_leaves_no_trace_either(
    server: Server, ann: Player, bo: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_time_stand_still(monkeypatch)
    await server.seat(bo, ann)
    path = f"/channels/{ann.member.user.dm_channel.id}/messages"
    server.env.inject_error("POST", path, status=503, code=0, times=6)
    await bo.click("Start")
    await server.stop_the_game()
    question = await ann.ask_to_delete()
    await ann.click("Delete it all", question)
    await server.env.advance_time(120)
    assert any(one.says("Everything I stored about you is deleted.") for one in ann.sees())
    assert traces(server.path, ann.id, NAME) == []
