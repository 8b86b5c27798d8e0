"""One player's statistics, and how two players did at the same tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from bot.controls import ShowCareer
from bot.messages import Choice, Colour, Part, Picture, Select, Whisper
from bot.render.ratings import all_achievements, kind_key, kind_title
from bot.render.text import chip, described, person
from bot.scenes import RatingScene
from engine.cards import QUEEN_OF_SPADES
from engine.languages import ENGLISH
from engine.ratings import SHOWN_FROM
from engine.storage.daily import DailyCareer
from engine.storage.results import Kind
from engine.storage.standings import Rivalry, Tally

#: The row of squares that shows how often each player was ahead: its length and its colours.
SQUARES, AHEAD, LEVEL, BEHIND = 12, "🟦", "⬜", "🟧"
#: Successes in a row: where it's the longest row so far, where it goes on, and where it's over.
WINS_IN_A_ROW = (
    "🔥 **{streak} wins in a row**, the most so far",
    "🔥 **{streak} wins in a row**, {longest} at best",
    "🔥 **{longest} wins in a row** at best",
)
DAYS_IN_A_ROW = (
    "🔥 **{streak} days in a row**, the most so far",
    "🔥 **{streak} days in a row**, {longest} at best",
    "🔥 **{longest} days in a row** at best",
)


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose statistics are shown, the kinds of game that they can be shown of, and the one that is."""

    person: int
    name: str
    kinds: Sequence[Kind]
    kind: Kind


def stats(
    of: Subject,
    ranked: Tally | None,
    alone: Tally | None,
    ratings: Sequence[tuple[int, int]],
    achieved: Collection[str],
    daily: DailyCareer | None = None,
) -> Whisper:
    """Somebody's games of one kind: between people, and those alone with computers apart; their daily deals.

    `ratings` tells after which games the rating was how high; nothing as long as it is not shown.
    """
    heading = f"## {person(of.name, ENGLISH)}\n{kind_title(of.kind)}"
    tallies = {"With people": ranked, "Alone with computers": alone}
    told = [_tally(games, tally) for games, tally in tallies.items() if tally]
    parts: list[Part] = [heading, *_rating(ratings, ranked), *told, *([_daily(daily)] if daily else ())]
    return Whisper((*parts, all_achievements(achieved), *_other_kinds(of)))


def daily_alone(name: str, daily: DailyCareer) -> Whisper:
    """The statistics of somebody who has finished daily deals and nothing else."""
    return Whisper((f"## {person(name, ENGLISH)}", _daily(daily)))


def _daily(daily: DailyCareer) -> str:
    """How many daily deals somebody has finished, and how many days in a row."""
    days = ENGLISH.say_count(daily.days, "📅 **{count} day** finished", "📅 **{count} days** finished")
    lines = ["### Daily deal", days]
    if daily.longest > 1:
        lines.append(_in_a_row(*DAYS_IN_A_ROW, daily.streak, daily.longest))
    return "\n".join(lines)


def nothing_yet(name: str, *, is_own: bool) -> Whisper:
    """In place of statistics before the first game is finished."""
    text = f"{person(name, ENGLISH)} has not finished a game here yet."
    if is_own:
        text = "You have not finished a game here yet. `/hearts new` opens a table."
    return Whisper((text,), Colour.DONE)


def _rating(ratings: Sequence[tuple[int, int]], ranked: Tally | None) -> Iterator[Part]:
    if len(ratings) > 1:
        told = _in_words(ratings)
        words = f"**Rating {ENGLISH.number(ratings[-1][1])}**\n-# {told}"
        yield Picture(RatingScene(tuple(ratings)), described(told), words)
    elif ranked:
        yield f"-# Rated after {SHOWN_FROM} games with people: {ranked.games} so far."


def _in_words(ratings: Sequence[tuple[int, int]]) -> str:
    """What the curve tells."""
    (first, start), (last, now) = ratings[0], ratings[-1]
    at, best = max(ratings, key=lambda one: one[1])
    told = f"Rating {ENGLISH.number(start)} after game {first}, {ENGLISH.number(now)} after game {last}"
    return f"{told}; the highest was {ENGLISH.number(best)}, after game {at}."


def _tally(heading: str, tally: Tally) -> str:
    """What somebody's games have come to, in lines that a telephone does not break."""
    wins = ENGLISH.say_count(tally.wins, "**{count} win**", "**{count} wins**")
    won = ENGLISH.say_count(tally.games, "🏆 {wins} in {count} game", "🏆 {wins} in {count} games", wins=wins)
    lines = [f"### {heading}", won]
    if tally.longest > 1:
        lines.append(_in_a_row(*WINS_IN_A_ROW, tally.streak, tally.longest))
    if tally.average is not None:
        lines.append(f"🃏 **{ENGLISH.decimal(tally.average)}** points a deal")
    if tally.best is not None and tally.worst is not None:
        lines.append(f"⚖️ Best deal **{ENGLISH.number(tally.best)}**, worst **{ENGLISH.number(tally.worst)}**")
    if tally.moons:
        lines.append(ENGLISH.say_count(tally.moons, "🌕 **{count} moon**", "🌕 **{count} moons**"))
    if tally.queens or tally.queens_given:
        lines.append(f"{chip(QUEEN_OF_SPADES)} **{tally.queens}** taken, **{tally.queens_given}** given away")
    return "\n".join(lines)


def _in_a_row(record: str, going_on: str, over: str, streak: int, longest: int) -> str:
    """`🔥 4 wins in a row, 7 at best`: the text that fits, filled in."""
    told = record if streak == longest else going_on if streak > 1 else over
    return told.format(streak=streak, longest=longest)


def _other_kinds(of: Subject, rival: int = 0) -> Iterator[Part]:
    if len(of.kinds) > 1:
        choices = tuple(Choice(kind_title(one), kind_key(one), chosen=one == of.kind) for one in of.kinds)
        yield Select(ShowCareer(0, of.person, rival), "Another game", choices)


def rivals(of: Subject, rival: int, rivals_name: str, found: Rivalry) -> Whisper:
    """How two people did in the games of one kind that both have played."""
    mine, theirs = person(of.name, ENGLISH), person(rivals_name, ENGLISH)
    lines = [
        f"{AHEAD} **{mine}** ahead {_times(found.ahead)}",
        f"{BEHIND} **{theirs}** ahead {_times(found.behind)}",
        *([f"{LEVEL} level {_times(found.level)}"] if found.level else ()),
    ]
    if found.average is not None and found.rivals_average is not None:
        averages = ENGLISH.decimal(found.average), ENGLISH.decimal(found.rivals_average)
        lines.append("🃏 **{}** points a deal against **{}**".format(*averages))
    games = ENGLISH.say_count(
        found.games, "-# In {count} game at the same table.", "-# In {count} games at the same table."
    )
    return Whisper(
        (
            f"## {mine} against {theirs}\n{kind_title(of.kind)}",
            "\n".join([_bar(found), *lines, games]),
            *_other_kinds(of, rival),
        )
    )


def never_met(name: str, rivals_name: str) -> Whisper:
    """In place of what two people did together."""
    one, other = person(name, ENGLISH), person(rivals_name, ENGLISH)
    text = f"{one} and {other} have not finished a game together here yet."
    return Whisper((text,), Colour.DONE)


def _bar(found: Rivalry) -> str:
    """Squares in proportion to who was ahead how often."""
    ahead = round(SQUARES * found.ahead / found.games)
    behind = round(SQUARES * found.behind / found.games)
    return AHEAD * ahead + LEVEL * (SQUARES - ahead - behind) + BEHIND * behind


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")
