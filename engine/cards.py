"""Suits, cards and hands."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from operator import attrgetter


class Suit(Enum):
    """The four suits, in the order of a sorted hand."""

    CLUBS = "C"
    DIAMONDS = "D"
    SPADES = "S"
    HEARTS = "H"

    __hash__ = object.__hash__  # members are singletons; Enum's own hash is slow

    @property
    def title(self) -> str:
        """Its name in a sentence: `clubs`."""
        return self.name.lower()

    @property
    def sign(self) -> str:
        """Its symbol: `♣`."""
        return _SIGNS[self.value]


RANKS = "23456789TJQKA"
_SIGNS = {"C": "♣", "D": "♦", "S": "♠", "H": "♥"}
_RANK_TITLES = "two three four five six seven eight nine ten jack queen king ace".split()  # noqa: SIM905


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A card's face. Each has one object, so compare with `is`; two decks contain that object twice."""

    code: str
    suit: Suit | None
    rank: int
    order: int
    symbol: str = "Joker"  # as on a card: `Q♠`, `10♥`
    title: str = "joker"  # in a sentence: `queen of spades`

    def __str__(self) -> str:
        return self.code

    __repr__ = __str__

    def __reduce__(self) -> "tuple[Callable[[int], Card], tuple[int]]":
        """Unpickle to the one object for this face."""
        return _in_order, (self.order,)


Hand = tuple[Card, ...]


class Letters(Enum):
    """The letters on jacks, queens and kings: English, German or French."""

    ENGLISH = "JQK"
    GERMAN = "BDK"
    FRENCH = "VDR"

    __hash__ = object.__hash__  # members are singletons; Enum's own hash is slow


@dataclass(frozen=True, slots=True)
class Faces:
    """How a player's own cards are printed: in four colours or in black and red, and with which letters."""

    two_colours: bool = False
    letters: Letters = Letters.ENGLISH

    def printed(self, symbol: str) -> str:
        """The text printed on the card with this symbol: `D♠` for `Q♠` in German."""
        court = Letters.ENGLISH.value.find(symbol[0])
        return symbol if court < 0 else self.letters.value[court] + symbol[1:]


#: Four colours and English letters.
USUAL_FACES = Faces()

#: The 52 cards of a deck, clubs first, each suit in ascending order.
DECK: Hand = tuple(
    Card(
        code=rank + suit.value,
        suit=suit,
        rank=value,
        order=index * 20 + value,
        symbol=rank.replace("T", "10") + suit.sign,
        title=f"{_RANK_TITLES[value - 2]} of {suit.title}",
    )
    for index, suit in enumerate(Suit)
    for value, rank in enumerate(RANKS, 2)
)
#: A joker that belongs to clubs, below the two (W18, P1).
CLUB_JOKER = Card("JK", Suit.CLUBS, 1, 1)
#: A joker without suit or value (W4).
WILD_JOKER = Card("JK", None, 0, 99)

_BY_CODE = {card.code: card for card in DECK}
_BY_ORDER = {card.order: card for card in (*DECK, CLUB_JOKER, WILD_JOKER)}
HEARTS: Hand = tuple(card for card in DECK if card.suit is Suit.HEARTS)


def _in_order(order: int) -> Card:
    return _BY_ORDER[order]


def card(code: str) -> Card:
    """The card with this code: `card("QS")`. KeyError if there is none; jokers aren't included."""
    return _BY_CODE[code]


def cards(codes: str) -> Hand:
    """Several cards: `cards("2C TC QS")`."""
    return tuple(card(code) for code in codes.split())


def sort_hand(hand: Iterable[Card]) -> Hand:
    """Sort by suit, each suit in ascending order."""
    return tuple(sorted(hand, key=attrgetter("order")))


def without(hand: Hand, removed: Iterable[Card]) -> Hand:
    """The hand without one copy of each card in `removed`; ValueError if one isn't held."""
    remaining = list(hand)
    for copy in removed:
        remaining.remove(copy)
    return tuple(remaining)


QUEEN_OF_SPADES = card("QS")
JACK_OF_DIAMONDS = card("JD")
SEVEN_OF_CLUBS = card("7C")
TEN_OF_CLUBS = card("TC")
ACE_OF_HEARTS = card("AH")
