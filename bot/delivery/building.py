"""Building messages for Discord, with as many of their pictures and emojis as it takes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import discord
from discord.utils import MISSING

from bot.delivery.budget import Budget
from bot.delivery.components import files, layout
from bot.delivery.emojis import Emojis
from bot.delivery.picture_cache import NotDrawnYet, PictureCache
from bot.faults import may_refuse_files, may_refuse_what_stays, refuses_emojis
from bot.messages import Message, Post
from bot.permissions import bot_permissions
from bot.scenes import Scene

log = logging.getLogger(__name__)
#: Seconds that a new message waits for its picture, before words take its place.
PATIENCE = 2.5
#: Seconds that an edit waits for it, before the queue turns to something else.
HOLD = 0.3
#: Seconds that the answer to a click or command waits for it, where nothing comes after that answer.
LONGEST = 5.0
#: Seconds that a click's own answer waits for a picture.
PICTURE_GRACE = 0.02
#: Seconds of drawing after which a call is counted once more, as its turn of the budget has passed.
HELD_UP = 0.1
#: Seconds until files are tried again in a channel that refused one, or a message that did not keep one.
FILE_RETRY = 3600.0
#: Times that a message's emojis may be refused before they are taken for gone: now and then Discord does not
#: know one that it has (discord-api-docs, issue 7128).
MOST_REFUSALS = 2
#: Messages of which it is known what pictures they hold; to others these are sent once more.
REMEMBERED = 4096

#: A channel and a message there.
Address = tuple[int, int]
#: What sending returns: a new message's id, perhaps None.
T = TypeVar("T", int, int | None)
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class ShownPictures:
    """The pictures that a message shows, or none where words stand in their place.

    Unknown (None) for messages from before the start, and while one is on its way.
    """

    scenes: tuple[Scene, ...] | None = None
    left_out: Message | None = None  # what it shows in words, as there was no time for its pictures
    resent_until: float = 0.0  # until then its pictures come along with each edit, by the budget's clock


UNKNOWN, NO_PICTURES = ShownPictures(), ShownPictures(())


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A message, and the files of its pictures: None if words stand in their place, or they are there."""

    message: Message
    channel: int
    id: int | None  # None for a new message
    ping: Collection[int]
    before: ShownPictures = NO_PICTURES
    drawn: tuple[bytes, ...] | None = None
    stays: bool = False  # what it holds is its pictures already, or stands in for them
    is_late: bool = False  # there was no time for its pictures
    refusals: int = 0  # how often its emojis were refused

    @property
    def shows_picture(self) -> bool:
        """Whether words would take the place of a picture, as far as anybody knows."""
        return self.before.scenes != ()

    @property
    def is_news(self) -> bool:
        """Whether it would say something new even in words."""
        return not self.shows_picture and self.before.left_out != self.message

    @property
    def holds(self) -> ShownPictures:
        """What the message holds when this has arrived."""
        scenes = self.before.scenes if self.stays else self.message.scenes if self.drawn else ()
        return ShownPictures(scenes, self.message if self.is_late else None, self.before.resent_until)


class MessageBuilder:
    """Builds what is sent; whatever Discord refuses is left out, and the message goes again at once.

    Without pictures, words stand in their place; without emojis, cards are letters. A message that shows a
    picture is left as it is until there is time for the next one.
    """

    def __init__(self, client: discord.Client, cache: PictureCache, emojis: Emojis, budget: Budget) -> None:
        self._client = client
        self._cache = cache
        self._budget = budget
        self._clock = budget.clock
        self._emojis = emojis
        self._shown: dict[int, ShownPictures] = {}
        # By message: states newer than the one it shows, the oldest first, whose pictures came late.
        self._unshown: dict[int, list[Message]] = {}
        # By channel: what we may do where a file was refused, and until when none is tried.
        self._refused: dict[int, tuple[discord.Permissions | None, float]] = {}

    async def new(
        self,
        message: Message,
        channel: int,
        send: Callable[..., Awaitable[T]],
        ping: Collection[int] = (),
        again: Callable[[], object] = bool,
        *,
        patience: float | None = None,
    ) -> T:
        """A new message: `send` is called with the library's fields, and `again` where that counts anew.

        In words where its pictures are not drawn soon; with `patience`, within so many seconds.
        """
        outgoing = OutgoingMessage(message, channel, None, ping)
        if message.scenes:
            outgoing = await self._ready(outgoing, again, patience)
        outgoing, id = await self._bring(outgoing, send, again)
        self._remember(id, outgoing)
        return id

    async def change(
        self,
        message: Message,
        address: Address,
        edit: Callable[..., Awaitable[object]],
        ping: Collection[int] = (),
        again: Callable[[], object] = bool,
        *,
        patience: float | None = None,
    ) -> None:
        """Let a message look so; pictures that it holds already are not sent again.

        NotDrawnYet if words would take their place, or say what they say already. With `patience` they do
        after so many seconds, where nobody comes back to it.
        """
        outgoing = self._for(message, address, ping)
        try:
            if message.scenes and not outgoing.stays:
                outgoing = await self._ready(outgoing, again, patience)
        except NotDrawnYet as late:
            late.shown = await self._catch_up(outgoing, edit, again)
            raise
        await self._put(outgoing, edit, again)

    async def change_at_once(
        self, message: Message, address: Address, edit: Callable[..., Awaitable[object]]
    ) -> bool:
        """The same; False where a picture is still to be drawn: the one before, or words, stand in for it."""
        outgoing = self._for(message, address)
        if not message.scenes or outgoing.stays:
            await self._put(outgoing, edit)
            return True
        if not self._has_no_time(outgoing):
            with suppress(NotDrawnYet):
                await self._put(await self._with_pictures(outgoing, PICTURE_GRACE), edit)
                return True
        shown = await self._put(self._as_before(outgoing), edit)
        return shown.drawn is not None  # where the one before could not stay

    async def prepare(self, message: Message, address: Address) -> None:
        """Draw its pictures, so that `change` need not wait; NotDrawnYet if it would have nothing to show."""
        outgoing = self._for(message, address)
        try:
            if message.scenes and not outgoing.stays:
                await self._for_a_queue(outgoing)
        except NotDrawnYet:
            if self._drawn_before(outgoing) is None:
                raise

    def may_move(self, message: Message, id: int) -> bool:
        """Whether a new message may take the place of this one: no picture would be lost for want of time."""
        return self._shown.get(id, UNKNOWN).scenes == () or self._cache.knows(message.scenes)

    def forget(self, id: int) -> None:
        """Nobody knows what this message holds."""
        self._shown.pop(id, None)

    def lacks_pictures(self, id: int) -> asyncio.Future[None] | None:
        """Until when this message is left in words for want of time; None if it has its pictures."""
        shown = self._shown.get(id, UNKNOWN)
        return self._cache.spare(id) if shown.left_out else None

    def _for(self, message: Message, address: Address, ping: Collection[int] = ()) -> OutgoingMessage:
        """To this message, which may hold its pictures already."""
        before = self._shown.get(address[1], UNKNOWN)
        is_same = bool(message.scenes) and message.scenes == before.scenes
        return OutgoingMessage(message, *address, ping, before, stays=is_same and self._may_stay(before))

    def _as_before(self, outgoing: OutgoingMessage) -> OutgoingMessage:
        """The same with the pictures that the message still holds, as far as anybody knows, or words."""
        shown = outgoing.before.scenes
        are_as_many = shown is None or len(shown) == len(outgoing.message.scenes)
        stays = are_as_many and self._may_stay(outgoing.before)
        return replace(outgoing, stays=stays, is_late=not stays)

    def _may_stay(self, shown: ShownPictures) -> bool:
        return shown.resent_until <= self._clock()

    # Pictures, as far as there is time for them

    async def _ready(
        self, outgoing: OutgoingMessage, again: Callable[[], object], patience: float | None
    ) -> OutgoingMessage:
        """With its pictures, if they can be had; a call that waited long for them is counted anew."""
        began = self._clock()
        if patience is None:
            outgoing = await self._for_a_queue(outgoing)
        else:
            outgoing = await self._or_in_words(outgoing, patience)
        if self._clock() > began + HELD_UP:
            again()
        return outgoing

    async def _for_a_queue(self, outgoing: OutgoingMessage) -> OutgoingMessage:
        """With its pictures or, if it says something new so, in words; NotDrawnYet if neither."""
        if self._has_no_time(outgoing):
            if not outgoing.is_news:
                raise NotDrawnYet(self._cache.spare(outgoing.id))
            return self._without_pictures(outgoing, "no_call" if self._budget.is_tight else "busy")
        try:
            return await self._with_pictures(outgoing, HOLD if outgoing.id else PATIENCE)
        except NotDrawnYet:
            if not outgoing.is_news:
                self._note_unshown(outgoing)
                raise
            return self._without_pictures(outgoing, "late")

    async def _or_in_words(self, outgoing: OutgoingMessage, seconds: float) -> OutgoingMessage:
        try:
            return await self._with_pictures(outgoing, seconds)
        except NotDrawnYet:
            return self._without_pictures(outgoing, "late")

    def _without_pictures(self, outgoing: OutgoingMessage, reason: str) -> OutgoingMessage:
        """In words, as there is no time for its pictures."""
        self._cache.left_out[reason] += len(outgoing.message.scenes)
        return replace(outgoing, is_late=True)

    def _has_no_time(self, outgoing: OutgoingMessage) -> bool:
        """Whether there is enough to do without its pictures, and words would take the place of none."""
        is_scarce = self._budget.is_tight or self._cache.is_busy
        return is_scarce and not outgoing.shows_picture and not self._cache.knows(outgoing.message.scenes)

    async def _with_pictures(self, outgoing: OutgoingMessage, seconds: float) -> OutgoingMessage:
        """With its pictures, or in words where they cannot be had at all; NotDrawnYet if they take longer."""
        if not self._may_attach(outgoing.channel):
            return outgoing
        place = outgoing.id or object()  # a message keeps its turn to have the newest ones drawn
        found = await self._cache.pictures(outgoing.message.scenes, place, seconds)
        files = tuple([file for file in found if file is not None])
        return replace(outgoing, drawn=files if len(files) == len(found) else None)

    # Messages that change faster than they are drawn

    def _note_unshown(self, outgoing: OutgoingMessage) -> None:
        """Remember this state of the message, and of those before it what is drawn or being drawn."""
        if outgoing.id is not None and outgoing.shows_picture:
            begun = [one for one in self._unshown.pop(outgoing.id, ()) if self._cache.has_begun(one.scenes)]
            self._unshown[outgoing.id] = [
                *(one for one in begun if one != outgoing.message),
                outgoing.message,
            ]
            _drop_oldest(self._unshown)

    def _drawn_before(self, outgoing: OutgoingMessage) -> Message | None:
        """The newest of the remembered states but this one whose pictures are drawn by now."""
        unshown = self._unshown.get(outgoing.id or 0, ())
        drawn = [one for one in unshown if one != outgoing.message and self._cache.knows(one.scenes)]
        return drawn[-1] if drawn else None

    async def _catch_up(
        self, outgoing: OutgoingMessage, edit: Callable[..., Awaitable[object]], again: Callable[[], object]
    ) -> Message | None:
        """Show that state; else the message would stand still until the game does."""
        before = self._drawn_before(outgoing)
        if before and outgoing.id is not None:
            unshown = self._unshown[outgoing.id]
            await self._put(await self._with_pictures(replace(outgoing, message=before), 0.0), edit, again)
            self._unshown[outgoing.id] = unshown[unshown.index(before) + 1 :]
        return before

    # On the way to Discord

    async def _put(
        self,
        outgoing: OutgoingMessage,
        edit: Callable[..., Awaitable[object]],
        again: Callable[[], object] = bool,
    ) -> OutgoingMessage:
        """Let the message look so; returned is what has arrived."""
        assert outgoing.id is not None
        self._shown.pop(outgoing.id, None)  # until it has arrived nobody knows
        self._unshown.pop(outgoing.id, None)
        outgoing, _ = await self._bring(outgoing, edit, again)
        self._remember(outgoing.id, outgoing)
        return outgoing

    async def _bring(
        self, outgoing: OutgoingMessage, send: Callable[..., Awaitable[U]], again: Callable[[], object]
    ) -> tuple[OutgoingMessage, U]:
        while True:
            try:
                return outgoing, await send(**self._fields(outgoing))
            except discord.HTTPException as error:
                other = await self._without(outgoing, error)
                if other is None:
                    raise
                outgoing = other
                again()

    async def _without(
        self, outgoing: OutgoingMessage, error: discord.HTTPException
    ) -> OutgoingMessage | None:
        """The same without what Discord may have refused; None if that is not it."""
        if refuses_emojis(error) and self._emojis.of and outgoing.refusals < MOST_REFUSALS:
            return replace(outgoing, refusals=outgoing.refusals + 1)
        if refuses_emojis(error) and self._emojis.lose():
            log.warning("Discord does not know the emojis of the cards any more: %s", error)
            return outgoing
        if outgoing.stays and may_refuse_what_stays(error):
            log.warning(
                "message %s in %s does not keep its pictures, which come along with each edit for "
                "the next hour: %s",
                outgoing.id,
                self._place(outgoing.channel),
                error,
            )
            lost = ShownPictures((), resent_until=self._clock() + FILE_RETRY)
            return await self._or_in_words(replace(outgoing, stays=False, before=lost), HOLD)
        if outgoing.drawn and may_refuse_files(error):
            self._cache.left_out["refused"] += len(outgoing.drawn)
            log.warning("%s: without pictures from now on: %s", self._place(outgoing.channel), error)
            self._refused[outgoing.channel] = (
                bot_permissions(self._client, outgoing.channel),
                self._clock() + FILE_RETRY,
            )
            return replace(outgoing, drawn=None)
        return None

    def _place(self, channel: int) -> str:
        """A channel for the log, which names a server's alone: a DM's would tell whose it is."""
        return f"{'DM' if bot_permissions(self._client, channel) is None else 'channel'} {channel}"

    def _may_attach(self, channel: int) -> bool:
        """Whether files may be sent there; after a refusal, once our permissions have changed."""
        may = bot_permissions(self._client, channel)
        if channel in self._refused:
            then, until = self._refused[channel]
            if then != may or until <= self._clock():
                del self._refused[channel]
        return channel not in self._refused and (may is None or may.attach_files)

    def _fields(self, outgoing: OutgoingMessage) -> dict[str, Any]:
        message = outgoing.message
        call = message.call if isinstance(message, Post) and outgoing.ping else None
        pictured = outgoing.stays or outgoing.drawn is not None
        users = list(map(discord.Object, outgoing.ping))
        fields = {
            "view": layout(message, self._emojis, pictured=pictured, call=call),
            "allowed_mentions": discord.AllowedMentions(everyone=False, roles=False, users=users),
        }
        if outgoing.id is None:
            fields["files"] = files(message, outgoing.drawn or ())
        elif outgoing.stays:
            fields["attachments"] = MISSING  # they are left as they are
        elif message.scenes or outgoing.before.scenes:
            fields["attachments"] = files(message, outgoing.drawn or ())  # in place of all that it holds
        return fields

    def _remember(self, id: int | None, outgoing: OutgoingMessage) -> None:
        if id is not None:
            self._shown[id] = outgoing.holds
            _drop_oldest(self._shown)


def _drop_oldest(known: dict[int, Any]) -> None:
    if len(known) > REMEMBERED:
        del known[next(iter(known))]
