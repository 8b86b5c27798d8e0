"""Everything that a table's channel shows at one moment, message by message."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from bot.table import deals, lobby, notices, scores
from bot.table import invited as inviting
from bot.table.scores import opening
from bot.table.votes import vote_key, vote_post
from bot.vocabulary.messages import Post
from bot.words import par
from engine.play.deal import Phase
from engine.play.public import PublicDeal
from engine.tables import Notice, PublicTable, State, Way
from engine.tables.inviting import FRESH

LOBBY = "lobby"
#: The prefix of the keys of posts that invite or call people to the table.
INVITING = "asked"


@dataclass(frozen=True, slots=True)
class BoardPost:
    """A message of the table; without `create`, it is only shown as an edit of an earlier state.

    One that `stays` records a moment: once shown, it is never edited.
    """

    key: str
    post: Post
    create: bool = True
    stays: bool = False
    tricks: int = 0  # finished so far; with one more, the finished trick is shown for a moment
    finished_trick: Callable[[], Post] | None = None

    def is_like(self, before: "BoardPost | None") -> bool:
        """Whether the post needn't be shown, because this earlier state of it looks the same or stays."""
        return before is not None and (before.stays or before.post == self.post)


def board(table: PublicTable) -> list[BoardPost]:
    """The messages in order, with those of the previous deal and of the current one."""
    posts, view = [BoardPost(LOBBY, lobby.lobby(table), create=False), *_invitations(table)], table.view
    if view is None:
        return [*posts, *_notice(table)]
    previous = view.previous
    if previous:
        posts += _deal(table.as_in(previous.number), previous)
    if view.deal:
        post = opening(table, view.deal, previous)
        posts.append(BoardPost(opening_key(view.deal.number), post, stays=True))
        posts += _deal(table, view.deal)
    if view.dropped:
        posts += _deal(table, view.dropped, create=False)
    posts += [*voted(table), *_notice(table)]
    if table.state is State.OVER:
        posts.append(_final(table))
    if table.state is State.STOPPED:
        posts.append(BoardPost("stopped", lobby.stopped(table), stays=True))
    return posts


def posts_with_par(table: PublicTable, deal: int) -> Iterator[BoardPost]:
    """The messages that show this deal's par: a tournament's deal, and the end of a game."""
    view = table.view
    public_deal = (
        next((one for one in (*view.past, view.deal) if one and one.number == deal), None) if view else None
    )
    if public_deal and table.tournament:
        yield from _deal(table.as_in(deal), public_deal, create=False)
    if table.state is State.OVER and par.is_complete(table):
        yield _final(table)


def _invitations(table: PublicTable) -> Iterator[BoardPost]:
    """The posts that invite or call people; once they aren't fresh any more, they are only edited."""
    public = [one for one in table.invitations if one.way is not Way.DM]
    for number in dict.fromkeys(one.number for one in public):
        asked_at = next(one.at for one in public if one.number == number)
        is_fresh = table.state is State.LOBBY and asked_at > table.resumed_at - FRESH
        yield BoardPost(f"{INVITING}{number}", inviting.asking(table, number), is_fresh)


def opening_key(deal: int) -> str:
    """The key of the post that opens this deal and shows its seal."""
    return f"deal{deal}"


def board_key(deal: int) -> str:
    """The key of the post that shows this deal."""
    return f"deal{deal}.board"


def notice_key(notice: Notice) -> str:
    """The key of this notice's post."""
    return f"notice{notice.number}"


def _deal(table: PublicTable, deal: PublicDeal, *, create: bool = True) -> tuple[BoardPost, ...]:
    """The one post of this deal; none before a card can lie open."""
    if deal.phase is Phase.PASSING:
        return ()
    finished_trick = partial(deals.finished_trick, table, deal)
    return (
        BoardPost(
            board_key(deal.number),
            deals.post(table, deal),
            create=create and table.state is not State.STOPPED,
            tricks=len(deal.tricks),
            finished_trick=finished_trick if deal.phase is Phase.PLAYING else None,
        ),
    )


def _final(table: PublicTable) -> BoardPost:
    return BoardPost("final", scores.final(table))


def voted(table: PublicTable) -> Iterator[BoardPost]:
    """The post of the table's last vote, which is sent while it can be answered."""
    if vote := table.vote:
        post = vote_post(table, vote)
        yield BoardPost(vote_key(vote), post, create=vote.is_open, stays=not vote.is_open)


def _notice(table: PublicTable) -> Iterator[BoardPost]:
    notice = table.notice
    # `calls` shows a reminder, in place of the call to the player.
    if notice and not notice.reminds and not notice.is_void:
        yield BoardPost(notice_key(notice), notices.notice_post(table, notice), stays=True)
