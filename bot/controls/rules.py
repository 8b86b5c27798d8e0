"""The rules that anybody can read, and the forms in which the host changes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bot.click import Click, member, number
from bot.render.rules import EARLY, FORMS, SWITCHES, TABLE_FORM, form, rules_page
from engine.errors import Refusal
from engine.rules.options import KINDS
from engine.rules.ruleset import Ruleset, from_text
from engine.rules.wording import applicable, changed
from engine.tables import Hints, Pace
from engine.tables.changes import check_is_hosting_lobby


async def show(click: Click) -> None:
    """All rules of the table."""
    table = click.services.tables.get(click.table)
    await click.reply.whisper(rules_page(table.public, click.person.id))


async def ask(click: Click) -> None:
    """Open one of the forms."""
    table = click.services.tables.get(click.table)
    check_is_hosting_lobby(table, click.person.id)
    asked = form(table.public, _named(click))
    if not asked.fields:  # the host has chosen another game since, which has nothing of the kind
        raise Refusal("stale")
    await click.reply.ask(asked)


async def change(click: Click) -> None:
    """A form was sent; the answer is the rules as they are then, and the lobby follows by itself."""
    click.check_private()
    await (_change_table if _named(click) == TABLE_FORM else _change_rules)(click)
    table = click.services.tables.get(click.table)
    await click.edit(rules_page(table.public, click.person.id))


def _named(click: Click) -> str:
    name = click.detail(0)
    if name not in (TABLE_FORM, *FORMS):
        raise Refusal("stale")
    return name


async def _change_rules(click: Click) -> None:
    _, options = FORMS[_named(click)]

    def new(old: Ruleset) -> Ruleset:
        rules = old
        for name, value in _answers(click, options):
            # After a change before it an option may no longer apply, or have another default.
            if name in applicable(rules) and value != old.all_options.get(name):
                rules = changed(rules, {name: value})
        return rules

    await click.services.tables.change_rules(click.table, click.person.id, new)


def _answers(click: Click, options: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """The values that the form gives these options; it need not have asked for each."""
    for name in options:
        if KINDS[name] is bool:
            yield name, name in click.picked(SWITCHES)
        elif click.picked(name):
            yield name, from_text(name, click.written(name).strip())


async def _change_table(click: Click) -> None:
    preset, _, players = click.written("game").partition(".")
    seats, pace = number(players), member(Pace, click.written("pace"))
    early = click.written("finish") == EARLY
    hints = member(Hints, click.written("hints"))
    first = number(click.written("first")) if click.picked("first") else None

    def new(rules: Ruleset) -> Ruleset:
        if preset == rules.preset.name:
            return changed(rules, {}, players=seats)
        return Ruleset.of(preset, seats)

    await click.services.tables.set_up(
        click.table, click.person.id, new, pace, hints, finishes_early=early, first=first
    )
