"""When the rest of a deal is decided, computers play it at once, where the table wants it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from at_once import moves_made
from games import change_rules
from people import refusal
from server import Server, stacked

from engine.cards import Suit
from engine.play import moves
from engine.play.game import Game
from engine.play.moves import Played
from engine.rules.ruleset import Ruleset

pytestmark = pytest.mark.slow

TRICKS = 13
#: Bo leads 2♣; Ann takes every trick but the last with a club. Her 2♦ beats nothing, so she hasn't the rest.
#: Two each throw a heart on all but the first.
HANDS = (
    "2D 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
    "2C 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    "2S 3S 4S 5S 6S 7S QS 2H 3H 4H 5H 6H 7H",
    "8S 9S TS JS KS AS 8H 9H TH JH QH KH AH",
)
#: So many tricks take all points: those of 13 hearts, two a trick, and of Q♠, after one without any.
SETTLED = 8
PLAYED_OUT = f"After trick {SETTLED} no points were left, so the deal finished itself."


#: After the first trick Ann has nothing but the highest clubs.
ALL_HERS = (
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
    "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    *HANDS[2:],
)
CLAIMED = "After trick 1 the rest was sure to go to Ann, so the deal finished itself."


async def in_lobby(open_server: Any, hands: tuple[str, ...] = HANDS) -> Server:
    """The four at a table in its lobby, where nobody will pass and a moon costs the others."""
    server: Server = await open_server(rng=stacked(hands))
    host = await server.seat()
    await change_rules(host, pass_cards="0", moon="others")
    return server


@pytest.fixture
async def seated(open_server: Any) -> Server:
    return await in_lobby(open_server)


def played(server: Server) -> int:
    return sum("played" in row["move"] for row in server.stored()["moves"])


async def play_tricks(server: Server, count: int) -> None:
    """Play this many tricks, with a point in each as long as there is one."""
    await moves_made(server, count * len(server.people), points_first)


def points_first(game: Game, seat: int) -> Played:
    legal = game.deals[-1].legal(seat)
    return Played(seat, next((one for one in legal if one.suit is Suit.HEARTS or one.code == "QS"), legal[0]))


async def test_the_rest_of_a_deal_without_points_is_played_at_once(seated: Server) -> None:
    """The log holds every card, each legal; after which trick it was isn't told before the deal is done."""
    await seated.people[0].click("Start")
    for _ in range(SETTLED - 1):
        await play_tricks(seated, 1)
        [table] = seated.env.bot.tables.live
        assert table.public.view.deal.settled_after is None
    assert played(seated) == 4 * (SETTLED - 1)
    await play_tricks(seated, 1)
    assert played(seated) == 4 * TRICKS
    assert seated.shows("After deal 1")
    assert seated.people[0].hand.says("Deal 2")
    assert seated.shows(PLAYED_OUT)
    [table] = seated.env.bot.tables.live
    assert table.public.view.previous.settled_after == SETTLED
    assert table.public.view.deal.settled_after is None
    stored = seated.stored()
    rules = Ruleset.from_json(stored["tables"][0]["rules"])
    game = Game(rules)
    for row in stored["moves"]:
        game = game.advance(moves.from_json(rules, json.loads(row["move"])))
    assert game.points == ((0, 26, 26, 26),)
    assert len(game.deals[0].tricks) == TRICKS
    assert all(trick.entries == () for trick in game.deals[0].tricks[SETTLED:])


@pytest.mark.parametrize(
    ("hands", "tricks", "told"),
    [(HANDS, SETTLED, PLAYED_OUT), (ALL_HERS, 1, CLAIMED)],
    ids=["points", "rest"],
)
async def test_who_shot_the_moon_chooses_after_the_rest_is_played(
    open_server: Any, hands: tuple[str, ...], tricks: int, told: str
) -> None:
    """Whether no points were left or all the rest was theirs."""
    server: Server = await open_server(rng=stacked(hands))
    host = await server.seat()
    await change_rules(host, pass_cards="0")
    await host.click("Start")
    await play_tricks(server, tricks)
    assert played(server) == 4 * TRICKS
    assert not server.shows("After deal 1")
    assert server.shows(told)
    await host.click("+26 for the others", host.hand)
    assert server.shows("After deal 1")


async def test_a_player_who_has_the_rest_need_not_play_it(open_server: Any) -> None:
    server = await in_lobby(open_server, ALL_HERS)
    await server.people[0].click("Start")
    await play_tricks(server, 1)
    assert played(server) == 4 * TRICKS
    assert server.shows("After deal 1")
    assert server.shows(CLAIMED)
    assert not server.shows("no points were left")
    [table] = server.env.bot.tables.live
    assert table.game.points == ((0, 26, 26, 26),)
    assert server.people[0].hand.says("Deal 2")


async def test_where_the_table_wants_it_who_has_the_rest_plays_it(open_server: Any) -> None:
    server = await in_lobby(open_server, ALL_HERS)
    await change_rules(server.people[0], early=False)
    await server.people[0].click("Start")
    await play_tricks(server, 2)
    assert played(server) == 8
    await play_tricks(server, TRICKS - 2)
    assert server.shows("After deal 1")
    assert not server.shows("sure to go")


async def test_where_the_table_wants_it_every_card_is_played_by_who_holds_it(seated: Server) -> None:
    host = seated.people[0]
    await change_rules(host, early=False)
    await host.click("Start")
    await seated.restart()
    await play_tricks(seated, SETTLED)
    assert played(seated) == 4 * SETTLED
    await play_tricks(seated, TRICKS - SETTLED)
    assert seated.shows("After deal 1")
    assert not seated.shows("no points were left")


async def test_the_rules_say_which_it_is(seated: Server) -> None:
    at_once = "Once all points are taken or sure to go to one player, the deal finishes itself."
    to_the_end = "Each deal is played to its last card, even when no points are left in it."
    ann, bo = seated.people[:2]
    assert (await bo.click("Rules")).private[0].says(at_once)
    await change_rules(ann, early=False)
    assert (await bo.click("Rules")).private[0].says(to_the_end)
    await change_rules(ann, early=True)
    assert (await bo.click("Rules")).private[0].says(at_once)


def finishing(server: Server) -> list[bool]:
    """Of each table, whether computers finish its deals."""
    return [row["finishes_early"] for row in server.stored()["tables"]]


async def test_it_is_decided_by_the_host_in_the_lobby(seated: Server) -> None:
    ann = seated.people[0]
    form = await ann.click("Hints and deals", (await ann.click("Options")).private[0])
    await ann.click("Start")
    assert (await ann.send(form, switches=["moons"])).told == refusal("already_started")
    assert finishing(seated) == [True]


async def test_a_rematch_keeps_it(seated: Server) -> None:
    ann = seated.people[0]
    await change_rules(ann, early=False, ends_at="1")
    await ann.click("Start")
    await play_tricks(seated, TRICKS)
    await ann.click("Rematch")
    assert finishing(seated) == [False, False]
