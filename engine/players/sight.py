"""A view as numbers, without a compiler, and how much its cards appeal to a learned player."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from engine.cards import Card
from engine.numbers.appeal import (
    PARTS,
    appeal_of,
    holder_of_moon,
    look,
    look_to_pass,
    losers_in_hand,
    way_of,
)
from engine.numbers.rows import CODES, NONE, Numbers, Row, face, first_code, suit_index
from engine.numbers.weights import weights_of
from engine.numbers.worths import codes_in, rows_with, values_of
from engine.play.views import SeatView
from engine.players.memory import voids


class Copies:
    """Gives cards their codes: the first copy of a card gets its first code, and so on."""

    def __init__(self) -> None:
        self._given: Counter[Card] = Counter()

    def take(self, cards: Iterable[Card]) -> list[int]:
        """The codes of these cards, none of which was given before."""
        codes = []
        for card in cards:
            codes.append(first_code(card) + self._given[card])
            self._given[card] += 1
        return codes


@dataclass(slots=True)
class Seen:
    """A player's view of its turn; `Sight` describes the fields."""

    seat: int
    mine: Row
    theirs: Row
    trick: Row
    voids: Row
    laid: int
    led: int
    best: int
    winner: int
    pot: int
    is_first: bool
    holder: int
    taken: int
    daring: int


def appeals(view: SeatView, daring: int = 0) -> dict[Card, int]:
    """The appeal of each card that may be played to a learned player, in thousandths."""
    laws, sight = values_of(view.rules, view.deal.exposed), sight_of(view, daring)
    copies = [codes_in(sight.mine[suit_index(card.suit)], card) for card in set(view.legal)]
    legal = list(rows_with(code for codes in copies for code in codes))
    codes, seen = [0] * CODES, [0] * (CODES * PARTS)
    weights, by_card = weights_of(view.rules), dict[Card, int]()
    for number in range(look(laws, sight, legal, codes, seen)):
        card, appeal = face(codes[number]), appeal_of(weights, seen, number)
        by_card[card] = max(appeal, by_card.get(card, appeal))
    return by_card


def appeals_to_pass(view: SeatView, rest: Numbers, remaining: int) -> dict[int, int]:
    """The appeal of passing each card in `rest`, by code, while `remaining` cards are still to be passed."""
    rules, laws = view.rules, values_of(view.rules)
    losers = losers_in_hand(laws, rows_with(Copies().take(view.hand)))
    way = way_of(rules.players, view.deal.offset % rules.players)
    codes, seen = [0] * CODES, [0] * (CODES * PARTS)
    length = look_to_pass(laws, rest, losers, remaining, way, codes, seen)
    return {codes[card]: appeal_of(weights_of(rules), seen, card) for card in range(length)}


def sight_of(view: SeatView, daring: int = 0) -> Seen:
    """This view as numbers; `daring` is explained in `Sight`."""
    deal, players, copies = view.deal, view.rules.players, Copies()
    laws = values_of(view.rules, deal.exposed)
    mine = rows_with(copies.take((*deal.face_up[view.seat], *view.hand)))
    piles = [rows_with(copies.take(cards)) for cards in deal.taken]
    kitty, on_hold = copies.take(view.kitty), copies.take(deal.on_hold)
    laid = copies.take(deal.trick.cards)
    piles[view.seat] = _joined(piles[view.seat], rows_with(kitty))
    trick = rows_with(laid)
    seen = _joined(mine, trick, rows_with(on_hold), *piles)
    holder, moon_cards = holder_of_moon(laws, piles)
    void = [0] * 5
    for seat, suit in voids(view):
        void[suit_index(suit)] |= 1 << seat
    led = deal.trick.led_suit
    winning = deal.winning
    return Seen(
        seat=view.seat,
        mine=list(mine),
        theirs=[whole & ~gone for whole, gone in zip(laws.pack, seen, strict=True)],
        trick=list(trick),
        voids=void,
        laid=len(laid),
        led=NONE if led is None else suit_index(led),
        best=NONE if winning is None else laid[winning],
        winner=NONE if winning is None else (deal.trick.leader + winning) % players,
        pot=sum([laws.worth[code] for code in (*laid, *on_hold)]),
        is_first=not deal.tricks,
        holder=holder,
        taken=moon_cards,
        daring=daring,
    )


def _joined(*rows: tuple[int, ...]) -> tuple[int, ...]:
    joined = [0] * 5
    for one in rows:
        for suit, row in enumerate(one):
            joined[suit] |= row
    return tuple(joined)
