"""Shooting the moon in every form that the house can choose."""

import pytest
from at_once import deals_played
from games import NAMES, arranged, change_rules
from people import play_on
from seen import totals
from server import Server

from engine.rules.ruleset import Ruleset

pytestmark = pytest.mark.slow

#: Ann holds all the clubs, and so takes every trick.
CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
#: Of two decks: Bo leads the two, and Ann holds the highest seventeen.
HIGH_CLUBS = ("6C 7C 7C 8C 8C 9C 9C TC TC JC JC QC QC KC KC AC AC", "2C 2C 3C 3C 4C 4C 5C 5C 6C")


async def shoot(open_server, **choices: str) -> Server:
    """Ann shoots the moon in a game of four people by these rules."""
    rules = Ruleset.of("classic", 4)
    server: Server = await open_server(arranged(rules, (CLUBS,)), names=NAMES[:4])
    ann = await server.seat(*server.people, ends_at=20)
    await change_rules(ann, pass_cards="0", **choices)
    await ann.click("Start")
    await deals_played(server.people, lambda: server.shows("After deal 1") or server.shows("🏆"))
    return server


@pytest.mark.parametrize(
    ("moon", "rule", "told", "points"),
    [
        ("others", "the shooter gets 0, everyone else 26.", "Everyone else gets +26.", (0, 26)),
        ("self", "−26 for the shooter.", "−26 for Ann.", (-26, 0)),
        (
            "half",
            "−13 for the shooter, +13 for everyone else.",
            "−13 for Ann, +13 for everyone else.",
            (-13, 13),
        ),
    ],
)
async def test_a_moon_that_leaves_no_choice(
    open_server, moon: str, rule: str, told: str, points: tuple[int, int]
) -> None:
    server = await shoot(open_server, moon=moon)
    [rules] = (await server.people[1].run("hearts rules")).private
    assert rules.says(f"The moon (all hearts and Q♠): {rule}")
    assert not server.shows("shoots the moon!")  # nobody is asked
    score = server.post("Points in deal 1" if moon == "others" else "After deal 1")  # 26 end the game
    assert score.says(f"🌕 Ann shot the moon {told}")
    own, others = (f"+{one}" if one > 0 else str(one).replace("-", "−") for one in points)
    for name, brought in (("Ann", own), ("Di", others)):
        dot = {"+": "🔴", "−": "🟢", "0": "⚪"}[brought[0]]  # before the name, and in the standings behind it
        assert score.says(f"{dot} {name} {brought} →") or score.says(f"{name} {dot} {brought} →")


@pytest.mark.parametrize(
    ("extras", "worth", "add"),
    [((), 52, True), (("spot_hearts",), 234, False)],
    ids=["for the others", "for self, spot hearts"],
)
async def test_a_moon_of_two_decks(open_server, extras: tuple[str, ...], worth: int, add: bool) -> None:
    rules = Ruleset.of("double-deck", 6)
    server: Server = await open_server(arranged(rules, HIGH_CLUBS), names=NAMES[:2])
    ann, bo = server.people
    await server.seat(ann, bo, game="double-deck", ends_at=40)
    await change_rules(ann, pass_cards="0")
    await change_rules(ann, **dict.fromkeys(extras, True))
    await ann.click("Start")
    await play_on([ann, bo], lambda: server.shows("shoots the moon"))
    assert ann.hand.enabled == [f"−{worth} for me", f"+{worth} for the others"]
    assert bo.hand.enabled == []
    await ann.click(ann.hand.enabled[add], ann.hand)
    if add:
        standings = totals(server.post("🏆").text)
        assert standings.pop("Ann") == 0
        assert set(standings.values()) == {worth}
    else:
        assert server.post("shoots the moon").says(f"Ann takes −{worth}.")
        assert server.post("After deal 1").says(f"🟢 Ann −{worth} → −{worth} ⚪ Bo 0 → 0")


async def test_half_a_moon_of_two_decks(open_server) -> None:
    rules = Ruleset.of("double-deck", 6)
    server: Server = await open_server(arranged(rules, HIGH_CLUBS), names=NAMES[:1])
    [ann] = server.people
    await server.seat(ann, game="double-deck", ends_at=20)
    await change_rules(ann, pass_cards="0", moon="half")
    await ann.click("Start")
    await deals_played([ann], lambda: "🏆" in server.posts()[-1].text)
    assert server.post("Points in deal 1").says("Ann shot the moon −26 for Ann, +26 for everyone else.")
    standings = totals(server.post("🏆").text)
    assert standings.pop("Ann") == -26
    assert set(standings.values()) == {26}
