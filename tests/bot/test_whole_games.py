"""Whole games of every kind, from the command that opens the table to the result, which can be shared."""

from typing import Any

import pytest
from at_once import deals_played
from games import NAMES
from manners import message_of
from people import Player, play_on, refusal
from seen import Seen, code_of, plain, totals
from server import OpenServer, Server
from test_replay import record_of

from engine.languages import ENGLISH
from engine.play.record import read_record
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.rules.wording import worth

pytestmark = pytest.mark.slow


async def test_games_are_offered_by_name_with_their_seats(server: Server) -> None:
    commands = next(
        one.json for one in server.env.http_requests if one.path.endswith("commands") and one.json
    )
    [new] = [one for hearts in commands for one in hearts["options"] if one["name"] == "new"]
    [game] = [one for one in new["options"] if one["name"] == "game"]
    offered = {one["value"]: one["name"] for one in game["choices"]}
    assert list(offered) == list(PRESETS)
    assert offered["classic"] == "Hearts (4 players)"
    assert offered["double-deck"] == "Double-deck Hearts (6, 7, 8, 9 or 10 players)"


@pytest.mark.parametrize(
    ("options", "game", "players"),
    [
        ({"game": "chinese", "players": 6}, "chinese", 6),
        ({"game": "wikibooks"}, "wikibooks", 4),  # the usual seats
        ({"game": "double-deck"}, "double-deck", 6),
        ({"players": 3}, "wikibooks", 3),  # a game for as many as play
        ({"players": 7}, "double-deck", 7),
    ],
)
async def test_a_lobby_has_the_game_and_the_seats_asked_for_and_says_what_every_card_counts(
    ann: Player, options: dict[str, Any], game: str, players: int
) -> None:
    [lobby] = (await ann.run("hearts new", **options)).public
    assert lobby.says(f"♥ {PRESETS[game].title} ")
    assert lobby.says(f"Seats (1 of {players})")
    assert lobby.says(worth(Ruleset.of(game, players), ENGLISH))
    assert not lobby.says("House rules")
    assert len(lobby.text) < 700  # the rest is behind Rules


#: Game, seats, how many of them are people, the total that ends it, and how many play under My hand.
WHOLE = [
    ("classic", 4, 4, 14, 0),
    ("wikibooks", 3, 3, 10, 1),
    ("double-deck", 10, 2, 20, 1),
    ("cancellation", 5, 5, 1, 0),
    ("chinese", 6, 2, 300, 0),
]


@pytest.mark.parametrize(("preset", "seats", "people", "ends_at", "in_channel"), WHOLE)
async def test_a_whole_game(
    open_server: OpenServer, preset: str, seats: int, people: int, ends_at: int, in_channel: int
) -> None:
    server = await open_server(names=NAMES[:people])
    for player in server.people[:in_channel]:
        player.close_dms()
    await server.deal(*server.people, game=preset, players=seats, ends_at=ends_at)
    for player in server.people[:in_channel]:
        await player.open_hand()
    await play_on(server.people, lambda: "Trick 4" in server.posts()[-1].text)
    ann, board = server.people[0], server.posts()[-1]
    assert await ann.try_control("hearts:lines:1", board) == refusal("stale")
    [listed] = (await ann.click("Tricks", board)).private
    assert [trick.number for trick in listed.tricks] == list(range(1, board.tricks[-1].number + 1))
    assert listed.tricks[-2:] == board.tricks
    await deals_played(server.people, lambda: "🏆" in server.posts()[-1].text)
    for request in server.requests:
        message = message_of(request)
        assert not (message and (message["allowed_mentions"] or {}).get("users")), "they play at once"

    final = server.posts()[-1]
    standings = totals(final.text)
    assert len(standings) == seats
    assert set(NAMES[:people]) <= set(standings)
    assert max(standings.values()) >= ends_at or min(standings.values()) <= -ends_at

    game = await record_of(ann)
    check_posts(server.posts(), game)
    assert dict(zip(game["seats"], game["deals"][-1]["totals"], strict=True)) == standings
    winners = {game["seats"][seat] for seat in game["winners"]}
    is_lowest = preset not in ("cancellation", "chinese")
    best = (min if is_lowest else max)(standings.values())
    assert winners == {name for name, total in standings.items() if total == best}
    for name in standings:
        assert final.text.partition("\n")[0].count(f"**{name}**") == (name in winners)
    assert [list(points) for points in read_record(game).points] == [deal["points"] for deal in game["deals"]]
    kinds = [(row["game"], bool(row["lowest"])) for row in server.stored()["results"]]
    assert kinds == [(preset, is_lowest)] * people  # each kind has a leaderboard of its own
    for player in server.people:
        assert player.hand.says("The game is over. 🏆")
        assert player.hand.enabled == ["Replay"]
    answer = await ann.click("Share", final)
    assert not answer.public
    assert answer.private[0].says("Copy this and post it wherever you like:")


def check_posts(posts: list[Seen], game: dict[str, Any]) -> None:
    """Each deal has its opening and one post that lists all its tricks; the end of the game has its own."""
    expected = []
    for deal in game["deals"]:
        number, tricks = deal["number"], len(deal["tricks"])
        expected += [f"### After deal {number - 1}" if number > 1 else "### Deal 1"]
        expected += [f"### Deal {number} · Trick {tricks}"]
    found = [plain(post.heading).removesuffix(" · ♥ broken") for post in posts]
    assert found[1:-1] == expected
    assert not any("Tricks" in post.enabled for post in posts)  # all are listed
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
