"""The deals of a day that is over: everybody's cards as they were dealt, and how to check their seal."""

from __future__ import annotations

from bot.messages import Button, Colour, Link, Row, Whisper, action
from bot.render.buttons import ask_back
from bot.render.dates import short_date
from bot.render.seals import how_to_check
from engine.cards import Hand, Suit, sort_hand
from engine.storage.daily import DailyResult
from engine.tables.days import OPPONENTS, Day


def dealt(day: Day, deal: int, own: DailyResult | None, link: str | None) -> Whisper:
    """One of its deals (from 1); `link` leads to the post that showed its seal."""
    cards = day.deals[deal - 1]
    hands = [
        f"**{name}**\n{_by_suit(sort_hand(hand))}"
        for name, hand in zip(("You", *OPPONENTS), cards.hands, strict=True)
    ]
    row: Row = (Button("Back", action("day", 0, day.date)),)
    if own:
        row += (ask_back(own.table, deal),)
    if link:
        row += (Link("The sealed post", link),)
    text = f"### Deal {deal} of {short_date(day.date)}\n" + "\n".join(hands)
    return Whisper((text, how_to_check(deal, cards), row), Colour.DONE)


def _by_suit(hand: Hand) -> str:
    """`♣ 2 9 K  ♠ Q  ♥ 3 4`, in a line that a telephone does not break."""
    suits = {suit: [card.symbol[:-1] for card in hand if card.suit is suit] for suit in Suit}
    return "\u2002".join(f"{suit.sign} {' '.join(ranks)}" for suit, ranks in suits.items() if ranks)
