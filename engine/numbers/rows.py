"""Cards as numbers. A code names one copy of a card; a row has a bit for each code of one suit.

A set of cards is five rows: clubs, diamonds, spades, hearts, and jokers without suit (W4). A code is its
suit times 32 and, within the suit, twice the rank, plus one for a second copy. So cards of a suit compare by
their codes, and `code ^ 1` is a card's twin. It is all plain Python, which compiled code can call too.
"""

from typing import Protocol, overload

from engine.cards import CLUB_JOKER, DECK, WILD_JOKER, Card, Suit


class Numbers(Protocol):
    """Integers to read; mostly one for each suit, with bits for cards."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> int: ...


class Row(Numbers, Protocol):
    """Integers to change."""

    def __setitem__(self, index: int, value: int, /) -> None: ...


class Grid(Protocol):
    """Several rows, one for each seat."""

    @overload
    def __getitem__(self, index: int, /) -> Row: ...
    @overload
    def __getitem__(self, index: tuple[int, int], /) -> int: ...
    def __setitem__(self, index: tuple[int, int], value: int, /) -> None: ...


CLUBS, DIAMONDS, SPADES, HEARTS, JOKERS = range(5)
#: The number of codes, used or not.
CODES = 5 * 32
#: Every bit that a row can have.
WHOLE = (1 << 32) - 1
#: No card, no seat, no suit.
NONE = -1
#: The most jokers without suit that fit.
MOST_JOKERS = 30


def highest(row: int) -> int:
    """The index of the highest bit of a row that isn't empty."""
    return int(row).bit_length() - 1


def lowest(row: int) -> int:
    """The index of the lowest bit of a row that isn't empty."""
    return int(row & -row).bit_length() - 1


def count(row: int) -> int:
    """The number of cards in a row."""
    return int(row).bit_count()


def suit_of(code: int) -> int:
    """The index of the row of this card's suit."""
    return code >> 5


def bit_of(code: int) -> int:
    """This card as a bit of its row."""
    return 1 << (code & 31)


def rank_of(code: int) -> int:
    """The rank, from 2 to 14 for the ace; 1 for the joker of clubs."""
    return (code & 31) >> 1


def up_to(code: int) -> int:
    """The cards of its suit that are no higher, including a twin."""
    return (2 << (code & 31 | 1)) - 1


def above(code: int) -> int:
    """The cards of its suit that are higher, without its twin."""
    return WHOLE & ~up_to(code)


def code_of(suit: int, place: int) -> int:
    """The code of the card at this index of a row."""
    return suit << 5 | place


def size(rows: Numbers) -> int:
    """The number of cards in all rows."""
    return count(rows[0]) + count(rows[1]) + count(rows[2]) + count(rows[3]) + count(rows[4])


def share_any(one: Numbers, other: Numbers) -> bool:
    """Whether the two have a card in common."""
    return (
        one[0] & other[0] | one[1] & other[1] | one[2] & other[2] | one[3] & other[3] | one[4] & other[4]
    ) != 0


def shared(one: Numbers, other: Numbers) -> int:
    """The number of cards that the two have in common."""
    total = 0
    for suit in range(5):
        total += count(one[suit] & other[suit])
    return total


def has_all(rows: Numbers, subset: Numbers) -> bool:
    """Whether all cards of `subset` are in `rows`."""
    return (
        subset[0] & ~rows[0]
        | subset[1] & ~rows[1]
        | subset[2] & ~rows[2]
        | subset[3] & ~rows[3]
        | subset[4] & ~rows[4]
    ) == 0


def take_out(rows: Row, kind: Row) -> None:
    """Remove the cards of a kind from `rows`, unless there are no others."""
    if not has_all(kind, rows):
        for suit in range(5):
            rows[suit] &= ~kind[suit]


def highest_of(rows: Row, kind: Row) -> int:
    """The highest of these cards of a kind, hearts before spades; NONE if there is none."""
    for suit in range(4, -1, -1):
        row = rows[suit] & kind[suit]
        if row:
            return code_of(suit, highest(row))
    return NONE


def nth(rows: Row, index: int) -> int:
    """The card at this index, counted from the lowest club; there must be more cards than that."""
    for suit in range(5):
        row = rows[suit]
        cards = count(row)
        if index < cards:
            for _ in range(index):
                row &= row - 1
            return code_of(suit, lowest(row))
        index -= cards
    return NONE


# Cards and their codes

_SUITS = {suit: index for index, suit in enumerate((*Suit, None))}


def suit_index(suit: Suit | None) -> int:
    """The index of this suit's row."""
    return _SUITS[suit]


def first_code(card: Card) -> int:
    """The code of this card's first copy."""
    return suit_index(card.suit) << 5 | card.rank << 1


_FACES = {first_code(card): card for card in (*DECK, CLUB_JOKER)}


def face(code: int) -> Card:
    """The card that this is a copy of."""
    return _FACES.get(code & ~1, WILD_JOKER)
