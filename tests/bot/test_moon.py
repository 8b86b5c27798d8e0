"""Shooting the moon in every form that the house can choose, and the choice that may follow it."""

import re

import pytest
from games import open_table
from people import Player, play_on, refusal
from seen import totals
from server import MOON, Server, stacked

pytestmark = pytest.mark.slow

#: Ann holds all the clubs, and so takes every trick.
CLUBS = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
#: Of two decks: Bo leads the two, and Ann holds the highest seventeen.
HIGH_CLUBS = ("6C 7C 7C 8C 8C 9C 9C TC TC JC JC QC QC KC KC AC AC", "2C 2C 3C 3C 4C 4C 5C 5C 6C")


@pytest.fixture
async def server(open_server) -> Server:
    return await open_server(stacked(MOON))


async def shoot(server: Server, **options: int | str) -> None:
    """Play the deal until Ann has to choose."""
    await server.deal_and_pass(passes=("2D 3D 4D", "", "", "QC KC AC"), **options)
    await play_on(server.people, lambda: server.shows("shoots the moon"))


async def test_the_shooter_alone_chooses_before_a_deadline(server: Server, ann: Player, bo: Player) -> None:
    ann.close_dms()
    await shoot(server, pace="live", ends_at=1)
    asked = ann.hand
    assert asked.says("You shot the moon! Choose:")
    assert asked.enabled == ["−26 for me", "+26 for the others"]
    post = server.post("shoots the moon")
    assert post.says("Ann shoots the moon! Ann chooses: −26 for the shooter, or +26 for everyone else.")
    assert bo.hand.enabled == []
    assert re.search(r"or \+26 for everyone else\.\n-# Deadline <t:\d+:R>", post.text)
    assert re.search(r"Choose:\n-# Deadline <t:\d+:R>", asked.text)
    before = server.stored()
    assert await bo.try_press("+26 for the others", asked) == refusal("no_moon_choice")
    assert server.stored() == before
    first, second = ann.press("−26 for me", asked), ann.press("+26 for the others", asked)
    await server.settle()
    assert first.told == ""
    assert second.told.startswith(refusal("stale"))
    assert server.post("shoots the moon").says("Ann takes −26.")
    assert server.post("After deal 1").says("🟢 Ann −26 → −26")
    assert not server.shows("🏆")  # nobody has reached 1
    assert ann.hand.says("Your hand · Deal 2")


async def test_26_for_the_others_pressed_often_counts_once(server: Server, ann: Player, bo: Player) -> None:
    await shoot(server, ends_at=1)
    await server.restart()
    hand = ann.hand
    answers = [ann.press("+26 for the others", hand) for _ in range(3)]
    await server.settle()
    assert [answer.told for answer in answers] == ["", *[refusal("table_gone")] * 2]
    assert ann.hand.says("The game is over.")
    assert ann.hand.enabled == ["Replay"]
    assert len([one for one in ann.dms() if one.says("Your hand · Deal")]) == 1
    assert server.post("shoots the moon").says("Everyone else gets +26.")
    assert not server.post("Points in deal 1").says("shoots the moon")  # it stands right above
    assert sum(post.says("Everyone else gets +26") for post in server.posts()) == 1
    assert server.post("🏆").says("Ann wins!")
    assert totals(server.post("🏆").text) == {"Ann": 0, "Bo": 26, "Cy": 26, "Di": 26}
    assert "🌕 **1 moon**" in (await ann.run("hearts stats")).told
    assert "🌕" not in (await bo.run("hearts stats")).told


@pytest.mark.parametrize(
    ("game", "house", "pressed", "told", "points"),
    [
        ("classic", {"moon": "others"}, None, "Everyone else gets +26.", (0, 26)),
        ("classic", {"moon": "self"}, None, "−26 for Ann.", (-26, 0)),
        ("classic", {"moon": "half"}, None, "−13 for Ann, +13 for everyone else.", (-13, 13)),
        ("double-deck", {"moon": "half"}, None, "−26 for Ann, +26 for everyone else.", (-26, 26)),
        ("double-deck", {}, "+52 for the others", "Everyone else gets +52.", (0, 52)),
        ("double-deck", {"spot_hearts": True}, "−234 for me", "Ann takes −234.", (-234, 0)),
    ],
)
async def test_what_a_moon_brings_by_the_rules_of_the_house(
    open_server, game: str, house: dict, pressed: str | None, told: str, points: tuple[int, int]
) -> None:
    players, hands = (4, (CLUBS,)) if game == "classic" else (6, HIGH_CLUBS)
    house = {"pass_cards": 0, **house}
    server = await open_table(open_server, game, players, hands, people=2, house=house, ends_at=1000)
    ann, bo = server.people
    await play_on([ann, bo], lambda: server.shows("shoots the moon!") or server.shows("After deal 1"))
    assert server.shows("shoots the moon!") == bool(pressed)  # nobody is asked without a choice
    if pressed:
        worth = pressed.split()[0].strip("−+")
        assert ann.hand.enabled == [f"−{worth} for me", f"+{worth} for the others"]
        assert bo.hand.enabled == []
        await ann.click(pressed, ann.hand)
    assert server.shows(told)
    [table] = server.env.bot.tables.live
    assert table.game.points == ((points[0], *[points[1]] * (players - 1)),)
