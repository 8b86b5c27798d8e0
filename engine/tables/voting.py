"""Votes to end a game early: each function takes a table and returns the next one, or raises a Refusal.

A game ends when more than half of the people at the table agree; it counts if a deal is complete.
"""

from dataclasses import replace

from engine.errors import Refusal
from engine.tables.changes import check_is_host, check_is_ordinary, check_may_play, ended
from engine.tables.table import State, Table, Vote, VoteOutcome


def end(table: Table, person: int, now: float) -> Table:
    """End the game if no one else has a say, otherwise open a vote; a lobby closes for its host."""
    check_may_end(table, person, now)
    if not table.asks_all:
        return ended(table)
    number = table.vote.number + 1 if table.vote else 1
    seat = table.seat_of(person)
    assert seat is not None
    return replace(table, vote=Vote(number, seat, agreed=frozenset({seat})))


def check_may_end(table: Table, person: int, now: float) -> None:
    """Raise a Refusal unless this person may close the lobby, end the game or propose that now."""
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
    """Vote, or change one's vote; Refusal unless the vote of this number is open."""
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
    """Return this person's seat; Refusal unless they have a say, as players who are away may."""
    seat = table.seat_of(person)
    if seat is not None and table.seats[seat].has_a_say and not table.paused:
        return seat
    return check_may_play(table, person, None)


def resolved(table: Table) -> Table:
    """Count the open vote among the players who have a say now, and close it if it is decided.

    The votes of players who have left are dropped; if they come back, they can vote again.
    """
    vote = table.vote
    if vote is None or not vote.is_open:
        return table
    voters = table.seats.voters
    asker = vote.asker if vote.asker in voters else None
    vote = replace(vote, asker=asker, agreed=vote.agreed & voters, refused=vote.refused & voters)
    table = replace(table, vote=vote)
    if table.state is not State.PLAYING or table.game is None or table.game.over:
        return _closed(table, vote, VoteOutcome.ENDED)
    if 2 * len(vote.agreed) > len(voters):
        return ended(_closed(table, vote, VoteOutcome.AGREED))
    return _closed(table, vote, VoteOutcome.TOO_FEW) if 2 * len(vote.refused) >= len(voters) else table


def is_due(table: Table, now: float) -> bool:
    """Whether the time for voting is up."""
    return table.vote_ends_at is not None and now >= table.vote_ends_at


def time_up(table: Table) -> Table:
    """Close the vote, whose time is up."""
    assert table.vote is not None
    return _closed(table, table.vote, VoteOutcome.TOO_FEW)


def timed(table: Table, now: float) -> Table:
    """Set the end of an open vote, or of the wait after a closed one, unless it is set."""
    vote = table.vote
    if vote is None or vote.until is not None or table.paused:
        return table
    return replace(table, vote=replace(vote, until=now + table.pace.grace))


def after_absence(table: Table, now: float) -> Table:
    """Give voters half the time again if it ran out while the bot was away."""
    if table.vote is None or not is_due(table, now):
        return table
    return replace(table, vote=replace(table.vote, until=now + table.pace.grace / 2))


def _closed(table: Table, vote: Vote, outcome: VoteOutcome) -> Table:
    return replace(table, vote=replace(vote, outcome=outcome, until=None))
