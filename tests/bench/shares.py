"""Where the time went: cProfile's figures, added up by package.

They are wall-clock times, as the thread's clock would take longer to read than most functions to run: only
the proportions mean something, and only on a quiet machine. `others` is Python's library, the benchmark and
waiting.
"""

from __future__ import annotations

import cProfile
from collections import Counter
from pathlib import Path
from types import CodeType

import discord
import simcord

import bot
import engine

#: Each package's folder.
HOMES = {str(Path(one.__file__).parent) + "/": one.__name__ for one in (bot, engine, discord, simcord)}
OTHERS = "others"


def shares(profile: cProfile.Profile) -> dict[str, float]:
    """The seconds spent in each package's own functions, without those that they call.

    What has no file of its own (builtins, methods of extension types, the code that dataclasses generate)
    counts for whoever called it; if that had no file either, for whoever called that one, in proportion.
    The benchmark's own calls to the bot and the engine count as the benchmark's.
    """
    entries = profile.getstats()
    seconds: Counter[str] = Counter()
    callers: dict[object, Counter[object]] = {}
    for entry in entries:
        if owner := _owner(entry.code):
            seconds[owner] += entry.inlinetime
        for called in entry.calls or ():
            asked = _owner(called.code)
            if asked in ("bot", "engine") and _is_benchmark(entry.code):
                seconds.update({asked: -called.totaltime, OTHERS: called.totaltime})
            if not asked:
                callers.setdefault(_key(called.code), Counter())[_key(entry.code)] += called.inlinetime
    owners = {_key(entry.code): _owner(entry.code) for entry in entries}
    for entry in entries:
        if not _owner(entry.code):
            for name, share in _passed_on(_key(entry.code), owners, callers, ()).items():
                seconds[name] += share * entry.inlinetime
    return {name: seconds[name] for name in (*HOMES.values(), OTHERS)}


def _passed_on(
    key: object,
    owners: dict[object, str | None],
    callers: dict[object, Counter[object]],
    above: tuple[object, ...],
) -> Counter[str]:
    """Each package's share of a function without a file."""
    if owner := owners[key]:
        return Counter({owner: 1.0})
    parts: Counter[str] = Counter()
    calls = {caller: spent for caller, spent in callers.get(key, {}).items() if caller not in above}
    total = sum(calls.values())
    if not total:
        return Counter({OTHERS: 1.0})
    for caller, spent in calls.items():
        for name, share in _passed_on(caller, owners, callers, (*above, key)).items():
            parts[name] += share * spent / total
    return parts


def _owner(code: CodeType | str) -> str | None:
    """The package whose file contains this; None if it has no file."""
    if isinstance(code, str) or code.co_filename.startswith("<string>"):
        return None
    return next((name for home, name in HOMES.items() if code.co_filename.startswith(home)), OTHERS)


def _is_benchmark(code: CodeType | str) -> bool:
    return not isinstance(code, str) and Path(code.co_filename).parent == Path(__file__).parent


def _key(code: CodeType | str) -> object:
    """A key by identity, as different code objects may be equal."""
    return code if isinstance(code, str) else id(code)


def report(profile: cProfile.Profile) -> str:
    """The figures, a line each."""
    spent = shares(profile)
    ours = spent["bot"] + spent["engine"]
    lines = ["seconds by package, as the profiler counts them (it makes calls dearer than they are):"]
    lines += [f"  {seconds:7.2f}  {name}" for name, seconds in spent.items()]
    lines += [f"  {ours:7.2f}  bot + engine, {ours / spent['discord']:.2f} of discord.py's"]
    return "\n".join(lines) + "\n"
