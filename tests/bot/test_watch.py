"""Watch: whoever looks on sees all hands of the deals that are done, and nothing of the one going on."""

from __future__ import annotations

import re

import pytest
from at_once import deals_played
from by_chance import played
from games import NAMES
from moments import table_of
from people import Player
from seen import Seen, plain
from server import EVEN, PASSES, OpenServer, Server, Sketches, stacked

from bot.replays.watching import watching
from bot.vocabulary.scenes import HandsScene

pytestmark = pytest.mark.slow


async def watch(player: Player, on: Seen | None = None) -> Seen:
    [page] = (await player.click("Watch", on)).private
    return page


async def to_deal(server: Server, number: int, *players: Player) -> None:
    await deals_played(players, lambda: server.shows(f"After deal {number - 1}"))


@pytest.mark.parametrize(("preset", "players"), [("wikibooks", 3), ("double-deck", 10), ("chinese", 6)])
def test_a_page_has_all_hands_and_passes_of_a_deal(preset: str, players: int) -> None:
    """Of two cards that are alike one is passed and the other received."""
    game = played(preset, players, deals=8)
    both = 0
    for deal in game.deals:
        page = watching(table_of(game), deal.number)
        [scene] = page.scenes
        for seat, hand in enumerate(scene.hands):
            gone, lit = (sorted(str(hand.cards[index]) for index in some) for some in (hand.gone, hand.lit))
            kept = [str(card) for index, card in enumerate(hand.cards) if index not in hand.lit]
            assert sorted(kept) == sorted(map(str, deal.dealt.hands[seat]))
            assert gone == sorted(map(str, deal.passes[seat] or ()))
            assert lit == sorted(map(str, deal.received[seat]))
            assert not hand.gone & hand.lit
            both += bool({*gone} & {*lit})
        text = "\n".join(part for part in page.parts if isinstance(part, str))
        assert text.count(" → ") == (players if deal.offset else 0)
        assert all(f"**{name}**" in text for name in NAMES[:players])
    assert both or preset != "double-deck"


async def test_who_looks_on_sees_the_last_deal_in_a_picture_and_in_words(open_server: OpenServer) -> None:
    server = await open_server(stacked(EVEN), sketches=Sketches())
    eve = server.add("Eve")
    await server.deal()
    for player, codes in zip(server.people, PASSES, strict=True):
        await player.pass_cards(codes)
    assert not any("Watch" in post.buttons for post in server.posts())
    await to_deal(server, 2, *server.people)
    page = await watch(eve, server.opening(2))
    assert page.says("Deal 1, all hands")
    assert page.says("Ann 3♥ 4♥ 5♥ → Bo")
    assert page.says("Di 3♠ 4♠ A♥ → Ann")
    taken = re.findall(r"[🔴🟢⚪] (\w+) \+?(\d+): ", plain(page.text))
    assert sum(int(points) for _, points in taken) == 26
    assert [type(scene) for scene in server.scenes(page)] == [HandsScene]


async def test_one_turns_to_deals_that_are_done(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    ann.close_dms()
    await server.deal_and_pass(ann, bo, ends_at=40)
    told = await bo.try_control("hearts:watch:1", server.post("Deal 1"))  # which has no such button yet
    assert "Nothing to watch yet" in told
    await to_deal(server, 2, ann, bo)
    opening = server.opening(2)
    late = cy.forge("hearts:tricks:1:1", opening)  # from a slow screen, where deal 1 is not over
    await server.settle()
    assert [trick.number for trick in late.private[0].tricks] == list(range(1, 14))
    page = await watch(cy)
    assert "1 of 1" in page.buttons
    await server.restart()
    await cy.click("Next", page)
    assert page.current.says("Deal 1, all hands")  # the second is being played
    await to_deal(server, 3, ann, bo)
    await cy.click("Next", page.current)
    assert page.current.says("Deal 2, all hands")
    await cy.click("Back", page.current)
    assert page.current.says("Deal 1, all hands")
    for number, shown in (("3", 2), ("99", 2), ("0", 1)):
        await cy.try_control(f"hearts:look:1:{number}", page.current)
        assert page.current.says(f"Deal {shown}, all hands")
    await server.stop_the_game()
    page = await watch(ann, opening)  # players watch too
    assert page.says("Deal 2, all hands")
    assert "Next" not in page.enabled
    await ann.try_control("hearts:look:1:3", page)  # the one that was going on
    assert page.current.says("Deal 2, all hands")
