"""/hearts stats: what one player's games have come to, and two players head to head."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from own_data import forget
from people import Player
from seen import plain
from server import OpenServer, Server, Sketches
from storage.results import CLASSIC
from test_standings import played

from bot.standings import careers as render
from engine.languages import ENGLISH
from engine.storage.results import GameKind, note_achievements
from engine.storage.standings import Tally

CHINESE = GameKind("chinese", lowest=False)


async def stats(asking: Player, **options: Any) -> str:
    return plain((await asking.run("hearts stats", **options)).told)


async def test_games_alone_are_apart_from_those_with_people(server: Server, ann: Player, bo: Player) -> None:
    figures = {"best": -26, "worst": 12, "moons": 2, "queens": 3, "queens_given": 5}
    await played(server, (ann, 1), (bo, 2), points=[30, 50], **figures)
    answer = await ann.run("hearts stats")
    assert not answer.public
    assert answer.told == (await bo.run("hearts stats", player=ann.member)).told
    assert answer.told == (await ann.run("hearts stats", against=ann.member)).told
    [own] = answer.private
    assert own.says("Ann Hearts, lowest total wins -# Rated after 5 games with people: 1 so far.")
    assert own.says("With people 🏆 1 win in 1 game 🃏 7.5 points a deal")
    assert own.says("⚖️ Best deal −26, worst 12 🌕 2 moons")
    assert own.says("3 taken, 5 given away")
    assert not own.says("Alone with computers")
    for place in (1, 1, 2):
        await played(server, (ann, place))
    with_people, alone = (await stats(ann)).split("Alone with computers")
    assert "🏆 1 win in 1 game" in with_people
    assert "🏆 2 wins in 3 games" in alone
    assert "🔥 2 wins in a row at best" in alone
    assert "Best deal" not in alone  # nothing is known of old games' deals


@pytest.mark.parametrize(
    ("figures", "told"),
    [
        ({}, []),
        ({"queens_given": 3}, ["`Q♠` **0** taken, **3** given away"]),
        ({"queens": 2}, ["`Q♠` **2** taken, **0** given away"]),
        ({"streak": 2, "longest": 2}, ["🔥 **2 wins in a row**, the most so far"]),
        ({"streak": 2, "longest": 3}, ["🔥 **2 wins in a row**, 3 at best"]),
        ({"streak": 0, "longest": 2}, ["🔥 **2 wins in a row** at best"]),
    ],
)
def test_queens_and_streaks_are_told_where_there_were_any(figures: dict[str, int], told: list[str]) -> None:
    tally = replace(Tally(3, 0, 0, 0, 40, 4, 0, 26, moons=0, queens=0, queens_given=0), **figures)
    shown = render.stats(render.Subject(1, "Ann", [CLASSIC], CLASSIC), tally, None, [], [], None, ENGLISH)
    lines = "\n".join(part for part in shown.parts if isinstance(part, str)).split("\n")
    assert [line for line in lines if " taken, " in line or "in a row" in line] == told


async def test_the_rating_is_a_curve_from_the_fifth_game_on(open_server: OpenServer) -> None:
    server: Server = await open_server(sketches=Sketches())
    ann, bo, *_ = server.people
    for number in range(1, 5):
        await played(server, (ann, 1), (bo, 2))
        [shown] = (await ann.run("hearts stats")).private
        assert shown.says(f"{number} so far")
        assert not shown.pictures
    await played(server, (ann, 2), (bo, 1))
    [shown] = (await ann.run("hearts stats")).private
    [scene] = server.scenes(shown)
    assert [game for game, _ in scene.ratings] == [1, 2, 3, 4, 5]
    (_, first), *_, (_, fourth), (_, fifth) = scene.ratings
    assert fourth > max(first, fifth) > 1000
    told = f"Rating {first} after game 1, {fifth} after game 5; the highest was {fourth}, after game 4."
    assert shown.pictures[0]["description"] == told
    server.sketches = None  # nothing can be drawn any more
    await server.restart()
    assert told in await stats(ann)


async def test_another_game_can_be_chosen(server: Server, ann: Player, bo: Player) -> None:
    await played(server, (ann, 1), (bo, 2), times=2)
    await played(server, (ann, 2), (bo, 1), kind=CHINESE)
    await played(server, (bo, 1), kind=GameKind("wikibooks", lowest=True))  # not with Ann
    for options, told in (
        ({}, "Ann Chinese Hearts, highest total wins"),
        ({"against": bo.member}, "Ann against Bo Chinese Hearts, highest total wins"),
    ):
        [shown] = (await bo.run("hearts stats", player=ann.member, **options)).private
        kinds = ["Hearts, lowest total wins", "Chinese Hearts, highest total wins"]
        assert list(shown.options("Another game")) == kinds
        await bo.choose("chinese.highest", shown)
        assert shown.current.says(told)
        await bo.choose("classic.lowest", shown.current)
        assert shown.current.text == shown.text


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
    assert "0 of 9 achievements" in await stats(bo)


async def test_head_to_head_until_one_deletes_everything(
    server: Server, ann: Player, bo: Player, cy: Player
) -> None:
    await played(server, (ann, 1), (bo, 2), points=[10, 30], times=3)
    await played(server, (ann, 2), (bo, 1), points=[40, 6])
    await played(server, (ann, 1), (bo, 1), (cy, 3), points=[8, 8, 30])
    await played(server, (ann, 1), (cy, 2))
    answer = await ann.run("hearts stats", against=bo.member)
    [shown] = answer.private
    assert shown.says("Ann against Bo Hearts, lowest total wins")
    assert shown.says("🟦 Ann ahead 3 times 🟧 Bo ahead once ⬜ level once")
    assert shown.says("🃏 3.9 points a deal against 5.2")
    assert shown.says("In 5 games at the same table.")
    assert shown.text.count("🟦") + shown.text.count("🟧") + shown.text.count("⬜") == 12 + 3
    other = await stats(cy, player=bo.member, against=ann.member)
    assert "Bo against Ann" in other
    assert "🟦 Bo ahead once 🟧 Ann ahead 3 times" in other
    before = await stats(ann)
    await forget(bo)
    assert await stats(ann) == before
    together = await stats(ann, against=bo.member)
    assert together == "Ann and Bo have not finished a game together here yet."
    assert await stats(ann, player=bo.member) == "Bo has not finished a game here yet."
    assert await stats(bo) == "You have not finished a game here yet. /hearts new opens a table."
