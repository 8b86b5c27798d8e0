"""What whoever runs the bot wants to know, and what a table hears that cannot be saved or read."""

from __future__ import annotations

from bot.figures import Figures
from bot.messages import Colour, Post, Whisper
from bot.render.text import grid
from engine.durations import Durations

DAY, HOUR, MINUTE = 86_400, 3_600, 60


def status(now: Figures) -> Whisper:
    """/hearts status."""
    rows = [
        ["version", now.version],
        ["running for", span(now.running)],
        ["servers", f"{now.servers:,}"],
        ["latency", "unknown" if now.latency is None else duration(now.latency)],
        ["tables in the lobby", f"{now.tables.get('lobby', 0):,}"],
        ["tables playing", f"{sum(now.tables.values()) - now.tables.get('lobby', 0):,}"],
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
    return Whisper((f"### Status\n{grid(rows)}",))


def span(seconds: float) -> str:
    """How long something has gone on, in two units at most: `3 d 4 h`."""
    left, parts = int(seconds), []
    for unit, each in (("d", DAY), ("h", HOUR), ("min", MINUTE), ("s", 1)):
        count, left = divmod(left, each)
        parts.append((count, unit))
    first = next((place for place, (count, _) in enumerate(parts) if count), len(parts) - 1)
    return " ".join(f"{count} {unit}" for count, unit in parts[first : first + 2] if count) or "0 s"


def duration(seconds: float) -> str:
    """How long something took: `38 ms`, `1.2 s`."""
    return f"{seconds:.1f} s" if seconds >= 1 else f"{max(1, round(seconds * 1000))} ms"


def within(durations: Durations) -> str:
    """How long all but one in a hundred took at most."""
    seconds = durations.quantile(0.99)
    return "-" if seconds is None else duration(seconds)


def size(count: int) -> str:
    """Bytes in words: `45.1 kB`."""
    for unit, factor in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)):
        if count >= factor:
            return f"{count / factor:.1f} {unit}"
    return f"{count} bytes"


# What a table reads


def cannot_save() -> Post:
    """Nothing can be saved just now."""
    text = (
        "⏳ I cannot save anything just now, so the game waits. Nothing is lost: "
        "wait a little, then do again what you did last."
    )
    return Post((text,), Colour.TURN)


def cannot_be_read(table: int) -> Post:
    """This table's rows are damaged."""
    text = (
        "### This table cannot go on\n"
        "What I had stored of the game in this channel is damaged. It is kept as it is: whoever runs me "
        f"finds it in my log as table {table}, and if they repair it, it goes on. "
        "Until then `/hearts new` opens another table here."
    )
    return Post((text,), Colour.DONE, once=True)
