"""The moves of a game. Only they are stored: everything else follows from them.

Seats are numbered clockwise from 0.
"""

from dataclasses import dataclass
from typing import Any

from engine.cards import Card, Hand
from engine.rules.options import MoonChoice
from engine.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Dealt:
    """The cards as dealt, the only random move. `hands` are by seat, `kitty` in the order taken (W3)."""

    dealer: int
    hands: tuple[Hand, ...]
    kitty: Hand = ()
    salt: str | None = None  # seals the deal; secret until it is over


@dataclass(frozen=True, slots=True)
class Passed:
    """`Ruleset.pass_cards` cards to pass; until all have chosen, a later choice replaces it."""

    seat: int
    cards: Hand


@dataclass(frozen=True, slots=True)
class Exposed:
    """A card exposed, face up, before the first trick (C2)."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Declined:
    """No more cards to expose, unless another player exposes one (C2)."""

    seat: int


@dataclass(frozen=True, slots=True)
class Played:
    """A card played to the trick, from `SeatView.legal`."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class MoonChosen:
    """The shooter's choice: add points to the others, or subtract them from their own total (K7, W23, P9)."""

    seat: int
    choice: MoonChoice


@dataclass(frozen=True, slots=True)
class Ended:
    """The game ends early and counts as it stands: the last move, after at least one complete deal."""


SeatMove = Passed | Exposed | Declined | Played | MoonChosen
Move = Dealt | SeatMove | Ended


def to_json(move: Move) -> dict[str, Any]:
    """A move as JSON values, for storing."""
    match move:
        case Dealt(dealer, hands, kitty, salt):
            return {
                "dealt": [[card.code for card in hand] for hand in hands],
                "kitty": [card.code for card in kitty],
                "dealer": dealer,
                **({"salt": salt} if salt else {}),
            }
        case Passed(seat, cards):
            return {"seat": seat, "passed": [card.code for card in cards]}
        case Exposed(seat, card):
            return {"seat": seat, "exposed": card.code}
        case Declined(seat):
            return {"seat": seat, "declined": True}
        case Played(seat, card):
            return {"seat": seat, "played": card.code}
        case MoonChosen(seat, choice):
            return {"seat": seat, "moon": choice.value}
        case Ended():
            return {"ended": True}


def from_json(rules: Ruleset, data: dict[str, Any]) -> Move:
    """The move that `to_json` returned for a game with these rules; KeyError if the data is no move."""
    faces = rules.pack.faces
    match data:
        case {"seat": seat, "played": code}:
            return Played(seat, faces[code])
        case {"dealt": hands, "kitty": kitty, "dealer": dealer}:
            dealt = tuple(tuple(faces[code] for code in hand) for hand in hands)
            return Dealt(dealer, dealt, tuple(faces[code] for code in kitty), data.get("salt"))
        case {"seat": seat, "passed": codes}:
            return Passed(seat, tuple(faces[code] for code in codes))
        case {"seat": seat, "exposed": code}:
            return Exposed(seat, faces[code])
        case {"seat": seat, "declined": True}:
            return Declined(seat)
        case {"seat": seat, "moon": choice}:
            return MoonChosen(seat, MoonChoice(choice))
        case {"ended": True}:
            return Ended()
    # A deal's cards must not be logged.
    fields = ", ".join(data) if isinstance(data, dict) else type(data).__name__
    raise KeyError(f"no move: {fields}")
