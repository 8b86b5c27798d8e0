"""`ratings`: compute all ratings of a database anew from its results, while the bot stands still."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add_to(commands: Any) -> None:
    """The command and its arguments."""
    command = commands.add_parser("ratings", help="compute a database's ratings anew; not while the bot runs")
    command.add_argument("file", metavar="FILE", type=Path, help="the bot's database")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print each rating that has changed, and how many there are; the exit status."""
    from engine.cli.rate_anew import rate  # it opens a database: too long a wait for the other commands

    return rate(arguments.file)
