"""Messages made ready for Discord, with as much of their pictures and emojis as it takes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from typing import Any, TypeVar

import discord
from discord.utils import MISSING

from bot.components import files, layout
from bot.delivery.budget import Budget
from bot.delivery.easel import Easel
from bot.delivery.parcels import NO_PICTURES, Held, Parcel
from bot.emojis import Emojis
from bot.faults import may_refuse_files, may_refuse_what_stays, refuses_emojis
from bot.messages import Message, Post
from bot.permissions import bot_permissions

log = logging.getLogger(__name__)
#: Seconds for which a message stays in words that lacked a picture, as to and fro would be restless.
RESTS = 20.0
#: Seconds for which a click is not answered because of a picture.
BLINK = 0.02
#: Seconds of drawing after which a call is counted once more, as its turn of the budget has passed.
HELD_UP = 0.1
#: Seconds after which a channel that refused a picture, or a message that did not keep one, is tried again.
FORGIVES = 3600.0
#: Times that a message's emojis may be refused before they are taken for gone: now and then Discord does not
#: know one that it has (discord-api-docs, issue 7128).
MOST_REFUSALS = 2
#: Messages of which it is known what pictures they hold; to others these are sent once more.
REMEMBERED = 2048

#: A channel and a message there.
Address = tuple[int, int]
#: What sending returns: a new message's id, perhaps None.
T = TypeVar("T", int, int | None)
U = TypeVar("U")


class Packer:
    """What Discord does not take is left out, and the same message goes at once without it.

    Without pictures, words stand in their place, as they do where calls are scarce; without emojis, cards are
    letters.
    """

    def __init__(self, client: discord.Client, easel: Easel, emojis: Emojis, budget: Budget) -> None:
        self._client = client
        self._easel = easel
        self._budget = budget
        self._clock = budget.clock
        self._emojis = emojis
        self._held: dict[int, Held] = {}
        # By channel: what we may do where a file was refused, and until when none is tried.
        self._refused: dict[int, tuple[discord.Permissions | None, float]] = {}

    async def new(
        self,
        message: Message,
        channel: int,
        send: Callable[..., Awaitable[T]],
        ping: Collection[int] = (),
        again: Callable[[], object] = bool,
    ) -> T:
        """A new message: `send` is called with the library's fields, and `again` where that counts anew."""
        parcel = Parcel(message, channel, None, ping)
        if message.scenes:
            parcel = await self._ready(parcel, again)
        parcel, id = await self._bring(parcel, send, again)
        self._remember(id, parcel)
        return id

    async def change(
        self,
        message: Message,
        address: Address,
        edit: Callable[..., Awaitable[object]],
        ping: Collection[int] = (),
        again: Callable[[], object] = bool,
    ) -> None:
        """Let a message look so; pictures that it holds already are not sent again."""
        parcel = self._for(message, address, ping)
        if message.scenes and not parcel.stays:
            parcel = await self._ready(parcel, again)
        await self._put(parcel, edit, again)

    async def change_at_once(
        self, message: Message, address: Address, edit: Callable[..., Awaitable[object]]
    ) -> bool:
        """The same; False where a picture is still to be drawn: the one before, or words, stand in for it."""
        parcel = self._for(message, address)
        if message.scenes and not parcel.stays:
            drawing = asyncio.ensure_future(self._with_pictures(parcel))
            if not (await asyncio.wait([drawing], timeout=BLINK))[0]:
                drawing.cancel()  # the easel draws on
                shown = await self._put(self._as_before(parcel), edit)
                return shown.drawn is not None  # where the one before could not stay
            parcel = drawing.result()
        await self._put(parcel, edit)
        return True

    async def prepare(self, message: Message, address: Address) -> None:
        """Draw its pictures, so that `change` need not wait for them; what cannot be drawn is to be said."""
        if message.scenes and not (parcel := self._for(message, address)).stays:
            ready = await self._with_pictures(parcel)
            if ready.words_until:
                held = self._held.get(address[1], NO_PICTURES)  # meanwhile it may have changed
                self._held[address[1]] = replace(held, words_until=ready.words_until)

    def _for(self, message: Message, address: Address, ping: Collection[int] = ()) -> Parcel:
        """To this message, which may hold its pictures already."""
        before = self._held.get(address[1], NO_PICTURES)
        is_same = bool(message.scenes) and message.scenes == before.scenes
        return Parcel(message, *address, ping, before, stays=is_same and self._may_stay(before))

    def _as_before(self, parcel: Parcel) -> Parcel:
        """The same with the pictures that the message still holds, or words."""
        are_as_many = len(parcel.message.scenes) == len(parcel.before.scenes)
        return replace(parcel, stays=are_as_many and self._may_stay(parcel.before))

    def _may_stay(self, held: Held) -> bool:
        return held.resent_until <= self._clock()

    async def _ready(self, parcel: Parcel, again: Callable[[], object]) -> Parcel:
        """With its pictures, if they can be had; a call that waited long for them is counted anew."""
        began = self._clock()
        parcel = await self._with_pictures(parcel)
        if self._clock() > began + HELD_UP:
            again()
        return parcel

    async def _with_pictures(self, parcel: Parcel) -> Parcel:
        words_until, now = parcel.before.words_until, self._clock()
        if now < words_until:
            return replace(parcel, words_until=words_until)
        if not self._may_attach(parcel.channel):
            return parcel
        if self._budget.is_tight:  # then there is enough to do without them
            self._easel.left_out["no_call"] += len(parcel.message.scenes)
            return replace(parcel, words_until=now + RESTS)
        found = await asyncio.gather(*map(self._easel.picture, parcel.message.scenes))
        drawn = tuple([file for file in found if file is not None])
        if len(drawn) < len(found):
            return replace(parcel, words_until=now + RESTS)
        return replace(parcel, drawn=drawn)

    async def _put(
        self, parcel: Parcel, edit: Callable[..., Awaitable[object]], again: Callable[[], object] = bool
    ) -> Parcel:
        """Let the message look so; returned is what has arrived."""
        assert parcel.id is not None
        self._held.pop(parcel.id, None)  # until it has arrived nobody knows
        parcel, _ = await self._bring(parcel, edit, again)
        self._remember(parcel.id, parcel)
        return parcel

    async def _bring(
        self, parcel: Parcel, send: Callable[..., Awaitable[U]], again: Callable[[], object]
    ) -> tuple[Parcel, U]:
        while True:
            try:
                return parcel, await send(**self._fields(parcel))
            except discord.HTTPException as error:
                other = await self._without(parcel, error)
                if other is None:
                    raise
                parcel = other
                again()

    async def _without(self, parcel: Parcel, error: discord.HTTPException) -> Parcel | None:
        """The same without what Discord may have refused; None if that is not it."""
        if refuses_emojis(error) and self._emojis.of and parcel.refusals < MOST_REFUSALS:
            return replace(parcel, refusals=parcel.refusals + 1)
        if refuses_emojis(error) and self._emojis.lose():
            log.warning("Discord does not know the emojis of the cards any more: %s", error)
            return parcel
        if parcel.stays and may_refuse_what_stays(error):
            log.warning(
                "message %s in channel %s does not keep its pictures, which come along with each edit for "
                "the next hour: %s",
                parcel.id,
                parcel.channel,
                error,
            )
            lost = Held(resent_until=self._clock() + FORGIVES)
            return await self._with_pictures(replace(parcel, stays=False, before=lost))
        if parcel.drawn and may_refuse_files(error):
            self._easel.left_out["refused"] += len(parcel.drawn)
            # A DM's channel tells whose it is: it is named only if it is a server's.
            place = "DM" if bot_permissions(self._client, parcel.channel) is None else "channel"
            log.warning("%s %s: without pictures from now on: %s", place, parcel.channel, error)
            self._refused[parcel.channel] = (
                bot_permissions(self._client, parcel.channel),
                self._clock() + FORGIVES,
            )
            return replace(parcel, drawn=None)
        return None

    def _may_attach(self, channel: int) -> bool:
        """Whether files may be sent there; after a refusal, once our permissions have changed."""
        may = bot_permissions(self._client, channel)
        if channel in self._refused:
            then, until = self._refused[channel]
            if then != may or until <= self._clock():
                del self._refused[channel]
        return channel not in self._refused and (may is None or may.attach_files)

    def _fields(self, parcel: Parcel) -> dict[str, Any]:
        message = parcel.message
        call = message.call if isinstance(message, Post) and parcel.ping else None
        pictured = parcel.stays or parcel.drawn is not None
        users = list(map(discord.Object, parcel.ping))
        fields = {
            "view": layout(message, self._emojis, pictured=pictured, call=call),
            "allowed_mentions": discord.AllowedMentions(everyone=False, roles=False, users=users),
        }
        if parcel.id is None:
            fields["files"] = files(message, parcel.drawn or ())
        elif parcel.stays:
            fields["attachments"] = MISSING  # they are left as they are
        elif message.scenes or parcel.before.scenes:
            fields["attachments"] = files(message, parcel.drawn or ())  # in place of all that it holds
        return fields

    def _remember(self, id: int | None, parcel: Parcel) -> None:
        holds = parcel.holds
        if id is not None and (holds.scenes or holds.words_until or holds.resent_until):
            self._held[id] = holds
            if len(self._held) > REMEMBERED:
                del self._held[next(iter(self._held))]
