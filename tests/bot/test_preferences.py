"""/hearts preferences: what each player chooses for themselves, kept over restarts, forgotten on demand."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import Any

import pytest
from people import Player, refusal
from server import Server

from bot.people.preferences import Prefer, Topic
from engine.tables import Calls, Forced, Preference

AS_MADE = {
    **{
        "calls": "late",
        "forced": "known",
        "taps": "once",
        "colours": "four",
        "letters": "JQK",
        "suits": "CDSH",
    },
    **{"invites": "anyone", "tell": "no", "language": "discord"},
}


def stored(server: Server) -> list[Any]:
    with closing(sqlite3.connect(server.path)) as connection:
        return connection.execute("SELECT person, calls, forced FROM preferences ORDER BY person").fetchall()


async def test_who_has_chosen_nothing_finds_what_is_usual_and_nothing_is_stored(
    server: Server, ann: Player
) -> None:
    assert await ann.preferences() == AS_MADE
    assert server.env.bot.tables.preferences.of(ann.id) == Preference(Calls.LATE, Forced.KNOWN)
    assert stored(server) == []


async def test_what_is_chosen_is_told_in_a_sentence_and_stands_in_the_form_from_then_on(
    server: Server, ann: Player, bo: Player
) -> None:
    page = await ann.prefer(calls="never", forced="every")
    assert page.says("You are never mentioned, and every card you have no choice about plays itself.")
    assert await ann.preferences() == AS_MADE | {"calls": "never", "forced": "every"}
    assert await bo.preferences() == AS_MADE
    page = await ann.prefer(calls="always", forced="known")
    assert page.says(
        "You are mentioned at every turn, and the opening lead and a hand's last card play themselves."
    )
    assert stored(server) == [(ann.id, "always", "known")]


async def test_each_preference_outlives_a_restart(server: Server, ann: Player, bo: Player) -> None:
    await ann.prefer(calls="never")
    await bo.prefer(forced="every")
    await server.restart()
    of = server.env.bot.tables.preferences.of
    assert (of(ann.id), of(bo.id)) == (Preference(calls=Calls.NEVER), Preference(forced=Forced.EVERY))
    assert await ann.preferences() == AS_MADE | {"calls": "never"}


async def test_the_forms_open_and_answer_in_a_dm_too(server: Server, ann: Player) -> None:
    by_dm = ann.goes_to(ann.member.user.dm_channel)
    assert (await by_dm.prefer(calls="never")).says("never mentioned")
    assert stored(server) == [(ann.id, "never", "known")]


async def test_the_page_is_for_who_has_asked_alone(server: Server, ann: Player) -> None:
    answer = await ann.run("hearts preferences")
    assert not answer.public
    assert list(answer.private[0].buttons) == ["Turns", "Cards", "Invitations", "Language"]


async def test_each_form_changes_its_own_fields_alone(server: Server, ann: Player) -> None:
    chosen = {
        **{"calls": "never", "forced": "every", "taps": "twice", "colours": "two", "letters": "VDR"},
        **{"suits": "HSDC", "invites": "nobody", "tell": "dm", "language": "fr"},
    }
    for field, value in chosen.items():
        await ann.prefer(**{field: value})
    assert await ann.preferences() == chosen
    await server.restart()
    assert await ann.preferences() == chosen


@pytest.mark.parametrize("values", [None, ["loudly"]])
async def test_a_forged_choice_is_refused(server: Server, ann: Player, values: list[str] | None) -> None:
    await server.seat(ann)
    [page] = (await ann.run("hearts preferences")).private
    for topic in Topic:
        forged = ann.forge(str(Prefer(0, topic)), page, values)
        await server.settle()
        assert forged.told == refusal("stale")
    assert stored(server) == []


async def test_an_order_without_a_suit_is_refused(server: Server, ann: Player) -> None:
    [page] = (await ann.run("hearts preferences")).private
    cards = {"colours": "four", "letters": "JQK"}
    for suits in ("CDS", "CDSS", "CDSHX"):
        forged = ann.forge_form(str(Prefer(0, Topic.CARDS)), page, **cards, suits=suits)
        await server.settle()
        assert forged.told == refusal("stale")
    assert stored(server) == []


@pytest.mark.slow
async def test_they_are_handed_out_and_deleted_with_everything_else(
    server: Server, ann: Player, bo: Player
) -> None:
    await ann.prefer(calls="never")
    await bo.prefer(calls="always")
    export = json.loads((await ann.export_data()).file)
    assert export["preferences"] == [
        {
            "calls": "never",
            "cards_that_play_themselves": "known",
            "language": None,
            "is_invited_by_others": True,
            "time_zone": None,
            "is_tapping_twice": False,
            "is_with_two_colours": False,
            "letters": "JQK",
            "order_of_suits": "CDSH",
        }
    ]
    await ann.click("Delete it all", await ann.ask_to_delete())
    assert stored(server) == [(bo.id, "always", "known")]
    assert await ann.preferences() == AS_MADE
    await server.restart()
    assert await ann.preferences() == AS_MADE
    assert await bo.preferences() == AS_MADE | {"calls": "always"}


async def test_what_cannot_be_saved_is_not_chosen(
    server: Server, ann: Player, caplog: pytest.LogCaptureFixture
) -> None:
    form = await ann.open_form("turns")
    with closing(sqlite3.connect(server.path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        assert (await ann.send(form, calls="never")).told == refusal("cannot_save")
        connection.rollback()
    caplog.clear()
    assert await ann.preferences() == AS_MADE
