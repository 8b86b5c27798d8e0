"""A tournament at one moment as an immutable value: its terms, who plays, and its rounds with their tables.

People go by their number in the order of sign-up, so that seats keep their meaning when someone's data is
deleted.
"""

import math
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

from engine.languages import ENGLISH, Language
from engine.names import NOBODY, told_apart
from engine.play.par import Par
from engine.players import Strength
from engine.rules.lengths import minutes_a_deal
from engine.rules.ruleset import Ruleset
from engine.tables.plan import Plan
from engine.tables.table import Pace

#: The least and the most that a host may choose: rounds, deals per round, and minutes per round.
ROUNDS, DEALS, MINUTES = (1, 8), (1, 8), (5, 1440)
#: The paces of a tournament, each with the time for a round as a multiple of its estimated length.
PACES = {Pace.LIVE: 2.0, Pace.RELAXED: 6.0}
#: The most people who can sign up, and the fewest with whom a tournament starts.
MOST_PEOPLE, FEWEST = 64, 2


class TournamentState(Enum):
    """The stages of a tournament's life."""

    SIGNING_UP = "signing up"
    PLAYING = "playing"
    OVER = "over"
    STOPPED = "stopped"


class Reason(Enum):
    """Why a tournament has stopped, or ended before its last round."""

    CANCELLED = "cancelled"  # by its host, or by someone who may manage events
    TOO_FEW = "too few"  # people had signed up, or still play
    NOBODY_CAME = "nobody came"  # to the planned start: fewer than two
    START_MISSED = "start missed"  # as the bot was away for too long
    NOT_STARTED = "not started"  # by its host, in a day
    NO_PLACE = "no place"  # was found for any table of a round


class TableState(Enum):
    """The stages of a round's table."""

    WAITING = "waiting"  # for its place: a channel or thread
    PLAYING = "playing"
    DONE = "done"
    GIVEN_UP = "given up"  # no place was found: its people have a bye


@dataclass(frozen=True, slots=True)
class Terms:
    """The host's choices. The rules' own end of a game is ignored: a round has a fixed number of deals."""

    rules: Ruleset
    rounds: int = 3
    deals: int = 4  # per round
    pace: Pace = Pace.LIVE
    strength: Strength = Strength.MEDIUM  # of the computers in the remaining seats
    minutes: int | None = None  # for a round; None for the usual number
    language: Language = ENGLISH

    @property
    def limit(self) -> int:
        """The minutes after which computers finish a round."""
        return self.minutes or usual_minutes(self.rules, self.deals, self.pace)


def usual_minutes(rules: Ruleset, deals: int, pace: Pace) -> int:
    """The usual limit for a round of this many deals, in minutes: a multiple of its expected length."""
    expected = minutes_a_deal(rules, rules.players) * deals
    least, most = MINUTES
    return min(most, max(least, 5 * math.ceil(expected * PACES[pace] / 5)))


@dataclass(frozen=True, slots=True)
class Entrant:
    """A person who has signed up."""

    number: int  # from 1
    person: int  # NOBODY once they have been forgotten
    name: str  # empty then
    since: int = 1  # the first round that they can play
    #: Whether they are there for the planned start; later, whether they were when their last table ended.
    is_here: bool = False
    is_out: bool = False  # sits out the next rounds until they come back

    @property
    def is_known(self) -> bool:
        """False once their data was deleted."""
        return self.person != NOBODY

    def can_play(self, round: int) -> bool:
        """Whether they get a seat in this round."""
        return self.is_known and not self.is_out and self.since <= round

    @property
    def is_missing(self) -> bool:
        """Whether a computer plays for them from the start of a round in which they have a seat."""
        return self.is_known and (self.is_out or not self.is_here)


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A complete deal of a round's table, by seat."""

    points: tuple[int, ...]
    #: The seats whose people made most of their moves themselves: it counts only for them.
    played: frozenset[int]
    par: Par | None = None  # None until it has arrived


@dataclass(frozen=True, slots=True)
class RoundTable:
    """One table of a round; `number` counts from 1."""

    number: int
    seats: tuple[int | None, ...]  # the people's numbers; None for computers
    state: TableState = TableState.WAITING
    channel: int | None = None  # or thread, once there is one
    table: int | None = None  # its id among all tables, once it is open
    deals: tuple[PlayedDeal, ...] = ()
    tries: int = 0  # failed attempts to find a place

    @property
    def is_over(self) -> bool:
        """Whether nothing more is played here."""
        return self.state in (TableState.DONE, TableState.GIVEN_UP)

    @property
    def people(self) -> tuple[int, ...]:
        """The numbers of the people who have seats here."""
        return tuple([one for one in self.seats if one is not None])


@dataclass(frozen=True)
class Round:
    """One round; times are in seconds since 1970."""

    number: int  # from 1
    began_at: float
    until: float  # when computers finish it
    tables: tuple[RoundTable, ...]

    @cached_property
    def is_over(self) -> bool:
        """Whether all its tables are done."""
        return all(table.is_over for table in self.tables)

    def table_of(self, entrant: int) -> RoundTable | None:
        """The table where this entrant has a seat."""
        return next((table for table in self.tables if entrant in table.seats), None)

    def with_table(self, table: RoundTable) -> "Round":
        """The round with this table in place of the one with its number."""
        return replace(
            self, tables=tuple([table if one.number == table.number else one for one in self.tables])
        )


@dataclass(frozen=True, kw_only=True)
class Tournament:
    """A tournament of a server; times are in seconds since 1970."""

    id: int
    guild: int
    channel: int  # where people sign up
    host: int  # NOBODY once they have been forgotten
    terms: Terms
    opened_at: float
    seed: int = 0  # for the seating
    state: TournamentState = TournamentState.SIGNING_UP
    plan: Plan | None = None  # None if its host starts it
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[Round, ...] = ()
    #: When the next round begins, or the result becomes final even if pars are missing; None while a round
    #: is being played.
    next_at: float | None = None
    ended_at: float | None = None
    reason: Reason | None = None

    @cached_property
    def is_live(self) -> bool:
        """Whether anything can still happen here."""
        return self.state in (TournamentState.SIGNING_UP, TournamentState.PLAYING)

    @property
    def round(self) -> Round | None:
        """The round that is being played, or was played last."""
        return self.rounds[-1] if self.rounds else None

    @property
    def has_next_round(self) -> bool:
        """Whether another round follows."""
        return self.is_live and len(self.rounds) < self.terms.rounds

    @property
    def is_counting(self) -> bool:
        """Whether all rounds have been played, and only pars may be missing."""
        round = self.round
        return (
            self.state is TournamentState.PLAYING
            and not self.has_next_round
            and bool(round and round.is_over)
        )

    @cached_property
    def by_person(self) -> dict[int, Entrant]:
        """The entrants by the ids of people."""
        return {one.person: one for one in self.entrants if one.is_known}

    @cached_property
    def by_number(self) -> dict[int, Entrant]:
        """The entrants by number."""
        return {one.number: one for one in self.entrants}

    @cached_property
    def shown(self) -> dict[int, Entrant]:
        """The entrants by number, with names as they are shown: those that look alike are numbered."""
        people = [one for one in self.entrants if one.is_known]
        names = told_apart(tuple([one.name for one in people]))
        return self.by_number | {
            one.number: replace(one, name=name) for one, name in zip(people, names, strict=True)
        }

    @property
    def tables(self) -> tuple[tuple[Round, RoundTable], ...]:
        """Every table of every round."""
        return tuple([(round, table) for round in self.rounds for table in round.tables])

    @property
    def deals_without_par(self) -> int:
        """The number of deals that people have played and whose par hasn't arrived."""
        return sum(deal.par is None and bool(deal.played) for _, table in self.tables for deal in table.deals)

    def with_entrant(self, entrant: Entrant) -> "Tournament":
        """The tournament with this entrant in place of the one with their number."""
        changed = [entrant if one.number == entrant.number else one for one in self.entrants]
        return replace(self, entrants=tuple(changed))

    def with_round(self, round: Round) -> "Tournament":
        """The tournament with this round in place of the one with its number."""
        changed = [round if one.number == round.number else one for one in self.rounds]
        return replace(self, rounds=tuple(changed))

    def table_in(self, round: int, number: int) -> RoundTable | None:
        """This round's table of this number; None if there is none."""
        if not 1 <= round <= len(self.rounds):
            return None
        return next((one for one in self.rounds[round - 1].tables if one.number == number), None)
