"""The messages that show players their hands by DM."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Set
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

import discord

from bot.delivery.budget import Budget, Urgency
from bot.delivery.building import Address
from bot.delivery.dm_channels import DmChannels
from bot.delivery.posts import OnFault, Posts
from bot.delivery.queue import MessageQueue, until_done, why_it_stays
from bot.delivery.registry import Registry
from bot.delivery.reply import LastClicks, Reply
from bot.delivery.sending import Recipient, Sender
from bot.delivery.sent import SentMessages, Shown
from bot.discord.faults import Fault, TooFast, fault_of
from bot.vocabulary.messages import AWAY, VOTE, ByDm, Colour, Whisper, in_words
from bot.words.text import message_link
from engine.languages import Language

log = logging.getLogger(__name__)
#: The beginnings of the keys of first DMs and of hands, before the deal and the person.
WELCOME, HAND = "welcome", "hand"
#: The beginnings of the keys of other lasting DMs: a table wants players, or is paused (with a number each).
WANTED, TROUBLE = "wanted", "trouble"
#: The wanted state of a DM that is to be deleted.
NOTHING = Whisper(())
#: Seconds that an edit of a notice waits, as another edit may follow soon.
SOON = 5.0
#: Seconds of waiting for Discord after which a player is told where to find their hand.
LATE_HAND = 10.0


def waiting_for_seal(language: Language) -> Whisper:
    """Shown instead of a hand until the post with its deal's seal is in the channel."""
    return placeholder(
        language.say(
            "Your cards come here once the deal's seal is posted in the channel. "
            "If they don't, press **My hand** there."
        ),
        language,
    )


def placeholder(why: str, language: Language) -> Whisper:
    """Shown instead of a hand, with the reason why it isn't there."""
    return Whisper((f"### {language.say('Your hand')}\n-# {why}",), Colour.DONE)


class _Greeting:
    """The state of a player's first DM about a table, of which only one is sent at a time."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self.is_wanted_later: Callable[[], bool] = bool

    @property
    def is_wanted(self) -> bool:
        """Whether the DM should still be sent."""
        return self.is_going_on or self.is_wanted_later()

    @property
    def is_going_on(self) -> bool:
        """Whether `greet` is waiting for the outcome."""
        return self.turn.locked()


class Dms:
    """Each player's DMs about each table."""

    def __init__(
        self,
        sender: Sender,
        channels: DmChannels,
        sent: SentMessages,
        posts: Posts,
        budget: Budget,
        on_fault: OnFault,
        leaving: Set[int],
    ) -> None:
        self._channels = channels
        self._clicks: LastClicks[Recipient] = LastClicks(budget)
        self._boxes: Registry[Recipient, Mailbox] = Registry(
            lambda recipient: Mailbox(*recipient, self._mail)
        )
        self._mail = _Mail(sender, sent, posts, budget, on_fault, leaving, self._clicks, self._boxes)

    def of(self, table: int, person: int) -> "Mailbox":
        """This player's DMs about this table."""
        return self._boxes[table, person]

    @property
    def queues(self) -> list[MessageQueue[Whisper]]:
        """Every player's queue."""
        return [box.queue for box in self._boxes.values if box.queue]

    def retry_now(self, table: int) -> None:
        """Try again at once to send this table's DMs that have failed."""
        for box in self._of_table(table):
            if box.queue:
                box.queue.retry_now()

    def notes(self, table: int) -> list[tuple[str, int]]:
        """The kinds and readers of the DMs about this table that are neither hands nor questions."""
        keys = [key.rpartition(":") for key in self._mail.sent.parts(table)]
        return [
            (kind, int(person))
            for kind, _, person in keys
            if kind in (WELCOME, WANTED) or kind.startswith(TROUBLE)
        ]

    def has_sent(self, table: int, address: Address) -> bool:
        """Whether this message is one of our DMs about the table."""
        sent = self._mail.sent
        return any(sent.address(table, key) == address for key in sent.parts(table))

    async def leave_all(self, person: int) -> None:
        """Send this person nothing more about any table; also forget their DM channel."""
        for box in self._boxes.values:
            if box.person == person:
                await box.leave()
        self._channels.forget(person)

    async def send_dm_once(self, person: int, whisper: Whisper, dedupe_key: str) -> Address | Fault:
        """Send a DM, at most once per `dedupe_key`; returns its address, or why Discord refused it.

        Errors that aren't final are raised, and the caller may try again; after TooFast nothing was sent.
        """
        await self._mail.budget.turn(Urgency.NEW)
        try:
            return await self._mail.sender.dm(person, whisper, self._mail.sent.nonce_of(dedupe_key))
        except discord.HTTPException as error:
            fault = fault_of(error)
            if fault is Fault.LATER:
                raise
            log.info("a DM that was asked for was refused: %s", error)
            return fault

    async def invite(self, table: int, person: int, whisper: Whisper) -> Fault | None:
        """Send an invitation, which is edited as the table changes; raises like `send_dm_once`."""
        key = f"{WANTED}:{person}"
        sent = await self.send_dm_once(
            person, whisper, f"{self._mail.sent.in_words(table)} {WANTED} {person}"
        )
        if isinstance(sent, Fault):
            return sent
        await self._mail.sent.put(table, key, sent)
        self.of(table, person).opened.states.set_shown(key, whisper)
        return None

    @property
    def shown(self) -> Iterator[Shown]:
        """What each DM shows, if that is certain."""
        for box in self._boxes.values:
            if box.queue:
                yield from ((box.table, key, dm) for key, dm in box.queue.states.all_shown.items())

    async def forget(self, table: int, until: float) -> bool:
        """Drop the table's queues once they are empty, like `Posts.forget`; False if the bot stops first."""
        for box in self._of_table(table):
            queue = box.queue
            if queue and not await queue.empty(in_words, until) and box.queue:  # unless they have just left
                return False
            box.queue = None
            self._boxes.drop((table, box.person))
        self._clicks.forget(table)
        return True

    def _of_table(self, table: int) -> "list[Mailbox]":
        return [box for box in self._boxes.values if box.table == table]


@dataclass(frozen=True, slots=True)
class _Mail:
    """What all mailboxes share."""

    sender: Sender
    sent: SentMessages
    posts: Posts
    budget: Budget
    on_fault: OnFault
    leaving: Set[int]  # people whose data is being deleted; they get no new DMs
    clicks: LastClicks[Recipient]
    boxes: "Registry[Recipient, Mailbox]"


class Mailbox:
    """One player's DMs about one table; their queue is created with the first one."""

    def __init__(self, table: int, person: int, mail: _Mail) -> None:
        self.table = table
        self.person = person
        self.queue: MessageQueue[Whisper] | None = None
        self._recipient = (table, person)
        self._mail = mail
        self._sent = mail.sent
        self._posts = mail.posts.of(table)
        self._open_side_dms: set[str] | None = None  # None until they are read from `sent`
        self._greeting = _Greeting()
        self._is_refused = False  # by Discord, as the player takes no DMs
        self._was_told_to_wait = False

    @property
    def opened(self) -> MessageQueue[Whisper]:
        """The queue, created if there is none yet."""
        if self.queue is None:
            self._mail.boxes.keep(self._recipient, self)
            self._sent.begin(*self._recipient)
            self.queue = MessageQueue(
                f"table {self.table}, a DM", self._show, self._urgency, self._mail.budget, ready=self._ready
            )
        return self.queue

    def _address(self, key: str) -> Address | None:
        return self._sent.address(self.table, key)

    # Hands, by their deals

    def show(self, deal: int, whisper: Whisper, *, create: bool = True, patience: float = 0.0) -> None:
        """Show the player their hand in this deal, unless they have refused DMs.

        It waits `patience` seconds for something newer. Without `create`, only an existing DM is edited.
        """
        self._want(self._hand(deal), whisper, create=create, patience=patience)

    def end(self, deal: int, whisper: Whisper, *, patience: float = 0.0) -> None:
        """Show this in the DM of a deal that is over for its player; an unsent DM is dropped."""
        key, is_coming = self._hand(deal), self._is_coming(self._hand(deal))
        if self.queue and is_coming and not self._may_be_there(key):
            self.queue.drop(key)
        else:
            self.show(deal, whisper, create=is_coming, patience=patience)

    def is_wanted(self, deal: int) -> bool:
        """Whether a DM of this deal exists or is about to be sent."""
        return self._is_coming(self._hand(deal)) or self.link(deal) is not None

    def is_open(self, deal: int) -> bool:
        """Whether a DM of this deal exists or is about to be sent, and isn't known to be final."""
        key = self._hand(deal)
        if self._is_coming(key):
            return True
        whisper = self.queue.states.shown(key) if self.queue else None
        is_final = whisper is not None and whisper.is_final
        return not is_final and self.link(deal) is not None

    def open_before(self, deal: int) -> int | None:
        """The newest deal before this one that has a DM; None if that DM is known to be final.

        It may be several deals back: players get no DMs for deals during which they are away.
        """
        for number in range(deal - 1, 0, -1):
            key = self._hand(number)
            if self._address(key) or self._is_coming(key):
                return number if self.is_open(number) else None
        return None

    def knows(self, deal: int) -> bool:
        """Whether we know what the DM of this deal shows, or should show."""
        return self.queue is not None and self.queue.states.knows(self._hand(deal))

    def link(self, deal: int) -> str | None:
        """The address of the DM that shows the player's hand."""
        address = self._address(self._hand(deal))
        return message_link(0, *address) if address else None

    def _hand(self, deal: int) -> str:
        return f"{HAND}{deal}:{self.person}"

    def _is_coming(self, key: str) -> bool:
        return self.queue is not None and self.queue.states.is_coming(key)

    def _may_be_there(self, key: str) -> bool:
        """Whether Discord has this DM, or may have it at any moment."""
        is_on_its_way = self.queue is not None and self.queue.states.on_its_way == key
        return is_on_its_way or self._address(key) is not None or self._sent.is_doubtful(*self._recipient)

    # Other DMs

    def show_side_dm(self, kind: str, whisper: Whisper) -> None:
        """Show this in a DM other than a hand; a final one edits an existing DM, but sends no new one."""
        key = f"{kind}:{self.person}"
        is_there = self._address(key) or (self.queue and self.queue.states.on_its_way == key)
        if is_there or not whisper.is_final:
            self._side_dms.add(kind)
            self._want(key, whisper, create=True)
            return
        self._side_dms.discard(kind)
        if self.queue:
            self.queue.drop(key)

    def side_dms(self) -> list[str]:
        """The kinds of the player's open DMs other than hands."""
        return sorted(self._side_dms)

    @property
    def _side_dms(self) -> set[str]:
        if self._open_side_dms is None:
            end = f":{self.person}"
            keys = [key for key in self._sent.parts(self.table) if _is_side_dm(key) and key.endswith(end)]
            self._open_side_dms = {key.removesuffix(end) for key in keys}
        return self._open_side_dms

    def change_note(self, kind: str, whisper: Whisper) -> None:
        """Show this in a DM that is neither a hand nor a question; NOTHING deletes it."""
        self._want(f"{kind}:{self.person}", whisper, create=False, patience=SOON)

    async def greet(self, whisper: Whisper, is_wanted: Callable[[], bool]) -> ByDm:
        """Send a first DM about the table, once; if that has to wait, it is dropped unless it `is_wanted`."""
        key, greeting = f"{WELCOME}:{self.person}", self._greeting
        async with greeting.turn:
            if self._address(key):
                return ByDm.YES
            queue = self.opened
            greeting.is_wanted_later = is_wanted
            self._is_refused = False
            queue.states.forget(key)
            queue.want(key, whisper)
            await queue.idle(Urgency.NEW)
            if self._address(key):
                return ByDm.YES
            self._was_told_to_wait = True
            return ByDm.NO if self._is_refused else ByDm.LATER

    async def report_problem(self, whisper: Whisper, is_wanted: Callable[[], bool]) -> None:
        """Report a problem with the table as soon as Discord accepts the DM, if it `is_wanted` by then."""
        nonce = secrets.token_hex(12)

        async def send() -> None:
            await self._mail.budget.turn(Urgency.NEW)
            if is_wanted():
                address = await self._mail.sender.dm(self.person, whisper, nonce)
                await self._sent.put(self.table, f"{TROUBLE}{address[1]}:{self.person}", address)

        try:
            await until_done(f"table {self.table}: a DM", send)
        except discord.HTTPException as error:
            if fault_of(error) is Fault.DM_REFUSED:
                # Never retried on our own: bots get banned for many refusals.
                self._is_refused = True
                self._mail.boxes.keep(self._recipient, self)
            else:
                log.warning("table %s: a DM could not be sent: %s", self.table, error)

    async def leave(self) -> None:
        """Stop sending the player anything about the table; waits until messages in flight have arrived."""
        self._mail.clicks.drop(self._recipient)
        self._open_side_dms = None
        if queue := self.queue:
            self.queue = None
            queue.hurry()
            await queue.idle()
            queue.close()

    # Clicks

    def carrying_click(self, deal: int, reply: Reply) -> AbstractAsyncContextManager[None]:
        """Handle a click on a hand in a DM; the answer on leaving carries the hand's newest state."""
        return self._carrying_click(self._hand(deal), reply)

    @asynccontextmanager
    async def carrying_side_dm_click(self, reply: Reply) -> AsyncIterator[bool]:
        """Handle a click on a DM other than a hand; yields whether that DM is still open."""
        keys = [f"{kind}:{self.person}" for kind in self.side_dms()]
        key = next((key for key in keys if self._address(key) == (reply.channel, reply.clicked)), "")
        if not key:
            yield False
            return
        async with self._carrying_click(key, reply):
            yield True

    @asynccontextmanager
    async def _carrying_click(self, key: str, reply: Reply) -> AsyncIterator[None]:
        queue, address = self.opened, self._address(key)
        if address is None or address[1] != reply.clicked:
            queue.states.forget(key)  # from now on this message shows the hand, not the one before

        async def answer(whisper: Whisper | None) -> Whisper | None:
            if whisper == NOTHING:
                await reply.update(None)
                return None  # the queue deletes it
            is_held = whisper is not None and self._posts.holds_back(whisper)
            newest = waiting_for_seal(reply.language) if is_held else whisper
            is_whole = await reply.update_at_once(newest)
            self._mail.clicks.keep(self._recipient, reply)
            clicked = (reply.channel, reply.clicked)
            if whisper and self._address(key) != clicked:
                await self._sent.put(self.table, key, clicked)
            if whisper:
                await self._forget_if_final(key, whisper)
            return newest if is_whole else None

        async with queue.carrying_click(key, answer):
            yield

    # What the queue writes

    def _want(self, key: str, whisper: Whisper, *, create: bool, patience: float = 0.0) -> None:
        if self._is_refused or not (create or self._address(key)):
            return
        queue = self.opened
        if key.startswith(HAND):
            queue.drop(f"{WELCOME}:{self.person}")  # a player who has cards knows that they have a seat
            if self._address(key):
                self._delete_before(key)
        if self._sent.looked_like(self.table, key, whisper):
            queue.states.set_shown(key, whisper)
        else:
            queue.want(key, whisper, patience=max(patience, whisper.patience))

    def _delete_before(self, hand: str) -> None:
        """Delete the DMs that this hand replaces: the hands of earlier deals, and the first DM."""
        for key in self._sent.parts(self.table):
            kind, _, to = key.rpartition(":")
            is_before = kind.startswith(HAND) and _deal_of(key) < _deal_of(hand)
            if to == str(self.person) and (is_before or kind == WELCOME):
                self.opened.want(key, NOTHING)

    async def _ready(self, key: str, whisper: Whisper) -> None:
        """Wait for the post that a hand follows, and draw its pictures before an edit."""
        if self._posts.holds_back(whisper):
            await self._posts.idle()
        if address := self._address(key):
            await self._mail.sender.prepare(address, whisper)

    def _urgency(self, key: str) -> Urgency | None:
        address = self._address(key)
        click = self._mail.clicks.find(self._recipient)
        if click and (address is None or address[1] == click.clicked):
            return None
        if address is None:
            return Urgency.NEW
        whisper = self.queue and self.queue.states.wanted(key)  # no queue if they have just left
        if whisper == NOTHING:
            return Urgency.LOW
        adds_pictures_only = whisper and self._mail.sender.adds_pictures_only(address, whisper)
        return Urgency.LOW if adds_pictures_only else Urgency.EDIT

    async def _show(self, key: str, whisper: Whisper) -> asyncio.Future[None] | None:
        if whisper == NOTHING:
            await self._delete(key)
            return None
        address = self._address(key)
        is_leaving = address is None and self.person in self._mail.leaving
        if is_leaving or not self._posts.may_show(whisper):
            if self.queue:  # unless they have just left
                self.queue.states.forget(key)
            return None
        try:
            if address is None or not await self._edit(address, whisper):
                await self._send(key, whisper, address)
            await self._forget_if_final(key, whisper)
            if key.startswith(HAND) and self.queue:  # unless they have just left
                self._delete_before(key)
        except TooFast as error:
            if key.startswith(HAND) and error.retry_after >= LATE_HAND and not self._was_told_to_wait:
                self._was_told_to_wait = True
                self._mail.on_fault(self.table, Fault.LATER, self.person)
            raise
        except discord.HTTPException as error:
            if fault_of(error) in (Fault.DM_REFUSED, Fault.FORBIDDEN):
                # Never retried on our own: bots get banned for many refusals.
                self._is_refused = True
                if not self._greeting.is_going_on:  # otherwise `greet` returns it
                    self._mail.on_fault(self.table, Fault.DM_REFUSED, self.person)
            raise
        return self._mail.sender.lacks_pictures(self._address(key))

    async def _forget_if_final(self, key: str, whisper: Whisper) -> None:
        """Forget the message of a DM other than a hand once it is final."""
        if whisper.is_final and _is_side_dm(key):
            self._side_dms.discard(key.rpartition(":")[0])
            await self._sent.drop(self.table, key)

    async def _edit(self, address: Address, whisper: Whisper) -> bool:
        """Edit the DM, through the player's last click if possible; False if it is gone."""
        try:
            if not await self._mail.clicks.update(self._recipient, address[1], whisper):
                await self._mail.sender.edit(address, whisper)
            return True
        except discord.HTTPException as error:
            if fault_of(error) not in (Fault.MESSAGE_GONE, Fault.CHANNEL_GONE, Fault.FORBIDDEN):
                raise
            self._mail.budget.spend()
            return False

    async def _delete(self, key: str) -> None:
        """Delete the DM, through the player's last click if possible."""
        address = self._address(key)
        if address is None:
            return

        async def delete() -> None:
            if not await self._mail.clicks.delete(self._recipient, address[1]):
                await self._mail.sender.delete(address)

        await why_it_stays(f"table {self.table}: an old DM", delete())
        await self._sent.drop(self.table, key)

    async def _send(self, key: str, whisper: Whisper, old: Address | None) -> None:
        if key.startswith(WELCOME) and not self._greeting.is_wanted:
            return
        mail = self._mail
        with self._sent.sending(*self._recipient) as is_doubtful:
            address = None
            if not is_doubtful:
                address = await mail.clicks.follow_up(self._recipient, whisper)
            elif mail.clicks.find(self._recipient):
                # Follow-ups have no nonce, so a message that may have been sent before needs the bot's token.
                mail.budget.spend()
            if address is None:
                nonce = self._sent.nonce(self.table, f"{key} {old}")
                address = await mail.sender.dm(self.person, whisper, nonce)
            await self._sent.put(self.table, key, address)
            if is_doubtful:
                await mail.budget.turn(Urgency.NEW)
                await mail.sender.edit_for_certain(address, whisper)


def _is_side_dm(key: str) -> bool:
    return key.startswith((AWAY, VOTE)) and ":" in key


def _deal_of(key: str) -> int:
    return int(key.removeprefix(HAND).partition(":")[0])
