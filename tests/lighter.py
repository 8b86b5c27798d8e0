"""Makes simcord faster, and what each bot tells Discord of its commands."""

import copy
import marshal
from asyncio import Task
from collections.abc import Awaitable, Callable, Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

from discord import app_commands
from simcord import _dpy_internals, _runtime, _settlement, actors, components, env, gateway
from simcord.http import router
from simcord.http.routes import interactions

from engine.languages import LANGUAGES
from tests.openapi import walk

Describe = Callable[[Any, Any, Any], Awaitable[dict[str, Any]]]

#: The types of plain data besides dicts and lists.
ATOMS = (str, int, bool, type(None), float, bytes)


def lighten_simcord() -> None:
    """From now on simcord does the same in fewer steps.

    It compares each record with all others, field by field, copies each payload four times, value by value,
    and looks at every timer for every task each time it asks whether the bot is idle, which was half of its
    CPU time.
    """
    _runtime._CallbackRecord.__eq__ = object.__eq__
    components.deepcopy = copied
    gateway.copy = router.copy = SimpleNamespace(deepcopy=copied)
    components.walk_components = actors.walk_components = interactions.walk_components = _walked
    env._SettlementState = _State
    _settlement._timer_records_waking = _timers_waking
    _dpy_internals.is_wait_for_listener = _is_wait_for_listener
    _dpy_internals._clock_monotonic = _monotonic


def copied(payload: Any) -> Any:
    """What `copy.deepcopy` returns for plain data, as in JSON."""
    try:
        return marshal.loads(marshal.dumps(payload))
    except ValueError:  # it isn't plain everywhere
        return _copied_one_by_one(payload)


def _copied_one_by_one(payload: Any) -> Any:
    kind = type(payload)
    if kind is dict:
        return {key: _copied_one_by_one(value) for key, value in payload.items()}
    if kind is list:
        return [_copied_one_by_one(value) for value in payload]
    return payload if kind in ATOMS else copy.deepcopy(payload)


def _walked(tree: Any) -> Iterator[dict[str, Any]]:
    """Every component with those in it, in the order of the wire."""
    return iter(walk((tree,) if isinstance(tree, dict) else tree))


class _State(NamedTuple):
    """What simcord looks at; its own class sets its fields ten times slower."""

    work: Any
    bot: Any
    loop: Any
    virtual_time: float
    advancing: bool
    generation: int
    last_dispatch: str | None


def _timers_waking(state: Any, task: Task[Any], waiter: Any) -> list[Any]:
    """The timers that only let this task go on."""
    found = []
    now, original = state.virtual_time, _dpy_internals._original_callback
    for record in state.work.callbacks:
        if record.when is None or record.when <= now:
            continue
        if (handle := record.handle) is None or handle._cancelled:
            continue
        if any(one is waiter for one in handle._args) or _dpy_internals.is_wakeup_callback(
            original(handle._callback), (), waiter, task
        ):
            found.append(record)
    return found


_looks_for_listener = _dpy_internals.is_wait_for_listener


def _is_wait_for_listener(client: Any, task: Task[Any]) -> bool:
    """Whether the task waits for an event, as none does while nobody listens."""
    return any(client._listeners.values()) and _looks_for_listener(client, task)


def _monotonic() -> float:
    """The simulated clock, or the real one; simcord's own imports a module each time."""
    chosen = _runtime._selected_env(driver=False)
    return _dpy_internals.real_monotonic() if chosen is None else chosen._virtual_time


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
