"""Cards as each player likes them in their own hand: colours, letters, order, and two taps to play one."""

from __future__ import annotations

import pytest
from openapi import walk
from people import Player, label_of, play_on
from seen import BUTTON, Seen
from server import EVEN, PASSES, OpenServer, Server, Sketches, stacked

from bot import provisioning
from bot.vocabulary.scenes import FanScene, TableScene
from engine.cards import USUAL_FACES, Card, Faces, Letters

#: Black and red cards with German letters, hearts first.
CHOSEN = {"colours": "two", "letters": "BDK", "suits": "HSDC"}
FACES = Faces(True, Letters.GERMAN)
CY_PASSING = [
    *("ten_of_hearts", "jack_of_hearts_b", "queen_of_hearts_d", "king_of_hearts"),
    *("jack_of_spades_b", "queen_of_spades_d", "king_of_spades"),
    *("jack_of_diamonds_red_b", "queen_of_diamonds_red_d", "king_of_diamonds_red"),
    *("eight_of_clubs_black", "nine_of_clubs_black", "ten_of_clubs_black"),
]


@pytest.fixture
async def server(open_server: OpenServer) -> Server:
    """A server that shows pictures, and deals cards that are known."""
    return await open_server(stacked(EVEN), sketches=Sketches())


def emojis(seen: Seen) -> list[str]:
    """The names of the emojis on its buttons, in order."""
    found = [one for one in walk(seen.components) if one.get("type") == BUTTON and one.get("emoji")]
    return [one["emoji"]["name"] for one in found]


def fan(server: Server, seen: Seen) -> FanScene:
    [scene] = [one for one in server.scenes(seen) if isinstance(one, FanScene)]
    return scene


def suits(cards: tuple[Card, ...]) -> str:
    """The suits as they follow one another: `HSDC`."""
    return "".join(dict.fromkeys(one.suit.value for one in cards if one.suit))


async def test_each_hand_shows_cards_as_its_player_likes(server: Server, ann: Player, cy: Player) -> None:
    await server.deal(pace="none")
    before = emojis(cy.hand)
    page = await cy.prefer(**CHOSEN)
    assert "jack_of_hearts_b:" in page.raw
    assert "queen_of_spades_d:" in page.raw
    assert emojis(cy.hand) == CY_PASSING  # at once
    await cy.prefer(colours="four", letters="JQK", suits="CDSH")
    assert emojis(cy.hand) == before
    await cy.prefer(**CHOSEN)
    assert fan(server, cy.hand).faces == FACES
    assert suits(fan(server, cy.hand).cards) == "HSDC"
    await cy.pass_cards("KH DH BH")  # as they read them
    assert "king_of_hearts:" in cy.hand.raw
    assert "queen_of_hearts_d:" in cy.hand.raw
    raised = fan(server, cy.hand)
    assert [raised.cards[place].code for place in sorted(raised.chosen)] == ["JH", "QH", "KH"]
    [rows] = [row for row in server.stored()["moves"] if "passed" in row["move"]]
    assert all(code in rows["move"] for code in ("JH", "QH", "KH"))
    await play_on(server.people, lambda: server.plays >= 6)
    shown = [*server.posts(), ann.hand]
    assert not any(name in post.raw for post in shown for name in ("_black", "_red", "_b:", "_d:"))
    assert fan(server, ann.hand).faces == USUAL_FACES
    assert suits(fan(server, ann.hand).cards) == "CDSH"
    assert any(isinstance(scene, TableScene) for post in server.posts() for scene in server.scenes(post))


async def test_without_emojis_cards_have_letters(
    open_server: OpenServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provisioning, "PAUSE", 3600.0)
    server = await open_server(stacked(EVEN), uploaded=False)
    cy = server.people[2]
    await cy.prefer(letters="VDR", suits="SHDC")
    await server.deal(pace="none")
    labels = [label for label in cy.hand.buttons if label[-2] in "♣♦♠♥"]
    assert labels[:7] == ["V♠\ufe0e", "D♠\ufe0e", "R♠\ufe0e", "10♥\ufe0e", "V♥\ufe0e", "D♥\ufe0e", "R♥\ufe0e"]
    assert "`V♠\ufe0e` `D♠\ufe0e` `R♠\ufe0e`\n`10♥\ufe0e`" in cy.hand.raw  # no picture is shown here


async def test_of_two_taps_the_first_raises_a_card_and_the_second_plays_it(server: Server) -> None:
    await server.deal_and_pass(passes=PASSES, pace="none")
    await server.to_play.play()
    assert server.plays == 1  # one tap is enough for who has chosen nothing else
    player = server.to_play
    await player.prefer(taps="twice")
    hand = player.hand
    ids = [str(one.get("custom_id")) for one in walk(hand.components)]
    closed = next(id for id in ids if ":play:" in id and id not in hand.pressable)
    for id in (closed, closed.replace(":play:", ":confirm:")):
        assert await player.try_control(id, hand)
    first, second, *_ = player.playable
    lines = player.hand.text.count("\n")
    for label in (first, second):
        await player.click(label, player.hand)
        assert server.plays == 1
        assert player.hand.text.count("\n") == lines  # or the buttons would move under the finger
        assert f"**Your turn**: tap `{label}` again to play it." in player.hand.text
        raised = fan(server, player.hand)
        assert [label_of(raised.cards[place].code) for place in raised.chosen] == [label]
    hand = player.hand
    await player.click(second, hand)
    assert server.plays == 2
    await player.rest()
    assert await player.try_press(second, hand)  # once more
    assert server.plays == 2
