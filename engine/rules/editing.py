"""Changing one thing about a ruleset, and the options in words for whoever does it."""

from __future__ import annotations

from typing import Any

from engine.errors import Refusal
from engine.rules.counting import EVEN_BONUS, EVEN_TOTALS, VARIANTS
from engine.rules.ruleset import Ruleset, allowed_of
from engine.rules.words import spelled
from engine.sentences import either


def _title(option: str) -> str:
    """What the option lets a card count: `J♦ takes ten points off`."""
    [(card, value)] = VARIANTS[option].items()
    points = f"{spelled(abs(value))} points"
    return f"{card.symbol} takes {points} off" if value < 0 else f"{card.symbol} costs {points}"


TITLES = {
    "pass_cards": "Cards to pass",
    "remainder": "Cards that cannot be dealt evenly",
    "kitty": "Who takes the kitty",
    "safe_first_trick": "First trick",
    "hearts_broken_by": "Hearts are broken by",
    "lead_hearts_with_queen": "Only hearts and Q♠ in hand: hearts may be led",
    "duplicates": "Two copies in one trick",
    "jack_of_diamonds": _title("jack_of_diamonds"),
    "hooligan": _title("hooligan"),
    "spot_hearts": "Hearts count their face value",
    "even_scores": f"A total of {either(EVEN_TOTALS)} loses {EVEN_BONUS}",
    "moon": "Shooting the moon",
    "ends_at": "Total that ends the game",
    "winner": "Who wins",
}

_VALUES = {
    ("remainder", "remove"): "are taken out",
    ("remainder", "kitty"): "lie in a kitty",
    ("remainder", "jokers"): "come out even with jokers",
    ("kitty", "first-trick"): "the first trick, all of it",
    ("kitty", "one-per-trick"): "a card with each trick",
    ("kitty", "first-and-last"): "one with the first, the rest with the last",
    ("safe_first_trick", "off"): "anything goes",
    ("safe_first_trick", "hearts-and-queen"): "no hearts, no Q♠",
    ("safe_first_trick", "all-scoring"): "nothing that scores",
    ("hearts_broken_by", "hearts"): "a heart",
    ("hearts_broken_by", "hearts-or-queen"): "a heart or Q♠",
    ("duplicates", "first-wins"): "the first ranks higher",
    ("duplicates", "cancel"): "cancel each other",
    ("moon", "others"): "the others pay",
    ("moon", "self"): "the shooter gains",
    ("moon", "choice"): "the shooter chooses",
    ("moon", "half"): "half each way",
    ("winner", "lowest"): "the lowest total",
    ("winner", "highest"): "the highest total",
}


def value_in_words(name: str, value: Any) -> str:
    """An option's JSON value as people say it."""
    return _VALUES.get((name, value), str(value))


def applicable(rules: Ruleset) -> list[str]:
    """The options that can be set on these rules, in order."""
    preset, players = rules.preset, rules.players
    return [name for name in rules.all_options if len(allowed_of(preset, players, name)) > 1]


def changed(rules: Ruleset, options: dict[str, Any], players: int | None = None) -> Ruleset:
    """The rules with these options (JSON values) changed; others that then no longer apply are dropped.

    Refusal if a new value is impossible.
    """
    kept = {name: value for name, value in rules.options.items() if name not in options}
    seats = players or rules.players
    while True:
        try:
            return Ruleset.for_preset(rules.preset, seats, {**kept, **options})
        except Refusal as refusal:
            # Fewer players or another remainder can leave no kitty to rule about.
            if kept.pop(refusal.values.get("option", ""), None) is None:
                raise


def differences(rules: Ruleset) -> list[str]:
    """How these rules differ from their game's own, in words."""
    words = []
    for name, value in rules.options.items():
        if value is False:
            words.append(f"not: {TITLES[name]}")
        elif value is True:
            words.append(TITLES[name])
        else:
            words.append(f"{TITLES[name]}: {value_in_words(name, value)}")
    return words
