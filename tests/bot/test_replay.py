"""/hearts replay and the Replay button: a game looked at again, step by step, with all hands open."""

from __future__ import annotations

import asyncio
import json
import re
from itertools import pairwise
from typing import Any

import discord
import pytest
from at_once import deals_played
from estimates import advise
from games import change_rules
from people import Answer, Player, play_on, refusal
from seen import Seen
from server import Server, Sketches
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.vocabulary.scenes import HandsScene
from engine.play import steps
from engine.play.game import Game
from engine.play.record import read_record
from engine.players.advice import Advice

pytestmark = pytest.mark.slow

#: The first game has several deals.
GAMES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "classic": ({"game": "classic", "ends_at": 25}, {}),
    "wikibooks with a kitty": ({"game": "wikibooks", "players": 5, "ends_at": 1}, {"remainder": "kitty"}),
    "chinese": ({"game": "chinese", "ends_at": 1}, {}),
}


async def a_game(
    server: Server, *players: Player, rules: dict[str, Any] | None = None, **options: Any
) -> Seen:
    """These play a game to its end; returned is its final post."""
    host = await server.seat(*players, **options)
    if rules:
        await change_rules(host, **rules)
    await host.click("Start")
    await deals_played(players, lambda: server.shows("🏆"))
    return server.post("🏆")


def opened(answer: Answer) -> Seen:
    """The replay that somebody alone was shown."""
    assert not answer.public
    [shown] = answer.private
    return shown


async def press(player: Player, label: str, on: Seen) -> Seen:
    """The replay after this button, which changes the same message."""
    answer = await player.click(label, on)
    assert answer.told == ""
    return now(on)


def now(seen: Seen) -> Seen:
    """The same message as it looks now."""
    return Seen.now(seen.env, seen.message)


async def record(player: Player) -> Game:
    """The game that /hearts record gives."""
    return read_record(json.loads((await player.run("hearts record")).file))


@pytest.mark.parametrize(("options", "rules"), GAMES.values(), ids=GAMES.keys())
async def test_a_whole_game_by_card_and_by_trick(
    server: Server, ann: Player, options: dict[str, Any], rules: dict[str, Any]
) -> None:
    post = await a_game(server, ann, rules=rules, **options)
    game = await record(ann)
    assert len(game.deals) > 1 or game.rules.preset.name != "classic"
    shown = opened(await ann.click("Replay", post))
    for deal in game.deals:
        every = [steps.at(deal, number) for number in range(steps.count(deal))]
        if deal is not game.deals[-1]:  # by card through the last one
            shown = await press(ann, "End »", shown)
            every = every[-1:]
        for number, step in enumerate(every):
            for hand in step.deal.hands if step.stage is not steps.Stage.COUNTED else ():
                for card in hand:
                    assert card.symbol in shown.text
            if number < len(every) - 1:
                shown = await press(ann, "Card ›", shown)
        assert shown.says(f"After deal {deal.number}")
        assert "Card ›" not in shown.enabled
        if deal is not game.deals[-1]:
            shown = await press(ann, f"Deal {deal.number + 1} ›", shown)
    assert "Trick ›" not in shown.enabled
    assert shown.says("win")
    stops = sum(len(steps.stops(deal)) for deal in game.deals)
    seen = [shown.text]
    while back := next((one for one in shown.enabled if one.startswith("‹ ") and one != "‹ Card"), None):
        shown = await press(ann, back, shown)
        seen.append(shown.text)
    assert len(seen) == stops
    assert all(one != other for one, other in pairwise(seen))
    assert "« Start" not in shown.enabled
    assert shown.says("Deal 1 · As dealt")


async def test_the_picture_shows_the_table_and_all_hands(open_server: Any) -> None:
    server: Server = await open_server(sketches=Sketches())
    ann = server.people[0]
    post = await a_game(server, ann, ends_at=1)
    [deal] = (await record(ann)).deals
    shown = opened(await ann.click("Replay", post))
    for number in range(steps.count(deal)):
        step = steps.at(deal, number)
        [scene] = server.scenes(shown)
        assert isinstance(scene, HandsScene)
        assert scene.table is not None
        if step.stage is steps.Stage.PLAYED:
            laid = {place.laid.card for place in scene.table.places if place.laid}
            last = step.deal.trick.cards or step.deal.tricks[-1].trick.cards
            assert laid == set(last)
        if step.stage is not steps.Stage.COUNTED:
            for seat, hand in enumerate(scene.hands):
                left = [card for index, card in enumerate(hand.cards) if index not in hand.gone]
                assert sorted(map(str, left)) == sorted(map(str, step.deal.hands[seat]))
            symbols = {card.symbol for hand in step.deal.hands for card in hand}
            assert all(symbol in shown.pictures[0]["description"] for symbol in symbols)
        if number < steps.count(deal) - 1:
            shown = await press(ann, "Card ›", shown)
    assert shown.says("After deal 1")


async def test_a_restart_between_two_clicks(server: Server, ann: Player, bo: Player) -> None:
    post = await a_game(server, ann, bo, ends_at=1)
    shown = opened(await ann.click("Replay", post))
    shown = await press(ann, "Trick ›", shown)
    before = shown.text
    await server.restart()
    shown = await press(ann, "Trick ›", shown)
    assert shown.says("Deal 1 · Trick 1")
    shown = await press(ann, "‹ Trick", shown)
    assert shown.text == before
    assert opened(await bo.run("hearts replay")).says("Deal 1 · As dealt")


async def test_any_deal_is_chosen_from_a_list(server: Server, ann: Player) -> None:
    post = await a_game(server, ann, ends_at=40)
    game = await record(ann)
    last = len(game.deals)
    assert last > 2
    shown = opened(await ann.click("Replay", post))
    prompt = f"Deal 1 of {last}"
    assert shown.options(prompt) == {f"Deal {number}": number == 1 for number in range(1, last + 1)}
    await choose(ann, shown, prompt, str(last))
    shown = now(shown)
    assert shown.says(f"Deal {last} · As dealt")
    assert shown.says("Totals before the deal")
    shown = await press(ann, "End »", shown)
    assert shown.says(f"After deal {last}")
    shown = await press(ann, "« Start", shown)
    assert shown.says(f"Deal {last} · As dealt")


async def choose(player: Player, on: Seen, prompt: str, value: str) -> Answer:
    """Choose this in one of several lists."""
    answer = player.forge(on.selects[prompt]["custom_id"], on, [value])
    await player.server.settle()
    return answer


async def test_of_a_game_going_on_only_what_is_done_is_shown(server: Server, ann: Player, bo: Player) -> None:
    await server.deal(ann, bo, ends_at=500)
    assert (await ann.run("hearts replay")).told == refusal("nothing_done")
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))
    await play_on([ann, bo], lambda: server.shows("Deal 2 · Trick 2"))
    shown = opened(await bo.run("hearts replay"))
    shown = await press(bo, "End »", shown)
    assert shown.says("After deal 1")
    assert shown.enabled == ["« Start", "‹ Card", "‹ Trick"]
    button = shown.buttons["« Start"]["custom_id"]
    table = button.split(":")[2]
    for deal, step in (("2", "0"), ("2", "5"), ("0", "0"), ("1", "55"), ("9", "1"), ("x", "0")):
        answer = bo.forge(f"hearts:step:{table}:0:{deal}:{step}:0", shown)
        await server.settle()
        assert answer.told == refusal("stale")
    for value in ("2", "p9", "px", ""):
        await choose_forged(bo, shown, f"hearts:deals:{table}:0:1:0", value)
        await choose_forged(bo, shown, f"hearts:costly:{table}:0:2:0", "0")
    dealt = [json.loads(row["move"]) for row in server.stored()["moves"] if "dealt" in row["move"]]
    assert len(dealt) == 2
    assert not any(one.says("Deal 2 · As dealt") for one in bo.sees())


async def choose_forged(player: Player, on: Seen, custom_id: str, value: str) -> None:
    player.forge(custom_id, on, [value])
    await player.server.settle()


async def test_a_game_looked_at_before_its_end_is_shown_whole_after_it(server: Server, ann: Player) -> None:
    await server.deal(ann, ends_at=30)
    await deals_played([ann], lambda: server.shows("After deal 1"))
    shown = await press(ann, "End »", opened(await ann.run("hearts replay")))
    assert "Deal 2 ›" not in shown.enabled
    await deals_played([ann], lambda: server.shows("🏆"))
    shown = await press(ann, "End »", await press(ann, "« Start", shown))
    assert "Deal 2 ›" in shown.enabled


async def test_before_the_first_deal_of_a_rematch_is_done_the_game_before_is_shown(
    server: Server, ann: Player
) -> None:
    await a_game(server, ann, ends_at=1)
    before = opened(await ann.run("hearts replay"))
    await server.deal(ann, ends_at=1)
    assert opened(await ann.run("hearts replay")).text == before.text


async def test_who_does_not_see_the_channel_sees_no_replay(server: Server, ann: Player, bo: Player) -> None:
    post = await a_game(server, ann, ends_at=1)
    shown = opened(await bo.click("Replay", post))  # who did not play may look
    elsewhere = server.add_channel("elsewhere")
    bo.at = elsewhere
    assert (await bo.run("hearts replay")).told == refusal("no_game_here")
    await bo.run("hearts new")
    there = bo.sees()[-1]
    for custom_id in (post.buttons["Replay"]["custom_id"], shown.buttons["Trick ›"]["custom_id"]):
        answer = bo.forge(custom_id, there)
        await server.settle()
        assert answer.told == refusal("stale")


async def test_by_dm_where_the_hand_was_played(server: Server, ann: Player, bo: Player) -> None:
    post = await a_game(server, ann, ends_at=1)
    shown = opened(await ann.click("Replay", ann.dm))
    assert shown.channel == ann.dm.channel
    shown = await press(ann, "End »", shown)
    assert shown.says("After deal 1")
    bo.forge(shown.buttons["« Start"]["custom_id"], shown)
    await server.settle()
    assert now(shown).says("After deal 1")
    assert opened(await bo.click("Replay", post)).says("As dealt")


async def test_without_leave_to_attach_files_words_tell_it(open_server: Any) -> None:
    server: Server = await open_server(sketches=Sketches())
    ann = server.people[0]
    post = await a_game(server, ann, ends_at=1)
    denied = discord.Permissions(attach_files=True).value
    everyone = Overwrite(server.guild.id, OverwriteType.ROLE, 0, denied)
    server.env.backend.set_overwrite(server.channel.id, everyone)
    shown = opened(await ann.click("Replay", post))
    assert not shown.pictures
    shown = await press(ann, "Trick ›", shown)
    assert shown.says("Deal 1 · The pass")
    assert shown.text.count("♠") >= 13
    shown = await press(ann, "End »", shown)
    shown = await press(ann, "‹ Trick", shown)
    assert shown.says("Points in this deal so far:")


async def test_forgotten_players_have_computers_names(server: Server, ann: Player, bo: Player) -> None:
    post = await a_game(server, ann, bo, ends_at=1)
    shown = opened(await ann.click("Replay", post))
    assert "**Bo**" in shown.text
    question = await bo.ask_to_delete()
    await bo.click("Delete it all", question)
    shown = await press(ann, "Trick ›", shown)
    assert "**Bo**" not in shown.text
    assert "**Ann**" in shown.text


async def test_the_costliest_moves_of_a_player(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    post = await a_game(server, ann, bo, ends_at=1)
    shown = opened(await cy.click("Replay", post))
    assert list(shown.options("Costliest moves of …"))[:2] == ["Ann", "Bo"]
    told = (await choose(cy, shown, "Costliest moves of …", "0")).private[0]
    assert re.search(r"Of Ann's \d+ decisions, (these|this)", told.text)
    # It speaks of Ann, and quotes what speaks to her.
    assert not re.search(r"\b(you|your)\b", re.sub("“.*?”", "", told.text), re.IGNORECASE)
    assert told.says("“")
    assert re.search("Ann (passed|led|played)", told.text)
    assert told.says("Judged only by what Ann knew")
    [first, *_] = told.enabled
    shown = await press(cy, first, told)
    assert shown.says("Ann")
    assert "Card ›" in shown.enabled
    own = await choose(ann, opened(await ann.click("Replay", post)), "Costliest moves of …", "0")
    assert own.private[0].says("How you played deal 1 Of your")
    assert not own.private[0].says("“")
    answer = await choose(cy, shown, "Costliest moves of …", "4")
    assert answer.told == refusal("stale") or answer.private[0].text == refusal("stale")


async def test_one_asks_for_one_players_moves_at_a_time(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    """Each takes some seconds, and everybody else would wait for all of them."""
    asked: list[Answer] = []

    async def thinking(*question: Any) -> Advice:
        """While it is thought of what Cy has asked, Cy asks for more, and Ann too."""
        if not asked:
            asked.append(cy.forge(custom_id, theirs, ["1"]))
            asked.append(ann.forge(custom_id, others, ["0"]))
            while not asked[0].private:  # noqa: ASYNC110
                await asyncio.sleep(0)
        return await advise(*question)

    server.advisor = thinking
    await server.restart()
    post = await a_game(server, ann, bo, ends_at=1)
    theirs, others = [opened(await player.click("Replay", post)) for player in (cy, ann)]
    custom_id = theirs.selects["Costliest moves of …"]["custom_id"]
    first = await choose(cy, theirs, "Costliest moves of …", "0")
    await server.settle()
    assert first.private[0].says("Ann in deal 1")
    second, other = asked
    assert second.told == refusal("still_answering")
    assert other.private[0].says("How you played deal 1")
    again = await choose(cy, theirs, "Costliest moves of …", "1")
    assert again.private[0].says("Bo in deal 1")


async def test_each_deal_names_who_sat_there_then(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    await server.deal(ann, bo, ends_at=500)
    computer = next(seat["name"] for seat in server.stored()["seats"] if seat["person"] is None)
    [choice] = (await cy.click("Take a seat", server.opening(1))).private
    assert choice.select is not None
    await cy.choose(choice.select["options"][0]["value"], choice)
    await deals_played([ann, bo], lambda: server.shows("After deal 1"))
    await deals_played([ann, bo, cy], lambda: server.shows("After deal 2"))
    shown = opened(await ann.run("hearts replay"))
    assert "**Cy**" not in shown.text
    assert f"**{computer}**" in shown.text
    await choose(ann, shown, "Deal 1 of 2", "2")
    assert "**Cy**" in now(shown).text
    assert f"**{computer}**" not in now(shown).text
