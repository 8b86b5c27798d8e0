"""How a game ends early: each function takes a table and returns the next one, or raises a Refusal.

It ends when more than half of the people at the table agree, and counts as it stands if a deal is complete.
"""

from __future__ import annotations

from dataclasses import replace

from engine.errors import Refusal
from engine.tables.changes import check_is_host, check_is_ordinary, check_may_play, ended
from engine.tables.table import State, Table, Vote, VoteOutcome


def end(table: Table, person: int, now: float) -> Table:
    """End the game at once where no one else has a say, else ask everyone; a lobby closes for its host."""
    check_may_end(table, person, now)
    if not table.asks_all:
        return ended(table)
    number = table.vote.number + 1 if table.vote else 1
    seat = table.seat_of(person)
    assert seat is not None
    return replace(table, vote=Vote(number, seat, agreed=frozenset({seat})))


def check_may_end(table: Table, person: int, now: float) -> None:
    """Refusal unless this person may close the lobby, end the game or ask for that (`now` since 1970)."""
    check_is_ordinary(table)
    if table.game is None or table.is_alone:
        check_is_host(table, person)
        return
    check_may_play(table, person, None)
    if table.vote and table.vote.is_open:
        raise Refusal("vote_open")
    if table.vote and table.vote.outcome is VoteOutcome.TOO_FEW and now < (table.vote.until or now):
        raise Refusal("vote_rests")


def answer(table: Table, person: int, number: int, *, agrees: bool) -> Table:
    """Answer the vote of this number; the answer can be changed until the vote is over."""
    seat, vote = _check_may_answer(table, person), table.vote
    if vote is None or vote.number != number or not vote.is_open:
        raise Refusal("vote_over")
    agreed, refused = vote.agreed - {seat}, vote.refused - {seat}
    if agrees:
        agreed |= {seat}
    else:
        refused |= {seat}
    return replace(table, vote=replace(vote, agreed=agreed, refused=refused))


def _check_may_answer(table: Table, person: int) -> int:
    """This person's seat; Refusal unless they have a say, which players who are away have too."""
    seat = table.seat_of(person)
    if seat is not None and table.seats[seat].has_a_say and not table.paused:
        return seat
    return check_may_play(table, person, None)


def settled(table: Table) -> Table:
    """The table with its vote among those who have a say now, and with what that has decided.

    Players who have left are not asked; if they come back, they are asked again.
    """
    vote = table.vote
    if vote is None or not vote.is_open:
        return table
    asked = table.seats.voters
    asker = vote.asker if vote.asker in asked else None
    vote = replace(vote, asker=asker, agreed=vote.agreed & asked, refused=vote.refused & asked)
    table = replace(table, vote=vote)
    if table.state is not State.PLAYING or table.game is None or table.game.over:
        return _closed(table, vote, VoteOutcome.ENDED)
    if 2 * len(vote.agreed) > len(asked):
        return ended(_closed(table, vote, VoteOutcome.AGREED))
    return _closed(table, vote, VoteOutcome.TOO_FEW) if 2 * len(vote.refused) >= len(asked) else table


def is_due(table: Table, now: float) -> bool:
    """Whether the time for answers is up."""
    return table.vote_ends_at is not None and now >= table.vote_ends_at


def time_up(table: Table) -> Table:
    """The table when its vote's time is up."""
    assert table.vote is not None
    return _closed(table, table.vote, VoteOutcome.TOO_FEW)


def timed(table: Table, now: float) -> Table:
    """The table with the time for its vote, or until the next one, if that is not set yet."""
    vote = table.vote
    if vote is None or vote.until is not None or table.paused:
        return table
    return replace(table, vote=replace(vote, until=now + table.pace.grace))


def after_absence(table: Table, now: float) -> Table:
    """Leave half the time for answers if it ran out while nobody could give one."""
    if table.vote is None or not is_due(table, now):
        return table
    return replace(table, vote=replace(table.vote, until=now + table.pace.grace / 2))


def _closed(table: Table, vote: Vote, outcome: VoteOutcome) -> Table:
    return replace(table, vote=replace(vote, outcome=outcome, until=None))
