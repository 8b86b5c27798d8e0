"""Why a strong player prefers one option to another, in one clause, based only on the search's results."""

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
#: The reasons for each phase, those that say most first; the last one always applies.
REASONS: Mapping[Phase, tuple[Reason, ...]] = {
    Phase.PASSING: PASSING,
    Phase.EXPOSING: EXPOSING,
    Phase.PLAYING: PLAYING,
}


def why(table: PublicTable, view: SeatView, advice: Advice, rather_than: Option | None = None) -> str:
    """Why the best option is best, or better than `rather_than`: a clause, as `reasons.look` explains."""
    others = advice.options[1:] if rather_than is None else (rather_than,)
    look = Look(table, view, advice.best, others)
    for reason in REASONS[view.deal.phase]:
        if words := reason(look):
            return words if reason is make_a_moon_harder else warned(look, words)
    raise AssertionError("the last reason can always be given")
