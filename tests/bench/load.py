"""Tables in the simulated Discord, and people who click there at a given rate."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import simcord
from simcord import interactions
from simcord.backend import serializers
from simcord.env import Env

from bot.client import HeartsBot
from bot.connection import freeze_heap_after
from bot.table.hand import ChooseMoon
from bot.table.passing import PassCards, PickCard
from bot.table.playing import Play
from engine.play.deal import Phase
from engine.players import Strength
from engine.rules.options import MoonChoice
from engine.rules.ruleset import Ruleset
from engine.storage import dm_channels
from engine.storage.database import Database
from engine.tables import Person, Table, changes
from tests.bench.measure import Effort, memory, passing, real_time
from tests.uploaded import upload_emojis

#: A request's path, its name here, and whether Discord counts it against the bot's token.
KINDS = [
    (r"POST /interactions/.*/callback", "answer to a click", False),
    (r"\w+ /webhooks/.*", "edit or follow-up through a click", False),
    (r"POST /channels/\d+/messages", "message sent", True),
    (r"PATCH /channels/\d+/messages/\d+", "message edited", True),
    (r".*", "other", True),
]
#: The path of a message in a channel.
IN_CHANNEL = re.compile(r"/channels/(\d+)/messages(?:/\d+)?")
#: How a deal's board begins in words, and the type of a picture.
BOARD, GALLERY = re.compile(r"### Deal \d+ · "), 12
#: The path of a click's first response.
CALLBACK = re.compile(r"/interactions/(\d+)/.*/callback")
#: The most clicks in one iteration of the loop.
AT_ONCE = 4
#: Requests after which they are counted: few, so that nobody waits for that; 5000 took a quarter of a second.
UNCOUNTED = 100
#: Seconds without a request after which we assume that everything is shown.
QUIET = 3.0
#: Seconds that the simulation may take to become idle.
SETTLED = 120.0
#: How many of the newest messages in a DM are searched for a control.
IN_SIGHT = 3
#: Seats at each table.
SEATS = 4
#: The points that end a game: too many for any benchmark.
ENDLESS = 10_000
#: Seconds within which a thinking process is ready, even if it compiles first.
COMPILED = 900.0

#: A person and a control.
Wanted = tuple[int, str]


@dataclass(frozen=True)
class Click:
    """A control in someone's DM that can be used now."""

    person: int
    message: Any
    custom_id: str


def kind_of(method: str, path: str) -> tuple[str, bool]:
    """The name of such a request, and whether it counts against the bot's token."""
    line = f"{method} {path}"
    return next((name, counted) for pattern, name, counted in KINDS if re.fullmatch(pattern, line))


class Answers(list[Any]):
    """The simulated Discord's log of requests; records when and how each click was first answered."""

    def __init__(self) -> None:
        super().__init__()
        self.first: dict[int, tuple[float, int]] = {}

    def append(self, entry: Any) -> None:
        if found := CALLBACK.fullmatch(entry.path):
            self.first.setdefault(int(found[1]), (time.perf_counter(), entry.json["type"]))
        super().append(entry)


class Load:
    """A simulated server full of tables, and its measurements."""

    def __init__(self, env: Env, bot: HeartsBot, tables: list[Table], kib: float) -> None:
        self.env, self.bot, self.tables = env, bot, tables
        self.kib = kib
        self.log = env.backend.http_requests = Answers()
        self.sent: dict[int, float] = {}
        self.calls: Counter[str] = Counter()
        self.boards: Counter[bool] = Counter()  # sent or edited boards, by whether they had a picture
        self.uploaded = 0  # bytes
        self._channels = {table.channel for table in tables}
        self._weigh_files()
        self.start()

    def start(self) -> None:
        """Start measuring."""
        self.sent.clear()
        self.log.first.clear()
        self.log.clear()
        self.uploaded = 0
        self._laid_before = self._laid
        self.began = time.perf_counter()
        self.effort = Effort()

    @property
    def waits(self) -> list[float]:
        """Seconds from each click to its answer."""
        return [self.log.first[id][0] - at for id, at in self.sent.items() if id in self.log.first]

    @property
    def seconds(self) -> float:
        """Seconds from the first click to the last answer."""
        return max(at for at, _ in self.log.first.values()) - self.began

    @property
    def cards(self) -> int:
        """The number of cards played, by anyone."""
        return self._laid - self._laid_before

    @property
    def clicked(self) -> str:
        """A summary of the run, for the start of a report."""
        last = max(self.sent.values()) - self.began
        return f"{len(self.tables)} tables, {len(self.sent)} clicks ({self.cards} cards) in {last:.1f} s"

    def next(self, table: Table) -> Click | None:
        """The next click that this table waits for; None if the player's DM doesn't show it yet."""
        wanted = next_click(self.bot, table)
        message = wanted and self._in_sight(*wanted)
        return Click(wanted[0], message, wanted[1]) if wanted and message else None

    def send(self, click: Click, at: float | None = None) -> None:
        """Deliver a click like the gateway, without waiting; it was due at this time."""
        began = at or time.perf_counter()
        self.sent[_deliver(self.env, click)] = began

    def click(self, table: Table, at: float | None = None) -> bool:
        """Make the click that this table waits for; False if that isn't possible yet."""
        if click := self.next(table):
            self.send(click, at)
        return click is not None

    async def bursts(self, rounds: int) -> None:
        """Click at every table at the same moment, this many times."""
        for _ in range(rounds):
            for table in self.tables:
                self.click(table)
            while len(self.log.first) < len(self.sent):  # noqa: ASYNC110
                await asyncio.sleep(0.002)
            await self.shown()
            self.count()

    async def shown(self) -> None:
        """Wait until every hand shows its player the next control."""
        for table in self.tables:
            while (wanted := next_click(self.bot, table)) and not self._in_sight(*wanted):  # noqa: ASYNC110
                await asyncio.sleep(0.002)

    async def steadily(self, rate: float, seconds: float, *, uneven: bool = False) -> None:
        """Make this many clicks a second, whether or not the last ones have been answered.

        A click's time is when it was due: where the loop is too busy to take it, it waits as it would for
        a bot that is too busy. Nobody clicks at a table where nothing can be clicked.
        """
        rng, number, at = Random(2), 0, self.began
        while at < self.began + seconds:
            # The sleep lets the bot work, even if we are late.
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            for _ in range(AT_ONCE):
                if at > time.perf_counter():
                    break
                self.click(rng.choice(self.tables) if uneven else self.tables[number % len(self.tables)], at)
                number += 1
                at += rng.expovariate(rate) if uneven else 1 / rate
            if len(self.log) > UNCOUNTED:
                self.count()
        await self._quiet()
        self.count()

    def count(self) -> None:
        """Add up the requests so far, by kind."""
        self.calls.update(kind_of(entry.method, entry.path)[0] for entry in self.log)
        for entry in self.log:
            found = IN_CHANNEL.fullmatch(entry.path)
            if found and int(found[1]) in self._channels:
                self.boards.update(_has_picture((entry.json or {}).get("components", ())))
        self.log.clear()
        self.env.backend.transcript.clear()

    @property
    def _laid(self) -> int:
        games = [self.bot.tables.get(table.id).game for table in self.tables]
        deals = [deal for game in games for deal in game.deals]
        tricks = [trick for deal in deals for trick in (deal.trick, *(done.trick for done in deal.tricks))]
        return sum(len(trick.cards) for trick in tricks)

    def _weigh_files(self) -> None:
        cdn = self.env.backend.cdn
        store = cdn.store_attachment

        def weigh(id: int, channel: int, name: str, content: bytes, *rest: Any) -> Any:
            self.uploaded += len(content)
            return store(id, channel, name, content, *rest)

        cdn.store_attachment = weigh

    async def _quiet(self) -> None:
        """Wait until there have been no requests for a while; the simulation's own waiting is too slow."""
        asked, since = -1, time.perf_counter()
        while time.perf_counter() < since + QUIET:
            if len(self.log) != asked:
                asked, since = len(self.log), time.perf_counter()
            await asyncio.sleep(0.1)

    def _in_sight(self, person: int, custom_id: str) -> Any:
        """The message in this person's DM with this control, if it can be used."""
        messages = self.env.backend.messages.get(self.env.backend.get_dm_channel(person).id, {})
        own = [id for id, message in messages.items() if not message.is_ephemeral]
        newest_first = [messages[id] for id in sorted(own)[: -IN_SIGHT - 1 : -1]]
        return next((one for one in newest_first if custom_id in controls_of(one.components)), None)


@asynccontextmanager
async def seated(
    count: int, idle: int = 0, people: int = SEATS, ends_at: int = ENDLESS
) -> AsyncIterator[Load]:
    """This many tables with four seats where a classic game begins, and `idle` ones besides.

    `people` of the four are people, the others strong computers. All people have got their first hand, and
    time passes normally.
    """
    with real_time():
        async with server() as (env, bot), passing(env):
            before = memory()
            if people < SEATS:
                bot.thinking.prepare()
                await bot.thinking.pool.ask(os.getpid, seconds=COMPILED)
            tables = await _seat(env, bot, count + idle, people, ends_at)
            kib = (memory() - before) / len(tables)
            with freeze_heap_after():
                pass  # what is there by now is no garbage, as where the bot has taken up its tables
            load = Load(env, bot, tables[:count], kib)
            await load.shown()
            load.start()
            yield load


@asynccontextmanager
async def server() -> AsyncIterator[tuple[Env, HeartsBot]]:
    """The bot in a simulated Discord, with its emojis."""
    with tempfile.TemporaryDirectory() as folder:
        database = await Database.open(Path(folder) / "bench.sqlite3")
        bot = HeartsBot(database, rng=Random(1), shard_count=1)
        running = simcord.run(bot, settle_timeout=SETTLED)
        await upload_emojis(running._env, database)
        try:
            async with running as env:
                yield env, bot
        finally:
            await bot.close()  # otherwise a failing benchmark wouldn't end


async def _seat(env: Env, bot: HeartsBot, count: int, seats: int, ends_at: int = ENDLESS) -> list[Table]:
    guild = env.create_guild("Bench")
    tables = []
    for number in range(count):
        channel = guild.create_text_channel(f"table-{number}")
        people = [env.create_user(f"p{number}-{seat}") for seat in range(seats)]
        for person in people:
            guild.add_member(person)
            # They have played before, as new DM channels are opened only every few seconds.
            await dm_channels.put(bot.database, person.id, env.backend.get_dm_channel(person.id).id)
        first, *others = [Person(person.id, person.name) for person in people]
        rules = Ruleset.of("classic", 4, {"ends_at": ends_at})
        with env._bot_scope():  # in which the bot's clocks are the simulation's
            table = await bot.tables.open(guild.id, channel.id, first, rules, strength=Strength.STRONG)
            for other in others:
                await bot.tables.join(table.id, other)
            tables.append(await bot.tables.change(table.id, changes.start, first.id))
        await env.settle()
    return tables


def next_click(bot: HeartsBot, table: Table) -> Wanted | None:
    """The person to move at this table, and the control to use; None while computers think."""
    table = bot.tables.get(table.id)
    assert table.game is not None
    deal = table.game.deals[-1]
    if not table.awaited:
        return None
    seat = table.awaited[0]
    person = table.seats[seat].person
    assert person is not None
    if deal.phase is Phase.PASSING:
        return person, _pass(table, seat)
    if deal.phase is Phase.CHOOSING_MOON:
        return person, str(ChooseMoon(table.id, deal.number, MoonChoice.ADD))
    card = deal.legal(seat)[0]
    return person, str(Play(table.id, deal.number, len(deal.tricks), f"{card.code}.0"))


def _pass(table: Table, seat: int) -> str:
    """The next control: the last three cards are picked one by one, then passed."""
    assert table.game is not None
    deal, picked = table.game.deals[-1], table.picked_by(seat)
    hand = deal.hands[seat]
    left = [place for place in range(len(hand))[-3:] if place not in picked]
    if left:
        return str(PickCard(table.id, deal.number, left[0]))
    return str(PassCards(table.id, deal.number, tuple(card.code for card in hand[-3:])))


def _deliver(env: Env, click: Click) -> int:
    """Deliver a click; returns the interaction's id."""
    message = click.message
    data = {"custom_id": click.custom_id, "component_type": 2}
    record, payload = interactions.base_payload(
        env.backend,
        type=3,
        channel_id=message.channel_id,
        guild_id=env.backend.channels[message.channel_id].guild_id,
        user_id=click.person,
        data=data,
    )
    payload["message"] = dict(serializers.message_payload(env.backend, message))
    record.source_message_id = message.id
    env.backend.emit("INTERACTION_CREATE", payload)
    return int(record.id)


def _has_picture(components: Any) -> Iterator[bool]:
    """Whether a board has a picture; nothing for other messages."""
    for one in components:
        if one["type"] == GALLERY:
            yield True
        elif BOARD.match(one.get("content", "")):
            yield False
        yield from _has_picture(one.get("components", ()))


def controls_of(components: Any) -> Iterator[str]:
    """The custom ids of the controls that can be used."""
    for one in components:
        if "custom_id" in one and not one.get("disabled"):
            yield one["custom_id"]
        yield from controls_of(one.get("components", ()))
