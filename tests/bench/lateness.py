"""How late each message shows what has changed at its table, by the real clock.

While the bot runs, it only records the tables' states and the messages' texts, with their times. Afterwards
the bot's own renderers show what each state should look like: a message is as late as the oldest change that
it shows now and didn't show before. A change that may wait (a message's `patience`) counts from when its wait
is over.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from simcord.env import Env
from simcord.http import router

from bot.delivery.components import signs
from bot.table.board import board
from bot.table.hands import as_dm, hand_of, holder
from bot.vocabulary.messages import Link, Part, Picture, Post, Select, Whisper
from engine.tables import Table, Tables
from tests.bench.load import kind_of
from tests.letters import in_letters, label_on

#: A message's text, part by part, with what can be clicked.
Text = tuple[str, ...]
#: The kind of a message that hasn't been brought up to date.
OWED = "not yet shown"
Listener = Callable[[Table], None]
#: A channel and a message there.
Place = tuple[int, int]


@dataclass(frozen=True)
class Shown:
    """What a message shows from a certain time, and by what kind of request."""

    at: float
    kind: str
    text: Text


@dataclass(frozen=True)
class Wish:
    """What a message should show from a certain time, and when its wait is over."""

    since: float
    due: float
    text: Text
    in_words: Text  # the same without its pictures


@dataclass(frozen=True)
class Arrival:
    """A message that showed something new."""

    kind: str
    at: float
    late: float


@dataclass
class Watch:
    """Each state of each table, and of each message, with its time."""

    tables: dict[int, list[tuple[float, Table]]] = field(default_factory=dict)
    messages: dict[Place, list[Shown]] = field(default_factory=dict)

    def changed(self, table: Table) -> None:
        """Record a table's change."""
        self.tables.setdefault(table.id, []).append((time.perf_counter(), table))

    def answered(self, kind: str, answer: Any) -> None:
        """Record Discord's answer to a request, perhaps with its message."""
        message = answer.get("resource", {}).get("message", answer)
        if "channel_id" in message and "components" in message:
            place = int(message["channel_id"]), int(message["id"])
            shown = Shown(time.perf_counter(), kind, tuple(_said(message["components"])))
            self.messages.setdefault(place, []).append(shown)


@contextmanager
def watching() -> Iterator[Watch]:
    """Within, watch every new table service, and the requests to Discord."""
    watch, make, dispatch = Watch(), Tables.__init__, router.dispatch

    def watched(tables: Tables, database: Any, listener: Listener, *rest: Any, **named: Any) -> None:
        def tell(table: Table) -> None:
            watch.changed(table)
            listener(table)

        make(tables, database, tell, *rest, **named)

    def noted(backend: Any, method: str, path: str, **options: Any) -> Any:
        answer = dispatch(backend, method, path, **options)
        if isinstance(answer, dict):
            watch.answered(kind_of(method, path)[0], answer)
        return answer

    with patch.object(Tables, "__init__", watched), patch.object(router, "dispatch", noted):
        yield watch


def arrivals(watch: Watch, env: Env) -> Iterator[Arrival]:
    """Everything that arrived, and what is still missing, each with its lateness."""
    now = time.perf_counter()
    messages: dict[int, list[list[Shown]]] = {}
    for (channel, _), shown in watch.messages.items():
        messages.setdefault(channel, []).append(shown)
    for states in watch.tables.values():
        table = states[-1][1]
        yield from _at_a_place(_wishes(states, _posts), messages.get(table.channel, []), now)
        for person in (seat.person for seat in table.seats if seat.person is not None):
            dms = messages.get(env.backend.get_dm_channel(person).id, [])
            yield from _at_a_place(_wishes(states, _hands(person)), dms, now)


def _at_a_place(wishes: dict[str, list[Wish]], messages: list[list[Shown]], now: float) -> Iterator[Arrival]:
    """The arrivals in one channel or DM."""
    for wanted in wishes.values():
        shown = next((one for one in messages if _shows(wanted, one[0].text)), [])
        last = -1
        for one in shown:
            so_far = (i for i, wish in enumerate(wanted) if wish.since <= one.at and _shows([wish], one.text))
            newest = max(so_far, default=-1)
            if newest > last:
                yield Arrival(one.kind, one.at, _late(wanted[last + 1 : newest + 1], one.at))
                last = newest
        if last < len(wanted) - 1:
            yield Arrival(OWED, now, _late(wanted[last + 1 :], now))


def _late(wanted: list[Wish], at: float) -> float:
    """By how much the first of these is late at this time."""
    return max(0.0, at - min(wish.due for wish in wanted))


def _shows(wanted: list[Wish], text: Text) -> bool:
    """Whether a message with this text shows one of these; a new one may end with a mention."""
    shown = (text, text[:-1])
    return any(wish.text in shown or wish.in_words in shown for wish in wanted)


Wanted = Iterator[tuple[str, Post | Whisper]]


def _wishes(states: list[tuple[float, Table]], wanted: Callable[[Table], Wanted]) -> dict[str, list[Wish]]:
    """For each message in a channel or DM, what it should show and when, in order."""
    found: dict[str, list[Wish]] = {}
    for at, table in states:
        for key, message in wanted(table):
            wishes = found.setdefault(key, [])
            text, in_words = (
                tuple(words for part in message.parts for words in _words(part, pictured=pictured))
                for pictured in (True, False)
            )
            if not wishes or wishes[-1].text != text:
                wishes.append(Wish(at, at + message.patience, text, in_words))
    return found


def _posts(table: Table) -> Wanted:
    yield from ((part.key, part.post) for part in board(table.public) if part.create)


def _hands(person: int) -> Callable[[Table], Wanted]:
    def hand(table: Table) -> Wanted:
        if table.game is not None and table.game.deals:
            public = table.public
            yield f"hand{len(table.game.deals)}", as_dm(hand_of(holder(table, public, person)), public)

    return hand


def _words(part: Part, *, pictured: bool) -> Iterator[str]:
    """A part's text, and what can be clicked in it."""
    match part:
        case Picture() if pictured:
            yield part.description
        case Picture() if part.words:
            yield signs(part.words)
        case str():
            yield signs(part)
        case Select():
            yield from (signs(choice.label) for choice in part.choices)
        case tuple():
            for button in part:
                if isinstance(button, Link) or button.enabled:
                    yield signs(button.label)


def _said(components: Any) -> Iterator[str]:
    """The same for Discord's components, in order."""
    for one in components:
        if not one.get("disabled"):
            if "content" in one:
                yield in_letters(one["content"])
            elif label := label_on(one) or one.get("description"):
                yield label
            yield from _said([*one.get("components", ()), *one.get("items", ()), *one.get("options", ())])
