"""A table's rules: a preset, a number of players, and a value of every option."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from typing import Any

from engine.cards import HEARTS, QUEEN_OF_SPADES, Card
from engine.errors import Refusal
from engine.rules.counting import Counting
from engine.rules.options import OPTIONS, Options, SafeFirstTrick
from engine.rules.packs import Pack
from engine.rules.presets import PRESETS, DependentDefault, Preset


@dataclass(frozen=True, kw_only=True)
class Ruleset(Options):
    """A table's rules, made by `Ruleset.of`; an option that the game lacks has its neutral value.

    >>> rules = Ruleset.of("classic", 4, {"jack_of_diamonds": True})
    >>> rules.options
    {'jack_of_diamonds': True}
    >>> rules.ends([99, 3, 40, 12], 6), rules.ends([100, 3, 40, 12], 6)
    (False, True)
    """

    preset: Preset
    players: int

    @staticmethod
    def of(preset: str, players: int, options: Mapping[str, Any] | None = None) -> Ruleset:
        """The rules of the preset with this name (see `PRESETS`), with these options as JSON values.

        Refusal if there is no such game, if it is not for that number of players, or if an option is unknown,
        does not apply to it or has an impossible value.

        >>> Ruleset.of("classic", 5)
        Traceback (most recent call last):
            ...
        engine.errors.Refusal: Hearts is for 4 players, not 5.
        """
        game = PRESETS.get(preset)
        if game is None:
            raise Refusal("no_such_game", given=preset, games=tuple(PRESETS))
        return Ruleset.for_preset(game, players, options)

    @staticmethod
    def for_preset(game: Preset, players: int, options: Mapping[str, Any] | None = None) -> Ruleset:
        """The game's rules with these options as JSON values; the Refusal names an option that is wrong."""
        if type(players) is not int or players not in game.players:
            raise Refusal("players", game=game, players=game.players, given=players)
        requested = dict(options or {})
        for name in requested:
            if name not in OPTIONS:
                raise Refusal("no_such_option", given=name)
        chosen: dict[str, Any] = {}
        for name in OPTIONS:
            default = default_of(game, players, name, chosen)
            if name in requested:
                if default is None:
                    raise _does_not_apply(game, players, name)
                chosen[name] = OPTIONS[name].parse(requested[name])
                if name == "remainder" and chosen[name] not in game.packs[players]:
                    raise _does_not_apply(game, players, name)
            elif default is not None:
                chosen[name] = default
        return Ruleset(preset=game, players=players, **chosen)

    @cached_property
    def _defaults(self) -> dict[str, Any]:
        """The default of each option that applies."""
        defaults: dict[str, Any] = {}
        chosen: dict[str, Any] = {}
        for name in OPTIONS:
            default = default_of(self.preset, self.players, name, chosen)
            chosen[name] = getattr(self, name)
            if default is not None:
                defaults[name] = default
        return defaults

    @cached_property
    def all_options(self) -> dict[str, Any]:
        """The JSON value of every option that applies."""
        values = {name: getattr(self, name) for name in self._defaults}
        return {name: value.value if isinstance(value, Enum) else value for name, value in values.items()}

    @cached_property
    def options(self) -> dict[str, Any]:
        """The JSON values of options that differ from the preset."""
        return {
            name: value
            for name, value in self.all_options.items()
            if getattr(self, name) != self._defaults[name]
        }

    def to_json(self) -> dict[str, Any]:
        """These rules for a record: the preset, and the options that differ from it."""
        return {"preset": self.preset.name, "players": self.players, "options": self.options}

    def to_whole_json(self) -> dict[str, Any]:
        """These rules for the database, with every option: a preset's new default must not change a game."""
        return {**self.to_json(), "options": self.all_options}

    @staticmethod
    def from_json(data: Any) -> Ruleset:
        """The rules that `to_json` or `to_whole_json` returned; Refusal if the data isn't of that form."""
        if not isinstance(data, dict) or not isinstance(data.get("options", {}), dict):
            raise Refusal("rules_form")
        if set(data) - {"preset", "players", "options"} or not isinstance(data.get("preset"), str):
            raise Refusal("rules_form")
        return Ruleset.of(data["preset"], data.get("players", 0), data.get("options"))

    def __reduce__(self) -> tuple[Callable[[str], Ruleset], tuple[str]]:
        """Unpickle with the reading process's own preset, as presets are compared by identity."""
        return _from_text, (json.dumps(self.to_whole_json()),)

    @cached_property
    def pack(self) -> Pack:
        """The cards in play."""
        return self.preset.packs[self.players][self.remainder]

    @cached_property
    def counting(self) -> Counting:
        """The scoring by these rules."""
        switched_on = [
            option for option in OPTIONS.values() if option.is_switch and getattr(self, option.name)
        ]
        return self.preset.counting.in_play(self.pack, self.moon, switched_on)

    @cached_property
    def at_stake(self) -> int:
        """The points of all cards of a deal, good or bad, added up without their signs."""
        return sum(abs(self.counting.values.get(card, 0)) for card in self.pack.cards)

    @property
    def point(self) -> float:
        """The equivalent of one point in classic Hearts, where 26 are at stake."""
        return self.at_stake / 26

    @property
    def oldest_leads(self) -> bool:
        """Whether the oldest player leads the first deal, and the taker of a certain card the others (C3)."""
        return self.preset.leads_next is not None

    @property
    def final_totals(self) -> tuple[int, ...]:
        """The totals that end the game, the one above 0 first; none if a number of deals ends it."""
        if self.deals:
            return ()
        return (self.ends_at, -self.ends_at) if self.preset.ends_below_zero else (self.ends_at,)

    def ends(self, totals: Sequence[int], deals: int) -> bool:
        """Whether the game ends with these totals after this number of deals (G6, K8, W14, W24, P10, C10)."""
        if self.deals:
            return deals >= self.deals
        return max(map(abs, totals) if self.preset.ends_below_zero else totals) >= self.ends_at

    @cached_property
    def unsafe(self) -> frozenset[Card]:
        """The cards that may not be played to the first trick (K4, W7, P5)."""
        match self.safe_first_trick:
            case SafeFirstTrick.OFF:
                return frozenset()
            case SafeFirstTrick.HEARTS_AND_QUEEN:
                return frozenset((*HEARTS, QUEEN_OF_SPADES))
            case SafeFirstTrick.ALL_SCORING:
                return self.counting.scoring


@lru_cache(maxsize=256)  # so that cached properties are computed once
def _from_text(written: str) -> Ruleset:
    return Ruleset.from_json(json.loads(written))


def default_of(game: Preset, players: int, name: str, chosen: Mapping[str, Any]) -> Any:
    """The option's default, given the options `chosen` before it; None if the option doesn't apply."""
    packs = game.packs[players]
    if name == "remainder":
        return next(iter(packs))
    if name == "kitty" and not packs[chosen.get("remainder")].kitty_size:
        return None
    if name == "deals":  # G6: in every game
        return 0
    default = game.options.get(name)
    return default.after(chosen) if isinstance(default, DependentDefault) else default


def allowed_of(game: Preset, players: int, name: str) -> Sequence[Any]:
    """The JSON values that the option can have if it applies."""
    if name == "remainder":
        return [remainder.value for remainder in game.packs[players] if remainder]
    return OPTIONS[name].values


def _does_not_apply(game: Preset, players: int, name: str) -> Refusal:
    """The refusal of an option that this game lacks, or of a remainder without a pack."""
    if name not in game.options and name != "remainder":
        return Refusal("one_deck" if name == "duplicates" else "no_room_for_option", option=name, game=game)
    if name == "kitty":
        return Refusal("no_kitty", option=name, game=game, players=players)
    possible = tuple(remainder.value for remainder in game.packs[players] if remainder)
    if possible:
        return Refusal("other_pack", option=name, game=game, players=players, allowed=possible)
    return Refusal("same_pack", option=name, game=game, players=players)
