"""The message with a player's hand, for a DM or **My hand** in the channel."""

from collections.abc import Callable
from dataclasses import dataclass, replace

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
from engine.play.game import Game
from engine.play.views import seat_view
from engine.players.advice import Advice
from engine.tables import NO_PREFERENCE, Preference, PublicTable, Table
from engine.tables.picks import Places


@dataclass(frozen=True, slots=True)
class Holder:
    """Everything that decides what a player's hand shows: if it hasn't changed, neither has the hand."""

    public: PublicTable  # in their language
    game: Game | None
    person: int
    seat: int
    picked: Places
    advice: Advice | None
    has_forced: bool  # a card is about to be played by itself
    prefers: Preference


def holder(table: Table, public: PublicTable, person: int, *, prefers: Preference = NO_PREFERENCE) -> Holder:
    """This player at this table, told to them as `public`. Refusal if they have no seat."""
    seat = table.seat_of(person)
    if seat is None:
        raise Refusal("not_seated")
    picked, advice = table.picked_by(seat), table.advice_for(seat)
    return Holder(public, table.game, person, seat, picked, advice, table.forced is not None, prefers)


def hand_of(player: Holder, deal: int | None = None, asking: Card | None = None) -> Whisper:
    """This player's hand, or what replaces it while a computer plays and once its deal or game is over.

    At a table alone, the lobby and the end are shown there too. Refusal if there is no game yet.

    The hand follows the post with its deal's seal. With `asking`, it asks the player to confirm this card.
    """
    public, game, seat = player.public, player.game, player.seat
    if public.is_alone and (game is None or not public.is_live):
        return at_table(public)
    if game is None:
        raise Refusal("not_started")
    current = game.begun
    if public.is_live and public.seats[seat].away:
        return left_behind(public, deal or current, seat)
    if not public.is_live or deal not in (None, current):
        return over(public, deal or current, player.person)
    view = seat_view(game, seat, public.view)
    plays_itself = player.has_forced and bool(view.legal)
    picked = player.picked if view.deal.phase is Phase.PASSING else ()
    beside_table = public.is_private and has_board(view)
    whisper = hand(
        public, view, picked, asking, player.advice, plays_itself=plays_itself, beside_table=beside_table
    )
    whisper = as_preferred(whisper, player.prefers)
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
