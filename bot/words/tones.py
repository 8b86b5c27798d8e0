"""Signs and colours for points: green for those that help, red for those that hurt, by the game's goal."""

from collections.abc import Sequence

from bot.vocabulary.messages import Colour
from bot.vocabulary.scenes import Score, Tone
from engine.languages import Language
from engine.rules.ruleset import Ruleset

#: Before points in a list, as Discord on phones shows no coloured text.
SIGNS = {Tone.GOOD: "🟢", Tone.BAD: "🔴", Tone.PLAIN: "⚪"}
STRIPES = {Tone.GOOD: Colour.HELPS, Tone.BAD: Colour.HURTS, Tone.PLAIN: Colour.DONE}

#: A deal is about as good as the average within this share of all that counts in it.
AVERAGE_TOLERANCE = 0.05
BETTER, AS_GOOD, WORSE = "🟩", "🟨", "🟥"


def tone(rules: Ruleset, points: int) -> Tone:
    """Whether these points help or hurt a player: `+180` helps if the highest total wins."""
    if not points:
        return Tone.PLAIN
    return Tone.GOOD if points * rules.winner.sign > 0 else Tone.BAD


def score(rules: Ruleset, points: int) -> Score:
    """Points beside a player, with a plus or minus sign in games that have points of both kinds."""
    has_both = min(rules.counting.values.values()) < 0
    return Score(Language.change(points) if has_both else Language.number(points), tone(rules, points))


def sign(rules: Ruleset, points: int) -> str:
    """🔴 before points that hurt, 🟢 before those that help, ⚪ before none."""
    return SIGNS[tone(rules, points)]


def stripe(rules: Ruleset, points: int) -> Colour:
    """The colour of the stripe beside a message about these points."""
    return STRIPES[tone(rules, points)]


def signs(rules: Ruleset, scored: Sequence[int], compared: Sequence[float]) -> list[str]:
    """A square for each deal: whether `scored` is better than `compared`, worse, or about as good."""
    about = AVERAGE_TOLERANCE * rules.at_stake
    squares = []
    for own, other in zip(scored, compared, strict=True):
        gain = (own - other) * rules.winner.sign
        squares.append(AS_GOOD if abs(gain) <= about else BETTER if gain > 0 else WORSE)
    return squares
