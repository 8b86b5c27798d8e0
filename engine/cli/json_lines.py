"""Records from a file or standard input, an answer in JSON for each."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, BinaryIO

from engine.errors import HeartsError, RecordError
from engine.play.record import UnusableLine, parse_line

#: In bytes: more than the longest game takes, so that a file without lines cannot fill the memory.
LONGEST_LINE = 32 * 1024 * 1024

Answer = dict[str, Any]


def answer_all(
    file: str | None, sound: Callable[[Any], Answer], faulty: Callable[[RecordError], Answer]
) -> int:
    """Answer each record; 0 when every one is sound, 1 when one is not, 2 for unusable input.

    `sound` answers a record or raises the RecordError that `faulty` answers.
    """
    try:
        with _open(file) as source:
            return _answer_lines(source, sound, faulty)
    except UnreadableError as error:
        sys.stderr.write(f"{error}\n")
        return 2


def faulty(fault: RecordError) -> Answer:
    """What is wrong with a record, and where."""
    return {"ok": False, "deal": fault.deal, "play": fault.play, "error": str(fault)}


class UnreadableError(HeartsError):
    """The input cannot be read; `str()` is the sentence."""


def _open(file: str | None) -> AbstractContextManager[BinaryIO]:
    if file is None:
        if sys.stdin is None:
            raise UnreadableError("There is no standard input.")
        return nullcontext(sys.stdin.buffer)
    try:
        return open(file, "rb")
    except (OSError, ValueError) as error:
        raise UnreadableError(f"Cannot read {file}: {getattr(error, 'strerror', error)}.") from None


def _answer_lines(
    source: BinaryIO, sound: Callable[[Any], Answer], faulty: Callable[[RecordError], Answer]
) -> int:
    status = 0
    for line in _lines(source):
        try:
            answer = sound(_parse(line))
        except RecordError as fault:
            answer = faulty(fault)
            status = max(status, 2 if isinstance(fault, UnusableLine) else 1)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return status


def _lines(source: BinaryIO) -> Iterator[bytes]:
    """The lines that hold anything; of one past the limit, its beginning."""
    while line := _read(source):
        end = line
        while len(end) > LONGEST_LINE and not end.endswith(b"\n"):
            end = _read(source)
        if line.strip():
            yield line


def _read(source: BinaryIO) -> bytes:
    try:
        return source.readline(LONGEST_LINE + 1)
    except OSError as error:
        raise UnreadableError(f"Cannot read on: {error.strerror}.") from None


def _parse(line: bytes) -> Any:
    if len(line) > LONGEST_LINE:
        raise UnusableLine(f"This line is longer than {LONGEST_LINE} bytes.")
    return parse_line(line)
