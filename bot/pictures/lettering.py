"""Texts in pictures: each character in a font that has it, and long texts cut between characters."""

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

#: The scripts that work without raqm, when Pillow can't join letters or write from right to left.
_PLAIN = ("armenian", "georgian", "symbols-2", "kr", "sc")
#: Stands for a letter that no font has.
_MISSING = "□"
#: The most accents drawn on a letter: more are only there to spill over their surroundings.
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
def font_letters() -> Mapping[str, frozenset[str]]:
    """The characters of each font that can be used, the preferred font first."""
    letters_by_font = {
        name: frozenset(signs) for name, signs in json.loads(read("fonts/letters.json")).items()
    }
    if features.check("raqm"):
        return letters_by_font
    plain = ("Inter", *(f"noto-sans-{script}" for script in _PLAIN))
    return {name: letters for name, letters in letters_by_font.items() if name.partition(".")[0] in plain}


@lru_cache(maxsize=64)
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(ART / "fonts" / name, size)


@lru_cache(maxsize=1024)
def line(text: str, size: int, most: float | None = None) -> TextLine | None:
    """Lay out a text, cut to `most` pixels; a number that tells a name from others is never cut.

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


def name_line(name: str, seat: str, size: int, most: float) -> TextLine:
    """Lay out a name, or `seat` (`Seat 3`) if no font has any of its letters."""
    text_line = line(name, size, most) or line(seat, size, most) or line("?", size)
    assert text_line
    return text_line


def fitted(text: str, size: int, most: float) -> TextLine | None:
    """Lay out a text of ours: if it is too wide, down to two thirds of the size, and then cut."""
    for smaller in range(size, size * 2 // 3, -2):
        text_line = line(text, smaller)
        if text_line is None or text_line.width <= most:
            return text_line
    return line(text, size * 2 // 3, most)


def width(text: str, size: int) -> float:
    """The width of a text of ours, in pixels."""
    text_line = line(text, size)
    return text_line.width if text_line else 0.0


def put_line(picture: Image.Image, start: Point, text: TextLine, colour: Colour, across: float = 0.0) -> None:
    """Draw a text from this point of its baseline; `across` 0.5 centres it there, 1 ends it there."""
    draw = ImageDraw.Draw(picture)
    x, y = start[0] - across * text.width, start[1]
    for run in text.runs:
        font = _font(run.font, text.size)
        draw.text((x, y), run.text, fill=colour, font=font, anchor="ls")
        x += font.getlength(run.text)


def write(
    picture: Image.Image,
    start: Point,
    text: str,
    size: int,
    colour: Colour,
    *,
    most: float | None = None,
    across: float = 0.0,
) -> None:
    """Draw a text of ours, smaller where it would be too wide."""
    text_line = line(text, size) if most is None else fitted(text, size, most)
    if text_line:
        put_line(picture, start, text_line, colour, across)


def _line(signs: list[str], size: int) -> TextLine:
    runs = tuple(_runs(signs))
    return TextLine(runs, size, sum(_font(run.font, size).getlength(run.text) for run in runs))


def _readable(text: str) -> list[str]:
    """The characters of a text, without symbols that no font has; empty if no font has any of its letters."""
    signs: list[str] = []
    for sign in iter_graphemes(" ".join(unicodedata.normalize("NFC", text).split())):
        printable = _printable(sign)
        if printable is None:
            if _is_letter(sign):
                signs.append(_MISSING)
        elif not (printable.isspace() and (not signs or signs[-1].isspace())):
            signs.append(printable)
    while signs and signs[-1].isspace():
        signs.pop()
    is_unreadable = _MISSING in signs and not any(map(_is_letter, signs))
    return [] if is_unreadable else signs


def _printable(sign: str) -> str | None:
    """A form of this character that a font has (a circled A may become an A); None if there is none."""
    for form in (sign, unicodedata.normalize("NFKC", sign), sign[:1]):
        visible = "".join(
            char for char in form if unicodedata.category(char)[0] != "C" and not _is_selector(char)
        )
        if all(unicodedata.category(char) == "Mn" for char in visible[1:]):
            visible = visible[: 1 + _ACCENTS]
        if visible and _fonts(visible):
            return visible
    return None


def _is_letter(sign: str) -> bool:
    """Whether it contains a letter or a digit."""
    return any(unicodedata.category(char)[0] in "LN" for char in sign)


def _is_selector(sign: str) -> bool:
    """Whether it is one of Unicode's variation selectors."""
    return "\ufe00" <= sign <= "\ufe0f"


def _fonts(sign: str) -> list[str]:
    return [name for name, letters in font_letters().items() if letters.issuperset(sign)]


def _runs(signs: list[str]) -> Iterator[Run]:
    """Split into runs, returned from left to right; spaces and digits stay in the font before them."""
    runs: list[Run] = []
    for sign in signs:
        fonts = _fonts(sign)
        if runs and runs[-1].font in fonts and (runs[-1].font == fonts[0] or not sign[0].isalpha()):
            runs[-1] = Run(runs[-1].font, runs[-1].text + sign)
        else:
            runs.append(Run(fonts[0], sign))
    strong = (unicodedata.bidirectional(char) for sign in signs for char in sign)
    is_leftward = next((kind for kind in strong if kind in ("L", "R", "AL")), "L") != "L"
    return reversed(runs) if is_leftward else iter(runs)
