"""House rules that a server keeps: the list of them, one of them, and the form that names more."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from bot.table.rules import SAVED_HINTS, saved_hints
from bot.vocabulary.controls import PAGES, Action, Where, Who
from bot.vocabulary.messages import Button, Choice, Form, Part, Select, Style, TextField, Whisper
from bot.words.buttons import paged
from bot.words.text import harmless, plain
from engine.languages import Language
from engine.rules.wording import differences
from engine.storage.house_rules import HouseRules

#: The form's field, and the characters of a name.
NAME, LONGEST_NAME = "name", 40
#: Characters of the list, and the choices that a select has.
LONGEST_LIST, CHOICES = 1500, 25


class ShowHouseRules(Action, verb="house", who=Who.ANYONE, where=Where.SERVER, private=True, cost=PAGES):
    """Show the house rules that were chosen, or else this page (from 0) of the list."""

    page: int = 0
    control: str | None = None


class NameHouseRules(Action, verb="name", who=Who.ANYONE, where=Where.SERVER, private=True):
    """Ask for a name under which to save the rules of this channel's table."""


class SaveHouseRules(Action, verb="save", who=Who.ANYONE, where=Where.SERVER, private=True):
    """Save them under the name that the form says."""


class DeleteHouseRules(Action, verb="drop", who=Who.ANYONE, where=Where.SERVER, private=True):
    """Delete the house rules whose name has this digest: the name itself could be too long."""

    digest: str


def menu(
    found: Sequence[tuple[str, HouseRules]],
    number: int,
    language: Language,
    *,
    has_table: bool,
    done: str | None = None,
) -> Whisper:
    """A page (from 0) of a server's house rules, and what can be done; `done` says what just was."""
    heading = f"### {language.say('House rules')}"
    shown, row = paged(found, number, CHOICES, _page, language)
    parts: list[Part] = [f"{heading}\n{done}" if done else heading, _listed(shown, language)]
    if shown:
        choices = tuple([Choice(plain(name, language, LONGEST_NAME), digest(name)) for name, _ in shown])
        parts.append(Select(ShowHouseRules(0, number), language.say("Choose one"), choices))
    parts += row
    if has_table:
        label = language.say("Save this table's rules")
        parts.append((Button(label, NameHouseRules(0), Style.MAIN),))
    return Whisper(tuple(parts))


def _page(number: int) -> ShowHouseRules:
    """What shows this page (from 1)."""
    return ShowHouseRules(0, max(0, number - 1), f"to{number}")


def _listed(found: Sequence[tuple[str, HouseRules]], language: Language) -> str:
    if not found:
        return language.say("No house rules are saved here. At a table, `/hearts house` saves its rules.")
    lines: list[str] = []
    for name, saved in found:
        line = _line(name, saved, language)
        if len("\n".join((*lines, line))) > LONGEST_LIST:
            break
        lines.append(line)
    if left := len(found) - len(lines):
        lines.append(f"-# {language.say_count(left, '… and {count} more', '… and {count} more')}")
    return "\n".join(lines)


def digest(name: str) -> str:
    """How a control names these house rules."""
    return sha256(name.encode()).hexdigest()[:16]


def one(name: str, saved: HouseRules, language: Language, *, may_delete: bool) -> Whisper:
    """One of them, and what can be done with it."""
    back = Button(language.say_as("button", "Back"), ShowHouseRules(0))
    delete = Button(language.say_as("button", "Delete"), DeleteHouseRules(0, digest(name)), Style.RED)
    text = f"### {language.say('House rules')}\n{_line(name, saved, language)}"
    return Whisper((text, (back, delete) if may_delete else (back,)))


def _line(name: str, saved: HouseRules, language: Language) -> str:
    """One of them in a line: `**Fridays**: Hearts for 4; J♦ takes ten points off`."""
    rules, hints = saved.rules, saved_hints(saved)
    told = differences(rules, language)
    if hints in SAVED_HINTS:
        told.append(language.say(SAVED_HINTS[hints]))
    told_rules = language.say(
        "{game} for {players}; {rules}",
        game=language.say(rules.preset.title),
        players=rules.players,
        rules=language.clauses(told) or language.say("the usual rules"),
    )
    return language.say("**{name}**: {rules}", name=harmless(name, language), rules=told_rules)


def form(language: Language) -> Form:
    """Asks what to call them."""
    name = TextField(NAME, language.say("What to call them"), "", LONGEST_NAME)
    return Form(language.say("Save this table's rules"), (name,), SaveHouseRules(0))


def saved(name: str, language: Language) -> str:
    """They are kept."""
    shown = harmless(name, language)
    return language.say("Saved. `/hearts new house:` offers **{name}** from now on.", name=shown)


def deleted(name: str, language: Language) -> str:
    """They are gone."""
    return language.say("**{name}** has been deleted.", name=harmless(name, language))
