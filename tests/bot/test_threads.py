"""Tables in threads of their own: how they open, what others see, when they close, and what may go wrong."""

import asyncio
from typing import Any

import pytest
from at_once import deals_played
from people import Player, play_on, refusal
from seen import Seen
from server import Server, forbid
from simcord.builders import ChannelHandle
from test_acknowledged import SOON, slow_down
from test_faults import told_of_the_pause
from weather import Weather

from bot.answering.languages import ServerLanguages
from bot.delivery import Reply, reply
from bot.delivery.posts import TablePosts
from bot.table.thread_handlers import MOST_HOSTED
from bot.table.thread_lines import thread_names
from bot.table.threads import AUTO_ARCHIVE, EXISTS, QUIET, TOO_MANY
from engine.languages import ENGLISH
from engine.players import Strength
from engine.rules.ruleset import Ruleset
from engine.tables import Pace

#: Seconds between two looks at the threads, and a little more.
A_LOOK = 660.0


def threads(server: Server) -> list[Any]:
    """The server's threads, oldest first."""
    backend = server.env.backend
    ids = backend.get_guild(server.guild.id).thread_ids
    return [backend.channels[id] for id in ids if id in backend.channels]


def newest(server: Server) -> ChannelHandle:
    return ChannelHandle(server.env, server.guild, threads(server)[-1])


def lines(server: Server) -> list[Seen]:
    """The posts in the channel from which threads are started."""
    return [post for post in server.posts() if "table" in post.text and "Seats" not in post.text]


async def open_thread(host: Player, **options: Any) -> None:
    """Have them open a table in a thread, and go there."""
    await host.run("hearts new", thread=True, **options)
    host.at = newest(host.server)


def is_archived(server: Server) -> bool:
    return bool(threads(server)[-1].thread_metadata.archived)


def stored(server: Server) -> list[Any]:
    return server.rows("SELECT id, channel, table_id FROM threads")


def refuse_thread(server: Server, status: int, code: int) -> None:
    """Have Discord refuse to start the next thread."""
    server.env.inject_error("POST", "/channels/*/messages/*/threads", status=status, code=code, times=1)


def change_state(thread: ChannelHandle, **state: bool) -> None:
    """Archive or lock the thread, or undo that, as a moderator would."""
    thread._env.backend.edit_channel(thread.id, {}, thread_metadata=state)


# Opening one


async def test_a_table_opens_in_a_thread_that_people_join_from_the_channel(server: Server) -> None:
    ann, bo, cy, _ = server.people
    answer = await ann.run("hearts new", thread=True, game="classic")
    [post] = answer.public
    assert not answer.private
    [made] = threads(server)
    assert (made.name, made.id, made.parent_id) == ("Hearts with Ann", post.id, server.channel.id)
    assert made.thread_metadata.auto_archive_duration == AUTO_ARCHIVE
    [line] = lines(server)
    assert f"**Ann** has opened a table in <#{made.id}>." in line.text
    assert line.enabled == ["Join"]
    [lobby] = server.posts(newest(server))
    assert "Seats" in lobby.text
    assert made.thread_members.keys() == {server.env.bot.user.id}  # adding people would ping them
    assert [one.id for one in server.posts()] == [made.id]
    assert stored(server) == [(made.id, server.channel.id, 1)]

    there = f"You have a seat in <#{made.id}>."
    assert (await bo.click("Join", line)).told == f"{there} Your hand will come by DM."
    for player in (ann, bo):
        assert player.dm.links["Go to the table"].endswith(f"/{made.id}")
        assert (await player.click("Join", line)).told == refusal("already_seated")
    assert "Bo" in lobby.current.text
    cy.close_dms()
    told = (await cy.click("Join", line)).told
    assert told.startswith(f"{there} I can't DM you, so press **My hand** there")


@pytest.mark.parametrize(
    ("name", "said"),
    [("a\nb\u202e\u200bc", "Hearts with a bc"), ("😀" * 60, "Hearts with " + "😀" * 43 + "…")],
)
def test_names_of_threads_are_one_line_that_discord_takes(name: str, said: str) -> None:
    assert thread_names(name, Ruleset.of("classic", 4), ENGLISH) == (said, "Hearts")
    assert len(said) <= 100


async def test_where_a_table_is_a_thread_is_offered(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, ends_at=77)
    house = "our: own: " + "x" * 30
    await ann.save_rules(house)
    before = server.posts()
    answer = await bo.run(
        "hearts new", game="classic", jack_of_diamonds=True, ends_at=300, computers="strong", pace="live",
        language="de",
    )  # fmt: skip
    [offer] = answer.private
    assert refusal("table_in_channel") in offer.text
    assert [post.id for post in server.posts()] == [post.id for post in before]
    await server.restart()
    pressed = await bo.click("Open a thread", offer)
    [made] = threads(server)
    assert [post.id for post in pressed.public] == [made.id]
    assert f"<#{made.id}>" in offer.current.text
    assert not offer.current.buttons
    table = server.env.bot.tables.in_channel(made.id)
    assert (table.rules.preset.name, table.rules.players, table.pace) == ("classic", 4, Pace.LIVE)
    assert (table.strength, table.language.code) == (Strength.STRONG, "de")
    assert made.name == thread_names("Bo", table.rules, table.language)[0]
    assert table.rules.options["ends_at"] == 300
    assert "jack_of_diamonds" in table.rules.options

    [offer] = (await bo.run("hearts new", house=house)).private
    await bo.click("Open a thread", offer)
    table = server.env.bot.tables.in_channel(newest(server).id)
    assert table.rules.options["ends_at"] == 77

    [offer] = (await bo.run("hearts new", starts="in 10 minutes")).private
    await server.env.advance_time(600)
    assert (await bo.click("Open a thread", offer)).told == refusal("start_too_soon")
    assert len(threads(server)) == 2


async def test_where_threads_are_usual_a_table_opens_in_one(server: Server, ann: Player, bo: Player) -> None:
    max_ = server.add_manager()
    await max_.send(await max_.run("hearts settings"), place="thread")
    await ann.run("hearts new")
    assert len(threads(server)) == len(stored(server)) == 1
    await ann.run("hearts new", thread=False)
    assert server.shows("Seats")
    ann.at = bo.at = server.add_thread("cards")
    await ann.run("hearts new")
    assert server.post("Seats", ann.at)
    [told] = (await bo.run("hearts new")).private
    assert told.text == refusal("table_in_channel")
    assert not told.buttons
    assert (await bo.run("hearts new", thread=True)).told == refusal("no_threads_here")
    assert len(threads(server)) == 2  # with the one for cards
    assert len(stored(server)) == 1


@pytest.mark.slow
async def test_a_thread_opens_or_is_refused_however_late_the_answer_is(
    server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command has been acknowledged in private by then."""
    monkeypatch.setattr(reply, "ACKNOWLEDGE_AFTER", SOON)
    slow_down(ServerLanguages, "of", monkeypatch)
    refuse_thread(server, 403, 50013)
    assert (await ann.run("hearts new", thread=True)).told == refusal("may_not_open_threads")
    assert lines(server) == []
    assert (await ann.run("hearts new", thread=True)).told.startswith("You have a seat in")
    [line] = lines(server)
    assert line.enabled == ["Join"]
    assert line.id == threads(server)[0].id


# Where it isn't allowed, or is refused


@pytest.mark.parametrize("missing", ["create_public_threads", "send_messages_in_threads"])
async def test_a_missing_permission_is_named(server: Server, ann: Player, bo: Player, missing: str) -> None:
    overwrites = {server.env.bot.user: forbid(missing)}
    ann.at = bo.at = server.add_channel("quiet", overwrites=overwrites)
    told = (await ann.run("hearts new", thread=True)).told
    assert told == refusal("may_not_open_threads")
    assert "*Create Public Threads*" in told
    await ann.run("hearts new")  # which doesn't ask for it
    [offer] = (await bo.run("hearts new")).private
    assert (await bo.click("Open a thread", offer)).told == told
    assert not threads(server)


async def test_what_discord_refuses_is_told_and_nothing_stays(server: Server, ann: Player) -> None:
    refused = ("may_not_open_threads", 403, 50013), ("may_not_open_threads", 403, 50001)
    for id, status, code in (*refused, ("too_many_threads", 400, TOO_MANY)):
        refuse_thread(server, status, code)
        assert (await ann.run("hearts new", thread=True)).told == refusal(id)
        assert server.posts() == []
        assert stored(server) == []
        assert not server.stored()["tables"]
    refuse_thread(server, 400, 50035)
    await open_thread(ann)
    assert [one.name for one in threads(server)] == ["Hearts"]
    assert len(lines(server)) == 1


async def test_a_thread_whose_making_was_not_heard_of_is_used(server: Server, ann: Player) -> None:
    backend, create = server.env.backend, server.env.bot.threads._create

    async def heard_late(*given: Any) -> None:
        [line] = lines(server)
        backend.create_thread(server.channel.id, "Hearts", backend.bot_user.id, message_id=line.id)
        await create(*given)

    server.env.bot.threads._create = heard_late
    refuse_thread(server, 400, EXISTS)
    await open_thread(ann)
    assert server.post("Seats", ann.at)


async def test_one_person_hosts_a_few_and_commands_name_them(server: Server, ann: Player, bo: Player) -> None:
    for _ in range(MOST_HOSTED):
        await ann.run("hearts new", thread=True)
    told = (await ann.run("hearts new", thread=True)).told
    assert told == refusal("too_many_own_threads", count=MOST_HOSTED)
    assert len(threads(server)) == len(lines(server)) == MOST_HOSTED
    one, other, third = (f"<#{thread.id}>" for thread in threads(server))
    where = f"No game is going on in this channel itself. In its threads: {one}, {other} and {third}."
    for command in ("join", "hand", "scores", "leave", "end", "record"):
        assert (await ann.run(f"hearts {command}")).told == where
    await bo.run("hearts new", thread=True)
    assert len(threads(server)) == MOST_HOSTED + 1
    there = ann.goes_to(ChannelHandle(server.env, server.guild, threads(server)[0]))
    await there.click("Leave")
    await ann.run("hearts new", thread=True)
    assert len(threads(server)) == MOST_HOSTED + 2


# In the channel around it


@pytest.mark.slow
async def test_latecomers_join_and_watch_from_the_channel(server: Server, ann: Player, bo: Player) -> None:
    await open_thread(ann)
    await ann.click("Start")
    await deals_played([ann], lambda: any("Deal 2" in post.text for post in server.posts(ann.at)))
    [line] = lines(server)
    [which] = (await bo.click("Join", line)).private
    assert "from the next deal" in which.text
    await bo.choose("1", which)
    assert [claim.person for claim in server.env.bot.tables.in_channel(ann.at.id).seat_claims] == [bo.id]
    [watched] = (await bo.click("Watch", which.current)).private
    assert "Deal 1" in watched.text
    await bo.click(next(iter(watched.enabled)), watched)
    assert not [one for one in bo.sees() if one.text == refusal("stale")]


# Closing


async def test_a_thread_is_archived_between_two_games(server: Server, ann: Player, bo: Player) -> None:
    """Restarts in between change nothing."""
    await open_thread(ann, ends_at=1)
    [line] = lines(server)
    await server.restart()
    await bo.click("Join", line)
    bo.at = ann.at
    before = len(server.requests)
    await server.restart()
    assert not [one for one in server.requests[before:] if f"/channels/{server.channel.id}" in one.path]
    await server.stop_and_start()
    await ann.click("Start")
    await deals_played([ann, bo], lambda: any("Rematch" in post.buttons for post in server.posts(ann.at)))
    assert f"The table in <#{ann.at.id}> is closed." in line.current.text
    assert not line.current.buttons
    assert not server.shows("🏆")

    async def later(seconds: float, *, archived: bool) -> None:
        await server.env.advance_time(seconds)
        assert is_archived(server) == archived

    [replay] = (await ann.click("Replay")).private
    await later(QUIET - A_LOOK, archived=False)
    await ann.click(replay.enabled[-1], replay)
    await later(QUIET - A_LOOK, archived=False)
    await ann.member.send(ann.at, "well played")
    await later(QUIET - A_LOOK, archived=False)
    await later(2 * A_LOOK, archived=True)
    assert stored(server) == []

    await server.restart()
    await ann.click("Rematch")
    assert not is_archived(server)
    await server.restart()
    assert "has opened a table" in line.current.text
    assert line.current.enabled == ["Join"]
    await later(QUIET / 2, archived=False)
    for player in (ann, bo):
        await player.click("Leave")
    assert "is closed" in line.current.text
    await later(QUIET + A_LOOK, archived=True)
    assert len(threads(server)) == 1


async def test_a_rematch_that_opens_meanwhile_keeps_its_thread_open(
    server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_thread(ann, ends_at=1)
    await ann.click("Start")
    await deals_played([ann], lambda: "Rematch" in server.posts(ann.at)[-1].buttons)
    end = server.posts(ann.at)[-1]
    bot = server.env.bot
    fetch = bot.fetch_channel

    async def and_a_rematch_opens(channel: int) -> Any:
        found = await fetch(channel)
        ann.press("Rematch", end)
        while bot.tables.in_channel(channel) is None:  # noqa: ASYNC110
            await asyncio.sleep(0)
        return found

    monkeypatch.setattr(bot, "fetch_channel", and_a_rematch_opens)
    await server.env.advance_time(QUIET + A_LOOK)
    await server.settle()
    assert bot.tables.in_channel(ann.at.id)
    assert not is_archived(server)
    assert ("PATCH", f"/channels/{ann.at.id}") not in [(one.method, one.path) for one in server.requests]


async def test_a_thread_that_may_not_be_archived_is_left_alone(server: Server, ann: Player) -> None:
    await open_thread(ann)
    await ann.click("Leave")
    server.env.inject_error("PATCH", f"/channels/{ann.at.id}", status=403, code=50013, times=None)
    await server.env.advance_time(QUIET + A_LOOK)
    assert stored(server) == []


# Archived, locked or deleted in mid-game


async def test_a_game_goes_on_in_an_archived_thread_and_pauses_in_a_locked_one(
    server: Server, ann: Player, bo: Player
) -> None:
    """Ann's hand is in a DM, and Bo's in the thread."""
    overwrites = {server.env.bot.user: forbid("manage_threads")}
    server.channel = ann.at = bo.at = server.add_channel("strict", overwrites=overwrites)
    bo.close_dms()
    await open_thread(ann, pace="none")
    await bo.click("Join", lines(server)[0])
    bo.at = ann.at
    await ann.click("Start")
    await bo.open_hand()
    for player in (ann, bo):
        await player.pass_cards()

    while not ann.playable:
        await bo.play()
    hand, boards = bo.my_hand.text, len(server.posts(ann.at))
    change_state(ann.at, archived=True)
    await server.settle()
    await ann.play()
    assert not is_archived(server)
    assert len(server.posts(ann.at)) == boards  # the old one went for the new
    await server.env.advance_time(30)
    assert bo.my_hand.text != hand
    await play_on([ann, bo], lambda: any(post.says("Trick 2") for post in server.posts(ann.at)))
    assert not told_of_the_pause(ann)

    change_state(ann.at, archived=True, locked=True)
    await server.settle()
    while not told_of_the_pause(ann):
        await server.to_play.play()
    assert (await server.to_play.play()).told == refusal("paused")
    await server.restart()
    before = len(server.requests)
    change_state(ann.at, archived=False, locked=True)
    await server.settle()
    assert [one.path for one in server.requests[before:] if one.method == "POST"] == []
    change_state(ann.at, archived=False, locked=False)
    await server.settle()
    assert server.post("The game continues where it left off.", ann.at)
    await server.to_play.play()


@pytest.mark.parametrize("deleted", ["thread", "channel"])
async def test_a_table_closes_when_its_thread_is_deleted(server: Server, ann: Player, deleted: str) -> None:
    await open_thread(ann)
    await ann.click("Start")
    server.env.backend.delete_channel(ann.at.id if deleted == "thread" else server.channel.id)
    await server.settle()
    assert server.stored()["tables"][0]["state"] == "stopped"
    assert lines(server) == []
    assert stored(server) == []


async def test_a_thread_whose_line_was_deleted_goes_on(server: Server, ann: Player) -> None:
    await open_thread(ann)
    server.env.backend.delete_message(server.channel.id, lines(server)[0].id)
    await ann.click("Leave")
    assert lines(server) == []
    await server.env.advance_time(QUIET + A_LOOK)
    assert is_archived(server)


# Killed at each step


async def too_late(*_: Any, **__: Any) -> None:
    """Do nothing, like work to which a killed process didn't come."""


async def die(*_: Any, **__: Any) -> None:
    raise TimeoutError


@pytest.fixture
def killed(server: Server, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """What takes a failed opening back comes too late, until the next start."""
    monkeypatch.setattr(server.env.bot.threads, "_withdraw", too_late)
    monkeypatch.setattr(Reply, "delete", too_late)
    return monkeypatch


@pytest.mark.parametrize("step", ["thread", "table"])
async def test_killed_before_there_is_a_table_nothing_stays(
    server: Server, ann: Player, killed: pytest.MonkeyPatch, step: str
) -> None:
    if step == "thread":
        killed.setattr(server.env.bot.threads, "_create", die)
    else:
        killed.setattr(server.env.bot.tables, "open", die)
    await ann.run("hearts new", thread=True)
    assert len(lines(server)) == 1
    assert len(threads(server)) == (step == "table")
    await server.restart()
    assert lines(server) == []
    assert stored(server) == []
    assert all(one.thread_metadata.archived for one in threads(server))
    await open_thread(ann)
    assert len(lines(server)) == 1


async def test_killed_before_the_lobby_is_posted_it_comes_with_the_next_start(
    server: Server, ann: Player, bo: Player, killed: pytest.MonkeyPatch
) -> None:
    killed.setattr(server.env.bot.threads, "_announce", too_late)
    with pytest.MonkeyPatch.context() as until_killed:
        until_killed.setattr(TablePosts, "show", lambda *_, **__: None)
        await ann.run("hearts new", thread=True)
    assert server.posts(newest(server)) == []
    assert not lines(server)[0].buttons
    await server.restart()
    [lobby] = server.posts(newest(server))
    assert "Seats" in lobby.text
    assert lines(server)[0].enabled == ["Join"]
    await bo.click("Join", lines(server)[0])
    assert "Bo" in lobby.current.text


async def test_killed_before_its_end_is_shown_a_thread_is_archived_all_the_same(
    server: Server, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_thread(ann)
    monkeypatch.setattr(server.env.bot.threads, "changed", lambda table: None)
    await ann.click("Leave")
    [line] = lines(server)
    assert not line.says("is closed")
    await server.restart()
    assert line.current.says("is closed")
    Weather(server).lose_request("PATCH", f"/channels/{ann.at.id}")
    await server.env.advance_time(QUIET + 60)
    assert not is_archived(server)
    await server.env.advance_time(A_LOOK)
    assert is_archived(server)
    assert stored(server) == []
