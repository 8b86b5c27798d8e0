"""Game records as files, uploaded with /hearts replay."""

import json
from random import Random
from typing import Any

from people import Answer, Player
from seen import Seen
from server import Server

from engine.names import COMPUTERS
from engine.play.record import write_record
from engine.players import play_game, random_move
from engine.rules.ruleset import Ruleset


def record(preset: str = "classic", players: int = 4, **options: Any) -> dict[str, Any]:
    """The record of a whole random game."""
    rules = Ruleset.of(preset, players, {"ends_at": 60, **options})
    game = play_game(rules, random_move, Random(1), Random(2))
    return write_record(game, [f"{name} A." for name in COMPUTERS[:players]])


def line(data: Any) -> bytes:
    return json.dumps(data).encode() + b"\n"


async def hand_in(player: Player, content: bytes, name: str = "game.jsonl", **options: Any) -> Answer:
    """Use the command with this file."""
    return await player.run("hearts replay", file=(name, content), **options)


def opened(answer: Answer) -> Seen:
    """The replay that was shown privately."""
    assert not answer.public
    [shown] = answer.private
    assert shown.says("As dealt"), shown.text
    return shown


def kept(server: Server) -> list[Any]:
    """The uploaded files in the database."""
    return server.rows("SELECT person, names FROM handed_in")
