"""Clicks that cannot count: each gets a private sentence, and nothing changes."""

import asyncio
from typing import Any

import pytest
from at_once import cards_played, deals_played
from games import add_computers
from people import Answer, Player, refusal
from server import EVEN, PASSES, Server, stacked

from bot.answering.limits import DOUBLE_TAP
from engine.cards import card

pytestmark = pytest.mark.slow


@pytest.fixture
async def server(open_server) -> Server:
    return await open_server(stacked(EVEN))


@pytest.fixture
async def table(server: Server) -> Server:
    """Four people before the first trick, which Ann leads."""
    await server.deal(ends_at=1)
    for player, codes in zip(server.people, PASSES, strict=True):
        await player.pass_cards(codes)
    return server


class Refused:
    """`async with Refused(server):` nothing that is stored or posted may change within."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def shown(self) -> tuple[object, list[str]]:
        return self.server.stored(), [post.everything for post in self.server.posts()]

    async def __aenter__(self) -> None:
        self.before = self.shown()

    async def __aexit__(self, failed: object, *rest: object) -> None:
        await self.server.settle()
        if failed is None:
            assert self.shown() == self.before


async def sentence(server: Server, answer: Answer) -> str:
    """What somebody was told, which must be one private message."""
    await server.settle()
    assert len(answer.private) == 1
    assert not answer.public
    return answer.told


async def test_cards_that_may_not_be_passed_or_played(server: Server, ann: Player, bo: Player) -> None:
    await server.deal()
    old = await ann.pick_cards()
    async with Refused(server):
        told = refusal("not_held", card=card("AS"))
        assert await sentence(server, ann.forge("hearts:pass:1:1:2C-3C-AS", old)) == told
    for player, codes in zip(server.people, PASSES, strict=True):
        await player.pass_cards(codes)
    first = ann.hand
    assert not first.offered  # the message shows the hand as it is now
    async with Refused(server):
        for control in old.pressable:
            assert await sentence(server, ann.forge(control, old)) == refusal("not_passing")
        assert await sentence(server, bo.press("5♣︎", bo.hand)) == refusal("not_your_turn")
        answer = ann.press("3♣︎", first)
        assert await sentence(server, answer) == refusal("opening_lead", card=card("2C"))
    await cards_played(server, "2C 5C 8C JC")
    await ann.rest()
    eve = server.add("Eve")
    async with Refused(server):
        assert await sentence(server, ann.press("2♣︎", first)) == refusal("stale")
        told = "You're not in this game, and no seat is free right now."
        for answer in (await eve.click("My hand"), await eve.run("hearts hand")):
            assert await sentence(server, answer) == told


async def test_the_hand_and_the_pass_of_an_earlier_deal(server: Server, ann: Player) -> None:
    await server.deal(ann, ends_at=100)
    old = [ann.hand]
    await ann.pass_cards()
    old.append(ann.hand)
    await deals_played([ann], lambda: "Deal 2" in ann.hand.text)
    await ann.rest()
    async with Refused(server):
        for hand in old:
            for control in hand.pressable:
                assert await sentence(server, ann.forge(control, hand)) == refusal("stale")
    assert old[0].id not in [one.id for one in ann.dms()]


async def test_a_lobby_whose_game_is_on_and_a_game_that_was_stopped(server: Server, ann: Player) -> None:
    await server.seat(ann, pace="none")
    lobby, page, eve = server.post("Seats"), await add_computers(ann, "Easy"), server.add("Eve")
    await ann.click("Start")
    async with Refused(server):
        assert await sentence(server, eve.press("Join", lobby)) == refusal("in_mid_game")
        assert await sentence(server, ann.press("Leave", lobby)) == refusal("leaves_game")
        assert await sentence(server, ann.press("Start", lobby)) == refusal("already_started")
        for label in ("Hints and deals", "Strong", "Remove last"):
            assert await sentence(server, ann.press(label, page)) == refusal("already_started")
    assert server.post("Seats").says("The game is on.")
    await ann.pass_cards()
    in_dm, trick, warden = ann.hand, server.post("Trick 1"), server.add_warden()
    [question] = (await warden.run("hearts end")).private
    stop = warden.press("Stop without a result", question)
    play = ann.press(in_dm.playable[0], in_dm)  # at the same moment
    await server.settle()
    assert stop.told == ""
    assert await sentence(server, play) == refusal("table_gone")
    assert server.shows("The game was stopped")
    async with Refused(server):
        for label in ("Join", "Leave", "Options", "Start"):
            assert await sentence(server, ann.press(label, lobby)) == refusal("table_gone")
        assert await sentence(server, ann.press("My hand", trick)) == refusal("no_table")
        answer = warden.press("Stop without a result", question)
        assert await sentence(server, answer) == refusal("table_gone")


async def test_an_ended_game_and_its_rematch(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    """Nor has an old game one while a later one's is open: its own rematch is over by then."""
    await server.deal_and_pass(ann, bo, ends_at=1)
    in_dm, trick = ann.hand, server.post("Trick 1")
    await deals_played([ann, bo], lambda: server.shows("🏆"))
    first = server.post("🏆")
    async with Refused(server):
        assert await sentence(server, ann.press(next(iter(in_dm.buttons)), in_dm)) == refusal("table_gone")
        assert await sentence(server, ann.press("My hand", trick)) == refusal("no_table")
        assert await sentence(server, cy.press("Rematch", first)) == refusal("no_rematch")
    opens, comes_late = ann.press("Rematch", first), bo.press("Rematch", first)  # at once
    await server.settle()
    assert opens.public[0].says("1. Ann · host 2. Bo")
    assert opens.public[0].says("over when a total reaches 1.")  # as before
    assert await sentence(server, comes_late) == refusal("rematch_open")
    assert len(server.stored()["tables"]) == 2
    await ann.click("Start")
    await deals_played([ann, bo], lambda: server.post("🏆").id != first.id)
    second = server.post("🏆")
    await ann.click("Rematch", second)
    async with Refused(server):
        assert await sentence(server, bo.press("Rematch", second)) == refusal("rematch_open")
        assert await sentence(server, ann.press("Rematch", first)) == refusal("table_in_channel")


async def test_of_cards_pressed_at_once_the_first_is_played(table: Server, ann: Player, bo: Player) -> None:
    await ann.open_hand()
    presses = [ann.press("2♣︎", hand) for hand in (ann.hand, ann.hand, ann.my_hand)]
    await table.settle()
    assert table.post("Trick 1").says("2♣ Ann · led, highest Waiting for Bo")
    assert ann.my_hand.text == ann.hand.text
    assert len(ann.my_hand.buttons) == len(ann.hand.buttons) == 12
    presses += [bo.press(label, bo.hand) for label in ("5♣︎", "6♣︎")]
    await table.settle()
    assert [answer.told for answer in presses] == [""] * 5
    assert "5♣︎" not in bo.hand.buttons
    assert "6♣︎" in bo.hand.buttons


@pytest.mark.parametrize("after", [0.0, 0.6])
async def test_a_second_tap_plays_nothing_for_a_moment(server: Server, ann: Player, after: float) -> None:
    """Nobody plays two tricks on purpose that fast."""

    async def tap() -> str:
        return await ann.try_press(ann.playable[0], ann.hand)

    await server.deal_and_pass(ann, ends_at=1000)  # alone with computers
    while len(ann.playable) < 2:
        await ann.play()
    await ann.rest()
    greyed = next(label for label in ann.hand.buttons if label not in ann.hand.enabled)
    await ann.try_press(greyed, ann.hand)  # which plays nothing, and keeps no card waiting
    assert await tap() == ""
    cards, hand = server.plays, ann.hand
    assert hand.playable, "the computers have played, and the next trick is open"
    await server.env.advance_time(after)
    assert await tap() == ""
    assert server.plays == cards
    assert ann.hand.components == hand.components
    await server.env.advance_time(DOUBLE_TAP - after)
    await tap()
    assert server.plays > cards


async def test_all_pass_and_all_play_at_the_same_moment(server: Server, ann: Player, bo: Player) -> None:
    await server.deal()
    answers = [await player.press_pass(codes) for player, codes in zip(server.people, PASSES, strict=True)]
    await server.settle()
    assert bo.hand.says("You passed 7♥ 8♥ 9♥ and received 3♥ 4♥ 5♥ from Ann.")
    assert ann.playable == ["2♣︎"]
    answers += [
        player.press(label, player.hand)
        for player, label in zip(server.people, ("2♣︎", "5♣︎", "8♣︎", "J♣︎"), strict=True)
    ]
    await server.settle()
    assert not any(answer.told for answer in answers)
    trick = server.post("Trick 1")
    assert trick.says("2♣ Ann · led 5♣ Bo 8♣ Cy J♣ Di · wins Di takes it: no points.")
    # The winner's line alone stands out.
    assert ["**" in line for line in trick.text.split("\n")[1:5]] == [False, False, False, True]


async def test_nothing_is_kept_of_a_private_answer(server: Server, ann: Player) -> None:
    await server.deal(ann, pace="none")
    await ann.run("hearts scores")
    before = len(asyncio.all_tasks())
    for _ in range(10):
        await ann.run("hearts scores")
        await ann.run("hearts hand")
    assert len(asyncio.all_tasks()) == before


async def test_what_the_gateway_delivers_twice_counts_once(
    server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it may after a reconnect."""
    emit = server.env.backend.emit

    def emit_twice(event: str, payload: Any) -> None:
        for _ in range(2):
            emit(event, payload)

    monkeypatch.setattr(server.env.backend, "emit", emit_twice)
    await ann.run("hearts new")
    assert sum(one.path.endswith("/callback") for one in server.requests) == 1
    assert len(server.stored()["tables"]) == 1
    [page] = (await ann.click("Options")).private
    for seats in (2, 3):
        await ann.click("Medium", page)
        [table] = server.env.bot.tables.live
        assert len(table.seats) == seats
