"""All games in Discord: offered by name, and played to the end by people and computers."""

import json
import re
from typing import Any

import pytest
from at_once import deals_played
from games import EXTREMES, NAMES, headings, sentence
from people import Player, code_of, play_on, refusal
from seen import Seen, totals
from server import Server

from engine.cards import Suit, card
from engine.play.record import read_record
from engine.rules.presets import PRESETS

pytestmark = pytest.mark.slow

#: What Discord's menu says of each game, as somebody who types /hearts new reads it.
OFFERED = {
    "classic": "Hearts (4 players)",
    "wikibooks": "Hearts for three to six (3, 4, 5 or 6 players)",
    "double-deck": "Double-deck Hearts (6, 7, 8, 9 or 10 players)",
    "cancellation": "Cancellation Hearts (5 players)",
    "chinese": "Chinese Hearts (3, 4, 5 or 6 players)",
}


def options_of_new(server: Server) -> dict[str, Any]:
    """The options of /hearts new as Discord was told them."""
    [commands] = [
        one.body for one in server.requests if one.method == "PUT" and one.path.endswith("commands")
    ]
    [hearts] = [one for one in commands if one["name"] == "hearts"]
    [new] = [one for one in hearts["options"] if one["name"] == "new"]
    return {one["name"]: one for one in new["options"]}


async def test_all_games_are_offered_by_name_with_their_seats(server: Server) -> None:
    offered = {one["value"]: one["name"] for one in options_of_new(server)["game"]["choices"]}
    assert offered == OFFERED


async def test_a_game_opens_with_the_usual_number_of_seats(server: Server, ann: Player) -> None:
    for preset, name in OFFERED.items():
        ann.at = server.add_thread(preset)
        [lobby] = (await ann.run("hearts new", game=preset)).public
        usual = 4 if 4 in PRESETS[preset].players else PRESETS[preset].players[0]
        assert lobby.says(f"Seats (1 of {usual})")
        assert lobby.says(f"♥ {name.partition(' (')[0]} ")


async def test_a_game_opens_with_the_seats_asked_for_or_a_game_for_as_many_as_play(
    server: Server, ann: Player
) -> None:
    asked = [({"game": preset, "players": players}, PRESETS[preset].title) for preset, players in EXTREMES]
    asked += [({"players": 3}, "Hearts for three to six"), ({"players": 7}, "Double-deck Hearts")]
    for number, (options, title) in enumerate(asked):
        ann.at = server.add_thread(f"{number}")
        [lobby] = (await ann.run("hearts new", **options)).public
        assert lobby.says(f"♥ {title} ")
        assert lobby.says(f"Seats (1 of {options['players']})")


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


async def test_a_refused_card_says_why(server: Server, ann: Player) -> None:
    """The button is greyed out; an old client may press it all the same."""
    await server.deal_and_pass(ann)
    hand = ann.hand
    greyed = next(label for label in hand.buttons if label not in hand.enabled and label[-2] in "♣♦♠♥")
    answer = ann.press(greyed, hand)
    await server.settle()
    assert answer.told
    assert answer.told in {
        refusal("not_your_turn"),
        refusal("hearts_unbroken"),
        refusal("safe_first_trick"),
        *(refusal("follow_suit", suit=suit) for suit in Suit),
        refusal("opening_lead", card=card("2C")),
    }
