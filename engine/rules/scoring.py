"""What the cards that each player has taken count."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engine.cards import (
    HEARTS,
    JACK_OF_DIAMONDS,
    QUEEN_OF_SPADES,
    SEVEN_OF_CLUBS,
    TEN_OF_CLUBS,
    Card,
    Hand,
    Suit,
)
from engine.rules.options import Moon, MoonChoice
from engine.rules.presets import Scoring
from engine.rules.ruleset import Ruleset

QUEEN = 13  # K6, W9, P9
SUN = 10_000  # C9
BONUS, BONUS_TOTALS = 50, (50, 100, 150)  # W19

#: C7
CHINESE_VALUES: dict[Card, int] = {
    QUEEN_OF_SPADES: -100,
    JACK_OF_DIAMONDS: 100,
    **dict(zip(HEARTS, (0, 0, 0, -10, -10, -10, -10, -10, -10, -20, -30, -40, -50), strict=True)),
}


@lru_cache(maxsize=256)
def card_values(rules: Ruleset) -> dict[Card, int]:
    """What each card that counts is worth to its taker, before a moon or doubling."""
    if rules.preset.scoring is Scoring.CHINESE:
        return CHINESE_VALUES
    values = {card: card.rank if rules.spot_hearts else 1 for card in HEARTS}  # W12
    values[QUEEN_OF_SPADES] = QUEEN
    if rules.jack_of_diamonds:
        values[JACK_OF_DIAMONDS] = -10
    if rules.hooligan:
        values[SEVEN_OF_CLUBS] = 7
    return values


def moon_worth(rules: Ruleset) -> int:
    """26 for each deck, 117 with spot hearts (W13, W23), whatever was removed."""
    hearts = sum(card.rank for card in HEARTS) if rules.spot_hearts else len(HEARTS)
    return (hearts + QUEEN) * rules.pack.decks


def shooter(rules: Ruleset, taken: Sequence[Hand]) -> int | None:
    """Who shot the moon: all hearts of the pack, and (but for Chinese Hearts) every queen of spades."""
    chinese = rules.preset.scoring is Scoring.CHINESE
    needed = _moon_cards(rules.pack.cards, queens=not chinese)
    for seat, pile in enumerate(taken):
        if len(pile) >= needed and _moon_cards(pile, queens=not chinese) == needed:
            return seat
    return None


def _moon_cards(pile: Hand, *, queens: bool) -> int:
    return sum(card.suit is Suit.HEARTS or (queens and card is QUEEN_OF_SPADES) for card in pile)


def score(
    rules: Ruleset, taken: Sequence[Hand], exposed: Hand = (), choice: MoonChoice | None = None
) -> tuple[int, ...]:
    """Each player's points for a deal; `choice` is the shooter's, where the rules ask for one."""
    moon = shooter(rules, taken)
    if rules.preset.scoring is Scoring.CHINESE:
        return tuple(_chinese_points(pile, exposed, moon=seat == moon) for seat, pile in enumerate(taken))
    values = card_values(rules)
    points = [sum(values.get(card, 0) for card in pile) for pile in taken]
    if moon is None:
        return tuple(points)
    own, others = _moon_points(rules, choice)
    side = {card: value for card, value in values.items() if not _moon_cards((card,), queens=True)}
    for seat, pile in enumerate(taken):
        points[seat] = own if seat == moon else others
        points[seat] += sum(side.get(card, 0) for card in pile)
    return tuple(points)


def _moon_points(rules: Ruleset, choice: MoonChoice | None) -> tuple[int, int]:
    """What a moon gives the shooter and each of the others (K7, W13, W23, P9)."""
    worth = moon_worth(rules)
    if rules.moon is Moon.HALF:
        return -(worth // 2), worth // 2
    if rules.moon is Moon.SELF or choice is MoonChoice.SUBTRACT:
        return -worth, 0
    return 0, worth


def _chinese_points(pile: Hand, exposed: Hand, *, moon: bool) -> int:
    """C8 and C9."""
    doubled = {card.suit for card in exposed}
    total = 0
    for card in pile:
        value = CHINESE_VALUES.get(card, 0) * (2 if card.suit in doubled else 1)
        total += -value if moon and card.suit is Suit.HEARTS else value
    if TEN_OF_CLUBS not in pile:
        return total
    if moon and QUEEN_OF_SPADES in pile and JACK_OF_DIAMONDS in pile:
        return SUN
    factor = 2 if TEN_OF_CLUBS in exposed else 1
    return total * 2 * factor if any(map(counts_with_ten, pile)) else 50 * factor


def counts_with_ten(card: Card) -> bool:
    """Whether this card, taken with the ten of clubs, lets it multiply the total (C9): even `2H` does."""
    return card.suit is Suit.HEARTS or card is QUEEN_OF_SPADES or card is JACK_OF_DIAMONDS


def add_up(rules: Ruleset, totals: Sequence[int], points: Sequence[int]) -> tuple[int, ...]:
    """The totals after a deal's points (G4), with the bonus for even scores where it counts (W19)."""
    new = [total + more for total, more in zip(totals, points, strict=True)]
    if rules.even_scores:
        new = [total - BONUS if total in BONUS_TOTALS else total for total in new]
    return tuple(new)
