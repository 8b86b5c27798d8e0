"""Leaderboards."""

import re

import pytest
from people import Player, play_on
from seen import Seen, totals
from server import Server

#: `🥇 **Ann** · 2/3 · 4.5 · 🌕 1`: the place, the name, games won and played, points a deal, moons.
LINE = r"^(\S+) \*\*(.+)\*\* · (\d+)/(\d+) · (−?\d+\.\d)(?: · 🌕 (\d+))?$"
PLACES = {"🥇": "1.", "🥈": "2.", "🥉": "3."}


async def play_a_game(server: Server, *players: Player) -> dict[str, int]:
    """A game to the end in these people's channel; everybody's total."""
    await server.deal(*players, ends_at=1)
    at = players[0].at
    await play_on(players, lambda: "🏆" in server.posts(at)[-1].text)
    return totals(server.posts(at)[-1].text)


def lines(seen: Seen) -> list[list[str]]:
    """A leaderboard's lines: place, name, wins, games, points a deal, moons."""
    return [
        [PLACES.get(place, place), name, *figures]
        for place, name, *figures in re.findall(LINE, seen.text, re.MULTILINE)
    ]


async def test_before_the_first_game(server: Server, ann: Player) -> None:
    [board] = (await ann.run("leaderboard")).public
    assert board.says("No game has been finished here yet. /hearts new opens a table.")


async def test_after_two_games(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    first = await play_a_game(server, ann, bo)
    second = await play_a_game(server, ann, bo, cy)
    wins = {
        name: sum(game.get(name) == min(game.values()) for game in (first, second))
        for name in ("Ann", "Bo", "Cy")
    }
    points = {name: first.get(name, 0) + second[name] for name in ("Ann", "Bo", "Cy")}
    games = {"Ann": 2, "Bo": 2, "Cy": 1}
    [board] = (await ann.run("leaderboard")).public
    shown = lines(board)
    assert {line[1] for line in shown} == {"Ann", "Bo", "Cy"}  # and no computer
    for line in shown:
        name = line[1]
        average = f"{points[name] / games[name]:.1f}"
        assert line[2:5] == [str(wins[name]), str(games[name]), average]
    order = sorted(games, key=lambda name: (-wins[name], points[name] / games[name]))
    assert [line[1] for line in shown] == order


@pytest.mark.slow
async def test_a_leaderboard_has_pages(server: Server, ann: Player) -> None:
    everybody = [*server.people, *(server.add(f"Player {number}") for number in range(8))]
    for start in range(0, 12, 4):
        players = everybody[start : start + 4]
        for player in players:
            player.at = server.channel
        await play_a_game(server, *players)
    await ann.run("leaderboard")
    first = server.posts()[-1]
    assert len(lines(first)) == 10
    assert list(first.buttons) == ["Back", "1 of 2", "Next"]
    assert first.enabled == ["Next"]
    await everybody[-1].click("Next")  # anybody may turn the page
    second = server.posts()[-1]
    assert second.id == first.id
    assert len(lines(second)) == 2
    assert second.enabled == ["Back"]
    names = [line[1] for line in lines(first) + lines(second)]
    assert len(set(names)) == 12
    await ann.click("Back")
    assert server.posts()[-1].text == first.text


async def test_other_servers_have_other_leaderboards(server: Server, ann: Player) -> None:
    await play_a_game(server, ann)
    elsewhere = server.env.create_guild("Elsewhere")
    channel = elsewhere.create_text_channel("cards")
    member = elsewhere.add_member(ann.member.user)
    result = await member.slash(channel, "leaderboard")
    assert result.acknowledged
    [board] = server.posts(channel)
    assert board.says("No game has been finished here yet.")


async def test_a_player_goes_by_their_newest_name(server: Server, ann: Player) -> None:
    await play_a_game(server, ann)
    server.rename(ann, "Anna")
    await play_a_game(server, ann)
    [board] = (await ann.run("leaderboard")).public
    assert [line[1] for line in lines(board)] == ["Anna"]


async def test_a_stopped_game_does_not_count(server: Server, ann: Player) -> None:
    await server.deal_and_pass(ann)
    question = (await ann.run("hearts stop")).private[0]
    await ann.click("Stop", question)
    [board] = (await ann.run("leaderboard")).public
    assert board.says("No game has been finished here yet.")
