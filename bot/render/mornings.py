"""The daily deal's morning post, and the deals of a day that is over, whose cards lie open then."""

from __future__ import annotations

from collections.abc import Iterator

from bot.controls import ShowDay, StopPosting
from bot.messages import DIVIDER, Button, Colour, Link, Part, Post, Row, Style, Whisper
from bot.render.buttons import ask_back
from bot.render.daily import lines_of, play, seals_of
from bot.render.deadlines import ends_in, long_date, short_date
from bot.render.how_to_play import learn
from bot.render.seals import how_to_check
from engine.cards import Hand, Suit, sort_hand
from engine.languages import ENGLISH
from engine.storage.daily import DailyResult
from engine.tables.daily import Ranking
from engine.tables.days import OPPONENTS, Day

NO_MORE = Whisper(("I've stopped posting the daily deal. `/hearts daily channel:` starts it again.",))


def morning(day: Day, yesterday: Ranking | None) -> Post:
    """The new day's deals with their seals, and how the day before ended, whose cards lie open now."""
    computers = ENGLISH.listing([f"**{name}**" for name in OPPONENTS])
    sealed = (
        "Sealed before the day began." if day.was_sealed_before else "Dealt today: I was offline yesterday."
    )
    text = (
        f"## ☀️ {long_date(day.date)}\n**Daily deal**: three deals of {day.rules.preset.title}, the same for "
        f"everyone, against {computers}. You play alone, in private. It ends {ends_in(day.date)}.\n"
        f"{seals_of(day)}\n-# {sealed}"
    )
    row: Row = (play(), learn(0, ENGLISH, game=day.rules.preset.name))
    parts: list[Part] = [text]
    if yesterday:
        parts += [DIVIDER, "\n".join(_yesterday(yesterday))]
        row += (Button("Yesterday's deals", ShowDay(0, yesterday.day.date)),)
    return Post((*parts, row), never_edited=True)


def _yesterday(found: Ranking) -> Iterator[str]:
    yield f"**Yesterday, {short_date(found.day.date)}**"
    yield from lines_of(found.day, found.here)
    if not found.here:
        yield "Nobody here has finished it."
    if found.everywhere.people:
        yield ENGLISH.say_count(
            found.everywhere.people, "-# {count} player everywhere", "-# {count} players everywhere"
        )


def told_from_now_on(channel: int, midnight: str) -> Whisper:
    """The answer to a manager who has named a channel."""
    text = f"I'll post the daily deal in <#{channel}>, now and every day at {midnight} (00:00 UTC)."
    return Whisper((text, (Button("Stop posting", StopPosting(0), Style.RED),)))


# A day that is over


def past_deal(day: Day, deal: int, own: DailyResult | None, link: str | None) -> Whisper:
    """One of its deals (from 1); `link` leads to the post that showed its seal."""
    cards = day.deals[deal - 1]
    hands = [
        f"**{name}**\n{_by_suit(sort_hand(hand))}"
        for name, hand in zip(("You", *OPPONENTS), cards.hands, strict=True)
    ]
    row: Row = (Button("Back", ShowDay(0, day.date)),)
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
