"""What is told of somebody's day: how each deal went, and how they stand here and everywhere."""

import re
from random import Random
from typing import Any

import pytest

from bot.daily.morning_post import morning, past_deal
from bot.daily.results import result, shared
from bot.vocabulary.messages import Button
from bot.words.how_to_play import Learn
from engine.languages import ENGLISH, LANGUAGES
from engine.storage.daily import DailyResult, DayFigures
from engine.tables import days
from engine.tables.daily import Ranking
from engine.tables.days import OPPONENTS

THURSDAY, SUNDAY = (days.make(day, Random(1), 0.0) for day in ("2026-01-01", "2026-01-04"))


def of(person: int, *points: int, **others: Any) -> DailyResult:
    """What this person's three deals came to."""
    first, second, third = points
    return DailyResult(THURSDAY.date, person, f"Player {person}", 7, 1, (first, second, third), 0.0, **others)


def ranking(own: DailyResult | None, **others: Any) -> Ranking:
    """How the day stands, as long as it lasts, for who is alone so far."""
    usual = {"is_over": False, "everywhere": DayFigures(1), "place": own and 1, "here": (own,) if own else ()}
    beside = {"streak": 1, "before": None, "next": None, "guild": 7}
    return Ranking(**{"day": THURSDAY, "own": own, **usual, **beside, **others})


def told(found: Ranking) -> list[str]:
    """The lines of the page."""
    return plain_lines("\n".join(part for part in result(found, ENGLISH).parts if isinstance(part, str)))


def told_to_all(found: Ranking) -> list[str]:
    """The lines of the post that shares the result."""
    return plain_lines(str(shared(found, ENGLISH).parts[0]))


def plain_lines(text: str) -> list[str]:
    return re.sub(r"[*`]", "", text).replace("\xa0", " ").split("\n")


def test_who_is_alone_is_compared_to_an_even_share() -> None:
    assert told(ranking(of(1, 0, 7, 26)))[2:7] == [
        "🟩 Deal 1 · 0",
        "🟨 Deal 2 · 7",
        "🟥 Deal 3 · 26",
        "33 points in all · a solid day",
        "-# 🟩 better than an equal split, 🟨 about equal, 🟥 worse",
    ]


def test_others_are_compared_to_everybodys_average() -> None:
    own, figures = of(1, 5, 5, 5), DayFigures(40, (4.0, 5.2, 10.0))
    found = ranking(own, here=(of(2, 0, 0, 0), own), everywhere=figures, place=9, streak=4)
    assert told(found)[2:7] == [
        "🟨 Deal 1 · 5 · 4.0 on average",
        "🟨 Deal 2 · 5 · 5.2 on average",
        "🟩 Deal 3 · 5 · 10.0 on average",
        "15 points in all · well played",
        "2nd of 2 here · 9th of 40 everywhere · 🔥 4 days in a row",
    ]
    assert told_to_all(found)[:5] == [
        "Player 1 · daily deal of January 1",
        "-# Hearts, 3 deals",
        "# 🟨 🟨 🟩",
        "15 points · 19.2 on average",
        "2nd of 2 here · 🔥 4 days in a row",
    ]
    row = shared(found, ENGLISH).parts[1]
    assert [button.label for button in row] == ["Play", "How to play", "Seals"]


def test_on_a_sunday_the_game_is_another_and_more_is_better() -> None:
    found = ranking(of(1, 100, 0, -200), day=SUNDAY, everywhere=DayFigures(2, (0.0, 0.0, 0.0)))
    assert [line[:10] for line in told(found)[2:5]] == ["🟩 Deal 1 ·", "🟨 Deal 2 ·", "🟥 Deal 3 ·"]
    assert "-# Chinese Hearts, 3 deals" in told_to_all(found)
    assert Learn(0, "chinese") in [button.action for button in shared(found, ENGLISH).parts[1]]


@pytest.mark.parametrize(
    ("points", "total"),
    [
        ((0, 0, 1), "1 point in all · what a day!"),
        ((0, 7, 7), "14 points in all · well played"),
        ((7, 7, 7), "21 points in all · a solid day"),
        ((0, 26, 26), "52 points in all · better luck tomorrow"),
    ],
)
def test_a_days_total_comes_with_a_kind_word(points: tuple[int, ...], total: str) -> None:
    found = ranking(of(1, *points))
    assert told(found)[5] == total
    assert told_to_all(found)[3] == total.partition(" in all")[0]


TWO = DayFigures(2)


@pytest.mark.parametrize(
    ("others", "standing"),
    [
        ({}, None),
        ({"streak": 2}, "🔥 2 days in a row"),
        ({"everywhere": DayFigures(3), "place": 3}, "3rd of 3 everywhere"),
        ({"here": (of(2, 0, 0, 0), of(1, 1, 1, 1)), "everywhere": TWO, "place": 2}, "2nd of 2 here"),
        ({"here": (of(2, 1, 1, 1), of(1, 1, 1, 1)), "everywhere": TWO, "place": 1}, "1st of 2 here"),
        ({"own": of(1, 1, 1, 1, is_ranked=False), "here": (), "place": None}, "not ranked: the day was over"),
    ],
)
def test_how_somebody_stands(others: dict[str, Any], standing: str | None) -> None:
    found = ranking(**{"own": of(1, 1, 1, 1)} | others)
    after = told(found)[6]
    assert after == standing if standing else after.startswith("-# 🟩")
    post = told_to_all(found)
    assert standing in post if standing else len(post) == 5


@pytest.mark.parametrize(
    ("found", "row"),
    [
        (ranking(None), ["Play"]),
        (ranking(of(1, 1, 1, 1)), ["Share"]),
        (ranking(of(1, 1, 1, 1, is_shared=True), before="2025-12-31"), ["← December 31"]),
        (ranking(of(1, 1, 1, 1), is_over=True, next="2026-01-02"), ["Replay", "January 2 →"]),
        (ranking(None, is_over=True, next="2026-01-02"), ["January 2 →"]),
    ],
)
def test_what_can_be_done_next(found: Ranking, row: list[str]) -> None:
    last = result(found, ENGLISH).parts[-1]
    assert [button.label for button in last if isinstance(button, Button)] == row


def test_the_cards_of_a_past_day_are_those_that_were_dealt() -> None:
    heading, *lines = str(past_deal(THURSDAY, 2, None, None, ENGLISH).parts[0]).split("\n")
    assert heading == "### Deal 2 of January 1"
    assert lines[::2] == [f"**{name}**" for name in ("You", *OPPONENTS)]
    for line, hand in zip(lines[1::2], THURSDAY.deals[1].hands, strict=True):
        told = {f"{rank}{suit[0]}" for suit in line.split("\u2002") for rank in suit.split()[1:]}
        assert told == {card.symbol for card in hand}


def test_a_morning_begins_with_its_date_and_a_capital_letter_in_every_language() -> None:
    told = [str(morning(THURSDAY, None, language).parts[0]) for language in LANGUAGES.values()]
    assert [text.partition("\n")[0].removeprefix("## ☀️ ") for text in told] == [
        "Thursday, January 1",
        "1月1日，星期四",
        "1月1日，星期四",
        "Donnerstag, 1. Januar",
        "Jueves 1 de enero",
        "Jeudi 1er janvier",
        "Quinta-feira, 1º de janeiro",
    ]
