"""Leaderboards and one player's statistics."""

from __future__ import annotations

from collections.abc import Sequence

from bot.messages import Button, Choice, Colour, Part, Post, Row, Select, Whisper, action
from bot.render.text import grid, person, plain
from engine.rules.presets import PRESETS
from engine.storage.standings import Kind, Line, Stats

LINES_A_PAGE = 10


def leaderboard(kinds: Sequence[Kind], kind: Kind, lines: Sequence[Line], total: int, page: int) -> Post:
    """A page (from 0) of a server's leaderboard for one kind of game."""
    rows = [["", "", "wins", "games", "per deal", "moons"]]
    for line in lines:
        stats = line.stats
        rows.append(
            [
                f"{line.place}.",
                plain(line.name),
                str(stats.wins),
                str(stats.games),
                _average(stats),
                str(stats.moons),
            ]
        )
    pages = -(-total // LINES_A_PAGE)
    parts: list[Part] = [f"## 🏆 Leaderboard\n{title(kind)}", grid(rows, left=2)]
    if len(kinds) > 1:
        choices = tuple(Choice(title(one), _key(one), chosen=one == kind) for one in kinds)
        parts.append(Select(action("board", 0, _key(kind)), "Another game", choices))
    if pages > 1:
        parts.append(_pager(kind, page, pages))
    return Post(tuple(parts))


def title(kind: Kind) -> str:
    """What a kind of game is called."""
    return f"{PRESETS[kind.game].title}, {'lowest' if kind.lowest else 'highest'} total wins"


def _key(kind: Kind) -> str:
    return f"{kind.game}.{'lowest' if kind.lowest else 'highest'}"


def kind_of(key: str) -> Kind:
    """The kind of game that a control of the leaderboard names."""
    game, _, goal = key.partition(".")
    return Kind(game, goal == "lowest")


def _pager(kind: Kind, page: int, pages: int) -> Row:
    return (
        Button("Back", action("board", 0, _key(kind), page - 1), enabled=page > 0),
        Button(f"{page + 1} of {pages}", action("board", 0, _key(kind), page, "here"), enabled=False),
        Button("Next", action("board", 0, _key(kind), page + 1), enabled=page < pages - 1),
    )


def nothing_yet() -> Post:
    """In place of a leaderboard before the first game is finished."""
    return Post(("## 🏆 Leaderboard\nNo game has been finished here yet. `/hearts new` opens a table.",))


def stats(name: str, found: Sequence[Stats]) -> Whisper:
    """One player's finished games in this server."""
    if not found:
        return Whisper((f"{person(name)} has not finished a game here yet.",), Colour.DONE)
    parts: list[Part] = [f"### {person(name)}"]
    for one in found:
        rows = [
            ["games", str(one.games)],
            ["wins", str(one.wins)],
            ["points per deal", _average(one)],
            ["moons", str(one.moons)],
        ]
        parts.append(f"{title(one.kind)}\n{grid(rows)}")
    return Whisper(tuple(parts))


def _average(stats: Stats) -> str:
    return f"{stats.average:.1f}".replace("-", "−")
