"""The documents' games, as data."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.cards import (
    ACE_OF_HEARTS,
    CLUB_JOKER,
    HEARTS,
    JACK_OF_DIAMONDS,
    QUEEN_OF_SPADES,
    TEN_OF_CLUBS,
    WILD_JOKER,
    Card,
    Hand,
)
from engine.languages import N_
from engine.rules.counting import PENALTIES, Counting, Multiplier, Sun
from engine.rules.options import (
    OPTIONS,
    Duplicates,
    Goal,
    HeartsBrokenBy,
    Kitty,
    Moon,
    Remainder,
    SafeFirstTrick,
)
from engine.rules.packs import Pack


@dataclass(frozen=True, slots=True)
class DependentDefault:
    """A default that depends on an earlier option: `then` if that one is set, else `otherwise`."""

    option: str
    then: Any
    otherwise: Any

    def after(self, chosen: Mapping[str, Any]) -> Any:
        """The default after these choices."""
        return self.then if chosen[self.option] else self.otherwise


@dataclass(frozen=True, eq=False, repr=False)
class Preset:
    """A game: what is fixed, and the defaults of the options it has. ValueError if one is impossible.

    `packs` maps a number of players to their packs, by the `remainder` option (None where there is
    no choice); the first is the default.
    """

    name: str
    title: str
    packs: Mapping[int, Mapping[Remainder | None, Pack]]
    options: Mapping[str, Any]
    rotation: tuple[int, ...] = ()  # seats to the left to pass to, deal by deal; W5 if empty
    leads_next: Card | None = None  # its taker leads the next deal (C3); if None, the lowest club leads
    counting: Counting = PENALTIES
    exposable: Hand = ()  # the cards that may be exposed before the first trick (C2)
    ends_below_zero: bool = False  # whether a total as far below zero ends the game too (C10)

    def __post_init__(self) -> None:
        for fault in (*self._pack_faults(), *self._option_faults()):
            raise ValueError(f"{self.name}: {fault}")

    def _pack_faults(self) -> Iterator[str]:
        for players, packs in self.packs.items():
            for pack in packs.values():
                if pack.players != players:
                    yield f"the pack for {players} players is one for {pack.players}"
                if pack.kitty_size and "kitty" not in self.options:
                    yield f"with {players} players the option kitty must say who takes it"

    def _option_faults(self) -> Iterator[str]:
        for name in ("ends_at", "winner"):
            if name not in self.options:
                yield f"the option {name} needs a default"
        if "moon" in self.options and not self.counting.moon:
            yield "the option moon needs cards that a moon takes"
        names = [name for name in OPTIONS if name in self.options]
        for name, default in self.options.items():
            if name not in OPTIONS or name == "remainder":  # the packs decide that one
                yield f"no default can be given for an option {name}"
                continue
            values = [default]
            if isinstance(default, DependentDefault):
                values = [default.then, default.otherwise]
                if default.option not in names[: names.index(name)]:
                    yield f"{name} cannot hang on {default.option}, which is not chosen before it"
            for value in values:
                if not OPTIONS[name].can_be(value):
                    yield f"the option {name} cannot be {value!r}"

    def __repr__(self) -> str:
        return f"Preset({self.name})"

    @property
    def players(self) -> tuple[int, ...]:
        """The possible numbers of players."""
        return tuple(self.packs)


def _sole(*packs: Pack) -> dict[int, dict[Remainder | None, Pack]]:
    return {pack.players: {None: pack} for pack in packs}


def _ends_at(usual: int) -> DependentDefault:
    """W14: where hearts count their face value, the usual total would end most games in a deal or two."""
    return DependentDefault("spot_hearts", 500, otherwise=usual)


_EXTRAS = {"jack_of_diamonds": False, "hooligan": False, "spot_hearts": False, "even_scores": False}
_TWOS = "2C 2D 2S 2H"

CLASSIC = Preset(
    "classic",
    N_("Hearts"),
    _sole(Pack(4)),
    {
        "pass_cards": 3,
        "safe_first_trick": SafeFirstTrick.HEARTS_AND_QUEEN,
        "hearts_broken_by": HeartsBrokenBy.HEARTS_OR_QUEEN,
        "lead_hearts_with_queen": True,
        **_EXTRAS,
        "moon": Moon.CHOICE,
        "ends_at": _ends_at(100),
        "winner": Goal.LOWEST,
    },
)

_WIKIBOOKS = {
    "pass_cards": 3,
    "kitty": Kitty.FIRST_TRICK,
    "safe_first_trick": SafeFirstTrick.ALL_SCORING,
    "hearts_broken_by": HeartsBrokenBy.HEARTS,
    "lead_hearts_with_queen": False,
    **_EXTRAS,
    "moon": Moon.OTHERS,
    "ends_at": _ends_at(100),
    "winner": Goal.LOWEST,
}

WIKIBOOKS = Preset(
    "wikibooks",
    N_("Hearts for three to six"),
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
    N_("Double-deck Hearts"),
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
    N_("Cancellation Hearts"),
    _sole(Pack(5, decks=2, jokers=(CLUB_JOKER,))),
    {
        "pass_cards": 0,  # P2: players agree upon passing; without agreement there is none
        # P5: only in games with passing
        "safe_first_trick": DependentDefault(
            "pass_cards", SafeFirstTrick.HEARTS_AND_QUEEN, otherwise=SafeFirstTrick.OFF
        ),
        "hearts_broken_by": HeartsBrokenBy.HEARTS_OR_QUEEN,
        "lead_hearts_with_queen": False,
        "duplicates": Duplicates.CANCEL,
        **_EXTRAS,
        "moon": Moon.CHOICE,
        "ends_at": _ends_at(150),
        "winner": Goal.HIGHEST,
    },
    rotation=(0, 1, 2, -2, -1),  # P2
)

CHINESE = Preset(
    "chinese",
    N_("Chinese Hearts"),
    _sole(Pack(3, removed="2C"), Pack(4), Pack(5, removed="2C 3C"), Pack(6, removed="2C 3C 4C 5C")),
    {"ends_at": 5000, "winner": Goal.HIGHEST},
    leads_next=QUEEN_OF_SPADES,
    counting=Counting(
        values={  # C7
            QUEEN_OF_SPADES: -100,
            JACK_OF_DIAMONDS: 100,
            **dict(zip(reversed(HEARTS[-4:]), (-50, -40, -30, -20), strict=True)),
            **dict.fromkeys(HEARTS[3:-4], -10),
        },
        moon=HEARTS,  # C8
        multiplier=Multiplier(  # C9
            TEN_OF_CLUBS, times=2, alone=50, company=frozenset((*HEARTS, QUEEN_OF_SPADES, JACK_OF_DIAMONDS))
        ),
        sun=Sun((QUEEN_OF_SPADES, JACK_OF_DIAMONDS, TEN_OF_CLUBS), 10_000),
    ),
    exposable=(QUEEN_OF_SPADES, JACK_OF_DIAMONDS, ACE_OF_HEARTS, TEN_OF_CLUBS),
    ends_below_zero=True,
)

PRESETS = {preset.name: preset for preset in (CLASSIC, WIKIBOOKS, DOUBLE_DECK, CANCELLATION, CHINESE)}
