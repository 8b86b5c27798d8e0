"""The strong player: tries what it may do in deals that may be, each played out by quick players.

What it does follows from a view, a seed and how many playouts it spends, and from nothing else.
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
#: A pass is worth so many times the playouts of a card: there are more of them, and all hangs on it.
PASS = 10


def strong_move(
    view: SeatView,
    rng: Random,
    effort: int = FULL,
    prefer: Prefer | None = None,
    vigilance: Vigilance | None = None,
) -> SeatMove:
    """The best move that a search with about so many playouts finds."""
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
    """What this seat may pass, expose or play, weighed with about so many playouts; ValueError if it may not.

    `prefer` decides among options that are as good as the best; `also` names passes to weigh besides those
    that look good. Without `vigilance` all others are taken for people.
    """
    vigilance = vigilance or [PERSON] * view.rules.players
    phase, known = view.deal.phase, encode_view(view)
    match phase:
        case Phase.PASSING:
            options = weigh_passes(view, known, POLICY, vigilance, PASS * effort, seed, also)
        case Phase.EXPOSING:
            options = weigh_exposures(view, known, POLICY, vigilance, effort, seed)
        case Phase.PLAYING:
            options = weigh_cards(view, known, POLICY, vigilance, effort, seed)
        case _:
            raise ValueError("there is nothing to weigh")
    if prefer:
        options = _preferred(view, options, prefer)
    return Advice(phase, options, options[0].worlds)


def _preferred(view: SeatView, options: tuple[Option, ...], prefer: Prefer) -> tuple[Option, ...]:
    """The options with the preferred one first, of those that may be as good as the best."""
    best = options[0]
    # What was given up early is hardly known: it may look as good for want of trials.
    tried = [option for option in options if 2 * option.worlds >= best.worlds]
    equal = [option for option in tried if best.merit - option.merit <= option.margin]
    first = max(equal, key=lambda option: prefer(view, option))
    return (first, *(option for option in options if option is not first))
