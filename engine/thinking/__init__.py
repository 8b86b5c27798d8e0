"""The strong player's moves and advice, computed in worker processes."""

import logging
from dataclasses import replace

from engine import metrics
from engine.cards import Hand
from engine.errors import Refusal
from engine.play.moves import SeatMove
from engine.play.par import DealStart, Par, par_of
from engine.play.views import SeatView
from engine.players import Strength
from engine.players.advice import FULL, QUICK, Advice, Skills
from engine.players.manners import Manner
from engine.thinking import answers
from engine.thinking.pool import Pool
from engine.worker import Failed, Lost

__all__ = ["Failed", "Lost", "Thinking"]


log = logging.getLogger(__name__)

#: The requests per process above which each request gets fewer playouts.
ASKS_AT_FULL = 2
#: Seconds to wait for advice.
ADVICE_PATIENCE = 10.0
#: For a par: how often each seat searches for its pass, and how often the deal is then replayed. Classic
#: points vary by some 6.8 from replay to replay, partly with the passes, so the standard error of their mean
#: is about half a point.
SEARCHES, REPLAYS = 36, 288
#: Seconds that a process spends on a par before it checks for more urgent requests.
CHUNK = 0.03


class Thinking:
    """Asks the strong player, in processes that start when they are first needed."""

    def __init__(self, workers: int | None = None) -> None:
        self.pool = Pool(answers.warm_up, workers)
        self.moves = metrics.counter(
            "thoughts",
            "Strong computers' moves, by the strength that found them.",
            "by",
            values=(Strength.STRONG.value, Strength.MEDIUM.value),
        )
        self.playouts = metrics.counter("playouts", "Playouts behind these moves.")

    def prepare(self) -> None:
        """Start a process, as a strong computer is about to play."""
        self.pool.prepare()

    async def move(
        self, view: SeatView, manner: Manner | None, skills: Skills, seed: int, seconds: float
    ) -> SeatMove | None:
        """The strong player's move; None if it isn't found within these seconds."""
        effort = affordable(self.pool.crowd) if seconds > 0 else 0
        move = None
        if effort:
            try:
                move = await self.pool.ask(
                    answers.move, _now(view), manner, skills, effort, seed, seconds=seconds
                )
            except Lost as lost:
                log.info("A strong computer's move wasn't found: %s", lost)
            except Exception:
                log.exception("A strong computer couldn't think.")
        self.moves.labels((Strength.STRONG if move else Strength.MEDIUM).value).inc()
        self.playouts.inc(effort if move else 0)
        return move

    async def advise(
        self, view: SeatView, effort: int, seed: int, also: Hand = (), skills: Skills | None = None
    ) -> Advice:
        """The strong player's advice. Its effort never varies, so equal requests get equal advice.

        `also` are cards to include in the options. Refusal if it can't be asked now.
        """
        try:
            return await self.pool.ask(
                answers.advise, _now(view), effort, seed, also, skills, seconds=ADVICE_PATIENCE
            )
        except Lost as lost:
            log.info("Advice wasn't found: %s", lost)
        except Exception:
            log.exception("A strong computer couldn't give advice.")
        raise Refusal("no_advice" if self.pool.is_ready else "getting_ready")

    @property
    def has_processes(self) -> bool:
        """Whether the pool may have any processes."""
        return self.pool.most > 0

    async def par(self, start: DealStart) -> Par:
        """The par of a deal, computed while no request is waiting; it depends only on the deal.

        Lost if a process died or can't start: try again later. Failed if the deal can't be played.
        """
        passes: list[Hand] = []
        needed = 1
        while len(passes) < needed:
            chosen, needed = await self.pool.ask_idly(
                answers.passes_for_par, start, SEARCHES, len(passes), CHUNK
            )
            passes += chosen
        points: list[tuple[int, ...]] = []
        while len(points) < REPLAYS:
            points += await self.pool.ask_idly(
                answers.replays_for_par, start, passes, len(points), REPLAYS, CHUNK
            )
        return par_of(points, len(passes) // start.rules.players)

    def close(self) -> None:
        """End all processes for good."""
        self.pool.close()


def affordable(crowd: float) -> int:
    """The playouts for a move while each process has this many requests; 0 if there are too many."""
    effort = FULL
    while effort * (crowd + 1) > FULL * ASKS_AT_FULL:
        effort //= 2
    return effort if effort >= QUICK else 0


def _now(view: SeatView) -> SeatView:
    """The view without earlier deals: only their totals matter, and they are most of its size."""
    return replace(view, public=replace(view.public, past=()))
