"""Every message in every language: nothing is left in English, and Discord takes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

import pytest
import widest
from by_chance import TABLES
from pseudo import PSEUDO, untranslated, words
from test_every_message import check

from bot.messages import Form, Message, Row
from bot.pictures import lettering
from engine.languages import ENGLISH, LANGUAGES, Language
from engine.rules.ruleset import Ruleset

#: Pixels: of a message on a telephone 390 pixels wide, of a button's letters, what surrounds them, the
#: smallest button, and the gap between two.
PHONE, LABEL, PADDING, SMALLEST, GAP = 310, 14, 32, 60, 8
OTHERS = [language for language in LANGUAGES.values() if language is not ENGLISH]


def of_tables(language: Language, preset: str, players: int, deals: int = 1) -> Iterator[Message | Form]:
    """All messages at such a table, in the middle of each phase, with players who come and go."""
    rng = Random(players)
    rules = Ruleset.of(preset, players, {"ends_at": 1})
    for number, game in enumerate(widest.at_phases(rules, rng, deals)):
        tables = list(widest.comings_and_goings(widest.table_of(game, rng, language=language)))
        yield from widest.of_a_table(tables[number % len(tables)])
    yield from widest.done(widest.table_of(game, rng, language=language), rng)
    yield from widest.of_rules(rules, language)


def elsewhere(language: Language) -> Iterator[Message | Form]:
    """All messages without a table."""
    for kind in (widest.of_people, widest.of_days, widest.of_the_bot, widest.refused):
        yield from kind(language)


def all_of(language: Language) -> Iterator[Message | Form]:
    """Everything about a few different games, and everything else."""
    for preset, players in (("classic", 4), ("wikibooks", 5), ("cancellation", 5), ("chinese", 4)):
        yield from of_tables(language, preset, players)
    for table in widest.moons(language):
        yield from widest.of_a_table(table)
    yield from elsewhere(language)


# In a language that nobody speaks


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_nothing_about_a_table_is_left_in_english(preset: str, players: int) -> None:
    assert left_in_english(of_tables(PSEUDO, preset, players)) == {}


def test_nothing_about_a_moon_is_left_in_english() -> None:
    assert left_in_english(one for table in widest.moons(PSEUDO) for one in widest.of_a_table(table)) == {}


@pytest.mark.slow
def test_nothing_elsewhere_is_left_in_english() -> None:
    assert left_in_english(elsewhere(PSEUDO)) == {}


def left_in_english(shown: Iterable[Message | Form]) -> dict[str, str]:
    """The plain words, each with a text that has it."""
    return {word: text for one in dict.fromkeys(shown) for word, text in untranslated(one)}


# In those that people speak


@pytest.mark.slow
@pytest.mark.parametrize("language", OTHERS, ids=repr)
def test_every_message_fits(language: Language) -> None:
    """Discord takes it, its buttons need as much room as in English or little more, and fonts have its words."""
    told = list(all_of(language))
    check(told, None)
    crowded, unseen = {}, set()
    for plain, one in zip(all_of(ENGLISH), told, strict=True):
        for row, same in zip(rows(one), rows(plain), strict=True):
            if lines(row) > max(2, lines(same) + 1):
                crowded[tuple(button.label for button in row)] = lines(row), lines(same)
        if isinstance(one, Message):
            unseen |= {text for text in words(one.scenes) if text.strip() and not lettering.line(text, 30)}
    assert crowded == {}
    assert unseen == set()


def rows(shown: Message | Form) -> list[Row]:
    return [part for part in shown.parts if isinstance(part, tuple)] if isinstance(shown, Message) else []


def lines(row: Row) -> int:
    """On how many lines these buttons stand on a telephone."""
    count, used = 1, 0.0
    for button in row:
        width = max(SMALLEST, lettering.width(button.label, LABEL) + PADDING)
        count, used = (
            (count + 1, width) if used and used + GAP + width > PHONE else (count, used + GAP + width)
        )
    return count
