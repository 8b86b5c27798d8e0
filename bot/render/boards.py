"""Leaderboards and one player's record."""

from __future__ import annotations

from collections.abc import Sequence

from bot.messages import Button, Choice, Colour, Part, Post, Row, Select, Whisper, action
from bot.render.text import grid, person, plain
from engine.rules.options import Goal
from engine.rules.presets import PRESETS
from engine.storage.standings import Line, Record

LINES = 10


def leaderboard(games: Sequence[str], game: str, lines: Sequence[Line], total: int, page: int) -> Post:
    """A page (from 0) of a server's leaderboard for one kind of game."""
    preset = PRESETS[game]
    lowest = preset.options["winner"] is Goal.LOWEST
    rows = [["", "", "wins", "games", "per deal", "moons"]]
    for line in lines:
        record = line.record
        rows.append(
            [
                f"{line.place}.",
                plain(line.name).ljust(16),
                str(record.wins),
                str(record.games),
                _average(record),
                str(record.moons),
            ]
        )
    pages = -(-total // LINES)
    parts: list[Part] = [
        f"## 🏆 Leaderboard\n{preset.title} · {'low' if lowest else 'high'} points win",
        grid(rows),
    ]
    if len(games) > 1:
        choices = tuple(Choice(PRESETS[one].title, one, chosen=one == game) for one in games)
        parts.append(Select(action("board", 0, "game"), "Another game", choices))
    if pages > 1:
        parts.append(_pager(game, page, pages))
    return Post(tuple(parts))


def _pager(game: str, page: int, pages: int) -> Row:
    return (
        Button("Back", action("board", 0, game, page - 1), enabled=page > 0),
        Button(f"{page + 1} of {pages}", action("board", 0, game, page, "here"), enabled=False),
        Button("Next", action("board", 0, game, page + 1), enabled=page < pages - 1),
    )


def nothing_yet() -> Post:
    """In place of a leaderboard before the first game is finished."""
    return Post(("## 🏆 Leaderboard\nNo game has been finished here yet. `/hearts new` opens a table.",))


def record(name: str, records: Sequence[Record]) -> Whisper:
    """One player's finished games in this server."""
    if not records:
        return Whisper((f"{person(name)} has not finished a game here yet.",), Colour.DONE)
    rows = [["", "games", "wins", "per deal", "moons"]]
    for one in records:
        title = PRESETS[one.game].title
        rows.append([title, str(one.games), str(one.wins), _average(one), str(one.moons)])
    return Whisper((f"### {person(name)}", grid(rows)))


def _average(record: Record) -> str:
    return f"{record.average:.1f}".replace("-", "−")
