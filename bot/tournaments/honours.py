"""A server's table of its tournaments: who has won, in this season or ever."""

from collections.abc import Sequence
from typing import Literal

from bot.tournaments.scores import signed
from bot.vocabulary.controls import PAGES, Action, Where, Who
from bot.vocabulary.messages import DIVIDER, Button, Part, Post, Row, Select, Style
from bot.words.buttons import paged
from bot.words.text import person, place
from engine.languages import N_, Language
from engine.tournaments import SeasonLine

LINES_A_PAGE = 10
#: Columns for a name in a line.
NAME = 16
#: The periods to choose from.
SPANS = {"season": N_("This season"), "ever": N_("All time")}


class ShowHonours(Action, verb="honours", who=Who.ANYONE, where=Where.SERVER, cost=PAGES):
    """Show a page (from 0) of the server's best tournament players."""

    period: Literal["season", "ever"]
    page: int
    control: str | None = None


def honours(
    lines: Sequence[SeasonLine], span: str, number: int, asker: int, games: Select, language: Language
) -> Post:
    """A page (from 0) of the table, the asker's own line if it is elsewhere, and the list of other boards."""
    page, row = paged(lines, number, LINES_A_PAGE, lambda to: _shows(span, to - 1, f"to{to}"), language)
    parts: list[Part] = [
        f"## 🏆 {language.say('Tournaments')}\n**{language.say(SPANS[span])}**",
        DIVIDER,
        "\n".join(_line(one, language) for one in page) or _nobody(language),
        *[_line(one, language) for one in lines if one.person == asker and one not in page],
        f"-# {_legend(language)}",
        _spans(span, language),
        games,
        *row,
    ]
    return Post(tuple(parts))


def _nobody(language: Language) -> str:
    return language.say("No tournament has been finished this season.")


def _line(one: SeasonLine, language: Language) -> str:
    """`🥇 **Ann** +40.2`, and below it `won 2 of 5, on the podium 3 times`."""
    record = language.say_count(
        one.podiums,
        "won {won} of {played}, on the podium {count} time",
        "won {won} of {played}, on the podium {count} times",
        won=one.won,
        played=one.played,
    )
    name = person(one.name, language, NAME)
    return f"{place(one.place)} **{name}** {signed(one.score, language)}\n-# {record}"


def _legend(language: Language) -> str:
    sentences = [
        language.say("Scores: points better than par, in all deals a person played."),
        language.say("A season is a quarter of a year."),
    ]
    return language.sentences(sentences)


def _spans(chosen: str, language: Language) -> Row:
    return tuple(
        Button(
            language.say(label),
            _shows(span, 0, "span"),
            Style.MAIN if span == chosen else Style.PLAIN,
            enabled=span != chosen,
        )
        for span, label in SPANS.items()
    )


def _shows(span: str, number: int, control: str) -> ShowHonours:
    return ShowHonours(0, "season" if span == "season" else "ever", max(0, number), control)
