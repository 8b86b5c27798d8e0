"""Keeps the catalogs of the languages in step with the source: `python -m tests.catalogs` updates them all.

Each sentence that the source marks has an entry in every catalog: what nobody has translated yet is empty,
and what the source no longer says is removed. `python -m tests.catalogs --missing de` prints what German
lacks.
"""

import argparse
import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from discord import app_commands

from bot.commands import HEARTS
from engine.languages import ENGLISH, LANGUAGES
from engine.rules.presets import PRESETS

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "engine" / "languages"
#: What marks a sentence, and which of its arguments (from 0) are the context, the sentence and its plural.
MARKS = {
    "N_": (None, 0),
    "N_count": (None, 0, 1),
    "RecordError": (None, 0),
    "UnusableLine": (None, 0),
    "say": (None, 0),
    "say_count": (None, 1, 2),
    "say_as": (0, 1),
    "N_as": (0, 1),
}
#: Begins a comment for translators, in the lines above the sentence.
NOTE = "# Note:"
#: Lines of a catalog's head that say nothing here.
UNTOLD = re.compile('"(Project-Id|Report-Msgid|POT-Creation|PO-Revision|Last-Tr|Language-Team|Gen)')


def source() -> Catalog:
    """Every sentence of the source, with the modules that say it; those of slash commands last."""
    found = Catalog()
    for place, call, notes in marking_calls():
        if parts := sentence(call):
            context, *said = parts
            id = tuple(said) if len(said) > 1 else said[0]
            found.add(id, "", [(place, 0)], context=context, auto_comments=notes)
    for text, place in of_commands():
        found.add(text, "", [(place, 0)])
    return found


@cache  # one reading of the source is enough for all languages
def marking_calls() -> Sequence[tuple[str, ast.Call, Sequence[str]]]:
    """Every call of what marks a sentence, after its module, and with the note above it."""
    found = []
    for package in ("engine", "bot"):
        for path in sorted((ROOT / package).rglob("*.py")):
            text = path.read_text("utf-8")
            place, lines = path.relative_to(ROOT).as_posix(), text.splitlines()
            for call in ast.walk(ast.parse(text)):
                if isinstance(call, ast.Call) and called(call) in MARKS:
                    found.append((place, call, note_above(lines, call.lineno)))
    return found


def called(call: ast.Call) -> str:
    """The name of what is called."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def of_commands() -> Iterator[tuple[str, str]]:
    """The description of each slash command and of its options, and the module it is in.

    Commands have docstrings instead of marked sentences.
    """
    for one in (HEARTS, *HEARTS.walk_commands()):
        if isinstance(one, app_commands.Group):
            yield one.description, "bot/commands.py"
        else:
            place = f"{one.callback.__module__.replace('.', '/')}.py"
            yield one.description, place
            for parameter in one.parameters:
                yield str(parameter.description), place


def sentence(call: ast.Call) -> list[str | None] | None:
    """The context, the sentence and, if it has one, its plural, of a call that marks or says one.

    None if it says one that is marked elsewhere. (Babel's own reader finds none in f-strings.)
    """
    found: list[str | None] = []
    for place in MARKS[called(call)]:
        given = call.args[place] if place is not None and place < len(call.args) else None
        found.append(
            given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else None
        )
    return found if all(found[1:]) else None


def note_above(lines: list[str], line: int) -> list[str]:
    """The comment for translators right above this line (from 1)."""
    above: list[str] = []
    for text in reversed(lines[: line - 1]):
        if not text.strip().startswith("#"):
            break
        above.insert(0, text.strip())
    starts = [index for index, text in enumerate(above) if text.startswith(NOTE)]
    return [text.removeprefix("# ") for text in above[starts[0] :]] if starts else []


def catalog(code: str) -> Catalog:
    """The catalog of this language as it is checked in; an empty one if there is none yet."""
    path = FOLDER / f"{code}.po"
    if not path.exists():
        return Catalog(locale=code, header_comment=f"# {LANGUAGES[code].name}", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=code.replace("-", "_"))


def updated(code: str) -> Catalog:
    """The same with all sentences of the source and no others."""
    now, wanted = catalog(code), source()
    for message in now:
        # A sentence that the players of a game say in their own way.
        if message.context in PRESETS and (said := wanted.get(message.id)):
            wanted.add(said.id, "", said.locations, context=message.context)
    now.update(wanted, no_fuzzy_matching=True)
    now.obsolete.clear()
    return now


def missing(found: Catalog) -> Iterator[Message]:
    """The sentences that are not translated."""
    for message in found:
        said = message.string if isinstance(message.string, tuple | list) else (message.string,)
        if message.id and not all(said):
            yield message


def written(found: Catalog) -> str:
    """The file of a catalog, in the order in which the source says its sentences.

    It has neither line numbers nor times, which would change with every commit.
    """
    file = BytesIO()
    write_po(file, found, width=110, include_lineno=False, sort_by_file=True)
    lines = file.getvalue().decode().splitlines(keepends=True)
    return "".join([line for line in lines if not UNTOLD.match(line)])


def main() -> None:
    """Update the catalogs, or print what is missing in one."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--missing", metavar="LANGUAGE", choices=sorted(LANGUAGES))
    chosen = options.parse_args()
    if chosen.missing:
        for message in missing(updated(chosen.missing)):
            print(message.id)  # noqa: T201
        return
    for code in LANGUAGES:
        if code != ENGLISH.code:
            found = updated(code)
            (FOLDER / f"{code}.po").write_text(written(found), "utf-8")
            print(f"{code}: {len(found)} sentences, {len(list(missing(found)))} missing")  # noqa: T201


if __name__ == "__main__":
    main()
