"""All games in Discord: offered by name, and played to the end by people and computers."""

import json
import re
from typing import Any

import pytest
from at_once import deals_played
from games import EXTREMES, NAMES, change_rules, headings, sentence
from people import Player, code_of, play_on
from seen import Seen, lines, totals
from server import Server

from engine.languages import ENGLISH
from engine.play.record import read_record
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.rules.wording import worth

pytestmark = pytest.mark.slow

#: What Discord's menu says of each game, as somebody who types /hearts new reads it.
OFFERED = {
    "classic": "Hearts (4 players)",
    "wikibooks": "Hearts for three to six (3, 4, 5 or 6 players)",
    "double-deck": "Double-deck Hearts (6, 7, 8, 9 or 10 players)",
    "cancellation": "Cancellation Hearts (5 players)",
    "chinese": "Chinese Hearts (3, 4, 5 or 6 players)",
}


async def test_all_games_are_offered_by_name_with_their_seats(server: Server) -> None:
    commands = next(
        one.json for one in server.env.http_requests if one.path.endswith("commands") and one.json
    )
    [new] = [one for hearts in commands for one in hearts["options"] if one["name"] == "new"]
    [game] = [one for one in new["options"] if one["name"] == "game"]
    assert {one["value"]: one["name"] for one in game["choices"]} == OFFERED


async def test_a_lobby_has_the_game_and_the_seats_asked_for_and_says_what_every_card_counts(
    server: Server, ann: Player
) -> None:
    """Without a number of players it has the usual seats; without a game it is one for as many as play."""
    asked: list[tuple[dict[str, Any], str, int]] = [
        *(({"game": game, "players": players}, game, players) for game, players in EXTREMES),
        *(({"game": game}, game, 4) for game in ("classic", "wikibooks", "chinese")),
        ({"game": "double-deck"}, "double-deck", 6),
        *(({"players": players}, game, players) for players, game in ((3, "wikibooks"), (7, "double-deck"))),
    ]
    for number, (options, game, players) in enumerate(asked):
        ann.at = server.add_thread(f"{number}")
        [lobby] = (await ann.run("hearts new", **options)).public
        assert lobby.says(f"♥ {PRESETS[game].title} ")
        assert lobby.says(f"Seats (1 of {players})")
        assert lobby.says(worth(Ruleset.of(game, players), ENGLISH))
        assert not lobby.says("House rules")
        assert len(lobby.text) < 700  # the rest is behind Rules


async def test_a_wrong_number_of_seats_is_refused(server: Server, ann: Player) -> None:
    for preset, players, told in (
        ("classic", 5, "Hearts is for 4 players, not 5."),
        ("wikibooks", 7, "Hearts for three to six is for 3, 4, 5 or 6 players, not 7."),
        ("double-deck", 5, "Double-deck Hearts is for 6, 7, 8, 9 or 10 players, not 5."),
        ("cancellation", 4, "Cancellation Hearts is for 5 players, not 4."),
        ("chinese", 10, "Chinese Hearts is for 3, 4, 5 or 6 players, not 10."),
    ):
        answer = await ann.run("hearts new", game=preset, players=players)
        assert sentence(answer.told) == told
        assert not answer.public
    assert not server.stored()["tables"]


#: Game, seats, how many of them are people, the total that ends it, and how many play under My hand.
WHOLE = [
    ("classic", 4, 2, 30, 0),
    ("wikibooks", 3, 3, 10, 1),
    ("double-deck", 10, 2, 20, 1),
    ("cancellation", 5, 5, 1, 0),
    ("chinese", 6, 2, 300, 0),
]


@pytest.mark.parametrize(("preset", "seats", "people", "ends_at", "in_channel"), WHOLE)
async def test_a_whole_game(
    open_server, preset: str, seats: int, people: int, ends_at: int, in_channel: int
) -> None:
    server: Server = await open_server(names=NAMES[:people])
    for player in server.people[:in_channel]:
        player.close_dms()
    await server.deal(*server.people, game=preset, players=seats, ends_at=ends_at)
    for player in server.people[:in_channel]:
        await player.open_hand()
    await play_on(server.people, lambda: "Trick 4" in server.posts()[-1].text)
    await deals_played(server.people, lambda: "🏆" in server.posts()[-1].text)

    standings = totals(server.posts()[-1].text)
    assert len(standings) == seats
    assert set(NAMES[:people]) <= set(standings)
    assert max(standings.values()) >= ends_at or min(standings.values()) <= -ends_at

    record = (await server.people[0].run("hearts record")).file
    game = json.loads(record)
    check_posts(server.posts(), game)
    assert dict(zip(game["seats"], game["deals"][-1]["totals"], strict=True)) == standings
    winners = {game["seats"][seat] for seat in game["winners"]}
    best = (max if preset in ("cancellation", "chinese") else min)(standings.values())
    assert winners == {name for name, total in standings.items() if total == best}
    for name in standings:
        assert server.posts()[-1].text.partition("\n")[0].count(f"**{name}**") == (name in winners)
    assert [list(points) for points in read_record(game).points] == [deal["points"] for deal in game["deals"]]
    for player in server.people:
        assert player.hand.says("The game is over.")


def check_posts(posts: list[Seen], game: dict[str, Any]) -> None:
    """Each deal has its opening and one post that lists all its tricks; the end of the game has its own."""
    expected = []
    for deal in game["deals"]:
        number, tricks = deal["number"], len(deal["tricks"])
        expected += [f"### After deal {number - 1}" if number > 1 else "### Deal 1"]
        expected += [f"### Deal {number} · Trick {tricks}"]
    found = [re.sub(" · ♥ broken", "", heading) for heading in headings(posts)]
    assert found[1:-1] == expected
    for post, deal in zip([post for post in posts if post.tricks], game["deals"], strict=True):
        check_tricks(post, deal, game["seats"])


def check_tricks(post: Seen, deal: dict[str, Any], seats: list[str]) -> None:
    """Whoever reads this post knows every trick of the deal: who took it, and with which card."""
    assert [trick.number for trick in post.tricks] == list(range(1, len(deal["tricks"]) + 1))
    played = iter(deal["plays"])
    for seen, trick in zip(post.tricks, deal["tricks"], strict=True):
        codes = [next(played) for _ in seats]
        assert [code_of(one) for one in seen.cards] == codes
        taker = trick["winner"]
        assert seen.taker == (None if taker is None else seats[taker])
        assert (seen.won and code_of(seen.won)) == (
            None if taker is None else codes[(taker - trick["leader"]) % len(seats)]
        )


async def play_alone(
    server: Server, ann: Player, winner: str = "lowest", **options: str | int
) -> dict[str, int]:
    """A short game of Ann's against computers to the end; everybody's total."""
    await server.seat(ann, ends_at=1, **options)
    await change_rules(ann, winner=winner)
    await ann.click("Start")
    await deals_played([ann], lambda: "🏆" in server.posts()[-1].text)
    return totals(server.posts()[-1].text)


async def test_each_game_has_a_leaderboard_of_its_own(server: Server, ann: Player) -> None:
    results = {
        "Hearts, lowest total wins": await play_alone(server, ann),
        "Hearts, highest total wins": await play_alone(server, ann, "highest"),
        "Hearts for three to six, lowest total wins": await play_alone(server, ann, game="wikibooks"),
        "Cancellation Hearts, highest total wins": await play_alone(
            server, ann, "highest", game="cancellation"
        ),
        "Cancellation Hearts, lowest total wins": await play_alone(server, ann, game="cancellation"),
        "Chinese Hearts, highest total wins": await play_alone(server, ann, "highest", game="chinese"),
    }
    await ann.run("hearts leaderboard")
    board = server.posts()[-1]
    assert board.select is not None
    assert set(board.options("Another game")) == {f"{title}, alone" for title in results}
    deals = {row["game"] + str(row["lowest"]): row["deals"] for row in server.stored()["results"]}
    assert len(deals) == 6
    for option in board.select["options"]:
        await ann.choose(option["value"], board.current)
        title = option["label"].removesuffix(", alone")
        assert board.current.says(f"Leaderboard {title}")
        [line] = lines(board.current)
        total = results[title]["Ann"]
        best = (min if "lowest" in title else max)(results[title].values())
        assert line[2:4] == ["Ann", f"{int(total == best)}/1"]
        await ann.click("Points a deal", board.current)
        [[_, average, *_]] = lines(board.current)
        game, _, goal = option["value"].removesuffix(":alone").partition(".")
        count = deals[f"{game}{int(goal == 'lowest')}"]
        assert float(average.replace("−", "-")) == round(total / count, 1)
