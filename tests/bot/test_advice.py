"""The strong player's advice: hints during a deal, and reviews (How did I play?) after it."""

import asyncio
import re
from typing import Any

import pytest
from at_once import deals_played
from games import change_rules
from moments import tables
from people import Answer, Player, card_of, label_of, refusal
from seen import Seen
from server import EVEN, Server, stacked
from weather import Weather

from bot.table.hints import review
from engine.errors import Refusal
from engine.players.advice import MOST_REPORTED, Advice
from engine.rules.ruleset import Ruleset
from engine.tables.teaching import Review

#: Seconds: a process may have to compile first, on a machine that is busy.
LONG = 900.0
#: How a button looks that stands out.
MAIN = 1
ASK = "How did I play?"
COST = re.compile(r"was better by about ([\d.]+) points\. ")


def named(hand: Seen) -> list[str]:
    """The cards that the hint in this hand names to play or pass."""
    [cards] = re.findall(
        r"^💡 \*\*(?:Pass|Play|Expose)\*\* (.+?)(?:,.+)?(?: or .+?)?: ", hand.text, re.MULTILINE
    )
    return [label.strip("`").replace("\ufe0e", "") for label in cards.split()]


def standing_out(hand: Seen) -> list[str]:
    """The cards whose buttons stand out."""
    verbs = (":pick:", ":play:")
    return [
        label.replace("\ufe0e", "")
        for label, one in hand.buttons.items()
        if one["style"] == MAIN and any(verb in one["custom_id"] for verb in verbs)
    ]


def as_hinted(hand: Seen) -> str | None:
    """The button that passes what the hint names."""
    return next((label for label in hand.enabled if label.endswith("as suggested")), None)


def reviewed(answer: Answer) -> Seen:
    """The review in this answer, which only the person who asked for it sees."""
    assert not answer.public
    [told] = answer.private
    return told


async def test_a_hint_names_what_to_pass_which_is_one_press_away(server: Server, ann: Player) -> None:
    await server.deal(ann)
    before = list(ann.hand.buttons)
    hint = ann.hand.buttons["Hint"]["custom_id"]
    assert await ann.try_control(hint, server.opening(1)) == refusal("stale")  # which is no hand
    assert "💡" not in ann.hand.text
    assert as_hinted(ann.hand) is None
    mine = await ann.open_hand()
    assert (await ann.click("Hint", mine)).told == ""
    cards, hand, button = named(ann.hand), ann.hand, as_hinted(ann.hand)
    assert named(ann.my_hand) == cards
    assert ann.my_hand.id == mine.id
    assert len(cards) == 3
    assert standing_out(hand) == cards
    assert "Hint" not in hand.enabled
    assert list(hand.buttons) == [*before, button]  # so none has moved
    await server.restart()
    assert "💡" not in ann.hand.text
    await ann.click("Hint", ann.hand)
    assert named(ann.hand) == cards
    picked = await ann.pick_cards(card_of(cards[0]).code)
    assert named(picked) == cards
    assert as_hinted(picked) is None
    await ann.click(label_of(card_of(cards[0]).code), picked)
    assert (await ann.click(button, ann.hand)).told == ""
    assert ann.hand.says(f"You passed {' '.join(cards)} and received")
    assert "💡" not in ann.hand.text
    await ann.try_press(button, hand)
    assert ann.dm.text == refusal("not_passing")


async def test_a_hint_to_play_names_a_card_that_may_be_played(server: Server, ann: Player) -> None:
    await server.deal(ann)
    await ann.pass_cards()
    while "Hint" not in ann.hand.enabled:
        assert await ann.act()
    hand, calls = ann.hand, Weather(server).calls
    await ann.click("Hint", hand)
    assert (ann.hand.id, calls) == (hand.id, [])
    [label] = named(ann.hand)
    assert standing_out(ann.hand) == [label]
    assert label_of(card_of(label).code) in ann.playable
    assert re.search(r"^-# Your points in this deal, on average: ", ann.hand.text, re.MULTILINE)
    await ann.play(card_of(label).code)
    assert "💡" not in ann.hand.text
    while len(ann.playable) != 1:
        assert await ann.act()
    assert "Hint" not in ann.hand.enabled  # a forced card needs none
    assert not server.shows("asked for")


async def test_if_everyone_may_ask_the_table_is_told_with_the_next_card(open_server: Any) -> None:
    server: Server = await open_server(rng=stacked(EVEN))
    ann, bo, *_ = server.people
    await server.seat()
    [page] = (await ann.click("Rules")).private
    assert page.says("Anyone playing alone with computers may ask for hints.")
    await change_rules(ann, pass_cards="0", hints="everybody")
    [page] = (await ann.click("Rules")).private
    assert page.says("Everyone may ask for hints, and the table is told.")
    await ann.click("Start")
    await ann.play("2C")
    await server.restart()
    calls = Weather(server).calls
    await bo.click("Hint", bo.hand)
    assert calls == []
    assert not server.shows("asked for")
    await bo.play("5C")
    assert server.shows("💡 Bo asked for a hint.")
    for _ in range(2):
        player = server.to_play
        await player.click("Hint", player.hand)
        await player.play()
    assert server.shows("💡 Bo, Cy and Di asked for hints.")
    await server.restart()
    assert server.shows("Bo, Cy and Di asked for hints")


async def test_where_nobody_can_think_a_sentence_says_so(open_server: Any) -> None:
    async def busy(*question: Any) -> Advice:
        raise Refusal("no_advice")

    server: Server = await open_server(advisor=busy)
    ann = server.people[0]
    await server.deal(ann)
    await ann.click("Hint", ann.hand)
    assert ann.dm.text == refusal("no_advice")
    assert "Hint" in ann.hand.enabled
    await deals_played([ann], lambda: server.shows("After deal 1"))
    assert reviewed(await ann.click(ASK, server.post("After deal 1"))).text == refusal("no_advice")


@pytest.mark.slow
async def test_the_strong_player_has_its_process(open_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.thinking.SEARCHES", 1)  # for the par of the deal, which takes longest
    monkeypatch.setattr("engine.thinking.REPLAYS", 2)
    server: Server = await open_server(thinkers=1, advisor=None)
    server.env.settle_timeout = LONG
    ann = server.people[0]
    await server.deal(ann, pace="none")  # the simulation waits for all that comes before its own time is up
    thinking = server.env.bot.thinking
    thinking.prepare()
    while not thinking.pool.is_ready:  # noqa: ASYNC110 - the simulation, where a click waits, looks all the time
        await asyncio.sleep(0.05)
    await ann.click("Hint", ann.hand)
    assert len(named(ann.hand)) == 3
    assert server.env.bot.thinking.pool.pids
    await deals_played([ann], lambda: server.shows("After deal 1"))
    assert reviewed(await ann.click(ASK, server.post("After deal 1"))).says("deal 1")


# How did I play?


@pytest.mark.slow
async def test_ones_own_costliest_moves_are_told(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    """Even with closed DMs, after they have left, and long after the deal."""
    ann.close_dms()
    await server.deal_and_pass(ann, bo, ends_at=30)
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
    assert reviewed(await bo.click(ASK, post)).text == told.text
    assert reviewed(await cy.click(ASK, post)).text == refusal("not_your_deal")
    await deals_played([ann], lambda: server.env.bot.tables.live == [])
    await server.restart()
    assert reviewed(await bo.click(ASK, post)).text == told.text
    final = server.post("Rematch") if server.shows("Rematch") else server.posts()[-1]
    assert ASK in final.enabled
    assert reviewed(await ann.click(ASK, final)).says("deal")


def test_whoever_plays_well_is_told_so() -> None:
    table = next(tables(Ruleset.of("classic", 4), seed=1))
    [told] = review(Review(table, seat=0, deal=1, costly=(), choices=12)).parts
    assert told.startswith("### Well played, Player 0!\nYou made 12 decisions in deal 1, and")
