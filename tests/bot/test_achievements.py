"""Achievements: announced once, with the end of the game that proves them, and proved anew at any time."""

from dataclasses import replace
from typing import Any

import pytest
from moments import played
from own_data import NAME, exported, forget
from people import play_on
from play.test_feats import MOON as SHOT
from play.test_feats import classic
from play.test_feats import played as game_of
from server import MOON, Server, stacked

from bot.table import scores
from engine.play.moves import MoonChosen
from engine.rules.options import MoonChoice
from engine.storage.database import Database
from engine.tables import Achieved, Seat, Seats, State, Table
from engine.tables.store import award

NEWS = "Achieved for the first time"
ADD = "+26 for the others"


async def play_to_the_choice(server: Server) -> None:
    """Play until Ann has shot the moon, and may have others pay for it."""
    ann, *others = server.people
    for player, codes in zip(server.people, ("2D 3D 4D", "", "", "QC KC AC"), strict=True):
        await player.pass_cards(codes)
    await play_on([ann, *others], lambda: ADD in ann.hand.enabled)


def stored(server: Server) -> set[tuple[int, str]]:
    return {(row["person"], row["id"]) for row in server.stored()["achievements"]}


@pytest.mark.slow
async def test_the_first_moon_is_announced_after_a_kill_too_and_the_second_is_not(open_server: Any) -> None:
    """And privacy hands it out and deletes it."""
    server: Server = await open_server(stacked(MOON, MOON), names=(NAME, "Bo", "Cy", "Di"))
    ann = server.people[0]
    await server.deal(ends_at=1)
    await play_to_the_choice(server)
    await server.act_unseen(ann, lambda seat: MoonChosen(seat, MoonChoice.ADD))
    assert not server.shows("🏆")
    await server.restart()
    told = server.post("🏆")
    assert f"### 🏅 {NEWS}\n🌕 **{NAME}** · **Over the moon**\n-# Shot the moon." in told.text
    assert told.says("-# You're rated after 5 games with people.")
    assert told.text.count("Over the moon") == 1
    assert stored(server) == {(ann.id, "moon")}
    await server.restart()
    assert server.post("🏆").text == told.text
    await ann.click("Rematch")
    await ann.click("Start")
    await play_to_the_choice(server)
    await ann.click(ADD, ann.hand)
    assert "🏆" in server.posts()[-1].text
    assert NEWS not in server.posts()[-1].text
    data = await exported(await ann.export_data())
    assert data["achievements"] == [{"server": str(server.guild.id), "achievement": "moon", "table": 1}]
    await forget(ann)
    assert stored(server) == set()


def test_several_are_told_seat_by_seat() -> None:
    achieved = (Achieved(3, "streak"), Achieved(0, "comeback"), Achieved(3, "moon"))
    few = replace(played("classic", 4, ends_at=1), achieved=achieved)
    [lines] = [part for part in scores.final(few).parts if isinstance(part, str) and NEWS in part]
    assert [line[:1] for line in lines.split("\n")[1::2]] == ["🚀", "🌕", "🔥"]


@pytest.mark.parametrize("has_left", [False, True])
async def test_a_moon_is_theirs_who_had_the_seat_then_and_last(database: Database, has_left: bool) -> None:
    game = game_of(classic(ends_at=52), SHOT[0], SHOT[1])
    bo = Seat(2, "Bo", since=2, away=has_left)
    seats = Seats([Seat(1, "Ann", since=2), bo, Seat(None, "Nina"), Seat(4, "Di")])
    table = Table(
        id=1, guild=2, channel=3, host=1, rules=game.rules, state=State.OVER, seats=seats, game=game
    )
    await database.read("PRAGMA foreign_keys = OFF")
    achieved = await database.write(lambda connection: award(connection, table))
    assert achieved == (() if has_left else (Achieved(1, "moon"),))
