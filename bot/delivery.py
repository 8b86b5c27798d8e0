"""The only module that sends and edits messages outside the answer to a click or command."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import discord

from bot.components import layout
from bot.faults import Fault, fault_of
from bot.lanes import Lane
from bot.messages import Post, Whisper
from engine.errors import Refusal
from engine.storage import notes, tables
from engine.storage.database import Database
from engine.tables import PublicTable

M = TypeVar("M", Post, Whisper)
NOBODY = discord.AllowedMentions.none()
Interaction = discord.Interaction[Any]
log = logging.getLogger(__name__)
#: Called with a table, what is wrong and, where it is about one player, with them.
Troubled = Callable[[int, Fault, int | None], None]


@dataclass(frozen=True, slots=True)
class Placed:
    """A hand under My hand, and the post below which it belongs so that nobody has to scroll for it."""

    whisper: Whisper
    below: str | None = None


@dataclass(frozen=True, slots=True)
class _Hand:
    """An ephemeral message that shows a hand: `click` can change it until its token expires."""

    click: Interaction
    message: int
    below: str | None
    is_followup: bool = False  # else it is what the click was answered with, or came from

    async def edit(self, whisper: Whisper) -> None:
        """Show this instead."""
        if self.is_followup:
            await self.click.followup.edit_message(self.message, view=layout(whisper))
        else:
            await self.click.edit_original_response(view=layout(whisper))

    async def send_again(self, placed: Placed) -> _Hand:
        """Show this in a new message at the channel's end, and take the old one away."""
        view = layout(placed.whisper)
        sent = await self.click.followup.send(view=view, ephemeral=True, wait=True, allowed_mentions=NOBODY)
        if self.is_followup:
            await self.click.followup.delete_message(self.message)
        else:
            await self.click.delete_original_response()
        return _Hand(self.click, sent.id, placed.below, is_followup=True)


class Delivery:
    """Brings each table's posts to its channel and each player's hand to them."""

    def __init__(self, client: discord.Client, database: Database, troubled: Troubled) -> None:
        self._client = client
        self._database = database
        self._troubled = troubled
        self._places: dict[int, dict[str, tuple[int, int]]] = {}
        self._posts: dict[int, Lane[Post]] = {}
        self._dms: dict[tuple[int, int], Lane[Whisper]] = {}
        self._dm_clicks: dict[tuple[int, int], Interaction] = {}
        self._hand_lanes: dict[tuple[int, int], Lane[Placed]] = {}
        self._hands: dict[tuple[int, int], _Hand] = {}
        self._closed: set[int] = set()
        self._looks: dict[tuple[int, str], str] = {}
        self._of_before: set[int] = set()
        self._doubtful: set[tuple[int, int | None]] = set()

    async def take_up(self) -> None:
        """Find the messages again that show the tables, and what they looked like when the bot stopped."""
        for table, key, channel, message, looks in await notes.take_messages(self._database):
            self._places.setdefault(table, {})[key] = (channel, message)
            if looks:
                self._looks[table, key] = looks
        self._of_before = set(self._places)

    async def forget(self, table: int) -> None:
        """Drop all that is known of a table that has ended, once its end has been shown."""
        mine = [key for key in {*self._dms, *self._hand_lanes} if key[0] == table]
        for lane in (self._posts.get(table), *map(self._dms.get, mine), *map(self._hand_lanes.get, mine)):
            if lane:
                await lane.empty()
        await tables.end_seen(self._database, table)
        for key in mine:
            for kept in (self._dms, self._dm_clicks, self._hand_lanes, self._hands):
                kept.pop(key, None)
        self._doubtful -= {(table, None), *mine}
        self._posts.pop(table, None)
        self._places.pop(table, None)

    async def flush(self, seconds: float) -> None:
        """Show what is still wanted, for at most so long; then show nothing more, and note what is shown."""
        lanes = self._lanes()
        if waits := [asyncio.create_task(lane.idle()) for lane in lanes]:
            await asyncio.wait(waits, timeout=seconds)
        looks = list(self._shown())
        for lane in lanes:
            lane.close()
        with suppress(Refusal):  # then the next start paints them all
            await notes.put_looks(self._database, looks)

    def _shown(self) -> Iterator[tuple[int, str, str]]:
        """Table, part and looks of each message that is certain to look so now."""
        for table, posts in self._posts.items():
            yield from ((table, key, _looks(post)) for key, post in posts.shown.items())
        for (table, person), dms in self._dms.items():
            yield from ((table, f"{key}:{person}", _looks(dm)) for key, dm in dms.shown.items())

    @property
    def waiting(self) -> int:
        """How many messages are not yet as they should be."""
        return sum(lane.waiting for lane in self._lanes())

    def _lanes(self) -> list[Lane[Any]]:
        return [*self._posts.values(), *self._dms.values(), *self._hand_lanes.values()]

    # The channel

    def posts(self, table: int, channel: int) -> Lane[Post]:
        """The lane of a table's posts."""
        if table not in self._posts:
            self._begin(table, None)
            self._posts[table] = Lane(
                f"table {table}", lambda key, post: self._post(table, channel, key, post)
            )
        return self._posts[table]

    def post(self, table: PublicTable, key: str, post: Post, *, create: bool = True) -> None:
        """Show this; unless `create`, only where an earlier state of it is shown already."""
        known = key in self._places.get(table.id, {})
        wanted = not post.once if known else create
        if wanted:
            self._want(table.id, key, self.posts(table.id, table.channel), key, post)

    def _want(self, table: int, part: str, lane: Lane[M], key: str, message: M) -> None:
        """Show this, unless the message looked so when the bot stopped and nothing has changed since."""
        noted = self._looks.pop((table, part), None)
        if noted and noted == _looks(message):
            lane.painted(key, message)
        else:
            lane.want(key, message)

    async def adopt(self, table: PublicTable, key: str, message: int) -> None:
        """This message, the answer to a command, shows that part of the table from now on."""
        await self._put(table.id, key, table.channel, message)

    async def _post(self, table: int, channel: int, key: str, post: Post) -> None:
        try:
            await self._paint_post(table, channel, key, post)
        except discord.HTTPException as error:
            fault = fault_of(error)
            if fault in (Fault.FORBIDDEN, Fault.CHANNEL_GONE):
                self._troubled(table, fault, None)
            raise

    async def _paint_post(self, table: int, channel: int, key: str, post: Post) -> None:
        place = self._client.get_partial_messageable(channel)
        known = self._places.get(table, {}).get(key)
        if known:
            try:
                await place.get_partial_message(known[1]).edit(view=layout(post), allowed_mentions=NOBODY)
                return
            except discord.HTTPException as error:
                if fault_of(error) is not Fault.MESSAGE_GONE:
                    raise
        # Whoever was called once is not called again because a message was deleted.
        call, ping = (None, ()) if known else (post.call, post.ping)
        pinged = [discord.Object(person) for person in ping]
        mentions = discord.AllowedMentions(everyone=False, roles=False, users=pinged)
        view = layout(post, call=call)
        with self._sending(table, None) as is_doubtful:
            nonce = _nonce(f"{table} {key} {known}")
            sent = await place.send(view=view, allowed_mentions=mentions, nonce=nonce)
            await self._put(table, key, channel, sent.id)
            if is_doubtful and not post.once:
                await sent.edit(view=layout(post, call=call), allowed_mentions=mentions)

    @contextmanager
    def _sending(self, table: int, person: int | None) -> Iterator[bool]:
        """Whether it is doubtful that a message sent now is a new one.

        Where the answer to an earlier try was lost, perhaps with the bot's last process, Discord knows its
        nonce: it sends nothing twice, but gives us the message as it looked then.
        """
        lane = (table, person)
        is_doubtful = lane in self._doubtful
        self._doubtful.add(lane)
        yield is_doubtful
        self._doubtful.discard(lane)

    def _begin(self, table: int, person: int | None) -> None:
        """A lane's first message may have been sent by the process before."""
        if table in self._of_before:
            self._doubtful.add((table, person))

    # A player's hand

    def hand(self, table: int, person: int, deal: int, dm: Whisper, placed: Placed) -> None:
        """Show a player their hand wherever they look at it."""
        if person not in self._closed:
            self._want(table, f"hand{deal}:{person}", self.dms(table, person), f"hand{deal}", dm)
        if (table, person) in self._hands:
            self.hands(table, person).want("hand", placed)

    # ... by DM

    def dms(self, table: int, person: int) -> Lane[Whisper]:
        """The lane of a player's DMs about this table."""
        if (table, person) not in self._dms:
            self._begin(table, person)
            self._dms[table, person] = Lane(
                f"table {table}, a DM", lambda key, whisper: self._dm(table, person, key, whisper)
            )
        return self._dms[table, person]

    def dm_clicked(self, table: int, click: Interaction) -> None:
        """For some minutes this click can change the DM that it came from, without the bot's token."""
        self._dm_clicks[table, click.user.id] = click

    async def greet(self, person: int, whisper: Whisper) -> bool:
        """Whether a DM to this player arrives."""
        self._closed.discard(person)
        try:
            await self._send_dm(person, whisper, nonce=secrets.token_hex(12))
            return True
        except discord.HTTPException as error:
            if fault_of(error) is Fault.DM_REFUSED:
                # Never tried again by itself: refusals in numbers get a bot banned.
                self._closed.add(person)
            else:
                log.warning("a first DM could not be sent: %s", error)
            return False

    def dm_link(self, table: int, person: int, deal: int) -> str | None:
        """The address of the DM that shows this player's hand."""
        place = self._places.get(table, {}).get(f"hand{deal}:{person}")
        return f"https://discord.com/channels/@me/{place[0]}/{place[1]}" if place else None

    async def _dm(self, table: int, person: int, key: str, whisper: Whisper) -> None:
        try:
            await self._paint_dm(table, person, key, whisper)
        except discord.HTTPException as error:
            fault = fault_of(error)
            if fault in (Fault.DM_REFUSED, Fault.FORBIDDEN):
                self._closed.add(person)
                self._troubled(table, Fault.DM_REFUSED, person)
            raise

    async def _paint_dm(self, table: int, person: int, key: str, whisper: Whisper) -> None:
        place = self._places.get(table, {}).get(f"{key}:{person}")
        if place and await self._edit_dm(table, person, place, whisper):
            return
        with self._sending(table, person) as is_doubtful:
            sent = await self._send_dm(person, whisper, nonce=_nonce(f"{table} {key} {person} {place}"))
            await self._put(table, f"{key}:{person}", sent.channel.id, sent.id)
            if is_doubtful:
                await sent.edit(view=layout(whisper), allowed_mentions=NOBODY)

    async def _edit_dm(self, table: int, person: int, place: tuple[int, int], whisper: Whisper) -> bool:
        """Whether the DM is still there to be edited; through the player's last click where that serves."""
        click = self._dm_clicks.get((table, person))
        try:
            if click and click.message and click.message.id == place[1] and not click.is_expired():
                try:
                    await click.edit_original_response(view=layout(whisper))
                    return True
                except discord.HTTPException as error:
                    if fault_of(error) is not Fault.EXPIRED:
                        raise
                    del self._dm_clicks[table, person]
            channel = self._client.get_partial_messageable(place[0])
            await channel.get_partial_message(place[1]).edit(view=layout(whisper), allowed_mentions=NOBODY)
            return True
        except discord.HTTPException as error:
            if fault_of(error) is not Fault.MESSAGE_GONE:
                raise
            return False

    async def _send_dm(self, person: int, whisper: Whisper, nonce: str) -> discord.Message:
        dm = await self._client.create_dm(discord.Object(person))
        return await dm.send(view=layout(whisper), allowed_mentions=NOBODY, nonce=nonce)

    # ... under My hand

    def hands(self, table: int, person: int) -> Lane[Placed]:
        """The lane of the message that My hand showed a player last."""
        if (table, person) not in self._hand_lanes:
            self._hand_lanes[table, person] = Lane(
                f"table {table}, a hand", lambda _, hand: self._paint_hand(table, person, hand)
            )
        return self._hand_lanes[table, person]

    def hand_shown(self, table: int, click: Interaction, message: int, below: str) -> None:
        """My hand has answered with this message, which follows the game for some minutes."""
        self._hands[table, click.user.id] = _Hand(click, message, below)

    def hand_clicked(self, table: int, click: Interaction) -> None:
        """A click on a hand under My hand: it can change that message longer than the click before."""
        assert click.message is not None
        old = self._hands.get((table, click.user.id))
        same = old is not None and old.message == click.message.id
        below = old.below if old and same else None
        self._hands[table, click.user.id] = _Hand(click, click.message.id, below)

    async def _paint_hand(self, table: int, person: int, placed: Placed) -> None:
        hand = self._hands.get((table, person))
        if hand is None or hand.click.is_expired():
            self._hands.pop((table, person), None)
            return
        try:
            if placed.below in (None, hand.below):
                await hand.edit(placed.whisper)
            else:
                if table in self._posts:
                    await self._posts[table].idle()
                self._hands[table, person] = await hand.send_again(placed)
        except discord.HTTPException as error:
            if fault_of(error) not in (Fault.MESSAGE_GONE, Fault.EXPIRED):
                raise
            # Dismissed, or too old: they press My hand when they want it again.
            self._hands.pop((table, person), None)

    async def _put(self, table: int, key: str, channel: int, message: int) -> None:
        self._places.setdefault(table, {})[key] = (channel, message)
        await notes.put_message(self._database, table, key, channel, message)


def _nonce(text: str) -> str:
    """Up to 25 characters that are the same for the same text."""
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _looks(message: Post | Whisper) -> str:
    """The same for messages that look the same, in every process."""
    return _nonce(repr(message))
