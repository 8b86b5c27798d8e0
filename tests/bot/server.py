"""A server in a simulated Discord, with a channel, four people and the bot."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random
from typing import Any

import discord
from at_once import move_once
from estimates import advise
from fresh import laid
from lighter import describe_commands_once, lighten_simcord
from openapi import Request
from outside import edit
from people import Player
from places import create_private_channel
from seen import Seen
from settling import Env
from simcord import interactions
from simcord.backend.models import Overwrite
from simcord.builders import ChannelHandle
from simcord.enums import OverwriteType
from uploaded import upload_emojis

from bot.client import HeartsBot
from bot.local.contexts import PATCHES, create_guild_without_bot
from bot.local.simulation import payload_with_locales, set_server_locale
from bot.vocabulary.scenes import Scene
from engine.cards import Card, without
from engine.play.moves import SeatMove
from engine.rules.ruleset import Ruleset
from engine.storage import settings
from engine.storage.database import Database
from engine.tables import Advisor, Moment, Tables, changes
from engine.thinking import Thinking
from tests.outside import bodies, parts, picks

lighten_simcord()
describe_commands_once()
interactions.base_payload = payload_with_locales
for patched, its_name, ours in PATCHES:
    setattr(patched, its_name, ours)
#: How simcord marks errors injected by a test.
INJECTED = "injected by test"
PEOPLE = ("Ann", "Bo", "Cy", "Di")


class Server:
    """The bot runs on a database in this folder; close the server after opening it."""

    def __init__(self, folder: Path, rng: Random) -> None:
        self.path = folder / "hearts.sqlite3"
        self.rng = rng
        self.databases: list[Database] = []
        self.played_at: dict[int, float] = {}  # when each person last played a card with a click
        self.seated: set[int] = set()  # people whom a test has given seats without their click

    async def open(
        self,
        names: Sequence[str] = PEOPLE,
        *,
        uploaded: bool = True,
        sketches: "Sketches | None" = None,
        thinkers: int = 0,
        calls: int = 1000,
        advisor: Advisor | None = advise,
    ) -> "Server":
        """Start the bot in a server with these people; unless `uploaded`, Discord has no emojis yet.

        It may make so many `calls` in a second of the simulated clock, which people's clicks do not move.
        Without `sketches` nothing can be drawn, and words stand in the place of each picture. `thinkers` are
        the processes of strong computers, which play like medium ones without any; without an `advisor` these
        processes give hints and reviews.
        """
        self.sketches, self.thinkers, self.calls, self.advisor = sketches, thinkers, calls, advisor
        self.env = Env(await self._bot(), check_errors=False)
        if uploaded:
            await upload_emojis(self.env, self.databases[-1])
        await self.env.start()
        self.guild = self.env.create_guild("Hearts")
        self.channel = self.guild.create_text_channel("hearts")
        self.people = [self.add(name) for name in names]
        return self

    def add(self, name: str, **member: Any) -> Player:
        user = self.env.create_user(f"user{len(self.env.backend.users)}", global_name=name)
        return Player(self, self.guild.add_member(user, **member))

    def add_who_may(self, permission: str, name: str) -> Player:
        """Add a person of this name whose role has this permission."""
        role = self.guild.create_role(name, permissions=discord.Permissions(**{permission: True}))
        return self.add(name, roles=[role])

    def add_warden(self) -> Player:
        """Add a person who may stop any game in the channel at once."""
        return self.add_who_may("manage_channels", "Wanda")

    def add_manager(self) -> Player:
        return self.add_who_may("manage_guild", "Max")

    def deny(self, player: Player, *names: str) -> None:
        """Take these permissions in the channel from a person: `deny(bo, "send_messages")`."""
        denied = discord.Permissions(**dict.fromkeys(names, True)).value
        overwrite = Overwrite(player.id, OverwriteType.MEMBER, 0, denied)
        self.env.backend.set_overwrite(self.channel.id, overwrite)

    def kick(self, player: Player) -> None:
        self.guild.remove_member(player.member)

    async def stop_the_game(self) -> None:
        """Stop the game without a result and without asking its players."""
        warden = self.add_warden()
        [question] = (await warden.run("hearts end")).private
        await warden.click(question.enabled[0 if "Close" in question.enabled else -1], question)

    def add_channel(self, name: str, **options: Any) -> ChannelHandle:
        return self.guild.create_text_channel(name, **options)

    def add_thread(self, name: str, parent: ChannelHandle | None = None) -> ChannelHandle:
        """Add a thread to the channel, or to another one."""
        owner = self.people[0].id
        thread = self.env.backend.create_thread((parent or self.channel).id, name, owner)
        return ChannelHandle(self.env, self.guild, thread)

    def add_channel_elsewhere(self) -> ChannelHandle:
        """Add another server, without the bot; returns its channel."""
        return create_guild_without_bot(self.env, "Elsewhere").create_text_channel("general")

    def add_private_channel(self, *people: Player) -> ChannelHandle:
        """Add a DM between two people, or a group DM of more."""
        return create_private_channel(self.env, *(one.member.user for one in people))

    def speaks(self, locale: str) -> None:
        """Set the server's language in Discord."""
        set_server_locale(self.env, self.guild.id, locale)

    async def settle(self) -> None:
        """Wait until the bot has answered everything."""
        await self.env.settle()

    async def restart(self, after: float = 0.0) -> None:
        """Kill the bot, and start another after this many seconds with the same database."""
        await self.env.bot.uploads.close()
        self.env.bot.tidy.cancel()
        self.env.bot.daily_posts.post_due.cancel()
        self.env.bot.threads.archive_quiet.cancel()
        self.env.bot.invitations.close()
        await self.env.bot.tournament_posts.close()
        await self.env.bot.tables.close()  # nothing under way is finished, and no timer fires any more
        self.env.bot.thinking.close()
        self.env.bot.loader.close()
        for queue in self.env.bot.delivery._queues:
            queue.close()
        await self.databases[-1].close()
        self.env.backend.advance_clock(after)
        await self.env.restart_bot(await self._bot())

    async def stop_and_start(self, after: float = 0.0, meanwhile: Callable[[], object] | None = None) -> None:
        """Stop the bot cleanly, do what is to be done `meanwhile`, and start it again this much later."""
        await self.env.bot.close()
        if meanwhile:
            await asyncio.to_thread(meanwhile)
        self.env.backend.advance_clock(after)
        await self.env.restart_bot(await self._bot())

    async def act_unseen(self, player: Player, move: Callable[[int], SeatMove]) -> None:
        """Store a move that the process doesn't show before it dies; call `restart` afterwards."""
        await self.do_unseen(
            lambda tables, table: tables.change(
                table, changes.act, player.id, move, Moment.of(tables.get(table).game)
            )
        )

    async def do_unseen(self, do: Callable[[Tables, int], Awaitable[object]]) -> None:
        """The same for any change at the only table."""
        async with self.unseen_tables() as tables:
            [table] = await tables.resume()
            await do(tables, table.id)

    @asynccontextmanager
    async def unseen_tables(self) -> AsyncIterator[Tables]:
        """Within, what these tables do is stored, and the process doesn't show it before it dies."""
        await self.databases[-1].close()
        database = await Database.open(self.path)
        try:
            yield Tables(database, rng=self.rng, clock=lambda: self.env.now().timestamp())
        finally:
            await database.close()

    async def put_setting(self, name: str, value: str) -> None:
        """Store a setting in the database, as if the bot had."""
        await settings.put(self.databases[-1], name, value)

    def change_file(self, statement: str) -> None:
        """Change the database without the bot's help, as an editor would."""
        edit(self.path, statement)

    def rename(self, player: Player, nick: str) -> None:
        self.env.backend.edit_member(self.guild.id, player.id, {"nick": nick})

    async def close(self) -> None:
        try:
            await self.env.shutdown()
        finally:
            self.env.bot.thinking.close()
            self.env.bot.loader.close()
            for database in self.databases:
                await database.close()

    async def _bot(self) -> HeartsBot:
        self.databases.append(await Database.open(laid(self.path)))
        return HeartsBot(
            self.databases[-1],
            rng=self.rng,
            draw=self.sketches or no_picture,
            thinking=Thinking(self.thinkers),
            shard_count=1,
            calls=self.calls,
            advisor=self.advisor,
        )

    async def seat(self, *players: Player, **options: Any) -> Player:
        """Have the first player open a table and the others join; returns the host."""
        host, *others = players or self.people
        await host.run("hearts new", **options)
        for player in others:
            await player.click("Join")
        return host

    async def deal(self, *players: Player, **options: Any) -> None:
        """Like `seat`, and start the game."""
        host = await self.seat(*players, **options)
        await host.click("Start")

    async def deal_and_pass(self, *players: Player, passes: Sequence[str] = (), **options: Any) -> None:
        """Like `deal`, and everyone passes these cards; without a click where it is the first ones by DM."""
        await self.deal(*players, **options)
        people = players or self.people
        for player, codes in zip(people, passes or [""] * len(people), strict=True):
            if player.has_dms and not codes:
                tables = self.env.bot.tables
                table = next(table for table in tables.live if player.id in table.seats.by_person)
                with self.env._bot_scope():
                    await move_once(tables, table, people={player.id})
                continue
            if not player.has_dms:
                await player.open_hand()
            await player.pass_cards(codes)
        await self.settle()

    @property
    def plays(self) -> int:
        """The number of cards played so far, at all tables."""
        return sum("played" in row["move"] for row in self.stored()["moves"])

    @property
    def to_play(self) -> Player:
        """The player who can play a card now."""
        return next(player for player in self.people if player.playable)

    # What can be seen

    def address(self) -> str:
        """The link that opens the channel."""
        return f"https://discord.com/channels/{self.guild.id}/{self.channel.id}"

    def messages(self, channel: int, viewer: int | None = None) -> list[Seen]:
        """A channel's messages, oldest first, as everyone or this person sees them."""
        found = sorted(self.env.backend.messages.get(channel, {}).values(), key=lambda one: one.id)
        return [Seen.now(self.env, one) for one in found if one.visible_to(viewer)]

    def newest(self, channel: int, which: Callable[[Seen], bool], viewer: int | None = None) -> Seen | None:
        """The newest message for which `which` is true."""
        return next(filter(which, reversed(self.messages(channel, viewer))), None)

    def posts(self, channel: ChannelHandle | None = None) -> list[Seen]:
        """The channel's messages that everyone sees."""
        return self.messages((channel or self.channel).id)

    def post(self, words: str, channel: ChannelHandle | None = None) -> Seen:
        """The newest message for everyone with these words."""
        found = self.newest((channel or self.channel).id, lambda one: one.says(words))
        assert found is not None, f"nobody sees {words!r}"
        return found

    def opening(self, deal: int) -> Seen:
        """The post that opens this deal with its seal."""
        [found] = [one for one in self.posts() if deal in one.seals]
        return found

    def shows(self, words: str) -> bool:
        """Whether a message for everyone has these words."""
        return self.newest(self.channel.id, lambda one: one.says(words)) is not None

    def headings(self) -> list[str]:
        return [post.heading for post in self.posts()]

    def scenes(self, seen: Seen) -> list[Scene]:
        """What the pictures of this message show."""
        files = [self.env.backend.cdn.get(one["media"]["url"]) for one in seen.pictures]
        assert self.sketches is not None or not files
        return [self.sketches[file] for file in files]

    @property
    def requests(self) -> list[Request]:
        """All requests from the bot to Discord so far."""
        return [Request(one.method, one.path, one.json) for one in self.env.http_requests]

    def stored(self) -> dict[str, list[Any]]:
        """The tables and other rows in the database, read without the bot's code."""
        tables = bodies(self.path)
        with closing(sqlite3.connect(self.path)) as connection:
            connection.row_factory = sqlite3.Row
            names = ("moves", "results", "achievements", "call_wishes", "preferences")
            found = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in names}
        several = {name: parts(tables, name) for name in ("seats", "seat_claims", "invitations")}
        return {"tables": tables, **several, "picks": picks(tables), **found}

    def rows(self, statement: str, *values: object) -> list[Any]:
        """What this statement finds in the database, as tuples."""
        return edit(self.path, statement, *values)

    @property
    def ids_of_people(self) -> set[str]:
        """The ids that identify people: their own, and those of DMs with the bot or among people."""
        dms = [one.id for one in self.env.backend.channels.values() if one.guild_id is None]
        return {str(id) for id in [*(player.id for player in self.people), *dms]}

    @property
    def errors(self) -> list[BaseException]:
        """The exceptions from the bot's commands; a refusal is an answer, not an exception."""
        raised = [getattr(error, "original", error) for error in self.env.errors]
        return [error for error in raised if INJECTED not in str(error)]


class Sketches:
    """Draws a number instead of each scene, to look the scene up by."""

    def __init__(self) -> None:
        self.scenes: list[Scene] = []
        self.broken = False
        self.seconds = 0.0  # for each drawing, by the simulated clock
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
    """Draw nothing: most tests read the words."""


class Arranged(Random):
    """A Random that deals chosen hands of this pack first."""

    pack: tuple[Card, ...]
    deals: list[list[Card]]

    def shuffle(self, x: Any) -> None:
        if self.deals and len(x) == len(self.pack):
            x[:] = self.deals.pop(0)
        else:
            super().shuffle(x)


def arranged(rules: Ruleset, *deals: Sequence[str]) -> Arranged:
    """A Random that deals these hands, and last the kitty, `("2C 3C", "", "QS")`, filled with other cards."""
    rng = Arranged(1)
    rng.pack = rules.pack.cards
    rng.deals = [_filled(rules, deal) for deal in deals]
    return rng


def stacked(*deals: Sequence[str]) -> Arranged:
    """A Random that deals these hands of one deck to four players."""
    return arranged(Ruleset.of("classic", 4), *deals)


def _filled(rules: Ruleset, deal: Sequence[str]) -> list[Card]:
    sizes = [rules.pack.hand_size] * rules.players + [rules.pack.kitty_size]
    heaps = [[rules.pack.faces[code] for code in codes.split()] for codes in deal]
    heaps += [[] for _ in range(len(sizes) - len(heaps))]
    left = list(without(rules.pack.cards, [card for heap in heaps for card in heap]))
    for heap, size in zip(heaps, sizes, strict=True):
        while len(heap) < size:
            heap.append(left.pop(0))
    return [card for heap in heaps for card in heap]


#: Ann leads the 2 of clubs; everyone has clubs and other suits, and nobody passes these cards.
EVEN = (
    "2C 3C 4C 5D 6D 7D 5S 6S 7S 2H 3H 4H 5H",
    "5C 6C 7C 8D 9D TD 8S 9S TS 6H 7H 8H 9H",
    "8C 9C TC JD QD KD JS QS KS TH JH QH KH",
    "JC QC KC AC AD AS 2D 3D 4D 2S 3S 4S AH",
)
PASSES = ("5H 4H 3H", "9H 8H 7H", "KH QH JH", "AH 4S 3S")
#: Once Di has passed her clubs to the left, Ann holds all thirteen and takes every trick.
MOON = ("2C 3C 4C 5C 6C 7C 8C 9C TC JC 2D 3D 4D", "", "", "QC KC AC")


def forbid(*names: str) -> discord.PermissionOverwrite:
    """Permissions taken away: `forbid("send_messages")`."""
    return discord.PermissionOverwrite(**dict.fromkeys(names, False))


#: The type of the fixture `open_server`.
OpenServer = Callable[..., Awaitable[Server]]
#: A limit that no test reaches.
NEVER = 1e9
