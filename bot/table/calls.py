"""The call to the player whose turn it is: a separate message, because an edit notifies nobody."""

from dataclasses import replace

from bot.table.board import BoardPost, notice_key
from bot.table.notices import notice_post
from bot.table.starts import reminder
from bot.table.table_scene import waited_for
from bot.vocabulary.messages import Colour, Post
from bot.words.buttons import my_hand
from bot.words.text import mentions
from engine.tables import Calls, Pace, Preferences, PublicTable
from engine.tables.table import cards_played

#: The prefix of the keys of calls, and of no other keys.
CALL = "call"
#: Seconds before a player who hasn't moved is called: usually, and at the live pace.
LATE, LATE_LIVE = 150.0, 10.0
#: Seconds before a call to players who want one at every turn: a forced card plays itself in that time.
AT_ONCE = 1.5


def call(table: PublicTable, preferences: Preferences) -> BoardPost | None:
    """The call to send unless the player moves, or the reminder in its place; None if neither is due.

    People who play alone are reminded, but not called.
    """
    if table.plan and table.plan.reminded and (table.called_at or 0) >= table.plan.made:
        key = f"{CALL}.start{int(table.called_at or 0)}"
        return BoardPost(key, without_unwanted_mentions(reminder(table), preferences))
    latest = table.notice
    if latest and latest.reminds and table.timer and table.timer.reminded:
        key = f"{CALL}.{notice_key(latest)}"
        return BoardPost(key, without_unwanted_mentions(notice_post(table, latest), preferences))
    deal = table.view and table.view.deal
    if not deal or len(table.seats.people) < 2:
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


def without_unwanted_mentions(post: Post, preferences: Preferences) -> Post:
    """The post, mentioning only people who haven't turned calls off."""
    ping = tuple([person for person in post.ping if preferences.of(person).calls is not Calls.NEVER])
    if ping == post.ping:
        return post
    return replace(post, ping=ping, call=mentions(ping))
