"""The controls of the house rules."""

from __future__ import annotations

from collections.abc import Callable

from bot.click import Click, whisper
from bot.components import form
from bot.messages import action
from bot.render.house import SWITCHES, editor
from engine.errors import Refusal
from engine.rules.editing import applicable, changed
from engine.rules.options import KINDS
from engine.rules.ruleset import Ruleset, from_text
from engine.tables import Pace
from engine.tables.changes import check_is_hosting_lobby


async def show(click: Click) -> None:
    """Open the editor."""
    table = click.bot.tables.get(click.table)
    check_is_hosting_lobby(table, click.person.id)
    await whisper(click.interaction, editor(table.public))


async def choose(click: Click) -> None:
    """An option, the number of players, or which extras are on."""
    [name], values = click.details, click.values
    if name == "players":
        await _change(click, lambda rules: changed(rules, {}, players=int(values[0])))
    elif name == SWITCHES:
        await _change(click, lambda rules: changed(rules, _switched(rules, values)))
    else:
        await _change(click, lambda rules: changed(rules, {name: from_text(name, values[0])}))


async def name_first(click: Click) -> None:
    """Who leads the first deal (C3)."""
    first = int(click.values[0]) or None
    table = await click.bot.tables.name_first(click.table, click.person.id, first)
    await click.edit(editor(table.public))


async def choose_pace(click: Click) -> None:
    """How long a turn may take."""
    table = await click.bot.tables.change_pace(click.table, click.person.id, Pace(click.values[0]))
    await click.edit(editor(table.public))


async def ask_total(click: Click) -> None:
    """Open the form for the total that ends the game."""
    table = click.bot.tables.get(click.table)
    check_is_hosting_lobby(table, click.person.id)
    await click.interaction.response.send_modal(
        form(action("total", table.id), "House rules", "Total that ends the game", str(table.rules.ends_at))
    )


async def set_total(click: Click) -> None:
    """The form was sent."""
    text = click.values[0].strip()
    await _change(click, lambda rules: changed(rules, {"ends_at": from_text("ends_at", text)}))


def _switched(rules: Ruleset, on: list[str]) -> dict[str, bool]:
    return {name: name in on for name in applicable(rules) if KINDS[name] is bool}


async def _change(click: Click, change: Callable[[Ruleset], Ruleset]) -> None:
    """Change the rules, and answer with the editor as they are then; the lobby follows by itself."""
    refused = None
    try:
        table = await click.bot.tables.change_rules(click.table, click.person.id, change)
    except Refusal as refusal:
        table, refused = click.bot.tables.get(click.table), refusal
    # After a refusal too: the select would go on showing what was refused.
    await click.edit(editor(table.public))
    if refused:
        raise refused
