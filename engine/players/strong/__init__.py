"""The strong player: tries its options in possible deals, each played out by quick players.

Its moves depend only on the view, the seed and the number of playouts.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from engine.cards import Hand
from engine.kernel.habits import Policy
from engine.kernel.learned import Learned
from engine.numbers.weights import weights_of
from engine.play.deal import Phase
from engine.play.moves import Declined, Exposed, MoonChosen, Passed, Played, SeatMove
from engine.play.views import SeatView
from engine.players.advice import FULL, PERSON, Advice, Option, Prefer, Skills
from engine.players.moon import moon_choice
from engine.players.strong.passing import weigh_exposures, weigh_passes
from engine.players.strong.playing import weigh_cards
from engine.players.strong.trials import SearchResult
from engine.players.strong.worlds import encode_view
from engine.rules.ruleset import Ruleset


@lru_cache
def policy_for(rules: Ruleset) -> Policy:
    """The policy by which seats play this game in a playout."""
    return Policy(learned=Learned.of(weights_of(rules)))


#: A pass gets this many times the playouts of a play: it has more options and affects the whole deal.
PASS = 10


def strong_move(
    view: SeatView,
    rng: Random,
    effort: int = FULL,
    prefer: Prefer | None = None,
    skills: Skills | None = None,
) -> SeatMove:
    """The best move that a search with about `effort` playouts finds."""
    if view.deal.phase is Phase.CHOOSING_MOON:
        return MoonChosen(view.seat, moon_choice(view))
    search = _search(view, effort, rng.getrandbits(62), skills)
    best = _preferred(view, search.contenders, prefer).cards if prefer else search.best
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
    skills: Skills | None = None,
) -> Advice:
    """This seat's options to pass, expose or play, from about `effort` playouts; ValueError if it has none.

    `prefer` decides among options that are as good as the best; `also` has passes to try besides those that
    look good. Without `skills`, all others are taken for people.
    """
    search = _search(view, effort, seed, skills, also)
    options = search.options
    if prefer:
        first = _preferred(view, search.contenders, prefer)
        options = (first, *(option for option in options if option.cards != first.cards))
    return Advice(view.deal.phase, options, options[0].worlds)


def _search(
    view: SeatView, effort: int, seed: int, skills: Skills | None, also: Sequence[Hand] = ()
) -> SearchResult:
    skills = skills or [PERSON] * view.rules.players
    knowledge, policy = encode_view(view), policy_for(view.rules)
    match view.deal.phase:
        case Phase.PASSING:
            return weigh_passes(view, knowledge, policy, skills, PASS * effort, seed, also)
        case Phase.EXPOSING:
            return weigh_exposures(view, knowledge, policy, skills, effort, seed)
        case Phase.PLAYING:
            return weigh_cards(view, knowledge, policy, skills, effort, seed)
        case _:
            raise ValueError("there is nothing to weigh")


def _preferred(view: SeatView, contenders: Sequence[Option], prefer: Prefer) -> Option:
    """The preferred one of the contenders that may be as good as the best."""
    best = contenders[0]
    equal = [option for option in contenders if best.merit - option.merit <= option.margin]
    return max(equal, key=lambda option: prefer(view, option))
