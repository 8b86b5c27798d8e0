"""A deal before its first trick as the table watches it: the pass, or the exposing."""

from __future__ import annotations

from bot.messages import Colour, Part, Post
from bot.render.text import bold, chip, chips, listing, names, time_left, until
from bot.render.tricks import my_hand
from engine.cards import Card
from engine.play.deal import EXPOSABLE, Phase
from engine.play.views import PublicDeal
from engine.rules.words import direction
from engine.tables import PublicTable, State


def opening(table: PublicTable, deal: PublicDeal) -> Post:
    """A deal has begun: what the pass or the exposing waits for."""
    going_on = deal.phase in (Phase.PASSING, Phase.EXPOSING)
    lines = _exposing(table, deal) if table.rules.preset.exposing else _passing(table, deal)
    parts: list[Part] = [f"### Deal {deal.number}", "\n".join(lines)]
    if going_on and table.state is State.PLAYING:
        parts.append((my_hand(table),))
    return Post(tuple(parts), Colour.TABLE if going_on else Colour.DONE)


def _passing(table: PublicTable, deal: PublicDeal) -> list[str]:
    count = table.rules.pass_cards
    cards = "one card" if count == 1 else f"{count} cards"
    where = direction(deal.offset, table.rules.players)
    if deal.phase is not Phase.PASSING:
        return [f"Everyone has passed {cards} {where}."]
    if table.state is not State.PLAYING:
        return [f"Everyone was to pass {cards} {where}."]
    choosing = [seat for seat, done in enumerate(deal.has_chosen) if not done]
    who = names(table, choosing)
    return [f"Everyone passes {cards} {where}.", f"Still choosing: {who}{time_left(table)}."]


def _exposing(table: PublicTable, deal: PublicDeal) -> list[str]:
    """C2: what is exposed; who still thinks would tell who holds such a card, so it is not shown."""
    going_on = deal.phase is Phase.EXPOSING
    nothing = "nothing yet" if going_on else "nothing"
    lines = [f"Exposed: {_exposures(table, deal) or nothing}."]
    if len(deal.exposures) == len(EXPOSABLE):
        seat, fourth = deal.exposures[-1]
        lines.append(f"Once three are exposed the fourth must be: {bold(table, seat)} {chip(fourth)}.")
    if going_on:
        lines.append("-# Whoever holds a card that can be exposed is asked.")
        if time := until(table):
            lines.append(f"-# They may think{time}.")
    return lines


def _exposures(table: PublicTable, deal: PublicDeal) -> str:
    by_seat: dict[int, list[Card]] = {}
    for seat, card in deal.exposures:
        by_seat.setdefault(seat, []).append(card)
    return listing([f"{bold(table, seat)} {chips(cards)}" for seat, cards in by_seat.items()])
