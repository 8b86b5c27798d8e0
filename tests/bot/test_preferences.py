"""What each player chooses in /hearts preferences, how their cards look then, and managers' settings."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest
from own_data import exported, forget
from people import Player, filled, label_of, play_on, refusal
from seen import Seen
from server import EVEN, PASSES, OpenServer, Server, Sketches, stacked
from test_fan_in_play import fan

from bot import provisioning
from bot.people.preferences import Prefer, Topic
from bot.people.server import ChangeSettings
from bot.vocabulary.scenes import TableScene
from engine.cards import USUAL_FACES, Card, Faces, Letters

AS_MADE = {
    **{"calls": "late", "forced": "known", "taps": "once", "colours": "four", "letters": "JQK"},
    **{"suits": "CDSH", "invites": "anyone", "tell": "no", "language": "discord"},
}
CHOSEN = {
    **{"calls": "never", "forced": "every", "taps": "twice", "colours": "two", "letters": "VDR"},
    **{"suits": "HSDC", "invites": "nobody", "tell": "dm", "language": "fr"},
}
#: Cards as Cy likes them: black and red, with German letters, hearts first.
GERMAN = {"colours": "two", "letters": "BDK", "suits": "HSDC"}
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


def stored(server: Server) -> list[Any]:
    return server.rows("SELECT person, calls, forced FROM preferences ORDER BY person")


@pytest.mark.slow
async def test_each_form_changes_its_own_fields_until_they_are_deleted(
    server: Server, ann: Player, bo: Player
) -> None:
    answer = await ann.run("hearts preferences")
    assert not answer.public
    assert list(answer.private[0].buttons) == ["Turns", "Cards", "Invitations", "Language"]
    assert await ann.preferences() == AS_MADE
    assert stored(server) == []
    page = await ann.in_dm.prefer(calls="always", forced="known")
    assert page.says(
        "You are mentioned at every turn, and the opening lead and a hand's last card play themselves."
    )
    assert stored(server) == [(ann.id, "always", "known")]
    page = await ann.prefer(calls="never", forced="every")
    assert page.says("You are never mentioned, and every card you have no choice about plays itself.")
    for field, value in CHOSEN.items():
        await ann.prefer(**{field: value})
    assert await ann.preferences() == CHOSEN
    await bo.prefer(forced="every")
    await server.restart()
    assert await ann.preferences() == CHOSEN

    await ann.prefer(language="discord")
    assert (await exported(await ann.export_data()))["preferences"] == [
        {
            "calls": "never",
            "cards_that_play_themselves": "every",
            "language": None,
            "is_invited_by_others": False,
            "time_zone": None,
            "is_tapping_twice": True,
            "is_with_two_colours": True,
            "letters": "VDR",
            "order_of_suits": "HSDC",
        }
    ]
    await forget(ann)
    assert stored(server) == [(bo.id, "late", "every")]
    assert await ann.preferences() == AS_MADE
    await server.restart()
    assert await ann.preferences() == AS_MADE
    assert await bo.preferences() == AS_MADE | {"forced": "every"}


async def test_a_choice_that_is_forged_or_cant_be_saved_is_refused(
    server: Server, ann: Player, caplog: pytest.LogCaptureFixture
) -> None:
    [page] = (await ann.run("hearts preferences")).private
    for topic in Topic:
        for values in ((), ("loudly",)):
            assert await ann.try_control(str(Prefer(0, topic)), page, *values) == refusal("stale")
    for suits in ("CDS", "CDSS", "CDSHX"):
        cards = {"colours": "four", "letters": "JQK", "suits": suits}
        forged = ann.forge_form(str(Prefer(0, Topic.CARDS)), page, **cards)
        await server.settle()
        assert forged.told == refusal("stale")
    form = await ann.open_form("turns")
    with closing(sqlite3.connect(server.path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        assert (await ann.send(form, calls="never")).told == refusal("cannot_save")
        connection.rollback()
    caplog.clear()
    assert await ann.preferences() == AS_MADE


# A server's settings


async def test_managers_choose_for_their_server_what_the_form_offers(server: Server, ann: Player) -> None:
    max_ = server.add_manager()
    usual = {"place": "channel", "calls": "on", "tournaments": "managers", "language": "discord"}
    assert filled(await max_.run("hearts settings")) == usual
    answer = await max_.send(await max_.run("hearts settings"), place="thread", language="de")
    assert answer.told == (
        "New tables open in a thread of their own. Hosts may call players. "
        "Those who may manage events may open a tournament. I post here in Deutsch. Open tables keep theirs."
    )
    [page] = (await ann.run("hearts help")).private
    for chosen in ({"place": "cellar"}, {"calls": "x"}, {"tournaments": "bo"}, {"language": "klingon"}):
        forged = max_.forge_form(str(ChangeSettings(0)), page, **usual | chosen)
        await server.settle()
        assert forged.told == refusal("stale")
    await server.restart()
    assert filled(await max_.run("hearts settings")) == usual | {"place": "thread", "language": "de"}
    answer = await max_.send(await max_.run("hearts settings"), **usual)
    assert "I post here in English." in answer.told
    assert filled(await max_.run("hearts settings")) == usual


# Cards as each player likes them in their own hand: colours, letters, order, and two taps to play one


def emojis(seen: Seen) -> list[str]:
    """The names of the emojis on its buttons, in order."""
    return [one["emoji"]["name"] for one in seen.buttons.values() if one.get("emoji")]


def suits(cards: tuple[Card, ...]) -> str:
    """The suits as they follow one another: `HSDC`."""
    return "".join(dict.fromkeys(one.suit.value for one in cards if one.suit))


async def test_each_hand_shows_cards_as_its_player_likes(server: Server, ann: Player, cy: Player) -> None:
    await server.deal(pace="none")
    before = emojis(cy.hand)
    page = await cy.prefer(**GERMAN)
    assert "jack_of_hearts_b:" in page.raw
    assert "queen_of_spades_d:" in page.raw
    assert emojis(cy.hand) == CY_PASSING  # at once
    await cy.prefer(colours="four", letters="JQK", suits="CDSH")
    assert emojis(cy.hand) == before
    await cy.prefer(**GERMAN)
    assert fan(server, cy.hand).faces == Faces(True, Letters.GERMAN)
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
    ids = [one["custom_id"] for one in hand.buttons.values()]
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
