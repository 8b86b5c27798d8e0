"""Kinds of games, as boards and statistics name them."""

from __future__ import annotations

from engine.rules.presets import PRESETS
from engine.storage.results import Kind


def title(kind: Kind) -> str:
    """What a kind of game is called."""
    return f"{PRESETS[kind.game].title}, {'lowest' if kind.lowest else 'highest'} total wins"


def key(kind: Kind) -> str:
    """How a control names it."""
    return f"{kind.game}.{'lowest' if kind.lowest else 'highest'}"


def kind_of(key: str) -> Kind:
    """The kind of game that a control names."""
    game, _, goal = key.partition(".")
    return Kind(game, goal == "lowest")
