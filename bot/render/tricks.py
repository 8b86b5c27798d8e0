"""The tricks of a deal as the table watches them, and the moon."""

from __future__ import annotations

from collections.abc import Sequence

from bot.messages import Button, Colour, Part, Post, Style, action
from bot.render.text import bold, chip, chips, listing, number, person, player, points, struck, time_left
from engine.cards import TEN_OF_CLUBS, Hand, Suit
from engine.play.deal import DoneTrick, Phase
from engine.play.views import PublicDeal
from engine.rules.options import Duplicates, MoonChoice
from engine.rules.presets import Scoring
from engine.rules.scoring import card_values, moon_worth
from engine.rules.tricks import Trick, cancelled, winning_index
from engine.tables import PublicTable, State

#: Seconds in which whoever leads at once is not called, and the trick opens with their card.
UNCALLED = 5.0
#: P8, where everything of the suit led is cancelled.
LAST_TRICK = "the last trick goes to the second copy of the highest card"


def my_hand(table: PublicTable) -> Button:
    """The button that shows a player their hand, for them alone."""
    return Button("My hand", action("hand", table.id), Style.MAIN)


def current(table: PublicTable, deal: PublicDeal) -> Post:
    """The trick that is being played."""
    index = len(deal.tricks)
    parts: list[Part] = [_heading(table, deal, index), _cards(table, index, deal.trick)]
    if deal.on_hold:
        parts.append(on_hold(table, deal))
    lying = [f"{bold(table, seat)} {chips(cards)}" for seat, cards in enumerate(deal.lying) if cards]
    if lying:
        parts.append(f"Lying exposed: {listing(lying)}.")
    if table.state is not State.PLAYING or deal.turn is None:
        return Post(tuple(parts), Colour.DONE)
    seat = table.seats[deal.turn]
    if deal.trick.cards:
        parts.append(f"-# Waiting for {player(table, deal.turn)}{time_left(table)}")
    parts.append((my_hand(table),))
    if not seat.is_played_by_person:
        return Post(tuple(parts))
    assert seat.person is not None
    call, patience = f"<@{seat.person}>, it is your turn.", 0.0 if deal.trick.cards else UNCALLED
    return Post(tuple(parts), call=call, ping=(seat.person,), patience=patience)


def on_hold(table: PublicTable, deal: PublicDeal) -> str:
    """What the next winner takes besides."""
    worth = trick_points(table, deal, deal.on_hold)
    kitty = _kitty(_on_hold(deal, len(deal.tricks)))
    return f"On hold for the next winner: {chips(deal.on_hold)} ({points(worth)}){kitty}."


def done(table: PublicTable, deal: PublicDeal, index: int) -> Post:
    """A complete trick: who took it and what it cost."""
    trick = deal.tricks[index]
    parts = [
        _heading(table, deal, index),
        _cards(table, index, trick.trick, trick),
        _outcome(table, deal, index),
        *_so_far(table, deal, index),
    ]
    cost = 0 if trick.winner is None else trick_points(table, deal, _won(deal, index))
    return Post(tuple(parts), Colour.HEARTS if cost else Colour.DONE)


def _so_far(table: PublicTable, deal: PublicDeal, index: int) -> list[str]:
    """Who has how many points in this deal after this trick, without what the kitty hides."""
    counted = [0] * table.rules.players
    for place, trick in enumerate(deal.tricks[: index + 1]):
        if trick.winner is not None:
            counted[trick.winner] += trick_points(table, deal, _won(deal, place))
    standing = [
        f"{person(seat.name)}: {number(value)}"
        for seat, value in zip(table.seats, counted, strict=True)
        if value
    ]
    return [f"-# Points of this deal so far: {', '.join(standing)}"] if standing else []


def trick_points(table: PublicTable, deal: PublicDeal, cards: Hand) -> int:
    """What these cards count, doubled where their suit is exposed (C8), before a moon."""
    values = card_values(table.rules)
    doubled = {card.suit for _, card in deal.exposures}
    return sum(values.get(card, 0) * (2 if card.suit in doubled else 1) for card in cards)


def _heading(table: PublicTable, deal: PublicDeal, index: int) -> str:
    matters = table.rules.hearts_broken_by is not None and index == len(deal.tricks)
    broken = " · ♥ broken" if matters and deal.hearts_broken else ""
    return f"### Deal {deal.number} · Trick {index + 1}{broken}"


def _cards(table: PublicTable, index: int, trick: Trick, done: DoneTrick | None = None) -> str:
    """A line for each card in order, cancelled pairs struck through; the one that has won stands out."""
    if not trick.cards:
        return f"{player(table, trick.leader)} leads{time_left(table)}."
    last = index == table.rules.pack.hand_size - 1
    winning = winning_index(table.rules, trick, last=last)
    twins = cancelled(table.rules, trick.cards)
    lines = []
    for place, card in enumerate(trick.cards):
        shown = struck(card) if card in twins else chip(card)
        stressed = not done or place == winning
        name = player(table, trick.seat(place, table.rules.players), stressed=stressed)
        notes = ["led"] * (place == 0) + ["wins" if done else "highest"] * (place == winning)
        note = f" · {', '.join(notes)}" if notes else ""
        lines.append(f"{shown} {name}{note}")
    if table.rules.duplicates is Duplicates.CANCEL and not done:
        if winning is None:
            lines.append("-# All of the suit led is cancelled so far.")
        elif trick.cards[winning] in twins:
            lines.append(f"-# All of the suit led is cancelled so far: {LAST_TRICK}.")
    return "\n".join(lines)


def _on_hold(deal: PublicDeal, index: int) -> tuple[DoneTrick, ...]:
    """The tricks right before this one that wait for a winner."""
    first = index
    while first and deal.tricks[first - 1].winner is None:
        first -= 1
    return deal.tricks[first:index]


def _won(deal: PublicDeal, index: int) -> Hand:
    """The cards that went to the winner of this trick, with those on hold before it."""
    tricks = (*_on_hold(deal, index), deal.tricks[index])
    return tuple(card for one in tricks for card in one.trick.cards)


def _kitty(tricks: Sequence[DoneTrick]) -> str:
    """The part of the kitty that goes with these tricks; which cards, their taker alone is told (W3)."""
    count = sum(one.kitty for one in tricks)
    return f", with {'a card' if count == 1 else f'{count} cards'} of the kitty" if count else ""


def _outcome(table: PublicTable, deal: PublicDeal, index: int) -> str:
    trick = deal.tricks[index]
    if trick.winner is None:
        return "Every card of the suit led is cancelled: the trick is **on hold**, and the same player leads."
    cards, held = _won(deal, index), _on_hold(deal, index)
    worth = trick_points(table, deal, cards)
    took = f"{bold(table, trick.winner)} takes it"
    if winning_index(table.rules, trick.trick) is None:
        took = f"Every card of the suit led is cancelled, but {LAST_TRICK}. {took}"
    if held:
        took += " and all on hold"
    took += _kitty((*held, trick))
    if table.rules.preset.scoring is Scoring.CHINESE and TEN_OF_CLUBS in cards:
        took += f", with {chip(TEN_OF_CLUBS)}"  # C9: no points in itself, and yet it counts
    counting = _counting(table, cards)
    if not counting:
        return f"{took}: no points."
    return f"{took}: **{points(worth)}** ({counting})."


def _counting(table: PublicTable, cards: Hand) -> str:
    """What made the points: `3♥ + Q♠`."""
    values = card_values(table.rules)
    hearts = [card for card in cards if card.suit is Suit.HEARTS and values.get(card)]
    others = [card for card in cards if card.suit is not Suit.HEARTS and values.get(card)]
    words = [chip(card) for card in others]
    if hearts:
        words.append(
            f"{len(hearts)} heart{'s' if len(hearts) > 1 else ''}" if len(hearts) > 3 else chips(hearts)
        )
    return " ".join(words)


def moon(table: PublicTable, deal: PublicDeal) -> Post:
    """Somebody shot the moon and chooses, or has chosen."""
    assert deal.shooter is not None
    name, worth = bold(table, deal.shooter), moon_worth(table.rules)
    heading = f"### 🌕 {name} shoots the moon!"
    if deal.phase is Phase.CHOOSING_MOON:
        return Post(
            (
                heading,
                f"{name} chooses: {number(-worth)} for self, or +{worth} for everybody else.",
                (my_hand(table),),
            ),
            Colour.TURN,
        )
    chosen = {
        MoonChoice.ADD: f"Everybody else gets **+{worth}**.",
        MoonChoice.SUBTRACT: f"{name} takes **{number(-worth)}**.",
    }
    return Post((heading, chosen[deal.choice] if deal.choice else ""), Colour.TURN)


def last(table: PublicTable) -> Post:
    """The last complete trick."""
    view = table.view
    deals = [deal for deal in (view.deal, view.previous) if deal and deal.tricks] if view else []
    if not deals:
        return Post(("No trick is complete yet.",), Colour.DONE)
    return done(table, deals[0], len(deals[0].tricks) - 1)
