"""What a seat's choices in a deal cost, judged on what its player could know when they made them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.cards import Hand
from engine.play.deal import Phase
from engine.play.game import Game
from engine.play.moves import Exposed, Passed, Played, SeatMove
from engine.play.steps import game_before, next_move
from engine.play.views import SeatView, seat_view
from engine.players.advice import Advice, Option

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
