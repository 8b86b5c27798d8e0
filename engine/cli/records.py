"""`replay` and `verify`: check records or their seals; each record is answered by a line of JSON."""

import argparse
import json
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any, BinaryIO

from engine.errors import HeartsError, RecordError
from engine.play.deal import Deal
from engine.play.record import UnusableLine, parse_line, read_record, split_records

Answer = dict[str, Any]


def add_to(commands: Any) -> None:
    """Add both commands and their arguments."""
    replay = commands.add_parser("replay", help="check records")
    replay.add_argument("--legal", action="store_true", help="answer with the legal cards before each play")
    replay.add_argument("file", nargs="?", metavar="FILE", help="default: standard input")
    replay.set_defaults(run=run_replay)
    verify = commands.add_parser("verify", help="check the seals of records")
    verify.add_argument("file", nargs="?", metavar="FILE", help="default: standard input")
    verify.set_defaults(run=run_verify)


def run_replay(arguments: argparse.Namespace) -> int:
    """Answer each record with its number of plays, and return the exit status."""
    return answer_all(arguments.file, lambda data: _replayed(data, legal=arguments.legal), faulty)


def run_verify(arguments: argparse.Namespace) -> int:
    """Answer each record with its number of seals, and return the exit status."""
    return answer_all(arguments.file, _verified, _broken)


def _replayed(data: Any, *, legal: bool) -> dict[str, Any]:
    """The answer to a sound record; RecordError if it isn't sound."""
    before: list[tuple[int, list[str]]] = []

    def watch(deal: Deal) -> None:
        assert deal.turn is not None
        before.append((deal.number, sorted({card.code for card in deal.legal(deal.turn)})))

    game = read_record(data, watch) if legal else read_record(data)
    plays = sum(len(completed.trick.cards) for deal in game.deals for completed in deal.tricks)
    plays += sum(len(deal.trick.cards) for deal in game.deals)
    answer: dict[str, Any] = {"ok": True, "plays": plays}
    if legal:
        answer["legal"] = [[] for _ in game.deals]
        for number, codes in before:
            answer["legal"][number - 1].append(codes)
    return answer


def _verified(data: Any) -> dict[str, Any]:
    """The number of deals, and of those with a seal; RecordError if a seal is broken.

    The plays are checked too: if they were impossible, these aren't the cards that were dealt.
    """
    deals = read_record(data).deals
    sealed = sum(deal.dealt.salt is not None for deal in deals)
    return {"ok": True, "deals": len(deals), "sealed": sealed}


def _broken(fault: RecordError) -> dict[str, Any]:
    return {"ok": False, "deal": fault.deal, "error": str(fault)}


# Records from a file or standard input


def answer_all(
    file: str | None, sound: Callable[[Any], Answer], faulty: Callable[[RecordError], Answer]
) -> int:
    """Answer each record; returns 0 if all are sound, 1 if one isn't, 2 for unusable input.

    `sound` answers a record or raises a RecordError, which `faulty` answers.
    """
    try:
        with _open(file) as source:
            return _answer_each(source, sound, faulty)
    except UnreadableError as error:
        sys.stderr.write(f"{error}\n")
        return 2


def faulty(fault: RecordError) -> Answer:
    """What is wrong with a record, and where."""
    return {"ok": False, "deal": fault.deal, "play": fault.play, "error": str(fault)}


class UnreadableError(HeartsError):
    """The input can't be read; `str()` is the sentence."""


def _open(file: str | None) -> AbstractContextManager[BinaryIO]:
    if file is None:
        if sys.stdin is None:
            raise UnreadableError("There is no standard input.")
        return nullcontext(sys.stdin.buffer)
    try:
        return open(file, "rb")
    except (OSError, ValueError) as error:
        raise UnreadableError(f"Cannot read {file}: {getattr(error, 'strerror', error)}.") from None


def _answer_each(
    source: BinaryIO, sound: Callable[[Any], Answer], faulty: Callable[[RecordError], Answer]
) -> int:
    status = 0
    for text in split_records(partial(_read, source)):
        try:
            answer = sound(parse_line(text))
        except RecordError as fault:
            answer = faulty(fault)
            status = max(status, 2 if isinstance(fault, UnusableLine) else 1)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return status


def _read(source: BinaryIO, most: int) -> bytes:
    try:
        return source.readline(most)
    except OSError as error:
        raise UnreadableError(f"Cannot read any further: {error.strerror}.") from None
