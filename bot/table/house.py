"""The house rules saved in a server: their list, the page of each, and the form that saves a table's."""

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

#: The form's field, and the most characters in a name.
NAME, LONGEST_NAME = "name", 40
#: The most characters in the list, and choices in a select.
LONGEST_LIST, CHOICES = 1500, 25


class ShowHouseRules(Action, verb="house", who=Who.ANYONE, where=Where.SERVER, private=True, cost=PAGES):
    """Show the chosen house rules or, if none were chosen, this page (from 0) of the list."""

    page: int = 0
    control: str | None = None


class NameHouseRules(Action, verb="name", who=Who.ANYONE, where=Where.SERVER, private=True):
    """Ask for a name under which to save the rules of this channel's table."""


class SaveHouseRules(Action, verb="save", who=Who.ANYONE, where=Where.SERVER, private=True):
    """Save the table's rules under the name typed in the form."""


class DeleteHouseRules(Action, verb="drop", who=Who.ANYONE, where=Where.SERVER, private=True):
    """Delete the house rules whose name has this digest: the name itself could be too long."""

    digest: str


def menu(
    entries: Sequence[tuple[str, HouseRules]],
    number: int,
    language: Language,
    *,
    has_table: bool,
    confirmation: str | None = None,
) -> Whisper:
    """A page (from 0) of a server's house rules with its controls, below the `confirmation` of a change."""
    heading = f"### {language.say('House rules')}"
    page, row = paged(entries, number, CHOICES, _page, language)
    parts: list[Part] = [f"{heading}\n{confirmation}" if confirmation else heading, _listed(page, language)]
    if page:
        choices = tuple([Choice(plain(name, language, LONGEST_NAME), digest(name)) for name, _ in page])
        parts.append(Select(ShowHouseRules(0, number), language.say("Choose one"), choices))
    parts += row
    if has_table:
        label = language.say("Save this table's rules")
        parts.append((Button(label, NameHouseRules(0), Style.MAIN),))
    return Whisper(tuple(parts))


def _page(number: int) -> ShowHouseRules:
    """The control that shows this page (from 1)."""
    return ShowHouseRules(0, max(0, number - 1), f"to{number}")


def _listed(entries: Sequence[tuple[str, HouseRules]], language: Language) -> str:
    if not entries:
        return language.say("No house rules are saved here. At a table, `/hearts house` saves its rules.")
    lines: list[str] = []
    for name, saved in entries:
        line = _line(name, saved, language)
        if len("\n".join((*lines, line))) > LONGEST_LIST:
            break
        lines.append(line)
    if omitted := len(entries) - len(lines):
        lines.append(f"-# {language.say_count(omitted, '… and {count} more', '… and {count} more')}")
    return "\n".join(lines)


def digest(name: str) -> str:
    """A short hash that identifies these house rules in a control."""
    return sha256(name.encode()).hexdigest()[:16]


def one(name: str, saved: HouseRules, language: Language, *, may_delete: bool) -> Whisper:
    """A page with one set of house rules, and the button to delete it."""
    back = Button(language.say_as("button", "Back"), ShowHouseRules(0))
    delete = Button(language.say_as("button", "Delete"), DeleteHouseRules(0, digest(name)), Style.RED)
    text = f"### {language.say('House rules')}\n{_line(name, saved, language)}"
    return Whisper((text, (back, delete) if may_delete else (back,)))


def _line(name: str, saved: HouseRules, language: Language) -> str:
    """House rules in a line: `**Fridays**: Hearts for 4; J♦ takes ten points off`."""
    rules, hints = saved.rules, saved_hints(saved)
    clauses = differences(rules, language)
    if hints in SAVED_HINTS:
        clauses.append(language.say(SAVED_HINTS[hints]))
    description = language.say(
        "{game} for {players}; {rules}",
        game=language.say(rules.preset.title),
        players=rules.players,
        rules=language.clauses(clauses) or language.say("the usual rules"),
    )
    return language.say("**{name}**: {rules}", name=harmless(name, language), rules=description)


def form(language: Language) -> Form:
    """The form that asks for the name of new house rules."""
    name = TextField(NAME, language.say("What to call them"), "", LONGEST_NAME)
    return Form(language.say("Save this table's rules"), (name,), SaveHouseRules(0))


def saved(name: str, language: Language) -> str:
    """The confirmation that house rules were saved."""
    return language.say(
        "Saved. `/hearts new house:` offers **{name}** from now on.", name=harmless(name, language)
    )


def deleted(name: str, language: Language) -> str:
    """The confirmation that house rules were deleted."""
    return language.say("**{name}** has been deleted.", name=harmless(name, language))
