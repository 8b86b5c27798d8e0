"""The text that the bot's operator reads: the status, and lines of the log."""

from collections.abc import Mapping

from bot.operator.figures import Figures
from engine import __version__

DAY, HOUR, MINUTE = 86_400, 3_600, 60


def status(now: Figures, running: float) -> str:
    """The figures that `python -m bot status` prints, a line each; `running` in seconds."""
    playing = now.count("tables", state="people") + now.count("tables", state="computers")
    latency = now.value("gateway_latency_seconds")
    rows = [
        ["version", __version__],
        ["running for", span(running)],
        ["servers", f"{now.count('servers'):,}"],
        ["latency", "unknown" if latency is None else duration(latency)],
        ["tables in the lobby", f"{now.count('tables', state='lobby'):,}"],
        ["tables playing", f"{playing:,}"],
        ["tables paused", f"{now.count('tables', state='paused'):,}"],
        ["tables damaged", f"{now.count('tables_damaged'):,}"],
        ["people seated", f"{now.count('seats', player='person'):,}"],
        ["computers seated", f"{now.count('seats', player='computer'):,}"],
        ["clicks answered", f"{now.count('click_seconds'):,}"],
        ["clicks, 99% within", within(now, "click_seconds")],
        ["clicks not answered", f"{now.count('clicks_unanswered'):,}"],
        ["calls to Discord", f"{now.count('discord_calls', token='bot'):,}"],
        ["calls waiting", f"{now.count('budget_waiting'):,}"],
        ["calls refused", f"{now.count('discord_refusals'):,}"],
        ["messages waiting", f"{now.count('messages_waiting'):,}"],
        ["pictures drawn", f"{now.count('picture_seconds'):,}"],
        ["pictures left out", f"{now.count('pictures_left_out'):,}"],
        ["strong moves", f"{now.count('thoughts', by='strong'):,}"],
        ["medium instead", f"{now.count('thoughts', by='medium'):,}"],
        ["database, 99% within", within(now, "database_seconds")],
        ["database, waiting", f"{now.count('database_waiting'):,}"],
        ["database, size", size(now.count("database_bytes"))],
    ]
    return "\n".join(f"{name:<24}{value:>12}" for name, value in rows)


# Lines of the log


def resumed(now: Figures, seconds: float) -> str:
    """The line once all tables of the database have been resumed."""
    tables, damaged = counted(now.count("tables"), "table"), now.count("tables_damaged")
    start = f"resumed {tables} in {duration(seconds)}, {damaged:,} damaged"
    return f"Version {__version__}: {start}. The database has {size(now.count('database_bytes'))}."


def connected(now: Figures) -> str:
    """The line once the gateway is connected."""
    servers, shards = now.count("servers"), now.count("gateway_shards")
    return f"Connected to Discord: {counted(servers, 'server')}, {counted(shards, 'shard')}."


def stopping(now: Figures, running: float) -> str:
    """The line when the bot begins to stop; `running` is in seconds."""
    tables = counted(now.count("tables"), "table")
    return f"Stopping after {span(running)}: {tables} will go on at the next start."


def stopped(now: Figures) -> str:
    """The line once the bot has shut down cleanly."""
    waiting = now.count("messages_waiting")
    if waiting:
        return f"Stopped; {counted(waiting, 'message')} still to be shown."
    return "Stopped; all is shown."


def summary(since: Figures) -> list[str]:
    """Two lines about what was counted in some time: on people, and on the program."""
    games = counted(since.count("games_ended", how="over"), "game")
    calls = counted(since.count("discord_calls", token="bot"), "call")
    medium = since.count("thoughts", by="medium")
    people = [
        _timed(since, "click_seconds", "click"),
        f"{since.count('clicks_unanswered'):,} not answered",
        f"{games} finished, {since.count('games_ended', how='stopped'):,} stopped",
    ]
    program = [
        f"{calls} to Discord, {_listed(since.by('discord_refusals', 'fault'), 'refused')}",
        f"{counted(since.count('picture_seconds'), 'picture')}, "
        f"{_listed(since.by('pictures_left_out', 'reason'), 'left out')}",
        f"{counted(since.count('thoughts'), 'strong move')}, {medium:,} left to medium computers",
        _timed(since, "database_seconds", "database call"),
    ]
    return ["; ".join(people), "; ".join(program)]


def _timed(since: Figures, name: str, noun: str) -> str:
    """`1,204 clicks, 99% within 38 ms`."""
    count = since.count(name)
    return f"{counted(count, noun)}, 99% within {within(since, name)}" if count else counted(count, noun)


def _listed(counts: Mapping[str, int], what: str) -> str:
    """`3 refused (later 2, forbidden 1)`."""
    each = ", ".join(f"{name} {count:,}" for name, count in counts.items())
    return f"{sum(counts.values()):,} {what}" + (f" ({each})" if each else "")


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


def within(figures: Figures, name: str) -> str:
    """The time within which 99 of 100 of these were finished; `-` if there were none."""
    seconds = figures.within(name)
    return "-" if seconds is None else duration(seconds)


def size(count: int) -> str:
    """A number of bytes: `45.1 kB`."""
    for unit, factor in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)):
        if count >= factor:
            return f"{count / factor:.1f} {unit}"
    return f"{count} bytes"
