"""One deal at one moment: a frozen value, and what follows from it."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TypeVar

from engine.cards import Card, Hand
from engine.play.moves import Dealt
from engine.rules import plays
from engine.rules.counting import Account, Why, total
from engine.rules.options import MoonChoice
from engine.rules.passing import pass_offset
from engine.rules.ruleset import Ruleset
from engine.rules.tricks import Trick

T = TypeVar("T")


class Phase(Enum):
    """What a deal waits for."""

    PASSING = "passing"
    EXPOSING = "exposing"
    PLAYING = "playing"
    CHOOSING_MOON = "choosing moon"
    DONE = "done"


@dataclass(frozen=True)
class DoneTrick:
    """A complete trick; `winner` is None where it was put on hold (W21, P7)."""

    trick: Trick
    winner: int | None
    cancelled: frozenset[Card]
    won: Hand  # what its winner took: its cards and those on hold
    kitty: int  # how many of the kitty's cards went with them; which ones is their taker's secret (W3)
    entries: Account  # what of it counts by itself
    so_far: tuple[int, ...]  # what each player's cards count after it, but for those of the kitty
    cost: int = 0  # what it cost its winner, or brought

    @cached_property
    def winning(self) -> int | None:
        """The index of the card that won."""
        return None if self.winner is None else (self.winner - self.trick.leader) % len(self.trick.cards)

    @cached_property
    def multipliers(self) -> Account:
        """What of it multiplies all that its winner takes in the deal."""
        return tuple([entry for entry in self.entries if entry.why is Why.MULTIPLIER])


@dataclass(frozen=True)  # without slots: what follows from it and is asked for often is found once
class Deal:
    """A deal at one moment. All tuples by seat have an entry for each player."""

    rules: Ruleset
    number: int  # from 1
    dealt: Dealt
    phase: Phase
    hands: tuple[Hand, ...]
    kitty: Hand
    passes: tuple[Hand | None, ...]
    trick: Trick
    received: tuple[Hand, ...]
    exposures: tuple[tuple[int, Card], ...] = ()
    face_up: tuple[Hand, ...] = ()
    declined: frozenset[int] = frozenset()
    opening: Card | None = None
    tricks: tuple[DoneTrick, ...] = ()
    taken: tuple[Hand, ...] = ()
    on_hold: Hand = ()
    kitty_taken: tuple[Hand, ...] = ()  # kept apart: shown to the taker alone (W3)
    kitty_on_hold: Hand = ()
    hearts_broken: bool = False
    settled_after: int | None = None  # so many tricks, with some left to play: no points hang on those
    shooter: int | None = None  # who shot the moon, once every card is taken
    choice: MoonChoice | None = None
    accounts: tuple[Account, ...] | None = None  # what each pile came to, and why
    seal: str | None = None  # of the cards as dealt; made once, as everybody sees it at every card

    @property
    def points(self) -> tuple[int, ...] | None:
        """What each player scores, once the deal is done."""
        return None if self.accounts is None else tuple(map(total, self.accounts))

    @property
    def is_last_trick(self) -> bool:
        """Whether this is the last trick of the deal."""
        return len(self.tricks) == self.rules.pack.hand_size - 1

    @property
    def is_known_to_be_forced(self) -> bool:
        """Whether everybody knows that the card to come is forced: the opening lead, and a hand's last."""
        is_opening = self.opening is not None and not self.tricks and not self.trick.cards
        return is_opening or self.is_last_trick

    @property
    def exposed(self) -> Hand:
        """All cards that were exposed in this deal, wherever they are now."""
        return tuple([card for _, card in self.exposures])

    @property
    def so_far(self) -> tuple[int, ...]:
        """What each player's cards count up to now, but for those of the kitty."""
        return self.tricks[-1].so_far if self.tricks else (0,) * self.rules.players

    @property
    def offset(self) -> int:
        """How many seats to the left cards are passed in this deal; 0 for none."""
        return pass_offset(self.rules, self.number)

    @cached_property
    def turn(self) -> int | None:
        """The seat whose turn it is to play a card."""
        if self.phase is not Phase.PLAYING:
            return None
        return self.trick.seat(len(self.trick.cards), self.rules.players)

    @property
    def piles(self) -> tuple[Hand, ...]:
        """All that each player has taken, in tricks and from the kitty."""
        return tuple(map(operator.add, self.taken, self.kitty_taken))

    @cached_property
    def waiting_for(self) -> tuple[int, ...]:
        """The seats that the deal waits for, by turn or because each has still to choose."""
        match self.phase:
            case Phase.PASSING:
                return tuple(seat for seat, cards in enumerate(self.passes) if cards is None)
            case Phase.EXPOSING:
                return tuple(
                    seat
                    for seat in range(self.rules.players)
                    if self.exposable(seat) and seat not in self.declined
                )
            case Phase.PLAYING:
                return (turn,) if (turn := self.turn) is not None else ()
            case Phase.CHOOSING_MOON:
                return (self.shooter,) if self.shooter is not None else ()
            case Phase.DONE:
                return ()

    def exposable(self, seat: int) -> Hand:
        """The cards that this player holds and may expose in the exposing phase (C2)."""
        return tuple(card for card in self.hands[seat] if card in self.rules.preset.exposable)

    def position(self, seat: int) -> plays.Position:
        """What decides the cards that this seat may play when it is its turn."""
        return plays.Position(
            self.rules,
            self.hands[seat],
            self.face_up[seat],
            leading=not self.trick.cards,
            led=self.trick.led_suit,
            first_trick=not self.tricks,
            hearts_broken=self.hearts_broken,
            opening=self.opening if not self.tricks and not self.trick.cards else None,
        )

    @cached_property
    def playable(self) -> Hand:
        """The cards that may be played now, by the seat whose turn it is."""
        return () if self.turn is None else plays.legal(self.position(self.turn))

    def legal(self, seat: int) -> Hand:
        """The cards that this seat may play now: nothing unless it is its turn."""
        return self.playable if seat == self.turn else ()


def with_seat(values: Sequence[T], seat: int, value: T) -> tuple[T, ...]:
    """These values by seat, with this one in place of that seat's."""
    return (*values[:seat], value, *values[seat + 1 :])
