"""Points and totals: after a deal, on demand, and at the end."""

from __future__ import annotations

from bot.messages import Button, Colour, Part, Post, Row, Style, Whisper, action
from bot.render import seals
from bot.render.accounts import what_counted
from bot.render.stories import curves, story
from bot.render.text import bold, chips, grid, names, plain, points
from engine.play.public import PublicDeal
from engine.play.views import PublicView
from engine.rules.counting import Why
from engine.rules.options import Goal, Moon
from engine.rules.words import change, goal, listing, moon_cards, number
from engine.tables import PublicTable

#: So many deals fit beside the names without wrapping on a telephone.
DEALS_IN_A_ROW = 6


def after_deal(table: PublicTable, deal: PublicDeal) -> list[Part]:
    """What a deal cost each player, and where they stand."""
    view = table.view
    assert view is not None
    assert deal.points is not None
    totals = view.history[deal.number - 1]
    rows = [["", "this deal", "total"]]
    for seat in _best_first(table, totals):
        rows.append([_label(table, seat), change(deal.points[seat]), number(totals[seat])])
    parts: list[Part] = ["\n".join([f"### After deal {deal.number}", *_notes(table, deal)]), grid(rows)]
    if deal.seal:
        parts.append(seals.button(table, deal))
    return parts


def final(table: PublicTable) -> Post:
    """The winners and how they won, the standings with what the last deal cost, and a rematch."""
    view = table.view
    assert view is not None
    assert view.deal is not None
    winners = view.winners or ()
    verb = "win" if len(winners) > 1 else "wins"
    shared = " together" if len(winners) > 1 else ""
    heading = f"## 🏆 {names(table, winners)} {verb}{shared}!"
    last = "\n".join([f"**After deal {view.deal.number}**", *_notes(table, view.deal)])
    buttons: Row = (Button("Rematch", action("rematch", table.id), Style.GOOD),)
    if view.deal.seal:
        buttons += seals.button(table, view.deal)
    return Post(
        (
            "\n".join([heading, *story(table)]),
            *curves(table),
            last,
            grid(_standings(table, view), left=2),
            f"-# {goal(table.rules)}.",
            buttons,
        ),
        Colour.TURN,
    )


def _standings(table: PublicTable, view: PublicView) -> list[list[str]]:
    rows, in_order = [["", "", "this deal", "total"]], sorted(view.totals)
    if table.rules.winner is Goal.HIGHEST:
        in_order.reverse()
    for seat in _best_first(table, view.totals):
        total = view.totals[seat]
        place = f"{in_order.index(total) + 1}."
        rows.append([place, _label(table, seat), change(view.points[-1][seat]), number(total)])
    return rows


def sheet(table: PublicTable) -> Whisper:
    """The whole score sheet, for whoever asks."""
    view = table.view
    if view is None or not view.points:
        return Whisper((f"**{goal(table.rules)}.**\nNo deal is complete yet: everybody has 0.",))
    first = max(0, len(view.points) - DEALS_IN_A_ROW)
    rows = [["", *(f"{number}." for number in range(first + 1, len(view.points) + 1)), "total"]]
    for seat in _best_first(table, view.totals):
        deals = [number(scored[seat]) for scored in view.points[first:]]
        rows.append([_label(table, seat, 10), *deals, number(view.totals[seat])])
    earlier = f"\n-# The last {DEALS_IN_A_ROW} of {len(view.points)} deals." if first else ""
    return Whisper((f"### Scores\n{goal(table.rules)}.", *curves(table), grid(rows) + earlier))


def _best_first(table: PublicTable, totals: tuple[int, ...]) -> list[int]:
    highest = table.rules.winner is Goal.HIGHEST
    return sorted(range(len(totals)), key=lambda seat: -totals[seat] if highest else totals[seat])


def _label(table: PublicTable, seat: int, width: int = 16) -> str:
    return plain(table.seats[seat].name, width)


def _notes(table: PublicTable, deal: PublicDeal) -> list[str]:
    """What of a deal its points alone do not tell."""
    counted = what_counted(table, deal) if table.rules.preset.exposable else ()
    return [*_feats(table, deal), *counted, *_kitty(table, deal)]


def _feats(table: PublicTable, deal: PublicDeal) -> list[str]:
    """The moon, or the sun of Chinese Hearts; where the shooter chooses, its own post tells it."""
    if deal.shooter is None or deal.accounts is None or table.rules.moon is Moon.CHOICE:
        return []
    name = bold(table, deal.shooter)
    found = {entry.why: entry.points for entry in deal.accounts[deal.shooter]}
    if Why.SUN in found and (sun := table.rules.counting.sun):
        needed = listing([*moon_cards(table.rules), *(card.symbol for card in sun.cards)])
        return [f"☀️ {name} shot the **sun**: {needed}. {points(found[Why.SUN])}!"]
    if Why.TURNED in found:
        return [f"🌕 {name} took {listing(moon_cards(table.rules))}: they count for {name}."]
    own, others = table.rules.counting.moon_points()
    effect = f"{change(own)} for {name}, {change(others)} for everybody else"
    if not own:
        effect = f"everybody else gets {change(others)}"
    elif not others:
        effect = f"{change(own)} for {name}"
    return [f"🌕 {name} shot the moon: {effect}."]


def _kitty(table: PublicTable, deal: PublicDeal) -> list[str]:
    """W3: what was in the kitty is told when the deal is over."""
    return [
        f"{bold(table, seat)} took {chips(cards)} from the kitty."
        for seat, cards in enumerate(deal.kitty_taken or ())
        if cards
    ]
