"""One use of a control: who pressed what, and the ways to answer."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, TypeVar, cast

import discord

from bot.delivery import Reply
from bot.hands import hand_of, with_link
from bot.messages import Link, Whisper
from bot.render.latecomers import onlooker
from bot.services import Services
from engine.cards import Card
from engine.errors import Refusal
from engine.play.moves import SeatMove
from engine.tables import Moment, Person, State, Table

Interaction = discord.Interaction[Any]
E = TypeVar("E", bound=Enum)
#: The largest number that SQLite can hold.
LARGEST_NUMBER = 2**63 - 1


def who(interaction: Interaction) -> Person:
    """Who is asking, by the name that this server knows."""
    return Person(interaction.user.id, interaction.user.display_name)


async def show_hand(services: Services, reply: Reply, table: Table) -> None:
    """Answer with this person's hand at that table, which is then kept up to date for a while.

    Who has none there is told how to come into the game.
    """
    seat = table.seat_of(reply.person)
    if seat is None and table.state is State.PLAYING:
        await reply.whisper(onlooker(table.public, reply.person))
        return
    if seat is not None and table.game is not None and table.seats[seat].away:
        raise Refusal("away", table=table.id)
    shown = hand_of(table, table.public, reply.person)
    if table.paused and services.delivery.posts.holds_back(table.id, shown):
        raise Refusal("paused")
    deal = len(table.game.deals) if table.game else 0
    if link := services.delivery.dms.link(table.id, reply.person, deal):
        shown = with_link(shown, Link("Open the DM", link))
    await services.delivery.my_hand.open(table.id, reply, shown)


@dataclass(frozen=True)
class Click:
    """A button pressed, a select used or a form sent; `details` are the rest of its custom id.

    Whoever likes can send a custom id: what does not fit is a control that is out of date.
    """

    services: Services
    reply: Reply
    table: int
    details: tuple[str, ...]

    @cached_property
    def interaction(self) -> Interaction:
        """As Discord tells it."""
        return self.reply.interaction

    @property
    def person(self) -> Person:
        """Who clicked."""
        return who(self.interaction)

    @cached_property
    def in_dm(self) -> bool:
        """Whether the click came from a DM."""
        return self.interaction.guild_id is None

    @property
    def guild(self) -> int:
        """The server; 0 in a DM."""
        return self.reply.guild

    # What its custom id and its choices say

    @property
    def values(self) -> list[str]:
        """What was chosen in a select."""
        return list(cast(Any, self.interaction.data or {}).get("values", ()))

    @property
    def value(self) -> str:
        """The one that was chosen."""
        return _first(self.values)

    def picked(self, field: str) -> list[str]:
        """What was chosen in this field of a form."""
        for part in cast(Any, self.interaction.data or {}).get("components", ()):
            answer = part.get("component", {})
            if answer.get("custom_id") == field:
                return list(answer["values"] if "values" in answer else [answer.get("value") or ""])
        return []

    def written(self, field: str) -> str:
        """What was written, or the one that was chosen, in this field of a form."""
        return _first(self.picked(field))

    def detail(self, index: int) -> str:
        """One of the details."""
        if index >= len(self.details):
            raise Refusal("stale")
        return self.details[index]

    def number(self, index: int) -> int:
        """A detail that is a number."""
        return number(self.detail(index))

    def card(self, slot: str) -> Card:
        """The card of a slot such as `QS.0`, which is its code and the number of its copy."""
        card = self.services.tables.get(self.table).rules.pack.faces.get(slot.partition(".")[0])
        if card is None:
            raise Refusal("stale")
        return card

    # How it is answered

    async def edit(self, message: Whisper) -> None:
        """Answer by changing the message that was clicked, where it is no part of a table."""
        self.check_private()
        await self.reply.update(message)

    async def move(
        self, make: Callable[[int], SeatMove], *, trick: int | None = None, exposures: int | None = None
    ) -> None:
        """Make a move; the answer is the hand after it, or after a refusal as it is now."""
        at = Moment(self.number(0), trick, exposures)
        async with self.on_hand(at.deal):
            await self.services.tables.act(self.table, self.reply.person, make, at)

    @asynccontextmanager
    async def on_hand(self, deal: int) -> AsyncIterator[None]:
        """While this click on a hand is dealt with; its answer takes along what the hand looks like then."""
        self.check_private()
        self.services.tables.get(self.table)  # of a table that is gone nothing is shown any more
        delivery, person = self.services.delivery, self.reply.person
        answering = delivery.dms.answering(self.table, deal, self.reply)
        if not self.in_dm:
            answering = delivery.my_hand.answering(self.table, self.reply)
        async with answering:
            try:
                yield
            except Refusal:
                self.show_newest(deal)
                raise
            knows = delivery.dms.knows(self.table, person, deal)
            if not (knows if self.in_dm else delivery.my_hand.knows(self.table, person)):
                self.show_newest(deal)

    @property
    def is_private(self) -> bool:
        """Whether the message that was clicked is for this person alone."""
        message = self.interaction.message
        return self.in_dm or bool(message and message.flags.ephemeral)

    def check_private(self) -> None:
        """Refusal if the message that was clicked is not for this person alone: ours has no such control."""
        if not self.is_private:
            raise Refusal("stale")

    def check_stands_beside(self, control: str) -> None:
        """Refusal unless the message that was clicked has a control that begins so."""
        message = self.interaction.message
        if not any(id.startswith(control) for id in _custom_ids(message.components if message else ())):
            raise Refusal("stale")

    def show_newest(self, deal: int, *, asking: Card | None = None) -> None:
        """Let the hand that was clicked look as it is now, `asking` whether to expose this card."""
        table = self.services.tables.get(self.table)
        place = deal if self.in_dm else None
        self.services.announcer.show_hand(table, self.reply.person, place, asking=asking)

    async def show_hand(self) -> None:
        """Answer with this person's hand, for them alone."""
        await show_hand(self.services, self.reply, self.services.tables.get(self.table))


def number(text: str) -> int:
    """A number that somebody's control holds; Refusal if it is none that ours could."""
    if not re.fullmatch("[0-9]{1,19}", text) or int(text) > LARGEST_NUMBER:
        raise Refusal("stale")
    return int(text)


def member(kind: type[E], value: str) -> E:
    """What somebody's control names; Refusal if ours could not."""
    try:
        return kind(value)
    except ValueError:
        raise Refusal("stale") from None


def _custom_ids(parts: Sequence[Any]) -> Iterator[str]:
    """Of all controls among these parts of a message, and in what they hold."""
    for part in parts:
        if id := getattr(part, "custom_id", None):
            yield id
        yield from _custom_ids(getattr(part, "children", ()))


def _first(texts: Sequence[str]) -> str:
    if not texts:
        raise Refusal("stale")
    return texts[0]
