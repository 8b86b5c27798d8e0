"""Replays in Discord, of games that were played here and of records that are uploaded; and those records.

What a replay shows at each step is in test_replay_words.py.
"""

import copy
import json
import re
from typing import Any

import pytest
from at_once import deals_played, moves_made
from files import hand_in, kept, line, opened, record
from games import change_rules, play_a_game
from own_data import forget
from people import Player, play_on, refusal
from seen import Seen
from server import OpenServer, Server

from engine.names import COMPUTERS
from engine.play.record import read_record
from engine.storage.handed_in import KEPT
from engine.tables.replays import LARGEST_FILE

pytestmark = pytest.mark.slow

COSTLIEST = "Costliest moves of …"


async def press(player: Player, label: str, on: Seen) -> Seen:
    """The replay after this button, which changes the same message."""
    assert (await player.click(label, on)).told == ""
    return on.current


# A game that was played here


async def test_a_replay_outlives_restarts_and_deletions(server: Server, ann: Player, bo: Player) -> None:
    await play_a_game(server, ann, bo)
    before = await press(ann, "Trick ›", opened(await ann.click("Replay")))
    await server.restart()
    assert (await press(ann, "Trick ›", before)).says("Deal 1 · Trick 1")
    assert (await press(ann, "‹ Trick", before.current)).text == before.text
    theirs = opened(await bo.run("hearts replay"))
    ours = opened(await hand_in(ann, (await ann.run("hearts record")).file))
    assert ours.text == theirs.text.replace(" 🤖", "")  # who was a computer, a record does not say
    by_dm = opened(await ann.click("Replay", ann.dm))
    assert by_dm.channel == ann.dm.channel
    await ann.try_press("End »", by_dm)
    assert by_dm.current.says("After deal 1")
    assert "**Bo**" in before.text
    await forget(bo)
    shown = await press(ann, "« Start", before.current)
    assert "**Bo**" not in shown.text
    assert "**Ann**" in shown.text


async def test_of_a_game_going_on_only_what_is_done_is_shown_and_all_until_its_rematch_has_a_deal(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal(ann, bo, ends_at=30)
    assert (await ann.run("hearts replay")).told == refusal("nothing_done")
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))
    await play_on([ann, bo], lambda: server.shows("Deal 2 · Trick 2"))
    shown = await press(bo, "End »", opened(await bo.run("hearts replay")))
    assert shown.says("After deal 1")
    assert shown.enabled == ["« Start", "‹ Card", "‹ Trick"]
    table = shown.buttons["« Start"]["custom_id"].split(":")[2]
    for deal, step in (("2", "0"), ("2", "5"), ("0", "0"), ("1", "55"), ("9", "1"), ("x", "0")):
        told = await bo.try_control(f"hearts:step:{table}:0:{deal}:{step}:0", shown)
        assert told == refusal("stale")
    for value in ("2", "p9", "px", ""):
        await bo.try_control(f"hearts:deals:{table}:0:1:0", shown, value)
        await bo.try_control(f"hearts:costly:{table}:0:2:0", shown, "0")
    assert sum("dealt" in row["move"] for row in server.stored()["moves"]) == 2
    assert not any(one.says("Deal 2 · As dealt") for one in bo.sees())
    await deals_played([ann, bo], lambda: server.shows("🏆"))
    shown = await press(bo, "End »", shown.current)
    assert "Deal 2 ›" in shown.enabled
    before = await press(bo, "« Start", shown)
    await server.deal(ann, ends_at=1)
    assert opened(await ann.run("hearts replay")).text == before.text


async def test_each_deal_names_who_sat_there(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await server.deal(ann, bo, ends_at=500)
    computer = next(seat["name"] for seat in server.stored()["seats"] if seat["person"] is None)
    [choice] = (await cy.click("Take a seat", server.opening(1))).private
    await cy.choose("2", choice)
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))
    await deals_played([ann, bo, cy], lambda: server.shows("After deal 2"))
    shown = opened(await ann.run("hearts replay"))
    assert ("**Cy**" in shown.text, f"**{computer}**" in shown.text) == (False, True)
    assert shown.options("Deal 1 of 2") == {"Deal 1": True, "Deal 2": False}
    await ann.choose("2", shown, "Deal 1 of 2")
    assert shown.current.says("Deal 2 · As dealt")
    assert shown.current.says("Totals before the deal")
    assert ("**Cy**" in shown.current.text, f"**{computer}**" in shown.current.text) == (True, False)


# Its costliest moves


async def test_the_costliest_moves_of_a_player(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await play_a_game(server, ann, bo)
    shown = opened(await cy.click("Replay"))
    assert list(shown.options(COSTLIEST))[:2] == ["Ann", "Bo"]
    told = (await cy.choose("0", shown, COSTLIEST)).private[0]
    assert re.search(r"Of Ann's \d+ decisions, (these|this)", told.text)
    # It speaks of Ann, and quotes what speaks to her.
    assert not re.search(r"\b(you|your)\b", re.sub("“.*?”", "", told.text), re.IGNORECASE)
    assert told.says("“")
    assert re.search("Ann (passed|led|played)", told.text)
    assert told.says("Judged only by what Ann knew")
    [first, *_] = told.enabled
    shown = await press(cy, first, told)
    assert shown.says("Ann")
    assert "Card ›" in shown.enabled
    own = await ann.choose("0", opened(await ann.click("Replay")), COSTLIEST)
    assert own.private[0].says("How you played deal 1 Of your")
    assert not own.private[0].says("“")
    assert await cy.try_control(shown.selects[COSTLIEST]["custom_id"], shown, "4") == refusal("stale")


# A file


async def test_a_record_is_stepped_through(server: Server, ann: Player) -> None:
    players = 10
    game = record("double-deck", players, ends_at=30)
    shown = opened(await hand_in(ann, line(game)))
    assert all(f"{name} A." in shown.text for name in COMPUTERS[:players])
    last = len(game["deals"])
    for number in range(1, last + 1):
        shown = await press(ann, "End »", shown)
        assert shown.says(f"After deal {number}")
        if number < last:
            shown = await press(ann, f"Deal {number + 1} ›", shown)
    assert shown.says("win")
    shown = await press(ann, "‹ Card", shown)
    await server.restart()
    shown = await press(ann, "‹ Card", shown)
    assert shown.says(f"Deal {last} · Trick")


def changed(change: Any) -> bytes:
    data = copy.deepcopy(record())
    change(data)
    return line(data)


def play_badly(data: dict[str, Any]) -> None:
    plays = data["deals"][1]["plays"]
    plays[7], plays[8] = plays[8], plays[7]


#: One file for each way to answer: play/test_record.py has every fault of a record.
BAD: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "That file is empty."),
    "a picture": (b"\x89PNG\r\n\x1a\n\xff\xfe\x00" * 9, "This line is not UTF-8."),
    "two games and a letter": (line(record()) * 2 + b"Dear Bo\n", "This line is not JSON from character 1"),
    "another thing": (b'{"a": 1}', 'A record has no field called "a".'),
    "NaN": (b'{"format": NaN}', "NaN is no number"),
    "brackets": (b"[" * 200_000, "nested far too deeply"),
    "digits": (b'{"format": ' + b"9" * 5000 + b"}", "A number in this line is far too long"),
    "an illegal card": (changed(play_badly), "Deal 2, card "),
    "wrong points": (changed(lambda data: data["deals"][0].update(points=[1, 2, 3, 4])), "Deal 1"),
    "no deal": (changed(lambda data: data.update(deals=[], winners=None)), "No deal is over yet"),
    "too much": (b" " * (LARGEST_FILE + 1), "That file is too large for a game: the limit is 256 kB."),
}


async def test_a_bad_file_gets_its_sentence(server: Server, ann: Player) -> None:
    for kind, (content, sentence) in BAD.items():
        answer = await hand_in(ann, content, "*my* `game`.txt")
        assert answer.result.ephemeral, kind
        assert sentence in answer.told.replace("\\", "").replace("\u200b", ""), kind
        assert kept(server) == [], kind


async def test_an_upload_is_private_and_kept_for_a_day(server: Server, ann: Player, bo: Player) -> None:
    games = json.dumps(record(ends_at=1), indent=2).encode() + b"\n" + line(record("chinese", ends_at=1))
    assert (await hand_in(ann, games)).told == refusal("several_games", count=2)
    assert (await hand_in(ann, games, game=3)).told == refusal("several_games", count=2)
    first = opened(await hand_in(ann, games, game=1))
    assert await bo.try_press("Trick ›", first) == refusal("file_gone")
    second = opened(await hand_in(ann, games, game=2))
    assert (await ann.click("Trick ›", first)).told == refusal("file_gone")
    assert (await press(ann, "Trick ›", second)).says("Exposed")
    assert len(kept(server)) == 1
    await server.restart(after=KEPT - 60)
    shown = await press(ann, "Trick ›", second.current)
    server.env.backend.advance_clock(120)
    assert (await ann.click("Trick ›", shown)).told == refusal("file_gone")
    await server.restart()
    assert kept(server) == []


async def test_privacy_knows_of_it(server: Server, ann: Player, bo: Player) -> None:
    game = record(ends_at=1)
    game["seats"][2] = "Bo"
    opened(await hand_in(ann, line(game)))
    assert json.loads((await ann.export_data()).file)["handed_in"] == game
    assert json.loads((await bo.export_data()).file)["handed_in"] is None
    await forget(bo)  # whose name stands in it
    assert kept(server) == []
    shown = opened(await hand_in(ann, line(record(ends_at=1))))
    await forget(bo)
    assert len(kept(server)) == 1
    await forget(ann)
    assert kept(server) == []
    assert (await ann.click("Trick ›", shown)).told == refusal("file_gone")


async def test_names_are_other_peoples_text_on_every_page(server: Server, ann: Player) -> None:
    game = record(ends_at=480)
    game["seats"] = ["**@everyone** <@1>", "\ud800\u202e", "x" * 5000, ""]
    prompt = f"Deal 1 of {len(game['deals'])}"
    shown = opened(await hand_in(ann, line(game)))
    for _ in range(12):
        shown = await press(ann, "Trick ›", shown)
    assert "@everyone" not in shown.text
    assert "<@1>" not in shown.text
    assert list(shown.options(COSTLIEST))[3] == "(no name)"
    answer = await ann.choose("3", shown, COSTLIEST)
    assert answer.private[0].says("(no name) in deal 1")
    await ann.choose("p1", shown, prompt)
    assert list(shown.current.options(prompt))[:2] == ["Deals 1 to 23 …", "Deal 24"]
    assert shown.current.text == shown.text  # another page of deals leaves the step as it is
    await ann.choose("46", shown.current, prompt)
    assert shown.current.says("Deal 46 · As dealt")
    assert json.loads((await ann.export_data()).file)["handed_in"]["seats"][1] == "?\u202e"


# /hearts record


async def record_of(player: Player) -> dict[str, Any]:
    """The record that this player is given."""
    answer = await player.run("hearts record")
    assert answer.result.ephemeral
    assert answer.file.endswith(b"\n")
    assert answer.file.count(b"\n") == 1
    return json.loads(answer.file)


def replayed(data: dict[str, Any]) -> int:
    """The number of plays in a record, each of which is checked as by `python -m engine replay`."""
    return sum(len(done.trick.cards) for deal in read_record(data).deals for done in deal.tricks)


async def test_a_record_holds_the_complete_deals_alone(server: Server, ann: Player, bo: Player) -> None:
    assert (await ann.run("hearts record")).told == refusal("no_game_here")
    await server.seat(ann, bo, ends_at=500)
    assert (await ann.run("hearts record")).told == refusal("no_game_here")
    await ann.click("Start")
    for moves in (0, 2, 1):  # then both pass, and one plays a card
        await moves_made(server, moves)
        game = await record_of(bo)
        assert (game["deals"], game["winners"], replayed(game)) == ([], None, 0)
    await deals_played([ann, bo], lambda: server.shows("After deal 2"))
    await play_on([ann, bo], lambda: server.shows("Deal 3 · Trick 4"))
    for is_going_on in (True, False):
        game = await record_of(ann)
        assert [deal["number"] for deal in game["deals"]] == [1, 2]
        assert replayed(game) == 104
        dealt = [json.loads(row["move"]) for row in server.stored()["moves"] if "dealt" in row["move"]]
        assert len(dealt) == 3
        for hand in dealt[2]["dealt"]:  # neither the hands of the deal going on, nor its salt
            assert hand not in [shown for deal in game["deals"] for shown in deal["hands"]]
        assert dealt[2]["salt"] not in json.dumps(game)
        if is_going_on:
            await server.stop_the_game()


WICKED = ('", "deals": [], "x": "', "a\nb", "**x** @everyone", "🂡\u2028é\\")


async def test_rules_names_and_exposed_cards_are_in_the_last_games_record_which_is_anyones_until_the_next(
    open_server: OpenServer,
) -> None:
    server = await open_server(names=WICKED)
    ann, *_, di = server.people
    await server.seat(game="chinese", ends_at=1)
    await change_rules(ann, winner="lowest", first=str(di.id))
    await ann.click("Start")
    first = next(one for one in server.people if any("Expose" in label for label in one.hand.enabled))
    label = next(label for label in first.hand.enabled if label.startswith("Expose"))
    await first.click(label, first.hand)
    await first.click("Yes, expose", first.hand)
    await deals_played(server.people, lambda: server.shows("🏆"))
    game = await record_of(ann)
    assert game["seats"] == list(WICKED)
    assert game["rules"]["options"] == {"winner": "lowest", "ends_at": 1}
    assert game["oldest"] == 3
    assert game["deals"][0]["tricks"][0]["leader"] == 3
    assert [server.people[seat] for seat, _ in game["deals"][0]["exposed"]] == [first]
    assert replayed(game) == sum(len(deal["plays"]) for deal in game["deals"])
    await server.restart()
    assert await record_of(server.add("Zoe")) == game
    await ann.click("Rematch")
    assert await record_of(ann) == game
