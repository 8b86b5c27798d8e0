"""Special events in deals, and who may be shooting the moon, judged by what everyone may see."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from engine.cards import QUEEN_OF_SPADES, Hand
from engine.play.deal import Deal, Phase
from engine.play.public import PublicDeal
from engine.rules.counting import Why, total
from engine.rules.options import Goal
from engine.rules.ruleset import Ruleset

#: Of the USUAL points of one deck's moon, how many make a moon nearly shot, and how many make one likely
#: enough to be pointed out. Other moons take the same shares.
NEARLY, NOTED, USUAL = 20, 8, 26


class FeatKind(Enum):
    """A kind of special event in a deal."""

    SUN = "sun"
    MOON = "moon"
    STOPPED = "stopped"  # nearly a moon
    QUEEN = "queen"  # given away with the last trick


@dataclass(frozen=True, slots=True)
class Feat:
    """A special event in a deal: `seat` shot the moon or the sun, or gave the queen away.

    If a moon was stopped, `seat` is the player who nearly shot it, with `points` of its `whole` points.
    """

    kind: FeatKind
    seat: int
    others: tuple[int, ...] = ()  # the players who stopped the moon, or who got the queen
    points: int = 0
    whole: int = 0


def feat(rules: Ruleset, deal: PublicDeal) -> Feat | None:
    """The most special thing about a finished deal, if any; until its end the kitty is secret (W3)."""
    if deal.phase is not Phase.DONE or deal.kitty_taken is None:
        return None
    if deal.shooter is not None:
        return Feat(FeatKind.SUN if is_sun(deal) else FeatKind.MOON, deal.shooter)
    return _stopped_moon(rules, deal) or _late_queen(rules, deal)


def is_sun(deal: Deal | PublicDeal) -> bool:
    """Whether the shooter of this deal shot the sun, which doesn't count as a moon."""
    account = deal.accounts[deal.shooter] if deal.accounts and deal.shooter is not None else ()
    return any(entry.why is Why.SUN for entry in account)


def has_shot_moon(deal: Deal | PublicDeal, seat: int) -> bool:
    """Whether this seat shot the moon, and not the sun."""
    return deal.shooter == seat and not is_sun(deal)


def moons_help(rules: Ruleset) -> bool:
    """Whether a moon helps its shooter; where points are good, it may do harm (P9)."""
    return (rules.counting.brings is None) == (rules.winner is Goal.HIGHEST)


def hurts(rules: Ruleset, points: int) -> bool:
    """Whether these points are bad to have."""
    return points * rules.winner.sign < 0


def moon_threat(rules: Ruleset, deal: PublicDeal) -> int | None:
    """The only seat with points of the moon, if it has enough of them and cards are still being played.

    Only cards from tricks count: those from the kitty are their taker's secret (W3).
    """
    if deal.phase is not Phase.PLAYING or not (rules.counting.needed and moons_help(rules)):
        return None
    takers = _takers(rules, deal.taken)
    if len(takers) != 1:
        return None
    worth, whole = _worth(rules, deal, [deal.taken[takers[0]], rules.pack.cards])
    return takers[0] if abs(worth) * USUAL >= NOTED * abs(whole) else None


def _takers(rules: Ruleset, piles: Sequence[Hand]) -> list[int]:
    """The seats that have any of the moon's cards."""
    moon = frozenset(rules.counting.moon)
    return [seat for seat, pile in enumerate(piles) if not moon.isdisjoint(pile)]


def _worth(rules: Ruleset, deal: PublicDeal, piles: Sequence[Hand]) -> list[int]:
    """The points of each pile's moon cards."""
    moon = frozenset(rules.counting.moon)
    of_moon = [[card for card in pile if card in moon] for pile in piles]
    return [total(rules.counting.entries(pile, deal.exposed)) for pile in of_moon]


def _stopped_moon(rules: Ruleset, deal: PublicDeal) -> Feat | None:
    if not (rules.counting.needed and moons_help(rules)):
        return None
    assert deal.kitty_taken is not None
    piles = [cards + kitty for cards, kitty in zip(deal.taken, deal.kitty_taken, strict=True)]
    worth = _worth(rules, deal, piles)
    seat = max(range(len(piles)), key=lambda one: abs(worth[one]))
    if abs(worth[seat]) * USUAL < NEARLY * abs(sum(worth)):
        return None
    others = tuple([one for one in _takers(rules, piles) if one != seat])
    return Feat(FeatKind.STOPPED, seat, others, worth[seat], sum(worth))


def _late_queen(rules: Ruleset, deal: PublicDeal) -> Feat | None:
    last = deal.tricks[-1]
    if last.winner is None or not hurts(rules, rules.counting.values.get(QUEEN_OF_SPADES, 0)):
        return None
    for seat, card in last.trick.laid(rules.players):
        if card is QUEEN_OF_SPADES and seat != last.winner:
            return Feat(FeatKind.QUEEN, seat, (last.winner,))
    return None
