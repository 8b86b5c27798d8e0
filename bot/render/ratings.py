"""Ratings at a game's end: what it has made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.render.text import brief, in_a_row, several
from engine.ratings import SHORT, SHOWN_FROM
from engine.rules.wording import number, spelled
from engine.storage.results import Rated
from engine.tables import PublicTable


def changed(table: PublicTable, seats: Sequence[int]) -> Iterator[str]:
    """Those of the people in these seats, in this order, as far as they are shown."""
    by_person = {one.person: one for one in table.rated}
    rated = {seat: one for seat in seats if (one := by_person.get(table.seats[seat].person or 0))}
    shown = [
        f"**{brief(table, seat)}** {_now(one)}" for seat, one in rated.items() if one.games >= SHOWN_FROM
    ]
    lines = [f"📈 Ratings: {in_a_row(shown)}"] if shown else []
    if len(shown) < len(rated):
        lines.append(f"-# A rating shows after {SHOWN_FROM} games with people.")
    if lines and table.view and len(table.view.points) in SHORT:
        lines.append(f"-# Games with fewer than {spelled(max(SHORT) + 1)} deals count less in ratings.")
    if lines:
        yield "\n".join(lines)


def own(table: PublicTable, person: int) -> Iterator[str]:
    """This person's alone."""
    for one in table.rated:
        if one.person == person:
            is_shown, more = one.games >= SHOWN_FROM, several(SHOWN_FROM - one.games, "more game")
            yield f"📈 Your rating: **{_now(one)}**" if is_shown else f"📈 {more} until a rating shows."


def _now(one: Rated) -> str:
    """`1137 ▲ 34`; what it was before its first time is nobody's business."""
    now, before = one.after.shown, one.before.shown
    return number(now) + (f" {gained(now - before)}" if one.games > SHOWN_FROM else "")


def gained(points: int) -> str:
    """`▲ 34`, `▼ 5`, `±0`."""
    return f"{'▼' if points < 0 else '▲'} {abs(points)}" if points else "±0"
