"""The seats of a table, and who sits there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine.players import Strength
from engine.players.manners import Manner, manner_of


@dataclass(frozen=True)
class Seat:
    """A seat at a table: a person's, or a computer's where `person` is None."""

    person: int | None
    name: str
    away: bool = False  # a computer plays until this person comes back
    missed: int = 0  # so many turns in a row a computer had to play for them
    strength: Strength = Strength.MEDIUM  # of the computer that plays here, if only for who is away
    since: int = 1  # the first deal that whoever sits here has played from this seat
    #: Until when (seconds since 1970) a player who is away still has a say at the table. None for players who
    #: are there, and for those who have left: by command, with the server, or by being away for too long.
    kept_until: float | None = None

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
        """Whether a computer sits here that thinks: for who is away, one plays that does not."""
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
    def are_for_one(self) -> bool:
        """Whether nobody has a seat but one person, and computers."""
        return sum([seat.person is not None for seat in self]) < 2

    @cached_property
    def by_person(self) -> dict[int | None, int]:
        """Each person's seat, away or not."""
        return {seat.person: number for number, seat in reversed(list(enumerate(self)))}
