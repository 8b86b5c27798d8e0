"""A table whose rows are damaged: its channel is told once, and everything else goes on."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from people import Player
from server import Server

TOLD = "This table can't go on"


@pytest.fixture(autouse=True)
def expected_in_the_log(server: Server, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """The damage is logged, without a traceback, and nothing else is logged as an error."""
    yield
    records = caplog.get_records("call")
    errors = [record for record in records if record.levelno >= logging.ERROR]
    assert {record.name for record in errors} == {"engine.tables.store"}
    assert not any(record.exc_info for record in errors)
    records.clear()


BROKEN = "UPDATE tables SET body = json_set(body, '$.pace', 'none at all')"


def damage(server: Server, statement: str) -> None:
    with closing(sqlite3.connect(server.path)) as connection, connection:
        connection.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE moves SET move = 'QS' WHERE table_id = 1 AND number = 3",
        "UPDATE tables SET body = json_set(body, '$.seats[0].missed', 'often') WHERE id = 1",
    ],
)
async def test_its_channel_is_told_once_and_other_tables_go_on(
    server: Server, ann: Player, bo: Player, cy: Player, statement: str
) -> None:
    await server.deal_and_pass(ann, bo)
    cy.at = server.add_channel("another")
    await cy.run("hearts new")
    damage(server, statement)
    await server.restart()
    assert server.post(TOLD).says("it in my log as table 1")
    await server.restart()
    await server.stop_and_start()
    assert sum(TOLD in post.text for post in server.posts()) == 1
    assert not any(TOLD in post.text for post in server.posts(cy.at))
    await cy.click("Start")
    assert cy.hand.text


async def test_another_table_can_be_opened_there(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo)
    old = server.to_play.hand
    player = server.to_play
    damage(server, BROKEN)
    await server.restart()
    answer = await player.click(player.playable[0], old)
    assert answer.told
    await server.deal_and_pass(ann, bo)
    assert [table["id"] for table in server.stored()["tables"]] == [1, 2]


async def test_a_table_that_was_repaired_goes_on(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo)
    damage(server, BROKEN)
    await server.restart()
    damage(server, "UPDATE tables SET body = json_set(body, '$.pace', 'none')")
    await server.restart()
    await server.to_play.play()


async def test_it_goes_with_the_first_person_there_who_deletes_everything(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.deal(ann, bo)
    await ann.pick_cards()
    await bo.pick_cards()
    damage(server, BROKEN)
    await server.restart()
    await ann.click("Delete it all", await ann.ask_to_delete())
    assert server.stored()["tables"] == []


async def test_the_record_of_a_damaged_game_is_refused(server: Server, ann: Player, bo: Player) -> None:
    await server.deal_and_pass(ann, bo)
    await server.stop_the_game()
    damage(server, "UPDATE moves SET move = 'QS' WHERE number = 3")
    assert "is damaged" in (await bo.run("hearts record")).told
