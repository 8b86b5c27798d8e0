"""What each player chooses in /hearts preferences, and managers for all in /hearts settings."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest
from own_data import exported, forget
from people import Player, filled, refusal
from server import Server

from bot.people.preferences import Prefer, Topic
from bot.people.server import ChangeSettings

AS_MADE = {
    **{"calls": "late", "forced": "known", "taps": "once", "colours": "four", "letters": "JQK"},
    **{"suits": "CDSH", "invites": "anyone", "tell": "no", "language": "discord"},
}
CHOSEN = {
    **{"calls": "never", "forced": "every", "taps": "twice", "colours": "two", "letters": "VDR"},
    **{"suits": "HSDC", "invites": "nobody", "tell": "dm", "language": "fr"},
}


def stored(server: Server) -> list[Any]:
    return server.rows("SELECT person, calls, forced FROM preferences ORDER BY person")


@pytest.mark.slow
async def test_each_form_changes_its_own_fields_until_they_are_deleted(
    server: Server, ann: Player, bo: Player
) -> None:
    answer = await ann.run("hearts preferences")
    assert not answer.public
    assert list(answer.private[0].buttons) == ["Turns", "Cards", "Invitations", "Language"]
    assert await ann.preferences() == AS_MADE
    assert stored(server) == []
    page = await ann.in_dm.prefer(calls="always", forced="known")
    assert page.says(
        "You are mentioned at every turn, and the opening lead and a hand's last card play themselves."
    )
    assert stored(server) == [(ann.id, "always", "known")]
    page = await ann.prefer(calls="never", forced="every")
    assert page.says("You are never mentioned, and every card you have no choice about plays itself.")
    for field, value in CHOSEN.items():
        await ann.prefer(**{field: value})
    assert await ann.preferences() == CHOSEN
    await bo.prefer(forced="every")
    await server.restart()
    assert await ann.preferences() == CHOSEN

    await ann.prefer(language="discord")
    assert (await exported(await ann.export_data()))["preferences"] == [
        {
            "calls": "never",
            "cards_that_play_themselves": "every",
            "language": None,
            "is_invited_by_others": False,
            "time_zone": None,
            "is_tapping_twice": True,
            "is_with_two_colours": True,
            "letters": "VDR",
            "order_of_suits": "HSDC",
        }
    ]
    await forget(ann)
    assert stored(server) == [(bo.id, "late", "every")]
    assert await ann.preferences() == AS_MADE
    await server.restart()
    assert await ann.preferences() == AS_MADE
    assert await bo.preferences() == AS_MADE | {"forced": "every"}


async def test_a_choice_that_is_forged_or_cant_be_saved_is_refused(
    server: Server, ann: Player, caplog: pytest.LogCaptureFixture
) -> None:
    [page] = (await ann.run("hearts preferences")).private
    for topic in Topic:
        for values in ((), ("loudly",)):
            assert await ann.try_control(str(Prefer(0, topic)), page, *values) == refusal("stale")
    for suits in ("CDS", "CDSS", "CDSHX"):
        cards = {"colours": "four", "letters": "JQK", "suits": suits}
        forged = ann.forge_form(str(Prefer(0, Topic.CARDS)), page, **cards)
        await server.settle()
        assert forged.told == refusal("stale")
    form = await ann.open_form("turns")
    with closing(sqlite3.connect(server.path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        assert (await ann.send(form, calls="never")).told == refusal("cannot_save")
        connection.rollback()
    caplog.clear()
    assert await ann.preferences() == AS_MADE


# A server's settings


async def test_managers_choose_for_their_server_what_the_form_offers(server: Server, ann: Player) -> None:
    max_ = server.add_manager()
    usual = {"place": "channel", "calls": "on", "tournaments": "managers", "language": "discord"}
    assert filled(await max_.run("hearts settings")) == usual
    answer = await max_.send(await max_.run("hearts settings"), place="thread", language="de")
    assert answer.told == (
        "New tables open in a thread of their own. Hosts may call players. "
        "Those who may manage events may open a tournament. I post here in Deutsch. Open tables keep theirs."
    )
    [page] = (await ann.run("hearts help")).private
    for chosen in ({"place": "cellar"}, {"calls": "x"}, {"tournaments": "bo"}, {"language": "klingon"}):
        forged = max_.forge_form(str(ChangeSettings(0)), page, **usual | chosen)
        await server.settle()
        assert forged.told == refusal("stale")
    await server.restart()
    assert filled(await max_.run("hearts settings")) == usual | {"place": "thread", "language": "de"}
    answer = await max_.send(await max_.run("hearts settings"), **usual)
    assert "I post here in English." in answer.told
    assert filled(await max_.run("hearts settings")) == usual
