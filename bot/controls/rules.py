"""The controls of the rules' editor."""

from __future__ import annotations

from collections.abc import Callable

from bot.click import Click, member, number
from bot.messages import Form, Line, action
from bot.render.rules import SWITCHES, editor
from engine.errors import Refusal
from engine.rules.editing import applicable, changed
from engine.rules.options import KINDS
from engine.rules.ruleset import Ruleset, from_text
from engine.tables import Pace
from engine.tables.changes import check_is_hosting_lobby


async def show(click: Click) -> None:
    """Open the editor."""
    table = click.services.tables.get(click.table)
    check_is_hosting_lobby(table, click.person.id)
    await click.reply.whisper(editor(table.public))


async def choose(click: Click) -> None:
    """An option, the number of players, or which extras are on."""
    name, values = click.detail(0), click.values
    if name == "players":
        players = number(click.value)
        await _change(click, lambda rules: changed(rules, {}, players=players))
    elif name == SWITCHES:
        await _change(click, lambda rules: changed(rules, _switched(rules, values)))
    else:
        value = click.value
        await _change(click, lambda rules: changed(rules, {name: from_text(name, value)}))


async def name_first(click: Click) -> None:
    """Who leads the first deal (C3)."""
    first = number(click.value) or None
    table = await click.services.tables.name_first(click.table, click.person.id, first)
    await click.edit(editor(table.public))


async def choose_pace(click: Click) -> None:
    """How long a turn may take."""
    pace = member(Pace, click.value)
    table = await click.services.tables.change_pace(click.table, click.person.id, pace)
    await click.edit(editor(table.public))


async def ask_end(click: Click) -> None:
    """Open the form for the total that ends the game."""
    table = click.services.tables.get(click.table)
    check_is_hosting_lobby(table, click.person.id)
    line = Line("total", "Total that ends the game", str(table.rules.ends_at), longest=6)
    await click.reply.ask(Form("House rules", (line,), action("total", table.id)))


async def set_end(click: Click) -> None:
    """The form was sent."""
    text = click.written("total").strip()
    await _change(click, lambda rules: changed(rules, {"ends_at": from_text("ends_at", text)}))


def _switched(rules: Ruleset, on: list[str]) -> dict[str, bool]:
    return {name: name in on for name in applicable(rules) if KINDS[name] is bool}


async def _change(click: Click, change: Callable[[Ruleset], Ruleset]) -> None:
    """Change the rules, and answer with the editor as they are then; the lobby follows by itself."""
    tables = click.services.tables
    try:
        table = await tables.change_rules(click.table, click.person.id, change)
    except Refusal:
        # Else the select would go on showing what was refused.
        await click.edit(editor(tables.get(click.table).public))
        raise
    await click.edit(editor(table.public))
