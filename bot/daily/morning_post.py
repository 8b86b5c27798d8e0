"""The daily deal's morning post, and the cards of days that are over."""

from collections.abc import Iterator

from bot.daily.results import ShowDay, lines_of, play, seals_of
from bot.table.seals import how_to_check
from bot.vocabulary.controls import Action, Where, Who
from bot.vocabulary.messages import DIVIDER, Button, Colour, Link, Part, Post, Row, Style, Whisper
from bot.words.buttons import ask_back
from bot.words.deadlines import ends_in, long_date, short_date
from bot.words.how_to_play import learn
from engine.cards import Hand, Suit, sort_hand
from engine.languages import Language
from engine.storage.daily import DailyResult
from engine.tables.daily import Ranking
from engine.tables.days import OPPONENTS, Day


class StopPosting(Action, verb="mornings", who=Who.MANAGER, where=Where.SERVER, private=True):
    """Stop posting the daily deal here."""


def morning(day: Day, yesterday: Ranking | None, language: Language) -> Post:
    """The new day's seals, and the results of the day before, whose cards can now be seen."""
    about = [
        language.say(
            "**Daily deal**: three deals of {game}, the same for everyone, against {computers}.",
            game=language.say(day.rules.preset.title),
            computers=language.listing([f"**{name}**" for name in OPPONENTS]),
        ),
        language.say("You play alone, in private."),
        language.say("It ends {when}.", when=ends_in(day.date)),
    ]
    if day.was_sealed_before:
        sealed = language.say("Sealed before the day began.")
    else:
        sealed = language.say("Dealt today: I was offline yesterday.")
    date = long_date(day.date, language)
    text = "\n".join(
        [
            f"## ☀️ {date[:1].upper()}{date[1:]}",  # most languages write days in lower case
            language.sentences(about),
            seals_of(day, language),
            f"-# {sealed}",
        ]
    )
    row: Row = (play(language), learn(0, language, game=day.rules.preset.name))
    parts: list[Part] = [text]
    if yesterday:
        parts += [DIVIDER, "\n".join(_yesterday(yesterday, language))]
        row += (Button(language.say("Yesterday's deals"), ShowDay(0, yesterday.day.date)),)
    return Post((*parts, row), never_edited=True)


def _yesterday(ranking: Ranking, language: Language) -> Iterator[str]:
    yield f"**{language.say('Yesterday, {date}', date=short_date(ranking.day.date, language))}**"
    yield from lines_of(ranking.day, ranking.here, None, language)
    if not ranking.here:
        yield language.say("Nobody here has finished it.")
    count = ranking.everywhere.people
    if count:
        yield f"-# {language.say_count(count, '{count} player everywhere', '{count} players everywhere')}"


def posting_started(channel: int, midnight: str, language: Language) -> Whisper:
    """Confirm to a manager the channel for the daily posts."""
    text = language.say(
        "I'll post the daily deal in {channel}, now and every day at {time} (00:00 UTC).",
        channel=f"<#{channel}>",
        time=midnight,
    )
    return Whisper((text, (Button(language.say("Stop posting"), StopPosting(0), Style.RED),)))


def posting_stopped(language: Language) -> Whisper:
    """Confirm to a manager that the daily posts have stopped."""
    return Whisper(
        (language.say("I've stopped posting the daily deal. `/hearts daily channel:` starts it again."),)
    )


# A day that is over


def past_deal(day: Day, deal: int, own: DailyResult | None, link: str | None, language: Language) -> Whisper:
    """The cards of a deal (from 1) of this day; `link` is the post that showed its seal."""
    cards = day.deals[deal - 1]
    names = (language.say("You"), *OPPONENTS)
    hands = [
        f"**{name}**\n{_by_suit(sort_hand(hand))}" for name, hand in zip(names, cards.hands, strict=True)
    ]
    row: Row = (Button(language.say_as("button", "Back"), ShowDay(0, day.date)),)
    if own:
        row += (ask_back(own.table, deal, language),)
    if link:
        row += (Link(language.say("The sealed post"), link),)
    heading = language.say("Deal {number} of {date}", number=deal, date=short_date(day.date, language))
    return Whisper(
        ("\n".join([f"### {heading}", *hands]), how_to_check(deal, cards, language), row), Colour.DONE
    )


def _by_suit(hand: Hand) -> str:
    """`♣ 2 9 K  ♠ Q  ♥ 3 4`, short enough for one line on a phone."""
    suits = {suit: [card.symbol[:-1] for card in hand if card.suit is suit] for suit in Suit}
    return "\u2002".join(f"{suit.sign} {' '.join(ranks)}" for suit, ranks in suits.items() if ranks)
