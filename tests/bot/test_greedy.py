"""Who asks again and again for what is costly is refused in a sentence, and others play on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any

import pytest
from at_once import deals_played
from estimates import advise
from files import hand_in, kept, line, opened, record
from nights import add_host, first
from people import Player, refusal
from seen import Seen
from server import Server

from bot.answering import limits
from bot.answering.answering import ACCESS
from bot.answering.limits import Limits
from bot.commands import HEARTS
from bot.vocabulary.controls import GAMES, HINTS, PAGES, REVIEWS, VERBS, Access, Cost, Where, Who
from engine.errors import Refusal
from engine.players.advice import Advice
from engine.tables import changes

#: As people have it: other tests let them ask for as much as they like.
ALLOWANCE = limits.ALLOWANCE
#: What costs next to nothing, or is part of playing: a row or two is read, or a table changed.
CHEAP = {
    *(
        "hearts settings",
        "hearts hand",
        "hearts join",
        "hearts leave",
        "hearts end",
    ),
    *("hearts preferences", "hearts help", "hearts privacy"),
    *("pick", "unpick", "pass", "expose", "lay", "wait", "decline", "play", "moon", "dm", "join", "leave"),
    *(
        "computer",
        "remove",
        "strength",
        "start",
        "rules",
        "options",
        "game",
        "size",
        "learn",
        "page",
        "commands",
        "ask",
        "set",
    ),
    *("here", "when", "unplan"),
    *("hand", "back", "seat", "take", "out", "latecomers", "retry", "stop", "keep", "propose", "vote"),
    *("guests", "times", "zones", "zone", "quiet", "untell"),
    *("present", "begin", "cancel", "calloff", "whither", "clock"),
    *("on", "finish", "anew", "mornings", "remember", "settings", "enter"),
    *("delete", "name", "save", "drop", "confirm", "topic"),
}


@pytest.fixture(autouse=True)
def as_usual(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """People may ask for as much as they may."""
    monkeypatch.setattr(limits, "ALLOWANCE", ALLOWANCE)


async def later(server: Server, seconds: float) -> None:
    await server.env.advance_time(seconds)


async def until_refused(ask: Callable[[], Any], most: int) -> tuple[int, str]:
    """How often somebody is served, and what they are told then."""
    for served in range(most):
        answer = await ask()
        if answer.told in {refusal("asked_too_often"), refusal("still_answering")}:
            return served, answer.told
    raise AssertionError(f"nobody minds {most} of them")


# Which requests are costly


async def test_every_command_and_control_is_either_costly_or_cheap(server: Server, ann: Player) -> None:
    commands = {one.qualified_name: one.extras[ACCESS] for one in HEARTS.walk_commands()}
    assert commands.keys() == set(ann.member.available_commands(ann.at))
    declared = commands | {verb: kind.access for verb, kind in VERBS.items()}
    assert {name for name, access in declared.items() if access.cost is None} == CHEAP


# One person


async def test_who_opens_leaderboards_without_end_is_asked_to_wait(
    server: Server, ann: Player, bo: Player
) -> None:
    served, told = await until_refused(lambda: ann.run("hearts leaderboard"), 100)
    assert served == 20
    assert told == "You're asking faster than I can answer: try again in a few seconds."
    assert (await ann.run("hearts stats")).told == told  # one allowance for all of it
    assert (await bo.run("hearts leaderboard")).told != told
    await later(server, 2)
    assert await until_refused(lambda: ann.run("hearts leaderboard"), 100) == (2, told)
    await later(server, 3600)
    assert await until_refused(lambda: ann.run("hearts leaderboard"), 100) == (20, told)


async def test_who_joins_a_tournament_and_leaves_it_without_end_is_asked_to_wait(
    server: Server, ann: Player, bo: Player
) -> None:
    host = add_host(server)
    await host.run("hearts tournament")

    async def in_and_out() -> Any:
        answer = await ann.click("Join", first(server))
        await ann.click("Leave", first(server))
        return answer

    served, _ = await until_refused(in_and_out, 100)
    assert served == 5
    assert (await bo.click("Join", first(server))).told == ""


async def test_who_opens_tournaments_without_end_is_asked_to_wait(server: Server) -> None:
    host = add_host(server)

    async def open_and_cancel() -> Any:
        answer = await host.run("hearts tournament")
        if server.env.bot.tournament_posts.service.live:
            [asked] = (await host.click("Call off", first(server))).private
            await host.click("Call it off", asked)
        return answer

    served, _ = await until_refused(open_and_cancel, 100)
    assert served == 2


async def test_who_has_to_wait_still_plays(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo)
    await until_refused(lambda: ann.run("hearts leaderboard"), 100)
    while not ann.playable:
        await bo.act()
    assert (await ann.play()).told == ""
    assert (await ann.run("hearts hand")).told != refusal("asked_too_often")


async def test_who_opens_tables_without_end_is_asked_to_wait(server: Server, ann: Player, bo: Player) -> None:
    async def open_and_close() -> Any:
        answer = await ann.run("hearts new")
        if server.env.bot.tables.live:
            await ann.click("Leave")
        return answer

    served, told = await until_refused(open_and_close, 100)
    assert served == 6
    assert told == refusal("asked_too_often")
    assert (await bo.run("hearts new")).public


async def test_who_opens_threads_without_end_is_asked_to_wait(
    server: Server, ann: Player, bo: Player
) -> None:
    async def open_and_close() -> Any:
        answer = await ann.run("hearts new", thread=True)
        await server.env.bot.tables.change(
            max(one.id for one in server.env.bot.tables.live), changes.get_up, ann.id
        )
        return answer

    with suppress(ValueError):  # refused, with no table to leave
        await until_refused(open_and_close, 100)
    assert len(server.env.backend.get_guild(server.guild.id).thread_ids) == 2
    assert (await ann.run("hearts new", thread=True)).told == refusal("asked_too_often")
    assert (await bo.run("hearts new", thread=True)).public
    await later(server, 10)
    assert (await ann.run("hearts new", thread=True)).public


@pytest.mark.slow
async def test_files_are_refused_before_they_are_fetched_or_kept(server: Server, ann: Player) -> None:
    content = line(record(ends_at=1))
    served, told = await until_refused(lambda: hand_in(ann, content), 100)
    assert (served, told) == (5, refusal("asked_too_often"))
    [(_, first)] = kept(server)
    other = line(record("chinese", ends_at=1))
    assert (await hand_in(ann, other)).told == told
    assert kept(server) == [(ann.id, first)]
    await later(server, 4)
    opened(await hand_in(ann, other))


@pytest.mark.slow
async def test_whoever_goes_through_a_replay_at_a_humans_pace_never_waits(
    server: Server, ann: Player
) -> None:
    shown = opened(await hand_in(ann, line(record())))
    steps = 0
    while "Card ›" in shown.enabled or "Trick ›" in shown.enabled:
        await later(server, 0.5)
        label = "Card ›" if "Card ›" in shown.enabled else "Trick ›"
        assert (await ann.click(label, shown)).told == ""
        shown, steps = Seen.now(shown.env, shown.message), steps + 1
    assert steps > 2 * ALLOWANCE


@pytest.mark.slow
async def test_all_that_is_stored_can_be_deleted_after_many_leaderboards(server: Server, ann: Player) -> None:
    await ann.run("hearts new")
    question = await ann.ask_to_delete()
    await until_refused(lambda: ann.run("hearts leaderboard"), 100)
    assert (await ann.click("Delete it all", question)).told == refusal("asked_too_often")
    await later(server, 8)
    assert (await ann.click("Delete it all", question)).told == ""
    assert server.stored()["seats"] == []


# What is in hand


class Slow:
    """An advisor who answers once it is let go."""

    def __init__(self) -> None:
        self.asked = 0
        self.go = asyncio.Event()

    async def __call__(self, *question: Any) -> Advice:
        self.asked += 1
        await self.go.wait()
        return await advise(*question)


@pytest.mark.slow
async def test_one_review_at_a_time_and_hints_beside_it(server: Server, ann: Player, bo: Player) -> None:
    slow = Slow()
    server.advisor = slow
    await server.restart()
    await server.deal(ann, ends_at=300)
    await deals_played([ann], lambda: server.shows("After deal 2"))
    results = [server.post(f"After deal {number}") for number in (1, 2)]
    first, second = [ann.press("How did I play?", post) for post in results]
    hints = [ann.press("Hint", ann.hand) for _ in range(3)]
    while slow.asked < 3:  # noqa: ASYNC110 - no event tells so
        await asyncio.sleep(0)
    slow.go.set()
    await server.settle()
    assert first.private[0].says("How you played deal 1")
    assert second.told == refusal("still_answering")
    assert [hint.told for hint in hints] == ["", "", refusal("still_answering")]


# All people together


def costing(cost: Cost) -> Access:
    """A control or command that costs this."""
    return Access(Who.ANYONE, Where.ANYWHERE, cost, private=False, posts=False, own_data=False)


def test_so_many_wait_for_the_same_and_no_more() -> None:
    admitted = Limits(lambda: 0.0)
    with ExitStack() as in_hand:
        for person in range(GAMES.queue.most):
            in_hand.enter_context(admitted.admit(person, costing(GAMES * 2)))
        with pytest.raises(Refusal, match="too_many_ask"), admitted.admit(1000, costing(GAMES)):
            raise AssertionError("this is one too many")
        with admitted.admit(1000, costing(PAGES)):  # which waits for something else
            pass
    with admitted.admit(1000, costing(GAMES)):
        pass


def test_so_much_of_the_same_is_in_one_persons_hand_and_no_more() -> None:
    admitted = Limits(lambda: 0.0)
    with ExitStack() as in_hand:
        for _ in range(PAGES.queue.each):
            in_hand.enter_context(admitted.admit(1, costing(PAGES)))
        with pytest.raises(Refusal, match="still_answering"), admitted.admit(1, costing(PAGES)):
            raise AssertionError("this is one too many")
        with admitted.admit(1, costing(HINTS)), admitted.admit(2, costing(PAGES)):
            pass


def test_whatever_becomes_of_a_request_its_place_is_free_again() -> None:
    admitted = Limits(lambda: 0.0)
    with pytest.raises(ValueError, match="no"), admitted.admit(1, costing(REVIEWS)):
        raise ValueError("no")
    with admitted.admit(1, costing(REVIEWS)):
        pass


def test_nobody_is_remembered_for_longer_than_an_allowance_takes_to_come_back() -> None:
    now = 0.0
    admitted = Limits(lambda: now)
    for person in range(10_000):
        now += 0.5
        with admitted.admit(person, costing(PAGES)):
            pass
    assert len(admitted._spent) <= 41
    now += 3600
    with admitted.admit(1, costing(PAGES)):
        pass
    assert list(admitted._spent) == [1]
    assert not any(admitted._under_way.values())


async def test_what_is_refused_is_one_sentence() -> None:
    for id in ("asked_too_often", "still_answering", "too_many_ask"):
        said = refusal(id)
        assert said.endswith(".")
        assert said.count(".") == 1
