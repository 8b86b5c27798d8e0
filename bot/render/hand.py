"""A player's hand and what they can do with it: the same in a DM and under My hand."""

from __future__ import annotations

from bot.messages import Button, Colour, Part, Row, Style, Whisper, action
from bot.render.cards import by_suit, rows, slots
from bot.render.passing import passing
from bot.render.refusals import come_back
from bot.render.text import bold, chip, chips, player, struck, time_left
from bot.render.tricks import on_hold
from engine.cards import Suit
from engine.play.deal import Phase
from engine.play.views import SeatView
from engine.rules.options import MoonChoice
from engine.rules.words import change, exposing
from engine.tables import PublicTable, State


def hand(table: PublicTable, view: SeatView, picked: tuple[int, ...] = ()) -> Whisper:
    """What this player holds and may do now; `picked` is where in their hand the cards to pass are."""
    deal = view.deal
    heading = _heading(table, deal.number)
    match deal.phase:
        case Phase.PASSING:
            return passing(table, view, picked, heading)
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
    """A button for each card; those that are legal now enabled."""
    exposed = view.deal.face_up[view.seat]
    # Named for the trick that this player plays to next: until then the buttons need no repainting.
    here = action("play", table.id, view.deal.number, _played(view))
    return rows(
        (
            card,
            Button(
                card.symbol + " (exposed)" * (card in exposed), f"{here}:{slot}", enabled=card in view.legal
            ),
        )
        for card, slot in slots(view.hand + exposed)
    )


def _played(view: SeatView) -> int:
    """How many cards this player has played in this deal."""
    held = len(view.hand) + len(view.deal.face_up[view.seat])
    return view.rules.pack.hand_size - held


def _moon(table: PublicTable, view: SeatView, heading: str) -> Whisper:
    (own, others), here = view.rules.counting.moon_choice, (table.id, view.deal.number)
    row: Row = (
        Button(f"{change(own)} for me", action("moon", *here, MoonChoice.SUBTRACT.value), Style.GOOD),
        Button(f"{change(others)} for the others", action("moon", *here, MoonChoice.ADD.value), Style.MAIN),
    )
    return Whisper((heading, "🌕 **You shot the moon!** What shall it be?", row), Colour.TURN)
