"""/hearts stats: what one player's games have come to, and two players head to head."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import OpenServer
from games import play_a_game
from people import Player
from seen import plain
from server import PEOPLE, Server, Sketches
from storage.results import CLASSIC, finish

from bot.standings import careers as render
from bot.vocabulary.scenes import RatingScene
from engine.languages import ENGLISH
from engine.storage.results import GameKind, note_achievements
from engine.storage.standings import Tally

CHINESE = GameKind("chinese", lowest=False)
KINDS = ["Hearts, lowest total wins", "Chinese Hearts, highest total wins"]


async def played(server: Server, *placed: tuple[Player, int], **others: Any) -> None:
    """A game that these people have finished in this server, each at this place."""
    await finish(
        server.databases[-1],
        *((player.id, place) for player, place in placed),
        names={player.id: name for player, name in zip(server.people, PEOPLE, strict=True)},
        **{"guild": server.guild.id, "kind": CLASSIC, **others},
    )


async def test_before_the_first_game(server: Server, ann: Player, bo: Player) -> None:
    told = "You have not finished a game here yet. `/hearts new` opens a table."
    assert (await ann.run("hearts stats")).told == told
    assert (await ann.run("hearts stats", player=bo.member)).told == "Bo has not finished a game here yet."
    together = await ann.run("hearts stats", against=bo.member)
    assert together.told == "Ann and Bo have not finished a game together here yet."


async def test_a_game_between_people_as_it_was_played(server: Server, ann: Player, bo: Player) -> None:
    result = await play_a_game(server, ann, bo)
    answer = await ann.run("hearts stats")
    other = await bo.run("hearts stats", player=ann.member)
    assert not answer.public
    assert other.told == answer.told
    [own] = answer.private
    won = "1 win" if result["Ann"] == min(result.values()) else "0 wins"
    assert own.says("Ann Hearts, lowest total wins -# Rated after 5 games with people: 1 so far.")
    assert own.says(f"With people 🏆 {won} in 1 game 🃏 {result['Ann']}.0 points a deal")
    assert own.says(f"⚖️ Best deal {result['Ann']}, worst {result['Ann']}")
    assert not own.says("Alone with computers")


async def test_games_alone_are_apart_from_those_with_people(server: Server, ann: Player, bo: Player) -> None:
    await played(server, (ann, 1), (bo, 2), best=-26, worst=12, moons=2, queens=3, queens_given=5)
    for place in (1, 1, 2):
        await played(server, (ann, place))
    told = plain((await ann.run("hearts stats")).told)
    with_people, alone = told.split("Alone with computers")
    assert "🏆 1 win in 1 game" in with_people
    assert "⚖️ Best deal −26, worst 12 🌕 2 moons" in " ".join(with_people.split())
    assert "3 taken, 5 given away" in with_people
    assert "🏆 2 wins in 3 games" in alone
    assert "🔥 2 wins in a row at best" in alone
    assert "Best deal" not in alone  # nothing is known of old games' deals


@pytest.mark.parametrize(
    ("places", "told"),
    [
        ("11", "2 wins in a row, the most so far"),
        ("111211", "2 wins in a row, 3 at best"),
        ("112", "2 wins in a row at best"),
    ],
)
async def test_streaks(server: Server, ann: Player, bo: Player, places: str, told: str) -> None:
    for place in places:
        await played(server, (ann, int(place)), (bo, 3 - int(place)))
    assert f"🔥 {told}" in plain((await ann.run("hearts stats")).told)


async def test_the_rating_is_a_curve_from_the_fifth_game_on(
    open_server: OpenServer,
) -> None:
    server: Server = await open_server(sketches=Sketches())
    ann, bo, *_ = server.people
    for number in range(5):
        [shown] = (await ann.run("hearts stats")).private
        assert not shown.pictures
        await played(server, (ann, 1), (bo, 2))
        assert number == 4 or plain((await ann.run("hearts stats")).told).count(f"{number + 1} so far")
    [shown] = (await ann.run("hearts stats")).private
    [scene] = server.scenes(shown)
    assert isinstance(scene, RatingScene)
    assert [game for game, _ in scene.ratings] == [1, 2, 3, 4, 5]
    assert scene.ratings[-1][1] > scene.ratings[0][1] > 1000
    said = shown.pictures[0]["description"]
    assert said.startswith(f"Rating {scene.ratings[0][1]} after game 1, {scene.ratings[-1][1]} after game 5;")


async def test_where_nothing_can_be_drawn_the_curve_is_told(server: Server, ann: Player, bo: Player) -> None:
    for place in (1, 1, 1, 1, 2):
        await played(server, (ann, place), (bo, 3 - place))
    told = plain((await ann.run("hearts stats")).told)
    assert "Rating 1" in told
    assert "after game 5; the highest was" in told
    assert ", after game 4." in told


async def test_another_game_can_be_chosen(server: Server, ann: Player, bo: Player) -> None:
    for _ in range(2):
        await played(server, (ann, 1), (bo, 2))
    await played(server, (ann, 2), (bo, 1), kind=CHINESE)
    [shown] = (await bo.run("hearts stats", player=ann.member)).private
    assert list(shown.options("Another game")) == KINDS
    await bo.choose("chinese.highest", shown)
    now = bo.sees()[-1]
    assert now.id == shown.id
    assert now.says("Ann Chinese Hearts, highest total wins")
    assert now.says("🏆 0 wins in 1 game")
    await bo.choose("classic.lowest", now)
    assert bo.sees()[-1].text == shown.text


async def test_achievements_are_listed_whatever_the_game(server: Server, ann: Player, bo: Player) -> None:
    await played(server, (ann, 1), (bo, 2), kind=CHINESE)
    await server.databases[-1].write(
        lambda connection: note_achievements(connection, 1, server.guild.id, ann.id, ["streak", "moon"])
    )
    [shown] = (await bo.run("hearts stats", player=ann.member)).private
    assert shown.says(
        "🏅 2 of 9 achievements 🌕 Over the moon -# Shot the moon. "
        "🔥 Hot streak -# Won 5 games with people in a row."
    )
    assert not shown.says("Two full moons")
    [missing] = (await bo.click("Not yet: 7", shown)).private
    assert missing.says(
        "Achievements still to get 🌝 Two full moons: shot the moon twice in one game ☀️ Sunrise: shot the sun"
    )
    assert not missing.says("Over the moon")
    assert "0 of 9 achievements" in (await bo.run("hearts stats")).told


async def test_head_to_head(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    for _ in range(3):
        await played(server, (ann, 1), (bo, 2), points=[10, 30])
    await played(server, (ann, 2), (bo, 1), points=[40, 6])
    await played(server, (ann, 1), (bo, 1), (cy, 3), points=[8, 8, 30])
    await played(server, (ann, 1), (cy, 2))
    answer = await ann.run("hearts stats", against=bo.member)
    assert not answer.public
    [shown] = answer.private
    assert shown.says("Ann against Bo Hearts, lowest total wins")
    assert shown.says("🟦 Ann ahead 3 times 🟧 Bo ahead once ⬜ level once")
    assert shown.says("🃏 3.9 points a deal against 5.2")
    assert shown.says("In 5 games at the same table.")
    assert shown.text.count("🟦") + shown.text.count("🟧") + shown.text.count("⬜") == 12 + 3
    [other] = (await cy.run("hearts stats", player=bo.member, against=ann.member)).private
    assert other.says("Bo against Ann")
    assert other.says("🟦 Bo ahead once 🟧 Ann ahead 3 times")


async def test_head_to_head_in_another_game(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    for _ in range(2):
        await played(server, (ann, 1), (bo, 2))
    await played(server, (bo, 1), (ann, 2), kind=CHINESE)
    await played(server, (ann, 1), kind=GameKind("wikibooks", lowest=True))  # not with Bo
    [shown] = (await cy.run("hearts stats", player=ann.member, against=bo.member)).private
    assert list(shown.options("Another game")) == KINDS
    await cy.choose("chinese.highest", shown)
    now = cy.sees()[-1]
    assert now.id == shown.id
    assert now.says("Ann against Bo Chinese Hearts, highest total wins")
    assert now.says("🟦 Ann never ahead 🟧 Bo ahead once")


async def test_against_oneself_are_ones_own(server: Server, ann: Player, bo: Player) -> None:
    await played(server, (ann, 1), (bo, 2))
    assert (await ann.run("hearts stats", against=ann.member)).told == (await ann.run("hearts stats")).told


async def test_a_stranger_is_nobodys_rival_any_more(server: Server, ann: Player, bo: Player) -> None:
    for _ in range(2):
        await played(server, (ann, 1), (bo, 2))
    before = (await ann.run("hearts stats")).told
    question = await bo.ask_to_delete()
    await bo.click("Delete it all", question)
    assert (await ann.run("hearts stats")).told == before
    assert "have not finished a game together" in (await ann.run("hearts stats", against=bo.member)).told
    assert (await bo.run("hearts stats")).told.startswith(
        "You have not finished a game here yet. `/hearts new`"
    )


@pytest.mark.parametrize(
    ("taken", "given", "told"),
    [
        (0, 0, None),
        (0, 3, "`Q♠` **0** taken, **3** given away"),
        (2, 0, "`Q♠` **2** taken, **0** given away"),
    ],
)
def test_queens_are_told_where_there_were_any(taken: int, given: int, told: str | None) -> None:
    tally = Tally(1, 0, 0, 0, 40, 4, 0, 26, moons=0, queens=taken, queens_given=given)
    shown = render.stats(render.Subject(1, "Ann", [CLASSIC], CLASSIC), tally, None, [], [], None, ENGLISH)
    lines = "\n".join(part for part in shown.parts if isinstance(part, str)).split("\n")
    assert [line for line in lines if "Q♠" in line and "taken" in line] == ([told] if told else [])
