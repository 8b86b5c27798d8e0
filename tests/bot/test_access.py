"""Who may do what, besides test_access_table.py: what Discord is asked, and permissions it doesn't lend."""

import discord
import pytest
from nights import add_host
from people import Answer, Player, refusal
from server import Server, forbid

from bot.answering import limits
from bot.answering.answering import check_declared
from bot.answering.limits import MOST_AN_HOUR, Hourly
from bot.vocabulary.controls import Action
from engine.tables import changes

LIMITS = {
    name: getattr(limits, name)
    for name in ("LOBBIES_OF_ONE", "LOBBIES_IN_SERVER", "PLANS_OF_ONE", "PLANS_IN_SERVER")
}


def looked_up(server: Server) -> int:
    """How often Discord was asked who is a member."""
    return sum(one.method == "GET" and "/members/" in one.path for one in server.requests)


# Kicked players


async def test_members_are_looked_up_once_and_for_no_card(server: Server, bo: Player, di: Player) -> None:
    await server.deal_and_pass(*server.people[:3])
    for _ in range(3):
        await server.to_play.play()
    assert not looked_up(server)
    await di.run("hearts join")
    server.env.inject_error("GET", "/guilds/*/members/*", status=503, code=0, times=None)
    assert await di.try_control("hearts:seat:1", di.dm) == refusal("membership_unknown")
    server.env.backend.faults.clear()
    await bo.run("hearts leave")
    before = looked_up(server)
    for _ in range(3):
        await bo.try_control("hearts:seat:1", bo.dm)
    assert looked_up(server) == before + 1


# Clients of one's own making


async def test_a_choice_that_no_command_offers_is_refused(server: Server, ann: Player) -> None:
    await ann.run("hearts new")
    all_of_them = server.guild.create_role("All", permissions=discord.Permissions.all())
    manager = server.add("Max", roles=[all_of_them])
    table = {"game": "chess", "computers": "clever", "pace": "at once", "language": "xx", "players": 99}
    tournament = {"game": "chess", "rounds": 99, "pace": "daily"}
    for person, command, choices in (
        (ann, "hearts new", table | {"ends_at": 0}),
        (manager, "hearts tournament", tournament),
        (ann, "hearts replay", {"game": 0}),
    ):
        for option, value in choices.items():
            answer = person.forge_command(command, **{option: value})
            await server.settle()
            assert answer.told == refusal("no_such_choice", given=value), (command, option)


def test_a_verb_that_does_not_say_who_may_use_it_cannot_be_registered() -> None:
    with pytest.raises(TypeError, match="doesn't say who may use it"):

        class Cheat(Action, verb="cheat"):
            pass

    @discord.app_commands.command()
    async def cheat(interaction: discord.Interaction) -> None:
        """Cheat."""

    with pytest.raises(TypeError, match="doesn't say who may use it"):
        check_declared(cheat)


# Permissions are not lent


async def test_who_may_open_no_threads_gets_none(server: Server, ann: Player, bo: Player) -> None:
    host = add_host(server)
    for person in (ann, host):
        server.deny(person, "create_public_threads")
    assert (await host.run("hearts tournament")).told == refusal("you_may_not_open_threads")
    assert (await ann.run("hearts new", thread=True)).told == refusal("you_may_not_open_threads")
    await bo.run("hearts new")
    offer = (await ann.run("hearts new")).private[0]
    assert (await ann.click("Open a thread", offer)).told == refusal("you_may_not_open_threads")
    assert len(server.env.bot.tables.live) == 1
    assert server.env.backend.get_guild(server.guild.id).thread_ids == []


async def test_who_may_not_write_has_nothing_posted(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo)
    server.deny(bo, "send_messages")
    told = [(await bo.run("hearts new")).told]
    [page] = (await bo.run("hearts help")).private
    told += [await bo.try_control(f"hearts:{one}", page) for one in ("propose:1:stop", "invite:1")]
    manager = server.add_manager()
    other = server.add_channel("news", overwrites={manager.member: forbid("send_messages")})
    told.append((await manager.run("hearts daily", channel=other)).told)
    assert set(told) == {refusal("you_may_not_post")}
    assert server.posts(other) == []
    shown = await bo.run("hearts leaderboard")
    assert shown.private
    assert not shown.public


# Limits


@pytest.fixture(autouse=True)
def limited(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """People may have as many posts, threads, and lobbies as they may."""
    monkeypatch.setattr(limits, "MOST_AN_HOUR", MOST_AN_HOUR)
    for name, most in LIMITS.items():
        monkeypatch.setattr(limits, name, most)


async def test_leaderboards_without_end_are_seen_by_who_asks_alone(server: Server, ann: Player) -> None:
    most = MOST_AN_HOUR[Hourly.POSTS]
    answers = [await ann.run("hearts leaderboard") for _ in range(most + 3)]
    assert [bool(one.public) for one in answers] == [True] * most + [False] * 3
    assert all(one.public or one.private for one in answers)
    await server.env.advance_time(3601)
    assert (await ann.run("hearts leaderboard")).public


async def test_threads_without_end_are_refused(server: Server, ann: Player, bo: Player) -> None:
    async def open_and_close(player: Player) -> Answer:
        answer = await player.run("hearts new", thread=True)
        for table in server.env.bot.tables.live:
            await server.env.bot.tables.change(table.id, changes.get_up, table.host)
        return answer

    answers = [await open_and_close(ann) for _ in range(8)]
    most = MOST_AN_HOUR[Hourly.THREADS]
    assert [one.told for one in answers[most:]] == [refusal("too_often_an_hour", count=most)] * (8 - most)
    assert len(server.env.backend.get_guild(server.guild.id).thread_ids) == most
    assert (await open_and_close(bo)).public
    await server.env.advance_time(3601)
    assert (await open_and_close(ann)).public


async def test_a_host_has_few_lobbies_open(server: Server, ann: Player, bo: Player) -> None:
    most = limits.LOBBIES_OF_ONE
    for number in range(most + 1):
        answer = await ann.goes_to(server.add_channel(f"cards-{number}")).run("hearts new")
    assert answer.told == refusal("too_many_lobbies", count=most)
    assert (await bo.run("hearts new")).public
    await server.env.bot.tables.change(1, changes.start, ann.id)
    assert (await ann.goes_to(server.add_channel("more")).run("hearts new")).public


async def test_few_starts_are_planned_far_ahead_by_a_host_and_in_a_server(server: Server) -> None:
    """So that there is room for other lobbies, however many channels people plan starts in."""
    ann, *others = server.people
    plans = [(ann, starts) for starts in ("in 6 days", "in 5 days", "in 4 days", "in 20 hours")]
    told = []
    for number, (host, starts) in enumerate([*plans, *((host, "in 6 days") for host in others * 2)]):
        there = host.goes_to(server.add_channel(f"cards-{number}"))
        told.append((await there.run("hearts new", starts=starts)).told)
    assert told[:4] == ["", "", refusal("too_many_plans"), ""]
    assert told.count("") == 1 + limits.PLANS_IN_SERVER
