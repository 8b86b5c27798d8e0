"""Evenings as in production, with every delay and limit: Discord is slow, or calls and pictures are few."""

from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Any

import nights
import pytest
from at_once import move_once
from openapi import walk
from people import Player
from seen import GALLERY, Seen
from server import OpenServer, Server, Sketches
from settling import let_time_stand_still
from weather import Weather

from bot.config import CALLS_PER_SECOND
from bot.delivery.budget import Need, Urgency
from bot.delivery.components import signs
from bot.table import deals
from engine.rules.ruleset import Ruleset
from engine.tables import Person, Table, changes
from tests.bench.measure import CALLS, most_in_a_second

pytestmark = pytest.mark.slow

#: Seconds that a person thinks, and after which everything has been shown.
THINKS, CALM = (1.0, 4.0), 60.0
HOUR = 60 * 60.0


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is: spacings, delays and the budget are the real ones, and no timer rings by itself."""
    let_time_stand_still(monkeypatch)


@pytest.fixture
async def server(open_server: OpenServer, request: pytest.FixtureRequest) -> Server:
    """A server with the calls that Discord really takes, or as many as a test asks for."""
    return await open_server(sketches=Sketches(), calls=getattr(request, "param", CALLS_PER_SECOND))


# Whole evenings, while Discord is slow and sometimes refuses


class Evening:
    """A server in which people take their time, and so does Discord."""

    def __init__(self, server: Server, seed: int) -> None:
        self.server, self.rng = server, Random(seed)
        self.weather = Weather(server)
        self.weather.be_ordinary(self.rng)

    async def play(self, players: Sequence[Player], steps: int) -> None:
        """Let whoever is asked act, one after another, this many times or until nobody is asked any more."""
        for _ in range(steps):
            await self.server.env.advance_time(self.rng.uniform(*THINKS))
            if not self.server.env.bot.tables.live:
                return
            for player in players:
                if await nights.act(self.server, player):
                    break

    async def through(self, restart: Callable[[], Awaitable[None]]) -> None:
        """Restart the bot, and wait until everything has been shown."""
        await restart()
        await self.server.env.advance_time(CALM)

    def check_budget(self) -> None:
        """In no second there were more calls than the bot allows itself."""
        assert 0 < most_in_a_second(self.weather.calls) <= CALLS_PER_SECOND


async def test_a_quick_table_through_a_kill_and_a_stop(server: Server) -> None:
    evening, people = Evening(server, 1), server.people
    await server.deal(ends_at=20)
    await evening.play(people, 30)
    await evening.through(server.restart)
    await evening.play(people, 60)
    await evening.through(server.stop_and_start)
    await evening.play(people, 400)
    await server.env.advance_time(CALM)

    results = {row["person"]: row for row in server.stored()["results"]}
    assert results.keys() == {one.id for one in people}
    for player in people:
        [hand] = [one for one in player.dms() if one.says("🏆")]
        assert not hand.playable
        assert hand.says(str(abs(results[player.id]["points"])))
        assert not [one for one in player.dms() if one.says("Your turn")]
    end = server.post("🏆")
    assert "Replay" in end.enabled
    assert not server.shows("Waiting for")
    evening.check_budget()


async def test_a_daily_deal_through_a_stop(server: Server, ann: Player) -> None:
    evening = Evening(server, 2)
    ann.has_dms = False
    await ann.run("hearts daily")
    await evening.play([ann], 20)
    await evening.through(server.stop_and_start)
    await ann.run("hearts daily")
    await evening.play([ann], 100)
    await server.env.advance_time(CALM)
    [result] = [one for one in ann.sees() if one.says("### Daily deal")]
    assert result.says("🥇 Ann (you)")
    await ann.click("Share", result)
    assert server.post("Ann · daily deal of January 1")
    evening.check_budget()


async def test_a_tournament_through_a_kill(open_server: OpenServer) -> None:
    names = [f"P{number}" for number in range(1, 9)]
    server = await open_server(calls=CALLS_PER_SECOND, sketches=Sketches(), names=names)
    evening, people = Evening(server, 3), server.people
    host = nights.add_host(server)
    await nights.sign_up(server, host, *people)
    await host.click("Start now", nights.first(server))
    await server.env.advance_time(CALM)
    nights.seat(server, *people)
    await evening.play(people, 40)
    await evening.through(server.restart)
    while server.env.bot.tournament_posts.service.in_guild(server.guild.id):
        nights.seat(server, *people)
        await evening.play(people, 300)
        await nights.give_pars(server)
        await nights.pause(server)
        await server.env.advance_time(CALM)
    end = server.post("wins the Hearts tournament")
    assert "My deals" in end.enabled
    assert not server.shows("Standings ·"), "the last post says it all"
    for player in people:
        assert not [one for one in player.dms() if one.says("Your turn")]
    evening.check_budget()


# Many tables, few calls and slow pictures: what is shown stays right, and what was left out comes later


async def seat(server: Server, count: int, wait: float = 60.0) -> None:
    """Begin so many games of one person with computers, each in a channel of its own, and wait.

    They are in their first tricks, and are still played after some rounds, whoever shoots the moon.
    """
    tables, rules = server.env.bot.tables, Ruleset.of("classic", 4)
    for number in range(count):
        host = server.add(f"Host {number}")
        channel = server.add_channel(f"table-{number}")
        server.seated.add(host.id)
        with server.env._bot_scope():
            opener = Person(host.id, f"Host {number}")
            table = await tables.open(server.guild.id, channel.id, opener, rules)
            await tables.change(
                table.id, changes.set_up_deals, host.id, table.hints, finishes_early=False,
                points_out_moons=True, first=None,
            )  # fmt: skip
            await move_once(tables, await tables.change(table.id, changes.start, host.id))
    await server.env.advance_time(wait)


async def play(server: Server) -> None:
    """Everybody who is to play plays their first legal card, all at the same moment."""
    with server.env._bot_scope():
        for table in server.env.bot.tables.live:
            await move_once(server.env.bot.tables, table)


def wrong(server: Server) -> list[str]:
    """The tables whose board does not show them as they are, with a picture, and nothing else."""
    return [f"table {table.id}" for table in server.env.bot.tables.live if not is_right(server, table)]


def is_right(server: Server, table: Table) -> bool:
    wanted, shown = deals.post(table.public, table.public.view.deal), board(server, table)
    text = "\n".join(signs(part) for part in wanted.parts if isinstance(part, str))
    return bool(shown.pictures) and server.scenes(shown) == list(wanted.scenes) and shown.raw == text


def board(server: Server, table: Table) -> Seen:
    """The post of its deal."""
    return server.newest(
        table.channel, lambda one: "My hand" in one.buttons and not one.says("Discord is holding back")
    )


def boards(server: Server) -> list[Seen]:
    return [board(server, table) for table in server.env.bot.tables.live]


def lapses(server: Server, before: Sequence[Seen], since: int) -> list[str]:
    """Edits since then that put words in the place of a picture, or other words beside the same picture."""
    told = {f"/channels/{one.channel}/messages/{one.id}": described(one.components) for one in before}
    found = []
    for one in server.requests[since:]:
        if one.method == "PATCH" and one.path in told:
            last, told[one.path] = told[one.path], described(one.body["components"])
            if last and not told[one.path]:
                found.append(f"{one}: words in place of a picture")
            elif told[one.path] != last and not one.body.get("attachments"):
                found.append(f"{one}: a picture that shows something else")
    return found


def described(components: Any) -> list[str]:
    """What the pictures among these components are said to show."""
    galleries = [one for one in walk(components) if one["type"] == GALLERY]
    return [item["description"] for gallery in galleries for item in gallery["items"]]


@pytest.mark.parametrize(
    ("server", "seconds", "unseen"),
    [(CALLS_PER_SECOND, 0.3, True), (15, 0.05, True), (15, 0.3, False)],
    indirect=["server"],
)
async def test_a_board_keeps_its_picture_through_a_kill(server: Server, seconds: float, unseen: bool) -> None:
    """With fewer tables than calls in a second, and with more."""
    count = 20
    await seat(server, count)
    assert wrong(server) == []
    server.sketches.seconds = seconds
    before, since = boards(server), len(server.requests)
    for queue in server.env.bot.delivery._queues:
        queue.close()
    if unseen:  # a move at each table is stored and not shown yet
        async with server.unseen_tables() as tables:
            for table in await tables.resume():
                await move_once(tables, table)
    await server.restart()
    await server.env.advance_time(10 + count * seconds)
    assert wrong(server) == []
    await server.env.advance_time(HOUR)
    assert wrong(server) == []
    assert lapses(server, before, since) == []


@pytest.mark.parametrize("is_orderly", [False, True])
async def test_a_restart_leaves_no_board_in_words(server: Server, is_orderly: bool) -> None:
    server.sketches.seconds = 60.0
    await seat(server, 3)
    assert wrong(server) != []
    if is_orderly:
        await server.env.bot.close()
    server.sketches.seconds = 0.05
    await server.restart()
    await server.env.advance_time(60)
    assert wrong(server) == []


@pytest.mark.parametrize(("seconds", "calls"), [(0.05, 3), (0.3, CALLS_PER_SECOND), (2.0, 3)])
async def test_boards_keep_pictures_while_people_play(server: Server, seconds: float, calls: int) -> None:
    await seat(server, 12)
    server.env.bot.delivery.budget.calls = calls
    server.sketches.seconds = seconds
    before, since = boards(server), len(server.requests)
    for _ in range(5):
        await play(server)
        await server.env.advance_time(3)
    await server.env.advance_time(120)
    assert wrong(server) == []
    assert lapses(server, before, since) == []


async def test_a_board_follows_although_its_picture_changes_faster_than_it_is_drawn(server: Server) -> None:
    await seat(server, 1)
    server.sketches.seconds = 5.0
    drawn = len(server.sketches.scenes)
    for _ in range(10):
        await play(server)
        await server.env.advance_time(2)
    assert server.scenes(boards(server)[0])[0] in server.sketches.scenes[drawn + 1 :]
    await server.env.advance_time(30)
    assert wrong(server) == []


async def test_new_boards_come_soon_in_words_and_later_with_pictures(server: Server) -> None:
    server.sketches.seconds = 5.0
    await seat(server, 12, wait=6.0)
    assert len(wrong(server)) >= 11
    for _ in range(3):
        in_words = [board for board in boards(server) if not board.pictures]
        assert len(in_words) > 5
        assert all(board.says("Deal 1 · Trick") for board in in_words)
        await play(server)
        await server.env.advance_time(3)
    await server.env.advance_time(300)
    assert wrong(server) == []


async def test_games_that_are_over_do_not_pile_up_while_pictures_cannot_keep_up(server: Server) -> None:
    await seat(server, 3)
    bot, posts = server.env.bot, boards(server)
    tables = bot.tables.live
    server.sketches.seconds = 10 * HOUR
    with server.env._bot_scope():
        for table in tables:
            await move_once(bot.tables, table)
            await bot.tables.change(table.id, changes.stop, table.host, may_manage=True)
    await server.env.advance_time(30)
    known = [bot.delivery.posts.knows(table.id) for table in tables]
    assert any(known)
    await server.env.advance_time(60)
    assert [bot.delivery.posts.knows(table.id) for table in tables] == [False] * 3
    assert not bot.delivery.picture_cache._left_out
    for post in posts:
        assert "My hand" not in post.current.buttons  # it shows the end, in a picture or in words


async def test_what_was_left_out_waits_until_calls_are_to_spare(server: Server) -> None:
    budget = server.env.bot.delivery.budget
    budget.calls = 1
    with server.env._bot_scope():
        for _ in range(60):
            budget.line_up(lambda: Need(Urgency.LOW, 0.0), lambda given: None)
    await seat(server, 4, wait=30.0)
    assert [board.pictures for board in boards(server)] == [[]] * 4  # others need the calls
    assert server.env.bot.monitor.read().count("pictures_left_out", reason="no_call") >= 4
    await server.env.advance_time(90)
    assert wrong(server) == []


async def test_posts_that_a_kill_left_uncertain_take_no_more_calls_than_there_are(server: Server) -> None:
    count, calls = 30, Weather(server).calls
    await seat(server, count, wait=120.0)
    await server.restart(after=120.0)
    await server.env.advance_time(120.0)
    before = len(calls)
    with server.env._bot_scope():
        for table in server.env.bot.tables.live:
            await server.env.bot.tables.change(table.id, changes.leave_or_stay_out, table.host)
    await server.env.advance_time(30.0)
    assert len(calls) - before >= 2 * count > CALLS
    assert most_in_a_second(calls) <= CALLS
