"""Sensible players against random ones in every game: `python -m tests.bench.tournament [GAMES] [NAME]`.

For each table: how many of the games a sensible player won, against its even share; points per deal of a
sensible and of a random player; moons and the time for a sensible player's decision.
"""

# ruff: noqa: T201

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any

from engine.play.game import Game
from engine.play.moves import SeatMove
from engine.play.views import SeatView
from engine.players import PLAYERS, Player
from engine.players.match import play_game
from engine.rules.ruleset import Ruleset

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("classic", 4, {}),
    ("classic", 4, {"jack_of_diamonds": True}),
    ("classic", 4, {"winner": "highest"}),
    ("wikibooks", 3, {}),
    ("wikibooks", 3, {"remainder": "jokers"}),
    ("wikibooks", 4, {}),
    ("wikibooks", 4, {"spot_hearts": True, "hooligan": True, "jack_of_diamonds": True}),
    ("wikibooks", 5, {"remainder": "kitty", "kitty": "one-per-trick"}),
    ("wikibooks", 6, {}),
    ("double-deck", 6, {}),
    ("double-deck", 7, {"duplicates": "cancel"}),
    ("double-deck", 8, {}),
    ("double-deck", 10, {"jack_of_diamonds": True}),
    ("cancellation", 5, {}),
    ("cancellation", 5, {"pass_cards": 3}),
    ("cancellation", 5, {"winner": "lowest"}),
    ("chinese", 3, {}),
    ("chinese", 4, {}),
    ("chinese", 5, {}),
    ("chinese", 6, {}),
    ("chinese", 4, {"winner": "lowest"}),
]


@dataclass
class Tally:
    """What some games between two kinds of players came to; the first kind is the one measured."""

    games: int = 0
    deals: int = 0
    wins: float = 0.0
    points: list[float] = field(default_factory=lambda: [0.0, 0.0])
    seats: list[int] = field(default_factory=lambda: [0, 0])
    moons: list[int] = field(default_factory=lambda: [0, 0])
    seconds: float = 0.0
    longest: float = 0.0
    decisions: int = 0

    def add(self, game: Game, measured: frozenset[int]) -> None:
        """Count a finished game in which these seats were the measured players'."""
        assert game.winners is not None
        self.games += 1
        self.deals += len(game.deals)
        self.wins += len(measured & set(game.winners)) / len(game.winners)
        for deal in game.deals:
            assert deal.points is not None
            for seat, points in enumerate(deal.points):
                self.points[seat not in measured] += points
                self.seats[seat not in measured] += 1
                self.moons[seat not in measured] += deal.shooter == seat

    def time(self, player: Player, view: SeatView, rng: Random) -> SeatMove:
        """This player's move, and how long it took."""
        started = perf_counter()
        move = player(view, rng)
        took = perf_counter() - started
        self.seconds += took
        self.longest = max(self.longest, took)
        self.decisions += 1
        return move

    def per_deal(self, kind: int) -> float:
        """The points of a player of this kind in a deal, on average."""
        return self.points[kind] / max(1, self.seats[kind])


def match(rules: Ruleset, first: Player, second: Player, games: int, several: int = 1) -> Tally:
    """Games with `several` players of the first kind, in seats that move on from game to game."""
    tally = Tally()
    for number in range(games):
        spread = rules.players // several
        measured = frozenset((number + index * spread) % rules.players for index in range(several))

        def player(view: SeatView, rng: Random, measured: frozenset[int] = measured) -> SeatMove:
            return tally.time(first, view, rng) if view.seat in measured else second(view, rng)

        tally.add(play_game(rules, player, Random(f"cards {number}"), Random(number)), measured)
    return tally


def main(arguments: Sequence[str]) -> None:
    """Print a line for each table."""
    games = int(arguments[0]) if arguments else 40
    wanted = arguments[1] if len(arguments) > 1 else ""
    print("                         of games           points a deal         moons     ms a decision")
    print("table                  won   share     sensible   random      sens. rand.   mean   worst")
    for preset, players, options in TABLES:
        if wanted not in preset:
            continue
        rules = Ruleset.of(preset, players, options)
        for several in (1, 2):
            tally = match(rules, PLAYERS["sensible"], PLAYERS["random"], games, several=several)
            print(
                f"{preset:13}{players:3} x{several} {tally.wins / games:6.0%} {several / players:6.0%}"
                f"{tally.per_deal(0):13.1f}{tally.per_deal(1):10.1f}{tally.moons[0]:10}{tally.moons[1]:6}"
                f"{1000 * tally.seconds / tally.decisions:9.2f}{1000 * tally.longest:8.1f}  "
                + ", ".join(f"{name} {value}" for name, value in options.items()),
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
