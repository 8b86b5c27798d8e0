"""Tables whose rows cannot be read: their channels are told once."""

from __future__ import annotations

from collections.abc import Iterable

from bot.delivery.posts import Posts
from bot.render.operations import cannot_be_read
from engine.rules.ruleset import Ruleset
from engine.tables import Damaged, PublicTable, State

#: The part of such a table that is shown.
KEY = "damaged"


def tell(posts: Posts, damaged: Iterable[Damaged]) -> None:
    """Tell the channel of each, unless it was told when the bot was started before."""
    for one in damaged:
        if one.channel is not None:
            posts.show(_unknown(one.id, one.channel), KEY, cannot_be_read(one.id))


def _unknown(table: int, channel: int) -> PublicTable:
    """A table of which nothing but its channel is known."""
    rules = Ruleset.of("classic", 4)
    return PublicTable(
        id=table, guild=0, channel=channel, host=0, rules=rules, state=State.STOPPED, view=None
    )
