"""Ratings: how a game has changed them, and how many games more somebody needs for one."""

from __future__ import annotations

from collections.abc import Iterator

from bot.render.text import bold
from engine.ratings import SHOWN_FROM
from engine.rules.words import number
from engine.storage.rated import Rated
from engine.tables import PublicTable


def changed(table: PublicTable, seats: list[int]) -> Iterator[str]:
    """What a finished game has made of the ratings of those in these seats, in this order."""
    by_person = {one.person: one for one in table.rated}
    rated = [(seat, by_person.get(table.seats[seat].person or 0)) for seat in seats]
    if told := [f"{bold(table, seat)} {_now(one)}" for seat, one in rated if one]:
        yield f"📈 Rating: {' · '.join(told)}"


def own(table: PublicTable, person: int) -> Iterator[str]:
    """What it has made of this person's."""
    for one in table.rated:
        if one.person == person:
            yield f"📈 Your rating: {_now(one)}."


def _now(one: Rated) -> str:
    """`1137 ▲ 34`; what it was before its first time is nobody's business."""
    if one.games < SHOWN_FROM:
        return so_far(one.games)
    now, before = one.after.shown, one.before.shown
    return f"**{number(now)}**" + (f" {gained(now - before)}" if one.games > SHOWN_FROM else "")


def gained(points: int) -> str:
    """`▲ 34`, `▼ 5`."""
    return f"{'▼' if points < 0 else '▲'} {abs(points)}"


def so_far(games: int) -> str:
    """`●●○○○`: how many of the games there are that a rating needs."""
    return "●" * games + "○" * (SHOWN_FROM - games)
