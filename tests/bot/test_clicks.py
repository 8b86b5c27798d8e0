"""Clicks that can't count, or count once, and controls that only a client of one's own making can send."""

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import discord
import pytest
from at_once import all_pass, cards_played, deals_played
from games import add_computers
from people import Answer, Player, computer, refusal
from server import EVEN, PASSES, Server, stacked

from bot.answering.answering import HANDLERS
from bot.answering.limits import DOUBLE_TAP
from bot.vocabulary.controls import VERBS, Where
from engine.cards import card

pytestmark = pytest.mark.slow


@pytest.fixture
async def server(open_server) -> Server:
    return await open_server(stacked(EVEN))


@asynccontextmanager
async def unchanged(server: Server) -> AsyncIterator[Callable[..., Awaitable[None]]]:
    """Nothing that is stored or posted changes within.

    `await refuses(answer, "stale")`: whoever clicked is told this in one private message.
    """

    def everything() -> tuple[object, list[str]]:
        return server.stored(), [post.everything for post in server.posts()]

    async def refuses(answer: Answer, id: str, **values: object) -> None:
        await server.settle()
        assert (answer.told, len(answer.private), answer.public) == (refusal(id, **values), 1, [])

    before = everything()
    yield refuses
    await server.settle()
    assert everything() == before


async def test_cards_that_may_not_be_passed_or_played(server: Server, ann: Player, bo: Player) -> None:
    await server.deal()
    old = await ann.pick_cards()
    async with unchanged(server) as refuses:
        await refuses(ann.forge("hearts:pass:1:1:2C-3C-AS", old), "not_held", card=card("AS"))
    for player, codes in zip(server.people, PASSES, strict=True):
        await player.pass_cards(codes)
    first = ann.hand
    assert not first.offered  # the message shows the hand as it is now
    async with unchanged(server) as refuses:
        for control in old.pressable:
            await refuses(ann.forge(control, old), "not_passing")
        await refuses(bo.press("5♣︎", bo.hand), "not_your_turn")
        await refuses(ann.press("3♣︎", first), "opening_lead", card=card("2C"))
    await cards_played(server, "2C 5C 8C JC")
    await ann.rest()
    eve = server.add("Eve")
    async with unchanged(server) as refuses:
        await refuses(ann.press("2♣︎", first), "stale")
        told = "You're not in this game, and no seat is free right now."
        for answer in (await eve.click("My hand"), await eve.run("hearts hand")):
            assert answer.told == told


async def test_the_hand_and_the_pass_of_an_earlier_deal(server: Server, ann: Player) -> None:
    await server.deal(ann, ends_at=100)
    old = [ann.hand]
    await ann.pass_cards()
    old.append(ann.hand)
    await deals_played([ann], lambda: "Deal 2" in ann.hand.text)
    await ann.rest()
    async with unchanged(server) as refuses:
        for hand in old:
            for control in hand.pressable:
                await refuses(ann.forge(control, hand), "stale")
    assert old[0].id not in [one.id for one in ann.dms()]


async def test_a_lobby_whose_game_is_on_and_a_game_that_was_stopped(server: Server, ann: Player) -> None:
    await server.seat(ann, pace="none")
    lobby, page, eve = server.post("Seats"), await add_computers(ann, "Easy"), server.add("Eve")
    await ann.click("Start")
    async with unchanged(server) as refuses:
        await refuses(eve.press("Join", lobby), "in_mid_game")
        await refuses(ann.press("Leave", lobby), "leaves_game")
        await refuses(ann.press("Start", lobby), "already_started")
        for label in ("Hints and deals", "Strong", "Remove last"):
            await refuses(ann.press(label, page), "already_started")
    assert server.post("Seats").says("The game is on.")
    await ann.pass_cards()
    in_dm, trick, warden = ann.hand, server.post("Trick 1"), server.add_warden()
    [question] = (await warden.run("hearts end")).private
    stop = warden.press("Stop without a result", question)
    play = ann.press(in_dm.playable[0], in_dm)  # at the same moment
    await server.settle()
    assert stop.told == ""
    assert play.told == refusal("table_gone")
    assert server.shows("The game was stopped")
    async with unchanged(server) as refuses:
        for label in ("Join", "Leave", "Options", "Start"):
            await refuses(ann.press(label, lobby), "table_gone")
        await refuses(ann.press("My hand", trick), "no_table")
        await refuses(warden.press("Stop without a result", question), "table_gone")


async def test_an_ended_game_and_its_rematch(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    """It seats the same people and computers; no old game has one while a later one's is open."""
    await server.seat(ann, ends_at=1, jack_of_diamonds=True)
    await add_computers(ann, "Easy")
    await bo.click("Join")
    await ann.click("Start")
    lola, hugo = computer("Lola", "easy"), computer("Hugo", "easy")
    assert server.post("Seats").says(f"1. Ann · host 2. {lola} 3. Bo 4. {hugo}")
    await all_pass(server)
    in_dm, trick = ann.hand, server.post("Trick 1")
    await deals_played([ann, bo], lambda: server.shows("🏆"))
    first = server.post("🏆")
    async with unchanged(server) as refuses:
        await refuses(ann.press(next(iter(in_dm.buttons)), in_dm), "table_gone")
        await refuses(ann.press("My hand", trick), "no_table")
        await refuses(cy.press("Rematch", first), "no_rematch")
    opens, comes_late = bo.press("Rematch", first), ann.press("Rematch", first)  # at once
    await server.settle()
    [lobby] = opens.public
    assert lobby.says(f"Seats (4 of 4) 1. Ann 2. {lola} 3. Bo · host 4. {hugo}")
    assert lobby.says("J♦ −10")
    assert lobby.says("over when a total reaches 1.")
    assert comes_late.told == refusal("rematch_open")
    assert len(server.stored()["tables"]) == 2
    await bo.click("Start")
    await deals_played([ann, bo], lambda: server.post("🏆").id != first.id)
    second = server.post("🏆")
    await ann.click("Rematch", second)
    async with unchanged(server) as refuses:
        await refuses(bo.press("Rematch", second), "rematch_open")
        await refuses(ann.press("Rematch", first), "table_in_channel")


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


async def test_all_pass_and_play_at_the_same_moment_and_each_card_counts_once(
    server: Server, ann: Player, bo: Player, cy: Player, di: Player
) -> None:
    await server.deal()
    answers = [await player.press_pass(codes) for player, codes in zip(server.people, PASSES, strict=True)]
    await server.settle()
    assert bo.hand.says("You passed 7♥ 8♥ 9♥ and received 3♥ 4♥ 5♥ from Ann.")
    assert ann.playable == ["2♣︎"]
    await ann.open_hand()
    answers += [ann.press("2♣︎", hand) for hand in (ann.hand, ann.hand, ann.my_hand)]
    answers += [bo.press(label, bo.hand) for label in ("5♣︎", "6♣︎")]
    answers += [cy.press("8♣︎", cy.hand), di.press("J♣︎", di.hand)]
    await server.settle()
    assert [answer.told for answer in answers] == [""] * 11
    trick = server.post("Trick 1")
    assert trick.says("2♣ Ann · led 5♣ Bo 8♣ Cy J♣ Di · wins Di takes it: no points.")
    # The winner's line alone stands out.
    assert ["**" in line for line in trick.text.split("\n")[1:5]] == [False, False, False, True]
    assert ann.my_hand.text == ann.hand.text
    assert [len(hand.buttons) for hand in (ann.my_hand, ann.hand, bo.hand)] == [12, 12, 12]


async def test_nothing_is_kept_of_a_private_answer(server: Server, ann: Player) -> None:
    await server.deal(ann, pace="none")
    await ann.run("hearts scores")
    before = len(asyncio.all_tasks())
    for _ in range(10):
        await ann.run("hearts scores")
        await ann.run("hearts hand")
    assert len(asyncio.all_tasks()) == before


async def test_clicks_and_commands_leave_nothing_to_be_searched_for(
    server: Server, ann: Player, bo: Player
) -> None:
    """Python's search for garbage comes seldom (`freeze_heap_after`); until then all of it would add up."""
    await server.deal_and_pass(ann, bo)
    gc.collect()
    gc.disable()
    try:
        for _ in range(5):
            await server.to_play.play()
        await ann.open_hand()
        await bo.run("hearts scores")
        gc.set_debug(gc.DEBUG_SAVEALL)  # what became garbage and refers to itself
        gc.collect()
        assert [one for one in gc.garbage if isinstance(one, (discord.Interaction, discord.Message))] == []
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


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


# Controls that no message of ours has there

#: What is read as a control but has fields that no message of ours gives it; test_controls.py has more.
MALFORMED = (
    *("play:1:1:0:", f"play:{'9' * 18}:1:0:2C.0", "pass:1:1:", "pass:1:1:2C-", "pick:1:1:13"),
    *("ask:1:nonsense", "set:1:nonsense", "set:1:table", "set:1:deals", "nonsense:1", ""),
)


async def test_a_malformed_control_is_out_of_date(server: Server, ann: Player) -> None:
    """Below a post, and below a hand, where more is read of it."""
    await server.deal(ann, pace="none")
    before = server.stored()
    for custom_id in (*(f"hearts:{one}" for one in MALFORMED), "", "somebody else's"):
        for message in (server.post("Seats"), ann.hand):
            told = await ann.try_control(custom_id, message)
            assert told in {refusal(id) for id in ("stale", "table_gone", "already_started")}, custom_id
            assert server.stored() == before, custom_id


#: Where no table is concerned.
NO_TABLE = Where.SERVER | Where.ANYWHERE | Where.TOURNAMENT
#: What can follow a verb: too little, or of another kind than its control has.
ANYTHING = (
    *("", ":x", ":0", ":1:99", ":1:0:QS.0", ":2026-11-22:9", f":{'9' * 19}:{'9' * 19}:{'9' * 19}"),
    ":nonsense:nonsense:nonsense:nonsense:nonsense",
)


async def test_whatever_follows_a_verb_is_no_fault_of_ours(server: Server, ann: Player, bo: Player) -> None:
    """Each verb meets a game that goes on: a new one where those before have changed something.

    Only where its handler is reached: test_access_table.py tries it everywhere else.
    """
    dealt = None
    for verb in sorted(HANDLERS):
        if server.stored() != dealt:
            ann.at = bo.at = server.add_channel(f"before-{verb}")
            await server.deal(ann, bo, pace="none")
            dealt, table = server.stored(), server.stored()["tables"][-1]["id"]
            lobby, hand = server.post("Seats", ann.at), ann.hand
        access = VERBS[verb].access
        tables = [0] * bool(access.where & NO_TABLE) + [table] * bool(access.where & ~NO_TABLE)
        forged = [f"hearts:{verb}:{one}{details}" for one in tables for details in ANYTHING]
        for message in (hand,) if access.private else (lobby, hand):
            answers = [ann.forge(custom_id, message) for custom_id in forged]
            await server.settle()
            assert all(answer.result.acknowledged for answer in answers), verb


#: What Options would send, were nothing forged.
USUAL = {"game": "classic.4", "length": "50", "pace": "live", "computers": "easy"}
LENGTHS = ("deals.101", "0", "100001", "soon", "-5", "9" * 30)
FORGED_FORMS: tuple[tuple[str, dict[str, str]], ...] = (
    *(("table", USUAL | {"length": length}) for length in LENGTHS),
    ("table", USUAL | {"pace": "at once"}),
    ("table", USUAL | {"computers": "clever"}),
    ("table", {"pace": "live", "hints": "nobody"}),  # as an earlier version asked
    ("deals", {"hints": "friends"}),
    ("deals", {"hints": "nobody", "first": "Ann"}),
    ("deals", {"hints": "nobody", "first": "9" * 19}),
    ("points", {"moon": "nonsense"}),
    ("points", {"ends_at": "9" * 7}),
    ("cards", {"pass_cards": "6"}),
)


async def test_an_answer_that_a_form_did_not_offer_changes_nothing(server: Server, ann: Player) -> None:
    await server.seat(ann)
    [page] = (await ann.click("Options")).private
    before = server.stored()
    for form, answers in FORGED_FORMS:
        for message in (page, server.post("Seats")):
            answer = ann.forge_form(f"hearts:set:1:{form}", message, **answers)
            await server.settle()
            assert answer.result.acknowledged, answers
            assert server.stored() == before, answers
    for verb, value in (("game", "chess"), ("game", ""), ("size", "5"), ("size", "9" * 90), ("size", "two")):
        await ann.try_control(f"hearts:{verb}:1", page, value)
        assert server.stored() == before, value


async def test_a_leaderboard_is_turned_where_one_stands_and_nowhere_else(server: Server, ann: Player) -> None:
    """Everybody would see it in the place of what they play by."""
    await server.deal_and_pass(ann, pace="none")
    async with unchanged(server) as refuses:
        for post in server.posts():
            board = "hearts:board:0:classic.lowest:people:wins:ever:0"
            await refuses(ann.forge(board, post), "stale")
