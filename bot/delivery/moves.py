"""Which posts that live are to move down, and when they may."""

from __future__ import annotations

import discord

from bot.delivery.below import Below
from bot.delivery.budget import Clock
from bot.delivery.packing import Address
from bot.messages import Post

#: Seconds after which Discord hardly lets a message be edited any more.
OLD = 60 * 60.0
#: Seconds for which a post at least stays where it is.
STAYS = 60.0

#: A table, and one of its posts.
Spot = tuple[int, str]


class Moves:
    """A post that is old, or has others' messages below it, moves down when its moment changes.

    That is at the earliest the moment after the one in which this was noticed, and at most once a minute.
    """

    def __init__(self, below: Below, clock: Clock) -> None:
        self._below = below
        self._clock = clock
        self._moments: dict[Spot, int] = {}  # the last ones in which the posts stood well
        self._sent_at: dict[Spot, float] = {}  # by the clock

    def is_due(self, spot: Spot, post: Post, address: Address) -> bool:
        """Whether this post, about to show something new, is to be sent anew instead."""
        if post.moment is None or post.moment == self._moments.setdefault(spot, post.moment):
            return False
        if not _is_old(address) and not self._below.has_others(*address):
            self._moments[spot] = post.moment
            return False
        return self._clock() >= self._sent_at.get(spot, -STAYS) + STAYS

    def sent(self, spot: Spot, post: Post) -> None:
        """It has just been sent."""
        if post.moment is not None:
            self._moments[spot] = post.moment
            self._sent_at[spot] = self._clock()

    def forget(self, table: int) -> None:
        """Drop all of a table."""
        for kept in (self._moments, self._sent_at):
            for spot in [spot for spot in kept if spot[0] == table]:
                del kept[spot]


def _is_old(address: Address) -> bool:
    age = discord.utils.utcnow() - discord.utils.snowflake_time(address[1])
    return age.total_seconds() > OLD
