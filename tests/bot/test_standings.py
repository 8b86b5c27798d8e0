"""What games have come to: leaderboards, one player's statistics, and two players head to head."""

import re
from dataclasses import replace
from typing import Any

import pytest
from games import play_a_game
from own_data import forget
from people import Player
from seen import Seen, lines, plain
from server import OpenServer, Server, Sketches
from storage.results import CHINESE, CLASSIC, finish

from bot.standings import careers as render
from engine.languages import ENGLISH
from engine.ratings import Rating
from engine.storage.results import GameKind, note_achievements
from engine.storage.standings import Tally

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
    [row] = server.rows("SELECT mu, sigma FROM results WHERE person = ? ORDER BY number DESC LIMIT 1", bo.id)
    shown = await board(bo)
    assert lines(shown)[0] == ["1.", str(Rating(*row).shown), "Bo", "2/5"]
    assert shown.says("Bo is number 1 of 3.")


async def test_each_period_has_its_board(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await server.restart(after=40 * A_DAY)  # to February
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


# Statistics


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
