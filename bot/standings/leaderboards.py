"""Leaderboards: the players of a server by rating, wins, points or par, and the list of its boards."""

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
#: The most choices of a select, and the value of the one for tournaments.
MOST_CHOICES, TOURNAMENTS = 25, "tournaments"
#: Columns for a name, so that a line fits on a screen 390 pixels wide.
NAME_IN_A_LINE = 12

ORDERS = {
    Order.RATING: N_("Rating"),
    Order.WINS: N_("Wins"),
    Order.POINTS: N_("Points a deal"),
    Order.PAR: N_("Against par"),
}
PERIODS = {Period.MONTH: N_("This month"), Period.YEAR: N_("This year"), Period.EVER: N_("All time")}
#: The games that a board counts, by period.
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
#: The legend of a line's figures on a board by rating, and on the others.
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
#: Which games count less, by whether they are between people.
COUNTS_LESS = {
    True: N_(
        "Games count less if they have fewer than four deals, or if you play newcomers or always the "
        "same people."
    ),
    False: N_("Games of fewer than four deals count less."),
}


class ShowBoard(Action, verb="board", who=Who.ANYONE, where=Where.SERVER, cost=PAGES):
    """Show a page (from 0) of a leaderboard; `control` keeps the custom ids of controls for one page apart.

    In the list of games, `kind` and `players` are None, and the chosen value names them.
    """

    kind: str | None
    players: str | None
    order: Order
    period: Period
    page: int
    control: str | None = None

    @classmethod
    def read(cls, texts: Sequence[str]) -> Self:
        """Read a custom id; the list of games has neither kind nor players in its own."""
        return filled(cls, texts if len(texts) > 4 else [*texts[:1], "", "", *texts[1:]])


def leaderboard(
    board: Board, page: BoardPage, number: int, asker: str, games: Select, language: Language
) -> Post:
    """A page (from 0) of a server's board, the asker's own line, and the list of other boards."""
    scope = language.say((BETWEEN_PEOPLE if board.ranked else ALONE)[board.period])
    parts: list[Part] = [
        f"{_heading(language)}\n**{kind_title(board.kind, language)}**\n-# {scope}",
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
    """A line for each player, short enough for a phone, with the deciding figure in a column."""
    deciding = [_deciding(board, line, language) for line in page.lines]
    width = max(map(len, deciding), default=0)
    for line, figure in zip(page.lines, deciding, strict=True):
        before = "" if line.place is None else f"{place(line.place)} "
        # Discord strips ordinary spaces at the start of inline code.
        column = f"`{unbroken(figure.rjust(width))}`"
        name = f"**{person(line.name, language, NAME_IN_A_LINE)}**"
        yield f"{before}{column} " + " · ".join([name, *_others(board, line, language)])


def _deciding(board: Board, line: BoardLine, language: Language) -> str:
    """The figure that orders the board, or `–` if there is none yet."""
    if board.order is Order.RATING:
        return _games_so_far(line) if line.place is None else str(_rating(line))
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
    """The standard error of a score against par and its number of deals, or `12/20` if those are too few."""
    if par.is_told(line.under_par):
        return [f"± {language.decimal(line.under_par.error or 0.0)}", str(line.under_par.deals)]
    return [f"{line.under_par.deals if line.under_par else 0}/{PAR_FROM}"]


def _won(line: BoardLine) -> str:
    return f"{line.wins}/{line.games}"


def _legend(board: Board, page: BoardPage, language: Language) -> str:
    """What the figures in the lines mean."""
    if board.order is not Order.RATING:
        legend = f"-# {language.of_game(board.kind.game).say(OTHERWISE[board.order])}"
        if board.order in (Order.WINS, Order.POINTS):
            legend += f"\n-# {language.say(COUNTS_LESS[board.ranked])}"
        if board.order is Order.PAR and any(line.place is None for line in page.lines):
            legend += f"\n-# {language.say('ranked after {count} deals', count=PAR_FROM)}"
        return legend
    legend = f"-# {language.say(BY_RATING[board.period])}"
    if any(line.missing for line in page.lines):
        legend += f"\n-# {language.say('rated after {count} games', count=SHOWN_FROM)}"
    return legend


def _rating(line: BoardLine) -> int:
    return line.rating.shown if line.rating else 0


def _gained(line: BoardLine) -> str:
    """`▲ 34`: the change of a rating in the period."""
    return gained(_rating(line) - (line.before.shown if line.before else 0))


def _games_so_far(line: BoardLine) -> str:
    """`●●○○○`: the games played out of those that a rating needs."""
    return "●" * (SHOWN_FROM - line.missing) + "○" * line.missing


def _own(board: Board, page: BoardPage, asker: str, language: Language) -> str:
    """A line with the asker's place, or with what they still need for one."""
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
    standing = {
        "name": name,
        "place": own.place,
        "total": page.total,
        "other": f"**{person(page.ahead.name, language)}**",
    }
    return _behind(board, own, page.ahead, standing, language)


def _behind(
    board: Board, own: BoardLine, ahead: BoardLine, standing: Mapping[str, object], language: Language
) -> str:
    """A line with the asker's place and the distance to the next player ahead; `standing` fills it in."""
    if own.place == ahead.place:
        return language.say("{name} is number {place} of {total}, level with {other}.", **standing)
    if board.order is Order.RATING:
        return language.say_count(
            _rating(ahead) - _rating(own),
            "{name} is number {place} of {total}, {count} point behind {other}.",
            "{name} is number {place} of {total}, {count} points behind {other}.",
            **standing,
        )
    if board.order is Order.WINS and round(ahead.counted_wins, 1) > round(own.counted_wins, 1):
        wins = round(ahead.counted_wins, 1) - round(own.counted_wins, 1)
        return language.say(
            "{name} is number {place} of {total}, {wins} wins behind {other}.",
            wins=language.decimal(wins),
            **standing,
        )
    if board.order is Order.PAR and own.under_par and ahead.under_par:
        return language.say(
            "{name} is number {place} of {total}, {points} points a deal behind {other}.",
            points=language.decimal(ahead.under_par.mean - own.under_par.mean),
            **standing,
        )
    mine, theirs = own.average, ahead.average
    if board.order is Order.POINTS:
        mine, theirs = own.counted_average, ahead.counted_average
        if (own.weight < POINTS_FROM) > (ahead.weight < POINTS_FROM):
            return language.say("{name} is number {place} of {total}.", **standing)
    if mine is None or theirs is None:
        # Without a finished deal there is no average to compare.
        return language.say("{name} is number {place} of {total}, a deal behind {other}.", **standing)
    return language.say(
        "{name} is number {place} of {total}, {points} points a deal behind {other}.",
        points=language.decimal(abs(mine - theirs)),
        **standing,
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
    """A button that stays enabled when chosen, since it also shows the presser's own line."""
    return Button(label, _shows(board, 0, row), Style.MAIN if chosen else Style.PLAIN)


def games(
    played: Sequence[Board], board: Board | None, language: Language, *, has_tournaments: bool
) -> Select:
    """The list of a server's boards and, if it has had any, its tournaments (selected if no board is)."""
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
    return Select(ShowBoard(0, None, None, order, period, 0), language.say("Another game"), tuple(choices))


def _game_title(board: Board, language: Language) -> str:
    title = kind_title(board.kind, language)
    return title if board.ranked else language.say("{game}, alone", game=title)


def _shows(board: Board, page: int, control: str) -> ShowBoard:
    """The action that shows this page of a board; `control` keeps its custom id apart from others'."""
    return ShowBoard(0, kind_key(board.kind), _who(board), board.order, board.period, page, control)


def _who(board: Board) -> str:
    return "people" if board.ranked else "alone"


def nothing_yet(language: Language) -> Post:
    """Shown instead of a leaderboard until the first game is finished."""
    text = language.say("No game has been finished here yet. `/hearts new` opens a table.")
    return Post((f"{_heading(language)}\n{text}",))
