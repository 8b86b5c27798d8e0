"""What everyone may know of a table besides its cards: who sits where, and how it is played at."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import cached_property
from typing import Any, Self

from engine.names import NOBODY
from engine.play.views import PublicView
from engine.players import Strength
from engine.rules.ruleset import Ruleset
from engine.storage.rated import Rated
from engine.storage.seats import Departed, Taker
from engine.tables.hints import Asked, Hints
from engine.tables.notices import Notice
from engine.tables.pace import Pace, Timer
from engine.tables.seats import Seat, Seats
from engine.tables.votes import Vote


class State(Enum):
    """The stages of a table's life."""

    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class DailyGame:
    """Which day's deals are played at a table that is no channel's, and the channel where that was begun."""

    day: str  # `2026-11-22`, by UTC
    channel: int


@dataclass(frozen=True, slots=True)
class Achieved:
    """What the player of a seat has achieved, by its id among `engine.play.achievements`."""

    seat: int
    id: str


@dataclass(frozen=True, kw_only=True)  # without slots: what follows and is asked for often is found once
class TableInfo:
    """What everyone may know of a table besides its cards."""

    id: int
    guild: int
    channel: int
    host: int
    rules: Ruleset
    state: State = State.LOBBY
    seats: Seats = field(default_factory=Seats)
    takers: tuple[Taker, ...] = ()  # those who take a seat with the next deal
    departed: tuple[Departed, ...] = ()  # those, computers too, whose seats others have taken
    takes_latecomers: bool = True  # whether computers' seats may be taken in the middle of the game
    first: int | None = None  # the person named to lead the first deal where the oldest does (C3)
    pace: Pace = Pace.NONE
    strength: Strength = Strength.MEDIUM  # of the computers that take the empty seats
    finishes_early: bool = True  # once no points are left in a deal, computers play the rest of it
    hints: Hints = Hints.ALONE
    asked: tuple[Asked, ...] = ()  # the hints of which the table is told
    daily: DailyGame | None = None  # played by one person in private, and told in no channel
    paused: bool = False  # nobody can see the table's channel through us
    timer: Timer | None = None
    notice: Notice | None = None
    achieved: tuple[Achieved, ...] = ()  # for the first time, once the game is over
    rated: tuple[Rated, ...] = ()  # what the game has made of ratings, once it is over
    vote: Vote | None = None  # the last one, open or not
    moderator: str | None = field(default=None, compare=False)  # who has stopped the game as one; not stored

    @property
    def known(self) -> dict[str, Any]:
        """Each of these by its name, whatever else is known of the table."""
        return {field.name: getattr(self, field.name) for field in fields(TableInfo)}

    @cached_property
    def is_live(self) -> bool:
        """Whether anything can still happen here."""
        return self.state in (State.LOBBY, State.PLAYING)

    @cached_property
    def has_people(self) -> bool:
        """Whether anybody still plays here but computers, or does from the next deal on."""
        return bool(self.takers or self.seats.people)

    @property
    def free_seats(self) -> tuple[int, ...]:
        """The seats that can be taken with the next deal: computers play there, and nobody wants them yet.

        Not those of players who are only away. Where everybody has left, the next deal comes at once, and
        nobody could come back before: as long as there are others, theirs cannot be taken.
        """
        if self.state is not State.PLAYING or not self.takes_latecomers or self.daily:
            return ()
        taken = self.seats.voters.union([taker.seat for taker in self.takers])
        free = [number for number in range(len(self.seats)) if number not in taken]
        nobodys = [number for number in free if self.seats[number].person is None]
        return tuple(free if self.has_people or not nobodys else nobodys)

    @property
    def asks_all(self) -> bool:
        """Whether more than one has a say in how the game ends."""
        return self.state is State.PLAYING and len(self.seats.voters) > 1

    @property
    def vote_ends_at(self) -> float | None:
        """When the time for answers is up (seconds since 1970); None where none are waited for.

        Players who are away and have not answered have at least the time in which they may come back.
        """
        if self.vote is None or self.vote.until is None or not self.vote.is_open or self.paused:
            return None
        silent = self.seats.voters - self.vote.agreed - self.vote.refused
        return max([self.vote.until, *[self.seats[seat].kept_until or 0.0 for seat in silent]])

    @property
    def grace_ends_at(self) -> float | None:
        """When the next player who is away counts as having left (seconds since 1970)."""
        if self.state is not State.PLAYING or self.paused:
            return None
        return min([seat.kept_until for seat in self.seats if seat.kept_until is not None], default=None)

    @property
    def gives_hints(self) -> bool:
        """Whether the players may ask what a strong player would do."""
        return self.hints is Hints.EVERYBODY or (self.hints is Hints.ALONE and self.seats.are_for_one)

    @property
    def host_name(self) -> str | None:
        """What the host is called; None where they are forgotten."""
        return next((seat.name for seat in self.seats if seat.person == self.host), None)

    def seat_of(self, person: int) -> int | None:
        """Where this person sits, away or not."""
        return self.seats.by_person.get(person)

    def seat_in(self, person: int, deal: int) -> int | None:
        """Where this person sat in this deal (from 1)."""
        number = self.seat_of(person)
        if number is not None and self.seats[number].since <= deal:
            return number
        sat = (one.seat for one in self.departed if one.person == person and one.since <= deal <= one.until)
        return next(sat, None)

    def as_in(self, deal: int) -> Self:
        """The table with those in its seats who had them in this deal (from 1); who has lost one was away."""
        seats = list(self.seats)
        for one in self.departed:
            if one.since <= deal <= one.until:
                person = None if one.person == NOBODY else one.person
                seats[one.seat] = Seat(person, one.name, away=person is not None, since=one.since)
        return self if seats == list(self.seats) else replace(self, seats=Seats(seats))

    def taker(self, person: int) -> Taker | None:
        """What this person takes with the next deal."""
        return next((taker for taker in self.takers if taker.person == person), None)

    def taker_of(self, seat: int) -> Taker | None:
        """Who takes this seat with the next deal."""
        return next((taker for taker in self.takers if taker.seat == seat), None)

    def concerns(self, person: int) -> bool:
        """Whether this person plays here, will, or did."""
        if self.seat_of(person) is not None or self.taker(person) is not None:
            return True
        return any(one.person == person for one in self.departed)


@dataclass(frozen=True, kw_only=True)
class PublicTable(TableInfo):
    """A table as everyone sees it: all that a message in its channel can be made of."""

    view: PublicView | None  # None in the lobby
