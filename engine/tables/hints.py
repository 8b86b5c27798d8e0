"""Hints: who may ask for one, what was asked, and what was answered."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.play.deal import Deal, Phase
from engine.play.public import PublicDeal
from engine.play.views import SeatView
from engine.players.advice import Advice


class Hints(Enum):
    """Whom a table lets ask what a strong player would do."""

    ALONE = "alone"  # whoever plays with computers alone
    EVERYBODY = "everybody"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Asked:
    """Somebody has asked for a hint in this deal, after so many of its cards; after −1 to pass."""

    deal: int
    seat: int
    after: int


@dataclass(frozen=True, slots=True)
class Hint:
    """What a player was told, and where in the game that holds."""

    seat: int
    place: object
    advice: Advice


def place(deal: Deal) -> object:
    """Where a deal stands: as long as it is equal, a hint holds."""
    return deal.number, deal.phase, cards_played(deal), deal.exposures


def cards_played(deal: Deal | PublicDeal) -> int:
    """How many cards lie or have lain in the deal's tricks."""
    return sum([len(done.trick.cards) for done in deal.tricks]) + len(deal.trick.cards)


def is_there_a_choice(view: SeatView) -> bool:
    """Whether this player is asked for something in which a hint could help."""
    match view.deal.phase:
        case Phase.PASSING:
            return view.passed is None
        case Phase.EXPOSING:
            return bool(view.exposable) and not view.declined
        case _:
            return len(set(view.legal)) > 1


def asking(deal: Deal, seat: int) -> Asked | None:
    """What the table is told of it: nothing while cards are exposed, as that tells who could (C2)."""
    if deal.phase is Phase.EXPOSING:
        return None
    return Asked(deal.number, seat, -1 if deal.phase is Phase.PASSING else cards_played(deal))
