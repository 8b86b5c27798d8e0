"""What a finished game adds to the results: one for each person who played in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from engine.cards import QUEEN_OF_SPADES
from engine.play.deal import Deal
from engine.rules.options import Goal
from engine.storage.standings import Kind, Result
from engine.tables.table import Seat, Table


def of(table: Table, ended_at: float) -> list[Result]:
    """The results of the people who sat at this table when its game ended; who is away is gone for good."""
    game = table.game
    assert game is not None
    goal = table.rules.winner
    people = {number: seat for number, seat in enumerate(table.seats) if seat.person is not None}
    places = _places(people, [-goal.sign * total for total in game.totals])
    deals = [deal for deal in game.deals if deal.points is not None]
    given = Counter(giver for deal in deals for giver, taker in queens(deal) if giver != taker)
    return [
        Result(
            person=seat.person,
            name=seat.name,
            seat=number,
            guild=table.guild,
            kind=Kind(table.rules.preset.name, goal is Goal.LOWEST),
            ended_at=ended_at,
            people=len(people),
            place=places[number],
            won=number in (game.winners or ()) and not seat.away,
            gone=seat.away,
            points=sum(points[number] for points in game.points),
            deals=len(game.points),
            best=goal.best(points[number] for points in game.points),
            worst=goal.worst(points[number] for points in game.points),
            moons=sum(deal.shooter == number for deal in deals),
            queens=sum(deal.piles[number].count(QUEEN_OF_SPADES) for deal in deals),
            queens_given=given[number],
        )
        for number, seat in people.items()
        if seat.person is not None
    ]


def _places(people: Mapping[int, Seat], totals: Sequence[int]) -> dict[int, int]:
    """The place of each of these seats, from 1: the lowest of these totals first, and who is gone last."""
    standing = {number: (seat.away, 0 if seat.away else totals[number]) for number, seat in people.items()}
    return {number: 1 + sum(other < mine for other in standing.values()) for number, mine in standing.items()}


def queens(deal: Deal) -> Iterator[tuple[int, int]]:
    """Who played each queen of spades of a complete deal, and who took her; not of one in the kitty."""
    waiting: list[int] = []  # in tricks on hold
    for done in deal.tricks:
        waiting += [seat for seat, card in done.trick.laid(deal.rules.players) if card == QUEEN_OF_SPADES]
        if done.winner is not None:
            yield from ((giver, done.winner) for giver in waiting)
            waiting = []
