"""Which message shows which part of a table, and how it looked when the bot stopped."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from bot.messages import Post, Whisper
from engine.errors import Refusal
from engine.storage import notes
from engine.storage.database import Database

#: A channel and a message there.
Place = tuple[int, int]
#: A table, a part of it, and the message that is certain to look so now.
Shown = tuple[int, str, Post | Whisper]
log = logging.getLogger(__name__)


class Places:
    """Remembers, in the database too, where each part of a table is shown."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._places: dict[int, dict[str, Place]] = {}
        self._looks: dict[int, dict[str, str]] = {}
        self._of_before: set[int] = set()
        self._doubtful: set[tuple[int, int | None]] = set()

    async def take_up(self) -> None:
        """Find the messages of before the bot stopped, and how they looked then."""
        for table, part, channel, message, looks in await notes.take_messages(self._database):
            self._places.setdefault(table, {})[part] = (channel, message)
            if looks:
                self._looks.setdefault(table, {})[part] = looks
        self._of_before = set(self._places)

    def get(self, table: int, part: str) -> Place | None:
        """Where this part of the table is shown."""
        return self._places.get(table, {}).get(part)

    async def put(self, table: int, part: str, place: Place) -> None:
        """This message shows that part of the table from now on."""
        self._places.setdefault(table, {})[part] = place
        try:
            await notes.put_message(self._database, table, part, *place)
        except Refusal as refusal:
            log.warning("table %s: after a restart %s would be sent anew: %s", table, part, refusal)

    def forget(self, table: int) -> None:
        """Drop all that is known of a table."""
        self._places.pop(table, None)
        self._looks.pop(table, None)
        self._of_before.discard(table)
        self._doubtful = {lane for lane in self._doubtful if lane[0] != table}

    # How they looked

    def looked_so(self, table: int, part: str, message: Post | Whisper) -> bool:
        """Whether the message looked so when the bot stopped, and nothing has been painted since."""
        noted = self._looks.get(table, {}).pop(part, None)
        return noted is not None and noted == _looks(message)

    async def note_looks(self, shown: Iterable[Shown]) -> None:
        """Note how the messages look, for the next start."""
        with suppress(Refusal):  # then the next start paints them all
            looks = [(table, part, _looks(message)) for table, part, message in shown]
            await notes.put_looks(self._database, looks)

    # Whether a message was sent before

    def begin(self, table: int, person: int | None) -> None:
        """A lane's first message may have been sent by the process before."""
        if table in self._of_before:
            self._doubtful.add((table, person))

    @contextmanager
    def sending(self, table: int, person: int | None) -> Iterator[bool]:
        """Whether it is doubtful that a message sent now is a new one.

        Where the answer to an earlier try was lost, perhaps with the bot's last process, Discord knows its
        nonce: it sends nothing twice, but gives us the message as it looked then.
        """
        lane = (table, person)
        is_doubtful = lane in self._doubtful
        self._doubtful.add(lane)
        yield is_doubtful
        self._doubtful.discard(lane)


def nonce(text: str) -> str:
    """Up to 25 characters that are the same for the same text."""
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _looks(message: Post | Whisper) -> str:
    """The same for messages that look the same, in every process."""
    return nonce(repr(message))
