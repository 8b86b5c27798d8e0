"""Makes simcord faster, and what each bot tells Discord of its commands."""

import copy
import marshal
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

from discord import app_commands
from simcord import components, gateway
from simcord.http import router

from engine.languages import LANGUAGES

Describe = Callable[[Any, Any, Any], Awaitable[dict[str, Any]]]


def lighten_simcord() -> None:
    """From now on simcord copies payloads faster, of which it copies each four times, value by value."""
    components.deepcopy = copied
    gateway.copy = router.copy = SimpleNamespace(deepcopy=copied)


def copied(payload: Any) -> Any:
    """What `copy.deepcopy` returns for plain data, as in JSON."""
    try:
        return marshal.loads(marshal.dumps(payload))
    except ValueError:  # it isn't plain everywhere
        return copy.deepcopy(payload)


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
