"""Watch: a complete deal at a glance, with all hands open."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.table import scores
from bot.vocabulary.controls import LOBBY, PAGES, DealAction, Where, Who
from bot.vocabulary.messages import Part, Picture, Row, Whisper
from bot.vocabulary.scenes import HandsScene, OpenHand
from bot.words.buttons import pager
from bot.words.text import (
    LONGEST_DESCRIPTION,
    bold,
    chips,
    described,
    player,
    seat_number,
    short,
    symbols,
    visible,
)
from bot.words.tones import score, sign
from engine.cards import Hand, sort_hand
from engine.languages import Language
from engine.play.deal import Deal
from engine.play.public import public_deal
from engine.rules.wording import direction
from engine.tables import PublicTable, State, Table
from engine.tables.picks import places_in_hand


class LookAtDeal(
    DealAction, verb="look", who=Who.ANYONE, where=LOBBY | Where.AROUND, private=True, cost=PAGES / 2
):
    """Show this deal in the same message."""


def watching(table: Table, number: int | None = None) -> Whisper:
    """All hands of a finished deal: the one with this number (from 1), or the last."""
    deals = table.game.complete_deals.deals if table.game else ()
    if not deals:
        heading = table.say("Nothing to watch yet")
        text = table.say("Once the first deal is done, **Next** shows everyone's cards.")
        return Whisper((f"### {heading}\n{text}", _pager(table, 0, 0)))
    number = min(number or len(deals), len(deals))
    return Whisper((*_page(table.public.as_in(number), deals[number - 1]), _pager(table, number, len(deals))))


def _pager(table: Table, number: int, count: int) -> Row:
    """The buttons to turn deals; during a game **Next** stays enabled, as another deal may finish."""
    is_playing = table.state is State.PLAYING
    return pager(number, count, lambda to: LookAtDeal(table.id, to), table.language, more=is_playing)


@dataclass(frozen=True, slots=True)
class _DealtHand:
    """A hand as dealt plus the cards received, with the indexes of those passed on and of those received."""

    cards: Hand
    passed: frozenset[int]
    received: frozenset[int]


def _page(table: PublicTable, deal: Deal) -> Iterator[Part]:
    hands = [_dealt_hand(deal, seat) for seat in range(deal.rules.players)]
    heading = table.say("Deal {deal}, all hands", deal=deal.number)
    yield f"### {heading}\n-# {_legend(deal, table.language)}"
    yield _picture(table, deal, hands)
    if passes := list(_passes(table, deal)):
        yield "\n".join(passes)
    yield "\n".join(_tricks_taken(table, deal))
    if table.state is State.PLAYING and table.view and len(table.view.points) == deal.number:
        notice = table.say(
            "Deal {deal} is being played: **Next** shows it once it is done.", deal=deal.number + 1
        )
        yield f"-# {notice}"


def _legend(deal: Deal, language: Language) -> str:
    if not deal.rules.pass_cards:
        return language.say("As they were dealt.")
    if not deal.offset:
        return language.say("As they were dealt: nobody passed.")
    return language.say(
        "Dark cards were passed {direction}, ringed ones received. The others stayed.",
        direction=direction(deal.offset, deal.rules.players, language),
    )


def _dealt_hand(deal: Deal, seat: int) -> _DealtHand:
    received = deal.received[seat]
    cards = sort_hand((*deal.dealt.hands[seat], *received))
    passed = places_in_hand(cards, deal.passes[seat] or ())
    # With two decks, a player can pass a card and receive its twin.
    others = [index for index in range(len(cards)) if index not in passed]
    places = places_in_hand(tuple([cards[index] for index in others]), received)
    return _DealtHand(cards, frozenset(passed), frozenset([others[place] for place in places]))


def _picture(table: PublicTable, deal: Deal, dealt: list[_DealtHand]) -> Picture:
    assert deal.points is not None
    hands = [
        OpenHand(
            name=visible(table.names[number], table.language),
            seat=seat_number(table.dialect, number),
            cards=hand.cards,
            lit=hand.received,
            gone=hand.passed,
            score=score(table.rules, points),
            is_computer=not seat.is_played_by_person,
        )
        for number, (seat, hand, points) in enumerate(zip(table.seats, dealt, deal.points, strict=True))
    ]
    statements = [
        table.say(
            "{who} was dealt {cards}",
            who=short(name, table.language),
            cards=symbols(sort_hand(cards)),
        )
        for name, cards in zip(table.names, deal.dealt.hands, strict=True)
    ]
    words = [
        f"{player(table, seat)} {chips(sort_hand(cards))}" for seat, cards in enumerate(deal.dealt.hands)
    ]
    scene = HandsScene(tuple(hands), room=max(len(hand.cards) for hand in dealt))
    description = described(table.language.statements(statements), LONGEST_DESCRIPTION)
    return Picture(scene, description, "\n".join(words))


def _passes(table: PublicTable, deal: Deal) -> Iterator[str]:
    """A line for each pass, and one for the exposed cards."""
    for seat, cards in enumerate(deal.passes):
        if deal.offset and cards:
            to = (seat + deal.offset) % deal.rules.players
            yield f"{bold(table, seat)} {chips(cards)} → {bold(table, to)}"
    if exposed := [
        f"{bold(table, seat)} {chips(cards)}" for seat, cards in public_deal(deal).exposed_by.items()
    ]:
        yield table.say("Exposed: {cards}.", cards=table.language.listing(exposed))


def _tricks_taken(table: PublicTable, deal: Deal) -> Iterator[str]:
    """Notes on the deal, and each player's points with the tricks and counting cards they took."""
    assert deal.points is not None
    yield from scores.notes(table, public_deal(deal))
    counts = deal.rules.counting.scoring
    for seat, points in enumerate(deal.points):
        tricks = sum(trick.winner == seat for trick in deal.tricks)
        counting = chips(sort_hand([card for card in deal.piles[seat] if card in counts]))
        who = f"{sign(table.rules, points)} {bold(table, seat)}"
        took = _in_tricks(tricks, counting, table.language)
        yield table.say(
            "{who} {points}: {tricks}", who=who, points=table.language.change(points), tricks=took
        )


def _in_tricks(count: int, cards: str, language: Language) -> str:
    """`2 tricks, with Q♠ 3♥`: the tricks that a player won, and the cards in them that count."""
    if not count:
        # Note: What a player took in tricks.
        return language.say("nothing")
    if not cards:
        return language.say_count(count, "{count} trick", "{count} tricks")
    return language.say_count(
        count, "{count} trick, with {cards}", "{count} tricks, with {cards}", cards=cards
    )
