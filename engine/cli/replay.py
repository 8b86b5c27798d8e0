"""`replay`: check records, an answer for each."""

from __future__ import annotations

import argparse
from typing import Any

from engine.cli.json_lines import answer_all, faulty
from engine.play.deal import Deal
from engine.play.record import read_record


def add_to(commands: Any) -> None:
    """The command and its arguments."""
    command = commands.add_parser("replay", help="check records, one a line")
    command.add_argument("--legal", action="store_true", help="answer with the legal cards before each play")
    command.add_argument("file", nargs="?", metavar="FILE", help="standard input without it")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Answer each record; the exit status."""
    return answer_all(arguments.file, lambda data: _sound(data, legal=arguments.legal), faulty)


def _sound(data: Any, *, legal: bool) -> dict[str, Any]:
    """The answer to a sound record; RecordError if it is not."""
    before: list[tuple[int, list[str]]] = []

    def watch(deal: Deal) -> None:
        assert deal.turn is not None
        before.append((deal.number, sorted({card.code for card in deal.legal(deal.turn)})))

    game = read_record(data, watch) if legal else read_record(data)
    plays = sum(len(done.trick.cards) for deal in game.deals for done in deal.tricks)
    plays += sum(len(deal.trick.cards) for deal in game.deals)
    answer: dict[str, Any] = {"ok": True, "plays": plays}
    if legal:
        answer["legal"] = [[] for _ in game.deals]
        for number, codes in before:
            answer["legal"][number - 1].append(codes)
    return answer
