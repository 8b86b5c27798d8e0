"""The message with a player's hand, for a DM or **My hand** in the channel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.table.board import opening_key
from bot.table.hand import hand, left_behind, over
from bot.table.hand_header import by_suit
from bot.table.private_hand import at_table, has_board, with_table
from bot.vocabulary.messages import Button, Link, Part, Picture, Whisper
from bot.vocabulary.scenes import FanScene
from bot.words.buttons import beside, to_table
from bot.words.text import symbols
from engine.cards import Card
from engine.errors import Refusal
from engine.play.deal import Phase
from engine.play.views import seat_view
from engine.tables import NO_PREFERENCE, Preference, PublicTable, Table


def hand_of(
    table: Table,
    public: PublicTable,
    person: int,
    deal: int | None = None,
    asking: Card | None = None,
    *,
    prefers: Preference = NO_PREFERENCE,
) -> Whisper:
    """This player's hand, or what replaces it while a computer plays and once its deal or game is over.

    At a table alone, the lobby and the end are shown there too. Refusal if this person has no hand.

    The hand follows the post with its deal's seal. With `asking`, it asks the player to confirm this card.
    """
    seat = table.seat_of(person)
    if seat is None:
        raise Refusal("not_seated")
    if table.is_alone and (table.game is None or not table.is_live):
        return at_table(public)
    if table.game is None:
        raise Refusal("not_started")
    current = table.game.begun
    if table.is_live and table.seats[seat].away:
        return left_behind(public, deal or current, seat)
    if not table.is_live or deal not in (None, current):
        return over(public, deal or current, person)
    view = seat_view(table.game, seat, public.view)
    plays_itself = table.forced is not None and bool(view.legal)
    advice = table.advice_for(seat)
    picked = table.picked_by(seat) if view.deal.phase is Phase.PASSING else ()
    beside_table = public.is_private and has_board(view)
    whisper = hand(public, view, picked, asking, advice, plays_itself=plays_itself, beside_table=beside_table)
    whisper = as_preferred(whisper, prefers)
    if public.is_private:
        return with_table(public, view, whisper)
    return replace(whisper, follows=opening_key(current))


def as_preferred(whisper: Whisper, prefers: Preference) -> Whisper:
    """The hand with the suits in the order, and the cards with the faces, that the player prefers."""
    if prefers == NO_PREFERENCE:
        return whisper
    places = {suit: place for place, suit in enumerate(prefers.suits)}

    def place(card: Card) -> int:
        return len(places) if card.suit is None else places[card.suit]

    rows = [(suit, part) for part in whisper.parts if (suit := _card_of(part))]
    ordered = iter([row for _, row in sorted(rows, key=lambda row: place(row[0]))])
    parts = [
        next(ordered) if _card_of(part) else _fan_in_order(part, prefers, place) for part in whisper.parts
    ]
    return replace(whisper, parts=tuple(parts), faces=prefers.faces)


def _card_of(part: Part) -> Card | None:
    """The first card of a row of cards."""
    first = part[0] if isinstance(part, tuple) and part else None
    return first.card if isinstance(first, Button) else None


def _fan_in_order(part: Part, prefers: Preference, place: Callable[[Card], int]) -> Part:
    if not isinstance(part, Picture) or not isinstance(part.scene, FanScene):
        return part
    cards = part.scene.cards
    order = sorted(range(len(cards)), key=lambda index: place(cards[index]))
    ordered = tuple([cards[index] for index in order])
    chosen = frozenset([place for place, index in enumerate(order) if index in part.scene.chosen])
    description = part.description.replace(symbols(cards), symbols(ordered))
    scene = FanScene(ordered, chosen, prefers.faces)
    return replace(part, scene=scene, description=description, words=by_suit(ordered) if part.words else "")


def as_dm(whisper: Whisper, table: PublicTable) -> Whisper:
    """The message as a DM, with a link to its table unless that is private."""
    return whisper if table.is_private else with_link(whisper, to_table(table))


def with_link(whisper: Whisper, link: Link) -> Whisper:
    """The hand with this link: beside the other buttons or, if there are none, below the cards."""
    return replace(whisper, parts=beside(whisper.parts, (link,)))
