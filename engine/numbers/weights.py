"""The weights of learned players: a table for each game and goal, trained by `engine.learning`."""

from __future__ import annotations

import sys
import zlib
from array import array
from functools import lru_cache
from pathlib import Path

from engine.rules.options import Goal
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset

FOLDER = Path(__file__).with_name("weights")
#: The names of all tables.
TABLES = tuple([f"{preset}-{goal.value}" for preset in PRESETS for goal in Goal])


def table_of(rules: Ruleset) -> str:
    """The name of the table for this game, which was learned with all its options and numbers of players.

    A game without a table uses that of the game with as many decks and the most numbers of players.
    """
    table = f"{rules.preset.name}-{rules.winner.value}"
    if table in TABLES:
        return table
    return f"{'wikibooks' if rules.pack.decks == 1 else 'double-deck'}-{rules.winner.value}"


def weights_of(rules: Ruleset) -> array[int]:
    """The weights for this game, in thousandths. They are cached: don't change them."""
    return _read(table_of(rules))


def fingerprint_in(table: str) -> str:
    """The fingerprint of the features and rules that this table was learned with."""
    return (FOLDER / f"{table}.weights").read_bytes().partition(b"\n")[0].decode()


@lru_cache
def _read(table: str) -> array[int]:
    return unpacked((FOLDER / f"{table}.weights").read_bytes())


def packed(weights: array[int], fingerprint: str) -> bytes:
    """The bytes of a table's file: its fingerprint, and its weights as compressed 16-bit numbers."""
    return fingerprint.encode() + b"\n" + zlib.compress(_little(weights).tobytes(), 9)


def unpacked(file: bytes) -> array[int]:
    """The weights in a file's bytes."""
    return _little(array("h", zlib.decompress(file.partition(b"\n")[2])))


def _little(weights: array[int]) -> array[int]:
    """Convert between the machine's byte order and little-endian; both ways are alike."""
    swapped = array("h", weights)
    if sys.byteorder == "big":
        swapped.byteswap()
    return swapped
