"""The shooter's choice: add to the others, or subtract from one's own total."""

from __future__ import annotations

from engine.play.views import SeatView
from engine.rules.options import MoonChoice


def moon_choice(view: SeatView) -> MoonChoice:
    """A choice that wins the game, else one that does not lose it, else whichever helps the lead last."""
    return max((MoonChoice.SUBTRACT, MoonChoice.ADD), key=lambda choice: _merit(view, choice))


def _merit(view: SeatView, choice: MoonChoice) -> tuple[int, int, bool]:
    """1, 0 or −1 for a game won, going on or lost; the lead; whether it hurries as the lead demands."""
    totals = _totals_after(view, choice)
    sign = view.rules.winner.sign
    rivals = [sign * total for seat, total in enumerate(totals) if seat != view.seat]
    lead = sign * totals[view.seat] - max(rivals)
    outcome = 0 if not view.rules.ends(totals) else 1 if lead >= 0 else -1
    return outcome, lead, (lead > 0) == (choice is MoonChoice.ADD)


def _totals_after(view: SeatView, choice: MoonChoice) -> tuple[int, ...]:
    deal, rules = view.deal, view.rules
    piles = [pile + (view.kitty if seat == view.seat else ()) for seat, pile in enumerate(deal.taken)]
    points = rules.counting.points(piles, deal.exposed, choice)
    return rules.counting.add_up(view.public.totals, points)
