"""The documents' games, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from engine.cards import CLUB_JOKER, WILD_JOKER
from engine.rules.options import (
    Duplicates,
    Goal,
    HeartsBrokenBy,
    Kitty,
    Moon,
    Remainder,
    SafeFirstTrick,
)
from engine.rules.packs import Pack
from engine.rules.passing import Rotation


class Opening(Enum):
    """Who leads the first trick."""

    LOWEST_CLUB = "lowest club"  # K3, W6, W18, P3
    QUEENS_COLLECTOR = "queen's collector"  # C3


class Scoring(Enum):
    """Which of the two ways to count a deal."""

    PENALTIES = "penalties"
    CHINESE = "chinese"


@dataclass(frozen=True, eq=False)
class Preset:
    """A game of the documents: what is fixed, and the defaults of the options it has.

    `packs` maps a number of players to their packs, by the `remainder` option (None where there is
    no choice); the first is the default.
    """

    name: str
    title: str
    packs: Mapping[int, Mapping[Remainder | None, Pack]]
    options: Mapping[str, Any]
    rotation: Rotation = Rotation.AROUND
    opening: Opening = Opening.LOWEST_CLUB
    scoring: Scoring = Scoring.PENALTIES
    exposing: bool = False

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players that can sit down."""
        return tuple(self.packs)


def _sole(*packs: Pack) -> dict[int, dict[Remainder | None, Pack]]:
    return {pack.players: {None: pack} for pack in packs}


_EXTRAS = {"jack_of_diamonds": False, "hooligan": False, "spot_hearts": False, "even_scores": False}
_TWOS = "2C 2D 2S 2H"

CLASSIC = Preset(
    "classic",
    "Hearts",
    _sole(Pack(4)),
    {
        "pass_cards": 3,
        "safe_first_trick": SafeFirstTrick.HEARTS_AND_QUEEN,
        "hearts_broken_by": HeartsBrokenBy.HEARTS_OR_QUEEN,
        "lead_hearts_with_queen": True,
        **_EXTRAS,
        "moon": Moon.CHOICE,
        "ends_at": 100,
        "winner": Goal.LOWEST,
    },
)

_WIKIBOOKS = {
    "pass_cards": 3,
    "remainder": None,
    "kitty": Kitty.FIRST_TRICK,
    "safe_first_trick": SafeFirstTrick.ALL_SCORING,
    "hearts_broken_by": HeartsBrokenBy.HEARTS,
    "lead_hearts_with_queen": False,
    **_EXTRAS,
    "moon": Moon.OTHERS,
    "ends_at": 100,
    "winner": Goal.LOWEST,
}

WIKIBOOKS = Preset(
    "wikibooks",
    "Hearts for three to six",
    {
        3: {
            Remainder.REMOVE: Pack(3, removed="3C"),
            Remainder.KITTY: Pack(3),
            Remainder.JOKERS: Pack(3, jokers=(WILD_JOKER,) * 2),
        },
        4: {None: Pack(4)},
        5: {
            Remainder.REMOVE: Pack(5, removed="3D 3S"),
            Remainder.KITTY: Pack(5),
            Remainder.JOKERS: Pack(5, jokers=(WILD_JOKER,) * 3),
        },
        6: {None: Pack(6, jokers=(WILD_JOKER,) * 2)},
    },
    _WIKIBOOKS,
)

DOUBLE_DECK = Preset(
    "double-deck",
    "Double-deck Hearts",
    {
        6: {
            Remainder.KITTY: Pack(6, decks=2),
            Remainder.REMOVE: Pack(6, decks=2, removed="2C 2D"),
        },
        **_sole(
            Pack(7, decks=2, jokers=(CLUB_JOKER,)),
            Pack(8, decks=2),
            Pack(9, decks=2, removed=_TWOS),
            Pack(10, decks=2, removed=_TWOS),
        ),
    },
    {
        **_WIKIBOOKS,
        "kitty": Kitty.FIRST_AND_LAST,
        "duplicates": Duplicates.FIRST_WINS,
        "moon": Moon.CHOICE,
    },
)

CANCELLATION = Preset(
    "cancellation",
    "Cancellation Hearts",
    _sole(Pack(5, decks=2, jokers=(CLUB_JOKER,))),
    {
        "pass_cards": 0,  # P2: players agree upon passing; without agreement there is none
        "safe_first_trick": SafeFirstTrick.OFF,  # P5: on where cards are passed, see Ruleset.of
        "hearts_broken_by": HeartsBrokenBy.HEARTS_OR_QUEEN,
        "lead_hearts_with_queen": False,
        "duplicates": Duplicates.CANCEL,
        **_EXTRAS,
        "moon": Moon.CHOICE,
        "ends_at": 150,
        "winner": Goal.HIGHEST,
    },
    rotation=Rotation.CANCELLATION,
)

CHINESE = Preset(
    "chinese",
    "Chinese Hearts",
    _sole(Pack(3, removed="2C"), Pack(4), Pack(5, removed="2C 3C"), Pack(6, removed="2C 3C 4C 5C")),
    {"ends_at": 5000, "winner": Goal.HIGHEST},
    rotation=Rotation.NEVER,
    opening=Opening.QUEENS_COLLECTOR,
    scoring=Scoring.CHINESE,
    exposing=True,
)

PRESETS = {preset.name: preset for preset in (CLASSIC, WIKIBOOKS, DOUBLE_DECK, CANCELLATION, CHINESE)}
