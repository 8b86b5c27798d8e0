"""A choice as a sentence about it needs it, and the words that all such sentences share."""

from __future__ import annotations

from dataclasses import dataclass

from bot.render.text import chip
from engine.cards import Card, Hand, Suit
from engine.languages import ENGLISH
from engine.play.views import SeatView
from engine.players.advice import Option
from engine.players.memory import recall
from engine.tables import PublicTable

#: From how many points, as `Ruleset.point` has them, a single card is one that everybody watches.
DEAR = 2.5
#: Average points from which a choice makes a difference, and up to which it makes hardly any.
SOME, HARDLY = 0.5, 0.35
#: Average points from which a number says more than words.
CLEAR = 0.25
#: A share that is as good as certain, and one that is as good as none.
CERTAIN, NONE = 0.98, 0.02
#: From which share a moon hardly ever fails.
ALMOST = 0.95
#: The name of a share, by the smallest one that it fits.
HOW_OFTEN = (
    (0.95, "nearly always"),
    (0.65, "usually"),
    (0.35, "often"),
    (0.05, "sometimes"),
    (0.0, "hardly ever"),
)
#: From which share a moon is worth trying for, and a catch or another's moon worth a warning.
HOPE, RISK = 0.25, 0.12
#: From which share of a moon's cards in one pile alone it is feared.
FEARED = 0.4
#: From this rank on a card is a high one.
HIGH = 10
#: What is said of a high card where a trick costs little.
HIGH_WHILE_CHEAP = "there are hardly any points in this trick, so use a high card while it's cheap"


@dataclass(frozen=True, slots=True)
class Look:
    """The best option of a choice beside others, best first, as the player of a seat sees it."""

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
        """The suit that is to be followed."""
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
        """What makes as much of a difference in this game as a point in classic Hearts."""
        return self.view.rules.point

    @property
    def wants_tricks(self) -> bool:
        """Whether points are good, so that it is good to take tricks."""
        return sum(map(self.harm, self.view.rules.counting.values)) < 0

    def of_suit(self, suit: Suit | None) -> Hand:
        """This player's cards of a suit."""
        return tuple(card for card in self.held if card.suit is suit)

    def harm(self, card: Card) -> float:
        """How bad it is to take this card, in points; below 0 where it is good."""
        return -self.view.rules.winner.sign * self.view.rules.counting.values.get(card, 0)

    def is_dear(self, card: Card) -> bool:
        """Whether everybody avoids to take this card."""
        return self.harm(card) >= DEAR * self.point

    def dear_and_out(self, suit: Suit | None) -> list[Card]:
        """The cards of this suit that everyone avoids and another player may hold, the dearest first."""
        memory = recall(self.view)
        out = {*memory.unseen[suit], *(card for known in memory.known.values() for card in known)}
        dear = [card for card in out if card.suit is suit and self.is_dear(card)]
        # A set of cards has another order in each process.
        return sorted(dear, key=lambda card: (-self.harm(card), card.order))

    def gain(self, other: Option) -> float:
        """How many points better the best option is than this one, on average."""
        return self.view.rules.winner.sign * (self.best.expected - other.expected)

    def is_equal(self, other: Option) -> bool:
        """Whether this option is about as good as the best: not certainly worse, in points or for a moon."""
        is_certain = self.best.merit - other.merit > 2 * other.margin
        is_other_moon = abs(self.best.moon - other.moon) >= RISK
        return not (is_certain or is_other_moon) and abs(self.gain(other)) < SOME * self.point

    @property
    def shooter(self) -> int | None:
        """Another player who may be shooting the moon: alone has any of its cards, and may get them all."""
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

    def compared(self, other: Option, done: str = "") -> str:
        """What the deal comes to with the best option, and with this one; `done` ends the name of each."""
        best, worse, gain = named(self.best) + done, named(other) + done, self.gain(other)
        mine, theirs = self.about(self.best.expected), self.about(other.expected)
        if self.is_equal(other):
            return "it's a close choice"
        if gain >= CLEAR * self.point and mine != theirs:
            return f"with {best} you score about {mine} points in this deal, with {worse} {theirs}"
        if gain > 0:
            return f"it's a close choice, but {best} comes out a little better than {worse}"
        if gain > -CLEAR * self.point:
            return f"your own points will be about the same with {worse}, but that helps the others more"
        return f"it may cost you more points than {worse}, but it hurts the others more than you"

    def about(self, points: float) -> str:
        """Points as exactly as it matters: `4.2`, `−120`."""
        return about(points, self.point)


def about(points: float, point: float) -> str:
    """Points in words, with a decimal where a `point` is a small number."""
    if point >= 3 or abs(points) >= 9.95:
        return ENGLISH.number(round(points))
    return ENGLISH.decimal(points)


def often(who: str, does: str, share: float) -> str:
    """`A♠ sometimes catches Q♠`: in words, as a tenth more or less would claim more than comes true."""
    return f"{who} {next(word for least, word in HOW_OFTEN if share >= least)} {does}"


def moon_of(option: Option, seat: int) -> float:
    """In which share another player shoots the moon with this option."""
    return option.rivals[seat] if option.rivals else 0.0  # where it was not searched


def hope(option: Option) -> str:
    """How likely this player's own moon is: in words, as no tenth of it is reliable."""
    moon = "sun" if 2 * option.sun > option.moon else "moon"
    if option.moon >= ALMOST:
        return f"you nearly always shoot the {moon}"
    if option.moon >= 0.5:
        return f"you may well shoot the {moon}, though the others can still stop it"
    return f"the {moon} is possible, though the others will often stop it"


def caught(option: Option, card: Card) -> float:
    """In which share this option takes that card."""
    return min(1.0, dict(option.catches).get(card, 0.0))


def some(suit: Suit) -> str:
    """`a spade`."""
    return f"a {suit.title.removesuffix('s')}"


def named(option: Option) -> str:
    """An option's cards; `nothing` where it has none."""
    return " ".join(map(chip, option.cards)) or "nothing"
