"""The hands that My hand shows in the channel, each to its player alone."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

import discord

from bot.components import layout
from bot.delivery.posts import NOBODY, Posts
from bot.faults import NETWORK, Fault, fault_of
from bot.lanes import Lane, drop
from bot.messages import Whisper

Interaction = discord.Interaction[Any]
#: Key of the one message that each lane paints.
HAND = "hand"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Placed:
    """A hand under My hand, and the post below which it belongs so that nobody has to scroll for it."""

    whisper: Whisper
    below: str | None = None


@dataclass(frozen=True, slots=True)
class _Hand:
    """An ephemeral message that shows a hand: `click` can change it until its token expires."""

    click: Interaction
    message: int
    below: str | None
    is_followup: bool = False  # else it is what the click was answered with, or came from

    async def edit(self, whisper: Whisper) -> None:
        """Show this instead."""
        if self.is_followup:
            await self.click.followup.edit_message(self.message, view=layout(whisper))
        else:
            await self.click.edit_original_response(view=layout(whisper))

    async def send_again(self, placed: Placed) -> _Hand:
        """Show this in a new message at the channel's end."""
        view = layout(placed.whisper)
        sent = await self.click.followup.send(view=view, ephemeral=True, wait=True, allowed_mentions=NOBODY)
        return _Hand(self.click, sent.id, placed.below, is_followup=True)

    async def take_away(self) -> None:
        """Another message shows the hand now; where this one stays, its buttons still work."""
        try:
            if self.is_followup:
                await self.click.followup.delete_message(self.message)
            else:
                await self.click.delete_original_response()
        except (discord.HTTPException, *NETWORK) as error:
            log.info("an old hand stays where it is: %s", error)


class Hands:
    """A lane for each player who has pressed My hand; it follows the game for some minutes."""

    def __init__(self, posts: Posts) -> None:
        self._posts = posts
        self._lanes: dict[tuple[int, int], Lane[Placed]] = {}
        self._hands: dict[tuple[int, int], _Hand] = {}

    def lane(self, table: int, person: int) -> Lane[Placed]:
        """The lane of the message that My hand showed a player last."""
        if (table, person) not in self._lanes:
            self._lanes[table, person] = Lane(
                f"table {table}, a hand", lambda _, placed: self._paint(table, person, placed)
            )
        return self._lanes[table, person]

    @property
    def lanes(self) -> list[Lane[Placed]]:
        """All of them."""
        return list(self._lanes.values())

    def show(self, table: int, person: int, placed: Placed) -> None:
        """Show this where My hand has shown a hand before."""
        if (table, person) in self._lanes:
            self.lane(table, person).want(HAND, placed, patience=placed.whisper.patience)

    def opened(self, table: int, click: Interaction, message: int, below: str, placed: Placed) -> None:
        """My hand has answered with this message, below that post."""
        self._hands[table, click.user.id] = _Hand(click, message, below)
        self.lane(table, click.user.id).painted(HAND, placed)

    def clicked(self, table: int, click: Interaction, shown: Whisper) -> None:
        """A click on such a hand was answered with this; it can change that message longer than the last."""
        assert click.message is not None
        mine = (table, click.user.id)
        old = self._hands.get(mine)
        below = old.below if old and old.message == click.message.id else None
        self._hands[mine] = _Hand(click, click.message.id, below)
        self.lane(*mine).painted(HAND, Placed(shown))

    async def forget(self, table: int) -> bool:
        """Once all is shown, drop the table's lanes; False if the bot stops before."""
        return await drop(table, self._lanes, self._hands)

    async def _paint(self, table: int, person: int, placed: Placed) -> None:
        mine = (table, person)
        if placed.below:
            await self._posts.idle(table)
        hand = self._hands.get(mine)
        if hand is None or hand.click.is_expired():
            self._hands.pop(mine, None)
            return
        try:
            if placed.below in (None, hand.below):
                await hand.edit(placed.whisper)
            else:
                await self._move(mine, hand, placed)
        except discord.HTTPException as error:
            if fault_of(error) not in (Fault.MESSAGE_GONE, Fault.EXPIRED):
                raise
            # Dismissed, or too old: they press My hand when they want it again.
            if self._hands.get(mine) is hand:
                del self._hands[mine]

    async def _move(self, mine: tuple[int, int], hand: _Hand, placed: Placed) -> None:
        """Show the hand at the channel's end instead, unless My hand has shown a newer one meanwhile."""
        sent = await hand.send_again(placed)
        superseded = self._hands.get(mine) is not hand
        if not superseded:
            self._hands[mine] = sent
        await (sent if superseded else hand).take_away()
