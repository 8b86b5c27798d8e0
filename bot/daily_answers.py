"""Answers about the daily deal, to a command or a click."""

from __future__ import annotations

import discord

from bot.click import show_hand, who
from bot.delivery import Reply
from bot.messages import Whisper
from bot.permissions import bot_may_post, may_manage_server
from bot.render import daily as render
from bot.render.dates import until_midnight
from bot.render.mornings import told_from_now_on
from bot.services import Services
from engine.errors import Refusal
from engine.storage.daily import put_morning_channel


async def open_daily(services: Services, reply: Reply) -> None:
    """Answer with the hand of today's deals, begun here unless it is already, or with what came of them.

    Where a game of an earlier day was left, ask which it shall be.
    """
    daily, person = services.daily, who(reply.interaction)
    table = daily.going_on(person.id)
    if table and table.daily and table.daily.day != daily.today:
        await reply.whisper(render.unfinished(table.daily))
        return
    if table is None:
        found = await daily.ranking(daily.today, person.id, reply.guild)
        if found.own:
            await reply.whisper(render.result(found))
            return
        if not reply.guild:
            raise Refusal("begins_in_server")
        table = await daily.play(person, reply.guild, reply.channel)
    await show_hand(services, reply, table)


async def day_page(services: Services, reply: Reply, day: str) -> Whisper:
    """How this day went, for who asks."""
    return render.result(await services.daily.ranking(day, reply.person, reply.guild))


async def post_daily(services: Services, reply: Reply, channel: discord.TextChannel) -> None:
    """Post the daily deal in this channel from now on, each morning."""
    if not may_manage_server(reply.interaction):
        raise Refusal("server_manager_only")
    if not bot_may_post(channel.guild, channel):
        raise Refusal("bot_may_not_post_there")
    await put_morning_channel(services.database, channel.guild.id, channel.id)
    await services.mornings.post(channel.guild.id, channel.id)
    await reply.whisper(told_from_now_on(channel.id, until_midnight(services.daily.today)))
