"""Whether points help or hurt: red for what hurts, green for what helps, by this game's goal."""

from __future__ import annotations

from collections.abc import Sequence

from bot.vocabulary.messages import Colour
from bot.vocabulary.scenes import Score, Tone
from engine.languages import Language
from engine.rules.ruleset import Ruleset

#: Before points in a list: a telephone shows no coloured text.
SIGNS = {Tone.GOOD: "🟢", Tone.BAD: "🔴", Tone.PLAIN: "⚪"}
STRIPES = {Tone.GOOD: Colour.HELPS, Tone.BAD: Colour.HURTS, Tone.PLAIN: Colour.DONE}

#: A deal is about as good as the average within this share of all that counts in it.
AVERAGE_TOLERANCE = 0.05
BETTER, AS_GOOD, WORSE = "🟩", "🟨", "🟥"


def tone(rules: Ruleset, points: int) -> Tone:
    """Whether it helps or hurts a player to get these points: `+180` helps where the highest total wins."""
    if not points:
        return Tone.PLAIN
    return Tone.GOOD if points * rules.winner.sign > 0 else Tone.BAD


def score(rules: Ruleset, points: int) -> Score:
    """Points as they stand beside a player: with a sign where cards of this game bring and others cost."""
    has_both = min(rules.counting.values.values()) < 0
    return Score(Language.change(points) if has_both else Language.number(points), tone(rules, points))


def sign(rules: Ruleset, points: int) -> str:
    """🔴 before points that hurt, 🟢 before those that help, ⚪ before none."""
    return SIGNS[tone(rules, points)]


def stripe(rules: Ruleset, points: int) -> Colour:
    """The colour beside a message that tells of these points."""
    return STRIPES[tone(rules, points)]


def signs(rules: Ruleset, scored: Sequence[int], compared: Sequence[float]) -> list[str]:
    """For each deal whether it went better than that, worse, or about as well."""
    about = AVERAGE_TOLERANCE * rules.at_stake
    found = []
    for own, other in zip(scored, compared, strict=True):
        gain = (own - other) * rules.winner.sign
        found.append(AS_GOOD if abs(gain) <= about else BETTER if gain > 0 else WORSE)
    return found
