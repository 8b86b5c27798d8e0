"""The tournament service: sign-up, rounds and results, on top of the table service.

A tournament's tables are ordinary tables of that service, marked with their tournament. What happens at them
is noted here after it is stored or, if the program is killed in between, at the next start.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from random import Random, SystemRandom
from typing import Any, ClassVar

from engine.errors import Refusal
from engine.storage import tournaments as storage
from engine.storage.database import Database
from engine.storage.deleted_players import may_not_play, tournament_occasion
from engine.storage.privacy import Naming
from engine.storage.tournaments import SeasonLine, StoredTournament
from engine.tables import NoticeKind, Person, Table, Tables
from engine.tables.changes import close, leave_or_stay_out
from engine.tables.keeper import RETRY_AFTER, Keeper, Kind, Live
from engine.tournaments import changes, store
from engine.tournaments.record import write_tournament
from engine.tournaments.store import insert, restore, update
from engine.tournaments.tournament import (
    Entrant,
    Reason,
    Round,
    RoundTable,
    TableState,
    Terms,
    Tournament,
    TournamentState,
)

log = logging.getLogger(__name__)
#: Called with each changed tournament, once the change is stored.
Listener = Callable[[Tournament], None]
#: Finds a channel or thread for this table of a round. If it is called again for the same table, after a
#: kill, it returns the same one. If it raises, it is called again after a minute: a few times or, after a
#: TimeoutError, for as long as it takes.
Provide = Callable[[Tournament, Round, RoundTable], Awaitable[int]]
KIND: Kind[Tournament] = Kind(
    "tournament", "tournament_over", changes.forget, changes.shifted, changes.after_absence
)


class Tournaments(Keeper[Tournament]):
    """All tournaments: one at a time in a server.

    `provide` finds a place for each table of a round before it opens; `listener` is called with each changed
    tournament. What a tournament doesn't allow is a Refusal, and so is a change that can't be saved, which
    then has no effect.
    """

    def __init__(
        self,
        tables: Tables,
        database: Database,
        provide: Provide,
        listener: Listener = lambda tournament: None,
        *,
        rng: Random | None = None,
    ) -> None:
        super().__init__(KIND, tables.presence, lambda: tables.now, database.leaving, listener)
        self._tables = tables
        self._database = database
        self._provide = provide
        self._rng = rng or SystemRandom()
        self._late = asyncio.Lock()
        self._retry_at: dict[int, float] = {}  # when places are looked for again (seconds since 1970)
        self._to_note: set[int] = set()  # tables to note again in a minute, as that has failed
        tables.watch(self._table_changed)

    async def resume(self) -> list[Tournament]:
        """Resume every live tournament, after the tables have been resumed; returns them.

        The server of one that fails can't open another until it is repaired.
        """
        tournaments = []
        for stored in await storage.live_tournaments(self._database):
            with suppress(Refusal):  # a damaged one, which has been logged
                tournaments.append(_read(stored))
        await self.resume_values(tournaments)
        await self._close_strays()
        return self.live

    # Finding one

    def get(self, id: int) -> Tournament:
        """The live tournament with this id; Refusal if it is over."""
        tournament = self.find_live(id)
        if tournament is None:
            raise Refusal("tournament_over")
        return tournament

    def in_guild(self, guild: int) -> Tournament | None:
        """This server's live tournament; None if there is none."""
        return next((one for one in self.live if one.guild == guild), None)

    async def find(self, id: int) -> Tournament:
        """The tournament with this id, whatever its state; Refusal if there is none."""
        if live := self.find_live(id):
            return live
        stored = await storage.find_tournament(self._database, id)
        if stored is None:
            raise Refusal("no_tournament")
        return _read(stored)

    # What people do

    async def open(
        self, guild: int, channel: int, host: Person, terms: Terms, starts_at: float | None = None
    ) -> Tournament:
        """Open a tournament for sign-up in this channel; its host isn't signed up yet.

        With `starts_at`, it starts automatically at that time (seconds since 1970). Refusal if the server has
        another live one.
        """
        seed = self._rng.getrandbits(60)
        new = changes.opened(guild, channel, host, terms, starts_at, seed, self._clock())
        return await self._work.to_the_end(self._open(new))

    async def sign_up(self, id: int, person: Person) -> Tournament:
        """Sign up or, once it has started, play from the next round on or come back.

        Players who left a table that is still being played get their seat back. People who have deleted their
        data since the start can't sign up again, as that would erase their bad rounds.
        """
        own, now = self.get(id).by_person.get(person.id), self._clock()
        if own is None and await may_not_play(self._database, tournament_occasion(id), person.id):
            raise Refusal("tournament_missed")
        if own and not own.is_out and self._is_away(id, own):  # the tournament notes it when the round ends
            await self._at_table(id, person.id, self.get(id), person)
            return self.get(id)
        await self._at_table(id, person.id, changes.sign_up(self.get(id), person, now), person)
        async with self._tables.preferences.sitting_down(person):
            return await self.change_live(id, lambda one: changes.sign_up(one, person, self._clock()))

    async def withdraw(self, id: int, person: int) -> Tournament:
        """Withdraw from sign-up or, once it has started, sit out, with a computer playing on."""
        await self._at_table(id, person, changes.withdraw(self.get(id), person), None)
        return await self.change_live(id, lambda one: changes.withdraw(one, person))

    def _is_away(self, id: int, entrant: Entrant) -> bool:
        """Whether a computer plays for this entrant in the current round."""
        round_table = changes.seat_now(self.get(id), entrant.number)
        table = next((one for one in self._tables.live if round_table and one.id == round_table.table), None)
        number = table.seat_of(entrant.person) if table else None
        return table is not None and number is not None and table.seats[number].away

    async def _at_table(self, id: int, person: int, allowed: Tournament, back: Person | None) -> None:
        """Take one's seat back, or leave it, at the table of the round, before the tournament changes.

        If the program is killed between the two, the end of that table still tells who was there.
        """
        own = allowed.by_person.get(person)
        table = changes.seat_now(allowed, own.number) if own else None
        if table and table.table is not None:
            if back:
                work = self._tables.join(table.table, back)
            else:
                work = self._tables.change(table.table, leave_or_stay_out, person)
            await _unless_refused(work)

    async def be_here(self, id: int, person: int) -> Tournament:
        """Say that one is there for the planned start."""
        return await self.change_live(id, lambda one: changes.be_here(one, person))

    # Decisions of the host, or of someone who may manage events

    async def start(self, id: int, person: int, *, may_manage: bool) -> Tournament:
        """Start at once with everyone who has signed up."""

        def change(tournament: Tournament) -> Tournament:
            changes.check_may_decide(tournament, person, may_manage=may_manage)
            return changes.start(tournament, self._clock())

        return await self.change_live(id, change)

    async def plan_start(self, id: int, person: int, at: float | None, *, may_manage: bool) -> Tournament:
        """Plan the start for that time (seconds since 1970); None leaves it to the host."""

        def change(tournament: Tournament) -> Tournament:
            changes.check_may_decide(tournament, person, may_manage=may_manage)
            return changes.plan_start(tournament, at, self._clock())

        return await self.change_live(id, change)

    async def cancel(self, id: int, person: int, *, may_manage: bool) -> Tournament:
        """Stop it without a result and close its tables; if only pars are missing, end it with a result."""

        def change(tournament: Tournament) -> Tournament:
            changes.check_may_decide(tournament, person, may_manage=may_manage)
            if tournament.is_counting:
                return changes.close(tournament, None, self._clock())
            return changes.stop(tournament, Reason.CANCELLED, self._clock())

        return await self.change_live(id, change)

    async def channel_gone(self, id: int) -> Tournament:
        """End it with what was played, as its channel and its tables' threads were deleted."""
        return await self.change_live(id, lambda one: changes.close(one, Reason.NO_PLACE, self._clock()))

    # Results

    async def season(self, guild: int, season: int | None) -> list[SeasonLine]:
        """A server's table of its tournaments in this season (see `season_of`), or ever, the best first."""
        return await storage.season_table(self._database, guild, season)

    async def record(self, id: int) -> dict[str, Any]:
        """The record of a tournament that is over, as JSON values; Refusal while it goes on."""
        tournament = await self.find(id)
        if tournament.is_live:
            raise Refusal("tournament_not_over")
        return await write_tournament(tournament, self._tables)

    # Personal data: see `engine.tables.forgetting`

    stored: ClassVar[Naming] = Naming("tournaments", store.about, store.names, store.forget)

    # Keeping them

    async def _open(self, new: Tournament) -> Tournament:
        async with self._opening:
            self._database.check_stays(new.host)
            live = self._keep(replace(new, id=await insert(self._database, new)))
            self.notify(live.value)
            self._go_on(live)
            return live.value

    def _follow_up(self, old: Tournament, new: Tournament) -> Tournament:
        while (after := changes.go_on(new, self._clock())) != new:
            new = after
        return old if new == old else new

    async def _store(self, old: Tournament, new: Tournament) -> Tournament:
        await update(self._database, old, new)
        return new

    def _let_go(self, value: Tournament) -> None:
        super()._let_go(value)
        self._retry_at.pop(value.id, None)
        if not value.is_live and not self._is_closed:
            self._work.start(self._close_tables(value))

    async def _resume_first(self, value: Tournament) -> Tournament:
        live = self._keep(value)
        live.value = changes.after_absence(value, self._clock())
        for round, table in live.value.tables:
            await self._catch_up(live, table, round.number)
        return await self._save(live, live.value)

    def _rings_at(self, live: Live[Tournament]) -> float | None:
        ahead = (changes.rings_at(live.value), None if live.background else self._retry_at.get(live.value.id))
        return min([at for at in ahead if at is not None], default=None)

    def _rung(self, value: Tournament) -> Tournament:
        return self._follow_up(value, value)

    def _start_background(self, live: Live[Tournament]) -> None:
        """Open the tables of the current round that wait for a place."""
        is_due = self._clock() >= self._retry_at.get(live.value.id, 0.0)
        if live.background is None and is_due and _to_open(live.value):
            live.background = self._work.start(self._open_tables(live))

    async def _open_tables(self, live: Live[Tournament]) -> None:
        """Find a place for each table of the round, and open it there; failures are tried again."""
        id = live.value.id
        self._retry_at[id] = self._clock() + changes.TRY_AGAIN
        try:
            if all([await self._open_table(live, table) for table in _to_open(live.value)]):
                self._retry_at.pop(id, None)
        finally:
            live.background = None
            self._go_on(live)

    async def _open_table(self, live: Live[Tournament], table: RoundTable) -> bool:
        """Open this table of the round; returns False if that has to be tried again."""
        tournament = live.value
        round = tournament.round
        assert round is not None
        try:
            if opened := self._opened(tournament.id, round.number, table.number):
                await self._note(opened)  # it was opened, but that wasn't noted
                return True
            channel = await self._provide(tournament, round, table)
            async with live.lock:
                round_table = live.value.table_in(round.number, table.number)
                if (
                    not live.value.is_live
                    or round_table is None
                    or round_table.state is not TableState.WAITING
                ):
                    return True
                new = changes.table_to_open(live.value, round, round_table, channel)
                opened = await self._tables.begin(new)
                round_table = replace(round_table, state=TableState.PLAYING, channel=channel, table=opened.id)
                await self._save(live, changes.with_table(live.value, round, round_table, self._clock()))
            return True
        except Exception as error:
            _log(f"table {table.number} of tournament {tournament.id} has no place", error)
            await self._note_failure(live, round, table.number, is_final=not isinstance(error, TimeoutError))
            return False

    def _opened(self, tournament: int, round: int, number: int) -> Table | None:
        """The live table that was opened for this table of a round; None if there is none."""
        for table in self._tables.live:
            game = table.tournament
            if game and (game.tournament, game.round, game.number) == (tournament, round, number):
                return table
        return None

    async def _note_failure(
        self, live: Live[Tournament], round: Round, number: int, *, is_final: bool
    ) -> None:
        """Count a failure to find a place for this table; `is_final` failures make it give up after TRIES."""

        def change(tournament: Tournament) -> Tournament:
            round_table = tournament.table_in(round.number, number)
            if round_table is None or round_table.state is not TableState.WAITING:
                return tournament
            tries = round_table.tries + 1
            state = TableState.GIVEN_UP if is_final and tries >= changes.TRIES else TableState.WAITING
            new = replace(round_table, tries=tries, state=state, channel=None)
            return changes.with_table(tournament, tournament.rounds[round.number - 1], new, self._clock())

        await _unless_refused(self._change(live.value.id, change))

    async def _close_tables(self, tournament: Tournament) -> None:
        """Close the tables of an ended tournament that are still being played."""
        for _, table in tournament.tables:
            if table.table is not None and not table.is_over:
                work = self._tables.change(table.table, close, NoticeKind.TOURNAMENT_STOPPED)
                await _unless_refused(work)

    # What happens at its tables

    def _table_changed(self, table: Table) -> None:
        """Note a change of a table, or a par of one that is over, if it matters to its tournament."""
        if table.tournament is None or self._is_closed:
            return
        live = self._live.get(table.tournament.tournament)
        if live is not None:
            round_table = live.value.table_in(table.tournament.round, table.tournament.number)
            if (
                round_table
                and round_table.table == table.id
                and changes.noted(round_table, table) == round_table
            ):
                return
        self._work.start(self._note(table))

    async def _note(self, table: Table) -> None:
        """Note what has happened at a table; a par may come after the end of the tournament."""
        assert table.tournament is not None
        game = table.tournament

        def change(tournament: Tournament) -> Tournament:
            round_table = tournament.table_in(game.round, game.number)
            if round_table is None or round_table.table not in (None, table.id):
                return tournament
            round = tournament.rounds[game.round - 1]
            new = changes.noted(round_table, table)
            if new.is_over and not round_table.is_over:
                tournament = changes.with_seats_noted(tournament, round_table, table)
            return changes.with_table(tournament, round, new, self._clock())

        try:
            try:
                await self._change(game.tournament, change)
            except Refusal as refusal:
                if refusal.id != "tournament_over":
                    raise
                await self._note_late(table)
        except Exception as error:
            _log(f"what happened at table {table.id} could not be noted", error)
            if not (isinstance(error, Refusal) and error.id == "damaged"):
                self._note_later(table.id)

    def _note_later(self, id: int) -> None:
        """Try again in a minute, once for each table however often it changes meanwhile."""
        if id not in self._to_note:
            self._to_note.add(id)
            asyncio.get_running_loop().call_later(RETRY_AFTER, self._note_again, id)

    def _note_again(self, id: int) -> None:
        """Note what has happened at a table by now, as an earlier attempt failed."""
        self._to_note.discard(id)
        if not self._is_closed:
            self._work.start(self._note_newest(id))

    async def _note_newest(self, id: int) -> None:
        try:
            await self._note(await self._tables.games.whole(id))
        except Refusal as refusal:
            log.warning("table %s of a tournament can't be read: %s", id, refusal)
            if refusal.id not in ("damaged", "table_gone"):
                self._note_later(id)

    async def _catch_up(self, live: Live[Tournament], round_table: RoundTable, round: int) -> None:
        """Note what has happened at this table before the start; one that can't be read counts as over."""
        id = round_table.table or await storage.table_of(
            self._database, live.value.id, round, round_table.number
        )  # it may have been opened without that being noted
        if id is None:
            return
        try:
            await self._note(await self._tables.games.whole(id))
        except Refusal as refusal:
            if round_table.is_over or refusal.id not in ("damaged", "table_gone"):
                return
            over = replace(round_table, state=TableState.DONE)
            await _unless_refused(
                self._change(
                    live.value.id,
                    lambda one: changes.with_table(one, one.rounds[round - 1], over, self._clock()),
                )
            )

    async def _close_strays(self) -> None:
        """Close the tables of tournaments that ended just before the program was killed."""
        for table in self._tables.live:
            game = table.tournament
            if game is None or game.tournament in self._live:
                continue
            stored = await storage.find_tournament(self._database, game.tournament)
            if stored is None or stored.state not in (
                TournamentState.STOPPED.value,
                TournamentState.OVER.value,
            ):
                continue
            try:
                await self._tables.change(table.id, close, NoticeKind.TOURNAMENT_STOPPED)
            except Exception as error:
                _log(f"table {table.id} of a tournament that is over could not be closed", error)

    async def _note_late(self, table: Table) -> None:
        """Note a par that has arrived after the end of the tournament, as it may change the result."""
        assert table.tournament is not None
        game = table.tournament
        async with self._late:
            old = await self.find(game.tournament)
            round_table = old.table_in(game.round, game.number)
            if old.state is not TournamentState.OVER or round_table is None or round_table.table != table.id:
                return
            round = old.rounds[game.round - 1]
            new = old.with_round(round.with_table(changes.noted(round_table, table)))
            if new != old:
                await update(self._database, old, new)
                self.notify(new)


def _to_open(tournament: Tournament) -> list[RoundTable]:
    """The tables of the current round that wait for a place."""
    if tournament.state is not TournamentState.PLAYING or tournament.round is None:
        return []
    return [table for table in tournament.round.tables if table.state is TableState.WAITING]


def _read(stored: StoredTournament) -> Tournament:
    """Restore a stored tournament; Refusal, and a line in the log, if it is damaged."""
    try:
        return restore(stored)
    except Exception as problem:  # damage can raise anything
        log.error("tournament %s is damaged: %s: %s", stored.id, type(problem).__name__, problem)
        raise Refusal("damaged") from problem


def _log(failure: str, error: Exception) -> None:
    """Log a failure that will be tried again: a bug with its traceback, anything else in one line."""
    is_bug = not isinstance(error, (Refusal, TimeoutError))
    log.log(logging.ERROR if is_bug else logging.WARNING, "%s: %s", failure, error, exc_info=is_bug)


async def _unless_refused(work: Awaitable[Any]) -> None:
    """Await this work; a Refusal is only logged."""
    try:
        await work
    except Refusal as refusal:
        log.info("a tournament went on without what was refused: %s", refusal)
