"""The call to the player whose turn it is: a separate message, because an edit notifies nobody."""

from __future__ import annotations

from dataclasses import replace

from bot.table.board import BoardPost, notice_key
from bot.table.notices import notice
from bot.table.starts import reminder
from bot.table.table_scene import waited_for
from bot.vocabulary.messages import Colour, Post
from bot.words.buttons import my_hand
from bot.words.text import mentions
from engine.tables import Calls, Pace, Preferences, PublicTable, State
from engine.tables.table import cards_played

#: What the keys of calls begin with, and of nothing else.
CALL = "call"
#: Seconds after which a player who has not moved is called, and the same at the live pace.
LATE, LATE_LIVE = 150.0, 10.0
#: Seconds before a call to players who want one at every turn: a forced card plays itself in that time.
AT_ONCE = 1.5


def call(table: PublicTable, preferences: Preferences) -> BoardPost | None:
    """The call that comes unless someone moves, or the reminder in its place; None where there is neither.

    Whoever plays alone is not called, but reminded.
    """
    if table.plan and table.plan.reminded and (table.called_at or 0) >= table.plan.made:
        key = f"{CALL}.start{int(table.called_at or 0)}"
        return BoardPost(key, only_who_may_be(reminder(table), preferences))
    told = table.notice
    if told and told.reminds and table.timer and table.timer.reminded:
        key = f"{CALL}.{notice_key(told)}"
        return BoardPost(key, only_who_may_be(notice(table, told), preferences))
    deal = table.view and table.view.deal
    if not deal or table.state is not State.PLAYING or len(table.seats.people) < 2:
        return None
    number = waited_for(table, deal)
    seat = None if number is None else table.seats[number]
    if seat is None or seat.person is None or seat.away:
        return None
    calls = preferences.of(seat.person).calls
    if calls is Calls.NEVER:
        return None
    late = LATE_LIVE if table.pace is Pace.LIVE else LATE
    patience = AT_ONCE if calls is Calls.ALWAYS else late
    post = Post(
        (table.say("{who}, it's your turn.", who=mentions([seat.person])), (my_hand(table),)),
        Colour.TURN,
        ping=(seat.person,),
        never_edited=True,
        patience=patience,
    )
    return BoardPost(f"{CALL}{deal.number}.{cards_played(deal)}", post)


def only_who_may_be(post: Post, preferences: Preferences) -> Post:
    """The post without mentions of those who want none."""
    ping = tuple([person for person in post.ping if preferences.of(person).calls is not Calls.NEVER])
    if ping == post.ping:
        return post
    return replace(post, ping=ping, call=mentions(ping))
