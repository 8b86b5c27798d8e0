"""Stores tables in the database and restores them: each as a whole value, with the log of its game's moves.

The transaction that ends a game also stores its results and achievements.
"""

import json
import logging
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from engine.errors import Refusal
from engine.loading import Load
from engine.names import NOBODY
from engine.play import moves as moves_
from engine.play.achievements import Part, count_queens_given, count_queens_taken, in_career, in_game
from engine.play.deal import Deal, replay_deal, start_deal
from engine.play.feats import has_shot_moon
from engine.play.game import Game
from engine.play.moves import Dealt, Played, SeatMove
from engine.play.par import Par, gain
from engine.rules.options import Goal
from engine.storage import privacy
from engine.storage import tables as storage
from engine.storage.codec import Codec, plain
from engine.storage.daily import insert_daily_result
from engine.storage.database import Database
from engine.storage.pars import day_pars, insert_par, pars_of, update_results
from engine.storage.results import (
    GameKind,
    Result,
    achievements_at,
    career_of,
    insert_results,
    note_achievements,
    rated_at,
    ratings_at,
    unseen_achievements,
    unseen_ratings,
)
from engine.storage.settings import NOTE_TRACES, TRACES_LEFT
from engine.storage.tables import StoredTable
from engine.tables import changes
from engine.tables.days import daily_result
from engine.tables.picks import Picks
from engine.tables.seats import FormerOccupant, Invitation, SeatClaim, counts_as_played
from engine.tables.table import Achieved, State, Table, TableInfo

log = logging.getLogger(__name__)
T = TypeVar("T", bound=TableInfo)
#: The most moves that are replayed in the event loop, in some 10 ms; longer logs are replayed outside it.
SHORT_LOG = 150
#: More deals than any game has.
MOST_DEALS = 1_000_000
#: Fields with columns of their own, and fields that follow from the moves and the results.
_COLUMNS = ("id", "guild", "channel", "state")
_DERIVED = ("game", "logged", "unsaved", "achieved", "rated", "pars")
#: Fields that change with every card, and are written apart from the rest.
_TURN = ("timer", "margins")
_BODY = Codec(Table, but=(*_COLUMNS, *_DERIVED, *_TURN))
_ONE_TURN = Codec(Table, only=_TURN)


@dataclass(frozen=True, slots=True)
class Damaged:
    """A table that can't be read or resumed, and its channel."""

    id: int
    channel: int


class TableStore:
    """The tables in the database: each with the log of its moves."""

    def __init__(self, database: Database, load: Load) -> None:
        self._database = database
        self._load = load

    async def open(self, table: Table, now: float) -> Table:
        """Store a new table and the first moves of its game; returns the table with its id."""
        columns, moves = _columns(table), [moves_.to_json(move) for move in table.unsaved]
        people = people_of(table)

        def write(connection: sqlite3.Connection) -> int:
            id = storage.insert(connection, columns, people, now)
            storage.append_moves(connection, id, 0, moves)
            return id

        id = await self._database.write(write)
        return replace(table, id=id, logged=len(moves), unsaved=())

    async def append(self, old: Table, new: Table, now: float) -> Table:
        """Store all changes in one transaction; returns the table with nothing left to save."""
        moves = [moves_.to_json(move) for move in new.unsaved]
        new = replace(new, picks=_picks_to_store(new))
        changed = _columns(new, old)

        def write(connection: sqlite3.Connection) -> Table:
            storage.append_moves(connection, new.id, old.logged, moves)
            _update(connection, old, new, changed)
            if not new.is_live and not _is_worth_keeping(new):
                storage.update(connection, new.id, {"unplayed_since": now})
            if new.state is State.OVER and new.daily is None and _was_played(new):
                insert_results(connection, new.id, results_of(new, now))
                achieved = award(connection, new)
                return replace(new, achieved=achieved, rated=rated_at(connection, new.id))
            if result := daily_result(new, now):
                insert_daily_result(connection, result)
            return new

        saved = await self._database.write(write)
        return replace(saved, logged=old.logged + len(moves), unsaved=())

    async def unseen(self) -> tuple[list[Table], list[Damaged]]:
        """Every table that is live or whose end hasn't been shown, and those that can't be read."""
        tables, damaged = [], []
        achieved, ratings = await unseen_achievements(self._database), await unseen_ratings(self._database)
        for stored in await storage.unseen_tables(self._database):
            try:
                table = with_achieved(restore(stored), achieved.get(stored.id, ()))
                table = replace(table, rated=tuple(ratings.get(stored.id, ())))
            except Refusal:
                damaged.append(Damaged(stored.id, stored.channel))
            else:
                if not stored.is_damaged or await self._take_back(table):
                    tables.append(table)
        if damaged:
            await storage.set_aside(self._database, [one.id for one in damaged])
        return await self._with_pars(tables), damaged

    async def drop_unplayed(self, before: float) -> None:
        """Delete the tables that closed before then without a finished deal."""

        def write(connection: sqlite3.Connection) -> int:
            dropped = storage.drop_unplayed(connection, before)
            if dropped:
                connection.execute(NOTE_TRACES, (TRACES_LEFT,))
            return dropped

        while await self._database.write(write) == storage.MOST_DROPPED:
            pass

    async def drop_invitations(self, before: float) -> None:
        """Forget invitations from before then (seconds since 1970) to tables that have ended."""

        def write(connection: sqlite3.Connection) -> None:
            for stored in storage.ended_with_invitations(connection):
                with suppress(Refusal), _reading(stored):
                    table = without_game(stored)
                    new = replace(
                        table, invitations=tuple([one for one in table.invitations if one.at >= before])
                    )
                    _update(connection, table, new, _columns(new, table))

        await self._database.write(write)

    async def set_aside(self, id: int) -> None:
        """Mark this table as damaged, which frees its channel and leaves the table unchanged."""
        await storage.set_aside(self._database, [id])

    async def _take_back(self, table: Table) -> bool:
        """Let a repaired table go on; returns False if its channel has another one."""
        is_free = await storage.take_back(self._database, table.id)
        if not is_free:
            log.warning(
                "table %s can be read again, but channel %s has another",
                table.id,
                channel_in_log(table.channel),
            )
        return is_free

    async def find(self, id: int) -> TableInfo | None:
        """The public part of the table with this id, whatever its state; Refusal if it is damaged."""
        stored = await storage.table(self._database, id)
        if stored is None:
            return None
        if stored.is_damaged:
            raise Refusal("damaged")
        with _reading(stored):
            info: TableInfo = without_game(stored)
        [info] = await self._with_pars([info])
        return info

    async def whole(self, id: int) -> Table | None:
        """The table with this id and its game, whatever its state; Refusal if it is damaged."""
        stored = await storage.table(self._database, id, moves=True)
        return await self._restore(stored) if stored else None

    async def ended(self, id: int) -> Table | None:
        """An ended table with its achievements and the ratings after it; None if it isn't stored."""
        table = await self.whole(id)
        if table is None:
            return None
        achieved, rated = await achievements_at(self._database, id), await ratings_at(self._database, id)
        return replace(with_achieved(table, achieved), rated=tuple(rated))

    async def _restore(self, stored: StoredTable) -> Table:
        if stored.is_damaged:
            raise Refusal("damaged")
        with _reading(stored):
            is_short = len(stored.moves) <= SHORT_LOG
            table = _rebuild(stored) if is_short else await self._load(_rebuild, stored)
        [table] = await self._with_pars([table])
        return table

    async def _with_pars(self, tables: Sequence[T]) -> list[T]:
        """The tables with the pars of their finished deals; daily deals get theirs once the day is over."""
        by_table = await pars_of(self._database, [table.id for table in tables])
        days = {table.daily.day for table in tables if table.daily}
        by_day = {day: await day_pars(self._database, day) for day in days}
        return [
            replace(table, pars=by_day[table.daily.day] if table.daily else by_table.get(table.id, {}))
            for table in tables
        ]

    async def put_par(self, table: Table, deal: int, par: Par) -> Table:
        """Store the par of this deal (from 1), and add it to the results if the game has ended."""
        new = replace(table, pars={**table.pars, deal: par})
        results = results_of(new, 0.0) if new.state is State.OVER and new.daily is None else []

        def write(connection: sqlite3.Connection) -> None:
            insert_par(connection, new.id, deal, par)
            update_results(connection, new.id, results)

        await self._database.write(write)
        return new

    async def deal(self, table: TableInfo, number: int) -> Deal | None:
        """This table's deal (from 1) as far as it was played; None without one, Refusal if it is damaged."""
        stored = await storage.deal(self._database, table.id, number)
        if not stored:
            return None
        with _reading(table):
            dealt, *moves = [moves_.from_json(table.rules, json.loads(move)) for move in stored]
            assert isinstance(dealt, Dealt)
            seat_moves = [move for move in moves if isinstance(move, SeatMove)]
            leader = next((move.seat for move in seat_moves if isinstance(move, Played)), None)
            return replay_deal(start_deal(table.rules, number, dealt, leader), seat_moves)

    async def latest_game(self, channel: int, *, but: int = 0) -> Table | None:
        """The last table of this channel, other than `but`, at which something was dealt.

        Refusal if it is damaged.
        """
        stored = await storage.latest_game(self._database, channel, but=but)
        return await self._restore(stored) if stored else None


# Converting tables to what is stored, and back


def _columns(table: Table, old: Table | None = None) -> dict[str, Any]:
    """The columns of a table or, given an `old` one, those that differ."""
    columns: dict[str, Any] = {"guild": table.guild, "channel": table.channel, "state": table.state.value}
    if old is not None:
        before = {"guild": old.guild, "channel": old.channel, "state": old.state.value}
        columns = {name: value for name, value in columns.items() if value != before[name]}
    for name, codec in (("body", _BODY), ("turn", _ONE_TURN)):
        if old is None or codec.differ(old, table):
            columns[name] = codec.encode(table)
    return columns


def _update(connection: sqlite3.Connection, old: Table, new: Table, changed: dict[str, Any]) -> None:
    """Write changed columns, and update the index of the people they name."""
    storage.update(connection, new.id, changed)
    if "body" in changed or "channel" in changed:
        before, people = people_of(old), people_of(new)
        if people != before:
            storage.put_people(connection, new.id, people)
        if set(before.items()) - set(people.items()):
            connection.execute(NOTE_TRACES, (TRACES_LEFT,))


def people_of(table: TableInfo) -> dict[int, str]:
    """Everyone whom the table names in any role, with the name it has for them, or an empty one."""
    others = [one.inviter for one in table.invitations] + [storage.player_of(table.channel), table.first]
    names = {table.host: ""} | {one: "" for one in others if one is not None}
    names |= {seat.person: seat.name for seat in table.seats if seat.person is not None}
    guests: tuple[SeatClaim | FormerOccupant | Invitation, ...]
    guests = (*table.seat_claims, *table.former_occupants, *table.invitations)
    names |= {one.person: one.name for one in guests}
    names.pop(NOBODY, None)
    return names


def _is_worth_keeping(table: Table) -> bool:
    """Whether a deal was finished here, or the table belongs to a tournament."""
    return table.tournament is not None or (table.game is not None and bool(table.game.points))


def _was_played(table: Table) -> bool:
    """Whether a person has played here: at a tournament's table, it may have been only computers."""
    return table.tournament is None or any(table.tournament.played)


def _picks_to_store(table: Table) -> Picks:
    """The picks without those of former players; none for a table that has ended."""
    if not table.picks or not table.is_live:
        return ()
    seats = zip(table.picks, table.seats, strict=True)
    picks = tuple([picked if seat.person is not None else None for picked, seat in seats])
    return picks if any(picked is not None for picked in picks) else ()


def restore(stored: StoredTable) -> Table:
    """Rebuild a table from its body and its moves; Refusal, and a line in the log, if they are damaged."""
    with _reading(stored):
        return _rebuild(stored)


def _rebuild(stored: StoredTable) -> Table:
    table = without_game(stored)
    if table.state is State.LOBBY or (table.state is State.STOPPED and not stored.moves):
        return table
    if [number for number, _ in stored.moves] != list(range(len(stored.moves))):
        raise ValueError("a move is missing")
    values = json.loads(f"[{','.join([move for _, move in stored.moves])}]")  # faster than one by one
    moves = [moves_.from_json(table.rules, value) for value in values]
    game = Game(table.rules, oldest=table.leads).replay(moves)
    if table.state is not State.STOPPED and (not game.deals or game.over != (table.state is State.OVER)):
        raise ValueError(f"a game whose moves do not make it {table.state.value}")
    return replace(table, game=game, logged=len(moves))


def without_game(stored: StoredTable) -> Table:
    """Decode a table without its game; raises if it is damaged."""
    columns = {name: getattr(stored, name) for name in ("id", "guild", "channel")}
    return _BODY.decode(stored.body, **columns, state=State(stored.state), **_ONE_TURN.fields(stored.turn))


@contextmanager
def _reading(table: StoredTable | TableInfo) -> Iterator[None]:
    """Turn anything that this block raises for a damaged table into a Refusal and a line in the log."""
    try:
        yield
    except Exception as problem:  # damage can raise anything
        if isinstance(problem, Refusal) and problem.id == "cannot_load":
            raise
        where, what = channel_in_log(table.channel), type(problem).__name__
        log.error(
            "table %s of channel %s is damaged and left as it is: %s: %s", table.id, where, what, problem
        )
        raise Refusal("damaged") from problem


def channel_in_log(channel: int) -> int | None:
    """A channel to write to the log: None for a private table, whose number is its player's id."""
    return channel if channel > 0 else None


# One person's data in tables that have ended; the service handles live ones


def names(connection: sqlite3.Connection, person: int) -> set[str]:
    """The names that this person has at tables."""
    return privacy.names_in(storage.tables_of(connection, person), without_game, people_of, person)


def forget(connection: sqlite3.Connection, person: int) -> None:
    """Remove this person from every table that has ended."""
    for stored in storage.tables_of(connection, person):
        if stored.is_live:
            continue
        try:
            table = without_game(stored)
        except Exception as problem:
            log.error("table %s can't be read and tells of somebody: it is deleted: %r", stored.id, problem)
            storage.delete(connection, stored.id)
            continue
        new = changes.forget(table, person)
        _update(connection, table, new, _columns(new, table))


def about(connection: sqlite3.Connection, person: int) -> list[dict[str, Any]]:
    """What each table holds about this person, as JSON values, without others' cards, picks or answers."""
    return privacy.about_each(
        "table",
        storage.tables_of(connection, person),
        without_game,
        lambda stored, table: _about(connection, table, stored.opened_at, person),
    )


def _about(connection: sqlite3.Connection, table: Table, opened_at: float, person: int) -> dict[str, Any]:
    number, claim, invitation = table.seat_of(person), table.claim_of(person), table.invitation_of(person)
    former = [one for one in table.former_occupants if one.person == person]
    tenures = [(one.seat, one.since, one.until) for one in former]
    if number is not None:
        tenures.append((number, table.seats[number].since, MOST_DEALS))
    return {
        "table": table.id,
        "server": privacy.id_text(table.guild),
        "channel": privacy.id_text(table.channel),
        "opened": privacy.time_text(opened_at),
        "state": table.state.value,
        "rules": table.rules.to_whole_json(),
        "is_host": table.host == person,
        "is_named_to_lead_first": table.first == person,
        "seat": None if number is None else {"number": number, **_without_ids(table.seats[number])},
        "seats_lost": [_without_ids(one) for one in former],
        "seat_wanted": claim and _without_ids(claim),
        "invitation": invitation and _without_ids(invitation),
        "invitations_sent": [
            {"way": one.way.value, "at": privacy.time_text(one.at)}
            for one in table.invitations
            if one.inviter == person
        ],
        "places_in_hand_picked_to_pass": (number is not None and table.picks and table.picks[number]) or (),
        "hints_asked_for": [
            {"deal": one.deal, "after_cards": one.after} for one in table.asked if one.seat == number
        ],
        "moves": [move for seat in tenures for move in privacy.moves_of(connection, table.id, *seat)],
    }


def _without_ids(value: Any) -> dict[str, Any]:
    """A part of a table about one person, as JSON, without the ids of the person and the inviter."""
    values = plain(value)
    return {name: values[name] for name in values if name not in ("person", "inviter")}


# Results: one for each person who has played in a finished game


def results_of(table: Table, ended_at: float) -> list[Result]:
    """The results of the people who have played in an ended game.

    Places follow from the totals, but players who have left come last: those who left by command or with the
    server, or were away for too long, and haven't come back, and those whose seats others have taken. They
    keep only the deals that were finished when they went: a computer played the others. Latecomers have a
    result for their own deals if these are at least half; the seat's total stays with the seat.
    """
    game = table.game
    assert game is not None
    goal, tenures = table.rules.winner, _tenures(table, len(game.points))
    winners = table.leaders(game.totals) if game.winners is not None else ()
    places = _places(tenures, [-goal.sign * total for total in game.totals])
    results = []
    for tenure, place in zip(tenures, places, strict=True):
        number, played = tenure.seat, slice(tenure.since - 1, tenure.until_away)
        points, deals = [deal[number] for deal in game.points[played]], game.deals[played]
        gains = [
            gain(table.rules, game.points[deal.number - 1], table.pars[deal.number])[number]
            for deal in deals
            if deal.number in table.pars
        ]
        results.append(
            Result(
                person=tenure.person,
                name=tenure.name,
                seat=number,
                guild=table.guild,
                kind=GameKind(table.rules.preset.name, goal is Goal.LOWEST),
                ended_at=ended_at,
                people=len(tenures),
                place=place,
                won=number in winners and not tenure.left_early,
                left_early=tenure.left_early,
                points=sum(points),
                deals=len(points),
                best=goal.best(points) if points else None,
                worst=goal.worst(points) if points else None,
                moons=sum(has_shot_moon(deal, number) for deal in deals),
                queens=sum(count_queens_taken(deal.piles[number]) for deal in deals),
                queens_given=sum(count_queens_given(deal.tricks, number) for deal in deals),
                par_deals=len(gains),
                par_gain=sum(gains),
                par_squares=sum([one * one for one in gains]),
            )
        )
    return results


@dataclass(frozen=True, slots=True)
class _Tenure:
    """A person's time in a seat, from the deal `since` to the deal `until` (from 1)."""

    person: int
    name: str
    seat: int
    since: int
    until: int
    left_early: bool
    deals_before_away: int | None = None

    @property
    def until_away(self) -> int:
        """The last deal that the person played to its end; `until` if they stayed for all of them."""
        if not self.left_early or self.deals_before_away is None:
            return self.until
        return self.deals_before_away


def _tenures(table: Table, deals: int) -> list[_Tenure]:
    """The last tenure of each person whose game counts, ordered by seat."""
    former = [
        _Tenure(one.person, one.name, one.seat, one.since, one.until, True, one.deals_before_away)
        for one in table.former_occupants
        if one.person != NOBODY
    ]
    present = [
        _Tenure(seat.person, seat.name, number, seat.since, deals, seat.has_left, seat.deals_before_away)
        for number, seat in enumerate(table.seats)
        if seat.person is not None
    ]
    counting = [one for one in (*former, *present) if counts_as_played(one.since, one.until, deals)]
    last = {tenure.person: tenure for tenure in counting}
    return sorted(last.values(), key=lambda tenure: (tenure.seat, tenure.until))


def _places(tenures: Sequence[_Tenure], totals: Sequence[int]) -> list[int]:
    """The place of each of these people, from 1: the lowest total first, players who left early last."""
    standing = [(tenure.left_early, 0 if tenure.left_early else totals[tenure.seat]) for tenure in tenures]
    return [1 + sum(other < mine for other in standing) for mine in standing]


# What people have achieved for the first time


def award(connection: sqlite3.Connection, table: Table) -> tuple[Achieved, ...]:
    """Store the players' new achievements, after their results; players away at the end get none."""
    return tuple(_award(connection, table))


def _award(connection: sqlite3.Connection, table: Table) -> Iterator[Achieved]:
    assert table.game is not None
    for number, seat in enumerate(table.seats):
        if seat.person is None or seat.away:
            continue
        proved = in_game(Part(table.game, number, seat.since, table.leaders(table.game.totals)))
        proved += in_career(career_of(connection, table.guild, seat.person))
        for id in note_achievements(connection, table.id, table.guild, seat.person, proved):
            yield Achieved(number, id)


def with_achieved(table: Table, noted: Iterable[tuple[int, str]]) -> Table:
    """The table with these people's achievements."""
    seats = {seat.person: number for number, seat in enumerate(table.seats)}
    achieved = [Achieved(seats[person], id) for person, id in sorted(noted) if person in seats]
    return replace(table, achieved=tuple(achieved))
