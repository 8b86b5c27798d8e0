"""A deal before its first trick as the table watches it: its opening, and the exposing."""

from __future__ import annotations

from bot.messages import DIVIDER, Colour, Part, Post
from bot.render import scores, seals
from bot.render.text import bold, cards_in_words, chip, chips, time_left, until
from bot.render.tricks import my_hand
from engine.cards import Card
from engine.play.deal import Phase
from engine.play.public import PublicDeal
from engine.rules.words import direction, listing
from engine.tables import PublicTable, State


def opening(table: PublicTable, deal: PublicDeal, before: PublicDeal | None) -> Post:
    """The post between two deals: how the one before ended, and how this one begins, with its seal.

    Nothing ever changes it: Discord would mark it as edited, and is the seal's witness.
    """
    parts: list[Part] = [*scores.after_deal(table, before), DIVIDER] if before else []
    parts.append("\n".join([f"### Deal {deal.number}", *_passing(table, deal)]))
    if deal.seal:
        parts.append(seals.sealed(deal))
    if not table.rules.preset.exposable:
        parts.append((my_hand(table),))
    return Post(tuple(parts), once=True)


def _passing(table: PublicTable, deal: PublicDeal) -> list[str]:
    count = table.rules.pass_cards
    if not count:
        return []
    if not deal.offset:
        return ["Nobody passes this time."]
    where = direction(deal.offset, table.rules.players)
    return [f"Everyone passes {cards_in_words(count)} {where}{time_left(table)}."]


def exposing(table: PublicTable, deal: PublicDeal) -> Post:
    """What lies exposed before the first trick."""
    going_on = deal.phase is Phase.EXPOSING
    parts: list[Part] = ["\n".join([f"### Deal {deal.number} · Exposing", *_exposing(table, deal)])]
    if going_on and table.state is State.PLAYING:
        parts.append((my_hand(table),))
    return Post(tuple(parts), Colour.TABLE if going_on else Colour.DONE)


def _exposing(table: PublicTable, deal: PublicDeal) -> list[str]:
    """C2: what is exposed; who still thinks would tell who holds such a card, so it is not shown."""
    going_on = deal.phase is Phase.EXPOSING
    nothing = "nothing yet" if going_on else "nothing"
    lines = [f"Exposed: {_exposures(table, deal) or nothing}."]
    if len(deal.exposures) == len(table.rules.preset.exposable):
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
