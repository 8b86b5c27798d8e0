"""Building messages for Discord, without the pictures and emojis that it refuses."""

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
from bot.discord.faults import may_refuse_files, may_refuse_what_stays, refuses_emojis
from bot.discord.permissions import bot_permissions
from bot.vocabulary.messages import Message, Picture, Post
from bot.vocabulary.scenes import Scene

log = logging.getLogger(__name__)
#: Seconds that a new message waits for its picture before words replace it.
PICTURE_PATIENCE = 2.5
#: Seconds that a message which is never edited waits for its picture; all hands wait for a deal's seal.
SHORT_PATIENCE = 1.0
#: Seconds that an edit waits for its picture before the queue moves on.
HOLD = 0.3
#: Seconds after which an optional picture that still isn't drawn is left out.
LATE_PICTURE = 0.5
#: Seconds that an answer to a click or command waits for its picture, unless an edit can add it.
LONGEST_ANSWER = 5.0
#: Seconds that an answer carrying an update, or a message with an optional picture, waits for it.
PICTURE_GRACE = 0.02
#: Seconds of drawing after which a call is counted again, as its turn has passed.
COUNT_AGAIN_AFTER = 0.1
#: Seconds until we send files again to a channel that refused one, or rely on a message that lost one.
FILE_RETRY = 3600.0
#: Times that a message's emojis may be refused before we take them for deleted: now and then Discord rejects
#: one that exists (discord-api-docs, issue 7128).
MOST_REFUSALS = 2
#: Messages whose pictures are remembered; an edit of another one sends its pictures again.
PICTURES_REMEMBERED = 4096

#: A channel and a message there.
Address = tuple[int, int]
#: The result of sending: the new message's id, for some callers perhaps None.
T = TypeVar("T", int, int | None)
U = TypeVar("U")
M = TypeVar("M", bound=Message)


@dataclass(frozen=True, slots=True)
class ShownPictures:
    """The pictures that a message shows; none if it shows words instead.

    Unknown (None) for messages sent before the bot started, and while an edit is in flight.
    """

    scenes: tuple[Scene, ...] | None = None
    left_out: Message | None = None  # the state that it shows in words, for lack of time
    resent_until: float = 0.0  # each edit sends its pictures again until then, by the budget's clock
    until: asyncio.Future[None] | None = None  # done when it's time to show what was left out, if known


UNKNOWN, NO_PICTURES = ShownPictures(), ShownPictures(())


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A message and the files of its pictures (None if it goes out in words or already has its pictures)."""

    message: Message
    channel: int
    id: int | None  # None for a new message
    ping: Collection[int]
    before: ShownPictures = NO_PICTURES
    drawn: tuple[bytes, ...] | None = None
    stays: bool = False  # the message keeps the files it has: its own pictures, or earlier ones
    is_late: bool = False  # it goes out in words, or with an earlier optional picture, for lack of time
    until: asyncio.Future[None] | None = None  # as in ShownPictures
    refusals: int = 0  # of its emojis

    @property
    def shows_picture(self) -> bool:
        """Whether it shows a picture now, as far as we know."""
        return self.before.scenes != ()

    @property
    def needs_pictures(self) -> bool:
        """Whether it has pictures that the message in Discord doesn't show yet."""
        return bool(self.message.scenes) and not self.stays

    @property
    def adds_pictures_only(self) -> bool:
        """Whether only its pictures are still missing from the message in Discord."""
        return self.before.left_out == self.message

    @property
    def patience(self) -> float:
        """The seconds that it waits for its pictures."""
        is_never_edited = isinstance(self.message, Post) and self.message.never_edited
        return HOLD if self.id else SHORT_PATIENCE if is_never_edited else PICTURE_PATIENCE

    @property
    def is_news(self) -> bool:
        """Whether it would show something new even in words."""
        return not self.shows_picture and self.before.left_out != self.message

    @property
    def holds(self) -> ShownPictures:
        """The pictures that the message shows once this has arrived."""
        scenes = self.before.scenes if self.stays else self.message.scenes if self.drawn else ()
        left_out = self.message if self.is_late else None
        return ShownPictures(scenes, left_out, self.before.resent_until, self.until)


class MessageBuilder:
    """Builds messages and sends them; if Discord refuses a part, they are sent again at once without it.

    Words replace pictures, and letters replace emojis. A message that shows a picture keeps it until there
    is time for the next one.
    """

    def __init__(self, client: discord.Client, cache: PictureCache, emojis: Emojis, budget: Budget) -> None:
        self._client = client
        self._cache = cache
        self._budget = budget
        self._clock = budget.clock
        self._emojis = emojis
        self._pictures: dict[int, ShownPictures] = {}
        # By message: newer states, the oldest first, whose pictures are late.
        self._unshown: dict[int, list[Message]] = {}
        # By channel that refused a file: our permissions then, and until when no file is tried.
        self._refused: dict[int, tuple[discord.Permissions | None, float]] = {}

    async def new(
        self,
        message: Message,
        channel: int,
        send: Callable[..., Awaitable[T]],
        ping: Collection[int] = (),
        recount: Callable[[], object] = bool,
        *,
        patience: float | None = None,
    ) -> T:
        """Send a new message: `send` is called with discord.py's fields, `recount` before each extra call.

        It goes out in words if its pictures aren't drawn soon (with `patience`: within that many seconds).
        """
        outgoing = OutgoingMessage(self._affordable(message), channel, None, ping)
        if outgoing.message.scenes:
            outgoing = await self._ready(outgoing, recount, patience)
        outgoing, id = await self._send(outgoing, send, recount)
        self._remember(id, outgoing)
        return id

    async def change(
        self,
        message: Message,
        address: Address,
        edit: Callable[..., Awaitable[object]],
        ping: Collection[int] = (),
        recount: Callable[[], object] = bool,
        *,
        patience: float | None = None,
    ) -> None:
        """Edit a message; pictures that it already shows are not sent again.

        NotDrawnYet if words would replace a picture or add nothing. With `patience`, for callers that won't
        try again, words replace it after that many seconds.
        """
        outgoing = self._edit_of(message, address, ping)
        try:
            if outgoing.needs_pictures:
                outgoing = await self._ready(outgoing, recount, patience)
        except NotDrawnYet as late:
            late.earlier = await self._catch_up(outgoing, edit, recount)
            raise
        is_shown = outgoing.before.left_out == message and not outgoing.shows_picture
        if is_shown and not outgoing.message.scenes:
            self._remember(outgoing.id, outgoing)  # all that was missing is optional pictures, now left out
        else:
            await self._edit(outgoing, edit, recount)

    async def change_at_once(
        self, message: Message, address: Address, edit: Callable[..., Awaitable[object]]
    ) -> bool:
        """Edit without waiting; False if a picture is still to come, and words or the last one stand in."""
        outgoing = self._edit_of(message, address)
        if not outgoing.needs_pictures:
            await self._edit(outgoing, edit)
            return True
        if not self._has_no_time(outgoing):
            try:
                await self._edit(await self._with_pictures(outgoing, PICTURE_GRACE), edit)
                return True
            except NotDrawnYet as late:
                outgoing = self._with_follow_up(outgoing, late)
        arrived = await self._edit(self._as_before(outgoing), edit)
        return arrived.drawn is not None  # drawn after all, because the last one couldn't stay

    async def prepare(self, message: Message, address: Address) -> None:
        """Draw its pictures so that `change` needn't wait; NotDrawnYet if it would have nothing to show."""
        outgoing = self._edit_of(message, address)
        draw = self._wait_briefly if outgoing.message.may_lack_pictures else self._pictures_or_later
        try:
            if outgoing.needs_pictures:
                await draw(outgoing)
        except NotDrawnYet:
            if self._drawn_before(outgoing) is None:
                raise

    def may_move(self, message: Message, id: int) -> bool:
        """Whether a new message may replace this one: no picture would be lost for lack of time."""
        return self._pictures.get(id, UNKNOWN).scenes == () or self._cache.knows(message.scenes)

    def forget(self, id: int) -> None:
        """Treat this message's pictures as unknown."""
        self._pictures.pop(id, None)

    def lacks_pictures(self, id: int) -> asyncio.Future[None] | None:
        """Done when there's time for the pictures that this message lacks; None if it lacks none."""
        pictures = self._pictures.get(id, UNKNOWN)
        return pictures.until or self._cache.when_free(id) if pictures.left_out else None

    def adds_pictures_only(self, message: Message, id: int) -> bool:
        """Whether the message with this id already shows `message`, except for its pictures."""
        return self._pictures.get(id, UNKNOWN).left_out == message

    def _edit_of(self, message: Message, address: Address, ping: Collection[int] = ()) -> OutgoingMessage:
        """The edit that makes the message at this address show `message`."""
        before = self._pictures.get(address[1], UNKNOWN)
        is_same = bool(message.scenes) and message.scenes == before.scenes
        visible = message if is_same else self._affordable(message)
        if isinstance(message, Post) and message.call is None:
            ping = message.ping  # its text keeps mentioning them
        return OutgoingMessage(visible, *address, ping, before, stays=is_same and self._may_stay(before))

    def _as_before(self, outgoing: OutgoingMessage) -> OutgoingMessage:
        """Keep the pictures that the message shows now, as far as we know, or show words.

        Optional pictures stay for one edit only, as they may show what is no longer true.
        """
        scenes, is_first = outgoing.before.scenes, not outgoing.before.left_out
        are_as_many = scenes is None or len(scenes) == len(outgoing.message.scenes)
        may_stay = scenes is not None and is_first if outgoing.message.may_lack_pictures else True
        stays = are_as_many and may_stay and self._may_stay(outgoing.before)
        return replace(outgoing, stays=stays, is_late=not stays or outgoing.message.may_lack_pictures)

    def _may_stay(self, pictures: ShownPictures) -> bool:
        return pictures.resent_until <= self._clock()

    # Pictures, if there is time for them

    async def _ready(
        self, outgoing: OutgoingMessage, recount: Callable[[], object], patience: float | None
    ) -> OutgoingMessage:
        """Add its pictures if possible; a call that waited long for them is counted again."""
        began = self._clock()
        if outgoing.message.may_lack_pictures:
            outgoing = await self._pictures_if_drawn(outgoing)
        elif patience is None:
            outgoing = await self._pictures_or_later(outgoing)
        else:
            outgoing = await self._pictures_or_words(outgoing, patience)
        if self._clock() > began + COUNT_AGAIN_AFTER:
            recount()
        return outgoing

    async def _pictures_or_later(self, outgoing: OutgoingMessage) -> OutgoingMessage:
        """Add its pictures, or leave it in words if those are news; otherwise NotDrawnYet."""
        if self._has_no_time(outgoing):
            if not outgoing.is_news:
                raise NotDrawnYet(self._cache.when_free(outgoing.id))
            return self._without_pictures(outgoing, "no_call" if self._budget.is_tight else "busy")
        try:
            return await self._with_pictures(outgoing, outgoing.patience)
        except NotDrawnYet:
            if not outgoing.is_news:
                self._note_unshown(outgoing)
                raise
            return self._without_pictures(outgoing, "late")

    async def _pictures_or_words(self, outgoing: OutgoingMessage, seconds: float) -> OutgoingMessage:
        try:
            return await self._with_pictures(outgoing, seconds)
        except NotDrawnYet:
            return self._without_pictures(outgoing, "late")

    def _without_pictures(self, outgoing: OutgoingMessage, reason: str) -> OutgoingMessage:
        self._cache.left_out.labels(reason).inc(len(outgoing.message.scenes))
        return replace(outgoing, is_late=True)

    def _has_no_time(self, outgoing: OutgoingMessage) -> bool:
        """Whether to leave out its pictures because we are busy; never if words would replace a picture."""
        if outgoing.shows_picture:
            return False
        is_scarce = self._budget.is_tight or self._cache.is_busy
        return is_scarce and not self._cache.knows(outgoing.message.scenes)

    async def _with_pictures(self, outgoing: OutgoingMessage, seconds: float) -> OutgoingMessage:
        """Add its pictures, unless they can't be drawn or sent; NotDrawnYet if drawing takes longer."""
        if not self._may_attach(outgoing.channel):
            return outgoing
        place = outgoing.id or object()  # a message keeps its turn when its pictures change
        drawings = await self._cache.pictures(
            outgoing.message.scenes, place, seconds, are_optional=outgoing.message.may_lack_pictures
        )
        files = tuple(filter(None, drawings))
        return replace(outgoing, drawn=files if len(files) == len(drawings) else None)

    # Optional pictures

    def _affordable(self, message: M) -> M:
        """Leave out optional pictures if there is no time for them."""
        optional = message.optional_scenes
        has_time = not optional or self._cache.may_add_optional(optional)
        return message if has_time else _without_optional(message)

    async def _wait_briefly(self, outgoing: OutgoingMessage) -> None:
        """Give optional pictures a moment; NotDrawnYet if only they are missing and aren't due yet."""
        if not outgoing.adds_pictures_only:
            with suppress(NotDrawnYet):
                await self._with_pictures(outgoing, PICTURE_GRACE)
        elif (until := outgoing.before.until) and not until.done():
            raise NotDrawnYet(until)

    async def _pictures_if_drawn(self, outgoing: OutgoingMessage) -> OutgoingMessage:
        """Add optional pictures if they are drawn by now; otherwise a later edit adds them, or drops them."""
        try:
            return await self._with_pictures(outgoing, 0.0 if outgoing.id else PICTURE_GRACE)
        except NotDrawnYet as late:
            if outgoing.adds_pictures_only:
                self._cache.was_late()
                return replace(outgoing, message=_without_optional(outgoing.message))
            return self._as_before(self._with_follow_up(outgoing, late))

    def _with_follow_up(self, outgoing: OutgoingMessage, late: NotDrawnYet) -> OutgoingMessage:
        """Plan another edit for optional pictures, once they are drawn or late."""
        if not outgoing.message.may_lack_pictures:
            return outgoing
        return replace(outgoing, until=asyncio.create_task(_drawn_or_late(late.until)))

    # Messages that change faster than they are drawn

    def _note_unshown(self, outgoing: OutgoingMessage) -> None:
        """Remember this state, and of the earlier ones those that are drawn or being drawn."""
        if outgoing.id is not None and outgoing.shows_picture:
            earlier = self._unshown.pop(outgoing.id, ())
            begun = [state for state in earlier if self._cache.has_begun(state.scenes)]
            self._unshown[outgoing.id] = [
                *(state for state in begun if state != outgoing.message),
                outgoing.message,
            ]
            _drop_oldest(self._unshown)

    def _drawn_before(self, outgoing: OutgoingMessage) -> Message | None:
        """The newest remembered state, other than this one, whose pictures are drawn by now."""
        unshown = self._unshown.get(outgoing.id or 0, ())
        drawn = [state for state in unshown if state != outgoing.message and self._cache.knows(state.scenes)]
        return drawn[-1] if drawn else None

    async def _catch_up(
        self,
        outgoing: OutgoingMessage,
        edit: Callable[..., Awaitable[object]],
        recount: Callable[[], object],
    ) -> Message | None:
        """Show the newest earlier state that is drawn, and return it.

        Otherwise the message would stand still for as long as the game moves on.
        """
        before = self._drawn_before(outgoing)
        if before and outgoing.id is not None:
            unshown = self._unshown[outgoing.id]
            earlier = await self._with_pictures(replace(outgoing, message=before), 0.0)
            await self._edit(earlier, edit, recount, is_newest=False)
            self._unshown[outgoing.id] = unshown[unshown.index(before) + 1 :]
        return before

    # Sending

    async def _edit(
        self,
        outgoing: OutgoingMessage,
        edit: Callable[..., Awaitable[object]],
        recount: Callable[[], object] = bool,
        *,
        is_newest: bool = True,
    ) -> OutgoingMessage:
        """Edit the message; returns what Discord accepted."""
        assert outgoing.id is not None
        self._pictures.pop(outgoing.id, None)  # unknown until it has arrived
        self._unshown.pop(outgoing.id, None)
        outgoing, _ = await self._send(outgoing, edit, recount)
        self._remember(outgoing.id, outgoing)
        if is_newest and not outgoing.holds.left_out:
            self._cache.drop(outgoing.id)
        return outgoing

    async def _send(
        self, outgoing: OutgoingMessage, send: Callable[..., Awaitable[U]], recount: Callable[[], object]
    ) -> tuple[OutgoingMessage, U]:
        while True:
            try:
                return outgoing, await send(**self._fields(outgoing))
            except discord.HTTPException as error:
                reduced = await self._without(outgoing, error)
                if reduced is None:
                    raise
                outgoing = reduced
                recount()

    async def _without(
        self, outgoing: OutgoingMessage, error: discord.HTTPException
    ) -> OutgoingMessage | None:
        """The message without what Discord may have refused; None if it refused something else."""
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
            return await self._pictures_or_words(replace(outgoing, stays=False, before=lost), HOLD)
        if outgoing.drawn and may_refuse_files(error):
            self._cache.left_out.labels("refused").inc(len(outgoing.drawn))
            log.warning("%s: without pictures from now on: %s", self._place(outgoing.channel), error)
            self._refused[outgoing.channel] = (
                bot_permissions(self._client, outgoing.channel),
                self._clock() + FILE_RETRY,
            )
            return replace(outgoing, drawn=None)
        return None

    def _place(self, channel: int) -> str:
        """A channel for the log: only a server's is named in full, as a DM's would identify someone."""
        return f"{'DM' if bot_permissions(self._client, channel) is None else 'channel'} {channel}"

    def _may_attach(self, channel: int) -> bool:
        """Whether files may be sent there; after a refusal, once our permissions change or an hour passes."""
        permissions = bot_permissions(self._client, channel)
        if channel in self._refused:
            refused_with, until = self._refused[channel]
            if refused_with != permissions or until <= self._clock():
                del self._refused[channel]
        return channel not in self._refused and (permissions is None or permissions.attach_files)

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
            fields["attachments"] = MISSING  # keeps the files that it has
        elif message.scenes or outgoing.before.scenes:
            fields["attachments"] = files(message, outgoing.drawn or ())  # replaces them all
        return fields

    def _remember(self, id: int | None, outgoing: OutgoingMessage) -> None:
        if id is not None:
            self._pictures[id] = outgoing.holds
            _drop_oldest(self._pictures)


def _without_optional(message: M) -> M:
    parts = [part for part in message.parts if not (isinstance(part, Picture) and part.optional)]
    return replace(message, parts=tuple(parts))


async def _drawn_or_late(drawn: asyncio.Future[None]) -> None:
    await asyncio.wait([drawn], timeout=LATE_PICTURE)


def _drop_oldest(by_message: dict[int, Any]) -> None:
    if len(by_message) > PICTURES_REMEMBERED:
        del by_message[next(iter(by_message))]
