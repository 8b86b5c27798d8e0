"""Why a strong player would rather do this than that: one sentence, of nothing but what was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.table.reasons.look import Look
from bot.table.reasons.passing import EXPOSING, PASSING
from bot.table.reasons.playing import PLAYING, make_a_moon_harder, warned
from engine.play.deal import Phase
from engine.play.views import SeatView
from engine.players.advice import Advice, Option
from engine.tables import PublicTable

__all__ = ["why"]

Reason = Callable[[Look], str | None]
#: For each phase what may be said, what says most first; the last one always can.
REASONS: Mapping[Phase, tuple[Reason, ...]] = {
    Phase.PASSING: PASSING,
    Phase.EXPOSING: EXPOSING,
    Phase.PLAYING: PLAYING,
}


def why(table: PublicTable, view: SeatView, advice: Advice, rather_than: Option | None = None) -> str:
    """Why the best option is the best one, or better than this one: a clause, see `reasons.look`."""
    others = advice.options[1:] if rather_than is None else (rather_than,)
    look = Look(table, view, advice.best, others)
    for reason in REASONS[view.deal.phase]:
        if words := reason(look):
            return words if reason is make_a_moon_harder else warned(look, words)
    raise AssertionError("the last reason can always be given")
