"""The last click on each message, whose answer can still change it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

import discord

from bot.delivery.budget import Budget
from bot.delivery.packing import Address
from bot.delivery.sending import Reply
from bot.faults import Fault, fault_of
from bot.messages import Message, Whisper

#: A table, and one of its posts or players.
K = TypeVar("K", bound=tuple[int, object])


class LastClicks(Generic[K]):
    """Whatever goes through a click needs no call of the budget.

    Where Discord takes the click no more, the budget is told of the call with the token that follows.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._clicks: dict[K, Reply] = {}

    def keep(self, key: K, click: Reply) -> None:
        """This is the last one now."""
        self._clicks[key] = click

    def find(self, key: K) -> Reply | None:
        """The last one, as long as Discord takes it."""
        click = self._clicks.get(key)
        return click if click and click.serves else None

    def drop(self, key: K) -> None:
        """Nothing more goes through this one."""
        self._clicks.pop(key, None)

    def forget(self, table: int) -> None:
        """Drop all of a table."""
        self._clicks = {key: click for key, click in self._clicks.items() if key[0] != table}

    async def update(self, key: K, id: int, message: Message) -> bool:
        """Whether the message with this id was the one that was clicked, and looks so now.

        NotDrawnYet as Packer has it.
        """
        click = self.find(key)
        if click and click.clicked == id:
            with self._unless_expired(key):
                await click.edit(id, message, patience=None)
                return True
        return False

    async def follow_up(self, key: K, message: Whisper) -> Address | None:
        """Where a new message stands that was sent after the click; None if Discord did not take it."""
        if click := self.find(key):
            with self._unless_expired(key):
                return await click.follow_up(message)
        return None

    @contextmanager
    def _unless_expired(self, key: K) -> Iterator[None]:
        try:
            yield
        except discord.HTTPException as error:
            if fault_of(error) is not Fault.EXPIRED:
                raise
            self.drop(key)
            self._budget.spend()
