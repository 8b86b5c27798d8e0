"""A table to the rows that are stored of it, and back: its game follows from the log of its moves."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import date
from math import isfinite
from typing import Any

from engine.errors import Refusal
from engine.play import moves as moves_
from engine.play.game import Game
from engine.players import Strength
from engine.rules.ruleset import Ruleset
from engine.storage import tables as storage
from engine.storage.damage import real, whole
from engine.storage.seats import Seating, StoredSeat
from engine.storage.tables import Rows, StoredTable
from engine.tables import votes
from engine.tables.hints import Asked, Hints
from engine.tables.info import DailyGame, State
from engine.tables.notices import Notice, NoticeKind
from engine.tables.pace import Pace, Timer
from engine.tables.seats import Seat, Seats
from engine.tables.table import Table

log = logging.getLogger(__name__)


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
        conduct=_conduct(table),
        paused=table.paused,
        timer=asdict(table.timer) if table.timer else None,
        notice={**asdict(notice), "kind": notice.kind.value} if notice else None,
        strength=table.strength.value,
        seating=Seating(tuple(map(_to_stored_seat, table.seats)), table.takers, table.departed),
    )


def _conduct(table: Table) -> dict[str, Any]:
    """How the table is played at, besides its rules and its pace; players go by their seats."""
    return {
        "finishes_early": table.finishes_early,
        "takes_latecomers": table.takes_latecomers,
        "hints": table.hints.value,
        "asked": [[one.deal, one.seat, one.after] for one in table.asked],
        "vote": votes.to_json(table.vote) if table.vote else None,
        "kept": [[number, seat.kept_until] for number, seat in enumerate(table.seats) if seat.kept_until],
        **({"daily": asdict(table.daily)} if table.daily else {}),
    }


def _conducted(conduct: Mapping[str, Any]) -> dict[str, Any]:
    """The table's fields that `_conduct` wrote."""
    return {
        "finishes_early": bool(conduct["finishes_early"]),
        "takes_latecomers": bool(conduct.get("takes_latecomers", True)),
        "hints": Hints(conduct["hints"]),
        "asked": tuple([Asked(*one) for one in conduct["asked"]]),
        "vote": votes.from_json(conduct["vote"]) if conduct.get("vote") else None,
        "daily": _daily_game(**conduct["daily"]) if "daily" in conduct else None,
    }


def _daily_game(day: str, channel: int) -> DailyGame:
    return DailyGame(date.fromisoformat(day).isoformat(), whole(channel))


def _to_stored_seat(seat: Seat) -> StoredSeat:
    return StoredSeat(seat.person, seat.name, seat.away, seat.missed, seat.strength.value, seat.since)


def restore(rows: Rows) -> Table:
    """The table as its log tells it; Refusal, and a line in the log, if its rows are damaged."""
    return checked(rows, restore_or_fault(rows))


def restore_or_fault(rows: Rows) -> Table | str:
    """The same, or what is wrong with its rows: for another process, whose log nobody reads."""
    try:
        stored = storage.parse(rows)
        table = _play(without_game(stored), stored.moves)
        _check_game(table)
        return table
    except Exception as problem:  # there is no end to what damaged rows can raise
        return f"{type(problem).__name__}: {problem}"


def checked(rows: Rows, found: Table | str) -> Table:
    """The table that was found; Refusal, and a line in the log, if it is a fault of these rows."""
    if isinstance(found, str):
        raise _damaged(rows.id, rows.channel, found)
    return found


def place(channel: Any) -> str:
    """Where a table is, for the log: what stands for a daily game's channel would tell who plays it."""
    return f"channel {channel}" if isinstance(channel, int) and channel > 0 else "no channel"


@contextmanager
def reading_table(table: int, channel: Any) -> Iterator[None]:
    """Whatever damaged rows of a table make this block raise becomes a Refusal and a line in the log."""
    try:
        yield
    except Exception as problem:  # there is no end to what damaged rows can raise
        raise _damaged(table, channel, f"{type(problem).__name__}: {problem}") from problem


def _damaged(table: int, channel: Any, fault: str) -> Refusal:
    log.error("table %s of %s is damaged and left as it is: %s", table, place(channel), fault)
    return Refusal("damaged")


def without_game(stored: StoredTable) -> Table:
    """The table without its game; ValueError unless what other code relies on is so."""
    table = Table(
        id=stored.id,
        guild=stored.guild,
        channel=stored.channel,
        host=stored.host,
        first=stored.first,
        rules=Ruleset.from_json(stored.rules),
        state=State(stored.state),
        pace=Pace(stored.pace),
        **_conducted(stored.conduct),
        paused=stored.paused,
        timer=Timer(**stored.timer) if stored.timer else None,
        notice=_notice(stored.notice) if stored.notice else None,
        strength=Strength(stored.strength),
        seats=_seats(stored),
        takers=stored.seating.takers,
        departed=stored.seating.departed,
    )
    _check_seats(table)
    _check_times(table)
    return table


def _check_seats(table: Table) -> None:
    """ValueError unless all that goes by seats names one that exists."""
    seats = range(len(table.seats))
    if len(seats) > table.rules.players:
        raise ValueError(f"{len(seats)} seats at a table for {table.rules.players}")
    if not {one.seat for one in table.asked} <= set(seats):
        raise ValueError("a hint to a seat that does not exist")
    changing = [one.seat for one in table.takers] + [one.seat for one in table.departed]
    if not set(changing) <= set(seats):
        raise ValueError("a seat that does not exist has changed hands")
    if table.vote and not table.vote.seats <= set(seats):
        raise ValueError("a vote of seats that do not exist")
    if table.notice and not set(table.notice.seats) <= set(seats):
        raise ValueError("a notice to seats that do not exist")


def _check_times(table: Table) -> None:
    """ValueError if something would never happen."""
    times = {
        "a timer that never rings": table.timer.rings_at if table.timer else None,
        "a vote whose time is never up": table.vote.until if table.vote else None,
        "a notice of a deadline that never comes": table.notice.deadline if table.notice else None,
    }
    for never, time in times.items():
        if time is not None and not isfinite(time):
            raise ValueError(never)


def _seats(stored: StoredTable) -> Seats:
    kept = {whole(seat): real(until) for seat, until in stored.conduct.get("kept", ())}
    return Seats([_seat(seat, kept.get(number)) for number, seat in enumerate(stored.seating.seats)])


def _seat(stored: StoredSeat, kept_until: float | None) -> Seat:
    strength = Strength(stored.strength)
    until = kept_until if stored.away else None
    return Seat(
        stored.person, stored.name, stored.away, stored.missed, strength, stored.since, kept_until=until
    )


def _play(table: Table, stored: Sequence[dict[str, Any]]) -> Table:
    """The table with its game, once that has begun."""
    if table.state is State.LOBBY or (table.state is State.STOPPED and not stored):
        return table
    # The log knows who led first, even where that person is forgotten.
    led = next((move["seat"] for move in stored if "played" in move), table.oldest)
    moves = [moves_.from_json(table.rules, move) for move in stored]
    return replace(table, game=Game(table.rules, oldest=led).replay(moves), logged=len(moves))


def _check_game(table: Table) -> None:
    """ValueError unless what other code relies on is so."""
    if table.game and len(table.seats) != table.rules.players:
        raise ValueError(f"{len(table.seats)} seats in a game for {table.rules.players}")
    if table.state in (State.PLAYING, State.OVER):
        game = table.game
        if not (game and game.deals) or game.over != (table.state is State.OVER):
            raise ValueError(f"a game whose moves do not make it {table.state.value}")


def _notice(data: dict[str, Any]) -> Notice:
    number, kind = whole(data["number"]), NoticeKind(data["kind"])
    return Notice(number, kind, tuple(data["seats"]), data.get("deadline"))
