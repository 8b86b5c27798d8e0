"""Discord takes every message that the bot can make, whatever the game, the players, the hand, the rules."""

from __future__ import annotations

import inspect
import pkgutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import combinations, product
from random import Random
from types import CodeType, FrameType
from typing import Any

import pytest
import widest
from by_chance import SEEDS, rulesets
from games import EXTREMES, change_rules
from hypothesis import given, settings
from openapi import Description, Request, faults
from people import Player, refusal
from server import Server

import bot
from bot.delivery.components import layout, modal
from bot.delivery.emojis import Emojis
from bot.pictures import emojis
from bot.vocabulary.messages import Button, Form, Link, Message, Post, Whisper
from engine.languages import ENGLISH, Language
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset

LETTERS, SIGNS = Emojis(), Emojis()
SIGNS.know(dict.fromkeys(emojis(), widest.ID))
KINDS = ("Whisper", "Post", "Form")


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


# At any table


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(rules=rulesets(), seed=SEEDS)
def test_whatever_is_told_of_a_game_fits(rules: Ruleset, seed: int) -> None:
    check(widest.of_a_game(rules, Random(seed), deals=2), None)


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "players"), EXTREMES)
def test_smallest_and_largest_games_fit(preset: str, players: int, description: Description | None) -> None:
    check(widest.of_a_game(Ruleset.of(preset, players, {"ends_at": 1}), Random(players)), description)


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


def elsewhere(language: Language) -> Iterator[Message | Form]:
    """All messages without a table."""
    for kind in (widest.of_people, widest.of_days, widest.of_tournaments, widest.of_the_bot, widest.refused):
        yield from kind(language)


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
        for name, one in vars(import_module(found.name)).items():
            returned = str(getattr(one, "__annotations__", {}).get("return", ""))
            if inspect.isfunction(one) and one.__module__ == found.name and returned.startswith(KINDS):
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


# In Discord


async def test_a_form_of_rules_that_the_game_has_no_more(server: Server, ann: Player) -> None:
    await server.seat(ann, game="double-deck")
    [old] = (await ann.click("Options")).private
    await change_rules(ann, game="chinese")
    assert (await ann.click("Cards", old)).told == refusal("stale")
