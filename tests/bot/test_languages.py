"""Every message in every language: nothing is left in English, and Discord takes it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from gettext import NullTranslations
from random import Random
from typing import Any

import pytest
import widest
from at_once import deals_played
from people import Player
from pseudo import COMMON, PSEUDO, Saying, left_in_english, words
from server import Server
from test_every_message import check, elsewhere

from bot.pictures import lettering
from bot.table import scores
from bot.vocabulary.messages import Form, Message, Row
from engine.languages import ENGLISH, LANGUAGES, Catalog, Language
from engine.rules.ruleset import Ruleset
from engine.tables import Achieved

#: Each game, and one with a kitty: with more players it says nothing else.
TABLES = (
    *(("classic", 4), ("wikibooks", 3), ("double-deck", 6), ("double-deck", 8)),
    *(("cancellation", 5), ("chinese", 3)),
)
#: Pixels: of a message on a telephone 390 pixels wide, of a button's letters, what surrounds them, the
#: smallest button, and the gap between two.
PHONE, LABEL, PADDING, SMALLEST, GAP = 310, 14, 32, 60, 8
OTHERS = [language for language in LANGUAGES.values() if language is not ENGLISH]


def of_tables(language: Language, preset: str, players: int) -> Iterator[Message | Form]:
    """All messages at such a table."""
    yield from widest.of_a_game(Ruleset.of(preset, players, {"ends_at": 1}), Random(players), language)


def all_of(language: Language) -> Iterator[Message | Form]:
    """Everything about a few different games, and everything else."""
    for preset, players in (("wikibooks", 5), ("cancellation", 5), ("chinese", 4)):
        yield from of_tables(language, preset, players)
    yield from widest.of_a_moon(language)
    yield from elsewhere(language)


# In a language that nobody speaks


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_nothing_about_a_table_is_left_in_english(preset: str, players: int) -> None:
    assert left_in_english(of_tables(PSEUDO, preset, players)) == {}


@pytest.mark.slow
def test_nothing_about_a_moon_and_nothing_elsewhere_is_left_in_english() -> None:
    assert left_in_english(widest.of_a_moon(PSEUDO)) == {}
    assert left_in_english(elsewhere(PSEUDO)) == {}


# In those that people speak


class OfGames(NullTranslations):
    """Says each sentence with its context: `chinese: Shot the moon`."""

    def pgettext(self, context: str, message: str) -> str:
        return f"{context}: {message}"


def test_achievements_are_told_in_the_words_of_their_game(monkeypatch: pytest.MonkeyPatch) -> None:
    chinese = LANGUAGES["zh"]
    monkeypatch.setitem(vars(chinese.of_game("chinese")), "catalog", Catalog(OfGames()))
    *_, game = widest.at_phases(Ruleset.of("chinese", 4, {"ends_at": 1}), Random(1), 1)
    over = widest.table_of(game, Random(1), language=chinese, achieved=(Achieved(0, "moon"),))
    told = "\n".join(words(scores.final(over.public)))
    assert "**chinese: Over the moon**\n-# chinese: chinese: Shot the moon." in told


@pytest.fixture(scope="module")
def told_in_english() -> list[Message | Form]:
    """What the same messages say in English."""
    return list(all_of(ENGLISH))


@pytest.mark.slow
@pytest.mark.parametrize("language", OTHERS, ids=repr)
def test_every_message_fits(language: Language, told_in_english: list[Message | Form]) -> None:
    """Discord takes it, its buttons need hardly more room than in English, and fonts have its words."""
    told = dict.fromkeys(zip(told_in_english, all_of(language), strict=True))
    check([one for _, one in told], None)
    crowded, unseen = {}, set()
    for plain, one in told:
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
        if used and used + GAP + width > PHONE:
            count, used = count + 1, width
        else:
            used += GAP + width
    return count


# Through the real bot

#: Nobody sees these. They stand before and after each sentence that was said in the language of this test.
SAID, DONE = "\u2061", "\u2062"
#: A sentence without another one in it; and six words that nobody has said, which leaves labels alone.
INNERMOST = re.compile(f"{SAID}[^{SAID}{DONE}]*{DONE}")
ENGLISH_WORDS = re.compile(r"[A-Za-z’']+(?: [A-Za-z’']+){5,}")
#: A text of a request that somebody reads, as JSON.
READ = re.compile(r'"(?:content|label|placeholder|description|title)": ("(?:[^"\\]|\\.)*")')
#: What is asked before a game, in its middle, and after it.
BEFORE = ("rules", "hand", "house", "help", "preferences", "leaderboard", "stats")
WITHIN = ("scores", "rules", "record", "replay", "end")
AFTER = ("replay", "record", "leaderboard", "stats", "daily", "privacy", "help")
#: What is not pressed: it ends what is to be looked at.
ENDS = ("End", "Close", "Leave", "Delete it all", "Start")


def marked(sentence: str) -> str:
    """The sentence between marks; but labels as they are, by which the test finds what to press."""
    return f"{SAID}{sentence}{DONE}" if sentence.count(" ") > 4 else sentence


@pytest.mark.slow
async def test_nothing_in_a_whole_game_is_left_in_english(
    server: Server, ann: Player, bo: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(vars(LANGUAGES["de"]), "catalog", Catalog(Saying(marked)))
    server.speaks("de")
    for player in (ann, bo):
        player.speaks("de")
    await ann.run("hearts new", ends_at=1)
    await bo.click("Join")
    await look_around(ann, BEFORE)
    await ann.save_rules("ours")
    await ann.click("Start")
    for player in (ann, bo):
        await player.pass_cards()
    for _ in range(3):
        await ann.act()
        await bo.act()
    await look_around(ann, WITHIN)
    await deals_played([ann, bo], lambda: server.shows("🏆"))
    await look_around(ann, AFTER)
    sent = [one.json for one in server.env.http_requests if "/commands" not in one.path]  # in English as well
    assert {found for text in texts(sent) for found in ENGLISH_WORDS.findall(unsaid(text))} == set()


async def test_private_answers_name_the_buttons_of_the_table_as_they_are_there(
    server: Server, ann: Player, bo: Player
) -> None:
    server.speaks("fr")
    await ann.run("hearts new")
    assert "Lancer" in server.post("Places").enabled
    await bo.click("Rejoindre", server.post("Places"))
    assert "its host presses **Lancer**" in (await bo.run("hearts hand")).told
    assert bo.dm.says("You have a seat")


async def look_around(player: Player, commands: Iterable[str]) -> None:
    """Use these commands, and press each button of what they answer once."""
    for command in commands:
        for seen in (await player.run(f"hearts {command}")).private:
            for label in seen.enabled:
                now = seen.current  # another button may have changed it
                if label in now.enabled and label not in ENDS:
                    await player.click(label, now)


def unsaid(text: str) -> str:
    """The text without what was said in a language."""
    while INNERMOST.search(text):
        text = INNERMOST.sub("·", text)
    return COMMON.sub("·", text)


def texts(sent: Any) -> list[str]:
    """Every text in requests' bodies that somebody reads."""
    return [json.loads(found) for found in READ.findall(json.dumps(sent))]
