"""How did I play?: after a deal, each player alone is told which of their choices cost most."""

from __future__ import annotations

import re
from typing import Any

import pytest
from at_once import deals_played
from estimates import advise
from people import Answer, Player, refusal
from seen import Seen
from server import Server

from engine.errors import Refusal
from engine.players.advice import MOST_REPORTED, Advice

pytestmark = pytest.mark.slow

ASK = "How did I play?"
COST = re.compile(r"was better by about ([\d.]+) points\. ")


async def a_deal(server: Server, *players: Player, **options: Any) -> Seen:
    """These play a deal to its end; returned is the post that follows."""
    await server.deal(*players, **options)
    await deals_played(players, lambda: server.shows("After deal 1"))
    return server.post("After deal 1")


def reviewed(answer: Answer) -> Seen:
    """What somebody was told about how they played, and nobody else."""
    assert not answer.public
    [told] = answer.private
    return told


async def test_a_player_alone_is_told_what_cost_most(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    """Even with closed DMs, and after they have left."""
    ann.close_dms()
    await server.deal_and_pass(ann, bo)
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))
    post, before = server.post("After deal 1"), len(server.posts())
    for player in (ann, bo):
        told = reviewed(await player.click(ASK, post))
        costs = [float(cost) for cost in COST.findall(told.text.replace("*", ""))]
        # Whoever always plays the first card that they may does not play well.
        assert told.says("How you played deal 1")
        assert 1 <= len(costs) <= MOST_REPORTED
        assert costs == sorted(costs, reverse=True)
    assert len(server.posts()) == before
    await bo.run("hearts leave")
    assert reviewed(await bo.click(ASK, post)).says("deal 1")
    assert reviewed(await cy.click(ASK, post)).text == refusal("not_your_deal")


async def content(view: Any, playouts: int, seed: int, also: Any, skills: Any) -> Advice:
    """As if nobody had ever found anything better."""
    advice = await advise(view, playouts, seed, also, skills)
    [first] = [one for one in advice.options if one is advice.about(also)]
    return Advice(advice.phase, (first, *advice.options), advice.worlds)


async def busy(*question: Any) -> Advice:
    raise Refusal("no_advice")


@pytest.mark.parametrize(
    ("advisor", "told"), [(content, "### Well played, Ann!"), (busy, refusal("no_advice"))]
)
async def test_whoever_plays_well_is_told_so_and_a_sentence_says_when_nobody_can_think(
    open_server: Any, advisor: Any, told: str
) -> None:
    server: Server = await open_server(advisor=advisor)
    post = await a_deal(server, server.people[0])
    assert reviewed(await server.people[0].click(ASK, post)).text.startswith(told)


async def test_a_deal_can_be_asked_about_long_after_it(server: Server, ann: Player, bo: Player) -> None:
    post = await a_deal(server, ann, bo, ends_at=30)
    first = reviewed(await ann.click(ASK, post)).text
    await deals_played([ann, bo], lambda: server.env.bot.tables.live == [])
    await server.restart()
    assert reviewed(await ann.click(ASK, post)).text == first
    final = server.post("Rematch") if server.shows("Rematch") else server.posts()[-1]
    assert ASK in final.enabled
    assert reviewed(await bo.click(ASK, final)).says("deal")


async def test_a_deal_that_goes_on_is_not_reviewed(server: Server, ann: Player) -> None:
    """One of a game where the highest total wins is, once it is over."""
    post = await a_deal(server, ann, game="chinese")
    assert reviewed(await ann.click(ASK, post)).says("deal 1")
    button = post.buttons[ASK]["custom_id"]
    for deal in ("2", "3", "0", "x"):
        answer = ann.forge(f"{button.rpartition(':')[0]}:{deal}", post)
        await server.settle()
        assert answer.told == refusal("stale")
