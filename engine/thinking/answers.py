"""Functions for the thinking processes, which alone import the strong player and the compiler."""

from collections.abc import Sequence
from random import Random

from engine.cards import Hand
from engine.play.game import Game, shuffle
from engine.play.moves import SeatMove
from engine.play.par import DealStart
from engine.play.views import SeatView, seat_view
from engine.players.advice import Advice, Skills, safest
from engine.players.manners import Manner
from engine.rules.ruleset import Ruleset


def move(view: SeatView, manner: Manner | None, skills: Skills | None, effort: int, seed: int) -> SeatMove:
    """The strong player's move, from `effort` playouts."""
    from engine.players.strong import strong_move

    return strong_move(view, Random(seed), effort, manner and manner.prefer, skills)


def advise(view: SeatView, effort: int, seed: int, also: Hand, skills: Skills | None) -> Advice:
    """The strong player's advice from `effort` playouts; `also` are cards to include in the options."""
    from engine.players.strong import advise as search

    return search(view, effort, seed, safest, [also] if also else (), skills)


def passes_for_par(start: DealStart, searches: int, first: int, seconds: float) -> tuple[list[Hand], int]:
    """Passes for a par, from number `first` on, and how many it needs: see `engine.players.par`."""
    from engine.players import par

    return par.choose_passes(start, searches, first, seconds), par.passes_needed(start, searches)


def replays_for_par(
    start: DealStart, passes: Sequence[Hand], first: int, last: int, seconds: float
) -> list[tuple[int, ...]]:
    """The points of some replays for a par, from number `first` on: see `engine.players.par`."""
    from engine.players import par

    return par.replay(start, passes, first, last, seconds)


def warm_up() -> None:
    """Load or compile everything needed to pass, expose, play, and replay deals for a par."""
    for preset in ("classic", "chinese"):
        game = Game(Ruleset.of(preset, 4))
        game = game.advance(shuffle(game, Random(1)))
        while game.deal and not game.deal.tricks:
            seat = game.deal.waiting_for[0]
            game = game.advance(move(seat_view(game, seat), None, None, 1, seat))
        assert game.deal
        replays_for_par(DealStart(game.rules, 4, game.deal.dealt, 0, game.totals), (), 0, 1, 0.0)
