"""A server in a simulated Discord, with a channel, four people and the bot."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import discord
from estimates import advise
from lighter import lighten_simcord
from openapi import Request
from people import Player
from seen import Seen
from settling import Env
from simcord.builders import ChannelHandle
from uploaded import upload_emojis

from bot.client import HeartsBot
from bot.provisioning import SYNCED
from bot.scenes import Scene
from engine.cards import DECK, cards, without
from engine.play.moves import SeatMove
from engine.storage import settings
from engine.storage.database import Database
from engine.tables import Advisor, Moment, Table, Tables
from engine.thinking import Thinking

lighten_simcord()
#: How simcord marks the errors that a test has asked for.
INJECTED = "injected by test"
PEOPLE = ("Ann", "Bo", "Cy", "Di")


class Server:
    """The bot runs on a database of this folder; whoever opens the server closes it."""

    def __init__(self, folder: Path, rng: Random) -> None:
        self.path = folder / "hearts.sqlite3"
        self.rng = rng
        self.databases: list[Database] = []
        self.sketches: Sketches | None = None
        self.thinkers = 0  # processes that think for strong computers; else those play like medium ones
        self.advisor: Advisor | None = advise  # None: whoever thinks for strong computers
        self.calls = 1000

    async def open(
        self,
        names: Sequence[str] = PEOPLE,
        *,
        uploaded: bool = True,
        sketches: Sketches | None = None,
        thinkers: int = 0,
        calls: int = 1000,
    ) -> Server:
        """Start the bot in a server with these people; unless `uploaded`, Discord has no emojis yet.

        It may make so many `calls` in a second of the simulated clock, which people's clicks do not move.
        Without `sketches` nothing can be drawn, and words stand in the place of each picture.
        """
        self.sketches = sketches
        self.thinkers = thinkers
        self.calls = calls
        self.env = Env(await self._bot(), check_errors=False)
        if uploaded:
            await upload_emojis(self.env, self.databases[-1])
        await self.env.start()
        self.guild = self.env.create_guild("Hearts")
        self.channel = self.guild.create_text_channel("hearts")
        self.people = [self.add(name) for name in names]
        return self

    def add(self, name: str, **member: Any) -> Player:
        """Somebody more."""
        user = self.env.create_user(f"user{len(self.env.backend.users)}", global_name=name)
        return Player(self, self.guild.add_member(user, **member))

    def add_warden(self) -> Player:
        """Somebody who may manage the channel, and so stop any game at once."""
        role = self.guild.create_role("Wardens", permissions=discord.Permissions(manage_channels=True))
        return self.add("Wanda", roles=[role])

    def add_manager(self) -> Player:
        """Somebody who may manage the server."""
        role = self.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
        return self.add("Max", roles=[role])

    async def stop_the_game(self) -> None:
        """The game ends without a result, and nobody who plays is asked."""
        warden = self.add_warden()
        await warden.click("Stop", (await warden.run("hearts stop")).private[0])

    def add_channel(self, name: str, **options: Any) -> ChannelHandle:
        """A channel more."""
        return self.guild.create_text_channel(name, **options)

    def add_thread(self, name: str, parent: ChannelHandle | None = None) -> ChannelHandle:
        """A thread in the channel, or in another one."""
        owner = self.people[0].id
        thread = self.env.backend.create_thread((parent or self.channel).id, name, owner)
        return ChannelHandle(self.env, self.guild, thread)

    async def settle(self) -> None:
        """Wait until the bot has answered everything."""
        await self.env.settle()

    async def restart(self, after: float = 0.0) -> None:
        """The bot's process ends all at once, and after so many seconds another starts with its database."""
        await self.env.bot.uploads.close()
        self.env.bot.tidy.cancel()
        self.env.bot.services.mornings.look_around.cancel()
        await self.env.bot.tables.close()  # what is in hand was not done, and no timer of its rings any more
        self.env.bot.thinking.close()
        self.env.bot.loader.close()
        for queue in self.env.bot.delivery._queues:
            queue.close()
        await self.databases[-1].close()
        self.env.backend.advance_clock(after)
        await self.env.restart_bot(await self._bot())

    async def stop_and_start(self) -> None:
        """The bot is told to stop, and started again."""
        await self.env.bot.close()
        await self.env.restart_bot(await self._bot())

    async def act_unseen(self, player: Player, move: Callable[[int], SeatMove]) -> None:
        """A move is stored, and the process dies before anybody sees it: restart afterwards."""

        def act(tables: Tables, table: int) -> Awaitable[Table]:
            return tables.act(table, player.id, move, Moment.of(tables.get(table).game))

        await self.do_unseen(act)

    async def do_unseen(self, do: Callable[[Tables, int], Awaitable[object]]) -> None:
        """The same of whatever is done at the one table."""
        await self.databases[-1].close()
        database = await Database.open(self.path)
        try:
            tables = Tables(database, rng=self.rng, clock=lambda: self.env.now().timestamp())
            [table] = await tables.resume()
            await do(tables, table.id)
        finally:
            await database.close()

    async def forget_synced_commands(self) -> None:
        """As if the commands had changed since the last start."""
        await self.put_setting(SYNCED, "others")

    async def put_setting(self, name: str, value: str) -> None:
        """Note something in the database, as if the bot had."""
        await settings.put(self.databases[-1], name, value)

    def rename(self, player: Player, nick: str) -> None:
        """Give somebody another name in this server."""
        self.env.backend.edit_member(self.guild.id, player.id, {"nick": nick})

    async def close(self) -> None:
        """Stop the bot."""
        try:
            await self.env.shutdown()
        finally:
            self.env.bot.thinking.close()
            self.env.bot.loader.close()
            for database in self.databases:
                await database.close()

    async def _bot(self) -> HeartsBot:
        self.databases.append(await Database.open(self.path))
        draw = self.sketches or no_picture
        bot = HeartsBot(
            self.databases[-1],
            rng=self.rng,
            draw=draw,
            thinking=Thinking(self.thinkers),
            shard_count=1,
            calls=self.calls,
            advisor=self.advisor,
        )
        return bot

    async def seat(self, *players: Player, **options: Any) -> Player:
        """The first opens a table, the others join; returns the host."""
        host, *others = players or self.people
        await host.run("hearts new", **options)
        for player in others:
            await player.click("Join")
        return host

    async def deal(self, *players: Player, **options: Any) -> None:
        """As `seat`, and the game begins."""
        host = await self.seat(*players, **options)
        await host.click("Start")

    async def deal_and_pass(self, *players: Player, **options: Any) -> None:
        """As `deal`, and everybody passes the first three cards."""
        await self.deal(*players, **options)
        for player in players or self.people:
            if not player.has_dms:
                await player.open_hand()
            await player.pass_cards()

    @property
    def to_play(self) -> Player:
        """Whose hand lets them play a card."""
        return next(player for player in self.people if player.playable)

    # What can be seen

    def address(self, channel: ChannelHandle | None = None) -> str:
        """The link that opens a channel."""
        return f"https://discord.com/channels/{self.guild.id}/{(channel or self.channel).id}"

    def messages(self, channel: int, viewer: int | None = None) -> list[Seen]:
        """A channel's messages, the oldest first: what everybody sees, or what this person sees."""
        return [Seen.now(self.env, one) for one in self._stored(channel) if one.visible_to(viewer)]

    def newest(self, channel: int, which: Callable[[Seen], bool], viewer: int | None = None) -> Seen | None:
        """The newest message like this."""
        newest_first = (
            Seen.now(self.env, one) for one in reversed(self._stored(channel)) if one.visible_to(viewer)
        )
        return next(filter(which, newest_first), None)

    def posts(self, channel: ChannelHandle | None = None) -> list[Seen]:
        """What everybody sees in the channel."""
        return self.messages((channel or self.channel).id)

    def post(self, words: str, channel: ChannelHandle | None = None) -> Seen:
        """The newest message for everybody that says this."""
        found = self.newest((channel or self.channel).id, lambda one: one.says(words))
        assert found is not None, f"nobody sees {words!r}"
        return found

    def opening(self, deal: int) -> Seen:
        """The post that opens this deal with its seal."""
        [found] = [one for one in self.posts() if deal in one.seals]
        return found

    def shows(self, words: str) -> bool:
        """Whether a message for everybody says this."""
        return self.newest(self.channel.id, lambda one: one.says(words)) is not None

    def headings(self) -> list[str]:
        """The first line of each post, the oldest first."""
        return [post.text.partition("\n")[0] for post in self.posts()]

    def scenes(self, seen: Seen) -> list[Scene]:
        """What the pictures of this message show."""
        files = [self.env.backend.cdn.get(one["media"]["url"]) for one in seen.pictures]
        assert self.sketches is not None or not files
        return [self.sketches[file] for file in files]

    def _stored(self, channel: int) -> list[Any]:
        found = self.env.backend.messages.get(channel, {}).values()
        return sorted(found, key=lambda one: one.id)

    @property
    def requests(self) -> list[Request]:
        """All that the bot has asked of Discord so far."""
        return [Request(one.method, one.path, one.json) for one in self.env.http_requests]

    def stored(self) -> dict[str, list[Any]]:
        """All that the database holds of the tables, without the bot's help."""
        connection = sqlite3.connect(self.path)
        try:
            names = ("tables", "seats", "takers", "departed", "moves", "picks", "results", "achievements")
            connection.row_factory = sqlite3.Row
            return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in names}
        finally:
            connection.close()

    @property
    def ids_of_people(self) -> set[str]:
        """What tells who somebody is: their id, and that of their DM channel."""
        dms = self.env.backend.dm_channels.values()
        return {str(id) for id in [*(player.id for player in self.people), *dms]}

    @property
    def errors(self) -> list[BaseException]:
        """What the bot's commands raised: what a player may not do is an answer."""
        raised = [getattr(error, "original", error) for error in self.env.errors]
        return [error for error in raised if INJECTED not in str(error)]


class Sketches:
    """Draws a number in place of each scene, by which the scene is found again."""

    def __init__(self) -> None:
        self.scenes: list[Scene] = []
        self.broken = False
        self.seconds = 0.0  # that it takes for each, by the simulated clock, if nothing ends the pause
        self.pause: Callable[[float], Awaitable[object]] = asyncio.sleep

    async def __call__(self, scene: Scene) -> bytes:
        if self.broken:
            raise ZeroDivisionError("the pencil is broken")
        if self.seconds:
            await self.pause(self.seconds)
        self.scenes.append(scene)
        return str(len(self.scenes) - 1).encode()

    def __getitem__(self, file: bytes) -> Scene:
        return self.scenes[int(file)]


async def no_picture(scene: Scene) -> None:
    """Draws nothing: most tests read the words."""


class Stacked(Random):
    """Chance that deals these hands first, seat by seat."""

    hands: list[Sequence[str]]

    def shuffle(self, x: Any) -> None:
        if len(x) == len(DECK) and self.hands:
            x[:] = _filled(self.hands.pop(0))
        else:
            super().shuffle(x)


#: Ann leads the 2 of clubs; everybody has clubs and other suits, and nobody passes one of these.
EVEN = (
    "2C 3C 4C 5D 6D 7D 5S 6S 7S 2H 3H 4H 5H",
    "5C 6C 7C 8D 9D TD 8S 9S TS 6H 7H 8H 9H",
    "8C 9C TC JD QD KD JS QS KS TH JH QH KH",
    "JC QC KC AC AD AS 2D 3D 4D 2S 3S 4S AH",
)
PASSES = ("5H 4H 3H", "9H 8H 7H", "KH QH JH", "AH 4S 3S")
#: Once Di has passed her clubs to the left, Ann holds all thirteen and takes every trick.
MOON = ("2C 3C 4C 5C 6C 7C 8C 9C TC JC 2D 3D 4D", "", "", "QC KC AC")


def stacked(*deals: Sequence[str], seed: int = 1) -> Random:
    """Chance that deals `("2C 3C ...", "", "", "QS ...")` first, each hand filled with what is left over."""
    rng = Stacked(seed)
    rng.hands = list(deals)
    return rng


def _filled(hands: Iterable[str]) -> list[Any]:
    wanted = [cards(codes) for codes in hands]
    left = list(without(DECK, [one for hand in wanted for one in hand]))
    pack: list[Any] = []
    for hand in wanted:
        missing = 13 - len(hand)
        pack += [*hand, *left[:missing]]
        del left[:missing]
    return pack


def forbid(*names: str) -> discord.PermissionOverwrite:
    """Permissions taken away: `forbid("send_messages")`."""
    return discord.PermissionOverwrite(**dict.fromkeys(names, False))
