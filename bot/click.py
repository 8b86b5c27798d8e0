"""One use of a control: who pressed what, and the ways to answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import discord

from bot.components import layout
from bot.delivery import NOBODY
from bot.hands import as_dm, hand_of, newest_post, place
from bot.messages import Link, Post, Whisper
from bot.render.hand import moving
from engine.errors import Refusal
from engine.play.moves import SeatMove
from engine.tables import Moment, Person, Table

if TYPE_CHECKING:
    from bot.client import HeartsBot

Interaction = discord.Interaction[Any]


def who(interaction: Interaction) -> Person:
    """Who is asking, by the name that this server knows."""
    return Person(interaction.user.id, interaction.user.display_name)


async def whisper(interaction: Interaction, message: Whisper | Post | str) -> None:
    """Answer this person alone, whether or not the interaction has been answered before."""
    shown = Whisper((message,)) if isinstance(message, str) else message
    if interaction.response.is_done():
        await interaction.followup.send(view=layout(shown), ephemeral=True, allowed_mentions=NOBODY)
    else:
        await interaction.response.send_message(view=layout(shown), ephemeral=True, allowed_mentions=NOBODY)


@dataclass(frozen=True, slots=True)
class Click:
    """A button pressed or a select used; `details` are the rest of its custom id."""

    interaction: Interaction
    table: int
    details: Sequence[str]

    @property
    def bot(self) -> HeartsBot:
        """The bot, with all its services."""
        return cast("HeartsBot", self.interaction.client)

    @property
    def person(self) -> Person:
        """Who clicked."""
        return who(self.interaction)

    @property
    def values(self) -> list[str]:
        """What was chosen in a select, or written in a form."""
        data = cast(Any, self.interaction.data or {})
        if "components" in data:
            return [part["component"]["value"] for part in data["components"]]
        return list(data.get("values", ()))

    @property
    def in_dm(self) -> bool:
        """Whether the click came from a DM."""
        return self.interaction.guild_id is None

    async def edit(self, message: Post | Whisper) -> None:
        """Answer by changing the message that was clicked."""
        await self.interaction.response.edit_message(view=layout(message), allowed_mentions=NOBODY)

    async def move(self, make: Callable[[int], SeatMove], trick: int | None = None) -> None:
        """Make a move and answer with the hand after it; a refusal shows the hand as it is now, and why."""
        self.bot.tables.get(self.table)  # a table that is gone gets no lanes any more
        at = Moment(int(self.details[0]), trick)
        # A click can change its message again only once it has been answered by changing it.
        refusal = await (self._move_in_dm(make, at) if self.in_dm else self._move_in_channel(make, at))
        if refusal:
            raise refusal

    async def _move_in_dm(self, make: Callable[[int], SeatMove], at: Moment) -> Refusal | None:
        person, dms = self.interaction.user.id, self.bot.delivery.dms
        with dms.lane(self.table, person).answering():
            table, refusal = await self._act(make, at)
            shown = as_dm(hand_of(table, person, deal=at.deal), table.public)
            await self.edit(shown)
            dms.clicked(self.table, self.interaction, at.deal, shown)
        return refusal

    async def _move_in_channel(self, make: Callable[[int], SeatMove], at: Moment) -> Refusal | None:
        person, hands = self.interaction.user.id, self.bot.delivery.hands
        with hands.lane(self.table, person).answering():
            stood = newest_post(self.bot.tables.get(self.table))
            table, refusal = await self._act(make, at)
            placed = place(hand_of(table, person), table)
            # No card may be offered in a message that will be taken away under the finger.
            stays = placed.below in (None, stood)
            shown = placed.whisper if stays else moving(table.public, at.deal)
            await self.edit(shown)
            hands.clicked(self.table, self.interaction, shown)
            if not stays:
                hands.show(self.table, person, placed)
        return refusal

    async def _act(self, make: Callable[[int], SeatMove], at: Moment) -> tuple[Table, Refusal | None]:
        """The table after the move; or as it is, and why the move was refused."""
        try:
            return await self.bot.tables.act(self.table, self.interaction.user.id, make, at), None
        except Refusal as refusal:
            return self.bot.tables.get(self.table), refusal

    async def show_hand(self) -> None:
        """Answer with this person's hand, for them alone."""
        await show_hand(self.bot, self.interaction, self.bot.tables.get(self.table))


def may_manage(interaction: Interaction) -> bool:
    """Whether this person may manage the channel, as Discord says with each interaction."""
    return interaction.permissions.manage_channels


async def show_hand(bot: HeartsBot, interaction: Interaction, table: Table) -> None:
    """Answer with this person's hand at that table, which is then kept up to date for a while."""
    person = interaction.user.id
    with bot.delivery.hands.lane(table.id, person).answering():
        placed = place(hand_of(table, person), table)
        link = bot.delivery.dms.link(table.id, person, len(table.game.deals) if table.game else 0)
        parts = placed.whisper.parts
        if link:
            parts = (*parts, (Link("Open the DM", link),))
        answer = await interaction.response.send_message(
            view=layout(Whisper(parts, placed.whisper.colour)), ephemeral=True, allowed_mentions=NOBODY
        )
        assert answer.message_id is not None
        bot.delivery.hands.opened(table.id, interaction, answer.message_id, newest_post(table), placed)
