"""The host's editor of the house rules."""

from __future__ import annotations

from collections.abc import Sequence

from bot.messages import Button, Choice, Part, Select, Whisper, action
from bot.render.text import harmless, plain
from engine.rules.editing import TITLES, applicable, differences, value_in_words
from engine.rules.options import KINDS
from engine.rules.ruleset import Ruleset, allowed_of
from engine.rules.words import describe, goal
from engine.tables import Pace, PublicTable, State

#: Stands for the switches that are either on or off, which share one select.
SWITCHES = "switches"
#: Characters of saved rules that a message lists: its text has an end.
LONGEST_LIST = 3500


def editor(table: PublicTable) -> Whisper:
    """A select for each option of this game, as they now stand; once it has started, for the pace alone."""
    rules = table.rules
    words = "\n".join(f"• {line}" for line in describe(rules))
    heading = f"### House rules: {rules.preset.title}\n{goal(rules)}.\n{words}"
    if table.state is not State.LOBBY:
        return Whisper((heading, _pace(table)))
    end = Button(f"Game ends at {rules.ends_at} …", action("end", table.id))
    return Whisper((heading, *_options(table), _pace(table), (end,)))


def _options(table: PublicTable) -> list[Part]:
    rules = table.rules
    parts: list[Part] = []
    if len(rules.preset.players) > 1:
        parts.append(_select(table, "players", "players", list(rules.preset.players), rules.players))
    names = applicable(rules)
    for name in names:
        if KINDS[name] is bool or name == "ends_at":
            continue
        now = getattr(rules, name)
        values = list(allowed_of(rules.preset, rules.players, name))
        parts.append(_select(table, name, TITLES[name], values, getattr(now, "value", now)))
    if rules.oldest_leads:
        parts.append(_first(table))
    switches = [name for name in names if KINDS[name] is bool]
    if switches:
        parts.append(_switches(table, switches))
    return parts


def _select(table: PublicTable, name: str, title: str, values: list[object], now: object) -> Select:
    choices = tuple(
        Choice(f"{value} players", str(value), chosen=value == now)
        if name == "players"
        else Choice(f"{title}: {value_in_words(name, value)}", str(value), chosen=value == now)
        for value in values
    )
    return Select(action("option", table.id, name), title, choices)


def _first(table: PublicTable) -> Select:
    """C3: the oldest account leads the first deal, unless somebody is named."""
    oldest = Choice("First deal: the oldest account leads", "0", chosen=table.first is None)
    named = [
        Choice(
            f"First deal: {plain(seat.name, 32)} leads", str(seat.person), chosen=seat.person == table.first
        )
        for seat in table.seats
        if seat.person is not None
    ]
    return Select(action("first", table.id), "First deal", (oldest, *named))


def _pace(table: PublicTable) -> Select:
    choices = tuple(Choice(f"Pace: {pace.title}", pace.value, chosen=pace is table.pace) for pace in Pace)
    return Select(action("pace", table.id), "Pace", choices)


def _switches(table: PublicTable, names: list[str]) -> Select:
    choices = tuple(Choice(TITLES[name], name, chosen=getattr(table.rules, name)) for name in names)
    return Select(action("option", table.id, SWITCHES), "Extras: none", choices, least=0, most=len(choices))


def saved_rules(found: Sequence[tuple[str, Ruleset]]) -> Whisper:
    """All house rules that a server has saved."""
    if not found:
        return Whisper(("No house rules are saved here. `/hearts house save` keeps those of a table.",))
    lines: list[str] = []
    for name, rules in found:
        words = differences(rules) or "as the game is"
        line = f"**{harmless(name)}**: {rules.preset.title} for {rules.players}; {words}"
        if len("\n".join((*lines, line))) > LONGEST_LIST:
            break
        lines.append(line)
    more = [f"-# … and {len(found) - len(lines)} more"] if len(lines) < len(found) else []
    return Whisper(("### House rules", "\n".join(lines + more)))
