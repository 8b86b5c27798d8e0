"""Discord takes every message that the bot can make, in every language, and none is left in English."""

import inspect
import json
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from gettext import NullTranslations
from importlib import import_module
from itertools import combinations, product
from random import Random
from types import CodeType, FrameType, UnionType
from typing import Any, get_args, get_type_hints

import pytest
import widest
from at_once import deals_played
from by_chance import SEEDS, rulesets
from games import EXTREMES, change_rules
from hypothesis import given, settings
from openapi import Description, Request, faults
from people import Player, refusal
from pseudo import COMMON, PSEUDO, Saying, left_in_english, words
from server import Server

import bot
from bot.delivery.components import layout, modal
from bot.delivery.emojis import Emojis
from bot.pictures import emojis, lettering
from bot.table import scores
from bot.vocabulary.messages import Button, Form, Link, Message, Post, Row, Whisper
from engine.languages import ENGLISH, LANGUAGES, Catalog, Language
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.tables import Achieved

LETTERS, SIGNS = Emojis(), Emojis()
SIGNS.know(dict.fromkeys(emojis(), widest.ID))
KINDS = {Whisper, Post, Form}

#: Pixels: of a message on a telephone 390 pixels wide, of a button's letters, what surrounds them, the
#: smallest button, and the gap between two.
PHONE, LABEL, PADDING, SMALLEST, GAP = 310, 14, 32, 60, 8
TRANSLATED = [language for language in LANGUAGES.values() if language is not ENGLISH]


def check(shown: Iterable[Message | Form], description: Description | None) -> None:
    """Discord takes each of these, with cards as letters and as emojis, with pictures and with words."""
    for one in dict.fromkeys(shown):  # many states of a table show the same messages
        assert faults(_requests(one), description) == [], one


def _requests(shown: Message | Form) -> Iterator[Request]:
    if isinstance(shown, Form):
        form = {"type": 9, "data": modal(shown).to_dict()}
        yield Request("POST", "/interactions/1/token/callback", form)
        return
    call = shown.call if isinstance(shown, Post) else None
    for cards, pictured in product((LETTERS, SIGNS), {False, bool(shown.scenes)}):
        parts = layout(shown, cards, pictured=pictured, call=call).to_components()
        body = {"components": parts, "flags": 1 << 15, "allowed_mentions": {"parse": []}}
        yield Request("POST", "/channels/1/messages", body)


def of_tables(language: Language, preset: str, players: int) -> Iterator[Message | Form]:
    """All messages at such a table."""
    yield from widest.of_a_game(Ruleset.of(preset, players, {"ends_at": 1}), Random(players), language)


def elsewhere(language: Language) -> Iterator[Message | Form]:
    """All messages without a table."""
    for kind in (widest.of_people, widest.of_days, widest.of_tournaments, widest.of_the_bot, widest.refused):
        yield from kind(language)


def all_of(language: Language) -> Iterator[Message | Form]:
    """Everything about a few different games, and everything else."""
    for preset, players in (("wikibooks", 5), ("cancellation", 5), ("chinese", 4)):
        yield from of_tables(language, preset, players)
    yield from widest.of_a_moon(language)
    yield from elsewhere(language)


# At any table


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(rules=rulesets(), seed=SEEDS)
def test_whatever_is_told_of_a_game_fits(rules: Ruleset, seed: int) -> None:
    check(widest.of_a_game(rules, Random(seed), deals=2), None)


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "players"), EXTREMES)
def test_smallest_and_largest_games_fit(preset: str, players: int, description: Description | None) -> None:
    check(of_tables(ENGLISH, preset, players), description)


@pytest.mark.parametrize("count", range(5))
def test_whatever_a_player_can_expose_fits(count: int, description: Description | None) -> None:
    """With hints, there are more buttons than a line holds."""
    for held in combinations(PRESETS["chinese"].exposable, count):
        check(widest.of_exposing(held), description)


def test_a_moon_fits(description: Description | None) -> None:
    check(widest.of_a_moon(ENGLISH), description)


@pytest.mark.slow
def test_a_game_of_many_deals_fits(description: Description | None) -> None:
    rng = Random(1)
    *_, game = widest.at_phases(Ruleset.of("cancellation", 5, {"ends_at": 99_999}), rng, deals=61)
    table = widest.table_of(game, rng)
    check(widest.posts(table), description)
    check(widest.ends(table), description)
    check(widest.done(table, rng, every=10), None)


# Away from one


@pytest.mark.slow
def test_what_is_told_of_people_days_and_the_bot_fits(description: Description | None) -> None:
    check(elsewhere(ENGLISH), description)


@pytest.mark.slow
def test_every_kind_of_message_is_among_these() -> None:
    """A new one belongs into `widest.py`: here every function that makes one has to have been called."""
    classic = Ruleset.of("classic", 4, {"ends_at": 1})
    with calls_noted() as called:
        list(widest.of_a_game(classic, Random(1)))
        list(widest.of_a_moon(ENGLISH))
        list(widest.of_exposing(()))
        list(elsewhere(ENGLISH))
    makers = dict(message_makers())
    assert len(makers) > 40
    assert {name for name, code in makers.items() if code not in called} == set()


#: The rooms that make no messages of their own.
OTHERS = {"", "check", "delivery", "discord", "local", "pictures", "vocabulary"}


def message_makers() -> Iterator[tuple[str, CodeType]]:
    """Every function that makes a message or a form, in the rooms of all topics."""
    for found in pkgutil.walk_packages(bot.__path__, "bot."):
        room, module = f"{found.name}..".split(".")[1:3]
        if room in OTHERS or module.endswith(("handlers", "announcer")):  # which pass messages on
            continue
        for name, one in inspect.getmembers(import_module(found.name), inspect.isfunction):
            if one.__module__ == found.name:
                returned = get_type_hints(one).get("return")
                kinds = {*get_args(returned)} if isinstance(returned, UnionType) else {returned}
                if kinds & KINDS:
                    yield f"{found.name}.{name}", one.__code__


@contextmanager
def calls_noted() -> Iterator[set[CodeType]]:
    """The code of each function that is called meanwhile."""
    called: set[CodeType] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        called.add(frame.f_code)

    tracing = sys.gettrace()
    sys.settrace(note)  # which, unlike setprofile(), leaves out calls of the interpreter's own functions
    try:
        yield called
    finally:
        sys.settrace(tracing)


# By construction


@pytest.mark.parametrize("count", range(1, 18))
def test_any_number_of_buttons_stands_on_lines_of_five(count: int, description: Description | None) -> None:
    buttons = tuple(Button(str(number), f"hearts:play:1:{number}") for number in range(count))
    check([Whisper(("Choose.", buttons)), Whisper(("Choose.", (), (*buttons, widest.LINK)))], description)
    [container] = layout(Whisper((buttons,)), LETTERS).to_components()
    lines: list[Any] = container["components"]
    assert [one["label"] for line in lines for one in line["components"]] == [one.label for one in buttons]
    lengths = [len(line["components"]) for line in lines]
    assert len(lengths) == -(-count // 5)
    assert max(lengths) - min(lengths) <= len(lengths)


@pytest.mark.parametrize("text", ["x", "Q♠", "\N{PLAYING CARD BLACK JOKER}"])
def test_a_text_that_is_too_long_loses_its_end(text: str, description: Description | None) -> None:
    long, link = text * 6000, Link("Go", "https://discord.com")
    check([Whisper((long,)), Whisper(("Before", long, "After", (link,)))], description)
    [container] = layout(Whisper(("Before", long, "After")), LETTERS).to_components()
    texts = [one["content"] for one in container["components"]]
    assert (texts[0], texts[1][-1], texts[2]) == ("Before", "…", "After")
    assert len(texts[1]) > 1900


# In a language that nobody speaks


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "players"), EXTREMES)
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
@pytest.mark.parametrize("language", TRANSLATED, ids=repr)
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


async def test_a_form_of_rules_that_the_game_has_no_more(server: Server, ann: Player) -> None:
    await server.seat(ann, game="double-deck")
    [old] = (await ann.click("Options")).private
    await change_rules(ann, game="chinese")
    assert (await ann.click("Cards", old)).told == refusal("stale")


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
