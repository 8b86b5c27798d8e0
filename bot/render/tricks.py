"""The tricks of a deal in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from bot.messages import Colour, Post
from bot.render.deal_breakdown import multiplier
from bot.render.text import bold, brief, chip, chips, person, player, struck
from bot.render.tones import score, sign, stripe
from engine.cards import Card, Hand, Suit
from engine.languages import ENGLISH
from engine.play.deal import DoneTrick
from engine.play.public import PublicDeal
from engine.rules.counting import Entry, Why
from engine.rules.plays import Trick
from engine.tables import PublicTable

#: P8, where every card of the suit led is cancelled: while the last trick is played, and after it.
LAST_TRICK_SO_FAR = (
    "-# All of the suit led is cancelled so far: the last trick goes to the second copy of the highest card."
)
LAST_TRICK = (
    "Every card of the suit led is cancelled, but the last trick goes to the second copy of the highest card."
)
#: Who takes a trick: alone, and with what comes along.
TAKES = ("{who} takes it: {worth}.", "{who} takes it, with {more}: {worth}.")
TAKES_ALL = (
    "{who} takes it and everything on hold: {worth}.",
    "{who} takes it and everything on hold, with {more}: {worth}.",
)


def on_hold(deal: PublicDeal) -> str:
    """The cards on hold for the next winner."""
    cards, worth = chips(deal.on_hold), ENGLISH.points(deal.on_hold_points)
    if deal.on_hold_kitty:
        return f"On hold for the next winner: {cards} ({worth}), with {_kitty(deal.on_hold_kitty)}."
    return f"On hold for the next winner: {cards} ({worth})."


def going_on(table: PublicTable, deal: PublicDeal) -> str:
    """The trick that is being played, and what became of the one before."""
    parts = [laid(table, deal.trick, deal.winning, deal.cancelled, complete=False)]
    if deal.on_hold:
        parts.append(on_hold(deal))
    if deal.tricks:
        parts.append(f"-# Trick {len(deal.tricks)}: {outcome(table, deal.tricks[-1])}")
        parts += so_far(table, deal.tricks[-1])
    return "\n".join(parts)


def complete(table: PublicTable, trick: DoneTrick) -> str:
    """A trick that is done: who took it and what it cost."""
    cards = laid(table, trick.trick, trick.winning, trick.cancelled, complete=True)
    return "\n".join([cards, outcome(table, trick), *so_far(table, trick)])


def listed(table: PublicTable, deal: PublicDeal, index: int, *, named: bool = True) -> str:
    """A trick in a list: `5 · **Bo** +4 · 4♥ **J♥** 2♥ K♥`, its leader's card first and its winner's bold."""
    trick = deal.tricks[index]
    words = [str(index + 1)]
    if named and not index:
        words.append(f"{brief(table, trick.trick.leader)} led")
    if trick.winner is None:
        words.append("on hold")
    else:
        name = [f"**{brief(table, trick.winner)}**"] if named else []
        cost = [toned(table, trick.cost)] if trick.cost else []
        for entry in trick.multipliers:
            cost.append(f"× {entry.times}")
        told = " ".join([*name, *cost])
        if trick.kitty:
            told = f"{told}, with {_kitty(trick.kitty)}"
        words += [told] if named or cost else []
    return " · ".join([*words, _symbols(trick.trick.cards, trick.cancelled, trick.winning)])


def toned(table: PublicTable, value: int) -> str:
    """Points, and whether they help or hurt: `🔴 13`."""
    return f"{sign(table.rules, value)} {score(table.rules, value).text}"


@lru_cache(maxsize=4096)  # a finished trick is shown again with every card of its deal
def _symbols(cards: Hand, cancelled: frozenset[Card], winning: int | None) -> str:
    """Plain signs: where each is an emoji, a deal's cards would not fit into a message."""
    shown = [f"~~{card.symbol}~~" if card in cancelled else card.symbol for card in cards]
    if winning is not None:
        shown[winning] = f"**{shown[winning]}**"
    return " ".join(shown)


def so_far(table: PublicTable, trick: DoneTrick) -> list[str]:
    """Each player's points in this deal after this trick, without those hidden in the kitty."""
    standing = [
        f"{person(seat.name)} {toned(table, value)}"
        for seat, value in zip(table.seats, trick.so_far, strict=True)
        if value
    ]
    return [f"-# Points in this deal so far: {', '.join(standing)}"] if standing else []


def laid(
    table: PublicTable, trick: Trick, winning: int | None, cancelled: Collection[Card], *, complete: bool
) -> str:
    """A line for each card in order: cancelled pairs are struck through, and the winning card stands out."""
    lines = []
    for place, (seat, card) in enumerate(trick.laid(table.rules.players)):
        shown = struck(card) if card in cancelled else chip(card)
        name = player(table, seat, stressed=not complete or place == winning)
        notes = ["led"] * (place == 0) + ["wins" if complete else "highest"] * (place == winning)
        note = f" · {', '.join(notes)}" if notes else ""
        lines.append(f"{shown} {name}{note}")
    if cancelled and not complete:
        if winning is None:
            lines.append("-# All of the suit led is cancelled so far.")
        elif trick.cards[winning] in cancelled:
            lines.append(LAST_TRICK_SO_FAR)
    return "\n".join(lines)


def _kitty(count: int) -> str:
    """The part of the kitty that goes with some tricks; which cards, their taker alone is told (W3)."""
    return ENGLISH.say_count(count, "a card of the kitty", "{count} cards of the kitty")


def _along(table: PublicTable, trick: DoneTrick) -> list[str]:
    """What comes along with a trick: `a card of the kitty`, `10♣ (× 2, alone +50)`."""
    kitty = [_kitty(trick.kitty)] if trick.kitty else []
    return [*kitty, *[multiplier(table, entry) for entry in trick.multipliers]]


def outcome(table: PublicTable, trick: DoneTrick) -> str:
    """Who took it and for how much, or that it is on hold."""
    if trick.winner is None or trick.winning is None:
        return "Every card of the suit led is cancelled: the trick is **on hold**, and the same player leads."
    worth = "no points"
    if counting := _counting([entry for entry in trick.entries if entry.why is Why.VALUE]):
        worth = f"{sign(table.rules, trick.cost)} **{ENGLISH.points(trick.cost)}** ({counting})"
    takes, takes_more = TAKES_ALL if len(trick.won) > len(trick.trick.cards) else TAKES
    more = _along(table, trick)
    told = (takes_more if more else takes).format(
        who=bold(table, trick.winner), worth=worth, more=ENGLISH.listing(more)
    )
    if trick.trick.cards[trick.winning] in trick.cancelled:
        return f"{LAST_TRICK} {told}"
    return told


def _counting(entries: Iterable[Entry]) -> str:
    """What made the points: `Q♠ 3♥`."""
    words = []
    for entry in sorted(entries, key=lambda entry: entry.cards[0].suit is Suit.HEARTS):
        many = len(entry.cards) > 3 and entry.cards[0].suit is Suit.HEARTS
        words.append(f"{len(entry.cards)} hearts" if many else chips(entry.cards))
    return " ".join(words)


def deals_with_tricks(table: PublicTable) -> list[PublicDeal]:
    """The deal going on and the one before, as far as they have complete tricks."""
    view = table.view
    return [deal for deal in (view.deal, view.previous) if deal and deal.tricks] if view else []


def last(table: PublicTable) -> Post:
    """The last complete trick, with those who had the seats then."""
    deals = deals_with_tricks(table)
    if not deals:
        return Post(("No trick is complete yet.",), Colour.DONE)
    deal, trick = deals[0], deals[0].tricks[-1]
    told = complete(table.as_in(deal.number), trick)
    heading = f"### Deal {deal.number} · Trick {len(deal.tricks)}"
    return Post((f"{heading}\n{told}",), stripe(table.rules, trick.cost))
