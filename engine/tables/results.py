"""What a finished game adds to the results: one for each person who played in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.names import NOBODY
from engine.play import queens
from engine.rules.options import Goal
from engine.storage.kinds import Kind
from engine.storage.results import Result
from engine.tables.table import Table


@dataclass(frozen=True, slots=True)
class _Stay:
    """Somebody's game: the seat they had from the deal `since` to the deal `until`, from 1."""

    person: int
    name: str
    seat: int
    since: int
    until: int
    gone: bool


def counts(since: int, until: int, deals: int) -> bool:
    """Whether who plays from that deal to this one came with the first, or plays at least half of them."""
    played = until - since + 1
    return played > 0 and (since == 1 or 2 * played >= deals)


def of(table: Table, ended_at: float) -> list[Result]:
    """The results of the people who have played a game that has ended.

    Places follow from the totals, but players who have left come last: those who left by command or with
    the server, or were away for too long, and have not come back, and those whose seats others have taken.
    Players who came in the middle have a result, of their own deals, if those are at least half; the seat's
    total goes with the seat.
    """
    game = table.game
    assert game is not None
    goal, stays = table.rules.winner, _stays(table, len(game.points))
    places = _places(stays, [-goal.sign * total for total in game.totals])
    found = []
    for stay, place in zip(stays, places, strict=True):
        number, theirs = stay.seat, slice(stay.since - 1, stay.until)
        points, deals = [deal[number] for deal in game.points[theirs]], game.deals[theirs]
        found.append(
            Result(
                person=stay.person,
                name=stay.name,
                seat=number,
                guild=table.guild,
                kind=Kind(table.rules.preset.name, goal is Goal.LOWEST),
                ended_at=ended_at,
                people=len(stays),
                place=place,
                won=number in (game.winners or ()) and not stay.gone,
                gone=stay.gone,
                points=sum(points),
                deals=len(points),
                best=goal.best(points),
                worst=goal.worst(points),
                moons=sum(deal.shooter == number for deal in deals),
                queens=sum(queens.taken(deal.piles[number]) for deal in deals),
                queens_given=sum(queens.given(deal.tricks, number) for deal in deals),
            )
        )
    return found


def _stays(table: Table, deals: int) -> list[_Stay]:
    """One for each person whose game counts, by their seats: the last that they had."""
    left = [
        _Stay(one.person, one.name, one.seat, one.since, one.until, True)
        for one in table.departed
        if one.person != NOBODY
    ]
    there = [
        _Stay(seat.person, seat.name, number, seat.since, deals, seat.has_left)
        for number, seat in enumerate(table.seats)
        if seat.person is not None
    ]
    found = {stay.person: stay for stay in (*left, *there) if counts(stay.since, stay.until, deals)}
    return sorted(found.values(), key=lambda stay: (stay.seat, stay.until))


def _places(stays: Sequence[_Stay], totals: Sequence[int]) -> list[int]:
    """The place of each of these people, from 1: the lowest of these totals first, and who is gone last."""
    standing = [(stay.gone, 0 if stay.gone else totals[stay.seat]) for stay in stays]
    return [1 + sum(other < mine for other in standing) for mine in standing]
