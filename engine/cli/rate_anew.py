"""What `ratings` does, and only that command needs."""

from __future__ import annotations

import asyncio
import json
import sys
from os.path import isfile
from pathlib import Path
from typing import Any

from engine.errors import Refusal, StorageError
from engine.storage.database import Database
from engine.storage.results import Outcome, recompute_ratings


def rate(file: Path) -> int:
    """Print each rating of this database that has changed, and how many there are; the exit status."""
    if not isfile(file):  # Path.is_file() raises where a name is too long
        sys.stderr.write(f"There is no file {file}.\n")
        return 2
    try:
        outcomes = asyncio.run(_rate_anew(file))
    except StorageError as problem:
        sys.stderr.write(f"{file} cannot be used: {problem}.\n")
        return 2
    except Refusal:  # why stands above, where the database logs it
        sys.stderr.write(f"Nothing was changed in {file}.\n")
        return 2
    changed = [one for one in outcomes if one.before != one.after]
    for one in changed:
        sys.stdout.write(json.dumps(_described(one)) + "\n")
    sys.stdout.write(json.dumps({"ratings": len(outcomes), "changed": len(changed)}) + "\n")
    return 0


async def _rate_anew(file: Path) -> list[Outcome]:
    database = await Database.open(file)
    try:
        return await database.write(recompute_ratings)
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
