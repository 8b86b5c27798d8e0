"""/hearts preferences: what each player chooses for themselves, kept over restarts, forgotten on demand."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import Any

import pytest
from people import Answer, Player, filled, refusal
from seen import Seen
from server import Server

from bot.controls import Prefer
from engine.tables import Calls, Forced, Preference

AS_MADE = {"calls": "late", "forced": "known", "invites": "anyone", "tell": "no", "language": "discord"}


def stored(server: Server) -> list[Any]:
    with closing(sqlite3.connect(server.path)) as connection:
        return connection.execute("SELECT person, calls, forced FROM preferences ORDER BY person").fetchall()


async def choose(player: Player, **chosen: Any) -> str:
    """What they are told when they choose this."""
    return (await player.send(await player.run("hearts preferences"), **chosen)).told


async def test_who_has_chosen_nothing_finds_what_is_usual_and_nothing_is_stored(
    server: Server, ann: Player
) -> None:
    assert filled(await ann.run("hearts preferences")) == AS_MADE
    assert server.env.bot.tables.preferences.of(ann.id) == Preference(Calls.LATE, Forced.KNOWN)
    assert stored(server) == []


async def test_what_is_chosen_is_told_in_a_sentence_and_stands_in_the_form_from_then_on(
    server: Server, ann: Player, bo: Player
) -> None:
    told = await choose(ann, calls="never", forced="every")
    assert told == "You are never mentioned, and every card you have no choice about plays itself."
    assert filled(await ann.run("hearts preferences")) == AS_MADE | {"calls": "never", "forced": "every"}
    assert filled(await bo.run("hearts preferences")) == AS_MADE
    told = await choose(ann, calls="always", forced="known")
    assert told == (
        "You are mentioned at every turn, and the opening lead and a hand's last card play themselves."
    )
    assert stored(server) == [(ann.id, "always", "known")]


async def test_each_preference_outlives_a_restart(server: Server, ann: Player, bo: Player) -> None:
    await choose(ann, calls="never")
    await choose(bo, forced="every")
    await server.restart()
    of = server.env.bot.tables.preferences.of
    assert (of(ann.id), of(bo.id)) == (Preference(calls=Calls.NEVER), Preference(forced=Forced.EVERY))
    assert filled(await ann.run("hearts preferences")) == AS_MADE | {"calls": "never"}


async def test_the_form_opens_and_answers_in_a_dm_too(server: Server, ann: Player) -> None:
    form = Answer(await ann.member.user.slash("hearts preferences"))
    sent = Answer(await ann.member.user.submit_modal(form.result, filled(form) | {"calls": "never"}))
    assert "never mentioned" in "\n".join(Seen.now(server.env, one.message).text for one in sent.private)
    assert stored(server) == [(ann.id, "never", "known")]


async def test_the_answer_is_for_who_has_chosen_alone(server: Server, ann: Player) -> None:
    answer = await ann.send(await ann.run("hearts preferences"))
    assert not answer.public
    assert len(answer.private) == 1


@pytest.mark.parametrize("values", [None, ["loudly"]])
async def test_a_forged_choice_is_refused(server: Server, ann: Player, values: list[str] | None) -> None:
    await server.seat(ann)
    forged = ann.forge(str(Prefer(0)), server.post("Seats"), values)
    await server.settle()
    assert forged.told == refusal("stale")
    assert stored(server) == []


async def test_they_are_handed_out_and_deleted_with_everything_else(
    server: Server, ann: Player, bo: Player
) -> None:
    await choose(ann, calls="never")
    await choose(bo, calls="always")
    export = json.loads((await ann.export_data()).file)
    assert export["preferences"] == {
        "calls": "never",
        "cards_that_play_themselves": "known",
        "language": None,
        "may_be_invited": 1,
        "time_zone": None,
    }
    await ann.click("Delete it all", await ann.ask_to_delete())
    assert stored(server) == [(bo.id, "always", "known")]
    assert filled(await ann.run("hearts preferences")) == AS_MADE
    await server.restart()
    assert filled(await ann.run("hearts preferences")) == AS_MADE
    assert filled(await bo.run("hearts preferences")) == AS_MADE | {"calls": "always"}


async def test_damaged_ones_count_as_not_chosen(
    server: Server, ann: Player, bo: Player, caplog: pytest.LogCaptureFixture
) -> None:
    await choose(ann, calls="never")
    await choose(bo, calls="never")
    with closing(sqlite3.connect(server.path)) as connection, connection:
        connection.execute("UPDATE preferences SET calls = 'loudly' WHERE person = ?", (ann.id,))
    await server.restart()
    assert filled(await ann.run("hearts preferences")) == AS_MADE
    assert filled(await bo.run("hearts preferences")) == AS_MADE | {"calls": "never"}
    assert "what somebody prefers cannot be read" in caplog.text
    caplog.clear()


async def test_what_cannot_be_saved_is_not_chosen(
    server: Server, ann: Player, caplog: pytest.LogCaptureFixture
) -> None:
    form = await ann.run("hearts preferences")
    with closing(sqlite3.connect(server.path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        assert (await ann.send(form, calls="never")).told == refusal("cannot_save")
        connection.rollback()
    caplog.clear()
    assert filled(await ann.run("hearts preferences")) == AS_MADE
