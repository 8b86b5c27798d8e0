"""Par of a deal: strong computers play it again and again, from the cards as dealt.

Everything depends on the deal alone, so that its par is always the same.
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
#: may take its time.
PASSING, EXPOSING, PLAYING = 4_000, 64, 100
#: The least worlds for each option.
LEAST = 8


def passes_needed(start: DealStart, searches: int) -> int:
    """How many passes there are to choose before the first replay, if each seat does it so often."""
    return searches * start.rules.players if _deal(start, 0).phase is Phase.PASSING else 0


def choose_passes(start: DealStart, searches: int, first: int, seconds: float) -> list[Hand]:
    """The passes from this number (from 0) on, as many as these seconds allow, at least one if one is left.

    Their seats take turns.
    """
    found: list[Hand] = []
    until = perf_counter() + seconds
    for number in range(first, passes_needed(start, searches)):
        found.append(_choose_pass(start, number))
        if perf_counter() > until:
            break
    return found


def replay(
    start: DealStart, passes: Sequence[Hand], first: int, last: int, seconds: float
) -> list[tuple[int, ...]]:
    """The points of replays from number `first` up to `last`, as many as these seconds allow, at least one.

    `passes` are all that were chosen, empty where nothing is passed: replays take turns with them, each with
    one pass of every seat.
    """
    found: list[tuple[int, ...]] = []
    until = perf_counter() + seconds
    for number in range(first, last):
        found.append(_replay(start, passes, number))
        if perf_counter() > until:
            break
    return found


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
    """The deal as it begins in the replay of this number."""
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
    seating, record, position = encode(start, deal)
    laws, players = seating.laws, start.rules.players
    end = play(seating, record, memory(), position, random_state(seed))
    points = tuple([int(end.points[seat]) for seat in range(players)])
    if start.rules.moon is Moon.CHOICE and laws.moon_is_possible:
        moon = np.asarray(laws.moon)
        for seat in range(players):
            if (np.asarray(end.piles[seat]) & moon == moon).all():
                return _chosen(start, seat, points)
    return points


def _chosen(start: DealStart, seat: int, points: tuple[int, ...]) -> tuple[int, ...]:
    """The points as the shooter chooses: these are those with a moon that adds to the others' (K7)."""
    less = tuple([one - start.rules.counting.moon_worth for one in points])
    choices = {MoonChoice.ADD: points, MoonChoice.SUBTRACT: less}
    return choices[best_moon_choice(start.rules, start.totals, seat, choices, start.number)]


# A deal before its first lead, in numbers


def encode(start: DealStart, deal: Deal) -> tuple[Seating, History, Position]:
    """This deal, all passed and exposed, for `replaying`."""
    laws = Laws.of(start.rules, deal.exposed)
    held = _Held(laws, deal)
    return _seating(start, laws, deal), held.record, held.position


class _Held:
    """The cards of a deal by their codes: of two copies, one player may hold either."""

    def __init__(self, laws: Laws, deal: Deal) -> None:
        self._left = {card: list(laws.codes(card)) for card in set(deal.rules.pack.cards)}
        self.position = Position.empty()
        self.record = _nothing_seen()
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
            held = deal.hands[deal.trick.leader].index(deal.opening)
            self.position.opening = mine[deal.trick.leader][held]

    def _take(self, cards: Hand) -> list[int]:
        return [self._left[card].pop() for card in cards]

    def _find_gifts(self, laws: Laws, deal: Deal, mine: Sequence[Sequence[int]]) -> None:
        """What each passed lies in the receiver's hand."""
        for giver, cards in enumerate(deal.passes):
            receiver = (giver + deal.offset) % laws.players
            left = dict(zip(mine[receiver], deal.hands[receiver], strict=True))
            for card in cards or ():
                code = next((code for code, face in left.items() if face is card), None)
                if code is not None:  # else it lies face up
                    del left[code]
                    _put(self.record.gifts, giver, code)


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
    """Working memory for the card play, which one deal after another uses."""
    return ReplayBuffers.of(PLAYING, LEAST)


def _view(start: DealStart, deal: Deal, seat: int) -> SeatView:
    return seat_view(Game(start.rules, deals=(deal,), history=(start.totals,)), seat)


def _skills(start: DealStart) -> Skills:
    """Every seat's computer is strong."""
    return [1.0] * start.rules.players


def _chance(start: DealStart, use: str) -> Random:
    """A source of chance that follows from the deal's cards and what else it begins with."""
    dealt = start.dealt
    return Random(f"{use} {start.number} {dealt.dealer} {dealt.hands} {dealt.kitty} {start.totals}")
