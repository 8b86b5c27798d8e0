"""Names and numbers in pictures: each character in a font that has it, long texts cut between characters."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from PIL import Image, ImageDraw, ImageFont, features
from wcwidth import iter_graphemes

from bot.pictures.files import ART, read
from bot.pictures.palette import Colour
from bot.pictures.seats import Point
from engine.names import number_of

#: Without raqm, Pillow can't join letters or write right to left: then only these fonts are of use.
_PLAIN = ("armenian", "georgian", "symbols-2", "kr", "sc")
#: Stands for a letter that no font has.
_MISSING = "□"
#: More accents than this on one letter are meant to spill over their surroundings.
_ACCENTS = 3


@dataclass(frozen=True, slots=True)
class Run:
    """Characters in one font, in reading order."""

    font: str
    text: str


@dataclass(frozen=True, slots=True)
class TextLine:
    """A text to draw: its runs from left to right, their size and total width in pixels."""

    runs: tuple[Run, ...]
    size: int
    width: float


@cache
def covered() -> Mapping[str, frozenset[str]]:
    """The characters of each font, the preferred font first."""
    found = {name: frozenset(signs) for name, signs in json.loads(read("fonts/letters.json")).items()}
    if features.check("raqm"):
        return found
    plain = ("Inter", *(f"noto-sans-{script}" for script in _PLAIN))
    return {name: letters for name, letters in found.items() if name.partition(".")[0] in plain}


@lru_cache(maxsize=64)
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(ART / "fonts" / name, size)


@lru_cache(maxsize=1024)
def line(text: str, size: int, most: float | None = None) -> TextLine | None:
    """A text, cut to at most this many pixels, but for the number that tells a name from others.

    None if no font has any of its letters.
    """
    signs = _readable(text)
    if not signs:
        return None
    whole = _line(signs, size)
    number = list(number_of("".join(signs)))
    signs = signs[: len(signs) - len(number)]
    while most is not None and whole.width > most and len(signs) > 1:
        signs = signs[:-1]
        while len(signs) > 1 and signs[-1].isspace():
            signs = signs[:-1]
        whole = _line([*signs, "…", *number], size)
    return whole


def named(name: str, seat: str, size: int, most: float) -> TextLine:
    """A name, or `Seat 3` if no font has any of its letters."""
    found = line(name, size, most) or line(seat, size, most) or line("?", size)
    assert found
    return found


def fitted(text: str, size: int, most: float) -> TextLine | None:
    """A text of ours, down to two thirds of its size where it would be too wide, and then cut."""
    for smaller in range(size, size * 2 // 3, -2):
        found = line(text, smaller)
        if found is None or found.width <= most:
            return found
    return line(text, size * 2 // 3, most)


def width(text: str, size: int) -> float:
    """The width of a text of ours."""
    found = line(text, size)
    return found.width if found else 0.0


def put_line(picture: Image.Image, where: Point, text: TextLine, colour: Colour, across: float = 0.0) -> None:
    """Draw a text from this point of its baseline; `across` 0.5 centres it there, 1 ends it there."""
    draw = ImageDraw.Draw(picture)
    x, y = where[0] - across * text.width, where[1]
    for run in text.runs:
        font = _font(run.font, text.size)
        draw.text((x, y), run.text, fill=colour, font=font, anchor="ls")
        x += font.getlength(run.text)


def write(
    picture: Image.Image,
    where: Point,
    text: str,
    size: int,
    colour: Colour,
    *,
    most: float | None = None,
    across: float = 0.0,
) -> None:
    """Draw a text of ours, smaller where it would be too wide."""
    found = line(text, size) if most is None else fitted(text, size, most)
    if found:
        put_line(picture, where, found, colour, across)


def _line(signs: list[str], size: int) -> TextLine:
    runs = tuple(_runs(signs))
    return TextLine(runs, size, sum(_font(run.font, size).getlength(run.text) for run in runs))


def _readable(text: str) -> list[str]:
    """Its characters, without symbols that no font has; empty if no font has any of its letters."""
    signs: list[str] = []
    for sign in iter_graphemes(" ".join(unicodedata.normalize("NFC", text).split())):
        known = _known(sign)
        if known is None:
            if _is_letter(sign):
                signs.append(_MISSING)
        elif not (known.isspace() and (not signs or signs[-1].isspace())):
            signs.append(known)
    while signs and signs[-1].isspace():
        signs.pop()
    is_unreadable = _MISSING in signs and not any(map(_is_letter, signs))
    return [] if is_unreadable else signs


def _known(sign: str) -> str | None:
    """A character that some font has, plain if need be: a bold, wide or circled A becomes an A."""
    for form in (sign, unicodedata.normalize("NFKC", sign), sign[:1]):
        seen = "".join(one for one in form if unicodedata.category(one)[0] != "C" and not _is_selector(one))
        if all(unicodedata.category(one) == "Mn" for one in seen[1:]):
            seen = seen[: 1 + _ACCENTS]
        if seen and _fonts(seen):
            return seen
    return None


def _is_letter(sign: str) -> bool:
    """Whether it is, or has, a letter or a digit."""
    return any(unicodedata.category(one)[0] in "LN" for one in sign)


def _is_selector(sign: str) -> bool:
    """Whether it is a variation selector."""
    return "\ufe00" <= sign <= "\ufe0f"


def _fonts(sign: str) -> list[str]:
    return [name for name, letters in covered().items() if letters.issuperset(sign)]


def _runs(signs: list[str]) -> Iterator[Run]:
    """Runs from left to right; spaces and digits stay in the font before them."""
    runs: list[Run] = []
    for sign in signs:
        fonts = _fonts(sign)
        if runs and runs[-1].font in fonts and (runs[-1].font == fonts[0] or not sign[0].isalpha()):
            runs[-1] = Run(runs[-1].font, runs[-1].text + sign)
        else:
            runs.append(Run(fonts[0], sign))
    strong = (unicodedata.bidirectional(one) for sign in signs for one in sign)
    is_leftward = next((kind for kind in strong if kind in ("L", "R", "AL")), "L") != "L"
    return reversed(runs) if is_leftward else iter(runs)
