"""Makes simcord faster, and what each bot tells Discord of its commands."""

import pickle
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

from discord import app_commands
from simcord import _runtime, components, gateway
from simcord.http import router

from engine.languages import LANGUAGES

Describe = Callable[[Any, Any, Any], Awaitable[dict[str, Any]]]


def lighten_simcord() -> None:
    """From now on simcord copies payloads in one go, and finds a timer without comparing its fields.

    Both took a tenth of a benchmark's time with 800 tables: each payload is copied four times.
    """
    _runtime._CallbackRecord.__eq__ = object.__eq__
    components.deepcopy = copied
    gateway.copy = router.copy = SimpleNamespace(deepcopy=copied)


def copied(payload: Any) -> Any:
    """What `copy.deepcopy` returns."""
    return pickle.loads(pickle.dumps(payload, pickle.HIGHEST_PROTOCOL))


def describe_commands_once() -> None:
    """From now on a command is described in all languages for the first bot only, until anything changes.

    That is the same for each bot, and was more than half of what its start takes.
    """
    for kind in (app_commands.Command, app_commands.Group):
        kind.get_translated_payload = _once(kind.get_translated_payload)


def _once(describe: Describe) -> Describe:
    told: dict[Any, tuple[Any, dict[str, Any]]] = {}

    async def described(command: Any, tree: Any, translator: Any) -> dict[str, Any]:
        catalogs = [language.catalog for language in LANGUAGES.values()]
        if command not in told or told[command][0] != (catalogs, command.to_dict(tree)):
            told[command] = (catalogs, command.to_dict(tree)), await describe(command, tree, translator)
        return dict(copied(told[command][1]))

    return described
