"""Export and deletion of everything about a person, even if some of it fails at first."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from enum import Enum, auto
from typing import ClassVar, Protocol
from weakref import WeakValueDictionary

from engine.errors import Refusal
from engine.loading import Load, in_thread
from engine.storage import privacy
from engine.storage.database import Database
from engine.storage.privacy import Naming
from engine.tables.keeper import RETRY_AFTER, Work
from engine.tables.service import Tables
from engine.tables.table import Person

log = logging.getLogger(__name__)
#: Seconds after a deletion for which nothing about the person can be stored again.
REFUSED_FOR = 2.0


class Forgotten(Enum):
    """The progress of a deletion."""

    WHOLLY = auto()
    REWRITE_PENDING = auto()  # all data is deleted, but the file has yet to be rewritten
    IN_PART = auto()  # something failed, and is tried again


class DataHolder(Protocol):
    """A service whose live values name people, as tables and tournaments do."""

    stored: ClassVar[Naming]

    def mentions(self, person: int) -> bool:
        """Whether a live value names this person."""

    async def forget(self, person: int) -> bool:
        """Remove this person from all live values; returns whether none of them failed to change."""


class Forgetting:
    """Deletes people, and finishes even if a table or the disk refuses or the program is killed.

    `leave` stops all messages to a person, and waits for those on their way, as their ids are stored. `today`
    returns the day of the daily deal. `others` hold data besides the tables.
    """

    def __init__(
        self,
        tables: Tables,
        database: Database,
        leave: Callable[[int], Awaitable[None]],
        today: Callable[[], str],
        others: Sequence[DataHolder] = (),
    ) -> None:
        self._tables = tables
        #: The tables come last, since a tournament that names a person may still open tables with them.
        self._holders: Sequence[DataHolder] = (*others, tables)
        self._naming = [one.stored for one in self._holders]
        self._database = database
        self._leave = leave
        self._today = today
        self._begun: set[int] = set()
        self._returns: dict[int, asyncio.TimerHandle] = {}
        #: By person, as two requests may come at once.
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._work = Work()
        self._alarm: asyncio.TimerHandle | None = None
        self._is_closed = False

    async def export(self, person: int, load: Load = in_thread) -> bytes:
        """Everything about this person as JSON. Refusal if it can't be read."""
        return await privacy.export_person(self._database, person, self._naming, load)

    async def forget(self, person: Person) -> Forgotten:
        """Delete everything about this person; Refusal, and nothing changed, if nothing can be saved now."""
        return await self._work.to_the_end(self._forget(person))

    async def finish(self) -> None:
        """Finish deletions that have begun; those that fail are tried again after RETRY_AFTER seconds."""
        with suppress(Refusal):
            begun = await privacy.begun(self._database)
            self._begun.update(person for person, _ in begun)
            for person in self._begun:
                self._refuse(person)
            for person, name in begun:
                try:
                    async with self._turn(person):
                        await self._go_on(person, name)
                except Exception:  # the others must go on, and the bot must start
                    log.exception("a deletion could not be finished")
        if not await privacy.finish(self._database) or self._begun:
            self._try_again()

    async def close(self) -> None:
        """Finish the deletion in progress; the next start sees to the others."""
        self._is_closed = True
        if self._alarm:
            self._alarm.cancel()
        await self._work.finish()

    async def _forget(self, person: Person) -> Forgotten:
        async with self._turn(person.id):
            # Before anything else, so that nothing that happens meanwhile brings them back.
            self._refuse(person.id)
            try:
                # With live values this takes several transactions, and a kill may come between them.
                if person.id not in self._begun and any(one.mentions(person.id) for one in self._holders):
                    await privacy.begin(self._database, person.id, person.name, self._naming)
                    self._begun.add(person.id)
                is_deleted = await self._go_on(person.id, person.name)
            except BaseException:
                if person.id not in self._begun:  # nothing has changed
                    self._database.leaving.discard(person.id)
                raise
        if not is_deleted:
            self._try_again()
            return Forgotten.IN_PART
        if await privacy.finish(self._database):
            return Forgotten.WHOLLY
        self._try_again()
        return Forgotten.REWRITE_PENDING

    async def _go_on(self, person: int, name: str) -> bool:
        """Delete what can be deleted now; returns whether that was everything."""
        has_left = all([await one.forget(person) for one in self._holders])
        await self._leave(person)
        try:
            await privacy.delete(
                self._database, person, name, self._naming, today=self._today(), is_all=has_left
            )
        except Refusal:
            if person not in self._begun:
                raise
            return False
        self._tables.preferences.forget(person)
        if not has_left:
            self._begun.add(person)
            return False
        self._begun.discard(person)
        # A change with data read earlier may still be on its way to a table.
        loop = asyncio.get_running_loop()
        self._returns[person] = loop.call_later(REFUSED_FOR, self._let_return, person)
        return True

    def _turn(self, person: int) -> asyncio.Lock:
        return self._turns.setdefault(person, asyncio.Lock())

    def _refuse(self, person: int) -> None:
        """Let nothing more be stored about this person."""
        self._database.leaving.add(person)
        if timer := self._returns.pop(person, None):
            timer.cancel()

    def _let_return(self, person: int) -> None:
        """Let this person, whose data is gone, come back like anyone new."""
        self._returns.pop(person, None)
        self._database.leaving.discard(person)

    def _try_again(self) -> None:
        """Try to finish after RETRY_AFTER seconds; a large file is rewritten only at the next start."""
        if self._alarm is None and not self._is_closed and (self._begun or privacy.is_small(self._database)):
            self._alarm = asyncio.get_running_loop().call_later(RETRY_AFTER, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        self._work.start(self.finish())
