"""The strong player's findings about a seat's choices, as plain values, and the review of a deal by them.

Numbers are points of the deal, as the rules count them, based only on what the seat may know.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.cards import Card, Hand, sort_hand
from engine.play.deal import Phase
from engine.play.game import Game
from engine.play.moves import Exposed, Passed, Played, SeatMove
from engine.play.steps import game_before, next_move
from engine.play.views import SeatView, seat_view

#: By seat, how likely the player is to play like a regular instead of by a beginner's habits, from 0 to 1.
Skills = Sequence[float]
#: The skill assumed of a person.
PERSON = 0.5

#: The playouts for a decent move, for one at full strength, for a hint, and for reviewing a decision.
QUICK, FULL, HINT, REVIEW = 400, 2_000, 4_000, 8_000


@dataclass(frozen=True, slots=True)
class Option:
    """A card to play, cards to pass, or a card to expose (none: to expose nothing), and its outcome.

    Shares are of the sampled deals ("worlds"), from 0 to 1.
    """

    cards: Hand
    expected: float  # this seat's points in the deal, on average
    error: float  # the standard error of `expected`
    merit: float  # what the search maximises: points, good ones positive, and the chance of winning the game
    margin: float  # the standard error of its distance in `merit` from the best option
    moon: float = 0.0  # how often this seat shoots the moon, from 0 to 1
    sun: float = 0.0  # how often that moon is the sun of Chinese Hearts
    rivals: tuple[float, ...] = ()  # by seat, how often another one shoots the moon
    takes: float = 0.0  # how often it takes the trick being played
    costs: float = 0.0  # this seat's points from that trick, on average
    # How often it takes each card that counts: a play with this trick, a pass or exposing in the deal.
    catches: tuple[tuple[Card, float], ...] = ()
    same: Hand = ()  # other cards in the hand that are equivalent to the card played
    worlds: int = 0  # how many it was tried in: more if it looked good


@dataclass(frozen=True, slots=True)
class Advice:
    """The options of a choice, best first; a forced one is alone, and wasn't searched (0 worlds)."""

    phase: Phase
    options: tuple[Option, ...]
    worlds: int  # how many the best option was tried in

    @property
    def best(self) -> Option:
        """The strong player's choice."""
        return self.options[0]

    def about(self, cards: Hand) -> Option | None:
        """The option with these cards: a pass in any order, a card also by an equivalent one."""
        for option in self.options:
            if sort_hand(option.cards) == sort_hand(cards):
                return option
        return next((one for one in self.options if len(cards) == 1 and cards[0] in one.same), None)


#: The chance of an own moon from which an option's points depend on it.
BOLD = 0.25
#: A preference: of the options that a search finds equally good, the one with the highest number is chosen.
Prefer = Callable[[SeatView, Option], float]


def safest(view: SeatView, option: Option) -> float:
    """Prefer options that don't depend on shooting the moon: of equals, a hint shows the safe one."""
    return -float(option.moon >= BOLD)


# Reviewing a deal

#: The standard errors by which a choice must be behind the best one to be called worse.
SURE = 3.0
#: The most decisions of a deal to report.
MOST_REPORTED = 2


@dataclass(frozen=True, slots=True)
class Decision:
    """A player's view, and the cards they then chose to pass, to expose (perhaps none) or to play."""

    view: SeatView
    cards: Hand


@dataclass(frozen=True, slots=True)
class Costly:
    """A decision that was worse than the best option, by `cost` points on average."""

    decision: Decision
    advice: Advice
    chosen: Option
    cost: float


def decisions(game: Game, number: int, seat: int) -> Iterator[Decision]:
    """This seat's decisions in the finished deal with this number (from 1).

    Forced ones are left out, and those after the outcome was fixed.
    """
    finished = game.deals[number - 1]
    replayed = game_before(game, number).advance(finished.dealt)
    while (deal := replayed.deals[-1]).phase not in (Phase.CHOOSING_MOON, Phase.DONE) and not deal.is_decided:
        move = next_move(deal, finished)
        if move.seat == seat:
            view = seat_view(replayed, seat)
            if deal.phase is not Phase.PLAYING or len(set(view.legal)) > 1:
                yield Decision(view, _chosen(move))
        replayed = replayed.advance(move)


def judge(decision: Decision, advice: Advice) -> Costly | None:
    """The decision with its cost; None if that is uncertain or too small to mention."""
    best, chosen = advice.best, advice.about(decision.cards)
    if chosen is None or best.merit - chosen.merit <= SURE * chosen.margin:
        return None
    rules = decision.view.rules
    cost = rules.winner.sign * (best.expected - chosen.expected)
    return Costly(decision, advice, chosen, cost) if cost >= rules.point else None


def costliest(judgements: Iterable[Costly | None]) -> tuple[Costly, ...]:
    """The decisions to report, costliest first; of several that missed the same cards, only one."""
    costly = sorted((one for one in judgements if one is not None), key=lambda one: -one.cost)
    lessons: dict[Hand, Costly] = {}
    for decision in costly:
        lessons.setdefault(decision.advice.best.cards, decision)
    return tuple(lessons.values())[:MOST_REPORTED]


def _chosen(move: SeatMove) -> Hand:
    match move:
        case Passed(_, cards):
            return cards
        case Exposed(_, card) | Played(_, card):
            return (card,)
        case _:
            return ()
