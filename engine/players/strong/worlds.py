"""Possible deals: a seat's view in numbers, and random deals of the unseen cards that agree with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple, cast

import numpy as np

from engine.cards import Card, Suit
from engine.kernel.chance import below
from engine.kernel.compiled import compiled
from engine.kernel.records import Laws, Position
from engine.kernel.rules import derive_fields
from engine.numbers.rows import NONE, Row, bit_of, suit_index, suit_of
from engine.play.views import SeatView
from engine.players.memory import passed_on, voids


class Unseen(NamedTuple):
    """The copies whose place this seat doesn't know, those with the fewest possible places first.

    Places are numbered: the seats' hands, the kitty, the seats' piles (for cards taken from the kitty, W3),
    and the cards on hold.
    """

    codes: Row
    may: Row  # for each copy, a bit for each place where it may be
    room: Row  # for each place, how many of the copies are there


class Knowledge(NamedTuple):
    """A view in numbers: the game's laws, a position with everything known, and the unseen cards."""

    laws: Laws
    position: Position
    unseen: Unseen


def encode_view(view: SeatView) -> Knowledge:
    """Everything that this view says, in numbers."""
    deal = view.deal
    laws = Laws.of(view.rules, deal.exposed)
    copies = _Copies(laws, view.rules.pack.cards)
    position = Position.empty()
    for seat, cards in enumerate(deal.face_up):
        codes = copies.take(cards)
        _put(position.hands[seat], codes)
        _put(position.face_up[seat], codes)
    _put(position.hands[view.seat], copies.take(view.hand))
    for seat, cards in enumerate(deal.taken):
        _put(position.piles[seat], copies.take(cards))
    _put(position.piles[view.seat], copies.take(view.kitty))
    _put(position.on_hold, copies.take(deal.on_hold))
    position.leader, position.laid = deal.trick.leader, len(deal.trick.cards)
    for index, code in enumerate(copies.take(deal.trick.cards)):
        position.trick[index] = code
    position.tricks_done, position.hearts_broken = len(deal.tricks), deal.hearts_broken
    void = voids(view)
    for seat, suit in void:
        position.voids[suit_index(suit)] |= 1 << seat
    passed = {seat: copies.take(cards) for seat, cards in passed_on(view).items()}
    for seat, codes in passed.items():
        _put(position.hands[seat], codes)
    return Knowledge(laws, position, _unseen(view, void, copies.remaining, _room(view, passed)))


class _Copies:
    """The codes of a pack's cards, taken out card by card; copies of a card are interchangeable."""

    def __init__(self, laws: Laws, cards: Iterable[Card]) -> None:
        self._codes = {card: list(laws.codes(card)) for card in dict.fromkeys(cards)}

    def take(self, cards: Iterable[Card]) -> list[int]:
        """Take out a copy of each of these cards, and return the codes."""
        return [self._codes[card].pop(0) for card in cards]

    @property
    def remaining(self) -> list[tuple[Card, int]]:
        """The copies that haven't been taken out."""
        return [(card, code) for card, codes in self._codes.items() for code in codes]


def _put(rows: Row, codes: Iterable[int]) -> None:
    for code in codes:
        rows[suit_of(code)] |= bit_of(code)


def _room(view: SeatView, passed: dict[int, list[int]]) -> list[int]:
    """The number of unseen cards in each place."""
    deal, players = view.deal, view.rules.players
    hands = [
        0 if seat == view.seat else deal.hand_sizes[seat] - len(passed.get(seat, ()))
        for seat in range(players)
    ]
    kitty_taken = [0] * players
    for trick in deal.tricks:
        if trick.winner not in (None, view.seat):
            kitty_taken[trick.winner] += trick.kitty
    return [*hands, deal.kitty_size, *kitty_taken, deal.on_hold_kitty]


def _unseen(
    view: SeatView, void: Set[tuple[int, Suit | None]], remaining: Sequence[tuple[Card, int]], room: list[int]
) -> Unseen:
    first = _opening(view)
    places = [place for place, takes in enumerate(room) if takes > 0]
    seats = [place for place in places if place < view.rules.players]
    elsewhere = sum([1 << place for place in places if place >= view.rules.players])
    by_suit = {
        suit: elsewhere | sum([1 << seat for seat in seats if (seat, suit) not in void])
        for suit in (*Suit, None)
    }
    placed = []
    for card, code in remaining:
        may = elsewhere if card.order < first else by_suit[card.suit]
        placed.append((may.bit_count(), code, may))
    placed.sort()
    return Unseen(
        codes=_row([code for _, code, _ in placed]),
        may=_row([may for *_, may in placed]),
        room=_row(room),
    )


def _opening(view: SeatView) -> int:
    """The order of the first card led if the lowest in any hand had to lead; −1 otherwise."""
    deal = view.deal
    tricks = [one.trick for one in deal.tricks] or [deal.trick]
    if view.rules.oldest_leads or not tricks[0].cards:
        return -1
    return tricks[0].cards[0].order


def _row(values: Sequence[int]) -> Row:
    return cast("Row", np.array(values, np.int64))


@compiled
def deal_out(knowledge: Knowledge, random_state: Row, places: Row, room_left: Row, world: Position) -> None:
    """Complete a world that has what is known, at random; `places` and `room_left` are scratch memory."""
    share_out(knowledge.unseen, random_state, places, room_left)
    laws, players = knowledge.laws, knowledge.laws.players
    start = end = laws.kitty_before[world.tricks_done]
    for index in range(len(places)):
        code, place = knowledge.unseen.codes[index], places[index]
        if place < players:
            world.hands[place, suit_of(code)] |= bit_of(code)
        elif place == players:
            world.kitty[end] = code
            end += 1
        elif place <= 2 * players:
            world.piles[place - players - 1, suit_of(code)] |= bit_of(code)
        else:
            world.on_hold[suit_of(code)] |= bit_of(code)
    _shuffle(world.kitty, start, end, random_state)
    derive_fields(laws, world)


@compiled
def share_out(unseen: Unseen, random_state: Row, places: Row, room_left: Row) -> None:
    """Give each unseen copy a possible place, at random by the room left there."""
    for place in range(len(room_left)):
        room_left[place] = unseen.room[place]
    for index in range(len(places)):
        if not _room_in(unseen.may[index], room_left):
            _make_room(unseen, index, places, room_left)
        place = _draw(unseen.may[index], room_left, random_state)
        places[index] = place
        room_left[place] -= 1


@compiled
def _room_in(may: int, room_left: Row) -> int:
    """The room left in these places."""
    room = 0
    for place in range(len(room_left)):
        if may >> place & 1:
            room += room_left[place]
    return room


@compiled
def _draw(may: int, room_left: Row, random_state: Row) -> int:
    """Draw one of these places at random; if they are all full, any place with room."""
    room = _room_in(may, room_left)
    if not room:
        may, room = -1, _room_in(-1, room_left)
    drawn = below(random_state, room)
    for place in range(len(room_left)):
        if may >> place & 1:
            drawn -= room_left[place]
            if drawn < 0:
                return place
    return NONE


@compiled
def _make_room(unseen: Unseen, index: int, places: Row, room_left: Row) -> None:
    """Move copies already placed, so that one of this copy's places has room.

    From these places, search on through the other places of the copies there, until one has room; then each
    copy on the way moves on by one. A true view always leaves a way; otherwise nothing moves.
    """
    moved = np.full(len(room_left), NONE)  # by place, the copy that would move there
    reached = unseen.may[index]
    grows = True
    while grows:
        grows = False
        for copy in range(index):
            for place in range(len(room_left)):
                if reached >> places[copy] & 1 and unseen.may[copy] >> place & 1 and not reached >> place & 1:
                    moved[place], reached, grows = copy, reached | 1 << place, True
                    if room_left[place]:
                        _move_on(moved, place, places, room_left)
                        return


@compiled
def _move_on(moved: Row, place: int, places: Row, room_left: Row) -> None:
    """Move each copy on the way to this place, which has room, on by one."""
    room_left[place] -= 1
    while moved[place] != NONE:
        copy = moved[place]
        place, places[copy] = places[copy], place
    room_left[place] += 1


@compiled
def _shuffle(codes: Row, start: int, end: int, random_state: Row) -> None:
    for last in range(end - 1, start, -1):
        other = start + below(random_state, last + 1 - start)
        codes[last], codes[other] = codes[other], codes[last]
