"""The seats of a table: their occupants past, present and future, and people invited to take one."""

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
    strength: Strength = Strength.MEDIUM  # of the computer here, perhaps for a player who is away
    since: int = 1  # the present occupant's first deal in this seat
    #: Until when a player who is away still has a say (seconds since 1970). None for players who are there,
    #: and for those who have left: by command, with the server, or by being away for too long.
    kept_until: float | None = None
    #: The number of finished deals when the player went away; later ones are the computer's.
    deals_before_away: int | None = None
    is_here: bool = False  # for a planned start

    @property
    def manner(self) -> Manner | None:
        """The playing style of this computer; None for an easy one, and for a person."""
        is_known = self.person is None and self.strength is not Strength.EASY
        return manner_of(self.name) if is_known else None

    @cached_property
    def is_played_by_person(self) -> bool:
        """Whether the game waits for a person in this seat."""
        return self.person is not None and not self.away

    @cached_property
    def has_left(self) -> bool:
        """Whether the person in this seat has left; they may still come back."""
        return self.person is not None and self.away and self.kept_until is None

    @cached_property
    def has_a_say(self) -> bool:
        """Whether this person has a vote: they are there, or haven't been away for long."""
        return self.person is not None and not self.has_left

    @cached_property
    def is_played_by_strong(self) -> bool:
        """Whether a computer that thinks sits here; one that plays for an absent player doesn't."""
        return self.person is None and self.strength is Strength.STRONG


class Seats(tuple[Seat, ...]):
    """All seats of a table in order. Most moves don't change them, so everything derived is cached."""

    @cached_property
    def people(self) -> "Seats":
        """The seats that people play."""
        return Seats([seat for seat in self if seat.is_played_by_person])

    @cached_property
    def occupied(self) -> frozenset[int]:
        """The numbers of the seats that people play."""
        return frozenset([number for number, seat in enumerate(self) if seat.is_played_by_person])

    @cached_property
    def voters(self) -> frozenset[int]:
        """The numbers of the seats whose players have a say."""
        return frozenset([number for number, seat in enumerate(self) if seat.has_a_say])

    @cached_property
    def has_strong(self) -> bool:
        """Whether any computer here thinks."""
        return any(seat.is_played_by_strong for seat in self)

    @cached_property
    def skills(self) -> Skills:
        """How likely each seat is to play like a regular, judging by who plays there."""
        return skills_of(None if seat.is_played_by_person else seat.strength for seat in self)

    @cached_property
    def people_seated(self) -> int:
        """The number of people who have a seat, away or not."""
        return len([seat for seat in self if seat.person is not None])

    @cached_property
    def are_for_one(self) -> bool:
        """Whether at most one person has a seat, besides computers."""
        return self.people_seated < 2

    @cached_property
    def kept_until(self) -> float | None:
        """The time at which the next absent player will have been away for too long (seconds since 1970)."""
        return min([seat.kept_until for seat in self if seat.kept_until is not None], default=None)

    @cached_property
    def by_person(self) -> dict[int | None, int]:
        """Each person's seat, away or not."""
        return {seat.person: number for number, seat in reversed(list(enumerate(self)))}


@dataclass(frozen=True, slots=True)
class SeatClaim:
    """A person's claim on a seat, which they take with the next deal."""

    seat: int
    person: int
    name: str


@dataclass(frozen=True, slots=True)
class FormerOccupant:
    """A player whose seat someone else has taken; they had it from the deal `since` to the deal `until`."""

    seat: int
    person: int  # NOBODY where it was a computer's
    name: str
    since: int
    until: int
    deals_before_away: int | None = None  # the number of finished deals when they went


class Way(Enum):
    """How someone is asked to a table."""

    INVITED = "invited"  # by a player, with a mention in the channel
    MENTION = "mention"  # called with a mention, as they want to hear of tables
    DM = "dm"  # called by direct message, as they want to hear of tables


@dataclass(frozen=True, slots=True)
class Invitation:
    """A person asked to a table."""

    person: int
    name: str
    number: int  # of the message that asks them; later ones have larger numbers
    inviter: int  # NOBODY once they have been forgotten
    way: Way
    at: float  # when (seconds since 1970)
    kept_until: float | None = None  # the end of keeping their seat; None if it isn't kept
    is_told: bool = False  # whether their DM has gone out, or begun to


def counts_as_played(since: int, until: int, deals: int) -> bool:
    """Whether an occupant's time gives a result: from the first deal on, or at least half of the deals."""
    deals_played = until - since + 1
    return deals_played > 0 and (since == 1 or 2 * deals_played >= deals)
