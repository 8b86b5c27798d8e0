"""`ratings`: recompute all ratings in a database from its results, while the bot is stopped."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from os.path import isfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import Refusal, StorageError

if TYPE_CHECKING:
    from engine.storage.results import RatingChange


def add_to(commands: Any) -> None:
    """Add the command and its arguments."""
    command = commands.add_parser("ratings", help="recompute a database's ratings, while the bot is stopped")
    command.add_argument("file", metavar="FILE", type=Path, help="the bot's database")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print each changed rating and the number of ratings, and return the exit status."""
    file: Path = arguments.file
    if not isfile(file):  # Path.is_file() raises if a name is too long
        sys.stderr.write(f"There is no file {file}.\n")
        return 2
    try:
        changes = asyncio.run(_recompute(file))
    except StorageError as problem:
        sys.stderr.write(f"{file} can't be used: {problem}.\n")
        return 2
    except Refusal:  # the database has logged the reason
        sys.stderr.write(f"Nothing was changed in {file}.\n")
        return 2
    changed = [one for one in changes if one.before != one.after]
    for one in changed:
        sys.stdout.write(json.dumps(_described(one)) + "\n")
    sys.stdout.write(json.dumps({"ratings": len(changes), "changed": len(changed)}) + "\n")
    return 0


async def _recompute(file: Path) -> list[RatingChange]:
    # Slow to import, and not needed by the other commands.
    from engine.storage.database import Database
    from engine.storage.results import recompute_ratings

    database = await Database.open(file)
    try:
        return await database.write(recompute_ratings)
    finally:
        await database.close()


def _described(change: RatingChange) -> dict[str, Any]:
    """A rating as JSON: ids as text, since some parsers round numbers; ratings as people see them."""
    return {
        "server": str(change.guild),
        "person": str(change.person),
        "game": change.kind.game,
        "winner": "lowest" if change.kind.lowest else "highest",
        "before": change.before.shown if change.before else None,
        "after": change.after.shown,
    }
