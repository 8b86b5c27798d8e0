"""Par of a deal: strong computers replay it many times, from the cards as dealt.

All randomness is seeded by the deal, so that its par is always the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from time import perf_counter
from typing import cast

import numpy as np

from engine.cards import Hand
from engine.kernel.chance import random_state
from engine.kernel.records import SEATS, Laws, Position
from engine.numbers.rows import NONE, Grid, Row, bit_of, suit_of
from engine.play.deal import Deal, Phase, advance_deal, start_deal
from engine.play.game import Game
from engine.play.moves import Declined, Exposed, Passed
from engine.play.par import DealStart
from engine.play.views import SeatView, seat_view
from engine.players.advice import Skills
from engine.players.moon import best_moon_choice
from engine.players.strong import policy_for
from engine.players.strong.passing import weigh_exposures, weigh_passes
from engine.players.strong.replaying import History, ReplayBuffers, Seating, play
from engine.players.strong.utility import stakes_of
from engine.players.strong.worlds import encode_view
from engine.rules.options import Moon, MoonChoice

#: Playouts for choosing a pass, for exposing a card, and for playing one. Several replays share a pass, so it
#: may take longer.
PASSING, EXPOSING, PLAYING = 4_000, 64, 100
#: The fewest worlds for each option.
LEAST = 8


def passes_needed(start: DealStart, searches: int) -> int:
    """The number of passes to choose before the first replay: `searches` for each seat, 0 without passing."""
    return searches * start.rules.players if _deal(start, 0).phase is Phase.PASSING else 0


def choose_passes(start: DealStart, searches: int, first: int, seconds: float) -> list[Hand]:
    """Choose passes from number `first` (from 0) on, as many as fit in these seconds; at least one, if any.

    The seats take turns.
    """
    passes: list[Hand] = []
    deadline = perf_counter() + seconds
    for number in range(first, passes_needed(start, searches)):
        passes.append(_choose_pass(start, number))
        if perf_counter() > deadline:
            break
    return passes


def replay(
    start: DealStart, passes: Sequence[Hand], first: int, last: int, seconds: float
) -> list[tuple[int, ...]]:
    """The points, by seat, of replays `first` to `last` - 1: as many as fit in these seconds, at least one.

    `passes` are all that were chosen, or empty if nothing is passed. Replays take turns with them, each using
    one pass of every seat.
    """
    points: list[tuple[int, ...]] = []
    deadline = perf_counter() + seconds
    for number in range(first, last):
        points.append(_replay(start, passes, number))
        if perf_counter() > deadline:
            break
    return points


def _choose_pass(start: DealStart, number: int) -> Hand:
    seat = number % start.rules.players
    view = _view(start, _deal(start, number), seat)
    seed = _chance(start, f"pass {number}").getrandbits(62)
    return weigh_passes(view, encode_view(view), policy_for(view.rules), _skills(start), PASSING, seed).best


def _replay(start: DealStart, passes: Sequence[Hand], number: int) -> tuple[int, ...]:
    players, chance = start.rules.players, _chance(start, f"replay {number}")
    deal = _deal(start, number)
    if passes:
        first = players * (number % (len(passes) // players))
        for seat in range(players):
            deal = advance_deal(deal, Passed(seat, passes[first + seat]))
    while deal.phase is Phase.EXPOSING:
        deal = _expose(start, deal, chance.getrandbits(62))
    return _play(start, deal, chance.getrandbits(62))


def _deal(start: DealStart, number: int) -> Deal:
    """The deal at the start of the replay with this number."""
    leader = number % start.rules.players if start.first_leader is None else start.first_leader
    return start_deal(start.rules, start.number, start.dealt, leader)


def _expose(start: DealStart, deal: Deal, seed: int) -> Deal:
    seat = deal.waiting_for[0]
    view = _view(start, deal, seat)
    cards = weigh_exposures(
        view, encode_view(view), policy_for(view.rules), _skills(start), EXPOSING, seed
    ).best
    return advance_deal(deal, Exposed(seat, *cards) if cards else Declined(seat))


def _play(start: DealStart, deal: Deal, seed: int) -> tuple[int, ...]:
    seating, history, position = encode(start, deal)
    laws, players = seating.laws, start.rules.players
    end = play(seating, history, memory(), position, random_state(seed))
    points = tuple([int(end.points[seat]) for seat in range(players)])
    if start.rules.moon is Moon.CHOICE and laws.moon_is_possible:
        moon = np.asarray(laws.moon)
        for seat in range(players):
            if (np.asarray(end.piles[seat]) & moon == moon).all():
                return _chosen(start, seat, points)
    return points


def _chosen(start: DealStart, seat: int, points: tuple[int, ...]) -> tuple[int, ...]:
    """The points after the shooter's choice; `points` has the moon added to the others' (K7)."""
    subtracted = tuple([own - start.rules.counting.moon_worth for own in points])
    choices = {MoonChoice.ADD: points, MoonChoice.SUBTRACT: subtracted}
    return choices[best_moon_choice(start.rules, start.totals, seat, choices, start.number)]


# A deal before its first lead, in numbers


def encode(start: DealStart, deal: Deal) -> tuple[Seating, History, Position]:
    """Turn a deal, after passing and exposing, into numbers for `replaying`."""
    laws = Laws.of(start.rules, deal.exposed)
    encoder = _Encoder(laws, deal)
    return _seating(start, laws, deal), encoder.history, encoder.position


class _Encoder:
    """Puts a deal's cards into numbers; which of a card's two copies a player gets doesn't matter."""

    def __init__(self, laws: Laws, deal: Deal) -> None:
        self._codes = {card: list(laws.codes(card)) for card in set(deal.rules.pack.cards)}
        self.position = Position.empty()
        self.history = _nothing_seen()
        for seat, cards in enumerate(deal.face_up):
            for code in self._take(cards):
                _put(self.position.face_up, seat, code)
                _put(self.position.hands, seat, code)
        mine = [self._take(cards) for cards in deal.hands]
        for seat, codes in enumerate(mine):
            for code in codes:
                _put(self.position.hands, seat, code)
        for index, code in enumerate(self._take(deal.kitty)):
            self.position.kitty[index] = code
        self._find_gifts(laws, deal, mine)
        self.position.leader = deal.trick.leader
        if deal.opening:
            place = deal.hands[deal.trick.leader].index(deal.opening)
            self.position.opening = mine[deal.trick.leader][place]

    def _take(self, cards: Hand) -> list[int]:
        return [self._codes[card].pop() for card in cards]

    def _find_gifts(self, laws: Laws, deal: Deal, mine: Sequence[Sequence[int]]) -> None:
        """Record the passed cards that are in their receivers' hands."""
        for giver, cards in enumerate(deal.passes):
            receiver = (giver + deal.offset) % laws.players
            in_hand = dict(zip(mine[receiver], deal.hands[receiver], strict=True))
            for card in cards or ():
                code = next((code for code, face in in_hand.items() if face is card), None)
                if code is not None:  # else it is face up
                    del in_hand[code]
                    _put(self.history.gifts, giver, code)


def _put(rows: Grid, seat: int, code: int) -> None:
    rows[seat, suit_of(code)] |= bit_of(code)


def _nothing_seen() -> History:
    def grid() -> Grid:
        return cast("Grid", np.zeros((SEATS, 5), np.int64))

    return History(grid(), grid(), _row([0] * 5), _row([NONE]))


def _row(values: Sequence[int]) -> Row:
    return cast("Row", np.array(values, np.int64))


def _seating(start: DealStart, laws: Laws, deal: Deal) -> Seating:
    counting, kitty = start.rules.counting, start.rules.pack.kitty_size
    more_than = -1 if counting.decks == 1 else counting.needed // 2
    may_aim = bool(counting.needed and not laws.moon_is_good)
    stakes = stakes_of(_view(start, deal, 0), others_stop_moons=not laws.moon_is_good)
    policy = policy_for(start.rules)
    return Seating(laws, policy, stakes, may_aim, more_than, kitty, deal.offset, PLAYING, LEAST)


@lru_cache(maxsize=1)
def memory() -> ReplayBuffers:
    """Working memory for the card play, used by one deal after another."""
    return ReplayBuffers.of(PLAYING, LEAST)


def _view(start: DealStart, deal: Deal, seat: int) -> SeatView:
    return seat_view(Game(start.rules, deals=(deal,), history=(start.totals,)), seat)


def _skills(start: DealStart) -> Skills:
    """All seats' computers are strong."""
    return [1.0] * start.rules.players


def _chance(start: DealStart, use: str) -> Random:
    """A source of randomness for this use, seeded by everything that the deal starts from."""
    dealt = start.dealt
    return Random(f"{use} {start.number} {dealt.dealer} {dealt.hands} {dealt.kitty} {start.totals}")
