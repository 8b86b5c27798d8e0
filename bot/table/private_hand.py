"""The one message of a private table: the hand, and what other tables show in their channel's posts."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.answering.opening import OpenAlone
from bot.table import deals, lobby, scores, seals
from bot.table.controls import GoOn
from bot.vocabulary.controls import DealAction, Where, Who
from bot.vocabulary.messages import DIVIDER, Button, Part, Row, Style, Whisper
from bot.words.buttons import beside, tricks, watch
from bot.words.deadlines import ends_in
from bot.words.text import bold, names
from engine.play.deal import Phase
from engine.play.views import SeatView
from engine.tables import PublicTable, State

#: The components that fit into a message besides the outermost container, counting nested ones.
MOST_COMPONENTS = 39


class PlayByDm(DealAction, verb="dm", who=Who.HOLDER, where=Where.DAILY, private=True):
    """Send the hand of a daily game by DM."""


def with_table(table: PublicTable, view: SeatView, whisper: Whisper) -> Whisper:
    """The hand with what other games show in posts: how the previous deal ended, and the table."""
    head, *hand = whisper.parts
    is_new = not (view.played or view.received)
    above = _daily_head(table, view, head, is_new) if table.daily else _head(table, view, head, is_new)
    board = [deals.picture(table, view.deal)] if has_board(view) else []
    parts, row = [*above, *board, *hand], _row(table, view)
    # What is left out, in this order, if a hand of up to 21 cards leaves no room.
    dispensable = [DIVIDER, *[part for part in above if not isinstance(part, str)]]
    with_row = beside(parts, row)
    if sum(map(_components, with_row)) <= MOST_COMPONENTS:
        return replace(whisper, parts=with_row)
    return replace(whisper, parts=_fitting(parts, dispensable))


def has_board(view: SeatView) -> bool:
    """Whether there is a table to show above the hand, as cards may lie open on it."""
    return view.deal.phase not in (Phase.PASSING, Phase.EXPOSING) or bool(view.deal.exposures)


def _fitting(parts: list[Part], dispensable: Sequence[Part]) -> tuple[Part, ...]:
    """The parts, without as many of the dispensable ones as don't fit into a message."""
    remaining = list(parts)
    for part in dispensable:
        if sum(map(_components, remaining)) > MOST_COMPONENTS and part in remaining:
            remaining.remove(part)
    return tuple(remaining)


def _components(part: Part) -> int:
    return len(part) + math.ceil(len(part) / 5) if isinstance(part, tuple) else 1


def _row(table: PublicTable, view: SeatView) -> Row:
    if table.daily and view.deal.number == 1 and not view.played:
        return (Button(table.say("Play by DM"), PlayByDm(table.id, 1)),)
    listed = (tricks(table, view.deal.number),) if view.deal.tricks else ()
    return (*listed, *(() if table.daily else watch(table)))


# A daily game


def _daily_head(table: PublicTable, view: SeatView, head: Part, is_new: bool) -> list[Part]:
    return [head, *(_before(table, view) if is_new else ())]


def _before(table: PublicTable, view: SeatView) -> Iterator[str]:
    """The lines before a deal's first card."""
    assert table.daily is not None
    if previous := view.public.previous:
        yield scores.standing(table, previous)
    else:
        computers = names(table, range(1, len(table.seats)))
        same = table.say("The same three deals for everyone today, against {computers}.", computers=computers)
        end = table.say("They end {time}: finish by then to be ranked.", time=ends_in(table.daily.day))
        yield table.language.sentences([same, end])
    yield seals.sealed(view.deal, table.language)


# A table alone


def _head(table: PublicTable, view: SeatView, head: Part, is_new: bool) -> list[Part]:
    """The previous deal's result, until a card of this one is chosen; the hand's heading and its seal."""
    previous = view.public.previous if is_new else None
    before = [*scores.after_deal(table, previous), DIVIDER] if previous else []
    seal = [seals.sealed(view.deal, table.language)] if view.deal.seal else []
    return [*before, "\n".join([str(head), *seal, *deals.news(table, view.deal)])]


def at_table(table: PublicTable) -> Whisper:
    """What a table alone shows before its game and once it's over."""
    if table.view is None:
        return lobby.alone(table)
    post = scores.final(table) if table.state is State.OVER else lobby.stopped(table)
    return Whisper(post.parts, post.colour, is_final=True)


def going_on(table: PublicTable, instead: OpenAlone) -> Whisper:
    """The question for someone who opens a table alone while they still have one."""
    game = table.say(table.rules.preset.title)
    if table.view is None:
        status = table.say("{game}: the cards aren't dealt yet.", game=game)
    else:
        deal, totals = _deal(table), _totals(table)
        status = table.say("{game}, deal {deal}: {totals}.", game=game, deal=deal, totals=totals)
    row = (
        Button(table.say("Go on"), GoOn(table.id), Style.GOOD),
        Button(table.say("Give it up, open a new one"), instead),
    )
    return Whisper((f"### {table.say('You already have a table')}\n{status}", row))


def _deal(table: PublicTable) -> int:
    assert table.view is not None
    return table.view.deal.number if table.view.deal else len(table.view.points)


def _totals(table: PublicTable) -> str:
    assert table.view is not None
    totals = [table.language.number(total) for total in table.view.totals]
    return table.language.series([f"{bold(table, seat)} {total}" for seat, total in enumerate(totals)])
