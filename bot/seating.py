"""Opening a table in front of people, and greeting who sits down."""

from __future__ import annotations

from bot.delivery import Reply
from bot.render.board import LOBBY
from bot.render.lobby import lobby, welcome
from bot.services import Services
from engine.tables import Table


async def show_lobby(services: Services, reply: Reply, table: Table) -> None:
    """Answer with the table's lobby, which is kept up to date from then on, and greet the host."""
    post = lobby(table.public)
    await services.delivery.posts.publish(table.id, table.channel, LOBBY, post, reply)
    await greet(services, reply, table)


async def greet(services: Services, reply: Reply, table: Table) -> None:
    """Write a first DM to who has just sat down, and tell them where their hand will be."""
    arrived = await services.delivery.dms.greet(table.id, reply.person, welcome(table.public))
    if arrived:
        text = "You have a seat. Your hand will come by DM: I have just sent you a first one."
    else:
        text = (
            "You have a seat. Your DMs are closed to me, so your hand will wait for you here: "
            "press **My hand** in this channel once the cards are dealt. Everything works that way."
        )
    await reply.whisper(text)
