"""Chinese Hearts: cards laid open before the first trick, what they double, and how that is told."""

from collections.abc import Sequence
from typing import Any

import pytest
from games import open_table, play
from moments import table_of
from people import Player, label_of, refusal
from rules.cardtable import last_tricks
from rules.cardtable import play_on as cards_played
from seen import Seen, plain
from weather import Weather

from bot.table import scores
from engine.cards import card
from engine.play.game import Game
from engine.rules.ruleset import Ruleset

#: Ann and Cy can expose two cards each, Bo and Di none.
TWO_AND_TWO = ("QS AH", "2C 3C", "JD TC", "4C 5C")
#: All of the exposable cards lie with different people.
ONE_EACH = ("QS 2D 3D", "JD 2S 3S", "TC 3C 4C", "AH 2H 3H")
ASKED_NOTHING = "Play begins once everyone has decided what to expose."


def everything(players: Sequence[Player]) -> list[Any]:
    """All that these people see, in the channel and in their DMs."""
    return [[one.components for one in (*player.sees(), *player.dms())] for player in players]


async def ask(player: Player, code: str) -> Seen:
    """Press Expose; returned is the hand, which asks once more."""
    await player.click(f"Expose {label_of(code)}", player.hand)
    return player.hand


async def expose(player: Player, code: str) -> None:
    await player.click("Yes, expose", await ask(player, code))


async def decline(*players: Player) -> None:
    """Those of these players who are asked decline."""
    for player in players:
        if player.hand.decline:
            await player.click(player.hand.decline, player.hand)


async def test_exposing_is_asked_about_once_more(open_server) -> None:
    """By who holds all that can be exposed; nobody else notices.

    Four cards to expose, a way to expose none and a hint: more buttons than a row of Discord's holds.
    """
    house = {"hints": "everybody"}
    server = await open_table(open_server, "chinese", 4, ("QS JD AH TC",), house=house)
    ann, *others = server.people
    mine = await ann.open_hand()
    cards = [f"Expose {label_of(code)}" for code in ("TC", "JD", "QS", "AH")]
    for hand in (ann.dm, mine):
        assert hand.enabled == [*cards, "Don't expose", "Hint"]
    before, calls, seen = ann.hand, Weather(server).calls, everything(others)
    for code in ("QS", "JD", "AH", "TC"):
        question = await ask(ann, code)
        assert question.says(f"Expose {card(code).symbol}? ")
        assert question.enabled == ["Yes, expose", "Not now"]
        await ann.click("Not now", question)
        assert ann.hand.components == before.components
    await ann.click("Hint", mine)
    assert "💡 **Expose** " in ann.hand.text
    assert "Don't expose" in ann.hand.enabled
    assert (everything(others), calls) == (seen, [])
    await ann.click(f"Expose {label_of('QS')}", ann.my_hand)
    await ann.click("Yes, expose", ann.my_hand)
    assert server.post("Deal 1 ·").says("Ann exposed Q♠: ")
    assert ann.hand.says("-# You exposed Q♠: it counts −200.")


async def test_all_are_asked_at_the_same_time_and_what_is_exposed_appears_at_once(open_server) -> None:
    server = await open_table(open_server, "chinese", 4, TWO_AND_TWO)
    ann, bo, cy, di = server.people
    assert ann.hand.enabled == [f"Expose {label_of('QS')}", f"Expose {label_of('AH')}", "Don't expose"]
    assert cy.hand.enabled == [f"Expose {label_of('TC')}", f"Expose {label_of('JD')}", "Don't expose"]
    for player in (bo, di):
        assert player.hand.enabled == []
        assert player.hand.says(ASKED_NOTHING)
    assert server.post("Deal 1 ·").says("Deal 1 · Exposing Exposed: nothing yet. -# Players who can")
    assert server.post("Deal 1 ·").enabled == ["My hand"]
    assert not server.shows("Trick 1")
    question = await ask(ann, "AH")
    await expose(cy, "JD")  # whose news reach Ann's hand
    await server.restart()
    assert await ann.try_press("Yes, expose", question) == ""  # from the old message
    assert server.post("Deal 1 ·").says("Cy exposed J♦: it counts +200. Ann exposed A♥: hearts count double.")
    assert sum(post.says("Cy exposed") for post in server.posts()) == 1
    assert ann.hand.says("-# Cy exposed J♦: it counts +200. You exposed A♥: hearts count double.")
    assert ann.hand.enabled == [f"Expose {label_of('QS')}", "No more"]
    old, not_held = ann.hand, refusal("not_held", card=card("TC"))
    assert await ann.try_control("hearts:expose:1:1:TC", old) == not_held
    assert "Yes, expose" not in ann.hand.buttons
    question = await ask(ann, "QS")
    await decline(cy)
    answers = [ann.press("Yes, expose", question) for _ in range(2)]
    await server.settle()
    assert [answer.told for answer in answers] == ["", refusal("not_exposing")]
    assert server.shows("Trick 1")
    told = [await ann.try_press(label, question) for label in ("Yes, expose", "Not now")]
    assert [await ann.try_press(old.enabled[0], old), *told] == [refusal("not_exposing")] * 2 + [""]


async def test_nobody_sees_who_declines_until_they_are_asked_again(open_server) -> None:
    server = await open_table(open_server, "chinese", 4, ONE_EACH)
    ann, bo, cy, di = server.people
    for player in server.people:
        await player.open_hand()
    old = ann.hand
    for player in (ann, bo, cy):
        others = [one for one in server.people if one is not player]
        before, calls = everything(others), Weather(server).calls
        await decline(player)
        assert everything(others) == before
        assert calls == []  # nothing is edited either, which Discord would mark
        assert player.hand.says(
            "You expose nothing more. While others are deciding, you can still change your mind."
        )
        assert player.hand.enabled == [one for one in player.hand.buttons if one.startswith("Expose")]
    await expose(cy, "TC")  # after all
    for player, code in ((ann, "QS"), (bo, "JD"), (di, "AH")):
        assert player.hand.enabled == [f"Expose {label_of(code)}", "Don't expose"]
    assert cy.hand.says("You have exposed 10♣.")
    assert cy.hand.says(ASKED_NOTHING)
    await decline(bo, di)
    # Once more, when she cannot have seen Cy's card yet.
    assert await ann.try_press("Don't expose", old) == refusal("stale")
    assert ann.hand.enabled == [f"Expose {label_of('QS')}", "Don't expose"]
    assert not server.shows("Trick 1")
    await decline(ann)
    assert server.shows("Trick 1")


# Exposed cards in play


async def test_exposed_cards_lie_before_their_owners_until_a_trick_in_their_suit(open_server) -> None:
    hands = ("QS AH 2D 3D AS KS", "4D 5D 2S 3S", "JD TC 6D 4S 5S", "7D 8D 6S 7S")
    server = await open_table(open_server, "chinese", 4, hands)
    ann, bo, cy, di = server.people
    await expose(ann, "QS")
    await expose(cy, "JD")
    await decline(ann, cy)
    said = "Q♠: it counts −200. Cy exposed J♦: it counts +200."
    assert ann.hand.says(f"-# You exposed {said}")
    assert bo.hand.says(f"-# Ann exposed {said}")
    assert not any("(exposed)" in label for label in ann.hand.enabled)  # C4: from the hand first
    before = cy.hand.components
    await ann.play("2D")
    assert cy.hand.components == before
    await bo.play("4D")
    assert server.post("Trick 1").says(f"Ann exposed {said}")
    jack = f"{label_of('JD')} (exposed)"
    assert jack in cy.hand.buttons
    assert jack not in cy.hand.enabled
    assert await cy.try_press(jack, cy.hand) == refusal("hand_before_exposed")
    await play(server, "6D 7D")
    assert server.post("Trick 1").says("Still face up: Ann Q♠.")
    assert label_of("JD") in cy.hand.buttons
    assert f"{label_of('QS')} (exposed)" in ann.hand.buttons  # no spade was led
    assert server.post("Deal 1 ·").says(f"Ann exposed {said}")
    assert di.hand.says("-# Still face up: Ann Q♠.")
    assert not any(one.hand.says("Still face up") for one in (ann, bo, cy))  # out of date before their turn
    await play(server, "6S AS 2S 4S")
    assert label_of("QS") in ann.hand.buttons  # C6
    await play(server, "QS 3S 5S 7S")
    assert server.post("Trick 3").says("Ann takes it: 🔴 −200 points (Q♠).")


# What counts

CHINESE = Ruleset.of("chinese", 3)
HEARTS = "AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H"
SUN = "☀️ Ann shot the sun All hearts, Q♠, J♦ and 10♣: 10000 points!"
MOON = "🌕 Ann shot the moon All hearts count for Ann."


@pytest.mark.parametrize(
    ("taken", "exposed", "feat", "told"),
    [
        ([f"QS JD TC {HEARTS}"], "", SUN, "🟢 Ann +10000 → 10000 ⚪ Bo 0 → 0 ⚪ Cy 0 → 0"),
        (
            [f"QS JD {HEARTS}", "TC"],
            "",
            MOON,
            "Ann: hearts +200, Q♠ −100, J♦ +100 Bo: 10♣ alone +50 "
            "🟢 Ann +200 → 200 🟢 Bo +50 → 50 ⚪ Cy 0 → 0",
        ),
        (
            [f"QS JD {HEARTS}", "TC"],
            "AH TC",
            MOON,
            "Ann exposed A♥: hearts count double. Ann exposed 10♣: × 4, alone +100. "
            "Ann: hearts +400, Q♠ −100, J♦ +100 Bo: 10♣ alone +100 "
            "🟢 Ann +400 → 400 🟢 Bo +100 → 100 ⚪ Cy 0 → 0",
        ),
        (
            [f"QS TC {HEARTS}", "JD"],
            "",
            MOON,
            "Ann: (hearts +200, Q♠ −100) × 2 for 10♣ Bo: J♦ +100 "
            "🟢 Ann +200 → 200 🟢 Bo +100 → 100 ⚪ Cy 0 → 0",
        ),
    ],
    ids=["sun", "moon", "exposed", "ten"],
)
def test_what_a_deal_comes_to_is_explained(taken: list[str], exposed: str, feat: str, told: str) -> None:
    end = last_tricks(CHINESE, "5C", "3C", "4C", taken=dict(enumerate(taken)), exposed=exposed)
    table = table_of(cards_played(Game(CHINESE, deals=(end,)), "5C 3C 4C")).public
    parts = scores.after_deal(table, table.view.deal)
    text = plain("\n".join(part for part in parts if isinstance(part, str)))
    assert text == f"## {feat} ### After deal 1 {told}"


async def test_the_time_is_up_for_everyone_alike_and_starts_again_for_who_is_asked_again(open_server) -> None:
    server = await open_table(open_server, "chinese", 4, ONE_EACH, pace="live")
    ann, bo, *_ = server.people
    await decline(ann)
    await server.env.advance_time(35)
    reminder = server.post("the table is waiting for you")
    assert reminder.says("⏰ Ann, Bo, Cy and Di: if you can still expose a card, the table is waiting")
    await server.env.advance_time(20)
    await expose(bo, "JD")
    await server.env.advance_time(50)
    assert ann.hand.enabled == [f"Expose {label_of('QS')}", "Don't expose"]
    await server.env.advance_time(15)
    assert server.shows("Time's up: nothing more is exposed.")
    assert server.post("Trick 1").says("Bo exposed J♦: it counts +200.")
    assert ann.hand.says("Your turn")  # even if she didn't decide in time
    await server.env.advance_time(70)
    assert server.shows("Time's up: a computer played for Ann.")
    assert not server.shows("from now on")
