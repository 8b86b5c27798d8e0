"""What players have achieved: told once below a game's end, and listed in their statistics."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bot.render.text import bold, capital
from engine.play.achievements import BY_ID
from engine.rules.wording import listing
from engine.tables import PublicTable

SIGNS = {
    "moon": "🌕",
    "moons": "🌝",
    "sun": "☀️",
    "clean": "✨",
    "comeback": "🚀",
    "moonbreaker": "🌒",
    "queens": "🥔",
    "streak": "🔥",
    "courier": "👑",
}
#: So many are told in a line each; more go together by player.
TOLD_EACH = 4


def announced(table: PublicTable) -> Iterator[str]:
    """What was achieved in this game for the first time, where anything was."""
    won: dict[int, list[str]] = {}
    for one in table.achieved:
        won.setdefault(one.seat, []).append(one.id)
    if won:
        tell = _each if len(table.achieved) <= TOLD_EACH else _together
        lines = [line for seat in sorted(won) for line in tell(bold(table, seat), won[seat])]
        yield "\n".join(["### 🏅 Achieved for the first time", *lines])


def _each(name: str, ids: Collection[str]) -> Iterator[str]:
    for id in _in_order(ids):
        yield f"{SIGNS[id]} {name} · {_told(id)}"


def _together(name: str, ids: Collection[str]) -> Iterator[str]:
    yield f"{name}: {listing([f'{SIGNS[id]} {BY_ID[id].title}' for id in _in_order(ids)])}."


def listed(ids: Collection[str]) -> str:
    """All that a player has achieved, and what else there is to achieve."""
    have = _in_order(ids)
    lines = [f"{SIGNS[id]} {_told(id)}" for id in have]
    if missing := [f"-# **{one.title}**: {one.deed}" for one in BY_ID.values() if one.id not in ids]:
        lines += ["-# Not yet:", *missing]
    return "\n".join([f"### 🏅 {len(have)} of {len(BY_ID)} achievements", *lines])


def _told(id: str) -> str:
    return f"**{BY_ID[id].title}**\n-# {capital(BY_ID[id].deed)}."


def _in_order(ids: Collection[str]) -> list[str]:
    return [id for id in BY_ID if id in ids]
