"""Trials of options in possible deals: the better an option looks, the more of them it gets."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from functools import partial
from math import ceil, log2, sqrt
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card, Hand
from engine.kernel.chance import chance
from engine.kernel.compiled import compiled
from engine.kernel.habits import Policy
from engine.kernel.records import SEATS, Laws, Position
from engine.numbers.rows import CODES, Grid, Row, code_of, has_all, lowest
from engine.play.views import SeatView
from engine.players.advice import Option, Skills
from engine.players.strong.utility import Stakes, merit, stakes_of
from engine.players.strong.worlds import Knowledge, deal_out

#: The fewest worlds for each option.
LEAST = 8


class Tallies(NamedTuple):
    """The options' outcomes, indexed by option; the first two fields by option and world."""

    merits: NDArray[np.float64]
    points: NDArray[np.float64]  # this seat's in the deal
    moons: Row  # how often this seat shot the moon
    suns: Row  # how often that was the sun (C9)
    takes: Row  # how often it took the trick in progress
    costs: Row  # its points from that trick, in total
    catches: Grid  # by code, how often it took this card, which counts
    rivals: Grid  # by seat, how often another one shot the moon

    @staticmethod
    def nothing(options: int, worlds: int) -> Tallies:
        """Empty tallies for this many options and worlds."""
        merits, points = (np.zeros((options, worlds)) for _ in range(2))
        moons, suns, takes, costs = (cast("Row", np.zeros(options, np.int64)) for _ in range(4))
        catches, rivals = (cast("Grid", np.zeros((options, size), np.int64)) for size in (CODES, SEATS))
        return Tallies(merits, points, moons, suns, takes, costs, catches, rivals)


class Scratch(NamedTuple):
    """Working memory, allocated once for all trials."""

    seeds: Row  # one for each world, so that every option meets the same world and the same luck
    random_state: Row
    places: Row
    room_left: Row
    positions: MutableSequence[Position]  # the world, and its copy that is played out

    @staticmethod
    def of(knowledge: Knowledge, seed: int, worlds: int) -> Scratch:
        """Working memory for this many worlds."""
        seeds = np.random.default_rng(seed).integers(1, 1 << 62, worlds)
        sizes = 1, len(knowledge.unseen.codes), len(knowledge.unseen.room)
        state, places, room_left = (cast("Row", np.zeros(size, np.int64)) for size in sizes)
        return Scratch(cast("Row", seeds), state, places, room_left, Position.several(2))


class Trials(NamedTuple):
    """What all trials of a choice share: knowledge, how to play it out, and where outcomes are recorded."""

    knowledge: Knowledge
    policy: Policy
    skills: NDArray[np.float64]  # by seat; the searcher's own is 1
    stakes: Stakes
    scratch: Scratch
    tallies: Tallies


class SearchResult(NamedTuple):
    """The outcome of a search."""

    tallies: Tallies
    laws: Laws
    ranking: Sequence[tuple[int, int]]  # the choices best first, each with the worlds in which it was tried
    choices: Sequence[tuple[Hand, Hand]]  # the cards, and equivalent ones

    @property
    def best(self) -> Hand:
        """The best choice's cards, without the cost of working out `options`."""
        return self.choices[self.ranking[0][0]][0]

    @property
    def options(self) -> tuple[Option, ...]:
        """All choices as advice, best first; each set of cards once, at its best."""
        return self._options(least=0)

    @property
    def contenders(self) -> tuple[Option, ...]:
        """The options that a preference may decide among; others may only look as good for lack of trials."""
        return self._options(least=self.ranking[0][1] / 2)

    def _options(self, least: float) -> tuple[Option, ...]:
        """The choices that were tried in at least this many worlds."""
        options: dict[Hand, Option] = {}
        for index, worlds in self.ranking:
            cards, _ = self.choices[index]
            if worlds >= least and cards not in options:
                options[cards] = self._option(index, worlds)
        return tuple(options.values())

    def _option(self, index: int, worlds: int) -> Option:
        """This choice as advice.

        It is compared with the best one in the worlds where both were tried, which is more precise than
        comparing means.
        """
        cards, same = self.choices[index]
        if not worlds:
            return Option(cards, expected=0.0, error=0.0, merit=0.0, margin=0.0, same=same)
        best, most = self.ranking[0]
        merits, points, rivals = self.tallies.merits, self.tallies.points, self.tallies.rivals
        behind = merits[best, :worlds] - merits[index, :worlds]
        fewer = points[best, :worlds] - points[index, :worlds]
        return Option(
            cards,
            expected=float(points[best, :most].mean() - fewer.mean()),
            error=_standard_error(points[index, :worlds]),
            merit=float(merits[best, :most].mean() - behind.mean()),
            margin=_standard_error(behind),
            moon=float(self.tallies.moons[index] / worlds),
            sun=float(self.tallies.suns[index] / worlds),
            rivals=tuple([float(rivals[index, seat] / worlds) for seat in range(self.laws.players)]),
            takes=float(self.tallies.takes[index] / worlds),
            costs=float(self.tallies.costs[index] / worlds),
            catches=_catches(self.tallies, self.laws, index, worlds),
            same=same,
            worlds=worlds,
        )


#: Tries these options in the worlds from the first number up to, but excluding, the second.
Try = Callable[[Trials, NDArray[np.int64], int, int], None]


def search(
    view: SeatView,
    knowledge: Knowledge,
    policy: Policy,
    skills: Skills,
    choices: Sequence[tuple[Hand, Hand]],
    effort: int,
    seed: int,
    attempt: Try,
    prior: NDArray[np.float64] | None = None,
) -> SearchResult:
    """Try choices with about `effort` playouts; each has the cards chosen, and equivalent ones.

    `prior` is each choice's merit as estimated before it is tried; it counts only in the ranking.
    """
    rounds = Rounds(len(choices), effort)
    tallies = Tallies.nothing(len(choices), rounds.worlds)
    scratch = Scratch.of(knowledge, seed, rounds.worlds)
    others = [skill for seat, skill in enumerate(skills) if seat != view.seat]
    stakes = stakes_of(view, others_stop_moons=any(others) and not knowledge.laws.moon_is_good)
    table = np.array([1.0 if seat == view.seat else skill for seat, skill in enumerate(skills)])
    prior = np.zeros(len(choices)) if prior is None else prior
    trials = Trials(knowledge, policy, table, stakes, scratch, tallies)
    ranking = rounds.run(partial(attempt, trials), tallies.merits, prior)
    return SearchResult(tallies, knowledge.laws, ranking, choices)


class Rounds:
    """Sequential halving: after each round the worse half of the options drops out."""

    def __init__(self, options: int, effort: int) -> None:
        """`effort` is the number of all playouts together."""
        self.options = options
        alive, self._rounds = options, [0]
        count = ceil(log2(options)) if options > 1 else 1
        for _ in range(count):
            self._rounds.append(self._rounds[-1] + max(LEAST, effort // (count * alive)))
            alive = (alive + 1) // 2

    @property
    def worlds(self) -> int:
        """The total number of worlds."""
        return self._rounds[-1]

    def run(
        self,
        trial: Callable[[NDArray[np.int64], int, int], None],
        merits: NDArray[np.float64],
        prior: NDArray[np.float64],
    ) -> list[tuple[int, int]]:
        """The options best first, each with the number of worlds in which it was tried."""
        alive, ranking = np.arange(self.options), list[tuple[int, int]]()
        for first, last in zip(self._rounds, self._rounds[1:], strict=False):
            trial(alive, first, last)
            order = np.argsort(-merits[alive, :last].mean(axis=1) - prior[alive], kind="stable")
            stay = (len(alive) + 1) // 2 if last < self.worlds else 0
            ranking = [(int(option), last) for option in alive[order[stay:]]] + ranking
            alive = np.sort(alive[order[:stay]])
        return ranking


@compiled
def deal_world(trials: Trials, number: int) -> int:
    """Deal the world with this number, the same each time, into the first scratch position.

    Returns the seats that play in it as they have learned, as bits; the others play by habit.
    """
    knowledge, scratch, skills = trials.knowledge, trials.scratch, trials.skills
    scratch.random_state[0] = scratch.seeds[number]
    scratch.positions[0] = knowledge.position
    deal_out(knowledge, scratch.random_state, scratch.places, scratch.room_left, scratch.positions[0])
    learned = 0
    for seat in range(knowledge.laws.players):
        if skills[seat] > 0.0 and chance(scratch.random_state) < skills[seat]:
            learned |= 1 << seat
    return learned


@compiled
def note_end(laws: Laws, stakes: Stakes, end: Position, option: int, world: int, tallies: Tallies) -> None:
    """Record the outcome of a playout."""
    seat = stakes.seat
    shot = laws.moon_is_possible and has_all(end.piles[seat], laws.moon)
    tallies.merits[option, world] = merit(stakes, end.points, shot)
    tallies.points[option, world] = end.points[seat]
    tallies.moons[option] += shot
    tallies.suns[option] += shot and laws.sun_points != 0 and has_all(end.piles[seat], laws.sun)
    if laws.moon_is_possible and not shot:
        for other in range(laws.players):
            if has_all(end.piles[other], laws.moon):
                tallies.rivals[option, other] += 1
                tallies.merits[option, world] -= stakes.dread


@compiled
def note_catches(
    laws: Laws, before: Position, after: Position, seat: int, option: int, tallies: Tallies
) -> None:
    """Record the cards that count which this seat took between these positions."""
    for suit in range(5):
        row = after.piles[seat, suit] & ~before.piles[seat, suit] & laws.deciding[suit]
        while row:
            tallies.catches[option, code_of(suit, lowest(row))] += 1
            row &= row - 1


def unsearched(laws: Laws, cards: Hand, same: Hand) -> SearchResult:
    """The outcome if these cards are the only choice, which needn't be tried."""
    return SearchResult(Tallies.nothing(1, 0), laws, [(0, 0)], [(cards, same)])


def _standard_error(values: NDArray[np.float64]) -> float:
    return float(values.std(ddof=1) / sqrt(len(values))) if len(values) > 1 else 0.0


def _catches(tallies: Tallies, laws: Laws, index: int, worlds: int) -> tuple[tuple[Card, float], ...]:
    """How many copies of each card that counts this option takes in a world, on average."""
    shares: dict[Card, float] = {}
    for code in np.flatnonzero(np.asarray(tallies.catches)[index]):
        card = laws.face(int(code))
        shares[card] = shares.get(card, 0.0) + float(tallies.catches[index, int(code)] / worlds)
    return tuple(shares.items())
