"""Leaderboards."""

import re
from typing import Any

import pytest
from games import play_a_game
from people import Player
from seen import Seen, lines
from server import Server
from storage.results import finish

from engine.ratings import Rating

COUNTS_LESS = (
    "-# Games count less if they have fewer than four deals, "
    "or if you play newcomers or always the same people."
)
A_DAY = 24 * 60 * 60.0
ORDERS, PERIODS = ["Rating", "Wins", "Points a deal", "Against par"], ["This month", "This year", "All time"]
#: What the figures are, by the button that shows them.
LEGENDS = {
    "Rating": "rating · won/played",
    "This year": "rating · gained this year",
    "Wins": f"wins that count · won/played · 🌕 moons {COUNTS_LESS}",
    "Points a deal": f"points a deal · won/played · 🌕 moons {COUNTS_LESS}",
}


async def played(
    server: Server, *placed: tuple[Player, int], times: int = 1, ago: float = 0.0, **others: Any
) -> None:
    """Games that these people have finished in this server so many seconds ago, each at this place."""
    names = {player.id: player.member.user.global_name for player, _ in placed}
    ended_at = server.env.now().timestamp() - ago
    for _ in range(times):
        await finish(
            server.databases[-1],
            *((player.id, place) for player, place in placed),
            **{"names": names, "guild": server.guild.id, "ended_at": ended_at, **others},
        )


async def board(player: Player, *clicks: str) -> Seen:
    """The leaderboard after these buttons, all pressed by who opened it."""
    [shown] = (await player.run("hearts leaderboard")).public
    for label in clicks:
        await player.click(label, shown)
        shown = player.server.posts(player.at)[-1]
    return shown


@pytest.mark.slow
async def test_a_games_end_tells_what_it_has_made_of_ratings(server: Server) -> None:
    ann, bo, cy, di = server.people
    for other in (bo, bo, bo, bo, di):
        await played(server, (ann, 1), (other, 2))
    before = {name: rating for _, rating, name, *_ in lines(await board(ann))}["Ann"]
    totals = await play_a_game(server, ann, bo, cy)
    told = server.post("📈 Ratings").text.replace("\N{NO-BREAK SPACE}", " ")
    found = dict(re.findall(r"\*\*(Ann|Bo|Cy)\*\* ([^·\n]+)", told.partition("📈 Ratings: ")[2]))
    shown = {name: rating for _, rating, name, *_ in lines(await board(ann))}
    gained = int(shown["Ann"]) - int(before)
    told_of_it = f"{'▼' if gained < 0 else '▲'} {abs(gained)}" if gained else "±0"
    assert found["Ann"].strip() == f"{shown['Ann']} {told_of_it}"
    assert found["Bo"].strip() == shown["Bo"]  # for the first time
    assert set(found) == {"Ann", "Bo"}
    assert "-# You're rated after 5 games with people." in told
    assert "-# Games with fewer than four deals count less in ratings." in told
    assert [totals[name] for name in found] == sorted(totals[name] for name in found)
    assert ann.dm.says(f"📈 Your rating: {shown['Ann']} ")
    assert cy.dm.says("📈 4 more games until you have a rating.")


async def test_a_rating_shows_from_five_games_on(server: Server) -> None:
    ann, bo, cy, di = server.people
    assert (await board(ann)).says("No game has been finished here yet. /hearts new opens a table.")
    await played(server, (ann, 1), (bo, 2), times=3)
    await played(server, (bo, 1), (cy, 2))
    shown = await board(ann)
    assert lines(shown) == [
        ["", "●●●●○", "Bo", "1/4"],
        ["", "●●●○○", "Ann", "3/3"],
        ["", "●○○○○", "Cy", "0/1"],
    ]
    assert shown.says("rated after 5 games")
    assert shown.says("Ann: 2 more games until you have a rating.")
    assert (await board(di)).says("Di hasn't played one yet.")
    await played(server, (bo, 1), (cy, 2))
    [row] = await server.databases[-1].read(
        "SELECT mu, sigma FROM results WHERE person = ? ORDER BY number DESC LIMIT 1", (bo.id,)
    )
    shown = await board(bo)
    assert lines(shown)[0] == ["1.", str(Rating(*row).shown), "Bo", "2/5"]
    assert shown.says("Bo is number 1 of 3.")


async def test_each_period_has_its_board(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    server.env.backend.advance_clock(40 * A_DAY)  # to February
    await played(server, (cy, 1), (ann, 2), ago=60 * A_DAY, times=2)
    await played(server, (bo, 1), (ann, 2), ago=20 * A_DAY, times=3)
    assert (await board(ann, "This month")).says("Nobody has finished one yet.")
    await played(server, (ann, 1), (bo, 2))
    wins = {label: [line[1:4] for line in lines(await board(ann, "Wins", label))] for label in PERIODS}
    assert wins["All time"] == [["2.0", "Bo", "3/4"], ["0.8", "Ann", "1/6"], ["0.3", "Cy", "2/2"]]
    assert wins["This month"] == [["0.8", "Ann", "1/1"], ["0.0", "Bo", "0/1"]]
    assert wins["This year"] == [["2.0", "Bo", "3/4"], ["0.8", "Ann", "1/4"]]
    shown = await board(cy, "Wins", "This month")
    assert shown.says("Games between people, this month")
    assert shown.says("Cy hasn't played one yet.")
    [line] = [line for line in lines(await board(ann, "This month")) if line[2] == "Ann"]
    assert re.fullmatch("▲ [0-9]+", line[3])


async def test_games_alone_have_a_board_of_their_own(server: Server, ann: Player, bo: Player) -> None:
    await played(server, (ann, 1), points=[20])
    shown = await board(ann)
    assert shown.says("Games alone against computers, all time")
    assert list(shown.buttons) == [*ORDERS[1:], *PERIODS]
    assert lines(shown) == [["1.", "1.0", "Ann", "1/1"]]
    assert shown.says("wins that count · won/played · 🌕 moons -# Games of fewer than four deals count less.")
    for name in ("Ann", "Anna"):
        await played(server, (bo, 1), (ann, 2), names={ann.id: name, bo.id: "Bo"})
    shown = await board(ann)
    assert list(shown.buttons) == [*ORDERS, *PERIODS]
    assert [line[2] for line in lines(shown)] == ["Bo", "Anna"]
    [between, alone] = shown.options("Another game")
    assert (between, alone) == ("Hearts, lowest total wins", "Hearts, lowest total wins, alone")
    await ann.choose(shown.select["options"][1]["value"], shown)
    shown = server.posts()[-1]
    assert shown.says("Games alone against computers")
    assert [line[2] for line in lines(shown)] == ["Ann"]


async def test_a_leaderboard_has_pages_and_whoever_turns_them_is_told_of(server: Server, ann: Player) -> None:
    everybody = [*server.people, *(server.add(f"Player {number}") for number in range(8))]
    for start in range(0, 12, 4):
        people = everybody[start : start + 4]
        await played(server, *[(player, place) for place, player in enumerate(people, 1)])
    first = await board(ann, "Wins")
    assert len(lines(first)) == 10
    assert first.says("Ann is number 1 of 12.")
    assert list(first.buttons)[-3:] == ["Back", "1 of 2", "Next"]
    assert first.enabled[-1] == "Next"
    await everybody[-1].click("Next")  # anybody may turn the page
    second = server.posts()[-1]
    assert second.id == first.id
    assert len(lines(second)) == 2
    assert second.says("Player 7 is number 10 of 12, level with Player 3.")
    assert second.enabled[-1] == "Back"
    names = [line[2] for line in lines(first) + lines(second)]
    assert len(set(names)) == 12
    await ann.click("Back")
    assert server.posts()[-1].text == first.text


async def test_below_the_lines_stands_what_they_are_and_how_far_behind_one_is(server: Server) -> None:
    ann, bo, cy, di = server.people
    await played(server, (ann, 1), (bo, 2), (cy, 3), points=[10, 20, 20], times=5)
    shown = await board(bo)
    first, second = (int(line[1]) for line in lines(shown)[:2])
    assert shown.says(f"Bo is number 2 of 3, {first - second} points behind Ann.")
    for player, label, told in (
        (bo, "Wins", "Bo is number 2 of 3, 1.7 wins behind Ann."),
        (cy, "Wins", "Cy is number 2 of 3, level with Bo."),
        (cy, "Points a deal", "Cy is number 2 of 3, level with Bo."),
        (bo, "Points a deal", "Bo is number 2 of 3, 2.5 points a deal behind Ann."),
        (di, "Rating", "Di hasn't played one yet."),
        (di, "This year", "Di hasn't played one yet."),
    ):
        await player.click(label, server.posts()[-1])
        assert server.posts()[-1].says(told)
        assert server.posts()[-1].says(LEGENDS[label])


async def test_whatever_else_is_asked_for_is_what_was_played_most(server: Server, ann: Player) -> None:
    await played(server, (ann, 1))
    shown = await board(ann)
    games = ("classic.highest:people", "nonsense.lowest:alone", "nonsense:nonsense")
    for shows, values in (
        *[(f":classic.lowest:alone:wins:ever:{page}:next", ()) for page in (1, 10**6, 2**63 - 1)],
        *[(f":{game}:wins:ever:0", ()) for game in games],
        *[(":wins:ever:0", (game,)) for game in games],
    ):
        assert await ann.try_control(f"hearts:board:0{shows}", shown, *values) == ""
        assert server.posts()[-1].text == shown.text, shows
