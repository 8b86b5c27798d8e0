"""Votes at a table: each function takes a table and returns the next one, or raises a Refusal."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.errors import Refusal
from engine.play.moves import Ended
from engine.tables.changes import check_is_ordinary, check_may_play
from engine.tables.seats import counts_as_played
from engine.tables.table import Motion, Outcome, State, Table, TableInfo, Vote


def propose(table: Table, person: int, motion: Motion, now: float) -> Table:
    """Ask everybody at the table; the proposer counts as agreeing."""
    seat = check_may_propose(table, person, motion, now)
    number = table.vote.number + 1 if table.vote else 1
    assert table.game is not None
    vote = Vote(number, motion, seat, len(table.game.points), agreed=frozenset({seat}))
    return replace(table, vote=vote)


def check_may_propose(table: Table, person: int, motion: Motion, now: float) -> int:
    """This person's seat; Refusal unless they may ask everybody, now (seconds since 1970)."""
    seat, vote = check_may_play(table, person, None), table.vote
    check_is_ordinary(table)
    if motion is Motion.CONCEDE:
        _check_may_concede(table)
    if vote and vote.is_open:
        raise Refusal("vote_open")
    if vote and _rests(vote, motion) and now < (vote.until or now):
        raise Refusal("vote_rests")
    return seat


def _rests(vote: Vote, motion: Motion) -> bool:
    """Whether this cannot be asked for a while; a player who could not stop a game may still concede."""
    failed = vote.outcome is not None and vote.outcome.has_failed
    return failed and (vote.motion, motion) != (Motion.STOP, Motion.CONCEDE)


def _check_may_concede(table: Table) -> None:
    assert table.game is not None
    if not table.asks_all:
        raise Refusal("nobody_to_agree")
    if not table.game.history:
        raise Refusal("nothing_counts_yet")


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
        return _closed(table, vote, Outcome.ENDED)
    if vote.motion is Motion.CONCEDE and vote.deals not in (None, len(table.game.points)):
        return _closed(table, vote, Outcome.OUTDATED)
    if not asked or (vote.motion is Motion.CONCEDE and len(asked) < 2):
        return _closed(table, vote, Outcome.ALONE)
    if vote.agreed == asked:
        return _closed(table, vote, Outcome.ALL)
    can_pass = not vote.refused or (vote.motion is Motion.STOP and _are_enough(table, asked - vote.refused))
    return table if can_pass else _closed(table, vote, Outcome.REFUSED)


def is_due(table: Table, now: float) -> bool:
    """Whether the time for answers is up."""
    return table.vote_ends_at is not None and now >= table.vote_ends_at


def time_up(table: Table) -> Table:
    """The table when its vote's time is up."""
    assert table.vote is not None
    passes = table.vote.motion is Motion.STOP and _are_enough(table, table.vote.agreed)
    return _closed(table, table.vote, Outcome.ENOUGH if passes else Outcome.TOO_FEW)


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


@dataclass(frozen=True, slots=True)
class Quorum:
    """The players who can stop a game once the time for answers is up: its host and half of the others.

    Of these only those count for whom the game would by now: otherwise a host could let friends sit down, and
    end a game against those who have played it.
    """

    host: int
    others: frozenset[int]

    @property
    def needed(self) -> int:
        """The number of the others that it takes."""
        return (len(self.others) + 1) // 2

    def missing(self, seats: frozenset[int]) -> int:
        """The number still needed, besides these."""
        return max(0, self.needed - len(self.others & seats))

    def is_reached(self, seats: frozenset[int]) -> bool:
        """Whether these are enough."""
        return self.host in seats and not self.missing(seats)


def quorum(table: TableInfo, deals: int) -> Quorum | None:
    """The quorum once this number of deals is done; None where the host has no say."""
    host, done = table.seat_of(table.host), max(1, deals)
    if host is None or host not in table.seats.voters:
        return None
    players = [seat for seat in table.seats.voters if counts_as_played(table.seats[seat].since, done, done)]
    return Quorum(host, frozenset(players) - {host})


def _are_enough(table: Table, seats: frozenset[int]) -> bool:
    assert table.game is not None
    found = quorum(table, len(table.game.points))
    return found is not None and found.is_reached(seats)


def _closed(table: Table, vote: Vote, outcome: Outcome) -> Table:
    table = replace(table, vote=replace(vote, outcome=outcome, until=None))
    if outcome not in (Outcome.ALL, Outcome.ENOUGH):
        return table
    return table.after(Ended()) if vote.motion is Motion.CONCEDE else replace(table, state=State.STOPPED)
