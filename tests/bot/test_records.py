"""/hearts record: a game as a file, whole when it is over, and without the deal going on before."""

import json
from typing import Any

import pytest
from at_once import deals_played, moves_made
from games import change_rules
from people import Player, play_on, refusal
from server import OpenServer, Server

from engine.play.record import read_record

pytestmark = pytest.mark.slow


async def record(player: Player) -> dict[str, Any]:
    """The record that this player is given."""
    answer = await player.run("hearts record")
    assert answer.result.ephemeral
    assert answer.file.endswith(b"\n")
    assert answer.file.count(b"\n") == 1
    return json.loads(answer.file)


def replayed(data: dict[str, Any]) -> int:
    """The number of plays in a record, each of which is checked as by `python -m engine replay`."""
    return sum(len(done.trick.cards) for deal in read_record(data).deals for done in deal.tricks)


async def test_it_holds_the_complete_deals_alone(server: Server, ann: Player, bo: Player) -> None:
    assert (await ann.run("hearts record")).told == refusal("no_game_here")
    await server.seat(ann, bo, ends_at=500)
    assert (await ann.run("hearts record")).told == refusal("no_game_here")
    await ann.click("Start")
    for moves in (0, 2, 1):  # then both pass, and one plays a card
        await moves_made(server, moves)
        game = await record(bo)
        assert (game["deals"], game["winners"], replayed(game)) == ([], None, 0)
    await deals_played([ann, bo], lambda: server.shows("After deal 2"))
    await play_on([ann, bo], lambda: server.shows("Deal 3 · Trick 4"))
    for is_going_on in (True, False):
        game = await record(ann)
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
    game = await record(ann)
    assert game["seats"] == list(WICKED)
    assert game["rules"]["options"] == {"winner": "lowest", "ends_at": 1}
    assert game["oldest"] == 3
    assert game["deals"][0]["tricks"][0]["leader"] == 3
    assert [server.people[seat] for seat, _ in game["deals"][0]["exposed"]] == [first]
    assert replayed(game) == sum(len(deal["plays"]) for deal in game["deals"])
    await server.restart()
    assert await record(server.add("Zoe")) == game
    await ann.click("Rematch")
    assert await record(ann) == game
