"""Opening a table in front of people, and greeting who sits down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.click import Interaction, whisper
from bot.components import layout
from bot.delivery import NOBODY
from bot.faults import NETWORK
from bot.messages import Link, Whisper
from bot.render.board import LOBBY
from bot.render.lobby import lobby
from bot.render.text import channel_link
from engine.rules.words import goal
from engine.tables import PublicTable, Table

if TYPE_CHECKING:
    from bot.client import HeartsBot


async def present(bot: HeartsBot, interaction: Interaction, table: Table) -> None:
    """Answer with the table's lobby, which is kept up to date from then on, and greet the host."""
    post = lobby(table.public)
    try:
        answer = await interaction.response.send_message(view=layout(post), allowed_mentions=NOBODY)
    except (discord.HTTPException, *NETWORK):
        # The table is open all the same, and nobody could start or close it without its lobby.
        bot.delivery.posts.show(table.public, LOBBY, post)
        raise
    assert answer.message_id is not None
    await bot.delivery.posts.adopt(table.public, LOBBY, answer.message_id, post)
    # Somebody may have joined before we knew which message to change.
    bot.announce(bot.tables.get(table.id))
    await greet(bot, interaction, table)


async def greet(bot: HeartsBot, interaction: Interaction, table: Table) -> None:
    """Write a first DM to who has just sat down, and tell them where their hand will be."""
    arrived = await bot.delivery.dms.greet(table.id, interaction.user.id, welcome(table.public))
    if arrived:
        text = "You have a seat. Your hand will come by DM: I have just sent you a first one."
    else:
        text = (
            "You have a seat. Your DMs are closed to me, so your hand will wait for you here: "
            "press **My hand** in this channel once the cards are dealt. Everything works that way."
        )
    await whisper(interaction, text)


def welcome(table: PublicTable) -> Whisper:
    """The first DM to somebody who has sat down."""
    text = f"### You have a seat\n{table.rules.preset.title} in <#{table.channel}>. {goal(table.rules)}."
    return Whisper(
        (
            text,
            "Your hand will come here once the cards are dealt.",
            (Link("Go to the table", channel_link(table)),),
        )
    )
