"""The strong player: tries its options in possible deals, each played out by quick players.

Its moves depend only on the view, the seed and the number of playouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engine.cards import Hand
from engine.kernel.habits import Policy
from engine.play.deal import Phase
from engine.play.moves import Declined, Exposed, MoonChosen, Passed, Played, SeatMove
from engine.play.views import SeatView
from engine.players.advice import FULL, PERSON, Advice, Option, Prefer, Vigilance
from engine.players.medium import moon_choice
from engine.players.strong.passing import weigh_exposures, weigh_passes
from engine.players.strong.playing import weigh_cards
from engine.players.strong.worlds import encode_view

#: How the seats play in a playout.
POLICY = Policy()
#: A pass gets this many times the playouts of a play: it has more options, and everything depends on it.
PASS = 10


def strong_move(
    view: SeatView,
    rng: Random,
    effort: int = FULL,
    prefer: Prefer | None = None,
    vigilance: Vigilance | None = None,
) -> SeatMove:
    """The best move that a search with about `effort` playouts finds."""
    if view.deal.phase is Phase.CHOOSING_MOON:
        return MoonChosen(view.seat, moon_choice(view))
    best = advise(view, effort, rng.getrandbits(62), prefer, vigilance=vigilance).best.cards
    match view.deal.phase:
        case Phase.PASSING:
            return Passed(view.seat, best)
        case Phase.EXPOSING:
            return Exposed(view.seat, *best) if best else Declined(view.seat)
        case _:
            return Played(view.seat, *best)


def advise(
    view: SeatView,
    effort: int,
    seed: int,
    prefer: Prefer | None = None,
    also: Sequence[Hand] = (),
    vigilance: Vigilance | None = None,
) -> Advice:
    """This seat's options to pass, expose or play, from about `effort` playouts; ValueError if it has none.

    `prefer` decides among options that are as good as the best; `also` has passes to try besides those that
    look good. Without `vigilance` all others are taken for people.
    """
    vigilance = vigilance or [PERSON] * view.rules.players
    phase, known = view.deal.phase, encode_view(view)
    match phase:
        case Phase.PASSING:
            options = weigh_passes(view, known, POLICY, vigilance, PASS * effort, seed, also).options
        case Phase.EXPOSING:
            options = weigh_exposures(view, known, POLICY, vigilance, effort, seed).options
        case Phase.PLAYING:
            options = weigh_cards(view, known, POLICY, vigilance, effort, seed)
        case _:
            raise ValueError("there is nothing to weigh")
    if prefer:
        options = _preferred(view, options, prefer)
    return Advice(phase, options, options[0].worlds)


def _preferred(view: SeatView, options: tuple[Option, ...], prefer: Prefer) -> tuple[Option, ...]:
    """The options, with the preferred one of those that may be as good as the best first."""
    best = options[0]
    # Options dropped early may look as good for lack of trials.
    tried = [option for option in options if 2 * option.worlds >= best.worlds]
    equal = [option for option in tried if best.merit - option.merit <= option.margin]
    first = max(equal, key=lambda option: prefer(view, option))
    return (first, *(option for option in options if option is not first))
