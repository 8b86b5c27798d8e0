"""What players take away from a game: ratings and achievements, and the kinds of games that both go by."""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from bot.vocabulary.controls import PAGES, Action, Where, Who
from bot.vocabulary.messages import Button, Part, Whisper
from bot.words.text import bold, brief, in_a_row
from engine.languages import Language
from engine.play.achievements import BY_ID
from engine.ratings import SHORT_GAMES, SHOWN_FROM
from engine.rules.presets import PRESETS
from engine.storage.results import GameKind, Rated
from engine.tables import PublicTable

#: By the achievement's id.
SIGNS = {
    "moon": "🌕",
    "moons": "🌝",
    "sun": "☀️",
    "clean": "✨",
    "comeback": "🚀",
    "moonbreaker": "🌒",
    "queens": "🥔",
    "streak": "🔥",
    "courier": "👑",
}
#: The most achievements that get a line each; more are grouped by player.
MOST_LISTED = 4


class ShowMissing(Action, verb="missing", who=Who.ANYONE, where=Where.ANYWHERE, private=True, cost=PAGES / 2):
    """List the achievements that this person still has to get."""

    person: int


def changed(table: PublicTable, seats: Sequence[int]) -> Iterator[str]:
    """The new ratings of the people in these seats, in this order, where they are shown yet."""
    by_person = {rating.person: rating for rating in table.rated}
    rated = {seat: rating for seat in seats if (rating := by_person.get(table.seats[seat].person or 0))}
    ratings = [
        f"**{brief(table, seat)}** {_now(rating)}"
        for seat, rating in rated.items()
        if rating.games >= SHOWN_FROM
    ]
    lines = [table.say("📈 Ratings: {ratings}", ratings=in_a_row(ratings))] if ratings else []
    if len(ratings) < len(rated):
        footnote = table.say("You're rated after {count} games with people.", count=SHOWN_FROM)
        lines.append(f"-# {footnote}")
    if lines and table.view and len(table.view.points) in SHORT_GAMES:
        least = table.language.spelled(max(SHORT_GAMES) + 1)
        footnote = table.say("Games with fewer than {count} deals count less in ratings.", count=least)
        lines.append(f"-# {footnote}")
    if lines:
        yield "\n".join(lines)


def own(table: PublicTable, person: int) -> Iterator[str]:
    """This person's new rating, or how many games they need until they have one."""
    for rating in table.rated:
        if rating.person == person and rating.games >= SHOWN_FROM:
            yield table.say("📈 Your rating: **{rating}**", rating=_now(rating))
        elif rating.person == person:
            yield table.say_count(
                SHOWN_FROM - rating.games,
                "📈 {count} more game until you have a rating.",
                "📈 {count} more games until you have a rating.",
            )


def _now(rating: Rated) -> str:
    """`1137 ▲ 34`; the rating before it was first shown stays hidden."""
    now, before = rating.after.shown, rating.before.shown
    return Language.number(now) + (f" {gained(now - before)}" if rating.games > SHOWN_FROM else "")


def gained(points: int) -> str:
    """`▲ 34`, `▼ 5`, `±0`."""
    return f"{'▼' if points < 0 else '▲'} {abs(points)}" if points else "±0"


# Achievements


def new_achievements(table: PublicTable) -> Iterator[str]:
    """The achievements that players got for the first time in this game, if any."""
    won: dict[int, list[str]] = {}
    for achievement in table.achieved:
        won.setdefault(achievement.seat, []).append(achievement.id)
    if won:
        describe = _separate_lines if len(table.achieved) <= MOST_LISTED else _single_line
        heading = f"### {table.say('🏅 Achieved for the first time')}"
        parts = [describe(bold(table, seat), won[seat], table.dialect) for seat in sorted(won)]
        yield "\n".join([heading, *chain.from_iterable(parts)])


def _separate_lines(name: str, ids: Collection[str], language: Language) -> Iterator[str]:
    for id in _in_order(ids):
        yield f"{SIGNS[id]} {name} · {_achievement(id, language)}"


def _single_line(name: str, ids: Collection[str], language: Language) -> Iterator[str]:
    titles = [f"{SIGNS[id]} {language.say(BY_ID[id].title)}" for id in _in_order(ids)]
    yield language.say("{who}: {achievements}.", who=name, achievements=language.listing(titles))


def all_achievements(person: int, ids: Collection[str], language: Language) -> Iterator[Part]:
    """A player's achievements, and a button that lists those still to get."""
    owned = _in_order(ids)
    heading = language.say("🏅 {count} of {total} achievements", count=len(owned), total=len(BY_ID))
    yield "\n".join([f"### {heading}", *[f"{SIGNS[id]} {_achievement(id, language)}" for id in owned]])
    if missing := len(BY_ID) - len(owned):
        yield (Button(language.say("Not yet: {count}", count=missing), ShowMissing(0, person)),)


def missing_achievements(ids: Collection[str], language: Language) -> Whisper:
    """The achievements that a player with these ids still has to get."""
    missing = [_missing(id, language) for id in BY_ID if id not in ids]
    return Whisper(("\n".join([f"### {language.say('Achievements still to get')}", *missing]),))


def _achievement(id: str, language: Language) -> str:
    one = BY_ID[id]
    deed = language.say("{deed}.", deed=one.done(language))
    return f"**{language.say(one.title)}**\n-# {deed}"


def _missing(id: str, language: Language) -> str:
    title, deed = language.say(BY_ID[id].title), language.after_colon(BY_ID[id].done(language))
    return f"{SIGNS[id]} {language.say('**{title}**: {deed}', title=title, deed=deed)}"


def _in_order(ids: Collection[str]) -> list[str]:
    return [id for id in BY_ID if id in ids]


# Kinds of games, as leaderboards and statistics name them


def kind_title(kind: GameKind, language: Language) -> str:
    """The name of a kind of game."""
    game = language.say(PRESETS[kind.game].title)
    if kind.lowest:
        return language.say("{game}, lowest total wins", game=game)
    return language.say("{game}, highest total wins", game=game)


def kind_key(kind: GameKind) -> str:
    """How a control names this kind of game."""
    return f"{kind.game}.{'lowest' if kind.lowest else 'highest'}"


def kind_of(key: str) -> GameKind:
    """The kind of game that a control names."""
    game, _, goal = key.partition(".")
    return GameKind(game, goal == "lowest")
