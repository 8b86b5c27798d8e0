"""Shooting the moon, and the choice that follows it."""

import re

import pytest
from people import Answer, Player, play_on, refusal
from seen import totals
from server import MOON, Server, stacked

pytestmark = pytest.mark.slow


@pytest.fixture
async def server(open_server) -> Server:
    return await open_server(stacked(MOON))


async def shoot(server: Server, **options: int | str) -> None:
    """Play the deal until Ann has to choose."""
    await server.deal(**options)
    ann, bo, cy, di = server.people
    for player in server.people:
        if not player.has_dms:
            await player.open_hand()
    await ann.pass_cards("2D 3D 4D")
    for player in (bo, cy):
        await player.pass_cards()
    await di.pass_cards("QC KC AC")
    await play_on(server.people, lambda: server.shows("shoots the moon"))


async def test_the_shooter_is_asked_and_the_others_see_until_when(
    server: Server, ann: Player, bo: Player
) -> None:
    await shoot(server, pace="live")
    assert ann.hand.says("You shot the moon! Choose:")
    assert ann.hand.enabled == ["−26 for me", "+26 for the others"]
    post = server.post("shoots the moon")
    assert post.says("Ann shoots the moon! Ann chooses: −26 for the shooter, or +26 for everyone else.")
    assert bo.hand.enabled == []
    assert re.search(r"or \+26 for everyone else\.\n-# Deadline <t:\d+:R>", post.text)
    assert re.search(r"Choose:\n-# Deadline <t:\d+:R>", ann.hand.text)


async def test_26_for_the_others(server: Server, ann: Player, bo: Player) -> None:
    await shoot(server, ends_at=1)
    await ann.click("+26 for the others", ann.hand)
    assert server.post("shoots the moon").says("Everyone else gets +26.")
    assert not server.post("Points in deal 1").says("shoots the moon")  # it stands right above
    assert sum(post.says("Everyone else gets +26") for post in server.posts()) == 1
    assert server.post("🏆").says("Ann wins!")
    assert totals(server.post("🏆").text) == {"Ann": 0, "Bo": 26, "Cy": 26, "Di": 26}
    assert "🌕 **1 moon**" in (await ann.run("hearts stats")).told
    assert "🌕" not in (await bo.run("hearts stats")).told


async def test_26_off_for_the_shooter(server: Server, ann: Player) -> None:
    await shoot(server, ends_at=1)
    await ann.click("−26 for me", ann.hand)
    assert server.post("shoots the moon").says("Ann takes −26.")
    assert server.post("After deal 1").says("🟢 Ann −26 → −26")
    assert not server.shows("🏆")  # nobody has reached 1
    assert ann.hand.says("Your hand · Deal 2")


async def test_both_choices_at_once_of_which_the_first_counts(server: Server, ann: Player) -> None:
    await shoot(server, ends_at=100)
    hand = ann.hand
    first, second = ann.press("−26 for me", hand), ann.press("+26 for the others", hand)
    await server.settle()
    assert first.told == ""
    assert second.told == refusal("stale")
    assert server.post("After deal 1").says("🟢 Ann −26 → −26")


async def test_the_last_choice_of_a_game_pressed_twice_at_once(server: Server, ann: Player) -> None:
    await shoot(server, ends_at=1)
    hand = ann.hand
    answers = [ann.press("+26 for the others", hand) for _ in range(3)]
    await server.settle()
    assert answers[0].told == ""
    for answer in answers[1:]:
        assert answer.told == refusal("table_gone")
    assert ann.hand.says("The game is over.")
    assert ann.hand.enabled == ["Replay"]
    assert len([one for one in ann.dms() if one.says("Your hand · Deal")]) == 1


async def test_the_choice_in_the_channel(server: Server, ann: Player) -> None:
    ann.close_dms()
    await shoot(server, ends_at=1)
    await ann.click("+26 for the others", ann.hand)
    assert server.shows("Ann wins!")


async def test_nobody_else_chooses(server: Server, ann: Player, bo: Player) -> None:
    await shoot(server)
    before = server.stored()
    answer: Answer = bo.press("+26 for the others", ann.hand)
    await server.settle()
    assert answer.told == refusal("no_moon_choice")
    assert server.stored() == before
