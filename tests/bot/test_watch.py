"""Watch: whoever looks on sees all hands of the deals that are done, and nothing of the one going on."""

from __future__ import annotations

import re
from typing import Any

import pytest
from at_once import deals_played
from conftest import OpenServer
from games import NAMES, arranged
from people import Player, refusal
from seen import Seen, plain
from server import EVEN, PASSES, Server, Sketches, stacked

from bot.vocabulary.scenes import HandsScene
from engine.cards import QUEEN_OF_SPADES, cards
from engine.rules.ruleset import Ruleset

pytestmark = pytest.mark.slow


async def watch(player: Player, on: Seen | None = None) -> Seen:
    [page] = (await player.click("Watch", on)).private
    return page


def now(seen: Seen) -> Seen:
    return Seen.now(seen.env, seen.message)


async def to_deal(server: Server, number: int, *players: Player) -> None:
    await deals_played(players, lambda: server.shows(f"After deal {number - 1}"))


async def passed(server: Server) -> None:
    """Everybody passes what is theirs to pass of EVEN."""
    await server.deal()
    for player, codes in zip(server.people, PASSES, strict=True):
        await player.pass_cards(codes)


async def test_who_looks_on_sees_all_hands_and_passes_of_the_last_deal(open_server: OpenServer) -> None:
    sketches = Sketches()
    server: Server = await open_server(stacked(EVEN), sketches=sketches)
    eve = server.add("Eve")
    await passed(server)
    assert not any("Watch" in post.buttons for post in server.posts())
    await to_deal(server, 2, *server.people)
    page = await watch(eve, server.opening(2))
    assert page.says("Deal 1, all hands")
    assert page.says("Ann 3♥ 4♥ 5♥ → Bo")
    assert page.says("Di 3♠ 4♠ A♥ → Ann")
    taken = re.findall(r"[🔴🟢⚪] (\w+) \+?(\d+): ", plain(page.text))
    assert sum(int(points) for _, points in taken) == 26
    [scene] = server.scenes(page)
    assert isinstance(scene, HandsScene)
    for hand, codes, gone in zip(scene.hands, EVEN, PASSES, strict=True):
        kept = [card for index, card in enumerate(hand.cards) if index not in hand.lit]
        assert sorted(map(str, kept)) == sorted(map(str, cards(codes)))
        assert sorted(str(hand.cards[index]) for index in hand.gone) == sorted(map(str, cards(gone)))
        assert len(hand.lit) == 3


async def test_next_and_back_between_the_deals_that_are_done(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    await server.deal_and_pass(ann, bo, ends_at=40)
    await to_deal(server, 2, ann, bo)
    opening = server.opening(2)
    page = await watch(cy)
    assert "1 of 1" in page.buttons
    await cy.click("Next", page)
    assert now(page).says("Deal 1, all hands")  # the second is being played
    await to_deal(server, 3, ann, bo)
    await cy.click("Next", now(page))
    assert now(page).says("Deal 2, all hands")
    await cy.click("Back", now(page))
    assert now(page).says("Deal 1, all hands")
    for number, shown in (("3", 2), ("99", 2), ("0", 1)):
        cy.forge(f"hearts:look:1:{number}", now(page))
        await server.settle()
        assert now(page).says(f"Deal {shown}, all hands")
    await deals_played([ann, bo], lambda: server.shows("🏆"))
    page = await watch(cy, opening)
    assert "Next" not in page.enabled  # after the end the last deal is the last page
    await cy.click("Back", page)
    assert "Next" in now(page).enabled


async def test_players_watch_too_and_a_restart_changes_nothing(
    server: Server, ann: Player, bo: Player
) -> None:
    ann.close_dms()
    await server.deal_and_pass(ann, bo)
    await to_deal(server, 2, ann, bo)
    page = await watch(ann)
    await server.restart()
    await ann.click("Next", page)
    assert now(page).text == page.text


async def test_of_a_game_that_was_stopped_its_last_deal_stays_unseen(
    server: Server, ann: Player, cy: Player
) -> None:
    await server.deal_and_pass(ann)
    await to_deal(server, 2, ann)
    opening = server.opening(2)
    await ann.click("End", (await ann.run("hearts end")).private[0])
    page = await watch(cy, opening)
    assert page.says("Deal 1, all hands")
    cy.forge("hearts:look:1:2", page)
    await server.settle()
    assert now(page).says("Deal 1, all hands")


async def test_of_two_that_are_alike_one_is_passed_and_the_other_received(open_server: OpenServer) -> None:
    sketches, rules = Sketches(), Ruleset.of("double-deck", 6)
    server: Server = await open_server(
        arranged(rules, ("QS", "", "", "", "", "QS")), names=NAMES, sketches=sketches
    )
    people = server.people[:6]
    await server.deal(*people, game="double-deck", players=6)
    for player in people:
        codes = [code for code, _ in player.hand.offered]
        first = ["QS"] if "QS" in codes else []
        await player.pass_cards(" ".join([*first, *(code for code in codes if code != "QS")][:3]))
    await to_deal(server, 2, *people)
    [scene] = server.scenes(await watch(server.people[7]))
    assert isinstance(scene, HandsScene)
    ann = scene.hands[0]
    queens = {index for index, card in enumerate(ann.cards) if card == QUEEN_OF_SPADES}
    assert len(queens & ann.gone) == len(queens & ann.lit) == 1
    assert not ann.gone & ann.lit


async def test_elsewhere_nothing_is_to_be_seen(server: Server, ann: Player, cy: Player) -> None:
    await server.deal_and_pass(ann)
    await to_deal(server, 2, ann)
    cy.at = server.add_channel("other")
    await cy.run("hearts help")
    answer = cy.forge("hearts:watch:1", cy.sees()[-1])
    await server.settle()
    assert answer.told == refusal("stale")


@pytest.mark.parametrize(("game", "players"), [("wikibooks", 3), ("double-deck", 10), ("chinese", 6)])
async def test_a_page_has_room_for_every_game(open_server: OpenServer, game: str, players: int) -> None:
    server: Server = await open_server(names=NAMES)
    ann, *_, jo = server.people
    options: dict[str, Any] = {"game": game, "players": players}
    await server.deal(ann, **options)
    await to_deal(server, 2, ann)
    page = await watch(jo)
    assert page.says("Deal 1, all hands")
    assert page.text.count(" → ") == (players if game not in ("cancellation", "chinese") else 0)
    for seat in server.stored()["seats"]:
        assert page.text.count(f"**{seat['name']}**") >= 1


async def test_before_a_deal_is_done_it_says_what_to_wait_for(server: Server, ann: Player) -> None:
    await server.deal(ann)
    answer = ann.forge("hearts:watch:1", server.post("Deal 1"))  # no post of ours has the button yet
    await server.settle()
    [page] = answer.private
    assert page.says("Nothing to watch yet")
    ids = [button["custom_id"] for button in page.buttons.values()]
    assert len(set(ids)) == len(ids)  # Discord takes no message in which two are equal
