"""The message that shows each part of a table or tournament, and what it showed when the bot stopped."""

import hashlib
import logging
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from bot.delivery.building import Address
from bot.discord.faults import TooFast
from bot.vocabulary.messages import Message
from engine.errors import Refusal
from engine.storage import settings
from engine.storage.database import Database
from engine.storage.message_ids import MessageIds, Owners

#: A table or tournament, a part of it, and what its message certainly shows now.
Shown = tuple[int, str, Message]
#: The beginning of the keys of messages that were replaced and are still to be deleted.
RETIRED = "old:"
#: The setting that stores the salt of our nonces.
SALT = "nonces"
log = logging.getLogger(__name__)


class SentMessages:
    """Remembers, in the database too, which message shows each part of a table.

    An instance is either for tables or for tournaments; its methods call either of them a table.
    """

    def __init__(self, database: Database, owners: Owners) -> None:
        self._database = database
        self._ids = MessageIds(database, owners)
        self._addresses: dict[int, dict[str, Address]] = {}
        self._fingerprints: dict[int, dict[str, str]] = {}
        self._loaded: set[int] = set()  # tables from before the last start
        self._doubtful: set[tuple[int, int | None]] = set()
        self._salt = ""

    async def load(self) -> None:
        """Load the messages from before the bot stopped, and what they showed."""
        self._salt = await _salt(self._database)
        for table, part, channel, message, fingerprint in await self._ids.take():
            self._addresses.setdefault(table, {})[part] = (channel, message)
            if fingerprint:
                self._fingerprints.setdefault(table, {})[part] = fingerprint
        self._loaded = set(self._addresses)

    def address(self, table: int, part: str) -> Address | None:
        """The message that shows this part of the table."""
        return self._addresses.get(table, {}).get(part)

    async def find(self, table: int, part: str) -> Address | None:
        """The message that shows this part, even if the table is over. Refusal if it can't be read."""
        return self.address(table, part) or await self._ids.find(table, part)

    def in_words(self, table: int) -> str:
        """How the log names this table: `table 7`."""
        return f"{self._ids.owners.name} {table}"

    @property
    def known(self) -> set[int]:
        """The tables that have messages."""
        return set(self._addresses)

    def parts(self, table: int) -> list[str]:
        """The keys of all messages of this table, including those still to be deleted."""
        return list(self._addresses.get(table, ()))

    def retired(self, table: int, part: str) -> list[str]:
        """The keys of messages that showed this part before and are still to be deleted."""
        return [key for key in self.parts(table) if key.startswith(f"{RETIRED}{part}:")]

    def is_replaced(self, table: int, part: str) -> bool:
        """Whether this message is retired, and its replacement has been sent."""
        replaced = part.removeprefix(RETIRED).rpartition(":")[0]
        return part.startswith(RETIRED) and self.address(table, replaced) is not None

    async def put(self, table: int, part: str, address: Address) -> None:
        """Store that this message shows this part of the table."""
        self._addresses.setdefault(table, {})[part] = address
        try:
            await self._ids.put(table, part, *address)
        except Refusal as refusal:
            log.warning("%s: a restart would send %s again: %s", self.in_words(table), part, refusal)

    async def retire(self, table: int, part: str) -> None:
        """Store that a new message will show this part, and the old one is still to be deleted.

        Call it before sending the new one, so that both don't stay for long even if the bot is killed.
        """
        channel, message = self._addresses[table].pop(part)
        retired = f"{RETIRED}{part}:{message}"
        self._addresses[table][retired] = (channel, message)
        try:
            await self._ids.rename(table, part, retired)
        except Refusal as refusal:
            log.warning(
                "%s: a restart would edit the old message of %s: %s", self.in_words(table), part, refusal
            )

    async def drop(self, table: int, part: str) -> None:
        """Store that this message is deleted."""
        self._addresses.get(table, {}).pop(part, None)
        try:
            await self._ids.drop(table, part)
        except Refusal as refusal:
            log.warning("%s: a restart would delete %s again: %s", self.in_words(table), part, refusal)

    def is_doubtful(self, table: int, person: int | None) -> bool:
        """Whether the last message to this channel or player may have arrived without our knowing."""
        return (table, person) in self._doubtful

    def forget(self, table: int) -> None:
        """Drop everything about a table."""
        self._addresses.pop(table, None)
        self._fingerprints.pop(table, None)
        self._loaded.discard(table)
        self._doubtful = {queue for queue in self._doubtful if queue[0] != table}

    # What the messages showed

    def looked_like(self, table: int, part: str, message: Message) -> bool:
        """Whether the message showed this when the bot stopped; the first call for a part forgets it."""
        noted = self._fingerprints.get(table, {}).pop(part, None)
        return noted is not None and noted == _fingerprint(message)

    async def note_shown(self, messages: Iterable[Shown]) -> None:
        """Store what the messages show, for the next start."""
        with suppress(Refusal):  # the next start then shows them all again
            fingerprints = [(table, part, _fingerprint(message)) for table, part, message in messages]
            await self._ids.put_fingerprints(fingerprints)

    # Messages that may have been sent before

    def nonce(self, table: int, what: str) -> str:
        """The nonce of a table's message: equal after a restart, but not in another database."""
        return self.nonce_of(f"{self.in_words(table)} {what}")

    def nonce_of(self, text: str) -> str:
        """The nonce of a message that belongs to no table."""
        return _digest(f"{self._salt} {text}")

    def begin(self, table: int, person: int | None) -> None:
        """Note that the first message to this channel or player may have been sent before a restart."""
        if table in self._loaded:
            self._doubtful.add((table, person))

    @contextmanager
    def sending(self, table: int, person: int | None) -> Iterator[bool]:
        """Send a message in the block; yields whether Discord may already have it.

        If the response to an earlier try was lost, perhaps with the bot's last process, Discord knows the
        nonce: it doesn't send the message twice, but returns the first one.
        """
        queue = (table, person)
        is_doubtful = queue in self._doubtful
        self._doubtful.add(queue)
        try:
            yield is_doubtful
        except TooFast:  # nothing was sent
            if not is_doubtful:
                self._doubtful.discard(queue)
            raise
        self._doubtful.discard(queue)


async def _salt(database: Database) -> str:
    """A text that tells our nonces from those of another database, whose tables have the same numbers."""
    salt = await settings.find(database, SALT)
    if salt is None:
        salt = secrets.token_hex(12)
        with suppress(Refusal):  # the next start then creates another, and may send a message twice
            await settings.put(database, SALT, salt)
    return salt


def _digest(text: str) -> str:
    """24 characters, equal for equal texts; a nonce has up to 25."""
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _fingerprint(message: Message) -> str:
    """A digest that is equal for messages that look the same, in every process."""
    return _digest(repr(message))
