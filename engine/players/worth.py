"""What it is worth to a player to take a card: the rules' values, the goal, and moons in the air."""

from __future__ import annotations

from engine.cards import ACE_OF_HEARTS, HEARTS, QUEEN_OF_SPADES, TEN_OF_CLUBS, Card, Suit
from engine.play.deal import Phase
from engine.play.views import SeatView
from engine.players.memory import Memory
from engine.rules import scoring
from engine.rules.options import Goal
from engine.rules.presets import Scoring
from engine.rules.ruleset import Ruleset

Worth = dict[Card, float]

#: How much of a moon's worth each of its cards counts for whoever would stop it, at full threat.
STOP = 0.3
#: A moon is in the air from this share of its cards in one pile.
FEARED = 0.5


def goal_sign(rules: Ruleset) -> int:
    """1 where points are good, −1 where they are bad (P10)."""
    return 1 if rules.winner is Goal.HIGHEST else -1


def worths(view: SeatView, memory: Memory) -> Worth:
    """What taking each card that counts is worth to this player now; the higher the better."""
    sign = goal_sign(view.rules)
    worth = {card: sign * value for card, value in _values(view).items()}
    good = worth[ACE_OF_HEARTS] > 0  # then a moon costs its shooter what it brings elsewhere
    if not good and _overwhelming(view, memory):
        return worth | {card: abs(worth.get(card, 0)) + 1 for card in _moon_cards(view.rules)}
    shooter, threat = _moon_threat(view)
    if (shooter == view.seat) is not good:
        return worth
    bonus = threat * STOP * _moon_swing(view.rules) * (-1 if good else 1)
    return worth | {card: worth.get(card, 0) + bonus for card in _moon_cards(view.rules)}


def _values(view: SeatView) -> dict[Card, float]:
    """The cards' points, in Chinese Hearts with all that doubles them for this player (C8, C9)."""
    rules, deal = view.rules, view.deal
    values = scoring.card_values(rules)
    if rules.preset.scoring is not Scoring.CHINESE:
        return dict(values)
    exposed = tuple(card for _, card in deal.exposures)
    pile = deal.taken[view.seat]
    doubled = {card.suit for card in exposed}
    ten = (4 if TEN_OF_CLUBS in exposed else 2) if TEN_OF_CLUBS in pile else 1
    points = {card: value * ten * (2 if card.suit in doubled else 1) for card, value in values.items()}
    before = scoring.score(rules, (pile,), exposed)[0]
    after = scoring.score(rules, ((*pile, TEN_OF_CLUBS),), exposed)[0]
    progress = len(deal.tricks) / rules.pack.hand_size  # early on, what it will double is not known
    return points | {TEN_OF_CLUBS: (after - before) * progress}


def _moon_cards(rules: Ruleset) -> tuple[Card, ...]:
    """The faces that a moon needs (K7, W13, P9, C8)."""
    return HEARTS if rules.preset.scoring is Scoring.CHINESE else (*HEARTS, QUEEN_OF_SPADES)


def _moon_swing(rules: Ruleset) -> int:
    if rules.preset.scoring is Scoring.CHINESE:
        return -2 * sum(value for card, value in scoring.CHINESE_VALUES.items() if card.suit is Suit.HEARTS)
    return scoring.moon_worth(rules)


def _moon_threat(view: SeatView) -> tuple[int | None, float]:
    """Who alone has taken a moon's cards so far, and what share of them all if that is to be feared."""
    needed = _moon_cards(view.rules)
    counts = [sum(card in needed for card in pile) for pile in view.deal.taken]
    counts[view.seat] += sum(card in needed for card in view.kitty)
    share = max(counts) / sum(card in needed for card in view.rules.pack.cards)
    if share < FEARED or sum(map(bool, counts)) > 1:
        return None, 0.0
    return counts.index(max(counts)), share


def _overwhelming(view: SeatView, memory: Memory) -> bool:
    """Whether this hand should take every trick that is left, and nobody else has a moon's card yet."""
    needed = _moon_cards(view.rules)
    for seat, pile in enumerate(view.deal.taken):
        if seat != view.seat and any(card in needed for card in pile):
            return False
    spare = view.rules.pass_cards if view.deal.phase is Phase.PASSING else 0  # it passes those on
    return _losers(view, memory) <= spare


def _losers(view: SeatView, memory: Memory) -> int:
    """How many cards of this hand the others can still beat."""
    losers = 0
    for suit in Suit:
        theirs = memory.ranks[suit]
        length = 1 + len(theirs) / len(memory.others) if theirs else 0
        mine = sorted((card.rank for card in view.hand if card.suit is suit), reverse=True)
        losers += sum(1 for index, rank in enumerate(mine) if index < length and rank < theirs[-1])
    return losers + sum(1 for card in view.hand if card.suit is None)
