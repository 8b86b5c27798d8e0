"""A table to the database and back: everything about its game follows from the log of moves."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from engine.play import moves as moves_
from engine.play.game import Game
from engine.rules.options import Goal
from engine.rules.ruleset import Ruleset
from engine.storage.standings import Kind, Result
from engine.storage.tables import StoredSeat, StoredTable
from engine.tables.pace import Notice, NoticeKind, Pace, Timer
from engine.tables.table import Seat, State, Table


def store(table: Table) -> StoredTable:
    """The table as it is stored, without its moves."""
    notice = table.notice
    return StoredTable(
        id=table.id,
        guild=table.guild,
        channel=table.channel,
        host=table.host,
        first=table.first,
        rules=table.rules.to_json(),
        state=table.state.value,
        pace=table.pace.value,
        paused=table.paused,
        timer=asdict(table.timer) if table.timer else None,
        notice={**asdict(notice), "kind": notice.kind.value} if notice else None,
        seats=tuple(StoredSeat(seat.person, seat.name, seat.away, seat.missed) for seat in table.seats),
    )


def restore(stored: StoredTable) -> Table:
    """The table as its log tells it."""
    rules = Ruleset.from_json(stored.rules)
    table = Table(
        id=stored.id,
        guild=stored.guild,
        channel=stored.channel,
        host=stored.host,
        first=stored.first,
        rules=rules,
        state=State(stored.state),
        pace=Pace(stored.pace),
        paused=stored.paused,
        timer=Timer(**stored.timer) if stored.timer else None,
        notice=_notice(stored.notice) if stored.notice else None,
        seats=tuple(Seat(seat.person, seat.name, seat.away, seat.missed) for seat in stored.seats),
    )
    if table.state is State.LOBBY:
        return table
    # The log knows who led first, even where that person is forgotten.
    led = next((move["seat"] for move in stored.moves if "played" in move), table.oldest)
    moves = [moves_.from_json(rules, move) for move in stored.moves]
    return replace(table, game=Game(rules, oldest=led).replay(moves))


def _notice(data: dict[str, Any]) -> Notice:
    return Notice(data["number"], NoticeKind(data["kind"]), tuple(data["seats"]), data.get("deadline"))


def results(table: Table) -> list[Result]:
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
