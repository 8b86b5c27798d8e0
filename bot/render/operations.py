"""What whoever runs the bot wants to know, and what a table hears that cannot be saved or read."""

from __future__ import annotations

from dataclasses import dataclass

from bot.messages import Colour, Post, Whisper
from bot.render.text import grid


@dataclass(frozen=True, slots=True)
class Status:
    """How the bot does at one moment; `latency` in seconds, None before the first heartbeat."""

    version: str
    servers: int
    latency: float | None
    lobbies: int
    games: int
    people: int
    computers: int
    messages_waiting: int
    database_waiting: int
    database_size: int


def status(now: Status) -> Whisper:
    """/hearts status."""
    latency = "unknown" if now.latency is None else f"{now.latency * 1000:.0f} ms"
    rows = [
        ["version", now.version],
        ["servers", str(now.servers)],
        ["latency", latency],
        ["tables in the lobby", str(now.lobbies)],
        ["tables playing", str(now.games)],
        ["people seated", str(now.people)],
        ["computers seated", str(now.computers)],
        ["messages waiting", str(now.messages_waiting)],
        ["database, waiting", str(now.database_waiting)],
        ["database, size", size(now.database_size)],
    ]
    return Whisper((f"### Status\n{grid(rows)}",))


def size(count: int) -> str:
    """Bytes in words: `45.1 kB`."""
    for unit, factor in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)):
        if count >= factor:
            return f"{count / factor:.1f} {unit}"
    return f"{count} bytes"


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
