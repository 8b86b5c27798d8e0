"""The daily deal in words: a person's result, the ranking of a day, and the post that shares a result."""

from collections.abc import Iterator, Sequence

from bot.table.seals import covered
from bot.vocabulary.controls import PAGES, Action, IsoDay, Where, Who
from bot.vocabulary.messages import DIVIDER, Button, Colour, Part, Post, Row, Style, Whisper
from bot.words import par
from bot.words.buttons import OpenReplay
from bot.words.deadlines import ends_in, long_date, short_date
from bot.words.how_to_play import learn
from bot.words.text import person, place, unbroken
from bot.words.tones import AS_GOOD, BETTER, WORSE, score, signs
from engine.languages import Language
from engine.rules.ruleset import Ruleset
from engine.storage.daily import DailyResult, DayFigures
from engine.tables import DailyGame, PublicTable
from engine.tables.daily import Ranking
from engine.tables.days import DEALS_A_DAY, Day

#: Players listed in a ranking; the reader's own line is added if it isn't among them.
LINES = 10
#: Columns for a name, so that a line fits on a screen 390 pixels wide.
NAME_IN_A_LINE = 18


class PlayDaily(Action, verb="daily", who=Who.ANYONE, where=Where.ANYWHERE, cost=PAGES):
    """Play today's deals, or show their result."""


class FinishDaily(Action, verb="finish", who=Who.ANYONE, where=Where.ANYWHERE):
    """Continue an earlier day's game."""


class PlayTodays(Action, verb="anew", who=Who.ANYONE, where=Where.ANYWHERE):
    """Give up this earlier day's game and play today's."""

    day: IsoDay


class ShowDay(Action, verb="day", who=Who.ANYONE, where=Where.ANYWHERE, cost=PAGES):
    """Show this day's results."""

    day: IsoDay


class ShowDailyDeal(Action, verb="dealt", who=Who.ANYONE, where=Where.ANYWHERE, private=True, cost=PAGES):
    """Show the cards of one of this day's deals (from 1)."""

    day: IsoDay
    deal: int


class Share(Action, verb="share", who=Who.ANYONE, where=Where.ANYWHERE, private=True, posts=True, cost=PAGES):
    """Post the player's result of this day."""

    day: IsoDay


class ShowSeals(Action, verb="seals", who=Who.ANYONE, where=Where.ANYWHERE, cost=PAGES):
    """Show the seals of this day's deals."""

    day: IsoDay


def play(language: Language) -> Button:
    """The button that opens today's deals, in private."""
    return Button(language.say_as("button", "Play"), PlayDaily(0), Style.GOOD)


def seals_of(day: Day, language: Language) -> str:
    """The beginning of each of a day's seals, a line of small print each."""
    lines = [
        language.say("🔒 Seal {number} · {seal}", number=number, seal=covered(seal))
        for number, seal in enumerate(day.seals, 1)
    ]
    return "\n".join(f"-# {line}" for line in lines)


def result(ranking: Ranking, language: Language) -> Whisper:
    """The reader's result of a day, their server's ranking, and the buttons that lead on."""
    parts: list[Part] = [f"### {heading(ranking.day, language)}\n{_own(ranking, language)}"]
    if lines := [*_ranking(ranking, language)]:
        parts += [DIVIDER, "\n".join(lines)]
    if ranking.is_over:
        parts.append(_deals(ranking.day, language))
    if row := _below(ranking, language):
        parts.append(row)
    return Whisper(tuple(parts), Colour.TABLE if ranking.own else Colour.DONE)


def heading(day: Day, language: Language) -> str:
    """`Daily deal · Sunday, 22 November`, and below it the game's name."""
    title = language.say("Daily deal · {date}", date=long_date(day.date, language))
    return f"{title}\n-# {language.say(day.rules.preset.title)}"


def _own(ranking: Ranking, language: Language) -> str:
    own, rules = ranking.own, ranking.day.rules
    if own is None and ranking.is_over:
        return language.say("You didn't play it.")
    if own is None:
        return language.say("You haven't finished it yet.")
    squares = signs(rules, own.points, compared_to(ranking))
    averages: Sequence[float | None] = _averages(ranking.everywhere) or [None] * DEALS_A_DAY
    lines = [
        " · ".join(
            [
                f"{sign} {_deal(deal, _points(rules, scored), average, language)}",
                *_par(ranking, deal, language),
            ]
        )
        for deal, (sign, scored, average) in enumerate(zip(squares, own.points, averages, strict=True), 1)
    ]
    in_all = language.say_count(
        own.total, "**{total} point in all**", "**{total} points in all**", total=_points(rules, own.total)
    )
    lines.append(f"{in_all} · {_cheer(squares, language)}")
    lines += par.of_day(ranking.day.rules, own.points, ranking.pars if ranking.is_over else {}, language)
    standings = [*_place_here(ranking, language), *_place(ranking, language), *_streak(ranking, language)]
    if standings:
        lines.append(" · ".join(standings))
    if not _averages(ranking.everywhere):
        lines.append(_legend(ranking, language))
    return "\n".join(lines)


def _deal(deal: int, points: str, average: float | None, language: Language) -> str:
    """`Deal 2 · **5** · 7.3 on average`."""
    if average is None:
        return language.say("Deal {deal} · **{points}**", deal=deal, points=points)
    return language.say(
        "Deal {deal} · **{points}** · {average} on average",
        deal=deal,
        points=points,
        average=language.decimal(average),
    )


def _par(ranking: Ranking, deal: int, language: Language) -> Iterator[str]:
    """The par of the reader's cards in this deal; only once the day is over, as it says how good they are."""
    if ranking.is_over and deal in ranking.pars:
        yield unbroken(language.say("par {points}", points=language.decimal(ranking.pars[deal].points[0])))


def _cheer(squares: Sequence[str], language: Language) -> str:
    """A kind word for a day with these squares, one a deal."""
    gain = squares.count(BETTER) - squares.count(WORSE)
    if gain == DEALS_A_DAY:
        return language.say("what a day!")
    if gain > 0:
        return language.say("well played")
    return language.say("a solid day") if gain == 0 else language.say("better luck tomorrow")


def _legend(ranking: Ranking, language: Language) -> str:
    """What the squares mean: better or worse than everyone's average or, without one, an equal split."""
    signs = {"better": BETTER, "as_good": AS_GOOD, "worse": WORSE}
    if ranking.everywhere.people > 1:
        legend = language.say(
            "{better} better than everyone's average, {as_good} about as good, {worse} worse", **signs
        )
    else:
        legend = language.say(
            "{better} better than an equal split, {as_good} about equal, {worse} worse", **signs
        )
    return f"-# {legend.replace(f'{WORSE} ', unbroken(f'{WORSE} '))}"  # no line ends with a sign


def compared_to(ranking: Ranking) -> Sequence[float]:
    """What each deal's points are compared to: everyone's average, or an equal split for the first player."""
    if ranking.everywhere.people > 1:
        return ranking.everywhere.averages
    rules = ranking.day.rules
    return [sum(rules.counting.values.values()) / rules.players] * DEALS_A_DAY


def _averages(everywhere: DayFigures) -> Sequence[float]:
    """The average points in each deal; empty while they are only one player's points."""
    return everywhere.averages if everywhere.people > 1 else ()


def _points(rules: Ruleset, value: int) -> str:
    return score(rules, value).text


def _place_here(ranking: Ranking, language: Language) -> Iterator[str]:
    """`2nd of 5 here`."""
    own, totals = ranking.own, [one.total for one in ranking.here]
    if own and len(totals) > 1 and any(one.person == own.person for one in ranking.here):
        rank = language.place(totals.index(own.total) + 1)
        yield language.say("{place} of {count} here", place=rank, count=len(totals))


def _place(ranking: Ranking, language: Language) -> Iterator[str]:
    """`9th of 40 everywhere`, if some of them play elsewhere."""
    if ranking.own and not ranking.own.is_ranked:
        yield language.say("not ranked: the day was over")
    elif ranking.place and ranking.everywhere.people > max(1, len(ranking.here)):
        rank, count = language.place(ranking.place), ranking.everywhere.people
        yield language.say("{place} of {count} everywhere", place=rank, count=count)


def _streak(ranking: Ranking, language: Language) -> Iterator[str]:
    """`🔥 4 days in a row`."""
    if ranking.streak > 1:
        streak = language.say("🔥 {count} days in a row", count=ranking.streak)
        yield unbroken(streak)  # a line breaks before it, not within


def _ranking(ranking: Ranking, language: Language) -> Iterator[str]:
    """This server's best, the reader's own line, and the number of players everywhere.

    Readers who haven't finished see only that number.
    """
    if not ranking.is_over and not ranking.own:
        yield language.say_count(
            ranking.everywhere.people,
            "{count} player done so far: finish to see their results.",
            "{count} players done so far: finish to see their results.",
        )
        return
    if ranking.guild:
        yield (
            language.say("**This server**") if ranking.here else language.say("Nobody here has finished it.")
        )
        yield from lines_of(ranking.day, ranking.here, ranking.own, language)
    people = [*_people(ranking.everywhere, language)]
    if not ranking.is_over:
        so_far = language.say("So far; ends {when}.", when=ends_in(ranking.day.date))
        yield f"-# {language.sentences([so_far, *people])}"
    elif people:
        yield f"-# {people[0]}"


def _people(everywhere: DayFigures, language: Language) -> Iterator[str]:
    count = everywhere.people
    if count:
        yield language.say_count(count, "{count} player everywhere.", "{count} players everywhere.")


def lines_of(
    day: Day, results: Sequence[DailyResult], own: DailyResult | None, language: Language
) -> Iterator[str]:
    """A line for each of the best and for `own`; equal totals share a place."""
    totals = [one.total for one in results]
    for index, one in enumerate(results):
        is_own = own is not None and one.person == own.person
        if index < LINES or is_own:
            name, total = f"**{person(one.name, language, NAME_IN_A_LINE)}**", _points(day.rules, one.total)
            you = language.say("{who} (you)", who=name) if is_own else name
            yield f"{place(totals.index(one.total) + 1)} {you} {total}"


def _deals(day: Day, language: Language) -> Row:
    return tuple(
        [
            Button(language.say("Deal {number}", number=deal), ShowDailyDeal(0, day.date, deal))
            for deal in range(1, DEALS_A_DAY + 1)
        ]
    )


def _below(ranking: Ranking, language: Language) -> Row:
    """Buttons to share, play or replay this day, and to turn to the days before and after."""
    row: Row = ()
    if ranking.before:
        row += (Button(f"← {short_date(ranking.before, language)}", ShowDay(0, ranking.before)),)
    if ranking.next:
        row += (Button(f"{short_date(ranking.next, language)} →", ShowDay(0, ranking.next)),)
    if ranking.is_over and ranking.own:
        return (
            Button(language.say_as("for everyone", "Replay"), OpenReplay(ranking.own.table), Style.MAIN),
            *row,
        )
    if ranking.is_over or (ranking.own and ranking.own.is_shared):
        return row
    if not ranking.own:
        return (play(language), *row)
    return (Button(language.say_as("button", "Share"), Share(0, ranking.day.date), Style.GOOD), *row)


def shared(ranking: Ranking, language: Language) -> Post:
    """A result as others see it, without anything that would help them play the same cards."""
    own, day = ranking.own, ranking.day
    assert own is not None
    squares = " ".join(signs(day.rules, own.points, compared_to(ranking)))
    total = language.say_count(
        own.total, "**{total} point**", "**{total} points**", total=_points(day.rules, own.total)
    )
    heading = language.say(
        "**{who}** · daily deal of {date}",
        who=person(own.name, language),
        date=short_date(day.date, language),
    )
    game = language.say("{game}, {count} deals", game=language.say(day.rules.preset.title), count=DEALS_A_DAY)
    lines = [f"{heading}\n-# {game}\n# {squares}", " · ".join([total, *_average(ranking, language)])]
    places = [*_place_here(ranking, language)] or [*_place(ranking, language)]
    if standings := [*places, *_streak(ranking, language)]:
        lines.append(" · ".join(standings))
    lines.append(_legend(ranking, language))
    seals = Button(language.say_as("button", "Seals"), ShowSeals(0, day.date))
    row = (play(language), learn(0, language, game=day.rules.preset.name), seals)
    return Post(("\n".join(lines), row), never_edited=True)


def _average(ranking: Ranking, language: Language) -> Iterator[str]:
    """`23.4 on average`: everyone's mean total, once there are at least two players."""
    if averages := _averages(ranking.everywhere):
        yield language.say("{average} on average", average=language.decimal(sum(averages)))


def seals_page(day: Day, language: Language) -> Whisper:
    """The seals of a day, and what they are for."""
    heading = language.say("Seals of {date}", date=short_date(day.date, language))
    explanation = language.say(
        "The cards were sealed when they were dealt. When the day is over, `/hearts daily` shows them, "
        "and anyone can check that none was changed."
    )
    return Whisper((f"### {heading}\n{seals_of(day, language)}\n{explanation}",), Colour.DONE)


def welcome(table: PublicTable) -> Whisper:
    """The first DM to someone who chose to play by DM."""
    assert table.daily is not None
    date = short_date(table.daily.day, table.language)
    return Whisper((table.say("Here are your cards for the daily deal of {date}.", date=date),))


def unfinished(game: DailyGame, language: Language) -> Whisper:
    """Ask a player whose game's day is over whether to finish it or to play today's."""
    heading = language.say("Your daily deal of {date} isn't finished", date=short_date(game.day, language))
    explanation = language.say(
        "Its day is over, so it's no longer ranked, but it still counts for your days in a row. You "
        "have until midnight (UTC) to finish it."
    )
    row = (
        Button(language.say("Finish it"), FinishDaily(0)),
        Button(language.say("Play today's"), PlayTodays(0, game.day), Style.GOOD),
    )
    return Whisper((f"### {heading}\n{explanation}", row))
