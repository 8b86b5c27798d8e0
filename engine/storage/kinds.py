"""Kinds of games, each of which has its own results, ratings and boards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.rules.presets import PRESETS
from engine.storage.damage import flag, text


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of game: a preset, and which way it is won. Points of different kinds say nothing together."""

    game: str
    lowest: bool


def read_kind(game: Any, lowest: Any) -> Kind:
    """The kind of game that these columns name; ValueError if they are damaged."""
    kind = Kind(text(game), flag(lowest))
    if kind.game not in PRESETS:
        raise ValueError(f"no game is called {kind.game!r}")
    return kind
