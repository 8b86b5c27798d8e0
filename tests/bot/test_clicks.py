"""Clicks that cannot count: each gets a private sentence, and nothing changes."""

import asyncio
from typing import Any

import pytest
from at_once import cards_played, deals_played
from games import add_computers, deal_in_full
from people import Answer, Player, refusal
from server import EVEN, PASSES, Server, stacked

from engine.cards import Suit, card

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


async def test_a_card_that_may_not_be_played(table: Server, ann: Player, bo: Player) -> None:
    first = ann.hand
    async with Refused(table):
        assert await sentence(table, bo.press("5♣︎", bo.hand)) == refusal("not_your_turn")
        answer = ann.press("3♣︎", first)
        assert await sentence(table, answer) == refusal("opening_lead", card=card("2C"))
    await ann.play("2C")
    async with Refused(table):
        answer = bo.press("8♦︎", bo.hand)
        assert await sentence(table, answer) == refusal("follow_suit", suit=Suit.CLUBS)
    await cards_played(table, "5C 8C JC")
    await ann.rest()
    async with Refused(table):
        assert await sentence(table, ann.press("2♣︎", first)) == refusal("stale")


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


async def test_cards_that_may_not_be_passed_and_a_pass_when_all_have_passed(
    server: Server, ann: Player
) -> None:
    await server.deal()
    old = await ann.pick_cards()
    async with Refused(server):
        for cards, told in (
            ("2C-3C", refusal("pass_count", count=3)),
            ("2C-3C-AS", refusal("not_held", card=card("AS"))),
        ):
            assert await sentence(server, ann.forge(f"hearts:pass:1:1:{cards}", old)) == told
    for player in server.people:
        await player.pass_cards()
    async with Refused(server):
        for control in old.pressable:
            assert await sentence(server, ann.forge(control, old)) == refusal("not_passing")
    assert not ann.hand.offered  # the message shows the hand as it is now


async def test_a_stranger_asks_for_a_hand_and_uses_a_players_buttons(table: Server, ann: Player) -> None:
    eve = table.add("Eve")
    await ann.open_hand()
    async with Refused(table):
        told = "You're not in this game, and no seat is free right now."
        assert await sentence(table, await eve.click("My hand")) == told
        assert await sentence(table, await eve.run("hearts hand")) == told
        assert await sentence(table, await eve.run("hearts leave")) == refusal("not_seated")
        assert await sentence(table, eve.press("2♣︎", ann.my_hand)) == refusal("not_seated")
    assert ann.my_hand.id not in [one.id for one in eve.sees()]


async def test_the_lobby_and_its_options_once_the_game_has_started(server: Server, ann: Player) -> None:
    await server.seat(ann)
    lobby, page, eve = server.post("Seats"), await add_computers(ann, "Easy"), server.add("Eve")
    await ann.click("Start")
    async with Refused(server):
        assert await sentence(server, eve.press("Join", lobby)) == refusal("in_mid_game")
        assert await sentence(server, ann.press("Leave", lobby)) == refusal("leaves_game")
        assert await sentence(server, ann.press("Start", lobby)) == refusal("already_started")
        for label in ("Hints and deals", "Strong", "Remove last"):
            assert await sentence(server, ann.press(label, page)) == refusal("already_started")
    assert server.post("Seats").says("The game is on.")


async def test_a_table_that_was_closed_and_a_game_that_was_stopped(server: Server, ann: Player) -> None:
    await server.seat(ann)
    lobby = server.post("Seats")
    await ann.run("hearts end")
    await ann.click("Close")
    await server.deal_and_pass(ann, pace="none")
    in_dm, trick, warden = ann.hand, server.post("Trick 1"), server.add_warden()
    [question] = (await warden.run("hearts end")).private
    await warden.click("Stop without a result", question)
    async with Refused(server):
        for label in ("Join", "Leave", "Options", "Start"):
            assert await sentence(server, ann.press(label, lobby)) == refusal("table_gone")
        assert await sentence(server, ann.press(next(iter(in_dm.buttons)), in_dm)) == refusal("table_gone")
        assert await sentence(server, ann.press("My hand", trick)) == refusal("no_table")
        assert await sentence(server, warden.press("Stop without a result", question)) == refusal(
            "table_gone"
        )


async def test_a_game_that_is_over_and_a_rematch_that_is_open_already(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
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
    assert await sentence(server, comes_late) == refusal("rematch_open")
    assert len(server.stored()["tables"]) == 2
    await ann.click("Start")
    await deals_played([ann, bo], lambda: server.post("🏆").id != first.id)
    second = server.post("🏆")
    await ann.click("Rematch", second)
    async with Refused(server):
        assert await sentence(server, bo.press("Rematch", second)) == refusal("rematch_open")
        assert await sentence(server, ann.press("Rematch", first)) == refusal("table_in_channel")


async def test_of_cards_pressed_at_once_the_first_counts_and_is_played_once(
    table: Server, ann: Player, bo: Player
) -> None:
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


async def test_a_double_click_against_computers_does_not_play_into_the_next_trick(
    server: Server, ann: Player
) -> None:
    await deal_in_full(server, ann, ends_at=1)
    while not server.shows("Trick 4"):
        await ann.rest()
        hand, before = ann.hand, len(server.stored()["moves"])
        presses = [ann.press(label, hand) for label in ann.playable[:2] * 2]
        await server.settle()
        assert [answer.told for answer in presses] == [""] * len(presses)
        mine = [move for move in server.stored()["moves"][before:] if '"seat": 0' in move["move"]]
        assert len(mine) == 1


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


async def test_a_moderator_stops_while_somebody_plays(table: Server, ann: Player) -> None:
    warden = table.add_warden()
    [question] = (await warden.run("hearts end")).private
    stop, play = warden.press("Stop without a result", question), ann.press("2♣︎", ann.hand)
    await table.settle()
    assert stop.told == ""
    assert await sentence(table, play) == refusal("table_gone")
    assert table.shows("The game was stopped")


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
