"""The daily deal in words: a person's result, the ranking of a day, and the post that shares a result."""

from __future__ import annotations

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

#: Lines of a ranking: who asks has one more.
LINES = 10
#: Columns of a name beside the figures, 390 pixels wide.
NAME_IN_A_LINE = 18


class PlayDaily(Action, verb="daily", who=Who.ANYONE, where=Where.ANYWHERE, cost=PAGES):
    """Play today's deals, or see how that went."""


class FinishDaily(Action, verb="finish", who=Who.ANYONE, where=Where.ANYWHERE):
    """Go on with the game of an earlier day."""


class PlayTodays(Action, verb="anew", who=Who.ANYONE, where=Where.ANYWHERE):
    """Give up the game of this earlier day and play today's."""

    day: IsoDay


class ShowDay(Action, verb="day", who=Who.ANYONE, where=Where.ANYWHERE, cost=PAGES):
    """Show how this day went."""

    day: IsoDay


class ShowDailyDeal(Action, verb="dealt", who=Who.ANYONE, where=Where.ANYWHERE, private=True, cost=PAGES):
    """Show the cards of a deal (from 1) of this day."""

    day: IsoDay
    deal: int


class Share(Action, verb="share", who=Who.ANYONE, where=Where.ANYWHERE, private=True, posts=True, cost=PAGES):
    """Post the result of this day."""

    day: IsoDay


class ShowSeals(Action, verb="seals", who=Who.ANYONE, where=Where.ANYWHERE, cost=PAGES):
    """Show the seals of this day's deals."""

    day: IsoDay


def play(language: Language) -> Button:
    """The button that opens today's deals, in private."""
    return Button(language.say_as("button", "Play"), PlayDaily(0), Style.GOOD)


def seals_of(day: Day, language: Language) -> str:
    """How the seals of a day begin, a line of small print each."""
    told = [
        language.say("🔒 Seal {number} · {seal}", number=number, seal=covered(seal))
        for number, seal in enumerate(day.seals, 1)
    ]
    return "\n".join(f"-# {line}" for line in told)


def result(found: Ranking, language: Language) -> Whisper:
    """How a day went for who asks, who else of their server has played it, and where to look next."""
    parts: list[Part] = [f"### {heading(found.day, language)}\n{_own(found, language)}"]
    if ranking := [*_ranking(found, language)]:
        parts += [DIVIDER, "\n".join(ranking)]
    if found.is_over:
        parts.append(_deals(found.day, language))
    if row := _below(found, language):
        parts.append(row)
    return Whisper(tuple(parts), Colour.TABLE if found.own else Colour.DONE)


def heading(day: Day, language: Language) -> str:
    """`Daily deal · Sunday, 22 November`, and which game that is."""
    title = language.say("Daily deal · {date}", date=long_date(day.date, language))
    return f"{title}\n-# {language.say(day.rules.preset.title)}"


def _own(found: Ranking, language: Language) -> str:
    own, rules = found.own, found.day.rules
    if own is None and found.is_over:
        return language.say("You didn't play it.")
    if own is None:
        return language.say("You haven't finished it yet.")
    compared = signs(rules, own.points, compared_to(found))
    averages: Sequence[float | None] = _averages(found.everywhere) or [None] * DEALS_A_DAY
    lines = [
        " · ".join(
            [f"{sign} {_deal(deal, _points(rules, scored), average, language)}", *_par(found, deal, language)]
        )
        for deal, (sign, scored, average) in enumerate(zip(compared, own.points, averages, strict=True), 1)
    ]
    in_all = language.say_count(
        own.total, "**{total} point in all**", "**{total} points in all**", total=_points(rules, own.total)
    )
    lines.append(f"{in_all} · {_cheer(compared, language)}")
    lines += par.of_day(found.day.rules, own.points, found.pars if found.is_over else {}, language)
    standing = [*_place_here(found, language), *_place(found, language), *_streak(found, language)]
    if standing:
        lines.append(" · ".join(standing))
    if not _averages(found.everywhere):
        lines.append(_legend(found, language))
    return "\n".join(lines)


def _deal(deal: int, points: str, average: float | None, language: Language) -> str:
    """What one of the deals came to."""
    if average is None:
        return language.say("Deal {deal} · **{points}**", deal=deal, points=points)
    return language.say(
        "Deal {deal} · **{points}** · {average} on average",
        deal=deal,
        points=points,
        average=language.decimal(average),
    )


def _par(found: Ranking, deal: int, language: Language) -> Iterator[str]:
    """The par of their cards in this deal, once the day is over: before, it would tell of the cards."""
    if found.is_over and deal in found.pars:
        yield unbroken(language.say("par {points}", points=language.decimal(found.pars[deal].points[0])))


def _cheer(compared: Sequence[str], language: Language) -> str:
    """A kind word about a day with these signs."""
    gain = compared.count(BETTER) - compared.count(WORSE)
    if gain == DEALS_A_DAY:
        return language.say("what a day!")
    if gain > 0:
        return language.say("well played")
    return language.say("a solid day") if gain == 0 else language.say("better luck tomorrow")


def _legend(found: Ranking, language: Language) -> str:
    """What the signs compare a result to: everyone's average or, as long as there is none, a share."""
    signs = {"better": BETTER, "as_good": AS_GOOD, "worse": WORSE}
    if found.everywhere.people > 1:
        told = language.say(
            "{better} better than everyone's average, {as_good} about as good, {worse} worse", **signs
        )
    else:
        told = language.say(
            "{better} better than an equal split, {as_good} about equal, {worse} worse", **signs
        )
    return f"-# {told.replace(f'{WORSE} ', unbroken(f'{WORSE} '))}"  # no line ends with a sign


def compared_to(found: Ranking) -> Sequence[float]:
    """What points of each deal are compared to: everybody's average or, for the first, an even share."""
    if found.everywhere.people > 1:
        return found.everywhere.averages
    rules = found.day.rules
    return [sum(rules.counting.values.values()) / rules.players] * DEALS_A_DAY


def _averages(everywhere: DayFigures) -> Sequence[float]:
    """What is worth telling of the averages: nothing where they are one person's points."""
    return everywhere.averages if everywhere.people > 1 else ()


def _points(rules: Ruleset, value: int) -> str:
    return score(rules, value).text


def _place_here(found: Ranking, language: Language) -> Iterator[str]:
    """`2nd of 5 here`."""
    own, here = found.own, [one.total for one in found.here]
    if own and len(here) > 1 and any(one.person == own.person for one in found.here):
        rank = language.place(here.index(own.total) + 1)
        yield language.say("{place} of {count} here", place=rank, count=len(here))


def _place(found: Ranking, language: Language) -> Iterator[str]:
    """`9th of 40 everywhere`, where that are more than here."""
    if found.own and not found.own.is_ranked:
        yield language.say("not ranked: the day was over")
    elif found.place and found.everywhere.people > max(1, len(found.here)):
        rank, count = language.place(found.place), found.everywhere.people
        yield language.say("{place} of {count} everywhere", place=rank, count=count)


def _streak(found: Ranking, language: Language) -> Iterator[str]:
    """`🔥 4 days in a row`."""
    if found.streak > 1:
        told = language.say("🔥 {count} days in a row", count=found.streak)
        yield unbroken(told)  # a line breaks before it


def _ranking(found: Ranking, language: Language) -> Iterator[str]:
    """This server's best, and who asks; of others only how many they are, as to who still plays."""
    if not found.is_over and not found.own:
        yield language.say_count(
            found.everywhere.people,
            "{count} player done so far: finish to see their results.",
            "{count} players done so far: finish to see their results.",
        )
        return
    if found.guild:
        yield language.say("**This server**") if found.here else language.say("Nobody here has finished it.")
        yield from lines_of(found.day, found.here, found.own, language)
    people = [*_people(found.everywhere, language)]
    if not found.is_over:
        so_far = language.say("So far; ends {when}.", when=ends_in(found.day.date))
        yield f"-# {language.sentences([so_far, *people])}"
    elif people:
        yield f"-# {people[0]}"


def _people(everywhere: DayFigures, language: Language) -> Iterator[str]:
    count = everywhere.people
    if count:
        yield language.say_count(count, "{count} player everywhere.", "{count} players everywhere.")


def lines_of(
    day: Day, here: Sequence[DailyResult], own: DailyResult | None, language: Language
) -> Iterator[str]:
    """A line for each of the best, those level sharing a place, and for `own` wherever it is."""
    totals = [one.total for one in here]
    for index, one in enumerate(here):
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


def _below(found: Ranking, language: Language) -> Row:
    """Share or replay it, and the days beside this one."""
    row: Row = ()
    if found.before:
        row += (Button(f"← {short_date(found.before, language)}", ShowDay(0, found.before)),)
    if found.next:
        row += (Button(f"{short_date(found.next, language)} →", ShowDay(0, found.next)),)
    if found.is_over and found.own:
        return (
            Button(language.say_as("for everyone", "Replay"), OpenReplay(found.own.table), Style.MAIN),
            *row,
        )
    if found.is_over or (found.own and found.own.is_shared):
        return row
    if not found.own:
        return (play(language), *row)
    return (Button(language.say_as("button", "Share"), Share(0, found.day.date), Style.GOOD), *row)


def shared(found: Ranking, language: Language) -> Post:
    """What everybody reads of a result: nothing that helps to play."""
    own, day = found.own, found.day
    assert own is not None
    squares = " ".join(signs(day.rules, own.points, compared_to(found)))
    total = language.say_count(
        own.total, "**{total} point**", "**{total} points**", total=_points(day.rules, own.total)
    )
    heading = language.say(
        "**{who}** · daily deal of {date}",
        who=person(own.name, language),
        date=short_date(day.date, language),
    )
    game = language.say("{game}, {count} deals", game=language.say(day.rules.preset.title), count=DEALS_A_DAY)
    lines = [f"{heading}\n-# {game}\n# {squares}", " · ".join([total, *_average(found, language)])]
    places = [*_place_here(found, language)] or [*_place(found, language)]
    if standing := [*places, *_streak(found, language)]:
        lines.append(" · ".join(standing))
    lines.append(_legend(found, language))
    seals = Button(language.say_as("button", "Seals"), ShowSeals(0, day.date))
    row = (play(language), learn(0, language, game=day.rules.preset.name), seals)
    return Post(("\n".join(lines), row), never_edited=True)


def _average(found: Ranking, language: Language) -> Iterator[str]:
    """`23.4 on average`: everybody's total, where that is not one person's."""
    if averages := _averages(found.everywhere):
        yield language.say("{average} on average", average=language.decimal(sum(averages)))


def seals_page(day: Day, language: Language) -> Whisper:
    """The seals of a day, and what they are for."""
    heading = language.say("Seals of {date}", date=short_date(day.date, language))
    told = language.say(
        "The cards were sealed when they were dealt. When the day is over, `/hearts daily` shows them, "
        "and anyone can check that none was changed."
    )
    return Whisper((f"### {heading}\n{seals_of(day, language)}\n{told}",), Colour.DONE)


def welcome(table: PublicTable) -> Whisper:
    """The first DM to who plays there."""
    assert table.daily is not None
    date = short_date(table.daily.day, table.language)
    return Whisper((table.say("Here are your cards for the daily deal of {date}.", date=date),))


def unfinished(game: DailyGame, language: Language) -> Whisper:
    """The question for a player who comes back after the day of their game is over."""
    heading = language.say("Your daily deal of {date} isn't finished", date=short_date(game.day, language))
    told = language.say(
        "Its day is over, so it's no longer ranked, but it still counts for your days in a row. You "
        "have until midnight (UTC) to finish it."
    )
    row = (
        Button(language.say("Finish it"), FinishDaily(0)),
        Button(language.say("Play today's"), PlayTodays(0, game.day), Style.GOOD),
    )
    return Whisper((f"### {heading}\n{told}", row))
