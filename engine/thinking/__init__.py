"""What the strong player does and advises, thought of in worker processes."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import replace

from engine.cards import Hand
from engine.errors import Refusal
from engine.play.moves import SeatMove
from engine.play.views import SeatView
from engine.players.advice import FULL, QUICK, Advice, Vigilance
from engine.players.manners import Manner
from engine.thinking import answers
from engine.thinking.pool import Pool
from engine.worker import Failed, Lost

__all__ = ["Failed", "Lost", "Thinking"]


log = logging.getLogger(__name__)

#: So many asks each process may have before the playouts of each become fewer.
WELCOME = 2
#: Seconds for which somebody waits for advice.
PATIENCE = 10.0


class Thinking:
    """Asks the strong player, in processes that begin when they are first needed.

    `made` counts the moves by the playouts that went into them, under 0 those that somebody else has to make.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.pool = Pool(answers.warm_up, workers)
        self.made: Counter[int] = Counter()

    def prepare(self) -> None:
        """Be ready soon: a strong computer sits down somewhere."""
        self.pool.prepare()

    async def move(
        self, view: SeatView, manner: Manner | None, vigilance: Vigilance, seed: int, seconds: float
    ) -> SeatMove | None:
        """What the strong player does; None if it cannot be asked, or not in these seconds."""
        effort = affordable(self.pool.crowd) if seconds > 0 else 0
        move = None
        if effort:
            try:
                move = await self.pool.ask(
                    answers.move, _now(view), manner, vigilance, effort, seed, seconds=seconds
                )
            except Lost as lost:
                log.info("A strong computer's move was not found: %s", lost)
            except Exception:
                log.exception("A strong computer could not think.")
        self.made[effort if move else 0] += 1
        return move

    async def advise(
        self, view: SeatView, effort: int, seed: int, also: Hand = (), vigilance: Vigilance | None = None
    ) -> Advice:
        """What the strong player advises, however many ask, so that the answer is always the same.

        These cards, where there are any, are among the options. Refusal if it cannot be asked just now.
        """
        try:
            return await self.pool.ask(
                answers.advise, _now(view), effort, seed, also, vigilance, seconds=PATIENCE
            )
        except Lost as lost:
            log.info("Advice was not found: %s", lost)
        except Exception:
            log.exception("Advice could not be thought of.")
        raise Refusal("no_advice" if self.pool.is_ready else "getting_ready")

    def close(self) -> None:
        """End what is being thought of, and think no more."""
        self.pool.close()


def affordable(crowd: float) -> int:
    """Playouts for a move while each process has so many asks: with more of them fewer, in the end none."""
    effort = FULL
    while effort * (crowd + 1) > FULL * WELCOME:
        effort //= 2
    return effort if effort >= QUICK else 0


def _now(view: SeatView) -> SeatView:
    """The view without the deals before: their totals matter alone, and they would be most of it."""
    return replace(view, public=replace(view.public, past=()))
