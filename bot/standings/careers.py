"""One player's statistics, and how two players did at the same tables."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from bot.vocabulary.controls import PAGES, Action, Where, Who
from bot.vocabulary.messages import Choice, Colour, Part, Picture, Select, Whisper
from bot.vocabulary.scenes import RatingScene
from bot.words import par
from bot.words.ratings import all_achievements, kind_key, kind_title
from bot.words.text import chip, described, person
from engine.cards import QUEEN_OF_SPADES
from engine.languages import N_, Language
from engine.names import told_apart
from engine.ratings import SHOWN_FROM
from engine.storage.daily import DailyCareer
from engine.storage.results import GameKind
from engine.storage.standings import Rivalry, Tally

#: The bar that shows how often each player was ahead: the number of squares, and their colours.
SQUARES, AHEAD, LEVEL, BEHIND = 12, "🟦", "⬜", "🟧"
#: Successes in a row: a current record, a current streak that isn't one, and a streak that is over.
WINS_IN_A_ROW = (
    N_("🔥 **{streak} wins in a row**, the most so far"),
    N_("🔥 **{streak} wins in a row**, {longest} at best"),
    N_("🔥 **{longest} wins in a row** at best"),
)
DAYS_IN_A_ROW = (
    N_("🔥 **{streak} days in a row**, the most so far"),
    N_("🔥 **{streak} days in a row**, {longest} at best"),
    N_("🔥 **{longest} days in a row** at best"),
)
#: How often someone was ahead of or level with another, for counts that have their own words.
AHEAD_FEW = (N_("**{who}** never ahead"), N_("**{who}** ahead once"), N_("**{who}** ahead twice"))
LEVEL_FEW = (N_("never level"), N_("level once"), N_("level twice"))


class ShowCareer(Action, verb="career", who=Who.ANYONE, where=Where.ANYWHERE, private=True, cost=PAGES):
    """Show the chosen game in a person's statistics, or head to head with a rival (0 for none)."""

    person: int
    rival: int


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose statistics are shown, the kinds of game they have played, and the kind that is shown."""

    person: int
    name: str
    kinds: Sequence[GameKind]
    kind: GameKind


def stats(
    of: Subject,
    ranked: Tally | None,
    alone: Tally | None,
    ratings: Sequence[tuple[int, int]],
    achieved: Collection[str],
    daily: DailyCareer | None,
    language: Language,
) -> Whisper:
    """A person's statistics in one kind of game: ranked games, games alone with computers, and daily deals.

    `ratings` has pairs of a game's number and the rating after it; it is empty until a rating is shown.
    """
    parts: list[Part] = [f"## {person(of.name, language)}\n{kind_title(of.kind, language)}"]
    parts += _rating(ratings, ranked, language)
    dialect = language.of_game(of.kind.game)
    if ranked:
        parts.append(_tally(language.say("With people"), ranked, dialect))
    if alone:
        parts.append(_tally(language.say("Alone with computers"), alone, dialect))
    if daily:
        parts.append(_daily(daily, language))
    achievements = all_achievements(of.person, achieved, language)
    return Whisper((*parts, *achievements, *_other_kinds(of, 0, language)))


def daily_alone(name: str, daily: DailyCareer, language: Language) -> Whisper:
    """The statistics of someone who has finished daily deals and nothing else."""
    return Whisper((f"## {person(name, language)}", _daily(daily, language)))


def _daily(daily: DailyCareer, language: Language) -> str:
    """The number of daily deals that someone has finished, and their streaks."""
    days = language.say_count(daily.days, "📅 **{count} day** finished", "📅 **{count} days** finished")
    lines = [f"### {language.say('Daily deal')}", days]
    if daily.longest > 1:
        lines.append(_in_a_row(*DAYS_IN_A_ROW, daily.streak, daily.longest, language))
    return "\n".join(lines)


def nothing_yet(name: str, language: Language, *, is_own: bool) -> Whisper:
    """Shown instead of statistics until the first game is finished."""
    if is_own:
        text = language.say("You have not finished a game here yet. `/hearts new` opens a table.")
    else:
        text = language.say("{who} has not finished a game here yet.", who=person(name, language))
    return Whisper((text,), Colour.DONE)


def _rating(ratings: Sequence[tuple[int, int]], ranked: Tally | None, language: Language) -> Iterator[Part]:
    if len(ratings) > 1:
        summary = _in_words(ratings, language)
        now = language.say("**Rating {rating}**", rating=language.number(ratings[-1][1]))
        scene = RatingScene(language.say("Rating after each game"), tuple(ratings))
        yield Picture(scene, described(summary), f"{now}\n-# {summary}")
    elif ranked:
        progress = language.say(
            "Rated after {count} games with people: {played} so far.", count=SHOWN_FROM, played=ranked.games
        )
        yield f"-# {progress}"


def _in_words(ratings: Sequence[tuple[int, int]], language: Language) -> str:
    """The rating curve in words: where it starts, where it ends, and its highest point."""
    (first, start), (last, now) = ratings[0], ratings[-1]
    at, best = max(ratings, key=lambda one: one[1])
    return language.say(
        "Rating {start} after game {first}, {now} after game {last}; "
        "the highest was {best}, after game {at}.",
        start=language.number(start),
        first=first,
        now=language.number(now),
        last=last,
        best=language.number(best),
        at=at,
    )


def _tally(heading: str, tally: Tally, language: Language) -> str:
    """A person's wins, streaks, averages and feats, in lines short enough for a phone."""
    wins = language.say_count(tally.wins, "**{count} win**", "**{count} wins**")
    won = language.say_count(
        tally.games, "🏆 {wins} in {count} game", "🏆 {wins} in {count} games", wins=wins
    )
    lines = [f"### {heading}", won]
    if tally.longest > 1:
        lines.append(_in_a_row(*WINS_IN_A_ROW, tally.streak, tally.longest, language))
    if tally.average is not None:
        average = language.decimal(tally.average)
        lines.append(language.say("🃏 **{average}** points a deal", average=average))
    lines += par.career(tally.under_par, language)
    if tally.best is not None and tally.worst is not None:
        best, worst = language.number(tally.best), language.number(tally.worst)
        lines.append(language.say("⚖️ Best deal **{best}**, worst **{worst}**", best=best, worst=worst))
    if tally.moons:
        lines.append(language.say_count(tally.moons, "🌕 **{count} moon**", "🌕 **{count} moons**"))
    if tally.queens or tally.queens_given:
        counts = {"taken": tally.queens, "given": tally.queens_given}
        queens = language.say(
            "{queen} **{taken}** taken, **{given}** given away", queen=chip(QUEEN_OF_SPADES), **counts
        )
        lines.append(queens)
    return "\n".join(lines)


def _in_a_row(record: str, going_on: str, over: str, streak: int, longest: int, language: Language) -> str:
    """`🔥 4 wins in a row, 7 at best`: whichever of these sentences applies, filled in."""
    sentence = record if streak == longest else going_on if streak > 1 else over
    return language.say(sentence, streak=streak, longest=longest)


def _other_kinds(of: Subject, rival: int, language: Language) -> Iterator[Part]:
    if len(of.kinds) > 1:
        choices = tuple(
            Choice(kind_title(one, language), kind_key(one), chosen=one == of.kind) for one in of.kinds
        )
        yield Select(ShowCareer(0, of.person, rival), language.say("Another game"), choices)


def rivals(of: Subject, rival: int, rivals_name: str, rivalry: Rivalry, language: Language) -> Whisper:
    """How two people did in the games of one kind that they played together."""
    mine, theirs = [person(name, language) for name in told_apart((of.name, rivals_name))]
    lines = [
        f"{AHEAD} {_ahead(mine, rivalry.ahead, language)}",
        f"{BEHIND} {_ahead(theirs, rivalry.behind, language)}",
        *([f"{LEVEL} {_level(rivalry.level, language)}"] if rivalry.level else ()),
    ]
    if rivalry.average is not None and rivalry.rivals_average is not None:
        average, other = language.decimal(rivalry.average), language.decimal(rivalry.rivals_average)
        averages = language.say(
            "🃏 **{average}** points a deal against **{other}**", average=average, other=other
        )
        lines.append(averages)
    lines += par.rivals((mine, rivalry.under_par), (theirs, rivalry.rivals_under_par), language)
    games = language.say_count(
        rivalry.games, "In {count} game at the same table.", "In {count} games at the same table."
    )
    heading = language.say("{who} against {other}", who=mine, other=theirs)
    return Whisper(
        (
            f"## {heading}\n{kind_title(of.kind, language)}",
            "\n".join([_bar(rivalry), *lines, f"-# {games}"]),
            *_other_kinds(of, rival, language),
        )
    )


def never_met(name: str, rivals_name: str, language: Language) -> Whisper:
    """Shown to two people who haven't finished a game together."""
    mine, theirs = [person(one, language) for one in told_apart((name, rivals_name))]
    text = language.say(
        "{who} and {other} have not finished a game together here yet.",
        who=mine,
        other=theirs,
    )
    return Whisper((text,), Colour.DONE)


def _bar(rivalry: Rivalry) -> str:
    """A bar of squares in proportion to how often each was ahead."""
    ahead = round(SQUARES * rivalry.ahead / rivalry.games)
    behind = round(SQUARES * rivalry.behind / rivalry.games)
    return AHEAD * ahead + LEVEL * (SQUARES - ahead - behind) + BEHIND * behind


def _ahead(who: str, count: int, language: Language) -> str:
    if count < len(AHEAD_FEW):
        return language.say(AHEAD_FEW[count], who=who)
    return language.say_count(count, "**{who}** ahead {count} time", "**{who}** ahead {count} times", who=who)


def _level(count: int, language: Language) -> str:
    if count < len(LEVEL_FEW):
        return language.say(LEVEL_FEW[count])
    return language.say_count(count, "level {count} time", "level {count} times")
