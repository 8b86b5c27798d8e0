"""The daily deal in words: somebody's result, the ranking of a day, and the post that shares a result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.controls import FinishDaily, PlayDaily, PlayTodays, Replay, Share, ShowDailyDeal, ShowDay, ShowSeals
from bot.messages import DIVIDER, Button, Colour, Part, Post, Row, Style, Whisper
from bot.render.deadlines import ends_in, long_date, short_date
from bot.render.how_to_play import learn
from bot.render.seals import beginning
from bot.render.text import for_count, person, place, unbroken
from bot.render.tones import score
from engine.languages import ENGLISH
from engine.rules.ruleset import Ruleset
from engine.storage.daily import DailyResult, Figures
from engine.tables import DailyGame, PublicTable
from engine.tables.daily import Ranking
from engine.tables.days import DEALS, Day

#: A deal is about as good as the average within this share of all that counts in it.
AVERAGE_TOLERANCE = 0.05
BETTER, AS_GOOD, WORSE = "🟩", "🟨", "🟥"
#: What these signs mean: beside everyone's average, and as long as there is none.
_WORSE = unbroken(f"{WORSE} worse")
THAN_EVERYONE = f"-# {BETTER} better than everyone's average, {AS_GOOD} about as good, {_WORSE}"
THAN_A_SHARE = f"-# {BETTER} better than an average share, {AS_GOOD} about as good, {_WORSE}"
#: Lines of a ranking: who asks has one more.
LINES = 10
#: Columns of a name beside the figures, 390 pixels wide.
NAME_IN_A_LINE = 18


def play() -> Button:
    """The button that opens today's deals, in private."""
    return Button("Play", PlayDaily(0), Style.GOOD)


def seals_of(day: Day) -> str:
    """How the seals of a day begin, a line of small print each."""
    return "\n".join(f"-# 🔒 Seal {number} · {beginning(seal)}" for number, seal in enumerate(day.seals, 1))


def result(found: Ranking) -> Whisper:
    """How a day went for who asks, who else of their server has played it, and where to look next."""
    parts: list[Part] = [f"### {heading(found.day)}\n{_own(found)}", DIVIDER, "\n".join(_ranking(found))]
    if found.is_over:
        parts.append(_deals(found.day))
    if row := _below(found):
        parts.append(row)
    return Whisper(tuple(parts), Colour.TABLE if found.own else Colour.DONE)


def heading(day: Day) -> str:
    """`Daily deal · Sunday, 22 November`, and which game that is."""
    return f"Daily deal · {long_date(day.date)}\n-# {day.rules.preset.title}"


def _own(found: Ranking) -> str:
    own, rules = found.own, found.day.rules
    if own is None:
        return "You didn't play it." if found.is_over else "You haven't finished it yet."
    averages = [f" · {ENGLISH.decimal(one)} on average" for one in _averages(found.everywhere)] or [
        ""
    ] * DEALS
    compared = signs(rules, own.points, compared_to(found))
    lines = [
        f"{sign} Deal {deal} · **{_points(rules, scored)}**{average}"
        for deal, (sign, scored, average) in enumerate(zip(compared, own.points, averages, strict=True), 1)
    ]
    in_all = for_count(own.total, "**{total} point in all** · {cheer}", "**{total} points in all** · {cheer}")
    total = in_all.format(total=_points(rules, own.total), cheer=_cheer(compared))
    standing = " · ".join([*_place_here(found), *_place(found), *_streak(found)])
    legend = [] if _averages(found.everywhere) else [_legend(found)]
    return "\n".join([*lines, total, *[standing] * bool(standing), *legend])


def _cheer(compared: Sequence[str]) -> str:
    """A kind word about a day with these signs."""
    gain = compared.count(BETTER) - compared.count(WORSE)
    if gain == DEALS:
        return "what a day!"
    if gain > 0:
        return "well played"
    return "steady as you go" if gain == 0 else "better luck tomorrow"


def _legend(found: Ranking) -> str:
    """What the signs compare a result to."""
    return THAN_EVERYONE if found.everywhere.people > 1 else THAN_A_SHARE


def compared_to(found: Ranking) -> Sequence[float]:
    """What points of each deal are compared to: everybody's average or, for the first, an even share."""
    if found.everywhere.people > 1:
        return found.everywhere.averages
    rules = found.day.rules
    return [sum(rules.counting.values.values()) / rules.players] * DEALS


def signs(rules: Ruleset, scored: Sequence[int], compared: Sequence[float]) -> list[str]:
    """For each deal whether it went better than that, worse, or about as well."""
    about = AVERAGE_TOLERANCE * rules.at_stake
    found = []
    for own, other in zip(scored, compared, strict=True):
        gain = (own - other) * rules.winner.sign
        found.append(AS_GOOD if abs(gain) <= about else BETTER if gain > 0 else WORSE)
    return found


def _averages(everywhere: Figures) -> Sequence[float]:
    """What is worth telling of the averages: nothing where they are one person's points."""
    return everywhere.averages if everywhere.people > 1 else ()


def _points(rules: Ruleset, value: int) -> str:
    return score(rules, value).text


def _place_here(found: Ranking) -> Iterator[str]:
    """`2nd of 5 here`."""
    own, here = found.own, [one.total for one in found.here]
    if own and len(here) > 1 and any(one.person == own.person for one in found.here):
        yield f"{ENGLISH.ordinal(here.index(own.total) + 1)} of {len(here)} here"


def _place(found: Ranking) -> Iterator[str]:
    """`9th of 40 everywhere`, where that are more than here."""
    if found.own and not found.own.is_ranked:
        yield "not ranked: the day was over"
    elif found.place and found.everywhere.people > max(1, len(found.here)):
        yield f"{ENGLISH.ordinal(found.place)} of {found.everywhere.people} everywhere"


def _streak(found: Ranking) -> Iterator[str]:
    """`🔥 4 days in a row`."""
    if found.streak > 1:
        yield unbroken(f"🔥 {found.streak} days in a row")  # a line breaks before it


def _ranking(found: Ranking) -> Iterator[str]:
    """This server's best, and who asks; of others only how many they are, as to who still plays."""
    if not found.is_over and not found.own:
        yield ENGLISH.say_count(
            found.everywhere.people,
            "{count} player done so far: finish to see their results.",
            "{count} players done so far: finish to see their results.",
        )
        return
    yield "**This server**" if found.here else "Nobody here has finished it."
    yield from lines_of(found.day, found.here, found.own)
    if not found.is_over:
        yield f"-# So far; ends {ends_in(found.day.date)}. {_people(found.everywhere)}".rstrip()
    elif found.everywhere.people:
        yield f"-# {_people(found.everywhere)}"


def _people(everywhere: Figures) -> str:
    count = everywhere.people
    return (
        ENGLISH.say_count(count, "{count} player everywhere.", "{count} players everywhere.") if count else ""
    )


def lines_of(day: Day, here: Sequence[DailyResult], own: DailyResult | None = None) -> Iterator[str]:
    """A line for each of the best, those level sharing a place, and for `own` wherever it is."""
    totals = [one.total for one in here]
    for index, one in enumerate(here):
        is_own = own is not None and one.person == own.person
        if index < LINES or is_own:
            name, total = person(one.name, NAME_IN_A_LINE), _points(day.rules, one.total)
            you = " (you)" if is_own else ""
            yield f"{place(totals.index(one.total) + 1)} **{name}**{you} {total}"


def _deals(day: Day) -> Row:
    return tuple([Button(f"Deal {deal}", ShowDailyDeal(0, day.date, deal)) for deal in range(1, DEALS + 1)])


def _below(found: Ranking) -> Row:
    """Share or replay it, and the days beside this one."""
    row: Row = ()
    if found.before:
        row += (Button(f"← {short_date(found.before)}", ShowDay(0, found.before)),)
    if found.next:
        row += (Button(f"{short_date(found.next)} →", ShowDay(0, found.next)),)
    if found.is_over and found.own:
        return (Button("Replay", Replay(found.own.table), Style.MAIN), *row)
    if found.is_over or (found.own and found.own.is_shared):
        return row
    first = Button("Share", Share(0, found.day.date), Style.GOOD) if found.own else play()
    return (first, *row)


def shared(found: Ranking) -> Post:
    """What everybody reads of a result: nothing that helps to play."""
    own, day = found.own, found.day
    assert own is not None
    squares = " ".join(signs(day.rules, own.points, compared_to(found)))
    standing = " · ".join([*(list(_place_here(found)) or _place(found)), *_streak(found)])
    total = for_count(own.total, "**{total} point**", "**{total} points**")
    lines = [
        f"**{person(own.name)}** · daily deal of {short_date(day.date)}",
        f"-# {day.rules.preset.title}, {DEALS} deals",
        f"# {squares}",
        " · ".join([total.format(total=_points(day.rules, own.total)), *_average(found)]),
        *[standing] * bool(standing),
        _legend(found),
    ]
    game = day.rules.preset.name
    row = (play(), learn(0, ENGLISH, game=game), Button("Seals", ShowSeals(0, day.date)))
    return Post(("\n".join(lines), row), never_edited=True)


def _average(found: Ranking) -> Iterator[str]:
    """`23.4 on average`: everybody's total, where that is not one person's."""
    if averages := _averages(found.everywhere):
        yield f"{ENGLISH.decimal(sum(averages))} on average"


def seals_page(day: Day) -> Whisper:
    """The seals of a day, and what they are for."""
    text = (
        f"### Seals of {short_date(day.date)}\n{seals_of(day)}\n"
        "The cards were sealed as they were dealt. When the day is over, `/hearts daily` shows them, "
        "and anyone can check that none was changed."
    )
    return Whisper((text,), Colour.DONE)


def welcome(table: PublicTable) -> Whisper:
    """The first DM to who plays there."""
    assert table.daily is not None
    text = f"Here are your cards for the daily deal of {short_date(table.daily.day)}."
    return Whisper((text,))


def unfinished(game: DailyGame) -> Whisper:
    """The question for a player who comes back after the day of their game is over."""
    text = (
        f"### Your daily deal of {short_date(game.day)} isn't finished\nIts day is over, so it's no longer "
        "ranked, but it still counts for your days in a row. You can finish it until the end of today."
    )
    row = (
        Button("Finish it", FinishDaily(0)),
        Button("Play today's", PlayTodays(0, game.day), Style.GOOD),
    )
    return Whisper((text, row))
