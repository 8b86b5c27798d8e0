"""Cards that lie face down: who takes them is public, what they are is not until the deal ends."""

from typing import Any

import pytest
from at_once import deals_played
from games import NAMES, change_rules, hands_of, open_table, play
from people import play_on
from server import Server

from engine.rules.ruleset import Ruleset

pytestmark = pytest.mark.slow


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


async def test_the_first_trick_takes_the_kitty(open_server) -> None:
    tricks = ("2C 3C 4C", "5C 6C 7C")
    server = await deal(open_server, "wikibooks", 3, tricks, "QS", remainder="kitty")
    [rules] = (await server.people[0].run("hearts rules")).private
    assert rules.says("Kitty: one card face down, for the winner of the first trick.")
    await play(server, "2C 3C 4C")
    assert server.post("Trick 1").says("Cy takes it, with a card of the kitty: no points.")
    assert who_reads(server, "From the kitty you took Q♠.") == ["Cy"]
    assert who_reads(server, "Q♠") == ["Cy"]
    await play(server, "5C 6C 7C")
    assert who_reads(server, "Q♠") == ["Cy"]
    await deals_played(server.people, lambda: server.shows("Points in deal 1"))
    assert server.post("Points in deal 1").says("Cy took Q♠ from the kitty.")


async def test_a_card_with_each_trick(open_server) -> None:
    tricks = ("2C 3C 4C 5C 6C", "7C 8C 9C TC JC")
    options = {"remainder": "kitty", "kitty": "one-per-trick"}
    server = await deal(open_server, "wikibooks", 5, tricks, "AH 2D", **options)
    [rules] = (await server.people[0].run("hearts rules")).private
    assert rules.says("Kitty: two cards face down, one each for the winners of the first tricks.")
    await play(server, tricks[0])
    assert server.post("Trick 1").says("Ed takes it, with a card of the kitty: no points.")
    assert who_reads(server, "From the kitty you took A♥.") == ["Ed"]
    await play(server, tricks[1])
    assert server.post("Trick 2").says("Di takes it, with a card of the kitty: no points.")
    assert who_reads(server, "From the kitty you took 2♦.") == ["Di"]
    assert who_reads(server, "From the kitty you took A♥.") == ["Ed"]
    await play_on(server.people, lambda: server.shows("Trick 4"))
    [listed] = (await server.people[0].click("Tricks", server.post("Trick 4"))).private
    with_kitty = [line for line in listed.text.split("\n") if "kitty" in line]
    assert [line.partition(" · ")[0] for line in with_kitty] == ["-# 2", "-# 1"]


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
    score = server.post("Points in deal 1")
    assert score.says(
        "Flo took A♥ Q♠ from the kitty." if taker == "Flo" else f"{taker} took Q♠ from the kitty."
    )


@pytest.mark.parametrize(("preset", "players"), [("wikibooks", 3), ("double-deck", 6)])
async def test_where_nothing_is_left_over_no_kitty_is_spoken_of(
    open_server, preset: str, players: int
) -> None:
    server: Server = await open_server(names=NAMES[:1])
    [ann] = server.people
    await server.seat(ann, game=preset, players=players, ends_at=1)
    await change_rules(ann, remainder="remove")
    await ann.click("Start")
    await deals_played([ann], lambda: "🏆" in server.posts()[-1].text)
    assert not server.shows("itty")
    assert not any("itty" in dm.text for dm in ann.dms())
