"""Duplicate deals: the same cards played several times, with the players in different seats."""

import importlib
import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import partial
from random import Random
from statistics import fmean, stdev
from time import process_time

from engine.play.deal import Phase, start_deal
from engine.play.game import Game, shuffle
from engine.play.views import seat_view
from engine.players import PLAYERS, Player, Strength, computer, skills_of
from engine.players.advice import Skills
from engine.players.strong import strong_move
from engine.rules.options import Goal
from engine.rules.plays import rotation
from engine.rules.ruleset import Ruleset
from tests.bench.earlier import Earlier, earlier

#: How often a deal is played at most: more would say little about other deals.
SEATINGS = 4


@dataclass(frozen=True, slots=True)
class Match:
    """One player of the first kind against the second at this table; players by name."""

    preset: str
    players: int
    first: str
    second: str
    seed: str = "1"

    @property
    def rules(self) -> Ruleset:
        return Ruleset.of(self.preset, self.players)

    def seats(self, number: int) -> list[int]:
        """The seats of the first player, for each time that this deal is played."""
        times = min(self.players, SEATINGS)
        return [(number + turn * self.players // times) % self.players for turn in range(times)]


@dataclass(slots=True)
class Tally:
    """The outcome of some deals."""

    better: list[float] = field(default_factory=list)  # deal by deal, points for the first kind
    points: tuple[list[float], list[float]] = field(
        default_factory=lambda: ([], [])
    )  # of a player of each kind, seating by seating
    moons: list[int] = field(default_factory=lambda: [0, 0])  # of each kind
    seconds: dict[Phase, list[float]] = field(default_factory=lambda: defaultdict(list))  # the first kind's

    @property
    def mean(self) -> float:
        """The points a deal by which the first kind is better."""
        return fmean(self.better)

    @property
    def error(self) -> float:
        """The standard error of that, over deals, as the hands of a deal are related."""
        return stdev(self.better) / len(self.better) ** 0.5 if len(self.better) > 1 else float("inf")


def player_called(name: str, skills: Skills | None = None) -> Player:
    """A computer player, or another by its module, such as `tests.bench.opponents:blind`.

    `strong@f50ee6d` is one from an earlier commit, `strong+200` one with this many playouts.
    """
    if "@" in name:
        return earlier(name)
    if "+" in name:
        return partial(strong_move, effort=int(name.partition("+")[2]), skills=skills)
    module, _, attribute = name.rpartition(":")
    if strength := strength_called(name):
        return computer(strength, skills=skills)
    if not module:
        return PLAYERS[name]
    player: Player = getattr(importlib.import_module(module), attribute)
    return player


def strength_called(name: str) -> Strength | None:
    """The strength of the computer with this name, also an earlier one; None if it counts as a person."""
    plain = re.split("[@+]", name)[0]
    return next((strength for strength in Strength if strength.value == plain), None)


def play(match: Match, deals: int) -> Tally:
    _play_deal(match, 0, Tally())  # doesn't count: it compiles
    tally = Tally()
    for number in range(1, deals + 1):
        _play_deal(match, number, tally)
    return tally


def _play_deal(match: Match, number: int, tally: Tally) -> None:
    """Play this deal in all its seatings, and add the outcome."""
    sign = 1 if match.rules.winner is Goal.HIGHEST else -1
    better = []
    for first in match.seats(number):
        [deal] = _play_once(match, number, first, tally.seconds).deals
        for kind, points in enumerate(tally.points):
            points.append(fmean(p for seat, p in enumerate(deal.points) if (seat != first) == kind))
        better.append(sign * (tally.points[0][-1] - tally.points[1][-1]))
        if deal.shooter is not None:
            tally.moons[deal.shooter != first] += 1
    tally.better.append(fmean(better))


def _play_once(match: Match, number: int, mine: int, seconds: dict[Phase, list[float]]) -> Game:
    names = [match.first if seat == mine else match.second for seat in range(match.players)]
    skills = skills_of(map(strength_called, names))
    first, second = (player_called(name, skills) for name in (match.first, match.second))
    kinds = [first if seat == mine else second for seat in range(match.players)]
    chances = [Random(f"player {match.seed} {number} {seat}") for seat in range(len(kinds))]
    seed = f"cards {match.seed} {number}"
    elsewhere = [player for player in dict.fromkeys((first, second)) if isinstance(player, Earlier)]
    for player in elsewhere:
        player.begin((match.preset, match.players), number, seed, names)
    game = dealt(match.rules, number, Random(seed))
    while game.deal:
        seat = game.deal.waiting_for[0]
        view = seat_view(game, seat)
        has_choice = view.deal.phase is not Phase.PLAYING or len(set(view.legal)) > 1
        started = process_time()
        move = kinds[seat](view, chances[seat])
        if seat == mine and has_choice:
            seconds[view.deal.phase].append(process_time() - started)
        game = game.advance(move)
        for player in elsewhere:
            player.hear(move)
    return game


def dealt(rules: Ruleset, number: int, chance: Random) -> Game:
    """A game whose only deal is like its `number`th, with that deal's passing."""
    cards = shuffle(Game(rules), chance)
    leader = chance.randrange(rules.players) if rules.oldest_leads else None
    deal = start_deal(rules, number % len(rotation(rules)) + 1, cards, leader)
    return Game(rules, oldest=leader or 0, deals=(deal,))
