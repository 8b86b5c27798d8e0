"""`presets`: every preset with its players, options, allowed values and defaults."""

import argparse
import json
import sys
from collections.abc import Sequence
from enum import Enum
from typing import Any

from engine.rules.options import OPTIONS
from engine.rules.presets import PRESETS, Preset
from engine.rules.ruleset import allowed_of, default_of


def add_to(commands: Any) -> None:
    """Add the command and its arguments."""
    command = commands.add_parser("presets", help="print the games and their options as JSON")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print all presets; returns 0."""
    described = {name: describe(game) for name, game in PRESETS.items()}
    sys.stdout.write(json.dumps(described, indent=2) + "\n")
    return 0


def describe(game: Preset) -> dict[str, Any]:
    """A preset as JSON. An option's `players` are the numbers of players that can have it.

    `unless` lists the other options that change the default; a default of null means that the option
    doesn't apply.
    """
    return {
        "title": game.title,
        "players": list(game.players),
        "options": {name: option for name in OPTIONS if (option := _option(game, name))},
    }


def _option(game: Preset, name: str) -> dict[str, Any] | None:
    """The option for all numbers of players that can have it, which differ only in `unless`."""
    cases = {players: case for players in game.players if (case := _case(game, players, name))}
    if not cases:
        return None
    first, *others = cases.values()
    unless = first["unless"] + [
        row for case in others for row in case["unless"] if row not in first["unless"]
    ]
    return {"players": list(cases), **first, "unless": unless}


def _case(game: Preset, players: int, name: str) -> dict[str, Any] | None:
    """The option with this number of players; None if it can never apply."""
    usual: dict[str, Any] = {}
    for other in OPTIONS:
        usual[other] = default_of(game, players, other, usual)
    default = usual[name]
    unless: list[dict[str, Any]] = []
    for other in OPTIONS:
        changed: dict[Any, list[Any]] = {}
        for value in _listed(allowed_of(game, players, other)):
            then = default_of(game, players, name, {**usual, other: OPTIONS[other].parse(value)})
            if then != default:
                changed.setdefault(then, []).append(value)
        unless += [{"when": {other: values}, "default": _json(then)} for then, values in changed.items()]
    if default is None and not unless:
        return None
    return {"allowed": _allowed(game, players, name), "default": _json(default), "unless": unless}


def _allowed(game: Preset, players: int, name: str) -> Any:
    values = allowed_of(game, players, name)
    return _listed(values) or {"from": values[0], "to": values[-1]}


def _listed(values: Sequence[Any]) -> list[Any]:
    """The values as a list; empty for a wide range, on which no default depends."""
    return list(values) if len(values) <= 10 else []


def _json(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value
