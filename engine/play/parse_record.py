"""A game record's text parsed: whatever it holds, what is wrong with it is a sentence."""

from __future__ import annotations

import json
from typing import Any

from engine.errors import RecordError

#: Bytes for each bracket, at the least: a record has 30, and each list or object takes 64 in memory.
SPARSE = 10
#: So many brackets are not too many for any memory.
FEW = 300_000


class UnusableLine(RecordError):
    """A line that is no JSON at all."""


def parse(line: bytes) -> Any:
    """What this line says; RecordError if it is no record, UnusableLine if it is no JSON."""
    if line.count(b"{") + line.count(b"[") > max(FEW, len(line) // SPARSE):
        raise RecordError("This line has far too many brackets for a record.")
    try:
        return json.loads(line.decode("utf-8-sig"), object_pairs_hook=_object, parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise UnusableLine("This line is not UTF-8.") from None
    except json.JSONDecodeError as error:
        raise UnusableLine(f"This line is not JSON: {error.msg} at character {error.pos + 1}.") from None
    except MemoryError:
        raise RecordError("This line takes more memory than there is.") from None
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
