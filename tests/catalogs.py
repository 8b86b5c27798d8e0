"""Keeps the catalogs of the languages in step with the source: `python -m tests.catalogs` updates them all.

Each sentence that the source marks has an entry in every catalog: what nobody has translated yet is empty,
and what the source no longer says is removed. `python -m tests.catalogs --missing de` prints what German
lacks.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from engine.languages import ENGLISH, LANGUAGES

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "engine" / "languages"
#: What marks a sentence, and which of its arguments are sentences; "c" is a context.
MARKS = {
    "N_": None,
    "RecordError": None,
    "UnusableLine": None,
    "say": (1,),
    "say_count": (2, 3),
    "say_as": ((1, "c"), 2),
}

#: Lines of a catalog's head that say nothing here.
UNTOLD = tuple(
    f'"{name}'
    for name in (
        "Project-Id",
        "Report-Msgid",
        "POT-Creation",
        "PO-Revision",
        "Last-Tr",
        "Language-Team",
        "Gen",
    )
)


def source() -> Catalog:
    """Every sentence of the source, with where it stands."""
    found = Catalog()
    for package in ("engine", "bot"):
        files = extract_from_dir(
            str(ROOT / package), method_map=[("**.py", "python")], keywords=MARKS, comment_tags=("Note:",)
        )
        for name, line, sentence, comments, context in files:
            place = (f"{package}/{name}", line)
            found.add(sentence, None, [place], auto_comments=comments, context=context)
    return found


def catalog(code: str) -> Catalog:
    """The catalog of this language as it is checked in; an empty one if there is none yet."""
    path = FOLDER / f"{code}.po"
    if not path.exists():
        return Catalog(locale=code, header_comment=f"# {LANGUAGES[code].name}", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=code)


def updated(code: str) -> Catalog:
    """The same with all sentences of the source and no others."""
    now = catalog(code)
    now.update(source(), no_fuzzy_matching=True)
    now.obsolete.clear()
    return now


def missing(found: Catalog) -> Iterator[Message]:
    """The sentences that are not translated."""
    for message in found:
        said = message.string if isinstance(message.string, tuple | list) else (message.string,)
        if message.id and not all(said):
            yield message


def save(code: str, found: Catalog) -> None:
    """Write a catalog, in the order in which the source says its sentences."""
    written = BytesIO()
    # Without line numbers and times, which would change with every commit.
    write_po(written, found, width=110, include_lineno=False, sort_by_file=True)
    lines = written.getvalue().decode().splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith(UNTOLD)]
    (FOLDER / f"{code}.po").write_text("".join(kept), "utf-8")


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
            save(code, found)
            print(f"{code}: {len(found)} sentences, {len(list(missing(found)))} missing")  # noqa: T201


if __name__ == "__main__":
    main()
