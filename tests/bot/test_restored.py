"""An older copy of the database in its place: channels whose moves were taken back are told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from people import Player
from server import Server

from engine.storage.backup import back_up

pytestmark = pytest.mark.slow

TOLD = "Some moves were taken back"


async def put_back(server: Server, copy: Path) -> None:
    """Stop the bot, put the copy in the database's place, and start it again."""
    await server.env.bot.close()
    os.replace(copy, server.path)
    await server.env.restart_bot(await server._bot())
    await server.settle()


async def test_a_channel_whose_moves_were_taken_back_is_told_once(
    server: Server, ann: Player, bo: Player, tmp_path: Path
) -> None:
    await server.deal_and_pass(ann, bo, pace="none")
    await server.to_play.play()
    back_up(server.path, tmp_path / "copy")
    await server.to_play.play()
    await put_back(server, tmp_path / "copy")
    assert server.shows(TOLD)
    await server.stop_and_start()
    assert len([post for post in server.posts() if post.says(TOLD)]) == 1


async def test_so_is_one_whose_game_the_copy_does_not_know(
    server: Server, ann: Player, bo: Player, tmp_path: Path
) -> None:
    back_up(server.path, tmp_path / "copy")
    await server.deal_and_pass(ann, bo, pace="none")
    await put_back(server, tmp_path / "copy")
    assert server.shows(TOLD)


async def test_nothing_is_said_where_nothing_was_taken_back(
    server: Server, ann: Player, bo: Player, tmp_path: Path
) -> None:
    await server.deal_and_pass(ann, bo, pace="none")
    await server.to_play.play()
    await server.stop_and_start()
    back_up(server.path, tmp_path / "copy")
    await put_back(server, tmp_path / "copy")
    await server.stop_the_game()
    await server.stop_and_start()
    assert not server.shows(TOLD)
