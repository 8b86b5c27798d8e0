"""Tables in the database, and back: a table's settings and the log of its moves, from which its game follows.

In the transaction that ends a game its results and achievements are stored too.
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

from engine.errors import Refusal
from engine.languages import ENGLISH, by_code
from engine.loading import Load
from engine.names import NOBODY
from engine.play import moves as moves_
from engine.play.achievements import Part, count_queens_given, count_queens_taken, in_career, in_game
from engine.play.deal import Deal, Phase, replay_deal, start_deal
from engine.play.feats import has_shot_moon
from engine.play.game import Game
from engine.play.moves import Dealt, Played, SeatMove
from engine.play.par import Par, gain
from engine.players import Strength
from engine.rules.options import Goal
from engine.rules.ruleset import Ruleset
from engine.storage import tables as storage
from engine.storage.daily import insert_daily_result
from engine.storage.damage import reader
from engine.storage.database import Database
from engine.storage.pars import day_pars, insert_par, pars_of, update_results
from engine.storage.results import (
    Kind,
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
from engine.storage.tables import Picked, Rows, Seating, StoredSeat, StoredTable, picked_cards, put_picks
from engine.storage.tournaments import link_table
from engine.tables.days import daily_result
from engine.tables.picks import Picks, Places, places_in_hand
from engine.tables.seats import Seat, Seats, counts_as_played
from engine.tables.table import (
    Achieved,
    Asked,
    DailyGame,
    Hints,
    Notice,
    Outcome,
    Pace,
    Plan,
    State,
    Table,
    TableInfo,
    Timer,
    TournamentGame,
    Vote,
)

log = logging.getLogger(__name__)
T = TypeVar("T", bound=TableInfo)
#: The moves of a log that are replayed within some 10 ms; longer logs are replayed outside the loop.
SHORT = 150


@dataclass(frozen=True, slots=True)
class Damaged:
    """A table whose rows cannot be read, and its channel if that can."""

    id: int
    channel: int | None


class TableStore:
    """The tables in the database: each with the log of its moves."""

    def __init__(self, database: Database, load: Load) -> None:
        self._database = database
        self._load = load

    async def open(self, table: Table, now: float) -> Table:
        """Store a new table with what was played there at once; returns the table with its id."""
        stored, moves = to_stored(table), [moves_.to_json(move) for move in table.unsaved]

        def write(connection: sqlite3.Connection) -> int:
            id = storage.insert(connection, stored, now)
            if mark := table.tournament:
                link_table(connection, mark.tournament, mark.round, mark.number, id)
            storage.append_moves(connection, id, 0, moves)
            return id

        id = await self._database.write(write)
        return replace(table, id=id, logged=len(moves), unsaved=())

    async def append(self, old: Table, new: Table, now: float) -> Table:
        """Store what has changed, all in one transaction; returns the table with nothing left to save."""
        moves = [moves_.to_json(move) for move in new.unsaved]

        def write(connection: sqlite3.Connection) -> Table:
            storage.append_moves(connection, new.id, old.logged, moves)
            if old.known != new.known:
                storage.update(connection, to_stored(old), to_stored(new))
            if _picked(old) != (picked := _picked(new)):
                put_picks(connection, new.id, picked)
            if not new.is_live and not _is_worth_keeping(new):
                storage.note_unplayed(connection, new.id, now)
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
        """Every table that is live or whose end nobody has seen, and those that cannot be read."""
        tables, damaged = [], []
        picked = await picked_cards(self._database)
        achieved, ratings = await unseen_achievements(self._database), await unseen_ratings(self._database)
        for rows in await storage.unseen_tables(self._database):
            try:
                table = _with_picks(restore(rows), picked.get(rows.id, {}))
                table = with_achieved(table, achieved.get(rows.id, ()))
                table = replace(table, rated=tuple(ratings.get(rows.id, ())))
            except Refusal:
                damaged.append(Damaged(rows.id, rows.channel if isinstance(rows.channel, int) else None))
            else:
                if not rows.is_set_aside or await self._take_back(table):
                    tables.append(table)
        if damaged:
            await storage.set_aside(self._database, [one.id for one in damaged])
        return await self._with_pars(tables), damaged

    async def drop_unplayed(self, before: float) -> None:
        """Delete the tables that closed before then without a finished deal."""
        while await storage.drop_unplayed(self._database, before):
            pass

    async def set_aside(self, id: int) -> None:
        """Leave this table as it is, and free its channel."""
        await storage.set_aside(self._database, [id])

    async def _take_back(self, table: Table) -> bool:
        """Whether a table that has been repaired can go on."""
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
        rows = await storage.table(self._database, id)
        if rows is None:
            return None
        if rows.is_set_aside:
            raise Refusal("damaged")
        with reading_table(rows.id, rows.channel):
            info: TableInfo = without_game(storage.parse(rows))
        [info] = await self._with_pars([info])
        return info

    async def whole(self, id: int) -> Table | None:
        """The table with this id and its game, whatever its state; Refusal if it is damaged."""
        rows = await storage.table(self._database, id, moves=True)
        if rows is None:
            return None
        if rows.is_set_aside:
            raise Refusal("damaged")
        return await self._restore(rows)

    async def ended(self, id: int) -> Table | None:
        """The same as at its end: with what was achieved, and what has become of ratings."""
        table = await self.whole(id)
        if table is None:
            return None
        achieved, rated = await achievements_at(self._database, id), await ratings_at(self._database, id)
        return replace(with_achieved(table, achieved), rated=tuple(rated))

    async def _restore(self, rows: storage.Rows) -> Table:
        if len(rows.moves) <= SHORT:
            table = restore(rows)
        else:
            table = checked(rows, await self._load(restore_or_fault, rows))
        [table] = await self._with_pars([table])
        return table

    async def _with_pars(self, tables: Sequence[T]) -> list[T]:
        """The tables with the pars of their finished deals; of daily deals once their day is over."""
        known = await pars_of(self._database, [table.id for table in tables])
        days = {table.daily.day for table in tables if table.daily}
        by_day = {day: await day_pars(self._database, day) for day in days}
        return [
            replace(table, pars=by_day[table.daily.day] if table.daily else known.get(table.id, {}))
            for table in tables
        ]

    async def put_par(self, table: Table, deal: int, par: Par) -> Table:
        """Store the par of this deal (from 1), and what it adds to the results of a game that has ended."""
        new = replace(table, pars={**table.pars, deal: par})
        results = results_of(new, 0.0) if new.state is State.OVER and new.daily is None else []

        def write(connection: sqlite3.Connection) -> None:
            insert_par(connection, new.id, deal, par)
            update_results(connection, new.id, results)

        await self._database.write(write)
        return new

    async def deal(self, table: TableInfo, number: int) -> Deal | None:
        """This table's deal of this number (from 1) as far as it was played; Refusal if it is damaged."""
        found = await storage.deal(self._database, table.id, number)
        if not found:
            return None
        with reading_table(table.id, table.channel):
            dealt, *moves = [moves_.from_json(table.rules, json.loads(move)) for move in found]
            assert isinstance(dealt, Dealt)
            made = [move for move in moves if isinstance(move, SeatMove)]
            led = next((move.seat for move in made if isinstance(move, Played)), None)
            return replay_deal(start_deal(table.rules, number, dealt, led), made)

    async def latest_game(self, channel: int, *, but: int = 0) -> Table | None:
        """The last table of this channel, other than `but`, at which something was dealt.

        Refusal if it is damaged.
        """
        rows = await storage.latest_game(self._database, channel, but=but)
        return await self._restore(rows) if rows else None


# A table to its rows


def to_stored(table: Table) -> StoredTable:
    """The table as it is stored, without its moves."""
    notice = table.notice
    return StoredTable(
        id=table.id,
        guild=table.guild,
        channel=table.channel,
        host=table.host,
        first=table.first,
        rules=table.rules.to_whole_json(),
        state=table.state.value,
        pace=table.pace.value,
        conduct=_settings_to_json(table),
        paused=table.paused,
        timer=asdict(table.timer) if table.timer else None,
        notice={**asdict(notice), "kind": notice.kind.value} if notice else None,
        strength=table.strength.value,
        seating=Seating(
            tuple(map(_to_stored_seat, table.seats)),
            table.seat_claims,
            table.former_occupants,
            table.invitations,
        ),
    )


def _settings_to_json(table: Table) -> dict[str, Any]:
    """The settings of a table besides its rules and its pace; players go by their seats."""
    return {
        "finishes_early": table.finishes_early,
        "points_out_moons": table.points_out_moons,
        "takes_latecomers": table.takes_latecomers,
        "hints": table.hints.value,
        "language": table.language.code,
        "asked": [[one.deal, one.seat, one.after] for one in table.asked],
        "vote": _vote_to_json(table.vote) if table.vote else None,
        "gone": _gone_to_json(table),
        "kept": [[number, seat.kept_until] for number, seat in enumerate(table.seats) if seat.kept_until],
        **({"daily": asdict(table.daily)} if table.daily else {}),
        **({"tournament": _tournament_to_json(table.tournament)} if table.tournament else {}),
        **(_plan_to_json(table, table.plan) if table.plan else {}),
        **({"called_at": table.called_at} if table.called_at else {}),
        **({"oldest": table.game.oldest} if table.game else {}),
    }


def _tournament_to_json(mark: TournamentGame) -> dict[str, Any]:
    played, left = [sorted(seats) for seats in mark.played], sorted(mark.left)
    return {**asdict(mark), "played": played, "left": left}


def _plan_to_json(table: Table, plan: Plan) -> dict[str, Any]:
    """A planned start, and the seats whose players are there for it."""
    return {"plan": asdict(plan), "here": [number for number, seat in enumerate(table.seats) if seat.is_here]}


def _gone_to_json(table: Table) -> list[list[int | None]]:
    """The deals that were done when players went, by seat; and by its last deal where another has it now."""
    gone = [[one.seat, one.until, one.deals_before_away] for one in table.former_occupants]
    gone += [[number, None, seat.deals_before_away] for number, seat in enumerate(table.seats)]
    return [one for one in gone if one[-1] is not None]


def _vote_to_json(vote: Vote) -> dict[str, Any]:
    """A vote as it is stored."""
    return {
        "number": vote.number,
        "asker": vote.asker,
        "agreed": sorted(vote.agreed),
        "refused": sorted(vote.refused),
        "outcome": vote.outcome.value if vote.outcome else None,
        "until": vote.until,
    }


def _vote_from_json(stored: dict[str, Any]) -> Vote:
    """A stored vote; those of older versions asked something else, so they are over."""
    if "motion" not in stored:
        return reader(Vote)(stored)
    return Vote(reader(int)(stored["number"]), None, outcome=Outcome.TOO_FEW, until=0.0)


def _to_stored_seat(seat: Seat) -> StoredSeat:
    return StoredSeat(seat.person, seat.name, seat.away, seat.missed, seat.strength.value, seat.since)


def _is_worth_keeping(table: Table) -> bool:
    """Whether a deal was finished here, or a tournament tells of it."""
    return table.tournament is not None or (table.game is not None and bool(table.game.points))


def _was_played(table: Table) -> bool:
    """Whether anyone has played here: of a tournament's table computers alone may have."""
    return table.tournament is None or any(table.tournament.played)


def _picked(table: Table) -> dict[int, list[str]]:
    """The picked cards to store: none of players who are gone, or of tables that have ended."""
    if table.game is None or not table.is_live:
        return {}
    codes = _picks_to_codes(table.game, table.picks)
    return {seat: cards for seat, cards in codes.items() if table.seats[seat].person is not None}


def _picks_to_codes(game: Game, picks: Picks) -> dict[int, list[str]]:
    """The cards that each player has picked, by their codes."""
    hands = game.deals[-1].hands if picks else ()
    return {
        seat: [hands[seat][place].code for place in picked]
        for seat, picked in enumerate(picks)
        if picked is not None
    }


# A table from its rows, and its game from the log of its moves


def restore(rows: Rows) -> Table:
    """The table as its log tells it; Refusal, and a line in the log, if its rows are damaged."""
    return checked(rows, restore_or_fault(rows))


def restore_or_fault(rows: Rows) -> Table | str:
    """The table, or what is wrong with its rows: for another process, whose log nobody reads."""
    try:
        stored = storage.parse(rows)
        table = _play(without_game(stored), stored)
        _check_game(table)
        return table
    except Exception as problem:  # there is no end to what damaged rows can raise
        return f"{type(problem).__name__}: {problem}"


def checked(rows: Rows, found: Table | str) -> Table:
    """The table that was found; Refusal, and a line in the log, if it is a fault of these rows."""
    if isinstance(found, str):
        raise _damaged(rows.id, rows.channel, found)
    return found


@contextmanager
def reading_table(table: int, channel: Any) -> Iterator[None]:
    """Turn what damaged rows of a table make this block raise into a Refusal and a line in the log."""
    try:
        yield
    except Exception as problem:  # there is no end to what damaged rows can raise
        raise _damaged(table, channel, f"{type(problem).__name__}: {problem}") from problem


def _damaged(table: int, channel: Any, fault: str) -> Refusal:
    log.error(
        "table %s of channel %s is damaged and left as it is: %s", table, channel_in_log(channel), fault
    )
    return Refusal("damaged")


def channel_in_log(channel: Any) -> int | None:
    """A channel as the log may name it: a private table has its player's number instead, which it may not."""
    return channel if isinstance(channel, int) and channel > 0 else None


def without_game(stored: StoredTable) -> Table:
    """The table without its game; ValueError unless it is as other code relies on."""
    gone = {(seat, until): deals for seat, until, deals in _gone_from_json(stored.conduct)}
    table = Table(
        id=stored.id,
        guild=stored.guild,
        channel=stored.channel,
        host=stored.host,
        first=stored.first,
        rules=Ruleset.from_json(stored.rules),
        state=State(stored.state),
        pace=Pace(stored.pace),
        **_table_settings(stored.conduct),
        paused=stored.paused,
        timer=reader(Timer)(stored.timer) if stored.timer else None,
        notice=reader(Notice)(stored.notice) if stored.notice else None,
        strength=Strength(stored.strength),
        seats=_seats(stored, gone),
        seat_claims=stored.seating.seat_claims,
        invitations=stored.seating.invitations,
        former_occupants=tuple(
            [
                replace(one, deals_before_away=gone.get((one.seat, one.until)))
                for one in stored.seating.former_occupants
            ]
        ),
    )
    _check_seats(table)
    return table


def _table_settings(conduct: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a table that `_settings_to_json` wrote."""
    return {
        "finishes_early": bool(conduct["finishes_early"]),
        "points_out_moons": bool(conduct.get("points_out_moons", True)),
        "takes_latecomers": bool(conduct.get("takes_latecomers", True)),
        "hints": Hints(conduct["hints"]),
        "language": by_code(conduct.get("language", ENGLISH.code)),
        "asked": reader(tuple[Asked, ...])(conduct["asked"]),
        "vote": _vote_from_json(conduct["vote"]) if conduct.get("vote") else None,
        "daily": reader(DailyGame)(conduct["daily"]) if "daily" in conduct else None,
        "tournament": reader(TournamentGame)(conduct["tournament"]) if "tournament" in conduct else None,
        "plan": reader(Plan)(conduct["plan"]) if "plan" in conduct else None,
        "called_at": reader(float)(conduct["called_at"]) if "called_at" in conduct else None,
    }


def _gone_from_json(conduct: Mapping[str, Any]) -> tuple[tuple[int, int | None, int], ...]:
    """What `_gone_to_json` wrote; nothing of tables from before it did."""
    return reader(tuple[tuple[int, int | None, int], ...])(conduct.get("gone", ()))


def _seats(stored: StoredTable, gone: Mapping[tuple[int, int | None], int]) -> Seats:
    kept = dict(reader(tuple[tuple[int, float], ...])(stored.conduct.get("kept", ())))
    here = frozenset(reader(tuple[int, ...])(stored.conduct.get("here", ())))
    seats = enumerate(stored.seating.seats)
    return Seats(
        [
            replace(_seat(seat, kept.get(number), gone.get((number, None))), is_here=number in here)
            for number, seat in seats
        ]
    )


def _seat(stored: StoredSeat, kept_until: float | None, deals_before_away: int | None) -> Seat:
    seat = Seat(
        stored.person, stored.name, stored.away, stored.missed, Strength(stored.strength), stored.since
    )
    if not stored.away:
        return seat
    return replace(seat, kept_until=kept_until, deals_before_away=deals_before_away)


def _play(table: Table, stored: StoredTable) -> Table:
    """The table with its game, once that has begun."""
    if table.state is State.LOBBY or (table.state is State.STOPPED and not stored.moves):
        return table
    # Older tables don't say who leads first: the log knows, even if that person has been forgotten.
    led = next((move["seat"] for move in stored.moves if "played" in move), table.oldest)
    oldest = reader(int)(stored.conduct.get("oldest", led))
    moves = [moves_.from_json(table.rules, move) for move in stored.moves]
    return replace(table, game=Game(table.rules, oldest=oldest).replay(moves), logged=len(moves))


def _check_seats(table: Table) -> None:
    """Raise ValueError unless every seat that is named exists."""
    seats = range(len(table.seats))
    if len(seats) > table.rules.players:
        raise ValueError(f"{len(seats)} seats at a table for {table.rules.players}")
    if not {one.seat for one in table.asked} <= set(seats):
        raise ValueError("a hint to a seat that does not exist")
    changing = [one.seat for one in table.seat_claims] + [one.seat for one in table.former_occupants]
    if not set(changing) <= set(seats):
        raise ValueError("a seat that does not exist has changed hands")
    if table.vote and not table.vote.seats <= set(seats):
        raise ValueError("a vote of seats that do not exist")
    mark = table.tournament
    if mark and not mark.left.union(*mark.played) <= set(seats):
        raise ValueError("seats of a tournament's table that do not exist")
    if table.notice and not set(table.notice.seats) <= set(seats):
        raise ValueError("a notice to seats that do not exist")


def _check_game(table: Table) -> None:
    """Raise ValueError unless the game is as other code relies on."""
    if table.game and len(table.seats) != table.rules.players:
        raise ValueError(f"{len(table.seats)} seats in a game for {table.rules.players}")
    if table.state in (State.PLAYING, State.OVER):
        game = table.game
        if table.tournament and game and len(table.tournament.played) < len(game.deals):
            raise ValueError("a deal of a tournament that nobody knows who played")
        if not (game and game.deals) or game.over != (table.state is State.OVER):
            raise ValueError(f"a game whose moves do not make it {table.state.value}")


def _with_picks(table: Table, codes: Picked) -> Table:
    return replace(table, picks=_picks_from_codes(table.game, codes)) if table.game else table


def _picks_from_codes(game: Game, codes: Mapping[int, Sequence[str]]) -> Picks:
    """The picks of these codes; those that do not fit this game are left out."""
    if not codes or game.deals[-1].phase is not Phase.PASSING:
        return ()
    hands, faces = game.deals[-1].hands, game.rules.pack.faces
    picks: list[Places | None] = [None] * game.rules.players
    for seat, hand in enumerate(hands):
        if seat in codes:
            cards = [faces[code] for code in codes[seat] if code in faces]
            picks[seat] = places_in_hand(hand, cards)[: game.rules.pass_cards]
    return tuple(picks)


# What a finished game adds to the results: one for each person who played in it


def results_of(table: Table, ended_at: float) -> list[Result]:
    """The results of the people who have played a game that has ended.

    Places follow from the totals, but players who have left come last: those who left by command or with
    the server, or were away for too long, and have not come back, and those whose seats others have taken.
    Of these only the deals that were done when they went are theirs: a computer played the others.
    Players who came in the middle have a result, of their own deals, if those are at least half; the seat's
    total goes with the seat.
    """
    game = table.game
    assert game is not None
    goal, tenures = table.rules.winner, _tenures(table, len(game.points))
    winners = table.leaders(game.totals) if game.winners is not None else ()
    places = _places(tenures, [-goal.sign * total for total in game.totals])
    found = []
    for tenure, place in zip(tenures, places, strict=True):
        number, theirs = tenure.seat, slice(tenure.since - 1, tenure.until_away)
        points, deals = [deal[number] for deal in game.points[theirs]], game.deals[theirs]
        gains = [
            gain(table.rules, game.points[deal.number - 1], table.pars[deal.number])[number]
            for deal in deals
            if deal.number in table.pars
        ]
        found.append(
            Result(
                person=tenure.person,
                name=tenure.name,
                seat=number,
                guild=table.guild,
                kind=Kind(table.rules.preset.name, goal is Goal.LOWEST),
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
    return found


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
        """The last deal that the person has played to its end, unless they were there to the last."""
        if not self.left_early or self.deals_before_away is None:
            return self.until
        return self.deals_before_away


def _tenures(table: Table, deals: int) -> list[_Tenure]:
    """One for each person whose game counts, by their seats: the last that they had."""
    left = [
        _Tenure(one.person, one.name, one.seat, one.since, one.until, True, one.deals_before_away)
        for one in table.former_occupants
        if one.person != NOBODY
    ]
    there = [
        _Tenure(seat.person, seat.name, number, seat.since, deals, seat.has_left, seat.deals_before_away)
        for number, seat in enumerate(table.seats)
        if seat.person is not None
    ]
    counting = [one for one in (*left, *there) if counts_as_played(one.since, one.until, deals)]
    last = {tenure.person: tenure for tenure in counting}
    return sorted(last.values(), key=lambda tenure: (tenure.seat, tenure.until))


def _places(tenures: Sequence[_Tenure], totals: Sequence[int]) -> list[int]:
    """The place of each of these people, from 1: the lowest total first, players who left early last."""
    standing = [(tenure.left_early, 0 if tenure.left_early else totals[tenure.seat]) for tenure in tenures]
    return [1 + sum(other < mine for other in standing) for mine in standing]


# What people have achieved for the first time


def award(connection: sqlite3.Connection, table: Table) -> tuple[Achieved, ...]:
    """Store what is new to each, once their results are; players who are away at the end get nothing."""
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
    """The table with what these people achieved there."""
    seats = {seat.person: number for number, seat in enumerate(table.seats)}
    achieved = [Achieved(seats[person], id) for person, id in sorted(noted) if person in seats]
    return replace(table, achieved=tuple(achieved))
