"""Who asks again and again for what is costly is refused in a sentence, and others play on."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Any

import pytest
from at_once import deals_played
from estimates import advise
from files import hand_in, kept, line, opened, record
from people import Answer, Player, refusal
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
CHEAP = """
    hearts settings, hearts hand, hearts join, hearts leave, hearts end, hearts preferences, hearts help,
    hearts privacy,
    computer, remove, strength, start, rules, options, game, size, learn, page, commands, ask, set, here,
    when, unplan, pick, unpick, pass, expose, lay, wait, decline, play, confirm, moon, dm, hand, back, seat,
    take, out, latecomers, join, leave, enter, guests, retry, stop, keep, propose, vote, on, finish, anew,
    delete, remember, name, save, drop, times, zones, zone, quiet, untell, present, begin, cancel, calloff,
    whither, clock, mornings, settings, topic
"""
COMMANDS = {one.qualified_name: one.extras[ACCESS] for one in HEARTS.walk_commands()}


@pytest.fixture(autouse=True)
def as_usual(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """People may ask for as much as they may."""
    monkeypatch.setattr(limits, "ALLOWANCE", ALLOWANCE)


@pytest.fixture
def admitted() -> Limits:
    """Limits for which no time passes."""
    return Limits(lambda: 0.0)


def refused(admitted: Limits, person: int, access: Access) -> str:
    """Why this person has to wait; nothing if they are served."""
    try:
        with admitted.admit(person, access):
            return ""
    except Refusal as error:
        return error.id


async def until_refused(ask: Callable[[], Awaitable[Answer]]) -> tuple[int, str]:
    """How often somebody is served, and what they are told then."""
    for served in range(100):
        answer = await ask()
        if answer.told in {refusal("asked_too_often"), refusal("still_answering")}:
            return served, answer.told
    raise AssertionError("nobody minds 100 of them")


# Which requests are costly


async def test_every_command_and_control_is_either_costly_or_cheap(ann: Player) -> None:
    assert COMMANDS.keys() == set(ann.member.available_commands(ann.at))
    declared = COMMANDS | {verb: kind.access for verb, kind in VERBS.items()}
    cheap = {name.strip() for name in CHEAP.split(",")}
    assert {name for name, access in declared.items() if access.cost is None} == cheap


def test_who_signs_up_and_off_without_end_is_asked_to_wait(admitted: Limits) -> None:
    """Wherever something has a cost, test_access_table.py sees that it is asked for."""
    both = [VERBS["signup"].access, VERBS["signoff"].access]
    assert {refused(admitted, 1, access) for access in both * 5} == {""}
    assert refused(admitted, 1, both[0]) == "asked_too_often"
    assert refused(admitted, 2, both[0]) == ""


def test_whoever_goes_through_a_replay_at_a_humans_pace_never_waits() -> None:
    now = 0.0
    admitted = Limits(lambda: now)
    for _ in range(100):
        now += 0.5
        assert not refused(admitted, 1, VERBS["step"].access)


# One person


async def test_who_asks_without_end_has_to_wait_and_plays_on(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo)
    await server.env.advance_time(5)  # so that what the table cost is back
    served, told = await until_refused(lambda: ann.run("hearts leaderboard"))
    assert served == 20
    assert told == "You're asking faster than I can answer: try again in a few seconds."
    assert (await ann.run("hearts stats")).told == told  # one allowance for all of it
    assert (await bo.run("hearts leaderboard")).told != told
    await server.env.advance_time(2)
    assert await until_refused(lambda: ann.run("hearts leaderboard")) == (2, told)
    while not ann.playable:
        await bo.act()
    assert (await ann.play()).told == ""
    assert (await ann.run("hearts hand")).told != told
    await server.env.advance_time(3600)
    assert await until_refused(lambda: ann.run("hearts leaderboard")) == (20, told)


async def test_a_thread_by_the_command_costs_what_it_does_by_its_button(server: Server, ann: Player) -> None:
    for _ in range(2):
        await ann.run("hearts new", thread=True)
        [table] = server.env.bot.tables.live
        await server.env.bot.tables.change(table.id, changes.get_up, ann.id)
    assert (await ann.run("hearts new", thread=True)).told == refusal("asked_too_often")
    assert len(server.env.backend.get_guild(server.guild.id).thread_ids) == 2


@pytest.mark.slow
async def test_files_are_refused_before_they_are_fetched_or_kept(server: Server, ann: Player) -> None:
    content = line(record(ends_at=1))
    served, told = await until_refused(lambda: hand_in(ann, content))
    assert (served, told) == (5, refusal("asked_too_often"))
    [(_, first)] = kept(server)
    other = line(record("chinese", ends_at=1))
    assert (await hand_in(ann, other)).told == told
    assert kept(server) == [(ann.id, first)]
    await server.env.advance_time(4)
    opened(await hand_in(ann, other))


# What is in hand


@pytest.mark.slow
async def test_one_review_at_a_time_and_hints_beside_it(server: Server, ann: Player) -> None:
    asked, go = [], asyncio.Event()

    async def advise_slowly(*question: Any) -> Advice:
        asked.append(question)
        await go.wait()
        return await advise(*question)

    server.advisor = advise_slowly
    await server.restart()
    await server.deal(ann, ends_at=300)
    await deals_played([ann], lambda: server.shows("After deal 2"))
    results = [server.post(f"After deal {number}") for number in (1, 2)]
    first, second = [ann.press("How did I play?", post) for post in results]
    hints = [ann.press("Hint", ann.hand) for _ in range(3)]
    while len(asked) < 3:  # noqa: ASYNC110 - no event tells so
        await asyncio.sleep(0)
    go.set()
    await server.settle()
    assert first.private[0].says("How you played deal 1")
    assert second.told == refusal("still_answering")
    assert [hint.told for hint in hints] == ["", "", refusal("still_answering")]


# All people together


def costing(cost: Cost) -> Access:
    """A control or command that costs this."""
    return Access(Who.ANYONE, Where.ANYWHERE, cost, private=False, posts=False, own_data=False)


def test_so_many_wait_for_the_same_and_no_more(admitted: Limits) -> None:
    with ExitStack() as in_hand:
        for person in range(GAMES.queue.most):
            in_hand.enter_context(admitted.admit(person, costing(GAMES * 2)))
        assert refused(admitted, 1000, costing(GAMES)) == "too_many_ask"
        assert refused(admitted, 1000, costing(PAGES)) == ""  # which waits for something else
    assert refused(admitted, 1000, costing(GAMES)) == ""


def test_so_much_of_the_same_is_in_one_persons_hand_and_no_more(admitted: Limits) -> None:
    with ExitStack() as in_hand:
        for _ in range(PAGES.queue.each):
            in_hand.enter_context(admitted.admit(1, costing(PAGES)))
        assert refused(admitted, 1, costing(PAGES)) == "still_answering"
        assert refused(admitted, 1, costing(HINTS)) == refused(admitted, 2, costing(PAGES)) == ""


def test_whatever_becomes_of_a_request_its_place_is_free_again(admitted: Limits) -> None:
    with pytest.raises(ValueError, match="no"), admitted.admit(1, costing(REVIEWS)):
        raise ValueError("no")
    assert refused(admitted, 1, costing(REVIEWS)) == ""


def test_nobody_is_remembered_for_longer_than_an_allowance_takes_to_come_back() -> None:
    now = 0.0
    admitted = Limits(lambda: now)
    for person in range(10_000):
        now += 0.5
        assert not refused(admitted, person, costing(PAGES))
    assert len(admitted._spent) <= 41
    now += 3600
    assert not refused(admitted, 1, costing(PAGES))
    assert list(admitted._spent) == [1]
    assert not any(admitted._under_way.values())
