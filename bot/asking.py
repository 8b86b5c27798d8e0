"""Asking people to tables, within limits: nobody is mentioned again and again, by one person or by all."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.limits import INVITATIONS_A_DAY, INVITATIONS_AN_HOUR, INVITATIONS_BY_ONE
from bot.render.inviting import Unwelcome
from engine.storage.database import Database
from engine.storage.invitations import drop_old_invitations, invited_by, times_invited
from engine.tables import Person, Table, Tables

AN_HOUR, A_DAY = 60 * 60.0, 24 * 60 * 60.0


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who was chosen to be invited, as Discord tells of them."""

    person: Person
    is_bot: bool
    is_member: bool
    may_see: bool  # the channel


@dataclass(frozen=True, slots=True)
class Invited:
    """What came of it."""

    table: Table
    guests: tuple[Guest, ...]
    unwelcome: tuple[tuple[Guest, Unwelcome], ...]


class Asking:
    """Invites people to tables; `clock` gives seconds since 1970."""

    def __init__(self, tables: Tables, database: Database, clock: Callable[[], float]) -> None:
        self._tables = tables
        self._database = database
        self._clock = clock
        self._turn = asyncio.Lock()  # two at once would count the same invitations

    async def invite(self, id: int, person: int, guests: Sequence[Guest]) -> Invited:
        """Invite those of them who may be; Refusal if this person may not invite, or not that many."""
        async with self._turn:
            table = self._tables.get(id)
            found = await self._sorted(table, person, guests)
            welcome = [guest for guest, why in found if why is None]
            if welcome:
                table = await self._tables.invite(id, person, [guest.person for guest in welcome])
            unwelcome = [(guest, why) for guest, why in found if why is not None]
            return Invited(table, tuple(welcome), tuple(unwelcome))

    async def _sorted(
        self, table: Table, person: int, guests: Sequence[Guest]
    ) -> list[tuple[Guest, Unwelcome | None]]:
        """Each of them, and why they aren't invited."""
        now = self._clock()
        theirs = await invited_by(self._database, person, now - A_DAY)
        left = INVITATIONS_AN_HOUR - sum(at > now - AN_HOUR for _, at in theirs)
        often = Counter(guest for guest, _ in theirs)
        found: list[tuple[Guest, Unwelcome | None]] = []
        for guest in guests:
            why = self._why_not(table, person, guest)
            if why is None and left <= 0:
                why = Unwelcome.TOO_MANY
            elif why is None and await self._has_had_enough(guest.person.id, often, now):
                why = Unwelcome.TOO_OFTEN
            left -= why is None
            found.append((guest, why))
        return found

    async def _has_had_enough(self, guest: int, often: Counter[int], now: float) -> bool:
        if often[guest] >= INVITATIONS_BY_ONE:
            return True
        return await times_invited(self._database, guest, now - A_DAY) >= INVITATIONS_A_DAY

    def _why_not(self, table: Table, person: int, guest: Guest) -> Unwelcome | None:
        known = guest.person.id
        reasons = {
            Unwelcome.ONESELF: known == person,
            Unwelcome.BOT: guest.is_bot,
            Unwelcome.SEATED: table.seat_of(known) is not None,
            Unwelcome.STRANGER: not guest.is_member,
            Unwelcome.BLIND: not guest.may_see,
            Unwelcome.ASKED: table.invitation_of(known) is not None,
            Unwelcome.UNWILLING: not self._tables.preferences.of(known).takes_invitations,
        }
        return next((why for why, is_so in reasons.items() if is_so), None)

    async def drop_old(self) -> None:
        """Delete who was asked to tables that are over, once it counts no more."""
        await drop_old_invitations(self._database, self._clock() - A_DAY)
