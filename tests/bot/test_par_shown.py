"""Par as people see it: beside the points of a deal, at the end, in pictures, statistics and replays."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from at_once import deals_played
from games import NAMES, play_a_game
from moments import played
from own_data import exported
from pages import answer_oddly, clear_up
from people import Player, play_on
from seen import totals
from server import Server
from test_standings import played as finished

from bot.vocabulary.messages import Picture, Whisper
from bot.vocabulary.scenes import MOST_BARS, ParScene, Tone
from bot.words import par
from engine.errors import Refusal
from engine.play.par import Par
from engine.storage.pars import put_day_par
from engine.storage.standings import PAR_FROM
from engine.tables import PublicTable, Seats

PAR = Par((5.0, 8.5, 6.0, 6.5), (0.4, 0.5, 0.4, 0.5), 160)


def with_pars(table: PublicTable, *sums: float, error: float = 0.1) -> PublicTable:
    """The table with a par for each deal, which come to these sums by seat."""
    count = len(table.view.points)
    one = Par(tuple([total / count for total in sums]), (error,) * len(sums), 160)
    return replace(table, pars=dict.fromkeys(range(1, count + 1), one))


def ranked(*totals: int, preset: str = "classic") -> PublicTable:
    """A game of Ann, Bo and two computers that is over with these totals, by seat."""
    table = played(preset, 4)
    best = min(totals) if table.rules.winner.sign < 0 else max(totals)
    winners = tuple([seat for seat, total in enumerate(totals) if total == best])
    seats = Seats(seat if seat.name in ("Ann", "Bo") else replace(seat, person=None) for seat in table.seats)
    return replace(table, seats=seats, view=replace(table.view, totals=totals, winners=winners))


def verdict(table: PublicTable) -> str:
    """The line at the end, without its marks."""
    told = "".join(par.verdict(table))
    return told.removeprefix("⛳ ").replace("*", "")


# Words


WON, TIED = (9, 20, 30, 40), (9, 9, 30, 40)
SECOND, LAST = [f"By the cards Ann should have come {place}, but won." for place in ("second", "last")]


@pytest.mark.parametrize(
    ("totals", "wanted", "told"),
    [
        (WON, (30, 20, 25, 40), "By the cards Ann should have come third, but won."),
        (WON, (50, 30, 20, 10), f"{LAST} The cards favoured Di, who came last."),
        (WON, (10, 20, 30, 40), "The cards decided: everyone came where they had put them."),
        (WON, (10, 30, 20, 40), "The cards favoured Ann, who won."),
        (WON, (10, 10, 20, 40), "The cards favoured Ann and Bo; Ann won."),
        (WON, (25, 25, 25, 25), "The cards favoured nobody; Ann won."),
        (TIED, (25, 25, 25, 25), "The cards favoured nobody; Ann and Bo won together."),
        (TIED, (25, 25, 10, 25), "The cards favoured Cy; Ann and Bo won together."),
        (TIED, (10, 10, 40, 30), "The cards favoured Ann and Bo, who won together."),
        ((9, 40, 40, 40), (30, 10, 40, 50), f"{SECOND} The cards favoured Bo, who came last."),
    ],
)
def test_what_the_cards_wanted(totals: Sequence[int], wanted: Sequence[float], told: str) -> None:
    assert verdict(with_pars(ranked(*totals), *wanted)) == told


def test_where_points_are_good_the_cards_favour_those_with_many_and_what_is_unsure_ranks_nobody() -> None:
    table = ranked(500, 100, 0, -300, preset="chinese")
    assert verdict(with_pars(table, -90, 20, 0, -10)).startswith("By the cards Ann should have come last")
    assert verdict(with_pars(table, 400, 20, 0, -90)).startswith("The cards decided")
    table = ranked(9, 20, 30, 40)
    sure, unsure = (with_pars(table, 24.6, 24.4, 30, 40, error=error) for error in (0.01, 1.0))
    assert verdict(sure).startswith("By the cards Ann should have come second")
    assert verdict(unsure).startswith("The cards favoured Ann and Bo; Ann won")


def test_somebody_whom_the_cards_favoured_has_left() -> None:
    table = with_pars(ranked(9, 40, 30, 20), 40, 10, 50, 30)
    seats = [replace(seat, away=seat.name == "Bo") for seat in table.seats]
    told = verdict(replace(table, seats=Seats(seats)))
    assert told == "By the cards Ann should have come third, but won. The cards favoured Bo, who left."


def test_nothing_is_told_of_the_cards_before_every_deal_has_a_par() -> None:
    table = with_pars(ranked(9, 20, 30, 40), 50, 30, 20, 10)
    pars = dict(table.pars)
    del pars[1]
    assert verdict(replace(table, pars=pars)) == ""
    text = words(par.luck(replace(table, pars=pars)))
    done = len(pars) + 1
    assert f"Par is known for {done - 1} of {done} deals so far." in text
    assert "By the cards" not in text
    # Of a daily deal whose day is over, the deal going on has a par too.
    for unfinished in ({}, {done + 1: PAR}):
        page = words(par.luck(replace(table, pars=unfinished)))
        assert "Strong computers are still playing these cards." in page
        assert "Par is known" not in page


def words(page: Whisper) -> str:
    """A page's text."""
    return "\n".join(part for part in page.parts if isinstance(part, str))


def scene_of(table: PublicTable) -> ParScene:
    """The picture that compares with par."""
    [picture] = [part for part in par.luck(table).parts if isinstance(part, Picture)]
    assert len(picture.description) <= 1024
    return picture.scene


@pytest.mark.parametrize("preset", ["classic", "chinese"])
def test_the_picture_has_every_deal_of_everyone(preset: str) -> None:
    table = played(preset, 4)
    points, sign = table.view.points, table.rules.winner.sign
    means = [float(deal[0]) for deal in points]  # everyone's par is what Ann got
    pars = {number: Par((mean,) * 4, (0.1,) * 4, 160) for number, mean in enumerate(means, 1)}
    scene = scene_of(replace(table, pars=pars))
    by_name = {player.name: player for player in scene.players}
    for seat, name in enumerate(NAMES[:4]):
        found = by_name[name].deals
        assert [deal.points for deal in found] == [deal[seat] for deal in points]
        assert [deal.par for deal in found] == means
        for deal in found:
            better = sign * (deal.points - (deal.par or 0))
            assert deal.tone is (Tone.GOOD if better > 0 else Tone.BAD if better < 0 else Tone.PLAIN)
        assert by_name[name].has_won is (seat in table.winners)
    assert by_name["Ann"].gain.text == "±0.0"
    totals = [sign * table.view.totals[NAMES.index(player.name)] for player in scene.players]
    assert totals == sorted(totals, reverse=True), "the best first"


def test_of_a_long_game_the_picture_has_the_last_deals() -> None:
    table = played("classic", 4, deals=3)
    view = replace(table.view, points=table.view.points * 30)
    scene = scene_of(replace(table, view=view, pars={90: Par((1.0,) * 4, (0.1,) * 4, 160)}))
    assert {len(player.deals) for player in scene.players} == {MOST_BARS}
    assert scene.first == 90 - MOST_BARS + 1
    assert [deal.par for deal in scene.players[0].deals] == [*[None] * (MOST_BARS - 1), 1.0]


# In Discord


async def find_par(server: Server, deal: int) -> None:
    """As if strong computers had just played this deal often enough."""
    with server.env._bot_scope():
        await server.env.bot.tables.put_par(1, deal, PAR)
    await server.settle()


def edits(server: Server) -> list[str]:
    """The edits with the bot's token so far, by path."""
    return [one.path for one in server.requests if one.method == "PATCH" and "/webhooks/" not in one.path]


@pytest.mark.slow
async def test_a_game_that_goes_on_says_nothing_of_par(server: Server, ann: Player) -> None:
    await server.deal(ann)
    await deals_played([ann], lambda: server.shows("Deal 2"))
    before, posts = edits(server), [one.text for one in server.posts()]
    await find_par(server, 1)
    assert edits(server) == before
    assert [one.text for one in server.posts()] == posts
    [scores] = (await ann.run("hearts scores")).private
    [page] = (await ann.click("Was it luck?", scores)).private
    assert page.says("Par is what strong computers make of the same cards")
    seen = [scores.text, (await ann.run("hearts replay")).told]
    with pytest.raises(Refusal):
        await find_par(server, 2)
    await play_on([ann], lambda: server.shows("Trick 12"))
    seen += [one.text for one in (*server.posts(), *ann.dms())]
    assert not [text for text in seen if "⛳" in text or re.search(r"\bpar\b", text)]


@pytest.mark.slow
@pytest.mark.parametrize("is_killed", [False, True])
async def test_the_last_par_brings_a_line_to_the_end(server: Server, ann: Player, is_killed: bool) -> None:
    await play_a_game(server, ann)
    final = server.post("🏆")
    [page] = (await ann.click("Was it luck?", final)).private
    assert page.says("Strong computers are still playing these cards.")
    if is_killed:
        await server.restart()
    ids = [one.id for one in server.posts()]
    before = edits(server)
    await find_par(server, 1)
    assert [one.id for one in server.posts()] == ids, "nothing new is sent"
    assert len(edits(server)) == len(before) + 1
    after = server.post("🏆")
    assert after.id == final.id
    assert re.search("⛳ (By the cards|The cards) .+", after.text)
    assert [line for line in after.text.split("\n") if not line.startswith("⛳")] == final.text.split("\n")
    [page] = (await ann.click("Was it luck?", after)).private
    assert re.search("⛳ (By the cards|The cards) .+", page.text)
    assert page.says("Par is what strong computers make of the same cards, on average over 160 replays")
    [page] = (await ann.click("Replay", after)).private
    told = "⛳ Par: **Ann** 5.0 · **Lola** 8.5 · **Hugo** 6.0 · **Nina** 6.5"
    assert told in page.text.replace("\xa0", " ")
    [result] = (await exported(await ann.export_data()))["results"]
    assert result["deals_with_par"] == 1
    assert result["better_than_par"] == pytest.approx(5.0 - totals(after.text)["Ann"])


@pytest.mark.slow
async def test_the_last_par_is_told_after_a_long_outage(server: Server, ann: Player) -> None:
    await play_a_game(server, ann)
    answer_oddly(server.env, "PATCH", f"/channels/{server.channel.id}/messages/*", 403, times=None)
    await find_par(server, 1)
    await server.env.advance_time(300)
    assert "⛳" not in server.post("🏆").text
    clear_up(server.env)
    await server.env.advance_time(600)
    assert "⛳" in server.post("🏆").text


@pytest.mark.slow
async def test_deleting_the_end_stops_nothing(server: Server, ann: Player) -> None:
    await play_a_game(server, ann)
    server.env.backend.delete_message(server.channel.id, server.post("🏆").id)
    await find_par(server, 1)
    assert not server.shows("🏆")


# What many games come to


def gains(*each: float) -> dict[str, Any]:
    """The sums that a result has of deals which were this much better than par."""
    squares = sum(one * one for one in each)
    return {"par_deals": len(each), "par_gain": sum(each), "par_squares": squares, "deals": len(each)}


async def test_stats_tell_par_once_there_are_enough_deals(server: Server, ann: Player, bo: Player) -> None:
    each = (3.0, -1.0) * (PAR_FROM // 2 - 1)
    await finished(server, (ann, 1), (bo, 2), **gains(*each, 3.0))
    assert "par" not in (await ann.run("hearts stats")).told
    assert "par" not in (await ann.run("hearts stats", against=bo.member)).told
    await finished(server, (ann, 1), (bo, 2), **gains(-1.0))
    assert "⛳ **1.0 ± 0.5** a deal better than par" in (await ann.run("hearts stats")).told
    against = (await ann.run("hearts stats", against=bo.member)).told
    assert "⛳ **▲ 1.0 ± 0.5** a deal against par, **▲ 1.0 ± 0.5** for Bo" in against
    await finished(server, (ann, 1), (bo, 2), **gains(*[-4.0] * 20))
    assert "⛳ **1.5 ± 0.5** a deal worse than par" in (await ann.run("hearts stats")).told


async def test_a_leaderboard_ranks_by_par(server: Server) -> None:
    ann, bo, cy, di = server.people
    await finished(server, (ann, 1), (bo, 2), **gains(*(2.0, -1.0) * 10))
    await finished(server, (cy, 1), (bo, 2), **gains(*(5.0, -1.0) * 10))
    await finished(server, (ann, 1), (di, 2), **gains(9.0))
    [board] = (await ann.run("hearts leaderboard")).public
    await ann.click("Against par", board)
    board = server.posts()[-1]
    found = re.findall(r"^(\S+) `(.+?)` \*\*(\w+)\*\* · (.+)$", board.text, re.MULTILINE)
    assert [(place, name) for place, _, name, _ in found] == [("🥇", "Cy"), ("🥈", "Bo"), ("🥉", "Ann")]
    assert [(gain.replace("\N{NO-BREAK SPACE}", " "), rest) for _, gain, _, rest in found] == [
        ("▲ 2.0", "± 0.7 · 20"),
        ("▲ 1.2", "± 0.4 · 40"),
        ("▲ 0.9", "± 0.5 · 21"),
    ]
    assert board.says("– Di · 1/20")
    assert board.says("ranked after 20 deals")
    assert board.says("Ann is number 3 of 4, 0.3 points a deal behind Bo.")
    await di.click("Against par", board)
    assert server.posts()[-1].says("Di: 19 more deals until you're ranked here.")


@pytest.mark.slow
async def test_the_daily_deal_tells_par_when_its_day_is_over(server: Server, ann: Player) -> None:
    ann.has_dms, day = False, "2026-01-01"  # when the simulation begins
    await ann.run("hearts daily")
    await play_on([ann], lambda: "### Daily deal" in ann.sees()[-1].text)
    for deal, mean in enumerate((4.0, 5.5, 6.0), 1):
        await put_day_par(server.databases[-1], day, deal, Par((mean, 7.0, 7.0, 8.0), (0.1,) * 4, 160))
    [today] = (await ann.run("hearts daily")).private
    assert today.says("Deal 3")
    assert "⛳" not in today.text
    assert not re.search(r"\bpar\b", today.text)
    await server.env.advance_time(24 * 60 * 60.0)
    await ann.try_control(f"hearts:day:0:{day}", today)
    over = next(one for one in reversed(ann.sees()) if f"hearts:dealt:0:{day}:1" in one.pressable)
    text = over.text.replace("\xa0", " ")
    assert re.findall(r"Deal \d · .*par (\S+)", text) == ["4.0", "5.5", "6.0"]
    points = [deal[0] for deal in (await server.env.bot.tables.games.whole(1)).game.points]
    better = 15.5 - sum(points)
    how = f"{abs(better):.1f} {'better' if better > 0 else 'worse'}"
    assert f"⛳ Par of these cards: 15.5. You were **{how}**." in text
