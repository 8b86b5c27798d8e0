"""Tables whose rows cannot be read: their channels are told once."""

from __future__ import annotations

from collections.abc import Iterable

from bot.delivery.posts import Posts
from bot.messages import Colour, Post
from engine.rules.ruleset import Ruleset
from engine.tables import Damaged, PublicTable, State

#: The part of such a table that is shown.
KEY = "damaged"


def tell(posts: Posts, damaged: Iterable[Damaged]) -> None:
    """Tell the channel of each, unless it was told when the bot was started before."""
    for one in damaged:
        if one.channel is not None:
            posts.show(_unknown(one.id, one.channel), KEY, _post(one.id))


def _post(table: int) -> Post:
    text = (
        "### This table cannot go on\n"
        "What I had stored of the game in this channel is damaged. It is kept as it is: whoever runs me "
        f"finds it in my log as table {table}, and if they repair it, it goes on. "
        "Until then `/hearts new` opens another table here."
    )
    return Post((text,), Colour.DONE, once=True)


def _unknown(table: int, channel: int) -> PublicTable:
    """A table of which nothing but its channel is known."""
    rules = Ruleset.of("classic", 4)
    return PublicTable(
        id=table, guild=0, channel=channel, host=0, rules=rules, state=State.STOPPED, view=None
    )
