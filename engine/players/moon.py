"""The choice of a shooter who has one (K7, W23, P9)."""

from collections.abc import Mapping, Sequence

from engine.play.views import SeatView
from engine.rules.options import MoonChoice
from engine.rules.ruleset import Ruleset


def moon_choice(view: SeatView) -> MoonChoice:
    """A choice that wins the game, else one that doesn't lose it, with the best lead and a fitting pace."""
    deal, rules = view.deal, view.rules
    piles = [pile + (view.kitty if seat == view.seat else ()) for seat, pile in enumerate(deal.taken)]
    points = {choice: rules.counting.points(piles, deal.exposed, choice) for choice in MoonChoice}
    return best_moon_choice(rules, view.public.totals, view.seat, points, deal.number)


def best_moon_choice(
    rules: Ruleset,
    totals: Sequence[int],
    seat: int,
    points: Mapping[MoonChoice, Sequence[int]],
    number: int,
) -> MoonChoice:
    """The best choice in deal `number`, by the totals before it and each choice's points, both by seat."""

    def merit(choice: MoonChoice) -> tuple[int, int, bool]:
        """1, 0 or −1 for a game won, continuing or lost; the lead; whether the pace suits the lead."""
        after = rules.counting.add_up(totals, points[choice])
        sign = rules.winner.sign
        rivals = [sign * total for other, total in enumerate(after) if other != seat]
        lead = sign * after[seat] - max(rivals)
        outcome = 0 if not rules.ends(after, number) else 1 if lead >= 0 else -1
        return outcome, lead, (lead > 0) == (choice is MoonChoice.ADD)

    return max((MoonChoice.SUBTRACT, MoonChoice.ADD), key=merit)
