"""The text that the bot's operator reads: the status, and lines of the log."""

from __future__ import annotations

from collections.abc import Mapping

from bot.operator.figures import Figures
from engine.durations import Durations

DAY, HOUR, MINUTE = 86_400, 3_600, 60


def status(now: Figures) -> str:
    """The figures that `python -m bot status` prints, a line each."""
    rows = [
        ["version", now.version],
        ["running for", span(now.running)],
        ["servers", f"{now.servers:,}"],
        ["latency", "unknown" if now.latency is None else duration(now.latency)],
        ["tables in the lobby", f"{now.tables['lobby']:,}"],
        ["tables playing", f"{now.tables['people'] + now.tables['computers']:,}"],
        ["tables paused", f"{now.tables['paused']:,}"],
        ["tables damaged", f"{now.damaged:,}"],
        ["people seated", f"{now.people:,}"],
        ["computers seated", f"{now.computers:,}"],
        ["clicks answered", f"{now.answers.times:,}"],
        ["clicks, 99% within", within(now.answers)],
        ["clicks not answered", f"{now.unanswered:,}"],
        ["calls to Discord", f"{now.token_calls:,}"],
        ["calls waiting", f"{sum(now.calls_waiting.values()):,}"],
        ["calls refused", f"{sum(now.faults.values()):,}"],
        ["messages waiting", f"{now.messages_waiting:,}"],
        ["pictures drawn", f"{now.drawn.times:,}"],
        ["pictures left out", f"{sum(now.left_out.values()):,}"],
        ["strong moves", f"{now.strong:,}"],
        ["medium instead", f"{now.medium:,}"],
        ["database, 99% within", within(now.queries)],
        ["database, waiting", f"{now.database_waiting:,}"],
        ["database, size", size(now.database_size)],
    ]
    return "\n".join(f"{name:<24}{value:>12}" for name, value in rows)


# Lines of the log


def resumed(now: Figures, seconds: float) -> str:
    """The line once all tables of the database have been resumed."""
    tables = counted(sum(now.tables.values()), "table")
    start = f"resumed {tables} in {duration(seconds)}, {now.damaged:,} damaged"
    return f"Version {now.version}: {start}. The database has {size(now.database_size)}."


def connected(now: Figures) -> str:
    """The line once the gateway is connected."""
    return f"Connected to Discord: {counted(now.servers, 'server')}, {counted(now.shards, 'shard')}."


def stopping(now: Figures) -> str:
    """The line when the bot begins to stop."""
    tables = counted(sum(now.tables.values()), "table")
    return f"Stopping after {span(now.running)}: {tables} will go on at the next start."


def stopped(now: Figures) -> str:
    """The line once the bot has shut down cleanly."""
    waiting = now.messages_waiting
    if waiting:
        return f"Stopped; {counted(waiting, 'message')} still to be shown."
    return "Stopped; all is shown."


def summary(now: Figures, then: Figures) -> list[str]:
    """Two lines about the time between these figures: on people, and on the program."""
    thoughts = now.strong + now.medium - then.strong - then.medium
    ended, faults = _since(now.ended, then.ended), _since(now.faults, then.faults)
    drawn, left_out = (now.drawn - then.drawn).times, _since(now.left_out, then.left_out)
    people = [
        _timed(now.answers - then.answers, "click"),
        f"{now.unanswered - then.unanswered:,} not answered",
        f"{counted(ended.get('over', 0), 'game')} finished, {ended.get('stopped', 0):,} stopped",
    ]
    program = [
        f"{counted(now.token_calls - then.token_calls, 'call')} to Discord, {_listed(faults, 'refused')}",
        f"{counted(drawn, 'picture')}, {_listed(left_out, 'left out')}",
        f"{counted(thoughts, 'strong move')}, {now.medium - then.medium:,} left to medium computers",
        _timed(now.queries - then.queries, "database call"),
    ]
    return ["; ".join(people), "; ".join(program)]


def _timed(durations: Durations, noun: str) -> str:
    """`1,204 clicks, 99% within 38 ms`."""
    count = counted(durations.times, noun)
    return f"{count}, 99% within {within(durations)}" if durations.times else count


def _listed(counts: Mapping[str, int], what: str) -> str:
    """`3 refused (later 2, forbidden 1)`."""
    each = ", ".join(f"{name} {count:,}" for name, count in counts.items())
    return f"{sum(counts.values()):,} {what}" + (f" ({each})" if each else "")


def _since(now: Mapping[str, int], then: Mapping[str, int]) -> dict[str, int]:
    return {name: more for name, count in now.items() if (more := count - then.get(name, 0))}


# Formats of figures


def counted(count: int, noun: str) -> str:
    """`1 click`, `1,204 clicks`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def span(seconds: float) -> str:
    """A long time in at most two units: `3 d 4 h`."""
    rest, parts = int(seconds), []
    for unit, each in (("d", DAY), ("h", HOUR), ("min", MINUTE), ("s", 1)):
        count, rest = divmod(rest, each)
        parts.append((count, unit))
    first = next((place for place, (count, _) in enumerate(parts) if count), len(parts) - 1)
    return " ".join(f"{count} {unit}" for count, unit in parts[first : first + 2] if count) or "0 s"


def duration(seconds: float) -> str:
    """A short time: `38 ms`, `1.2 s`."""
    return f"{seconds:.1f} s" if seconds >= 1 else f"{max(1, round(seconds * 1000))} ms"


def within(durations: Durations) -> str:
    """The time within which 99 of 100 were finished; `-` if there were none."""
    seconds = durations.quantile(0.99)
    return "-" if seconds is None else duration(seconds)


def size(count: int) -> str:
    """A number of bytes: `45.1 kB`."""
    for unit, factor in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)):
        if count >= factor:
            return f"{count / factor:.1f} {unit}"
    return f"{count} bytes"
