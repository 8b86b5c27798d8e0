"""`ratings`: compute all ratings of a database anew from its results, while the bot stands still."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from engine.errors import Refusal, StorageError
from engine.storage.database import Database
from engine.storage.rating_anew import Outcome, rate_anew


def add_to(commands: Any) -> None:
    """The command and its arguments."""
    command = commands.add_parser("ratings", help="compute a database's ratings anew; not while the bot runs")
    command.add_argument("file", metavar="FILE", type=Path, help="the bot's database")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print each rating that has changed, and how many there are; the exit status."""
    if not arguments.file.is_file():
        sys.stderr.write(f"There is no file {arguments.file}.\n")
        return 2
    try:
        outcomes = asyncio.run(_rate_anew(arguments.file))
    except StorageError as problem:
        sys.stderr.write(f"{arguments.file} cannot be used: {problem}.\n")
        return 2
    except Refusal:  # why stands above, where the database logs it
        sys.stderr.write(f"Nothing was changed in {arguments.file}.\n")
        return 2
    changed = [one for one in outcomes if one.before != one.after]
    for one in changed:
        sys.stdout.write(json.dumps(_described(one)) + "\n")
    sys.stdout.write(json.dumps({"ratings": len(outcomes), "changed": len(changed)}) + "\n")
    return 0


async def _rate_anew(file: Path) -> list[Outcome]:
    database = await Database.open(file)
    try:
        return await database.write(rate_anew)
    finally:
        await database.close()


def _described(outcome: Outcome) -> dict[str, Any]:
    """Ids as text, which no reader rounds; ratings as people see them."""
    return {
        "server": str(outcome.guild),
        "person": str(outcome.person),
        "game": outcome.kind.game,
        "winner": "lowest" if outcome.kind.lowest else "highest",
        "before": outcome.before.shown if outcome.before else None,
        "after": outcome.after.shown,
    }
