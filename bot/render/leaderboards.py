"""Leaderboards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.controls import ShowBoard
from bot.messages import DIVIDER, Button, Choice, Part, Post, Row, Select, Style
from bot.render.buttons import pager
from bot.render.ratings import gained, kind_key, kind_title
from bot.render.text import person, place, unbroken
from engine.languages import ENGLISH
from engine.ratings import SHOWN_FROM
from engine.storage.standings import Board, Line, Order, Page, Period

LINES_A_PAGE = 10
#: Columns of a name beside the figures, 390 pixels wide.
NAME_IN_A_LINE = 12

ORDERS = {Order.RATING: "Rating", Order.WINS: "Wins", Order.POINTS: "Points a deal"}
PERIODS = {Period.MONTH: "This month", Period.YEAR: "This year", Period.EVER: "All time"}
#: The same within a sentence.
IN_PERIOD = {Period.MONTH: "this month", Period.YEAR: "this year", Period.EVER: "all time"}


def leaderboard(played: Sequence[Board], board: Board, page: Page, number: int, asker: str) -> Post:
    """A page (from 0) of one of a server's boards, and below it the asker's own line."""
    games = "Games between people, {when}" if board.ranked else "Games alone against computers, {when}"
    parts: list[Part] = [
        f"## 🏆 Leaderboard\n**{kind_title(board.kind)}**\n-# {games.format(when=IN_PERIOD[board.period])}",
        DIVIDER,
        "\n".join(_lines(board, page)) or "Nobody has finished one yet.",
    ]
    if page.lines:
        parts.append(f"-# {_legend(board, page)}")
    parts += [DIVIDER, _own(board, page, asker), _orders(board), _periods(board)]
    if len(played) > 1:
        parts.append(_games(played, board))
    pages = -(-page.total // LINES_A_PAGE)
    if pages > 1:
        parts.append(
            pager(number + 1, pages, lambda to: _shows(board, to - 1, "page"), ENGLISH, style=Style.PLAIN)
        )
    return Post(tuple(parts))


def _lines(board: Board, page: Page) -> Iterator[str]:
    """Each player in a line that a telephone does not break, what decides in a column of its own."""
    deciding = [_deciding(board, line) for line in page.lines]
    width = max(map(len, deciding), default=0)
    for line, figure in zip(page.lines, deciding, strict=True):
        before = "" if line.place is None else f"{place(line.place)} "
        # No plain spaces: Discord leaves them out where they begin a code.
        column = f"`{unbroken(figure.rjust(width))}`"
        name = f"**{person(line.name, ENGLISH, NAME_IN_A_LINE)}**"
        yield f"{before}{column} " + " · ".join([name, *_others(board, line)])


def _deciding(board: Board, line: Line) -> str:
    """The figure by which a board is ordered."""
    if board.order is Order.RATING:
        return _games_so_far(line) if line.place is None else str(_shown(line))
    return _won(line) if board.order is Order.WINS else _average(line)


def _average(line: Line) -> str:
    return "–" if line.average is None else ENGLISH.decimal(line.average)


def _others(board: Board, line: Line) -> list[str]:
    """The figures after a name."""
    if board.order is Order.RATING:
        return [_won(line) if board.period is Period.EVER or line.missing else _gained(line)]
    other = _average(line) if board.order is Order.WINS else _won(line)
    return [other, *[f"🌕 {line.moons}"] * (line.moons > 0)]


def _won(line: Line) -> str:
    return f"{line.wins}/{line.games}"


def _legend(board: Board, page: Page) -> str:
    """What the figures of the lines are."""
    if board.order is Order.WINS:
        return "won/played · points a deal · 🌕 moons"
    if board.order is Order.POINTS:
        return "points a deal · won/played · 🌕 moons"
    other = "won/played" if board.period is Period.EVER else f"gained {IN_PERIOD[board.period]}"
    waiting = f"\n-# rated after {SHOWN_FROM} games" * any(line.missing for line in page.lines)
    return f"rating · {other}{waiting}"


def _shown(line: Line) -> int:
    return line.rating.shown if line.rating else 0


def _gained(line: Line) -> str:
    """How a rating went in the period, `▲ 34`."""
    return gained(_shown(line) - (line.before.shown if line.before else 0))


def _games_so_far(line: Line) -> str:
    """`●●○○○`: how many of the games there are that a rating needs."""
    return "●" * (SHOWN_FROM - line.missing) + "○" * line.missing


def _own(board: Board, page: Page, asker: str) -> str:
    """The asker's place, in a line of its own."""
    own, name = page.own, f"**{person(asker, ENGLISH)}**"
    if own is None:
        return f"{name} hasn't played one yet."
    if own.place is None:
        return ENGLISH.say_count(
            own.missing,
            "{name}: {count} more game until you have a rating.",
            "{name}: {count} more games until you have a rating.",
            name=name,
        )
    if page.ahead is None:
        return f"{name} is number {own.place} of {page.total}."
    gap = _gap(board, own, page.ahead)
    return f"{name} is number {own.place} of {page.total}, {gap}."


def _gap(board: Board, own: Line, ahead: Line) -> str:
    """`3 wins behind **Bo**`: how far they are from the next player before them."""
    who = f"**{person(ahead.name, ENGLISH)}**"
    if own.place == ahead.place:
        return f"level with {who}"
    if board.order is Order.RATING:
        points = _shown(ahead) - _shown(own)
        return ENGLISH.say_count(points, "{count} point behind {who}", "{count} points behind {who}", who=who)
    if board.order is Order.WINS and ahead.wins > own.wins:
        wins = ahead.wins - own.wins
        return ENGLISH.say_count(wins, "{count} win behind {who}", "{count} wins behind {who}", who=who)
    if own.average is None or ahead.average is None:
        return f"a deal behind {who}"  # that is done: without one there is no average
    return f"{ENGLISH.decimal(abs(own.average - ahead.average))} points a deal behind {who}"


def _orders(board: Board) -> Row:
    orders = [order for order in Order if board.ranked or order is not Order.RATING]
    return tuple(
        [_choice(ORDERS[one], replace(board, order=one), one is board.order, "order") for one in orders]
    )


def _periods(board: Board) -> Row:
    return tuple(
        [_choice(PERIODS[one], replace(board, period=one), one is board.period, "period") for one in Period]
    )


def _choice(label: str, board: Board, chosen: bool, row: str) -> Button:
    """A button that stays in use when it is chosen: it brings the line of who presses it."""
    return Button(label, _shows(board, 0, row), Style.MAIN if chosen else Style.PLAIN)


def _games(played: Sequence[Board], board: Board) -> Select:
    choices = tuple(
        [
            Choice(
                kind_title(one.kind) + ", alone" * (not one.ranked),
                f"{kind_key(one.kind)}:{_who(one)}",
                chosen=(one.kind, one.ranked) == (board.kind, board.ranked),
                hint="between people" if one.ranked else "alone against computers",
            )
            for one in played
        ]
    )
    return Select(ShowBoard(0, None, None, board.order, board.period, 0), "Another game", choices)


def _shows(board: Board, page: int, control: str) -> ShowBoard:
    """What shows this page of a board; `control` tells one from others that do."""
    return ShowBoard(0, kind_key(board.kind), _who(board), board.order, board.period, page, control)


def _who(board: Board) -> str:
    return "people" if board.ranked else "alone"


def nothing_yet() -> Post:
    """In place of a leaderboard before the first game is finished."""
    return Post(("## 🏆 Leaderboard\nNo game has been finished here yet. `/hearts new` opens a table.",))
