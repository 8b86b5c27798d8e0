"""Tables in the simulated Discord, and people who click there at a given rate."""

import asyncio
import os
import re
import tempfile
import time
from collections.abc import AsyncIterator
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
from tests.bench.measure import passing, real_time
from tests.openapi import walk
from tests.uploaded import upload_emojis

#: Requests that Discord doesn't count against the bot's token: answers to clicks, and what follows them.
UNCOUNTED = re.compile(r"/interactions/.*/callback|/webhooks/.*")
#: The path of a click's first response.
CALLBACK = re.compile(r"/interactions/(\d+)/.*/callback")
#: The most clicks in one iteration of the loop.
AT_ONCE = 4
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


@dataclass(frozen=True)
class Click:
    """A control in someone's DM that can be used now."""

    person: int
    message: Any
    custom_id: str


class Answers(list[Any]):
    """The simulated Discord's log of requests, which keeps figures instead of them."""

    def __init__(self, env: Env) -> None:
        super().__init__()
        self._transcript = env.backend.transcript
        self.first: dict[int, tuple[float, int]] = {}
        self.requests = 0
        self.calls: list[float] = []  # with the bot's token

    def append(self, entry: Any) -> None:
        now = time.perf_counter()
        if found := CALLBACK.fullmatch(entry.path):
            self.first.setdefault(int(found[1]), (now, entry.json["type"]))
        self.requests += 1
        if not UNCOUNTED.fullmatch(entry.path):
            self.calls.append(now)
        self._transcript.clear()


class Load:
    """A simulated server full of tables, and its measurements."""

    def __init__(self, env: Env, bot: HeartsBot, tables: list[Table]) -> None:
        self.env, self.bot, self.tables = env, bot, tables
        self.start()

    def start(self) -> None:
        self.log = self.env.backend.http_requests = Answers(self.env)
        self.sent: dict[int, float] = {}  # when each click was due, by its interaction

    async def next(self, place: int) -> Click | None:
        """The next click that this table waits for; None if the player's DM doesn't show it yet."""
        wanted = next_click(self.bot, self.tables[place])
        message = wanted and self._in_sight(*wanted)
        return Click(wanted[0], message, wanted[1]) if wanted and message else None

    async def shown(self) -> None:
        """Wait until every hand shows its player the next control."""
        for place, table in enumerate(self.tables):
            while next_click(self.bot, table) and not await self.next(place):  # noqa: ASYNC110
                await asyncio.sleep(0.002)

    async def steadily(self, rate: float, seconds: float) -> None:
        """Make this many clicks a second, whether or not the last ones have been answered.

        A click's time is when it was due: where the loop is too busy to take it, it waits as it would for
        a bot that is too busy. Nobody clicks at a table where nothing can be clicked.
        """
        number, at = 0, time.perf_counter()
        end = at + seconds
        while at < end:
            # The sleep lets the bot work, even if we are late.
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            for _ in range(AT_ONCE):
                if at > time.perf_counter():
                    break
                if click := await self.next(number % len(self.tables)):
                    self.sent[_deliver(self.env, click)] = at
                number += 1
                at += 1 / rate
        await self._quiet()

    async def _quiet(self) -> None:
        """Wait until there have been no requests for a while; the simulation's own waiting is too slow."""
        asked, since = -1, time.perf_counter()
        while time.perf_counter() < since + QUIET:
            if self.log.requests != asked:
                asked, since = self.log.requests, time.perf_counter()
            await asyncio.sleep(0.1)

    def _in_sight(self, person: int, custom_id: str) -> Any:
        """The message in this person's DM with this control, if it can be used."""
        messages = self.env.backend.messages.get(self.env.backend.get_dm_channel(person).id, {})
        own = [id for id, message in messages.items() if not message.is_ephemeral]
        newest_first = [messages[id] for id in sorted(own)[: -IN_SIGHT - 1 : -1]]
        return next((one for one in newest_first if custom_id in controls_of(one.components)), None)


@asynccontextmanager
async def seated(count: int, people: int = SEATS, ends_at: int = ENDLESS) -> AsyncIterator[Load]:
    """This many tables with four seats where a classic game begins.

    `people` of the four are people, the others strong computers. All people have got their first hand, and
    time passes normally.
    """
    with real_time():
        async with server() as (env, bot), passing(env):
            if people < SEATS:
                bot.thinking.prepare()
                await bot.thinking.pool.ask(os.getpid, seconds=COMPILED)
            tables = await _seat(env, bot, count, people, ends_at)
            with freeze_heap_after():
                pass  # what is there by now is no garbage, as where the bot has taken up its tables
            load = Load(env, bot, tables)
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


async def _seat(env: Env, bot: HeartsBot, count: int, seats: int, ends_at: int) -> list[Table]:
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


def next_click(bot: HeartsBot, table: Table) -> tuple[int, str] | None:
    """The person to move at this table, and the control to use; None while computers think."""
    table = bot.tables.get(table.id)
    deal = table.game.deals[-1]
    if not table.awaited:
        return None
    seat = table.awaited[0]
    person = table.seats[seat].person
    if deal.phase is Phase.PASSING:
        return person, _pass(table, seat)
    if deal.phase is Phase.CHOOSING_MOON:
        return person, str(ChooseMoon(table.id, deal.number, MoonChoice.ADD))
    card = deal.legal(seat)[0]
    return person, str(Play(table.id, deal.number, len(deal.tricks), f"{card.code}.0"))


def _pass(table: Table, seat: int) -> str:
    """The next control: the last three cards are picked one by one, then passed."""
    deal, picked = table.game.deals[-1], table.picked_by(seat)
    hand = deal.hands[seat]
    left = [place for place in range(len(hand))[-3:] if place not in picked]
    if left:
        return str(PickCard(table.id, deal.number, left[0]))
    return str(PassCards(table.id, deal.number, tuple(card.code for card in hand[-3:])))


def _deliver(env: Env, click: Click) -> int:
    """Deliver a click like the gateway, without waiting; returns the interaction's id."""
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


def controls_of(components: Any) -> list[str]:
    """The custom ids of the controls that can be used."""
    return [one["custom_id"] for one in walk(components) if "custom_id" in one and not one.get("disabled")]
