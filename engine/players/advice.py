"""What the strong player found about the choices of one seat: plain values, for whoever shows or plays them.

Everything is in the game's own points of a deal, as its rules count them, and from what the seat may know. A
review judges the choices of a whole deal by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.cards import Card, Hand
from engine.play.deal import Phase
from engine.play.game import Game
from engine.play.moves import Exposed, Passed, Played, SeatMove
from engine.play.steps import game_before, next_move
from engine.play.views import SeatView, seat_view

#: By seat, how surely the player there watches for moons, from 0 to 1: what a search is told of its table.
Vigilance = Sequence[float]
#: A person: of them nothing is known, and against habits of people a search that expects more plays worse.
PERSON = 0.0

#: How many playouts go into a sound move, into one at full strength, into a hint, and into a choice reviewed.
QUICK, FULL, HINT, REVIEW = 400, 2_000, 4_000, 8_000


@dataclass(frozen=True, slots=True)
class Option:
    """A card to play, cards to pass, or a card to expose (none: to expose nothing), and what it brings.

    Shares are of the sampled deals ("worlds"), from 0 to 1.
    """

    cards: Hand
    expected: float  # this seat's points of the deal, on average
    error: float  # the standard error of `expected`
    merit: float  # what the search maximises: points, good ones positive, and the chance to win the game
    margin: float  # the standard error of how far `merit` lies behind the best option's
    moon: float = 0.0  # the share in which this seat shoots the moon
    sun: float = 0.0  # the share in which that moon is the sun of Chinese Hearts
    rivals: tuple[float, ...] = ()  # by seat, the share in which another one shoots the moon
    takes: float = 0.0  # the share in which it takes the trick being played
    costs: float = 0.0  # this seat's points from that trick, on average
    # A play: in which share it takes each card that counts with this trick; a pass, exposing: in the deal.
    catches: tuple[tuple[Card, float], ...] = ()
    same: Hand = ()  # other cards of the hand that do the same as a card played
    worlds: int = 0  # how many were tried: more for options that looked good


@dataclass(frozen=True, slots=True)
class Advice:
    """The options of a choice, best first; a forced one stands alone, and was not searched (0 worlds)."""

    phase: Phase
    options: tuple[Option, ...]
    worlds: int  # tried for the best option

    @property
    def best(self) -> Option:
        """What the strong player would choose."""
        return self.options[0]

    def about(self, cards: Hand) -> Option | None:
        """What was found about this choice: a pass in any order, a card also by one that does the same."""
        wanted = sorted(cards, key=lambda card: card.order)
        for option in self.options:
            if sorted(option.cards, key=lambda card: card.order) == wanted:
                return option
        return next((one for one in self.options if len(cards) == 1 and cards[0] in one.same), None)


#: A manner: the more, the rather this option, among those as good as the best as far as the search can tell.
Prefer = Callable[[SeatView, Option], float]


# Reviewing a deal

#: How many standard errors a choice has to lie behind the best one to be called worse.
SURE = 3.0
#: How many choices of a deal are told.
MOST = 2


@dataclass(frozen=True, slots=True)
class Decision:
    """What a player saw, and the cards that they then chose: to pass, to expose (perhaps none) or to play."""

    view: SeatView
    cards: Hand


@dataclass(frozen=True, slots=True)
class Costly:
    """A choice that was worse than the best one, by `cost` of the player's points on average."""

    decision: Decision
    advice: Advice
    chosen: Option
    cost: float


def decisions(game: Game, number: int, seat: int) -> Iterator[Decision]:
    """What this seat chose in the deal of this number (from 1), which is done.

    Left out is what was forced, and what came when no points were left.
    """
    done = game.deals[number - 1]
    now = game_before(game, number).advance(done.dealt)
    while (deal := now.deals[-1]).phase not in (Phase.CHOOSING_MOON, Phase.DONE) and not deal.settled_after:
        move = next_move(deal, done)
        if move.seat == seat:
            view = seat_view(now, seat)
            if deal.phase is not Phase.PLAYING or len(set(view.legal)) > 1:
                yield Decision(view, _chosen(move))
        now = now.advance(move)


def judge(decision: Decision, advice: Advice) -> Costly | None:
    """What this choice cost; None if nothing that is certain and worth telling."""
    best, chosen = advice.best, advice.about(decision.cards)
    if chosen is None or best.merit - chosen.merit <= SURE * chosen.margin:
        return None
    rules = decision.view.rules
    cost = rules.winner.sign * (best.expected - chosen.expected)
    return Costly(decision, advice, chosen, cost) if cost >= rules.point else None


def costliest(found: Iterable[Costly | None]) -> tuple[Costly, ...]:
    """Those of a deal that are told, the costliest first; each lesson once, however often it was missed."""
    costly = sorted((one for one in found if one is not None), key=lambda one: -one.cost)
    lessons: dict[Hand, Costly] = {}
    for one in costly:
        lessons.setdefault(one.advice.best.cards, one)
    return tuple(lessons.values())[:MOST]


def _chosen(move: SeatMove) -> Hand:
    match move:
        case Passed(_, cards):
            return cards
        case Exposed(_, card) | Played(_, card):
            return (card,)
        case _:
            return ()
