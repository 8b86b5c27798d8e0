"""Inviting people to tables, within limits that keep anyone from being pestered."""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from weakref import WeakValueDictionary

import discord

from bot.answering.limits import (
    CALLS_APART,
    INVITATIONS_A_DAY,
    INVITATIONS_AN_HOUR,
    INVITATIONS_BY_ONE,
    MOST_CALLED,
)
from bot.delivery import Delivery, Urgency, wait_after
from bot.discord.background import watched
from bot.discord.faults import NETWORK, Fault, TooFast
from bot.discord.permissions import NOT_A_MEMBER, may_see
from bot.table import invited as inviting
from bot.table.invited import Unwelcome
from engine.errors import Refusal
from engine.storage.call_wishes import (
    CallWay,
    CallWish,
    drop_wish,
    due_wishes,
    find_wish,
    note_refused,
    note_told,
)
from engine.storage.database import Database
from engine.storage.invitations import invited_by, last_call_by, times_invited
from engine.storage.servers import server_settings
from engine.tables import Invitation, Person, State, Table, Tables, Way
from engine.tables.inviting import (
    begin_dm,
    call,
    check_may_call,
    check_may_invite,
    invite,
    is_wanted,
    put_off_dm,
)

AN_HOUR, A_DAY = 60 * 60.0, 24 * 60 * 60.0
#: The most members that one call for players looks up in Discord; each costs the bot an API call.
MOST_LOOKED_UP = 3 * MOST_CALLED
#: Seconds after a call for players during which its DMs are still sent or retried.
WRITES_FOR = 600.0


@dataclass(frozen=True, slots=True)
class Guest:
    """Someone chosen from Discord's list of people, with what Discord says about them."""

    person: Person
    is_bot: bool
    is_member: bool
    may_see: bool  # whether they may see the table's channel


@dataclass(frozen=True, slots=True)
class Invited:
    """The result of an invitation: the table, who was invited, and why others weren't."""

    table: Table
    guests: tuple[Guest, ...]
    unwelcome: tuple[tuple[Guest, Unwelcome], ...]


@dataclass(frozen=True, slots=True)
class Called:
    """The result of a call for players: the numbers of people told by mention and by DM."""

    table: Table
    mentioned: int = 0
    written_to: int = 0


class Invitations:
    """Invites people to tables and calls players who asked for it; `clock` returns seconds since 1970."""

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        delivery: Delivery,
        database: Database,
        clock: Callable[[], float],
    ) -> None:
        self._client = client
        self._tables = tables
        self._delivery = delivery
        self._database = database
        self._clock = clock
        # By person and by server, so that two simultaneous requests can't both pass the same limit.
        self._turns: WeakValueDictionary[tuple[str, int], asyncio.Lock] = WeakValueDictionary()
        self._writing: dict[asyncio.Task[None], int] = {}  # the person that each task writes to

    def _turn(self, kind: str, id: int) -> asyncio.Lock:
        return self._turns.setdefault((kind, id), asyncio.Lock())

    # Inviting

    async def invite(self, id: int, person: int, guests: Sequence[Guest]) -> Invited:
        """Invite those guests who may be invited; Refusal if this person may not invite, or not that many."""
        async with self._turn("inviter", person):
            table = self._tables.get(id)
            check_may_invite(table, person)
            checked = await self._checked(table, person, guests)
            welcome = [guest for guest, why in checked if why is None]
            if welcome:
                table = await self._tables.change(
                    id, invite, person, [guest.person for guest in welcome], self._tables.now
                )
            unwelcome = [(guest, why) for guest, why in checked if why is not None]
            return Invited(table, tuple(welcome), tuple(unwelcome))

    async def _checked(
        self, table: Table, person: int, guests: Sequence[Guest]
    ) -> list[tuple[Guest, Unwelcome | None]]:
        """Each guest with the reason against inviting them, if any."""
        now = self._clock()
        earlier = await invited_by(self._database, person, now - A_DAY)
        remaining = INVITATIONS_AN_HOUR - sum(at > now - AN_HOUR for _, at in earlier)
        counts = Counter(guest for guest, _ in earlier)
        checked: list[tuple[Guest, Unwelcome | None]] = []
        for guest in guests:
            why = self._why_not(table, person, guest)
            if why is None and remaining <= 0:
                why = Unwelcome.TOO_MANY
            elif why is None and await self._has_had_enough(guest.person.id, counts, now):
                why = Unwelcome.TOO_OFTEN
            remaining -= why is None
            checked.append((guest, why))
        return checked

    async def _has_had_enough(self, guest: int, counts: Counter[int], now: float) -> bool:
        """Whether someone has had a day's invitations: from one inviter, by `counts`, or from all."""
        if counts[guest] >= INVITATIONS_BY_ONE:
            return True
        return await times_invited(self._database, guest, now - A_DAY) >= INVITATIONS_A_DAY

    def _why_not(self, table: Table, person: int, guest: Guest) -> Unwelcome | None:
        id = guest.person.id
        reasons = {
            Unwelcome.ONESELF: id == person,
            Unwelcome.BOT: guest.is_bot,
            Unwelcome.SEATED: table.seat_of(id) is not None,
            Unwelcome.STRANGER: not guest.is_member,
            Unwelcome.BLIND: not guest.may_see,
            Unwelcome.ASKED: table.invitation_of(id) is not None,
            Unwelcome.UNWILLING: not self._tables.preferences.of(id).takes_invitations,
        }
        return next((why for why, is_so in reasons.items() if is_so), None)

    # Calling

    async def may_call(self, table: Table, person: int) -> bool:
        """Whether to show this person the button that calls players."""
        return table.host == person and (await server_settings(self._database, table.guild)).allows_calls

    async def call(self, id: int, host: int) -> Called:
        """Tell people who asked for it about this table; Refusal if this host may not call just now."""
        guild = self._tables.get(id).guild
        async with self._turn("server", guild), self._turn("host", host):
            table = self._tables.get(id)
            check_may_call(table, host)
            if not (await server_settings(self._database, table.guild)).allows_calls:
                raise Refusal("calls_off")
            now = self._clock()
            earlier = [one.at for one in table.invitations if one.way is not Way.INVITED]
            earlier.append(await last_call_by(self._database, host) or 0.0)
            if max(earlier) > now - CALLS_APART:
                raise Refusal("called_lately")
            guests = await self._recipients(table, now)
            if not guests:
                return Called(table)
            # Noted first, so that they aren't told too often even if the call then fails.
            noted = await note_told(self._database, table.guild, [one.id for one, _ in guests], now)
            guests = [(one, way) for one, way in guests if one.id in noted]
            table = await self._tables.change(id, call, host, guests, self._tables.now)
        self.send_dms(table)
        count = Counter(way for _, way in guests)
        return Called(table, count[Way.MENTION], count[Way.DM])

    async def _recipients(self, table: Table, now: float) -> list[tuple[Person, Way]]:
        """The people to tell now, who are still in the server; those who have waited longest come first."""
        guests: list[tuple[Person, Way]] = []
        count: Counter[Way] = Counter()
        busy, looked_up = self._busy | {one.person for one in table.invitations}, 0
        for wish in await due_wishes(self._database, table.guild, now):
            way = Way.DM if wish.way is CallWay.DM else Way.MENTION
            if (
                wish.is_quiet(now, self._tables.preferences.of(wish.person).zone)
                or count[way] >= MOST_CALLED
                or wish.person in busy
            ):
                continue
            if looked_up >= MOST_LOOKED_UP:
                break
            looked_up += 1
            if guest := await self._member(table, wish):
                guests.append((guest, way))
                count[way] += 1
        return guests

    @property
    def _busy(self) -> set[int]:
        """Everyone who plays at a table with others, or is about to; private games don't count."""
        live = [table for table in self._tables.live if not table.is_private]
        playing = {seat.person for table in live for seat in table.seats.people if seat.person is not None}
        return playing | {claim.person for table in live for claim in table.seat_claims}

    async def _member(self, table: Table, wish: CallWish) -> Person | None:
        """The member who made this wish; None if they have left or can't see the channel."""
        guild = self._client.get_guild(table.guild)
        if guild is None:
            return None
        await self._delivery.budget.turn(Urgency.LOW)
        try:
            member = await guild.fetch_member(wish.person)
        except (discord.HTTPException, *NETWORK) as error:
            if getattr(error, "code", None) in NOT_A_MEMBER:
                await drop_wish(self._database, wish.guild, wish.person)
            return None
        channel = guild.get_channel_or_thread(table.channel)
        is_hidden = channel is not None and not may_see(channel, member)
        return None if is_hidden else Person(member.id, member.display_name)

    # The DMs of a call

    def resume_dms(self, tables: Sequence[Table]) -> None:
        """After a restart, send the DMs that the last process hadn't begun to send."""
        for table in tables:
            if table.state is State.LOBBY:
                self.send_dms(table)

    def send_dms(self, table: Table) -> None:
        """Send the rest of this table's DMs in the background."""
        since = self._clock() - WRITES_FOR
        due = [one for one in table.invitations if one.way is Way.DM and not one.is_told and one.at > since]
        for one in due:
            work = watched(table.id, "telling somebody of a table", self._write(table.id, one))
            task = asyncio.create_task(work)
            self._writing[task] = one.person
            task.add_done_callback(lambda task: self._writing.pop(task, None))

    def close(self) -> None:
        """Cancel the DMs that are still to be sent."""
        for task in self._writing:
            task.cancel()

    def cancel_dms(self, person: int) -> None:
        """Cancel the DMs to this person, who has just asked for no more."""
        for task, recipient in self._writing.items():
            if recipient == person:
                task.cancel()

    async def _write(self, id: int, one: Invitation) -> None:
        dms, failures, is_begun = self._delivery.dms, 0, False
        while await self._is_wanted(id, one):
            table = self._tables.get(id) if is_begun else await self._tables.change(id, begin_dm, one.person)
            is_begun = True
            public = self._tables.preferences.told_to(one.person, table.public)
            try:
                fault = await dms.invite(id, one.person, inviting.by_dm(public, one.inviter))
            except (discord.HTTPException, *NETWORK) as error:
                if isinstance(error, TooFast):  # nothing was sent
                    await self._tables.change(id, put_off_dm, one.person)
                    is_begun = False
                await asyncio.sleep(wait_after(error, failures))
                failures += 1
                continue
            if fault is Fault.DM_REFUSED:
                await note_refused(self._database, table.guild, one.person)
            return

    async def _is_wanted(self, id: int, one: Invitation) -> bool:
        """Whether the table still needs players, it isn't too late, and the person still wants DMs."""
        table = next((table for table in self._tables.live if table.id == id), None)
        is_late = self._clock() > one.at + WRITES_FOR
        if table is None or is_late or table.invitation_of(one.person) is None:
            return False
        wish = await find_wish(self._database, table.guild, one.person)
        return wish is not None and wish.way is CallWay.DM and is_wanted(table, one.person)

    async def drop_old(self) -> None:
        """Delete finished tables' invitations, once they no longer count towards a limit."""
        await self._tables.drop_invitations(self._clock() - A_DAY)
