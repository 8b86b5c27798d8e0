"""The tricks of a deal as the table watches them, and the moon."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bot.messages import Button, Colour, Part, Post, Style, action
from bot.render.text import bold, chip, chips, person, player, points, struck, time_left
from bot.render.tones import stripe
from engine.cards import Card, Suit
from engine.play.deal import DoneTrick, Phase
from engine.play.public import PublicDeal
from engine.rules.counting import Entry, Why
from engine.rules.options import MoonChoice
from engine.rules.tricks import Trick
from engine.rules.words import change, listing, number
from engine.tables import PublicTable, State

#: Seconds in which, where somebody leads at once, the trick opens with their card.
UNCALLED = 5.0
#: P8, where everything of the suit led is cancelled.
LAST_TRICK = "the last trick goes to the second copy of the highest card"


def my_hand(table: PublicTable) -> Button:
    """The button that shows a player their hand, for them alone."""
    return Button("My hand", action("hand", table.id), Style.MAIN)


def current(table: PublicTable, deal: PublicDeal) -> Post:
    """The trick that is being played."""
    cards = _cards(table, deal.trick, deal.winning, deal.cancelled, complete=False)
    parts: list[Part] = [_heading(table, deal, len(deal.tricks)), cards]
    if deal.on_hold:
        parts.append(on_hold(deal))
    face_up = [f"{bold(table, seat)} {chips(cards)}" for seat, cards in enumerate(deal.face_up) if cards]
    if face_up:
        parts.append(f"Lying exposed: {listing(face_up)}.")
    if table.state is not State.PLAYING or deal.turn is None:
        return Post(tuple(parts), Colour.DONE)
    if deal.trick.cards:
        parts.append(f"-# Waiting for {player(table, deal.turn)}{time_left(table)}")
    parts.append((my_hand(table),))
    return Post(tuple(parts), patience=0.0 if deal.trick.cards else UNCALLED)


def on_hold(deal: PublicDeal) -> str:
    """What the next winner takes besides."""
    worth, kitty = points(deal.on_hold_points), _kitty(deal.on_hold_kitty)
    return f"On hold for the next winner: {chips(deal.on_hold)} ({worth}){kitty}."


def done(table: PublicTable, deal: PublicDeal, index: int) -> Post:
    """A complete trick: who took it and what it cost."""
    trick = deal.tricks[index]
    parts = [
        _heading(table, deal, index),
        _cards(table, trick.trick, trick.winning, trick.cancelled, complete=True),
        _outcome(table, trick),
        *_so_far(table, trick),
    ]
    return Post(tuple(parts), stripe(table.rules, trick.cost))


def _so_far(table: PublicTable, trick: DoneTrick) -> list[str]:
    """Who has how many points in this deal after this trick, without what the kitty hides."""
    standing = [
        f"{person(seat.name)}: {number(value)}"
        for seat, value in zip(table.seats, trick.so_far, strict=True)
        if value
    ]
    return [f"-# Points of this deal so far: {', '.join(standing)}"] if standing else []


def _heading(table: PublicTable, deal: PublicDeal, index: int) -> str:
    matters = table.rules.hearts_broken_by is not None and index == len(deal.tricks)
    broken = " · ♥ broken" if matters and deal.hearts_broken else ""
    return f"### Deal {deal.number} · Trick {index + 1}{broken}"


def _cards(
    table: PublicTable, trick: Trick, winning: int | None, cancelled: Collection[Card], *, complete: bool
) -> str:
    """A line for each card in order, cancelled pairs struck through; the one that has won stands out."""
    if not trick.cards:
        return f"{player(table, trick.leader)} leads{time_left(table)}."
    lines = []
    for place, card in enumerate(trick.cards):
        shown = struck(card) if card in cancelled else chip(card)
        stressed = not complete or place == winning
        name = player(table, trick.seat(place, table.rules.players), stressed=stressed)
        notes = ["led"] * (place == 0) + ["wins" if complete else "highest"] * (place == winning)
        note = f" · {', '.join(notes)}" if notes else ""
        lines.append(f"{shown} {name}{note}")
    if cancelled and not complete:
        if winning is None:
            lines.append("-# All of the suit led is cancelled so far.")
        elif trick.cards[winning] in cancelled:
            lines.append(f"-# All of the suit led is cancelled so far: {LAST_TRICK}.")
    return "\n".join(lines)


def _kitty(count: int) -> str:
    """The part of the kitty that goes with some tricks; which cards, their taker alone is told (W3)."""
    return f", with {'a card' if count == 1 else f'{count} cards'} of the kitty" if count else ""


def _outcome(table: PublicTable, trick: DoneTrick) -> str:
    if trick.winner is None or trick.winning is None:
        return "Every card of the suit led is cancelled: the trick is **on hold**, and the same player leads."
    took = f"{bold(table, trick.winner)} takes it"
    if trick.trick.cards[trick.winning] in trick.cancelled:
        took = f"Every card of the suit led is cancelled, but {LAST_TRICK}. {took}"
    if len(trick.won) > len(trick.trick.cards):
        took += " and all on hold"
    took += _kitty(trick.kitty)
    for entry in trick.entries:
        if entry.why is Why.MULTIPLIER:
            took += f", with {chips(entry.cards)}"  # C9: no points in itself, and yet it counts
    counting = _counting([entry for entry in trick.entries if entry.why is Why.VALUE])
    if not counting:
        return f"{took}: no points."
    return f"{took}: **{points(trick.cost)}** ({counting})."


def _counting(entries: Iterable[Entry]) -> str:
    """What made the points: `Q♠ 3♥`."""
    words = []
    for entry in sorted(entries, key=lambda entry: entry.cards[0].suit is Suit.HEARTS):
        many = len(entry.cards) > 3 and entry.cards[0].suit is Suit.HEARTS
        words.append(f"{len(entry.cards)} hearts" if many else chips(entry.cards))
    return " ".join(words)


def moon(table: PublicTable, deal: PublicDeal) -> Post:
    """Somebody shot the moon and chooses, or has chosen."""
    assert deal.shooter is not None
    name, (own, others) = bold(table, deal.shooter), table.rules.counting.moon_choice
    heading = f"### 🌕 {name} shoots the moon!"
    if deal.phase is Phase.CHOOSING_MOON:
        return Post(
            (
                heading,
                f"{name} chooses: {change(own)} for self, or {change(others)} for everybody else.",
                (my_hand(table),),
            ),
            Colour.TURN,
        )
    chosen = {
        MoonChoice.ADD: f"Everybody else gets **{change(others)}**.",
        MoonChoice.SUBTRACT: f"{name} takes **{change(own)}**.",
    }
    return Post((heading, chosen[deal.choice] if deal.choice else ""), Colour.TURN)


def last(table: PublicTable) -> Post:
    """The last complete trick."""
    view = table.view
    deals = [deal for deal in (view.deal, view.previous) if deal and deal.tricks] if view else []
    if not deals:
        return Post(("No trick is complete yet.",), Colour.DONE)
    return done(table, deals[0], len(deals[0].tricks) - 1)
