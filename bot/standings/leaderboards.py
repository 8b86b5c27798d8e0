"""Leaderboards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Self

from bot.vocabulary.controls import PAGES, Action, Where, Who, filled
from bot.vocabulary.messages import DIVIDER, Button, Choice, Part, Post, Row, Select, Style
from bot.words import par
from bot.words.buttons import pager
from bot.words.ratings import gained, kind_key, kind_title
from bot.words.text import person, place, unbroken
from engine.languages import N_, Language
from engine.ratings import SHOWN_FROM
from engine.storage.standings import PAR_FROM, POINTS_FROM, Board, BoardLine, BoardPage, Order, Period

LINES_A_PAGE = 10
#: Choices that a select has; the value of the one for tournaments.
MOST_CHOICES, TOURNAMENTS = 25, "tournaments"
#: Columns of a name beside the figures, 390 pixels wide.
NAME_IN_A_LINE = 12

ORDERS = {
    Order.RATING: N_("Rating"),
    Order.WINS: N_("Wins"),
    Order.POINTS: N_("Points a deal"),
    Order.PAR: N_("Against par"),
}
PERIODS = {Period.MONTH: N_("This month"), Period.YEAR: N_("This year"), Period.EVER: N_("All time")}
#: Which games count, between people or alone.
BETWEEN_PEOPLE = {
    Period.MONTH: N_("Games between people, this month"),
    Period.YEAR: N_("Games between people, this year"),
    Period.EVER: N_("Games between people, all time"),
}
ALONE = {
    Period.MONTH: N_("Games alone against computers, this month"),
    Period.YEAR: N_("Games alone against computers, this year"),
    Period.EVER: N_("Games alone against computers, all time"),
}
#: What the figures beside a rating, or instead of one, are.
BY_RATING = {
    Period.MONTH: N_("rating · gained this month"),
    Period.YEAR: N_("rating · gained this year"),
    Period.EVER: N_("rating · won/played"),
}
OTHERWISE = {
    Order.WINS: N_("wins that count · won/played · 🌕 moons"),
    Order.PAR: N_("points a deal better (▲) or worse (▼) than par · ± standard error · deals"),
    Order.POINTS: N_("points a deal · won/played · 🌕 moons"),
}
#: What a game counts, by whether it is between people.
COUNTS_LESS = {
    True: N_(
        "Games count less if they have fewer than four deals, or if you play newcomers or always the "
        "same people."
    ),
    False: N_("Games of fewer than four deals count less."),
}


class ShowBoard(Action, verb="board", who=Who.ANYONE, where=Where.SERVER, cost=PAGES):
    """Show a page (from 0) of a leaderboard; `control` tells it from others that show the same.

    A select has None for `kind` and `players`: each of its choices names them.
    """

    kind: str | None
    players: str | None
    order: Order
    period: Period
    page: int
    control: str | None = None

    @classmethod
    def read(cls, texts: Sequence[str]) -> Self:
        """Read a custom id; a select's has neither kind nor players."""
        return filled(cls, texts if len(texts) > 4 else [*texts[:1], "", "", *texts[1:]])


def leaderboard(
    board: Board, page: BoardPage, number: int, asker: str, games: Select, language: Language
) -> Post:
    """A page (from 0) of one of a server's boards, the asker's own line, and the list of other boards."""
    which = language.say((BETWEEN_PEOPLE if board.ranked else ALONE)[board.period])
    parts: list[Part] = [
        f"{_heading(language)}\n**{kind_title(board.kind, language)}**\n-# {which}",
        DIVIDER,
        "\n".join(_lines(board, page, language)) or language.say("Nobody has finished one yet."),
    ]
    if page.lines:
        parts.append(_legend(board, page, language))
    parts += [
        DIVIDER,
        _own(board, page, asker, language),
        _orders(board, language),
        _periods(board, language),
    ]
    if len(games.choices) > 1:
        parts.append(games)
    pages = -(-page.total // LINES_A_PAGE)
    if pages > 1:
        parts.append(
            pager(number + 1, pages, lambda to: _shows(board, to - 1, "page"), language, style=Style.PLAIN)
        )
    return Post(tuple(parts))


def _heading(language: Language) -> str:
    return f"## {language.say('🏆 Leaderboard')}"


def _lines(board: Board, page: BoardPage, language: Language) -> Iterator[str]:
    """Each player in a line that a telephone does not break, what decides in a column of its own."""
    deciding = [_deciding(board, line, language) for line in page.lines]
    width = max(map(len, deciding), default=0)
    for line, figure in zip(page.lines, deciding, strict=True):
        before = "" if line.place is None else f"{place(line.place)} "
        # No plain spaces: Discord leaves them out where they begin a code.
        column = f"`{unbroken(figure.rjust(width))}`"
        name = f"**{person(line.name, language, NAME_IN_A_LINE)}**"
        yield f"{before}{column} " + " · ".join([name, *_others(board, line, language)])


def _deciding(board: Board, line: BoardLine, language: Language) -> str:
    """The figure by which a board is ordered."""
    if board.order is Order.RATING:
        return _games_so_far(line) if line.place is None else str(_shown(line))
    if board.order is Order.PAR:
        return par.arrow(line.under_par.mean, language) if par.is_told(line.under_par) else "–"
    figure = line.counted_wins if board.order is Order.WINS else line.counted_average
    return "–" if figure is None else language.decimal(figure)


def _others(board: Board, line: BoardLine, language: Language) -> list[str]:
    """The figures after a name."""
    if board.order is Order.RATING:
        return [_won(line) if board.period is Period.EVER or line.missing else _gained(line)]
    if board.order is Order.PAR:
        return _doubt(line, language)
    return [_won(line), *[f"🌕 {line.moons}"] * (line.moons > 0)]


def _doubt(line: BoardLine, language: Language) -> list[str]:
    """The standard error of what someone did against par, where that is told; and in how many deals."""
    if par.is_told(line.under_par):
        return [f"± {language.decimal(line.under_par.error or 0.0)}", str(line.under_par.deals)]
    return [f"{line.under_par.deals if line.under_par else 0}/{PAR_FROM}"]


def _won(line: BoardLine) -> str:
    return f"{line.wins}/{line.games}"


def _legend(board: Board, page: BoardPage, language: Language) -> str:
    """What the figures of the lines are."""
    if board.order is not Order.RATING:
        told = f"-# {language.of_game(board.kind.game).say(OTHERWISE[board.order])}"
        if board.order in (Order.WINS, Order.POINTS):
            told += f"\n-# {language.say(COUNTS_LESS[board.ranked])}"
        if board.order is Order.PAR and any(line.place is None for line in page.lines):
            told += f"\n-# {language.say('ranked after {count} deals', count=PAR_FROM)}"
        return told
    told = f"-# {language.say(BY_RATING[board.period])}"
    if any(line.missing for line in page.lines):
        told += f"\n-# {language.say('rated after {count} games', count=SHOWN_FROM)}"
    return told


def _shown(line: BoardLine) -> int:
    return line.rating.shown if line.rating else 0


def _gained(line: BoardLine) -> str:
    """How a rating went in the period, `▲ 34`."""
    return gained(_shown(line) - (line.before.shown if line.before else 0))


def _games_so_far(line: BoardLine) -> str:
    """`●●○○○`: how many of the games there are that a rating needs."""
    return "●" * (SHOWN_FROM - line.missing) + "○" * line.missing


def _own(board: Board, page: BoardPage, asker: str, language: Language) -> str:
    """The asker's place, in a line of its own."""
    own, name = page.own, f"**{person(asker, language)}**"
    if own is None:
        return language.say("{name} hasn't played one yet.", name=name)
    if own.place is None and board.order is Order.PAR:
        return language.say_count(
            PAR_FROM - (own.under_par.deals if own.under_par else 0),
            "{name}: {count} more deal until you're ranked here.",
            "{name}: {count} more deals until you're ranked here.",
            name=name,
        )
    if own.place is None:
        return language.say_count(
            own.missing,
            "{name}: {count} more game until you have a rating.",
            "{name}: {count} more games until you have a rating.",
            name=name,
        )
    if page.ahead is None:
        return language.say(
            "{name} is number {place} of {total}.", name=name, place=own.place, total=page.total
        )
    found = {
        "name": name,
        "place": own.place,
        "total": page.total,
        "other": f"**{person(page.ahead.name, language)}**",
    }
    return _behind(board, own, page.ahead, found, language)


def _behind(
    board: Board, own: BoardLine, ahead: BoardLine, found: Mapping[str, object], language: Language
) -> str:
    """The asker's place, and how far they are from the next player before them."""
    if own.place == ahead.place:
        return language.say("{name} is number {place} of {total}, level with {other}.", **found)
    if board.order is Order.RATING:
        return language.say_count(
            _shown(ahead) - _shown(own),
            "{name} is number {place} of {total}, {count} point behind {other}.",
            "{name} is number {place} of {total}, {count} points behind {other}.",
            **found,
        )
    if board.order is Order.WINS and round(ahead.counted_wins, 1) > round(own.counted_wins, 1):
        wins = round(ahead.counted_wins, 1) - round(own.counted_wins, 1)
        return language.say(
            "{name} is number {place} of {total}, {wins} wins behind {other}.",
            wins=language.decimal(wins),
            **found,
        )
    if board.order is Order.PAR and own.under_par and ahead.under_par:
        return language.say(
            "{name} is number {place} of {total}, {points} points a deal behind {other}.",
            points=language.decimal(ahead.under_par.mean - own.under_par.mean),
            **found,
        )
    mine, theirs = own.average, ahead.average
    if board.order is Order.POINTS:
        mine, theirs = own.counted_average, ahead.counted_average
        if (own.weight < POINTS_FROM) > (ahead.weight < POINTS_FROM):
            return language.say("{name} is number {place} of {total}.", **found)
    if mine is None or theirs is None:
        # Behind by a deal that is done: without one there is no average.
        return language.say("{name} is number {place} of {total}, a deal behind {other}.", **found)
    return language.say(
        "{name} is number {place} of {total}, {points} points a deal behind {other}.",
        points=language.decimal(abs(mine - theirs)),
        **found,
    )


def _orders(board: Board, language: Language) -> Row:
    orders = [order for order in Order if board.ranked or order is not Order.RATING]
    return tuple(
        [
            _choice(language.say(ORDERS[one]), replace(board, order=one), one is board.order, "order")
            for one in orders
        ]
    )


def _periods(board: Board, language: Language) -> Row:
    return tuple(
        [
            _choice(language.say(PERIODS[one]), replace(board, period=one), one is board.period, "period")
            for one in Period
        ]
    )


def _choice(label: str, board: Board, chosen: bool, row: str) -> Button:
    """A button that stays in use when it is chosen: it brings the line of who presses it."""
    return Button(label, _shows(board, 0, row), Style.MAIN if chosen else Style.PLAIN)


def games(
    played: Sequence[Board], board: Board | None, language: Language, *, has_tournaments: bool
) -> Select:
    """The list of a server's boards and, if it has any, its tournaments: they are chosen if no board is."""
    choices = [
        Choice(
            _game_title(one, language),
            f"{kind_key(one.kind)}:{_who(one)}",
            chosen=board is not None and (one.kind, one.ranked) == (board.kind, board.ranked),
            hint=language.say(N_("between people") if one.ranked else N_("alone against computers")),
        )
        for one in played[: MOST_CHOICES - 1]
    ]
    if has_tournaments:
        choices.append(Choice(language.say("Tournaments"), TOURNAMENTS, chosen=board is None))
    order, period = (board.order, board.period) if board else (Order.RATING, Period.EVER)
    shows = ShowBoard(0, None, None, order, period, 0)
    return Select(shows, language.say("Another game"), tuple(choices))


def _game_title(board: Board, language: Language) -> str:
    title = kind_title(board.kind, language)
    return title if board.ranked else language.say("{game}, alone", game=title)


def _shows(board: Board, page: int, control: str) -> ShowBoard:
    """What shows this page of a board; `control` tells one from others that do."""
    return ShowBoard(0, kind_key(board.kind), _who(board), board.order, board.period, page, control)


def _who(board: Board) -> str:
    return "people" if board.ranked else "alone"


def nothing_yet(language: Language) -> Post:
    """In place of a leaderboard before the first game is finished."""
    told = language.say("No game has been finished here yet. `/hearts new` opens a table.")
    return Post((f"{_heading(language)}\n{told}",))
