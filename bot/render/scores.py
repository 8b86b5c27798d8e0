"""Points and totals: after a deal, on demand, and at the end."""

from __future__ import annotations

from bot.messages import Button, Colour, Part, Post, Style, Whisper, action
from bot.render import seals
from bot.render.accounts import what_counted
from bot.render.text import bold, chips, grid, names, plain, points
from engine.play.public import PublicDeal
from engine.rules.counting import Why
from engine.rules.options import Goal, Moon
from engine.rules.words import change, goal, listing, moon_cards, number
from engine.tables import PublicTable

#: So many deals fit beside the names without wrapping on a telephone.
DEALS_IN_A_ROW = 6


def after_deal(table: PublicTable, deal: PublicDeal) -> list[Part]:
    """What a deal cost each player, and where they stand; after the last one the final standings say that."""
    view = table.view
    assert view is not None
    assert deal.points is not None
    totals = view.history[deal.number - 1]
    is_last = view.winners is not None and deal.number == len(view.points)
    rows = [["", "this deal", *([] if is_last else ["total"])]]
    for seat in _best_first(table, totals):
        total = [] if is_last else [number(totals[seat])]
        rows.append([_label(table, seat), change(deal.points[seat]), *total])
    counted = what_counted(table, deal) if table.rules.preset.exposable else ()
    notes = "\n".join([*_feats(table, deal), *counted, *_kitty(table, deal)])
    parts: list[Part] = [f"### After deal {deal.number}", *([notes] if notes else []), grid(rows)]
    if deal.seal:
        parts.append(seals.button(table, deal))
    return parts


def final(table: PublicTable) -> Post:
    """The standings, the winners, and a rematch."""
    view = table.view
    assert view is not None
    winners = view.winners or ()
    verb = "win" if len(winners) > 1 else "wins"
    shared = " together" if len(winners) > 1 else ""
    rows = [["", "", "total"]]
    ranked = _best_first(table, view.totals)
    in_order = [view.totals[seat] for seat in ranked]
    for seat in ranked:
        total = view.totals[seat]
        rows.append([f"{in_order.index(total) + 1}.", _label(table, seat), number(total)])
    return Post(
        (
            f"## 🏆 {names(table, winners)} {verb}{shared}!",
            grid(rows, left=2),
            f"-# {len(view.points)} deal{'s' if len(view.points) > 1 else ''} · {goal(table.rules)}",
            (Button("Rematch", action("rematch", table.id), Style.GOOD),),
        ),
        Colour.TURN,
    )


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
    return Whisper((f"### Scores\n{goal(table.rules)}.", grid(rows) + earlier))


def _best_first(table: PublicTable, totals: tuple[int, ...]) -> list[int]:
    highest = table.rules.winner is Goal.HIGHEST
    return sorted(range(len(totals)), key=lambda seat: -totals[seat] if highest else totals[seat])


def _label(table: PublicTable, seat: int, width: int = 16) -> str:
    return plain(table.seats[seat].name, width)


def _feats(table: PublicTable, deal: PublicDeal) -> list[str]:
    """The moon, or the sun of Chinese Hearts; where the shooter chooses, the moon's own post tells it."""
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
