"""/hearts replay with a file: the record of a game handed in, and whatever else people hand in."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from at_once import deals_played
from files import hand_in, kept, line, opened, record
from people import Player, refusal
from seen import Seen
from server import Server

from engine.names import COMPUTERS
from engine.storage.handed_in import KEPT
from engine.tables.replays import LARGEST_FILE

pytestmark = pytest.mark.slow


async def press(player: Player, label: str, on: Seen) -> Seen:
    assert (await player.click(label, on)).told == ""
    return Seen.now(on.env, on.message)


async def test_a_record_is_stepped_through(server: Server, ann: Player) -> None:
    players = 10
    game = record("double-deck", players, ends_at=30)
    shown = opened(await hand_in(ann, line(game)))
    assert all(f"{name} A." in shown.text for name in COMPUTERS[:players])
    assert "🤖" not in shown.text  # who of them was a computer, a record does not say
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


async def test_the_file_that_hearts_record_gives(server: Server, ann: Player) -> None:
    await server.deal(ann, ends_at=1)
    await deals_played([ann], lambda: server.shows("🏆"))
    content = (await ann.run("hearts record")).file
    theirs = opened(await ann.run("hearts replay"))
    ours = opened(await hand_in(ann, content))
    assert ours.text == theirs.text.replace(" 🤖", "")


async def test_a_record_in_many_lines_and_one_without_a_line_end(server: Server, ann: Player) -> None:
    game = record(ends_at=1)
    opened(await hand_in(ann, json.dumps(game, indent=2).encode()))
    opened(await hand_in(ann, b"\xef\xbb\xbf" + line(game).strip()))
    opened(await hand_in(ann, json.dumps(game, indent=2).encode() + b"\n" + line(game), game=1))


async def test_one_of_several_games(server: Server, ann: Player) -> None:
    games = line(record(ends_at=1)) + b"\n" + line(record("chinese", ends_at=1))
    assert (await hand_in(ann, games)).told == refusal("several_games", count=2)
    assert (await hand_in(ann, games, game=3)).told == refusal("several_games", count=2)
    opened(await hand_in(ann, games, game=1))
    shown = opened(await hand_in(ann, games, game=2))
    assert (await press(ann, "Trick ›", shown)).says("Exposed")


def changed(change: Any) -> bytes:
    data = copy.deepcopy(record())
    change(data)
    return line(data)


def play_badly(data: dict[str, Any]) -> None:
    plays = data["deals"][1]["plays"]
    plays[7], plays[8] = plays[8], plays[7]


BAD: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "That file is empty."),
    "blank lines": (b"\n \n", "That file is empty."),
    "words": (b"hello", "This line is not JSON from character 1 on."),
    "a picture": (b"\x89PNG\r\n\x1a\n\xff\xfe\x00" * 9, "This line is not UTF-8."),
    "a letter": (b"Dear Bo,\nhere is our game.\n", "This line is not JSON from character 1 on."),
    "UTF-16": (line(record()).decode().encode("utf-16"), "This line is not UTF-8."),
    "UTF-16 in lines": (json.dumps(record(), indent=2).encode("utf-16-be"), "This line is not UTF-8."),
    "two games and a letter": (line(record()) * 2 + b"Dear Bo\n", "This line is not JSON from character 1"),
    "half a record in lines": (json.dumps(record(), indent=2).encode()[:900], "This line is not JSON"),
    "half a record": (line(record())[:900], "This line is not JSON"),
    "another thing": (b'{"a": 1}', 'A record has no field called "a".'),
    "a list": (b"[[1, 2]]", "A record must be an object, not [[1, 2]]."),
    "a number": (b"7", "A record must be an object, not 7."),
    "NaN": (b'{"format": NaN}', "NaN is no number"),
    "brackets": (b"[" * 200_000, "nested far too deeply"),
    "digits": (b'{"format": ' + b"9" * 5000 + b"}", "A number in this line is far too long"),
    "another format": (changed(lambda data: data.update(format="x")), 'The format must be "hearts-record/1"'),
    "another game": (changed(lambda data: data["rules"].update(preset="poker")), "There is no game called"),
    "too few names": (changed(lambda data: data["seats"].pop()), "The seats must have 4 entries, not 3."),
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


async def test_nobody_else_sees_it_and_a_second_takes_its_place(
    server: Server, ann: Player, bo: Player
) -> None:
    first = opened(await hand_in(ann, line(record(ends_at=1))))
    forged = bo.forge(first.buttons["Trick ›"]["custom_id"], first)
    await server.settle()
    assert forged.told == refusal("file_gone")
    second = opened(await hand_in(ann, line(record("chinese", ends_at=1))))
    answer = await ann.click("Trick ›", first)
    assert answer.told == refusal("file_gone")
    assert (await press(ann, "Trick ›", second)).says("Exposed")
    assert len(kept(server)) == 1


async def test_it_is_kept_for_a_day(server: Server, ann: Player, bo: Player) -> None:
    shown = opened(await hand_in(ann, line(record(ends_at=1))))
    await server.restart(after=KEPT - 60)
    shown = await press(ann, "Trick ›", shown)
    server.env.backend.advance_clock(120)
    assert (await ann.click("Trick ›", shown)).told == refusal("file_gone")
    await server.restart()
    assert kept(server) == []


async def test_privacy_knows_of_it(server: Server, ann: Player, bo: Player) -> None:
    game = record(ends_at=1)
    game["seats"][2] = "Bo"
    opened(await hand_in(ann, line(game)))
    assert len(kept(server)) == 1
    stored = json.loads((await ann.export_data()).file)["handed_in"]
    assert stored == game
    assert json.loads((await bo.export_data()).file)["handed_in"] is None
    await forget(bo)  # whose name stands in it
    assert kept(server) == []
    shown = opened(await hand_in(ann, line(record(ends_at=1))))
    await forget(bo)
    assert len(kept(server)) == 1
    await forget(ann)
    assert kept(server) == []
    assert (await ann.click("Trick ›", shown)).told == refusal("file_gone")


async def forget(player: Player) -> None:
    question = await player.ask_to_delete()
    await player.click("Delete it all", question)


async def test_many_deals_have_pages_of_their_list(server: Server, ann: Player) -> None:
    game = record(ends_at=480)
    last = len(game["deals"])
    assert last > 46
    shown = opened(await hand_in(ann, line(game)))
    prompt = f"Deal 1 of {last}"
    choices = shown.options(prompt)
    assert len(choices) == 24
    assert "Deals 24 to 46 …" in choices
    ann.forge(shown.selects[prompt]["custom_id"], shown, ["p1"])
    await server.settle()
    shown = Seen.now(shown.env, shown.message)
    assert list(shown.options(prompt))[:2] == ["Deals 1 to 23 …", "Deal 24"]
    assert shown.says("Deal 1 · As dealt")
    ann.forge(shown.selects[prompt]["custom_id"], shown, ["46"])
    await server.settle()
    shown = Seen.now(shown.env, shown.message)
    assert shown.says("Deal 46 · As dealt")
    assert shown.options(f"Deal 46 of {last}")["Deal 46"]


async def test_names_are_other_peoples_text(server: Server, ann: Player) -> None:
    game = record(ends_at=1)
    game["seats"] = ["**@everyone** <@1>", "\ud800\u202e", "x" * 5000, ""]
    shown = opened(await hand_in(ann, line(game)))
    for _ in range(12):
        shown = await press(ann, "Trick ›", shown)
    assert "@everyone" not in shown.text
    assert "<@1>" not in shown.text
    assert list(shown.options("Costliest moves of …"))[3] == "(no name)"
    answer = ann.forge(shown.selects["Costliest moves of …"]["custom_id"], shown, ["3"])
    await server.settle()
    assert answer.private[0].says("(no name) in deal 1")
    assert json.loads((await ann.export_data()).file)["handed_in"]["seats"][1] == "?\u202e"
