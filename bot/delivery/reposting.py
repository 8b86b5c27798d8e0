"""Moves posts down, below what others have written."""

from collections import deque

import discord

from bot.delivery.budget import Clock
from bot.delivery.building import Address
from bot.vocabulary.messages import Post

#: Seconds after which Discord throttles edits of a message hard.
OLD = 60 * 60.0
#: Seconds for which a post stays in its place at least.
MIN_STAY = 60.0
#: Message ids remembered for each channel, of others' messages and of ours.
MESSAGES_REMEMBERED = 50

#: A table, and one of its posts.
PostKey = tuple[int, str]


class Reposting:
    """Tells which posts should move down, being old or having others' messages below them.

    A post moves when its `repost_on_change_of` changes, and at most once in MIN_STAY seconds.
    """

    def __init__(self, foreign: "ForeignMessages", clock: Clock) -> None:
        self._foreign = foreign
        self._clock = clock
        self._settled: dict[PostKey, int] = {}  # the last number at which each post was well placed
        self._sent_at: dict[PostKey, float] = {}  # by the clock

    def is_due(self, post_key: PostKey, post: Post, address: Address) -> bool:
        """Whether this post should be sent again rather than edited."""
        number = post.repost_on_change_of
        if number is None or number == self._settled.setdefault(post_key, number):
            return False
        if not _is_old(address) and not self._foreign.has_others(*address):
            self._settled[post_key] = number
            return False
        return self._clock() >= self._sent_at.get(post_key, -MIN_STAY) + MIN_STAY

    def sent(self, post_key: PostKey, post: Post) -> None:
        """Note that this post has just been sent."""
        if post.repost_on_change_of is not None:
            self._settled[post_key] = post.repost_on_change_of
            self._sent_at[post_key] = self._clock()

    def forget(self, table: int) -> None:
        """Drop all posts of a table."""
        self._settled = {key: number for key, number in self._settled.items() if key[0] != table}
        self._sent_at = {key: time for key, time in self._sent_at.items() if key[0] != table}


def _is_old(address: Address) -> bool:
    age = discord.utils.utcnow() - discord.utils.snowflake_time(address[1])
    return age.total_seconds() > OLD


class ForeignMessages:
    """The newest messages in watched channels that are not ours."""

    def __init__(self) -> None:
        self._watched: dict[int, _Channel] = {}

    def watch(self, channel: int) -> None:
        """Watch this channel from now on; we can't tell whose its earlier messages are."""
        self._watched.setdefault(channel, _Channel())

    def note_newest(self, channel: int, newest: int) -> None:
        """Note the channel's newest message."""
        if watched := self._watched.get(channel):
            watched.note_newest(newest)

    def wrote(self, channel: int, message: int) -> None:
        """Note that this message is ours."""
        if watched := self._watched.get(channel):
            watched.wrote(message)

    def has_others(self, channel: int, message: int) -> bool:
        """Whether others have written below this message of ours."""
        watched = self._watched.get(channel)
        return watched is not None and watched.has_others(message)

    def forget(self, channel: int) -> None:
        """Stop watching this channel."""
        self._watched.pop(channel, None)


class _Channel:
    def __init__(self) -> None:
        self._since = discord.utils.time_snowflake(discord.utils.utcnow(), high=True)
        self._ours: deque[int] = deque(maxlen=MESSAGES_REMEMBERED)
        self._others: deque[int] = deque(maxlen=MESSAGES_REMEMBERED)

    def note_newest(self, message: int) -> None:
        if message > self._since and message not in self._ours and message not in self._others:
            self._others.append(message)

    def wrote(self, message: int) -> None:
        self._ours.append(message)
        if message in self._others:  # a click arrived before the response that told us its id
            self._others.remove(message)

    def has_others(self, message: int) -> bool:
        return any(other > message for other in self._others)
