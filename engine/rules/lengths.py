"""The length of a game: in deals, as measured with computers, and in minutes, as estimated for people.

`python -m tests.bench.lengths` measures the deals, from 300 of each game, and 1,500 of Chinese Hearts. The
minutes assume that people take about 5 seconds for a card, 20 to pass, 15 to expose, and 10 to read a deal's
points; computers take none.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.rules.ruleset import Ruleset
from engine.rules.wording import changed

#: Seconds that one person takes for a card, and the whole table to pass, to expose and to read the points.
CARD, PASS, EXPOSE, READ = 5.0, 20.0, 15.0, 10.0
#: Lengths that fit an evening, in minutes.
EVENINGS = (15, 30, 60)
#: Totals are left out if a game to them is this close in length, as a share, to the usual or current one.
ALIKE = 0.2
#: The options that end a game, and the number of deals in a short one.
ENDINGS, SHORT = ("ends_at", "deals"), 4
#: The entry of DEALS for a game that hasn't been measured.
UNMEASURED = (2.6, 1.1)

#: By game and number of players, two numbers: a game to the points of one deal takes `first` deals, and one
#: to n times as many points takes `first` * n ** `power`.
DEALS: Mapping[tuple[str, int], tuple[float, float]] = {
    ("classic", 4): (2.72, 1.11),
    ("wikibooks", 3): (2.12, 1.04),
    ("wikibooks", 4): (2.35, 1.08),
    ("wikibooks", 5): (2.53, 1.09),
    ("wikibooks", 6): (2.63, 1.1),
    ("double-deck", 6): (3.5, 1.14),
    ("double-deck", 7): (3.65, 1.17),
    ("double-deck", 8): (4.2, 1.18),
    ("double-deck", 9): (4.23, 1.2),
    ("double-deck", 10): (4.54, 1.23),
    ("cancellation", 5): (3.33, 1.1),
    ("chinese", 3): (1.69, 1.07),
    ("chinese", 4): (1.82, 1.14),
    ("chinese", 5): (1.96, 1.07),
    ("chinese", 6): (1.57, 1.09),
}


@dataclass(frozen=True, slots=True)
class End:
    """A total that ends a game, and the expected length of a game to it."""

    total: int
    deals: float
    minutes: float


def points_per_deal(rules: Ruleset) -> float:
    """The points per deal of the player nearest to the end: cards of the other sign offset half of theirs."""
    values = [rules.counting.values.get(card, 0) for card in rules.pack.cards]
    up, down = sum(value for value in values if value > 0), -sum(value for value in values if value < 0)
    return max(up, down) - min(up, down) / 2 or 1.0


def deals(rules: Ruleset) -> float:
    """The number of deals a game with these rules is expected to take."""
    if rules.deals:
        return float(rules.deals)
    first, power = _measured(rules)
    return max(1.0, first * math.pow(rules.ends_at / points_per_deal(rules), power))


def minutes_a_deal(rules: Ruleset, people: int) -> float:
    """The minutes a deal takes with this number of people, the other seats played by computers."""
    seconds = READ + CARD * people * rules.pack.hand_size
    seconds += PASS if rules.pass_cards else 0.0
    seconds += EXPOSE if rules.preset.exposable else 0.0
    return seconds / 60


def end(rules: Ruleset, people: int) -> End:
    """The end that these rules set."""
    expected = deals(rules)
    return End(rules.ends_at, expected, expected * minutes_a_deal(rules, people))


def ends(rules: Ruleset, people: int) -> list[End]:
    """The document's own total, that of these rules, and others that fit an evening; the lowest first."""
    rules = changed(rules, {"deals": 0})
    fixed = (end(usual(rules), people), end(rules, people))
    by_total = {offer.total: offer for offer in fixed}
    for offer in _for_evenings(rules, people):
        if all(abs(offer.minutes / other.minutes - 1) > ALIKE for other in fixed):
            by_total.setdefault(offer.total, offer)
    return [by_total[total] for total in sorted(by_total)]


def short(rules: Ruleset, people: int) -> list[End]:
    """Games with a number of deals (G6): a short one, and that of these rules; the shortest first."""
    counts = sorted({SHORT, rules.deals or SHORT})
    return [end(changed(rules, {"deals": count}), people) for count in counts]


def usual(rules: Ruleset) -> Ruleset:
    """These rules with the end that the document sets."""
    others = {name: value for name, value in rules.options.items() if name not in ENDINGS}
    return Ruleset.for_preset(rules.preset, rules.players, others)


def _measured(rules: Ruleset) -> tuple[float, float]:
    return DEALS.get((rules.preset.name, rules.players), UNMEASURED)


def _for_evenings(rules: Ruleset, people: int) -> Iterator[End]:
    first, power = _measured(rules)
    for minutes in EVENINGS:
        count = minutes / minutes_a_deal(rules, people)
        total = points_per_deal(rules) * math.pow(count / first, 1 / power)
        yield end(changed(rules, {"ends_at": _round(total)}), people)


def _round(total: float) -> int:
    """Round to a total that is easy to remember, and never to 0."""
    step = next(
        (step for limit, step in ((100, 5), (400, 10), (2000, 50), (6000, 100)) if total < limit), 500
    )
    return max(step, round(total / step) * step)
