"""Everything that a table's channel shows at one moment, message by message."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bot.messages import Post
from bot.render import lobby, notices, openings, scores, tricks
from engine.play.deal import Phase
from engine.play.public import PublicDeal
from engine.rules.options import Moon
from engine.tables import Notice, PublicTable, State

LOBBY = "lobby"


@dataclass(frozen=True, slots=True)
class BoardPost:
    """A message of the table, and all that it is made of: as long as that is equal, it looks the same.

    Unless `create`, it is shown only where an earlier state of it is shown already.
    """

    key: str
    of: tuple[object, ...]
    render: Callable[[], Post]
    create: bool = True


def board(table: PublicTable) -> Iterator[BoardPost]:
    """The messages in order: the end of the deal before, and the deal going on."""
    yield _lobby(table)
    view = table.view
    if view is None:
        yield from _told(table)
        return
    if view.previous:
        yield from _tricks(table, view.previous)
    if view.deal:
        yield _opening(table, view.deal, view.previous)
        yield from _tricks(table, view.deal)
        if view.deal.points is not None:
            yield _score(table, view.deal)
    yield from _told(table)
    if table.state is State.OVER:
        yield BoardPost("final", (), lambda: scores.final(table))
    if table.state is State.STOPPED:
        yield BoardPost("stopped", (), lambda: lobby.stopped(table))


def _lobby(table: PublicTable) -> BoardPost:
    """The table's first message, which is the answer to the command that opened it."""
    of = (table.rules, table.seats, table.host, table.first, table.state, table.pace)
    return BoardPost(LOBBY, of, lambda: lobby.lobby(table), create=False)


def opening_key(deal: int) -> str:
    """The key of the post that opens this deal and shows its seal."""
    return f"deal{deal}"


def notice_key(notice: Notice) -> str:
    """The key of the post that tells this."""
    return f"notice{notice.number}"


def _opening(table: PublicTable, deal: PublicDeal, before: PublicDeal | None) -> BoardPost:
    # Nothing edits it: only where it is still to be sent does a new state count.
    return BoardPost(opening_key(deal.number), (deal.number,), lambda: openings.opening(table, deal, before))


def _score(table: PublicTable, deal: PublicDeal) -> BoardPost:
    key = f"deal{deal.number}.score"
    return BoardPost(key, (deal.points,), lambda: Post(tuple(scores.after_deal(table, deal))))


def _tricks(table: PublicTable, deal: PublicDeal) -> Iterator[BoardPost]:
    prefix = f"deal{deal.number}"
    if table.rules.preset.exposable and deal.phase is not Phase.PASSING:
        exposed = (deal.exposures, deal.phase, table.state, table.timer, table.seats)
        yield BoardPost(f"{prefix}.exposing", exposed, lambda: openings.exposing(table, deal))
    if deal.phase in (Phase.PASSING, Phase.EXPOSING):
        return
    done = len(deal.tricks)
    for index in range(max(0, done - 2), done):
        yield _done(table, deal, index)
    if deal.phase is Phase.PLAYING:
        yield _current(table, deal)
    if deal.shooter is not None and table.rules.moon is Moon.CHOICE:
        chosen = (deal.phase, deal.choice, table.seats)
        yield BoardPost(f"{prefix}.moon", chosen, lambda: tricks.moon(table, deal))


def _done(table: PublicTable, deal: PublicDeal, index: int) -> BoardPost:
    # The tricks before it do not change any more.
    key, of = f"deal{deal.number}.trick{index + 1}", (deal.tricks[index], table.seats)
    return BoardPost(key, of, lambda: tricks.done(table, deal, index))


def _current(table: PublicTable, deal: PublicDeal) -> BoardPost:
    key = f"deal{deal.number}.trick{len(deal.tricks) + 1}"
    of = (deal.trick, deal.turn, deal.on_hold, deal.face_up, table.state, table.seats, table.timer)
    return BoardPost(key, of, lambda: tricks.current(table, deal), create=table.state is State.PLAYING)


def _told(table: PublicTable) -> Iterator[BoardPost]:
    notice = table.notice
    if notice:
        yield BoardPost(notice_key(notice), (), lambda: notices.notice(table, notice))
