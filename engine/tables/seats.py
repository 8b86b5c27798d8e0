"""The seats of a table: who sits in each, who is to, who did, and who is asked to come."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from engine.players import Strength, skills_of
from engine.players.advice import Skills
from engine.players.manners import Manner, manner_of


@dataclass(frozen=True)
class Seat:
    """A seat at a table: a person's, or a computer's where `person` is None."""

    person: int | None
    name: str
    away: bool = False  # a computer plays until this person comes back
    missed: int = 0  # turns in a row that a computer had to play for them
    strength: Strength = Strength.MEDIUM  # of the computer that plays here, perhaps for a player who is away
    since: int = 1  # the first deal that the present occupant has played from this seat
    #: Until when (seconds since 1970) a player who is away still has a say at the table. None for players who
    #: are there, and for those who have left: by command, with the server, or by being away for too long.
    kept_until: float | None = None
    #: How many deals were done when a player who is away went; the later ones are the computer's.
    deals_before_away: int | None = None
    is_here: bool = False  # for the planned start, which is near

    @property
    def manner(self) -> Manner | None:
        """What a computer of this name is known for; a beginner has none yet, nor has a person's seat."""
        is_known = self.person is None and self.strength is not Strength.EASY
        return manner_of(self.name) if is_known else None

    @cached_property
    def is_played_by_person(self) -> bool:
        """Whether the game waits for a person here."""
        return self.person is not None and not self.away

    @cached_property
    def has_left(self) -> bool:
        """Whether the person who had this seat has left, though they may still come back."""
        return self.person is not None and self.away and self.kept_until is None

    @cached_property
    def has_a_say(self) -> bool:
        """Whether the game cannot end without this person: they are there, or have not been away for long."""
        return self.person is not None and not self.has_left

    @cached_property
    def is_played_by_strong(self) -> bool:
        """Whether a computer sits here that thinks; the one that plays for an absent player does not."""
        return self.person is None and self.strength is Strength.STRONG


class Seats(tuple[Seat, ...]):
    """All seats of a table in order. Most moves leave them as they are: what follows is found once."""

    @cached_property
    def people(self) -> Seats:
        """The seats that people play."""
        return Seats([seat for seat in self if seat.is_played_by_person])

    @cached_property
    def occupied(self) -> frozenset[int]:
        """The numbers of these seats."""
        return frozenset([number for number, seat in enumerate(self) if seat.is_played_by_person])

    @cached_property
    def voters(self) -> frozenset[int]:
        """The numbers of the seats whose players have a say in how the game ends."""
        return frozenset([number for number, seat in enumerate(self) if seat.has_a_say])

    @cached_property
    def has_strong(self) -> bool:
        """Whether a computer sits here that thinks."""
        return any(seat.is_played_by_strong for seat in self)

    @cached_property
    def skills(self) -> Skills:
        """How likely each seat is to play like a regular, as far as the table knows who plays there."""
        return skills_of(None if seat.is_played_by_person else seat.strength for seat in self)

    @cached_property
    def people_seated(self) -> int:
        """The number of people who have a seat, away or not."""
        return len([seat for seat in self if seat.person is not None])

    @cached_property
    def are_for_one(self) -> bool:
        """Whether nobody has a seat but one person, and computers."""
        return self.people_seated < 2

    @cached_property
    def kept_until(self) -> float | None:
        """The time at which the next absent player has been away for too long (seconds since 1970)."""
        return min([seat.kept_until for seat in self if seat.kept_until is not None], default=None)

    @cached_property
    def by_person(self) -> dict[int | None, int]:
        """Each person's seat, away or not."""
        return {seat.person: number for number, seat in reversed(list(enumerate(self)))}


@dataclass(frozen=True, slots=True)
class SeatClaim:
    """A person who takes this seat with the next deal."""

    seat: int
    person: int
    name: str


@dataclass(frozen=True, slots=True)
class FormerOccupant:
    """A player whose seat another has taken, after having it from the deal `since` to the deal `until`."""

    seat: int
    person: int  # NOBODY where it was a computer's
    name: str
    since: int
    until: int
    deals_before_away: int | None = None  # how many were done when they went


class Way(Enum):
    """How someone is asked to a table."""

    INVITED = "invited"  # by a player, in a message in the channel that mentions them
    MENTION = "mention"  # as they wanted to be told when a table needs players, in such a message
    DM = "dm"  # the same by direct message


@dataclass(frozen=True, slots=True)
class Invitation:
    """Someone who is asked to a table."""

    person: int
    name: str
    number: int  # of the message that asks them; a later one has a larger number
    inviter: int  # NOBODY once they have been forgotten
    way: Way
    at: float  # when (seconds since 1970)
    kept_until: float | None = None  # until when a seat is kept for them; None once it no longer is
    is_told: bool = False  # whether their DM has gone out, or begun to


def counts_as_played(since: int, until: int, deals: int) -> bool:
    """Whether who plays from that deal to this one came with the first, or plays at least half of them."""
    played = until - since + 1
    return played > 0 and (since == 1 or 2 * played >= deals)
