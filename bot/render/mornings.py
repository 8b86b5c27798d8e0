"""The daily deal's morning post, and what whoever manages a server is told of it."""

from __future__ import annotations

from collections.abc import Iterator

from bot.messages import DIVIDER, Button, Part, Post, Row, Style, Whisper, action
from bot.render.daily import lines_of, play, seals_of
from bot.render.dates import ends_in, long_date, short_date
from bot.render.text import several
from engine.rules.wording import listing
from engine.tables.daily import Ranking
from engine.tables.days import OPPONENTS, Day


def morning(day: Day, yesterday: Ranking | None) -> Post:
    """The new day's deals with their seals, and how the day before ended, whose cards lie open now."""
    computers = listing([f"**{name}**" for name in OPPONENTS])
    sealed = "Sealed before the day began." if day.was_sealed_before else "Dealt today: I was away yesterday."
    text = (
        f"## ☀️ {long_date(day.date)}\n**Daily deal**: three deals of {day.rules.preset.title}, the same for "
        f"everybody, against {computers}. Each plays alone, in private. It ends {ends_in(day.date)}.\n"
        f"{seals_of(day)}\n-# {sealed}"
    )
    row: Row = (play(),)
    parts: list[Part] = [text]
    if yesterday:
        parts += [DIVIDER, "\n".join(_yesterday(yesterday))]
        row += (Button("Yesterday's deals", action("day", 0, yesterday.day.date)),)
    return Post((*parts, row), once=True)


def _yesterday(found: Ranking) -> Iterator[str]:
    yield f"**Yesterday, {short_date(found.day.date)}**"
    yield from lines_of(found.day, found.here)
    if not found.here:
        yield "Nobody here has finished it."
    if found.everywhere.people:
        yield f"-# {several(found.everywhere.people, 'player')} everywhere"


def told_from_now_on(channel: int, midnight: str) -> Whisper:
    """The answer to who has named a channel."""
    text = f"I post the daily deal in <#{channel}>, now and each day at {midnight} (00:00 UTC)."
    return Whisper((text, (Button("Stop posting", action("mornings", 0), Style.RED),)))


NO_MORE = Whisper(("I post the daily deal no more. `/hearts daily channel:` lets me do it again.",))
