"""The table service: every change to a table comes through here, from people, computers and restarts alike.

Each call takes the table's lock, asks the rules, stores what changed in one transaction, and only
then changes what it holds in memory, tells the listener and answers.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from enum import Enum
from random import Random, SystemRandom

from engine.errors import Refusal
from engine.play import moves as moves_
from engine.play.game import Game, shuffle
from engine.play.moves import Move, SeatMove
from engine.play.views import PublicView, SeatView, public_view, seat_view
from engine.players import sensible_move
from engine.rules.options import Goal
from engine.rules.ruleset import Ruleset
from engine.storage import standings
from engine.storage import tables as store
from engine.storage.database import Database
from engine.storage.standings import Kind, Result

log = logging.getLogger(__name__)

Player = Callable[[SeatView, Random], SeatMove]


class State(Enum):
    """The stages of a table's life."""

    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"
    STOPPED = "stopped"


LIVE = (State.LOBBY, State.PLAYING)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat at a table: a person's, or a computer's where `person` is None."""

    person: int | None
    name: str
    away: bool = False  # a computer plays until this person comes back

    @property
    def is_played_by_person(self) -> bool:
        """Whether the game waits for a person here."""
        return self.person is not None and not self.away


@dataclass(frozen=True, slots=True)
class PublicTable:
    """A table as everyone sees it: all that a message in its channel can be made of."""

    id: int
    guild: int
    channel: int
    host: int
    rules: Ruleset
    state: State
    seats: tuple[Seat, ...]
    first: int | None
    view: PublicView | None  # None in the lobby

    @property
    def is_live(self) -> bool:
        """Whether anything can still happen here."""
        return self.state in LIVE


@dataclass(frozen=True, slots=True)
class Table:
    """A table at one moment; `game` is None in the lobby."""

    id: int
    guild: int
    channel: int
    host: int
    rules: Ruleset
    state: State = State.LOBBY
    seats: tuple[Seat, ...] = ()
    first: int | None = None  # the person named to lead the first deal where the oldest does (C3)
    game: Game | None = None

    @property
    def is_live(self) -> bool:
        """Whether anything can still happen here."""
        return self.state in LIVE

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats that people play."""
        return tuple(seat for seat in self.seats if seat.is_played_by_person)

    @property
    def public(self) -> PublicTable:
        """What everyone may see."""
        view = public_view(self.game) if self.game else None
        return PublicTable(
            self.id,
            self.guild,
            self.channel,
            self.host,
            self.rules,
            self.state,
            self.seats,
            self.first,
            view,
        )

    def seat_of(self, person: int) -> int | None:
        """Where this person sits, away or not."""
        return next((number for number, seat in enumerate(self.seats) if seat.person == person), None)


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a game stood when a control was shown; `trick` (from 0) is None before play."""

    deal: int
    trick: int | None = None

    def is_past(self, game: Game) -> bool:
        """Whether the game has moved on since."""
        if len(game.deals) != self.deal:
            return True
        return self.trick is not None and self.trick != len(game.deals[-1].tricks)


@dataclass(slots=True)
class _Live:
    table: Table
    moves: int = 0  # how many lie in the log
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


Listener = Callable[[Table], None]


class Tables:
    """All live tables. Chance, time and the computer player are handed in."""

    def __init__(
        self,
        database: Database,
        listener: Listener = lambda table: None,
        *,
        rng: Random | None = None,
        player: Player = sensible_move,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._listener = listener
        self._rng = rng or SystemRandom()
        self._player = player
        self._clock = clock
        self._live: dict[int, _Live] = {}
        self._opening = asyncio.Lock()

    async def resume(self) -> list[Table]:
        """Take up every live table of the database again, where its log ends."""
        for stored in await store.live_tables(self._database):
            table = _restore(stored)
            self._live[table.id] = _Live(table, len(stored.moves))
        return [live.table for live in self._live.values()]

    def get(self, id: int) -> Table:
        """The live table with this id; Refusal if there is none."""
        if id not in self._live:
            raise Refusal("table_gone")
        return self._live[id].table

    def in_channel(self, channel: int) -> Table | None:
        """The live table of this channel."""
        return next((live.table for live in self._live.values() if live.table.channel == channel), None)

    def at(self, channel: int) -> Table:
        """The live table of this channel; Refusal if there is none."""
        table = self.in_channel(channel)
        if table is None:
            raise Refusal("no_table")
        return table

    async def latest_game(self, channel: int) -> Table:
        """The game going on in this channel, or the last one there; Refusal if none has begun."""
        table = self.in_channel(channel)
        if table is None or table.game is None:
            stored = await store.latest_game(self._database, channel)
            if stored is None:
                raise Refusal("no_game_here")
            table = _restore(stored)
        return table

    async def open(self, guild: int, channel: int, host: Person, rules: Ruleset) -> Table:
        """A new table in its lobby, with the host seated."""
        return await self._open(guild, channel, host.id, rules, (Seat(host.id, host.name),))

    async def rematch(self, id: int, person: Person) -> Table:
        """A new lobby with an ended table's rules and seats; the person who asks is its host."""
        stored = await store.table(self._database, id)
        if stored is None:
            raise Refusal("table_gone")
        seats = tuple(Seat(owner, name) for owner, name, _ in stored.seats)
        if person.id not in [seat.person for seat in seats]:
            raise Refusal("not_seated")
        rules = Ruleset.from_json(stored.rules)
        return await self._open(stored.guild, stored.channel, person.id, rules, seats)

    async def join(self, id: int, person: Person) -> Table:
        """Take a seat in the lobby, or take one's own seat back from the computer."""
        async with self._changing(id) as live:
            table, number = live.table, live.table.seat_of(person.id)
            if number is not None:
                if not table.seats[number].away:
                    raise Refusal("already_seated")
                back = Seat(person.id, person.name)
                host = table.host if table.people else person.id
                return await self._save(live, replace(table, seats=_put(table, number, back), host=host))
            return await self._sit(live, Seat(person.id, person.name))

    async def change_rules(self, id: int, person: int, change: Callable[[Ruleset], Ruleset]) -> Table:
        """The host changes the house rules in the lobby; `change` makes the new ones of the old."""
        async with self._changing(id) as live:
            table = live.table
            self.check_is_hosting_lobby(table, person)
            rules = change(table.rules)
            if rules.players < len(table.seats):
                raise Refusal("seats_taken", seated=len(table.seats), players=rules.players)
            return await self._save(live, replace(table, rules=rules))

    async def name_first(self, id: int, person: int, first: int | None) -> Table:
        """The host names who leads the first deal (C3); with None it is the oldest account."""
        async with self._changing(id) as live:
            self.check_is_hosting_lobby(live.table, person)
            return await self._save(live, replace(live.table, first=first))

    @staticmethod
    def check_is_hosting_lobby(table: Table, person: int) -> None:
        """Refusal unless the table is in its lobby and this person its host."""
        if table.state is not State.LOBBY:
            raise Refusal("already_started")
        if table.host != person:
            raise Refusal("host_only", host=_host_name(table))

    async def add_computer(self, id: int, person: int) -> Table:
        """Give an empty seat of the lobby to a computer."""
        async with self._changing(id) as live:
            if live.table.seat_of(person) is None:
                raise Refusal("not_seated")
            return await self._sit(live, _next_computer(live.table.seats))

    async def leave(self, id: int, person: int) -> Table:
        """Get up: in the lobby the seat is free again, in a game a computer plays on."""
        async with self._changing(id) as live:
            table, number = live.table, live.table.seat_of(person)
            if number is None or table.seats[number].away:
                raise Refusal("not_seated")
            if table.state is State.LOBBY:
                seats = (*table.seats[:number], *table.seats[number + 1 :])
            else:
                seats = _put(table, number, replace(table.seats[number], away=True))
            table = replace(table, seats=seats)
            if table.people:
                hosts = [seat.person for seat in table.people if seat.person is not None]
                table = replace(table, host=table.host if table.host in hosts else hosts[0])
            elif table.state is State.LOBBY:
                table = replace(table, state=State.STOPPED)
            return await self._save(live, table)

    async def start(self, id: int, person: int) -> Table:
        """The host starts the game; computers take the seats that are still empty."""
        async with self._changing(id) as live:
            table = live.table
            self.check_is_hosting_lobby(table, person)
            while len(table.seats) < table.rules.players:
                table = replace(table, seats=(*table.seats, _next_computer(table.seats)))
            game = Game(table.rules, oldest=_oldest(table))
            return await self._save(live, replace(table, state=State.PLAYING, game=game))

    async def act(
        self, id: int, person: int, move: Callable[[int], SeatMove], at: Moment | None = None
    ) -> Table:
        """Make a person's move; `move` is called with their seat. Refusal if the rules forbid it.

        With `at`, refused as stale if the game has moved on from there.
        """
        async with self._changing(id) as live:
            table, number = live.table, live.table.seat_of(person)
            if table.game is None:
                raise Refusal("not_started")
            if number is None:
                raise Refusal("not_seated")
            if table.seats[number].away:
                raise Refusal("away")
            if at is not None and at.is_past(table.game):
                raise Refusal("stale")
            made = move(number)
            return await self._save(live, replace(table, game=table.game.advance(made)), [made])

    async def stop(self, id: int, person: int, *, may_manage: bool) -> Table:
        """End the table without a result: its host may, and whoever may manage the channel."""
        async with self._changing(id) as live:
            self.check_may_stop(live.table, person, may_manage=may_manage)
            return await self._save(live, replace(live.table, state=State.STOPPED))

    @staticmethod
    def check_may_stop(table: Table, person: int, *, may_manage: bool) -> None:
        """Refusal unless this person may stop the table."""
        if person != table.host and not may_manage:
            raise Refusal("may_not_stop", host=_host_name(table))

    @asynccontextmanager
    async def _changing(self, id: int) -> AsyncIterator[_Live]:
        live = self._live.get(id)
        if live is None:
            raise Refusal("table_gone")
        async with live.lock:
            if not live.table.is_live:  # it ended while we waited
                raise Refusal("table_gone")
            yield live

    async def _open(
        self, guild: int, channel: int, host: int, rules: Ruleset, seats: tuple[Seat, ...]
    ) -> Table:
        async with self._opening:
            old = self.in_channel(channel)
            if old and old.people:
                raise Refusal("table_in_channel")
            if old:  # everybody has left it
                await self.stop(old.id, host, may_manage=True)
            async with self._database.transaction() as connection:
                id = await store.insert(connection, guild, channel, host, rules.to_json(), self._clock())
                await store.put_seats(connection, id, _rows(seats))
            table = Table(id, guild, channel, host, rules, seats=seats)
            self._live[id] = _Live(table)
            self._tell(table)
            return table

    async def _sit(self, live: _Live, seat: Seat) -> Table:
        table = live.table
        if table.state is not State.LOBBY:
            raise Refusal("already_started")
        if len(table.seats) == table.rules.players:
            raise Refusal("table_full")
        return await self._save(live, replace(table, seats=(*table.seats, seat)))

    async def _save(self, live: _Live, table: Table, made: Sequence[Move] = ()) -> Table:
        """Let computers and chance move on, store all of it together, and tell."""
        moves = list(made)
        if table.state is State.PLAYING:
            table = self._run_on(table, moves)
        old = live.table
        async with self._database.transaction() as connection:
            await store.append_moves(connection, table.id, live.moves, [moves_.to_json(one) for one in moves])
            if replace(table, seats=old.seats, game=old.game) != old:
                rules = table.rules.to_json()
                await store.update(connection, table.id, table.host, table.first, rules, table.state.value)
            if table.seats != old.seats:
                await store.put_seats(connection, table.id, _rows(table.seats))
            if table.state is State.OVER:
                await standings.insert(connection, table.id, _results(table))
        live.moves += len(moves)
        live.table = table
        if not table.is_live:
            del self._live[table.id]
        self._tell(table)
        return table

    def _tell(self, table: Table) -> None:
        try:
            self._listener(table)
        except Exception:  # what is stored is done: who shows it must not undo it
            log.exception("table %s could not be told", table.id)

    def _run_on(self, table: Table, moves: list[Move]) -> Table:
        """Deal and let the computers play until the game is over or waits for a person."""
        game = table.game
        assert game is not None
        while not game.over and table.people:
            if game.deal is None:
                move: Move = shuffle(game, self._rng)
            else:
                computers = [
                    seat for seat in game.deal.waiting_for if not table.seats[seat].is_played_by_person
                ]
                if not computers:
                    break
                move = self._player(seat_view(game, computers[0]), self._rng)
            game = game.advance(move)
            moves.append(move)
        return replace(table, game=game, state=State.OVER if game.over else table.state)


def _restore(stored: store.StoredTable) -> Table:
    """The table as its log tells it."""
    rules = Ruleset.from_json(stored.rules)
    table = Table(
        stored.id,
        stored.guild,
        stored.channel,
        stored.host,
        rules,
        State(stored.state),
        tuple(Seat(*seat) for seat in stored.seats),
        stored.first,
    )
    if table.state is State.LOBBY:
        return table
    game = Game(rules, oldest=_oldest(table))
    for move in stored.moves:
        game = game.advance(moves_.from_json(rules, move))
    return replace(table, game=game)


def _oldest(table: Table) -> int:
    """C3: on Discord, the oldest account, unless the table names someone; no computer is older."""
    if table.first is not None and (named := table.seat_of(table.first)) is not None:
        return named
    return min(range(len(table.seats)), key=lambda number: table.seats[number].person or float("inf"))


def _results(table: Table) -> list[Result]:
    """What a finished game adds to the leaderboards. Whoever left it for good has played, not won."""
    game = table.game
    assert game is not None
    winners = game.winners or ()
    return [
        Result(
            seat=number,
            guild=table.guild,
            person=seat.person,
            name=seat.name,
            kind=Kind(table.rules.preset.name, table.rules.winner is Goal.LOWEST),
            won=number in winners and not seat.away,
            points=sum(deal.points[number] for deal in game.deals if deal.points),
            deals=len(game.deals),
            moons=sum(deal.shooter == number for deal in game.deals),
        )
        for number, seat in enumerate(table.seats)
        if seat.person is not None
    ]


def _rows(seats: Sequence[Seat]) -> list[tuple[int | None, str, bool]]:
    return [(seat.person, seat.name, seat.away) for seat in seats]


def _put(table: Table, number: int, seat: Seat) -> tuple[Seat, ...]:
    return (*table.seats[:number], seat, *table.seats[number + 1 :])


def _next_computer(seats: Sequence[Seat]) -> Seat:
    taken = {seat.name for seat in seats if seat.person is None}
    number = next(number for number in range(1, 99) if f"Computer {number}" not in taken)
    return Seat(None, f"Computer {number}")


def _host_name(table: Table) -> str:
    return next((seat.name for seat in table.seats if seat.person == table.host), "the host")
