"""The messages that show players their hands by DM."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Set
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial

import discord

from bot.delivery.budget import Budget, Urgency
from bot.delivery.building import Address
from bot.delivery.dm_channels import DmChannels
from bot.delivery.posts import OnFault, Posts
from bot.delivery.queue import MessageQueue, until_done, why_it_stays
from bot.delivery.reply import LastClicks, Reply
from bot.delivery.sending import Recipient, Sender
from bot.delivery.sent import SentMessages, Shown
from bot.discord.faults import Fault, TooFast, fault_of
from bot.vocabulary.messages import AWAY, VOTE, ByDm, Colour, Whisper, in_words
from bot.words.text import message_link
from engine.languages import Language

log = logging.getLogger(__name__)
#: How the keys of first DMs and of hands begin, before the deal and the person.
WELCOME, HAND = "welcome", "hand"
#: The same of other DMs that hold for a while: a table wants players, or is paused (each with its number).
WANTED, TROUBLE = "wanted", "trouble"
#: The wanted state of a DM that is to be deleted.
NOTHING = Whisper(())
#: Seconds in which what a DM says may become out of date again, or be deleted, before that is shown.
SOON = 5.0
#: Seconds after which a hand is late, and its player is told where to find it.
LATE = 10.0


def held(language: Language) -> Whisper:
    """Shown instead of a hand until the post with its deal's seal is in the channel."""
    return stand_in(
        language.say(
            "Your cards come here once the deal's seal is posted in the channel. "
            "If they don't, press **My hand** there."
        ),
        language,
    )


def stand_in(why: str, language: Language) -> Whisper:
    """Shown instead of a hand, to tell why it isn't there."""
    return Whisper((f"### {language.say('Your hand')}\n-# {why}",), Colour.DONE)


class _Greeting:
    """Someone's first DM about a table: one at a time."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self.is_wanted_later: Callable[[], bool] = bool

    @property
    def is_wanted(self) -> bool:
        """Whether to send it now."""
        return self.is_going_on or self.is_wanted_later()

    @property
    def is_going_on(self) -> bool:
        """Whether someone is waiting for the outcome."""
        return self.turn.locked()


class Dms:
    """A queue for each player of each table."""

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
        self._leaving = leaving  # people who are being deleted get no new DM
        self._sender = sender
        self._channels = channels
        self._sent = sent
        self._posts = posts
        self._budget = budget
        self._on_fault = on_fault
        self._queues: dict[Recipient, MessageQueue[Whisper]] = {}
        self._clicks: LastClicks[Recipient] = LastClicks(budget)
        self._refused: set[Recipient] = set()
        self._letters: dict[Recipient, set[str]] = {}  # the keys of open DMs other than hands
        self._greetings: dict[Recipient, _Greeting] = {}
        self._told_to_wait: set[Recipient] = set()

    @property
    def queues(self) -> list[MessageQueue[Whisper]]:
        """Every player's queue."""
        return list(self._queues.values())

    def retry_now(self, table: int) -> None:
        """Try again at once to send this table's DMs that have failed."""
        for recipient, queue in self._queues.items():
            if recipient[0] == table:
                queue.retry_now()

    def show(
        self,
        table: int,
        person: int,
        deal: int,
        whisper: Whisper,
        *,
        create: bool = True,
        patience: float = 0.0,
    ) -> None:
        """Show a player their hand in this deal, unless they have refused DMs.

        It waits `patience` seconds for something newer. Unless `create`, it only edits a DM already there.
        """
        self._want(table, person, _key(deal, person), whisper, create=create, patience=patience)

    def write(self, table: int, person: int, letter: str, whisper: Whisper) -> None:
        """Show this in a DM other than a hand; one that was never sent isn't sent once it is final."""
        recipient, key = (table, person), f"{letter}:{person}"
        queue = self._queues.get(recipient)
        is_there = self._sent.address(table, key) or (queue and queue.states.on_its_way == key)
        if is_there or not whisper.is_final:
            self._letters_of(recipient).add(letter)
            self._want(table, person, key, whisper, create=True)
            return
        self._letters_of(recipient).discard(letter)
        if queue:
            queue.drop(key)

    def letters(self, table: int, person: int) -> list[str]:
        """The keys of this player's open DMs other than hands."""
        return sorted(self._letters_of((table, person)))

    def _letters_of(self, recipient: Recipient) -> set[str]:
        if recipient not in self._letters:
            end = f":{recipient[1]}"
            keys = [key for key in self._sent.parts(recipient[0]) if _is_letter(key) and key.endswith(end)]
            self._letters[recipient] = {key.removesuffix(end) for key in keys}
        return self._letters[recipient]

    def _want(
        self, table: int, person: int, key: str, whisper: Whisper, *, create: bool, patience: float = 0.0
    ) -> None:
        recipient = (table, person)
        if recipient in self._refused or not (create or self._sent.address(table, key)):
            return
        queue = self._queue(recipient)
        if key.startswith(HAND):
            queue.drop(f"{WELCOME}:{person}")  # a player with cards already knows that they have a seat
            if self._sent.address(table, key):
                self._delete_before(recipient, key)
        if self._sent.looked_like(table, key, whisper):
            queue.states.set_shown(key, whisper)
        else:
            queue.want(key, whisper, patience=max(patience, whisper.patience))

    def end(self, table: int, person: int, deal: int, whisper: Whisper, *, patience: float = 0.0) -> None:
        """Show this in the DM of a deal that is over for its player; a DM not sent yet never is."""
        queue, key = self._queues.get((table, person)), _key(deal, person)
        is_coming = queue is not None and queue.states.is_coming(key)
        if queue and is_coming and not self._may_be_there(table, person, key):
            queue.drop(key)
        else:
            self.show(table, person, deal, whisper, create=is_coming, patience=patience)

    def notes(self, table: int) -> list[tuple[str, int]]:
        """The kinds and readers of the DMs about this table that are neither hands nor questions."""
        found = [key.rpartition(":") for key in self._sent.parts(table)]
        return [
            (kind, int(person))
            for kind, _, person in found
            if kind in (WELCOME, WANTED) or kind.startswith(TROUBLE)
        ]

    def change_note(self, table: int, person: int, kind: str, whisper: Whisper) -> None:
        """Show this in such a DM; NOTHING deletes it."""
        self._want(table, person, f"{kind}:{person}", whisper, create=False, patience=SOON)

    def _delete_before(self, recipient: Recipient, hand: str) -> None:
        """Delete the DMs whose place this hand has taken: those of the deals before it, and the first one."""
        table, person = recipient
        for key in self._sent.parts(table):
            kind, _, to = key.rpartition(":")
            is_before = kind.startswith(HAND) and _deal_of(key) < _deal_of(hand)
            if to == str(person) and (is_before or kind == WELCOME):
                self._queue(recipient).want(key, NOTHING)

    def _may_be_there(self, table: int, person: int, key: str) -> bool:
        """Whether Discord has this DM, or may have it any moment."""
        is_on_its_way = self._queues[table, person].states.on_its_way == key
        is_there = self._sent.address(table, key) is not None
        return is_there or is_on_its_way or self._sent.is_doubtful(table, person)

    def is_wanted(self, table: int, person: int, deal: int) -> bool:
        """Whether a DM of this deal is there, or about to be."""
        queue = self._queues.get((table, person))
        is_coming = queue is not None and queue.states.is_coming(_key(deal, person))
        return is_coming or self.link(table, person, deal) is not None

    def is_open(self, table: int, person: int, deal: int) -> bool:
        """Whether a DM of this deal is there, or about to be, and isn't known to be final."""
        queue, key = self._queues.get((table, person)), _key(deal, person)
        if queue and queue.states.is_coming(key):
            return True
        shown = queue.states.shown(key) if queue else None
        is_final = shown is not None and shown.is_final
        return not is_final and self.link(table, person, deal) is not None

    def open_before(self, table: int, person: int, deal: int) -> int | None:
        """The newest deal before this one that has a DM, unless that is known to be final.

        It may be an old one: players get no DMs for deals that they are away for.
        """
        queue = self._queues.get((table, person))
        for number in range(deal - 1, 0, -1):
            key = _key(number, person)
            if self._sent.address(table, key) or (queue and queue.states.is_coming(key)):
                return number if self.is_open(table, person, number) else None
        return None

    def knows(self, table: int, person: int, deal: int) -> bool:
        """Whether we know what the DM of this deal shows, or should show."""
        queue = self._queues.get((table, person))
        return queue is not None and queue.states.knows(_key(deal, person))

    def carrying_click(self, table: int, deal: int, reply: Reply) -> AbstractAsyncContextManager[None]:
        """Within, a click on a hand in a DM is handled; its answer then carries the hand's newest state."""
        return self._carrying_click(table, _key(deal, reply.user_id), reply)

    @asynccontextmanager
    async def carrying_letter_click(self, table: int, reply: Reply) -> AsyncIterator[bool]:
        """The same for a click on another DM of ours; yields whether that is still open."""
        found = [f"{letter}:{reply.user_id}" for letter in self.letters(table, reply.user_id)]
        key = next(
            (key for key in found if self._sent.address(table, key) == (reply.channel, reply.clicked)), ""
        )
        if not key:
            yield False
            return
        async with self._carrying_click(table, key, reply):
            yield True

    @asynccontextmanager
    async def _carrying_click(self, table: int, key: str, reply: Reply) -> AsyncIterator[None]:
        recipient = (table, reply.user_id)
        queue, address = self._queue(recipient), self._sent.address(table, key)
        if address is None or address[1] != reply.clicked:
            queue.states.forget(key)  # from now on this message shows it, not the one before

        async def answer(whisper: Whisper | None) -> Whisper | None:
            if whisper == NOTHING:
                await reply.update(None)
                return None  # the queue deletes it
            is_held = whisper is not None and self._posts.holds_back(table, whisper)
            shown = held(reply.language) if is_held else whisper
            is_whole = await reply.update_at_once(shown)
            self._clicks.keep(recipient, reply)
            here = (reply.channel, reply.clicked)
            if whisper and self._sent.address(table, key) != here:
                await self._sent.put(table, key, here)
            if whisper:
                await self._lay_aside(table, key, whisper)
            return shown if is_whole else None

        async with queue.carrying_click(key, answer):
            yield

    async def leave(self, table: int, person: int) -> None:
        """Send this person nothing more about the table, once what is in flight has arrived."""
        self._clicks.drop((table, person))
        self._letters.pop((table, person), None)
        if queue := self._queues.pop((table, person), None):
            queue.hurry()
            await queue.idle()
            queue.close()

    async def leave_all(self, person: int) -> None:
        """The same for all tables, finished ones too; also forget this person's DM channel."""
        for table, recipient in list(self._queues):
            if recipient == person:
                await self.leave(table, person)
        self._channels.forget(person)

    def has_sent(self, table: int, address: Address) -> bool:
        """Whether this message is one of our DMs about the table."""
        return any(self._sent.address(table, key) == address for key in self._sent.parts(table))

    def link(self, table: int, person: int, deal: int) -> str | None:
        """The address of the DM that shows this player's hand."""
        address = self._sent.address(table, _key(deal, person))
        return message_link(0, *address) if address else None

    async def greet(self, table: int, person: int, whisper: Whisper, is_wanted: Callable[[], bool]) -> ByDm:
        """Send a first DM about this table, once; if that has to wait, only if it `is_wanted` by then."""
        recipient, key = (table, person), f"{WELCOME}:{person}"
        greeting = self._greetings.setdefault(recipient, _Greeting())
        async with greeting.turn:
            if self._sent.address(table, key):
                return ByDm.YES
            greeting.is_wanted_later = is_wanted
            self._refused.discard(recipient)
            queue = self._queue(recipient)
            queue.states.forget(key)
            queue.want(key, whisper)
            await queue.idle(Urgency.NEW)
            if self._sent.address(table, key):
                return ByDm.YES
            self._told_to_wait.add(recipient)
            return ByDm.NO if recipient in self._refused else ByDm.LATER

    async def tell(self, table: int, person: int, whisper: Whisper, is_wanted: Callable[[], bool]) -> None:
        """Send what is wrong with a table as soon as Discord takes it, if it `is_wanted` by then."""
        nonce = secrets.token_hex(12)

        async def send() -> None:
            await self._budget.turn(Urgency.NEW)
            if is_wanted():
                address = await self._sender.dm(person, whisper, nonce)
                await self._sent.put(table, f"{TROUBLE}{address[1]}:{person}", address)

        try:
            await until_done(f"table {table}: a DM", send)
        except discord.HTTPException as error:
            if fault_of(error) is Fault.DM_REFUSED:
                # Never retried on our own: bots get banned for many refusals.
                self._refused.add((table, person))
            else:
                log.warning("table %s: a DM could not be sent: %s", table, error)

    async def tell_once(self, table: int, person: int, whisper: Whisper, kind: str) -> Fault | None:
        """Send a DM of this kind; returns why it was refused, None if it was sent.

        Raises what isn't final: it may be tried again, and after TooFast nothing was sent.
        """
        await self._budget.turn(Urgency.NEW)
        try:
            address = await self._sender.dm(person, whisper, self._sent.nonce(f"{table} {kind} {person}"))
        except discord.HTTPException as error:
            fault = fault_of(error)
            if fault is Fault.LATER:
                raise
            log.info("table %s: a DM that was asked for was refused: %s", table, error)
            return fault
        if kind == WANTED:
            key = f"{kind}:{person}"
            await self._sent.put(table, key, address)
            self._queue((table, person)).states.set_shown(key, whisper)
        return None

    @property
    def shown(self) -> Iterator[Shown]:
        """The DMs whose look is certain."""
        for (table, _), queue in self._queues.items():
            yield from ((table, key, dm) for key, dm in queue.states.all_shown.items())

    async def forget(self, table: int, until: float) -> bool:
        """Drop the table's queues once they are empty, as Posts does; False if the bot stops first."""
        for recipient, queue in [one for one in self._queues.items() if one[0][0] == table]:
            is_empty = await queue.empty(in_words, until)
            if not is_empty and recipient in self._queues:  # unless they left meanwhile
                return False
            self._queues.pop(recipient, None)
        self._clicks.forget(table)
        self._refused = {recipient for recipient in self._refused if recipient[0] != table}
        self._letters = {
            recipient: keys for recipient, keys in self._letters.items() if recipient[0] != table
        }
        self._told_to_wait = {told for told in self._told_to_wait if told[0] != table}
        self._greetings = {greeted: one for greeted, one in self._greetings.items() if greeted[0] != table}
        return True

    def _queue(self, recipient: Recipient) -> MessageQueue[Whisper]:
        if recipient not in self._queues:
            self._sent.begin(*recipient)
            self._queues[recipient] = MessageQueue(
                f"table {recipient[0]}, a DM",
                partial(self._show, recipient),
                partial(self._urgency, recipient),
                self._budget,
                ready=partial(self._ready, recipient),
            )
        return self._queues[recipient]

    async def _ready(self, recipient: Recipient, key: str, whisper: Whisper) -> None:
        """Wait for the post that a hand follows, and draw the pictures of one that is to be edited."""
        if self._posts.holds_back(recipient[0], whisper):
            await self._posts.idle(recipient[0])
        if address := self._sent.address(recipient[0], key):
            await self._sender.prepare(address, whisper)

    def _urgency(self, recipient: Recipient, key: str) -> Urgency | None:
        address = self._sent.address(recipient[0], key)
        click = self._clicks.find(recipient)
        if click and (address is None or address[1] == click.clicked):
            return None
        if address is None:
            return Urgency.NEW
        queue = self._queues.get(recipient)  # none if they left meanwhile
        wanted = queue and queue.states.wanted(key)
        if wanted == NOTHING:
            return Urgency.LOW
        adds_pictures_only = wanted and self._sender.adds_pictures_only(address, wanted)
        return Urgency.LOW if adds_pictures_only else Urgency.EDIT

    async def _show(self, recipient: Recipient, key: str, whisper: Whisper) -> asyncio.Future[None] | None:
        if whisper == NOTHING:
            await self._delete(recipient, key)
            return None
        address = self._sent.address(recipient[0], key)
        is_leaving = address is None and recipient[1] in self._leaving
        if is_leaving or not self._posts.may_show(recipient[0], whisper):
            if queue := self._queues.get(recipient):  # unless they left meanwhile
                queue.states.forget(key)
            return None
        try:
            if address is None or not await self._edit(recipient, address, whisper):
                await self._send(recipient, key, whisper, address)
            await self._lay_aside(recipient[0], key, whisper)
            if key.startswith(HAND) and recipient in self._queues:  # unless they left meanwhile
                self._delete_before(recipient, key)
        except TooFast as error:
            if key.startswith(HAND) and error.retry_after >= LATE:
                self._is_late(recipient)
            raise
        except discord.HTTPException as error:
            if fault_of(error) in (Fault.DM_REFUSED, Fault.FORBIDDEN):
                self._is_refused(recipient)
            raise
        return self._sender.lacks_pictures(self._sent.address(recipient[0], key))

    async def _lay_aside(self, table: int, key: str, whisper: Whisper) -> None:
        """Forget the message of a DM other than a hand once it is final."""
        if whisper.is_final and _is_letter(key):
            letter, _, person = key.rpartition(":")
            self._letters_of((table, int(person))).discard(letter)
            await self._sent.drop(table, key)

    async def _edit(self, recipient: Recipient, address: Address, whisper: Whisper) -> bool:
        """Edit the DM, through the player's last click if possible; False if it is gone."""
        try:
            if not await self._clicks.update(recipient, address[1], whisper):
                await self._sender.edit(address, whisper)
            return True
        except discord.HTTPException as error:
            if fault_of(error) not in (Fault.MESSAGE_GONE, Fault.CHANNEL_GONE, Fault.FORBIDDEN):
                raise
            self._budget.spend()
            return False

    async def _delete(self, recipient: Recipient, key: str) -> None:
        """Delete the DM, through the player's last click if possible."""
        address = self._sent.address(recipient[0], key)
        if address is None:
            return

        async def delete() -> None:
            if not await self._clicks.delete(recipient, address[1]):
                await self._sender.delete(address)

        await why_it_stays(f"table {recipient[0]}: an old DM", delete())
        await self._sent.drop(recipient[0], key)

    def _is_refused(self, recipient: Recipient) -> None:
        """Report it, and never retry on our own: bots get banned for many refusals."""
        table, person = recipient
        self._refused.add(recipient)
        greeting = self._greetings.get(recipient)
        if not (greeting and greeting.is_going_on):  # else `greet` returns it
            self._on_fault(table, Fault.DM_REFUSED, person)

    def _is_late(self, recipient: Recipient) -> None:
        """Report once that a hand has to wait, unless its player has been told."""
        if recipient not in self._told_to_wait:
            self._told_to_wait.add(recipient)
            self._on_fault(recipient[0], Fault.LATER, recipient[1])

    async def _send(self, recipient: Recipient, key: str, whisper: Whisper, old: Address | None) -> None:
        table, person = recipient
        if key.startswith(WELCOME) and not self._greetings[recipient].is_wanted:
            return
        with self._sent.sending(table, person) as is_doubtful:
            address = None
            if not is_doubtful:
                address = await self._clicks.follow_up(recipient, whisper)
            elif self._clicks.find(recipient):
                # A follow-up takes no nonce, so what may have been sent before goes out with the bot's token.
                self._budget.spend()
            if address is None:
                address = await self._sender.dm(person, whisper, self._sent.nonce(f"{table} {key} {old}"))
            await self._sent.put(table, key, address)
            if is_doubtful:
                await self._budget.turn(Urgency.NEW)
                await self._sender.edit_for_certain(address, whisper)


def _is_letter(key: str) -> bool:
    return key.startswith((AWAY, VOTE)) and ":" in key


def _key(deal: int, person: int) -> str:
    return f"{HAND}{deal}:{person}"


def _deal_of(key: str) -> int:
    """The deal of a hand's key."""
    return int(key.removeprefix(HAND).partition(":")[0])
