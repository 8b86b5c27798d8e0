"""`replay`: check records, an answer for each."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, BinaryIO

from engine.errors import RecordError
from engine.play.deal import Deal
from engine.play.record import replay

#: In bytes: far more than a long game takes, so that a file without lines cannot fill the memory.
LONGEST = 64 * 1024 * 1024


def add_to(commands: Any) -> None:
    """The command and its arguments."""
    command = commands.add_parser("replay", help="check records, one a line")
    command.add_argument("--legal", action="store_true", help="answer with the legal cards before each play")
    command.add_argument("file", nargs="?", metavar="FILE", help="standard input without it")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Answer each record; 0 when every one is sound, 1 when one is not, 2 for unusable input."""
    try:
        with _open(arguments.file) as lines:
            return _answer_all(lines, legal=arguments.legal)
    except UnreadableError as error:
        sys.stderr.write(f"{error}\n")
        return 2


class UnreadableError(Exception):
    """The input cannot be read; `str()` is the sentence."""


class UnusableLine(RecordError):
    """A line that is no JSON at all."""


def _open(file: str | None) -> AbstractContextManager[BinaryIO]:
    if file is None:
        if sys.stdin is None:
            raise UnreadableError("There is no standard input.")
        return nullcontext(sys.stdin.buffer)
    try:
        return open(file, "rb")
    except (OSError, ValueError) as error:
        raise UnreadableError(f"Cannot read {file}: {getattr(error, 'strerror', error)}.") from None


def _answer_all(source: BinaryIO, *, legal: bool) -> int:
    status = 0
    for line in _lines(source):
        try:
            answer = _sound(_parse(line), legal=legal)
        except RecordError as fault:
            answer = {"ok": False, "deal": fault.deal, "play": fault.play, "error": str(fault)}
            status = max(status, 2 if isinstance(fault, UnusableLine) else 1)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return status


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """The lines that hold anything; of one past the limit, its beginning."""
    while line := _read(source):
        end = line
        while len(end) > LONGEST and not end.endswith(b"\n"):
            end = _read(source)
        if line.strip():
            yield line


def _read(source: BinaryIO) -> bytes:
    try:
        return source.readline(LONGEST + 1)
    except OSError as error:
        raise UnreadableError(f"Cannot read on: {error.strerror}.") from None


def _sound(data: Any, *, legal: bool) -> dict[str, Any]:
    """The answer to a sound record; RecordError if it is not."""
    before: list[tuple[int, list[str]]] = []

    def watch(deal: Deal) -> None:
        assert deal.turn is not None
        before.append((deal.number, sorted({card.code for card in deal.legal(deal.turn)})))

    game = replay(data, watch) if legal else replay(data)
    plays = sum(len(done.trick.cards) for deal in game.deals for done in deal.tricks)
    plays += sum(len(deal.trick.cards) for deal in game.deals)
    answer: dict[str, Any] = {"ok": True, "plays": plays}
    if legal:
        answer["legal"] = [[] for _ in game.deals]
        for number, codes in before:
            answer["legal"][number - 1].append(codes)
    return answer


def _parse(line: bytes) -> Any:
    if len(line) > LONGEST:
        raise UnusableLine(f"This line is longer than {LONGEST} bytes.")
    try:
        return json.loads(line.decode("utf-8-sig"), object_pairs_hook=_object, parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise UnusableLine("This line is not UTF-8.") from None
    except json.JSONDecodeError as error:
        raise UnusableLine(f"This line is not JSON: {error.msg} at character {error.pos + 1}.") from None
    except RecursionError:
        raise RecordError("This line is nested far too deeply for a record.") from None
    except ValueError:  # Python's limit on the digits of a number
        raise RecordError("A number in this line is far too long for a record.") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise RecordError("A field stands twice in one object.")
    return found


def _no_constant(name: str) -> Any:
    raise UnusableLine(f"This line is not JSON: {name} is no number.")
