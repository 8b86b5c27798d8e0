"""Tables whose rows cannot be read: their channels are told once."""

from __future__ import annotations

from collections.abc import Iterable

from bot.delivery.posts import Posts
from bot.render.operations import cannot_be_read
from engine.tables import Damaged

#: The part of such a table that is shown.
KEY = "damaged"


def tell(posts: Posts, damaged: Iterable[Damaged]) -> None:
    """Tell the channel of each, unless it was told when the bot was started before."""
    for one in damaged:
        if one.channel is not None and one.channel > 0:  # a daily game has no channel
            posts.show(one.id, one.channel, KEY, cannot_be_read(one.id))
