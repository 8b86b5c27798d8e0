"""Tricks with two copies or over a kitty: what cancels, lies on hold or face down, and who takes it."""

from typing import Any

import pytest
from at_once import deals_played
from games import NAMES, hands_of, open_table, play
from letters import label_on
from openapi import walk
from people import Player, label_of, play_on
from server import Server

from engine.rules.ruleset import Ruleset

RULES = Ruleset.of("cancellation", 5)
#: Ann leads the joker, Ed wins; his king of diamonds is cancelled; Cy's trick goes on hold, and the next too.
TRICKS = (
    "JK 2C 3C 4C KC",
    "KD 3D KD 9D 2D",
    "5S 5S 6S 6S AH",
    "7S 8S 8S 7S QH",
    "9S TS JS KS 2H",
)


@pytest.mark.slow
async def test_cancelled_cards_are_struck_through_and_tricks_on_hold_add_up(open_server) -> None:
    server = await open_table(open_server, "cancellation", 5, hands_of(RULES, 0, TRICKS))
    _, bo, cy, di, _ = server.people
    assert server.post("Seats").says("Highest total wins; over when a total reaches 150.")
    for player in server.people:
        assert not player.dms()[0].says("total wins")  # in a DM that stays
    await play(server, TRICKS[0])
    for code, lines in (
        ("KD", ["`K♦` **Ed** · led, highest"]),
        ("3D", ["`K♦` **Ed** · led, highest", "`3♦` **Ann**"]),
        ("KD", ["~~`K♦`~~ **Ed** · led", "`3♦` **Ann** · highest", "~~`K♦`~~ **Bo**"]),
        ("9D", ["~~`K♦`~~ **Ed** · led", "`3♦` **Ann**", "~~`K♦`~~ **Bo**", "`9♦` **Cy** · highest"]),
    ):
        if code == "9D":
            assert cy.hand.says("~~K♦~~ Ed · 3♦ Ann · ~~K♦~~ Bo")
        await play(server, code)
        text = server.post("Trick 2").text.replace("\ufe0e", "")
        assert text.split("\n")[1 : len(lines) + 1] == lines
    await play(server, "2D")
    post = server.post("Trick 2")
    assert post.says("~~K♦~~ Ed · led 3♦ Ann ~~K♦~~ Bo 9♦ Cy · wins 2♦ Di Cy takes it: no points.")
    on_hold = "the trick is on hold, and the same player leads."
    for codes, told in (
        ("5S", "5♠ Cy · led, highest"),
        ("5S", "~~5♠~~ Cy · led ~~5♠~~ Di -# All of the suit led is cancelled so far."),
        ("6S", "6♠ Ed · highest"),
        ("6S AH", f"A♥ Bo Every card of the suit led is cancelled: {on_hold}"),
    ):
        await play(server, codes)
        assert server.post("Trick 3").says(told)
    post = server.post("Trick 3")
    assert post.says("Cy leads")
    assert post.says("On hold for the next winner: 5♠ 5♠ 6♠ 6♠ A♥ (1 point).")
    held = post.tricks[-1]
    assert (held.taker, held.won, held.cards) == (None, None, ("5♠", "5♠", "6♠", "6♠", "A♥"))
    await play(server, TRICKS[3])
    told = "On hold for the next winner: 5♠ 5♠ 6♠ 6♠ A♥ 7♠ 8♠ 8♠ 7♠ Q♥ (2 points)."
    assert server.post("Trick 4").says("the trick is on hold")
    assert server.post("Trick 4").says(told)
    assert cy.hand.says("you lead.")
    assert cy.hand.says(told)
    await play(server, "9S")
    assert di.hand.says(f"9♠ Cy {told}")
    assert not cy.hand.says("On hold")
    await play(server, "TS JS KS 2H")
    post = server.post("Trick 5")
    assert post.says("Ann takes it and everything on hold: 🟢 3 points (A♥ Q♥ 2♥).")
    assert post.says("-# Points in this deal so far: Ann 🟢 3")
    assert post.says("Ann leads")
    assert not post.says("On hold")
    [listed] = (await bo.click("Tricks", post)).private
    assert [trick.taker for trick in listed.tricks] == ["Ed", "Cy", None, None, "Ann"]


def buttons(player: Player, code: str) -> list[str]:
    """The custom ids of all buttons of a hand that play this card."""
    found = [one for one in walk(player.hand.components) if ":play:" in one.get("custom_id", "")]
    return [one["custom_id"] for one in found if label_on(one) == label_of(code)]


async def test_of_two_copies_in_a_hand_either_button_plays_one(open_server) -> None:
    house = {"pass_cards": 0}
    server = await open_table(open_server, "double-deck", 6, ("2C 2C 3D 3D",), people=1, house=house)
    [ann] = server.people
    first, second = buttons(ann, "2C")
    assert first != second
    await ann.member.user.click(ann.hand.handle, custom_id=second)
    assert server.posts()[-1].tricks[0].cards[0] == "2♣"
    assert len(buttons(ann, "2C")) == 1
    await play_on([ann], lambda: not buttons(ann, "2C"))


# Cards that lie face down: who takes them is public, what they are is not until the deal ends


async def deal(
    open_server: Any, game: str, players: int, tricks: tuple[str, ...], down: str, **house: str
) -> Server:
    """A full table that can play these tricks without a pass, over a kitty of these cards."""
    rules = Ruleset.of(game, players, {**house, "pass_cards": 0})
    hands = [*hands_of(rules, 0, tricks), down]
    return await open_table(open_server, game, players, hands, house={**house, "pass_cards": 0}, ends_at=1)


def who_reads(server: Server, words: str) -> list[str]:
    """Everybody who can read this in their hand, and the channel if a post about the game says it."""
    found = [name for name, one in zip(NAMES, server.people, strict=False) if one.hand.says(words)]
    return found + ["the channel"] * any(post.says(words) for post in server.posts()[1:])


@pytest.mark.slow
async def test_the_first_trick_takes_the_kitty(open_server) -> None:
    tricks = ("2C 3C 4C", "5C 6C 7C")
    server = await deal(open_server, "wikibooks", 3, tricks, "QS", remainder="kitty")
    await play(server, "2C 3C 4C")
    assert server.post("Trick 1").says("Cy takes it, with a card of the kitty: no points.")
    assert who_reads(server, "From the kitty you took Q♠.") == ["Cy"]
    assert who_reads(server, "Q♠") == ["Cy"]
    await play(server, "5C 6C 7C")
    assert who_reads(server, "Q♠") == ["Cy"]
    await deals_played(server.people, lambda: server.shows("Points in deal 1"))
    score = server.post("Points in deal 1")
    assert score.says("Cy took Q♠ from the kitty.")
    assert score.text.count("kitty") == 1


@pytest.mark.slow
async def test_one_goes_on_hold_with_the_first_trick_and_the_rest_comes_with_the_last(open_server) -> None:
    # Flo's ♠2 keeps the rest from being sure to be hers, which would end the deal at once.
    tricks = ("2C 2C 3C 3C 4C 4C", "5C 6C 7C 8C 9C TC", "3S 4S 5S 6S 7S 2S")
    server = await deal(open_server, "double-deck", 6, tricks, "AH QS", duplicates="cancel")
    await play(server, tricks[0])
    assert server.post("Trick 1").says("the trick is on hold")
    assert server.post("Trick 1").says(
        "On hold for the next winner: 2♣ 2♣ 3♣ 3♣ 4♣ 4♣ (0 points), with a card of the kitty."
    )
    assert who_reads(server, "A♥") == []
    await play(server, tricks[1])
    assert server.post("Trick 2").says(
        "Flo takes it and everything on hold, with a card of the kitty: no points."
    )
    assert who_reads(server, "From the kitty you took A♥.") == ["Flo"]
    await deals_played(server.people, lambda: server.shows("Points in deal 1"))
    last = server.post("Trick 17")
    taker = next(name for name in NAMES if last.says(f"{name} takes it, with a card of the kitty:"))
    listed = [line for line in last.text.split("\n") if line.startswith("-# ") and "kitty" in line]
    assert [line.partition(" · ")[0] for line in listed] == ["-# 17", "-# 2"]
    score = server.post("Points in deal 1")
    assert score.says(
        "Flo took A♥ Q♠ from the kitty." if taker == "Flo" else f"{taker} took Q♠ from the kitty."
    )
