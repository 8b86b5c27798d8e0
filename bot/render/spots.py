"""Where somebody is in a replay, and the ways from there: to other steps and deals, and to costly moves."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.messages import Button, Choice, Part, Row, Select, Style, action
from bot.render.text import length, plain
from engine.play import steps
from engine.play.deal import Deal
from engine.play.game import Game
from engine.rules.wording import change
from engine.tables import PublicTable

#: Deals on a page of their list, which has room for the pages before and after it too.
A_PAGE = 23
#: Characters of a choice's hint.
LONGEST_HINT = 100


@dataclass(frozen=True, slots=True)
class Spot:
    """A step of a deal of a game: of a table's, or of one that was handed in as a file (its table is 0)."""

    table: int
    file: int = 0
    deal: int = 1
    step: int = 0

    def action(self, verb: str, *details: object) -> str:
        """What a control of a replay does from here."""
        return action(verb, self.table, self.file, self.deal, self.step, *details)


def deals(table: PublicTable, game: Game, spot: Spot, page: int | None) -> list[Part]:
    """The list of deals, a page of it where they are many."""
    last = len(game.deals)
    if last < 2:
        return []
    wanted = (spot.deal - 1) // A_PAGE if page is None else page
    first = min(wanted, (last - 1) // A_PAGE) * A_PAGE
    shown = game.deals[first : first + A_PAGE]
    choices = [
        Choice(f"Deal {deal.number}", str(deal.number), deal.number == spot.deal, _brought(table, deal))
        for deal in shown
    ]
    if first:
        choices.insert(0, _page(first // A_PAGE - 1, last))
    if first + A_PAGE < last:
        choices.append(_page(first // A_PAGE + 1, last))
    return [Select(spot.action("deals"), f"Deal {spot.deal} of {last}", tuple(choices))]


def _page(page: int, last: int) -> Choice:
    first = page * A_PAGE + 1
    return Choice(f"Deals {first} to {min(first + A_PAGE - 1, last)} …", f"p{page}")


def _brought(table: PublicTable, deal: Deal) -> str:
    """What a deal brought each player, most first; as much of it as there is room for."""
    points = deal.points or ()
    seats = sorted(range(len(points)), key=lambda seat: -abs(points[seat]))
    moon = ["🌕"] if deal.shooter is not None else []
    parts = [f"{plain(table.seats[seat].name, 12)} {change(points[seat])}" for seat in seats if points[seat]]
    told = ""
    for part in [*moon, *parts]:
        longer = f"{told} · {part}" if told else part
        if length(longer) > LONGEST_HINT:
            break
        told = longer
    return told or "No points"


def costly(table: PublicTable, spot: Spot) -> Select:
    """Whose choices of this deal are to be judged."""
    choices = [Choice(plain(seat.name), str(number)) for number, seat in enumerate(table.seats)]
    return Select(spot.action("costly"), "Costliest moves of …", tuple(choices))


def ways(game: Game, done: Deal, spot: Spot) -> list[Row]:
    """To either end, by card and by trick: back in one row, forth in the other."""
    stops, last = steps.stops(done), steps.count(done) - 1
    before = [replace(spot, step=stop) for stop in stops if stop < spot.step]
    after = [replace(spot, step=stop) for stop in stops if stop > spot.step]
    back, forth = Button("‹ Back", ""), Button("Next ›", "", Style.MAIN)
    if not before and spot.deal > 1:
        earlier = game.deals[spot.deal - 2]
        back = Button(f"‹ Deal {earlier.number}", "")
        before = [replace(spot, deal=earlier.number, step=steps.count(earlier) - 1)]
    if not after and spot.deal < len(game.deals):
        forth = Button(f"Deal {spot.deal + 1} ›", "", Style.MAIN)
        after = [replace(spot, deal=spot.deal + 1, step=0)]
    found = [
        (Button("« Start", ""), replace(spot, step=0) if spot.step else None),
        (Button("‹ Card", ""), replace(spot, step=spot.step - 1) if spot.step else None),
        (back, before[-1] if before else None),
        (Button("End »", ""), replace(spot, step=last) if spot.step < last else None),
        (Button("Card ›", ""), replace(spot, step=spot.step + 1) if spot.step < last else None),
        (forth, after[0] if after else None),
    ]
    # The number tells two buttons apart that lead to the same step.
    row = tuple(
        [
            replace(button, action=(to or spot).action("step", slot), enabled=to is not None)
            for slot, (button, to) in enumerate(found)
        ]
    )
    return [row[:3], row[3:]]
