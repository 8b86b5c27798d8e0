"""`verify`: check records as `replay` does, and tell how many of their deals were sealed."""

from __future__ import annotations

import argparse
from typing import Any

from engine.cli.json_lines import answer_all
from engine.errors import RecordError
from engine.play.record import read_record


def add_to(commands: Any) -> None:
    """The command and its arguments."""
    command = commands.add_parser("verify", help="check the seals of records, one a line")
    command.add_argument("file", nargs="?", metavar="FILE", help="standard input without it")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Answer each record; the exit status."""
    return answer_all(arguments.file, _sound, _faulty)


def _sound(data: Any) -> dict[str, Any]:
    """How many deals there are, and how many of them had a seal to check; RecordError if one is broken.

    The plays are checked too: cards that nobody could have played so are not those that were dealt.
    """
    deals = read_record(data).deals
    sealed = sum(deal.dealt.salt is not None for deal in deals)
    return {"ok": True, "deals": len(deals), "sealed": sealed}


def _faulty(fault: RecordError) -> dict[str, Any]:
    return {"ok": False, "deal": fault.deal, "error": str(fault)}
