"""Everything that a table's channel shows at one moment, message by message."""

from __future__ import annotations

from collections.abc import Iterator

from bot.messages import Post
from bot.render import lobby, notices, openings, scores, tricks
from engine.play.deal import Phase
from engine.play.public import PublicDeal
from engine.rules.options import Moon
from engine.tables import PublicTable, State

#: Key of a message, what it shows, and whether to post it where it is not shown yet.
Shown = tuple[str, Post, bool]
LOBBY = "lobby"


def board(table: PublicTable) -> Iterator[Shown]:
    """The messages in order: the end of the deal before, and the deal going on."""
    yield LOBBY, lobby.lobby(table), False  # it is the answer to the command that opened the table
    view = table.view
    if view is None:
        yield from _told(table)
        return
    if view.previous:
        yield from _tricks(table, view.previous)
    if view.deal:
        yield opening_key(view.deal.number), openings.opening(table, view.deal, view.previous), True
        yield from _tricks(table, view.deal)
        if view.deal.points is not None:
            yield f"deal{view.deal.number}.score", Post(tuple(scores.after_deal(table, view.deal))), True
    yield from _told(table)
    if table.state is State.OVER:
        yield "final", scores.final(table), True
    if table.state is State.STOPPED:
        yield "stopped", lobby.stopped(table), True


def opening_key(deal: int) -> str:
    """The key of the post that opens this deal and shows its seal."""
    return f"deal{deal}"


def _tricks(table: PublicTable, deal: PublicDeal) -> Iterator[Shown]:
    prefix = f"deal{deal.number}"
    if table.rules.preset.exposable and deal.phase is not Phase.PASSING:
        yield f"{prefix}.exposing", openings.exposing(table, deal), True
    if deal.phase in (Phase.PASSING, Phase.EXPOSING):
        return
    done = len(deal.tricks)
    for index in range(max(0, done - 2), done):
        yield f"{prefix}.trick{index + 1}", tricks.done(table, deal, index), True
    if deal.phase is Phase.PLAYING:
        yield f"{prefix}.trick{done + 1}", tricks.current(table, deal), table.state is State.PLAYING
    if deal.shooter is not None and table.rules.moon is Moon.CHOICE:
        yield f"{prefix}.moon", tricks.moon(table, deal), True


def _told(table: PublicTable) -> Iterator[Shown]:
    if table.notice:
        yield f"notice{table.notice.number}", notices.notice(table, table.notice), True
