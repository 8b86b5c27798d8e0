"""A decision as the reasons look at it, and the words that they share.

A reason is a whole clause without its full stop: a hint says it after a colon, a review as a sentence. Only
whole clauses are joined, by translatable sentences of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.words.text import chips
from engine.cards import Card, Hand, Suit
from engine.languages import N_, Language
from engine.play.views import SeatView
from engine.players.advice import Option
from engine.players.memory import not_seen
from engine.tables import PublicTable

#: From how many points, in units of `Ruleset.point`, everyone avoids taking a card.
DEAR = 2.5
#: Average points from which a choice makes a difference, and up to which a trick costs hardly anything.
SOME, HARDLY = 0.5, 0.35
#: Average points from which a number says more than words.
CLEAR = 0.25
#: Shares that are as good as 1 and as good as 0.
CERTAIN, NONE = 0.98, 0.02
#: From which share a moon hardly ever fails.
ALMOST = 0.95
#: From which share something happens nearly always, usually, often and sometimes; below, hardly ever.
NEARLY_ALWAYS, USUALLY, OFTEN, SOMETIMES = 0.95, 0.65, 0.35, 0.05
#: From which share a moon is worth trying for, and a catch or another's moon worth a warning.
HOPE, RISK = 0.25, 0.12
#: From which share of a moon's cards in one pile alone it is feared.
FEARED = 0.4
#: The lowest rank of a high card.
HIGH = 10
#: What is said of a high card where a trick costs little.
HIGH_WHILE_CHEAP = N_("there are hardly any points in this trick, so use a high card while it's cheap")


class Comparison(NamedTuple):
    """How to compare two options: by their points, or by what the best one costs the others."""

    points: str
    worse: str


COMPARED = Comparison(
    N_("with {best} you score about {points} points in this deal, with {other} {other_points}"),
    N_("it may cost you more points than {other}, but it hurts the others more than you"),
)
#: How likely the player's own moon or sun is, from the likeliest on.
MOON = (
    N_("you nearly always shoot the moon"),
    N_("you may well shoot the moon, though the others can still stop it"),
    N_("the moon is possible, though the others will often stop it"),
)
SUN = (
    N_("you nearly always shoot the sun"),
    N_("you may well shoot the sun, though the others can still stop it"),
    N_("the sun is possible, though the others will often stop it"),
)


@dataclass(frozen=True, slots=True)
class Look:
    """The best option of a decision and others, best first, with what the player can see."""

    table: PublicTable
    view: SeatView
    best: Option
    others: tuple[Option, ...]

    @property
    def card(self) -> Card:
        """The card to play."""
        return self.best.cards[0]

    @property
    def led(self) -> Suit | None:
        """The suit to follow, if any."""
        return self.view.deal.trick.led_suit

    @property
    def leads(self) -> bool:
        """Whether this player leads."""
        return not self.view.deal.trick.cards

    @property
    def is_last(self) -> bool:
        """Whether nobody plays to this trick after this player."""
        return len(self.view.deal.trick.cards) == self.view.rules.players - 1

    @property
    def winning(self) -> Card | None:
        """The card that wins the trick as it lies."""
        deal = self.view.deal
        return None if deal.winning is None else deal.trick.cards[deal.winning]

    @property
    def held(self) -> Hand:
        """This player's cards."""
        return self.view.hand + self.view.deal.face_up[self.view.seat]

    @property
    def point(self) -> float:
        """The points that matter as much in this game as one point in classic Hearts."""
        return self.view.rules.point

    @property
    def wants_tricks(self) -> bool:
        """Whether points are good on the whole, so that players want tricks."""
        return sum(map(self.harm, self.view.rules.counting.values)) < 0

    def of_suit(self, suit: Suit | None) -> Hand:
        """This player's cards of a suit."""
        return tuple(card for card in self.held if card.suit is suit)

    def harm(self, card: Card) -> float:
        """How bad it is to take this card, in points; below 0 where it is good."""
        return -self.view.rules.winner.sign * self.view.rules.counting.values.get(card, 0)

    def is_dear(self, card: Card) -> bool:
        """Whether everyone avoids taking this card."""
        return self.harm(card) >= DEAR * self.point

    def dear_and_out(self, suit: Suit | None) -> list[Card]:
        """The cards of this suit that everyone avoids and another player may hold, the dearest first."""
        dear = [card for card in set(not_seen(self.view)) if card.suit is suit and self.is_dear(card)]
        # A set of cards has another order in each process.
        return sorted(dear, key=lambda card: (-self.harm(card), card.order))

    def gain(self, other: Option) -> float:
        """By how many points the best option is better than this one, on average."""
        return self.view.rules.winner.sign * (self.best.expected - other.expected)

    def is_equal(self, other: Option) -> bool:
        """Whether this option is about as good as the best: not clearly worse, with about equal moons."""
        is_certain = self.best.merit - other.merit > 2 * other.margin
        is_other_moon = abs(self.best.moon - other.moon) >= RISK
        return not (is_certain or is_other_moon) and abs(self.gain(other)) < SOME * self.point

    @property
    def shooter(self) -> int | None:
        """Another player who may be shooting the moon: alone has any of its cards, and may well get all."""
        counting, seat = self.view.rules.counting, self.view.seat
        counts = [sum(card in counting.moon for card in pile) for pile in self.view.deal.taken]
        takers = [taker for taker, count in enumerate(counts) if count]
        if len(takers) != 1 or takers[0] == seat or self.view.kitty:
            return None
        likeliest = max(moon_of(option, takers[0]) for option in (self.best, *self.others))
        has_many = counts[takers[0]] >= FEARED * counting.needed
        return takers[0] if likeliest >= (NONE if has_many else RISK) else None

    def cost(self, option: Option) -> float:
        """What the trick costs with this option, on average; below 0 where it brings something."""
        return -self.view.rules.winner.sign * option.costs

    def compared(self, other: Option, words: Comparison = COMPARED) -> str:
        """How the deal goes with the best option and with this one, or that they are close."""
        gain, say = self.gain(other), self.table.say
        cards = {"best": chips(self.best.cards), "other": chips(other.cards)}
        points = {"points": self.about(self.best.expected), "other_points": self.about(other.expected)}
        if self.is_equal(other):
            return say("it's a close choice")
        if gain >= CLEAR * self.point and points["points"] != points["other_points"]:
            return say(words.points, **cards, **points)
        return say("it's a close choice") if gain > 0 else say(words.worse, **cards)

    def hope(self) -> str:
        """How likely this player's own moon is, in words: the estimate isn't good enough for numbers."""
        likely, well, possible = SUN if 2 * self.best.sun > self.best.moon else MOON
        if self.best.moon >= ALMOST:
            return self.table.say(likely)
        return self.table.say(well if self.best.moon >= 0.5 else possible)

    def both(self, first: str, second: str) -> str:
        """Two clauses in one sentence."""
        return self.table.say("{clause}; {next_clause}", clause=first, next_clause=second)

    def about(self, points: float) -> str:
        """Points as exactly as it matters: `4.2`, `−120`."""
        return about(points, self.point, self.table.language)


def about(points: float, point: float, language: Language) -> str:
    """Points as text, with a decimal if they are few and a `point` is a small number."""
    if point >= 3 or abs(points) >= 9.95:
        return language.number(round(points))
    return language.decimal(points)


def by_share(share: float, words: Sequence[tuple[float, str]]) -> str:
    """The words for this share, from pairs of the least share and the words for it, largest first.

    Words, because the estimates aren't good enough for numbers.
    """
    return next(text for least, text in words if share >= least)


def moon_of(option: Option, seat: int) -> float:
    """The share of deals in which another player shoots the moon after this option."""
    return option.rivals[seat] if option.rivals else 0.0  # the search didn't look for it


def caught(option: Option, card: Card) -> float:
    """The share of deals in which the player takes this card after this option."""
    return min(1.0, dict(option.catches).get(card, 0.0))
