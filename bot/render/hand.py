"""A player's hand and what they can do with it: the same in a DM and under My hand."""

from __future__ import annotations

from collections import Counter

from bot.messages import Button, Choice, Colour, Part, Row, Select, Style, Whisper, action
from bot.render.refusals import come_back
from bot.render.text import bold, cards_in_words, chip, chips, names, player, struck, time_left
from bot.render.tricks import on_hold
from engine.cards import Card, Hand, Suit
from engine.play.deal import Phase
from engine.play.views import SeatView
from engine.rules.options import MoonChoice
from engine.rules.words import change, direction, exposing
from engine.tables import PublicTable, State

BUTTONS_IN_A_ROW = 5
#: In the order in which a hand shows them, red ones between black ones as far as can be; jokers last.
SUITS = (Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES, Suit.HEARTS, None)
RED_SUITS = (Suit.DIAMONDS, Suit.HEARTS)
#: Seconds after which whoever has chosen sees who else has.
WATCHING = 3.0


def hand(table: PublicTable, view: SeatView) -> Whisper:
    """What this player holds and may do now."""
    deal = view.deal
    heading = _heading(table, deal.number)
    match deal.phase:
        case Phase.PASSING:
            return _passing(table, view, heading)
        case Phase.EXPOSING:
            return _exposing(table, view, heading)
        case Phase.PLAYING:
            return _playing(table, view, heading)
        case Phase.CHOOSING_MOON if deal.shooter == view.seat:
            return _moon(table, view, heading)
        case _:
            return Whisper((heading, "All your cards are played."), Colour.DONE)


def over(table: PublicTable, deal: int) -> Whisper:
    """In place of a hand whose deal, or whose table, is over."""
    ended = {State.OVER: "The game is over.", State.STOPPED: "The game was stopped."}
    text = ended.get(table.state, f"Deal {deal} is over.")
    return Whisper((_heading(table, deal), text), Colour.DONE)


def left_behind(table: PublicTable, deal: int) -> Whisper:
    """In place of the hand of somebody for whom a computer plays."""
    text = "A computer plays your cards until you come back."
    return Whisper((_heading(table, deal), text, (come_back(table.id, deal),)), Colour.DONE)


def _heading(table: PublicTable, deal: int) -> str:
    return f"### Your hand · Deal {deal}\n-# {table.rules.preset.title} in <#{table.channel}>"


def _passing(table: PublicTable, view: SeatView, heading: str) -> Whisper:
    count = view.rules.pass_cards
    cards = cards_in_words(count)
    choices = tuple(
        Choice(card.symbol, f"{card.code}.{copy}", hint=card.title, chosen=chosen)
        for card, copy, chosen in _copies(view.hand, view.passed or ())
    )
    select = Select(
        action("pass", table.id, view.deal.number), f"Choose {cards}", choices, least=count, most=count
    )
    parts = (heading, by_suit(view.hand), _about_pass(table, view, cards), select)
    if view.passed is None:
        return Whisper(parts, Colour.TURN)
    return Whisper(parts, patience=WATCHING)


def _about_pass(table: PublicTable, view: SeatView, cards: str) -> str:
    players, offset = view.rules.players, view.deal.offset
    to = f"{bold(table, (view.seat + offset) % players)}, {direction(offset, players, 'your')}"
    if view.passed is None:
        return f"Choose {cards} to pass to {to}. They go when everybody has chosen."
    choosing = [seat for seat, done in enumerate(view.deal.has_chosen) if not done]
    return (
        f"You pass {chips(view.passed)} to {to}. You may still choose others.\n"
        f"-# Still choosing: {names(table, choosing)}{time_left(table)}."
    )


def _exposing(table: PublicTable, view: SeatView, heading: str) -> Whisper:
    parts: list[Part] = [heading, by_suit(view.hand)]
    if face_up := view.deal.face_up[view.seat]:
        parts.append(f"You have exposed {chips(face_up)}.")
    if not view.exposable:
        parts.append("-# Play begins when all have decided what to expose.")
        return Whisper(tuple(parts))
    here = (table.id, view.deal.number)
    row: Row = tuple(
        Button(f"Expose {card.symbol}", action("expose", *here, card.code), Style.GOOD)
        for card in view.exposable
    )
    if view.declined:
        parts.append("You expose nothing more. As long as others think, you may think again.")
        return Whisper((*parts, row))
    parts.append(exposing(view.rules))
    return Whisper((*parts, (*row, Button("No more", action("decline", *here)))), Colour.TURN)


def _playing(table: PublicTable, view: SeatView, heading: str) -> Whisper:
    deal = view.deal
    parts: list[Part] = [heading]
    if view.received and view.passed and not _played(view):
        giver = bold(table, (view.seat - deal.offset) % view.rules.players)
        parts.append(f"You passed {chips(view.passed)} and received {chips(view.received)} from {giver}.")
    if view.kitty:
        parts.append(f"From the kitty you took {chips(view.kitty)}.")
    mine = deal.turn == view.seat
    if mine:
        parts.append(_your_turn(table, view))
        if deal.on_hold:
            parts.append(on_hold(deal))
    elif view.hand or deal.face_up[view.seat]:
        parts.append("-# Not your turn yet.")
    else:
        parts.append("-# All your cards are played.")
    parts += card_rows(table, view)
    return Whisper(tuple(parts), Colour.TURN if mine else Colour.TABLE)


def _your_turn(table: PublicTable, view: SeatView) -> str:
    trick = view.deal.trick
    if not trick.cards:
        return f"**Your turn**{time_left(table)}: you lead{_what(view)}."
    players, twins = view.rules.players, view.deal.cancelled
    cards = ", ".join(
        f"{struck(card) if card in twins else chip(card)} {player(table, trick.seat(index, players))}"
        for index, card in enumerate(trick.cards)
    )
    return f"**Your turn**{time_left(table)}. In the trick: {cards}."


def _what(view: SeatView) -> str:
    """Why a leader's other cards are disabled, where that may surprise."""
    deal = view.deal
    if not deal.tricks and len(set(view.legal)) == 1:
        return f" with {chip(view.legal[0])}"
    waits = view.rules.hearts_broken_by is not None and not deal.hearts_broken
    held_back = any(card.suit is Suit.HEARTS and card not in view.legal for card in view.hand)
    return "; hearts are not broken yet" if waits and held_back else ""


def card_rows(table: PublicTable, view: SeatView) -> list[Part]:
    """A button for each card, each suit in rows of its own; those that are legal now enabled."""
    exposed = view.deal.face_up[view.seat]
    # Named for the trick that this player plays to next: until then the buttons need no repainting.
    here = action("play", table.id, view.deal.number, _played(view))
    rows: dict[Suit | None, list[Button]] = {suit: [] for suit in SUITS}
    for card, copy, _ in _copies(view.hand + exposed, ()):
        rows[card.suit].append(
            Button(
                card.symbol + " (exposed)" * (card in exposed),
                f"{here}:{card.code}.{copy}",
                Style.RED if card.suit in RED_SUITS else Style.PLAIN,
                enabled=card in view.legal,
            )
        )
    return [row for buttons in rows.values() if buttons for row in _even_rows(buttons)]


def _played(view: SeatView) -> int:
    """How many cards this player has played in this deal."""
    held = len(view.hand) + len(view.deal.face_up[view.seat])
    return view.rules.pack.hand_size - held


def _even_rows(buttons: list[Button]) -> list[Row]:
    """As few rows as can be, about as long as each other."""
    rows = -(-len(buttons) // BUTTONS_IN_A_ROW)
    length = -(-len(buttons) // rows)
    return [tuple(buttons[start : start + length]) for start in range(0, len(buttons), length)]


def _moon(table: PublicTable, view: SeatView, heading: str) -> Whisper:
    (own, others), here = view.rules.counting.moon_choice, (table.id, view.deal.number)
    row: Row = (
        Button(f"{change(own)} for me", action("moon", *here, MoonChoice.SUBTRACT.value), Style.GOOD),
        Button(f"{change(others)} for the others", action("moon", *here, MoonChoice.ADD.value), Style.MAIN),
    )
    return Whisper((heading, "🌕 **You shot the moon!** What shall it be?", row), Colour.TURN)


def by_suit(cards: Hand) -> str:
    """The hand as text, a suit a line."""
    lines = [chips(card for card in cards if card.suit is suit) for suit in (*Suit, None)]
    return "\n".join(line for line in lines if line)


def _copies(cards: Hand, chosen: Hand) -> list[tuple[Card, int, bool]]:
    """Each card with the number of its copy, which tells two of them apart, and whether it is chosen."""
    seen: Counter[Card] = Counter()
    found = []
    for card in cards:
        found.append((card, seen[card], seen[card] < chosen.count(card)))
        seen[card] += 1
    return found
