"""A deal in progress as numbers: one record, so that a copy is one assignment."""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import cast

import numpy as np

from engine.kernel.compiled import Grid, Row
from engine.kernel.laws import KITTY, SEATS, layout
from engine.kernel.rows import NONE


class Position(np.record):  # type: ignore[misc]  # numpy can do it, its types do not say so
    """A deal between the first lead and the last card. Made empty, and filled; `set_out` derives the rest.

    Of an array of positions each is a record that writes to it: `scratch[0] = position` copies all of one.
    """

    # What whoever makes a position fills in
    hands: Grid  # by seat, the rows of its cards, those that lie face up too
    face_up: Grid  # by seat, the rows of those of them that lie face up (C2)
    piles: Grid  # by seat, the rows of all that it has taken, of the kitty too
    on_hold: Row  # the rows of tricks on hold (W21), and of the kitty's cards that went with them
    kitty: Row  # codes in the order dealt; those gone with earlier tricks may be anything
    leader: int  # of the trick in progress
    trick: Row  # the codes of its cards in order
    laid: int  # how many there are
    tricks_done: int
    hearts_broken: bool
    opening: int  # the code that must be led (K3, W6, W18, P3); NONE if it is led or there is none
    # What follows from it
    points: Row  # by seat, what its pile counts by itself; once played out, the deal's points
    in_play: Row  # the rows of all hands and of the trick
    trick_rows: Row
    trick_points: int  # what its cards count
    held_points: int  # what is on hold counts
    led: int  # the suit to follow; NONE while none is led
    best: int  # the code of the card that wins as the trick lies; NONE while none does
    winner: int  # who laid it

    @staticmethod
    def empty() -> Position:
        """A position without cards, before the first lead of seat 0."""
        return Position.several(1)[0]

    @staticmethod
    def several(count: int) -> MutableSequence[Position]:
        """An array of empty positions."""
        positions = np.zeros(count, POSITION)
        for field in ("opening", "led", "best", "winner"):
            positions[field] = NONE
        return cast("MutableSequence[Position]", positions)

    def copies(self, count: int) -> MutableSequence[Position]:
        """An array of positions like this one."""
        positions = np.empty(count, POSITION)
        positions[:] = self
        return cast("MutableSequence[Position]", positions)


POSITION = layout(Position, kitty=KITTY, trick=SEATS, points=SEATS)
