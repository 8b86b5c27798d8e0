"""Leaderboards."""

from __future__ import annotations

from collections.abc import Sequence

from bot.messages import Button, Choice, Part, Post, Row, Select, action
from bot.render.kinds import key, title
from bot.render.text import person, place
from engine.storage.standings import Kind, Line, Stats

LINES_A_PAGE = 10
#: What the figures of a line are.
LEGEND = "won/played · points a deal · 🌕 moons"
#: Columns of a name beside the figures, 390 pixels wide.
NAME_IN_A_LINE = 14


def leaderboard(kinds: Sequence[Kind], kind: Kind, lines: Sequence[Line], total: int, page: int) -> Post:
    """A page (from 0) of a server's leaderboard for one kind of game."""
    pages = -(-total // LINES_A_PAGE)
    heading = f"## 🏆 Leaderboard\n**{title(kind)}**"
    parts: list[Part] = [heading, "\n".join(map(_line, lines)), f"-# {LEGEND}"]
    if len(kinds) > 1:
        choices = tuple(Choice(title(one), key(one), chosen=one == kind) for one in kinds)
        parts.append(Select(action("board", 0, key(kind)), "Another game", choices))
    if pages > 1:
        parts.append(_pager(kind, page, pages))
    return Post(tuple(parts))


def _line(line: Line) -> str:
    """One player, in a line that a telephone does not break."""
    stats = line.stats
    moons = f" · 🌕 {stats.moons}" if stats.moons else ""
    name = person(line.name, NAME_IN_A_LINE)
    return f"{place(line.place)} **{name}** · {stats.wins}/{stats.games} · {_average(stats)}{moons}"


def _pager(kind: Kind, page: int, pages: int) -> Row:
    return (
        Button("Back", action("board", 0, key(kind), page - 1), enabled=page > 0),
        Button(f"{page + 1} of {pages}", action("board", 0, key(kind), page, "here"), enabled=False),
        Button("Next", action("board", 0, key(kind), page + 1), enabled=page < pages - 1),
    )


def nothing_yet() -> Post:
    """In place of a leaderboard before the first game is finished."""
    return Post(("## 🏆 Leaderboard\nNo game has been finished here yet. `/hearts new` opens a table.",))


def _average(stats: Stats) -> str:
    return f"{stats.average:.1f}".replace("-", "−")
