"""Leaderboards keep games apart, and know which way each of them is won."""

import pytest
from at_once import deals_played
from games import NAMES, arranged, change_rules
from people import Player
from seen import lines, totals
from server import Server

from engine.play.game import Game
from engine.play.moves import Played
from engine.rules.ruleset import Ruleset

pytestmark = pytest.mark.slow


async def play_a_game(
    server: Server, *players: Player, winner: str = "", **options: str | int
) -> dict[str, int]:
    """A short game to the end; everybody's total."""
    host = await server.seat(*players, ends_at=1, **options)
    await change_rules(host, **({"winner": winner} if winner else {}))
    await host.click("Start")
    await deals_played(players, lambda: "🏆" in server.posts()[-1].text)
    return totals(server.posts()[-1].text)


async def averages(server: Server, asker: Player) -> dict[str, float]:
    """Everybody's points a deal on the board that was posted last."""
    await asker.click("Points a deal", server.posts()[-1])
    return {line[2]: float(line[1].replace("−", "-")) for line in lines(server.posts()[-1])}


async def test_each_game_has_a_leaderboard_of_its_own(server: Server, ann: Player) -> None:
    results = {
        "Hearts, lowest total wins": await play_a_game(server, ann),
        "Hearts, highest total wins": await play_a_game(server, ann, winner="highest"),
        "Hearts for three to six, lowest total wins": await play_a_game(server, ann, game="wikibooks"),
        "Cancellation Hearts, highest total wins": await play_a_game(server, ann, game="cancellation"),
        "Cancellation Hearts, lowest total wins": await play_a_game(
            server, ann, game="cancellation", winner="lowest"
        ),
        "Chinese Hearts, highest total wins": await play_a_game(server, ann, game="chinese"),
    }
    await ann.run("hearts leaderboard")
    board = server.posts()[-1]
    assert board.select is not None
    assert set(board.options("Another game")) == {f"{title}, alone" for title in results}
    deals = {row["game"] + str(row["lowest"]): row["deals"] for row in server.stored()["results"]}
    assert len(deals) == 6
    for option in board.select["options"]:
        await ann.choose(option["value"], server.posts()[-1])
        shown = server.posts()[-1]
        assert shown.id == board.id
        title = option["label"].removesuffix(", alone")
        assert shown.says(f"Leaderboard {title}")
        [line] = lines(shown)
        total = results[title]["Ann"]
        best = (min if "lowest" in title else max)(results[title].values())
        assert line[2:4] == ["Ann", f"{int(total == best)}/1"]
        game, _, goal = option["value"].removesuffix(":alone").partition(".")
        assert await averages(server, ann) == {
            "Ann": round(total / deals[f"{game}{int(goal == 'lowest')}"], 1)
        }


#: When everybody plays the last card that may be played, Ann takes every trick.
SUN = (
    "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H QS JD TC AC",
    "AS KS JS TS 9S 8S 7S 6S 5S 4S 3S 2S 3C 4C 5C 6C 7C",
    "AD KD QD TD 9D 8D 7D 6D 5D 4D 3D 2D 8C 9C JC QC KC",
)


def last_card(game: Game, seat: int) -> Played:
    return Played(seat, game.deals[-1].legal(seat)[-1])


async def test_where_the_highest_wins_the_better_average_is_the_higher_one(open_server) -> None:
    rng = arranged(Ruleset.of("chinese", 3), SUN)
    server: Server = await open_server(rng, names=NAMES[:3])
    ann, bo, cy = server.people
    await server.deal(ann, bo, cy, game="chinese", players=3, ends_at=1)
    for player in server.people:
        if decline := player.hand.decline:
            await player.click(decline, player.hand)
    await deals_played(server.people, lambda: server.shows("🏆 Ann wins!"), last_card)
    await ann.run("hearts leaderboard")
    await ann.click("Wins", server.posts()[-1])
    shown = lines(server.posts()[-1])
    assert [shown[0][0], *shown[0][2:]] == ["1.", "Ann", "1/1"]  # a sun is no moon
    assert {line[2] for line in shown[1:]} == {"Bo", "Cy"}
    assert {line[0] for line in shown[1:]} == {"2."}  # level, so they share the place
    assert (await averages(server, ann))["Ann"] == 10000.0
