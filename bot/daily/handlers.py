"""The daily deal: played in private, compared, shared, and posted in the mornings."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.answering.access import AccessControl
from bot.answering.answering import Click, Services, command, handles, person_of
from bot.answering.languages import ServerLanguages
from bot.daily import results as render
from bot.daily.morning_post import StopPosting, no_more, past_deal, told_from_now_on
from bot.daily.mornings import DailyPosts
from bot.daily.results import FinishDaily, PlayDaily, PlayTodays, Share, ShowDailyDeal, ShowDay, ShowSeals
from bot.delivery import Delivery, Reply
from bot.discord.contexts import check_server_manager
from bot.discord.faults import REFUSALS, fault_of
from bot.discord.permissions import bot_may_post, may_post
from bot.table.hand_handlers import answer_with_hand
from bot.table.hands import hand_of
from bot.table.private_hand import PlayByDm
from bot.vocabulary.controls import PAGES, Action, Where, Who
from bot.vocabulary.messages import ByDm, Post, Whisper
from bot.words.deadlines import until_midnight
from bot.words.text import message_link
from engine.errors import Refusal
from engine.languages import N_, Language, by_locale
from engine.storage.daily import DailyResult, first_post, put_morning_channel
from engine.storage.database import Database
from engine.tables import DailyDeals, Table, Tables
from engine.tables.days import DEALS_A_DAY

TOLD = {
    ByDm.YES: N_("Your hand comes by DM from now on. `/hearts daily` shows it here as well."),
    ByDm.LATER: N_(
        "Your hand comes by DM as soon as Discord lets me send you one. Until then play here: "
        "`/hearts daily` shows your hand again at any time."
    ),
    ByDm.NO: N_("I can't DM you: play here. `/hearts daily` shows your hand again at any time."),
}


class Unresolved(app_commands.Transformer):
    """A text channel as Discord names it: in a server without the bot, it can't be looked up."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """What Discord offers."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """Which channels it offers."""
        return [discord.ChannelType.text]

    async def transform(self, interaction: discord.Interaction[Any], value: Any, /) -> Any:
        """The channel as it comes."""
        return value


@command(Who.ANYONE, Where.ANYWHERE, cost=PAGES)
@app_commands.describe(channel="Channel for the daily post (Manage Server)")
async def daily_command(
    services: Services,
    reply: Reply,
    channel: app_commands.Transform[app_commands.AppCommandChannel, Unresolved] | None = None,
) -> None:
    """Play today's three deals, the same for everyone, in private."""
    if channel is None:
        await open_daily(services, reply)
    else:
        await post_daily(services, reply, channel)


# The game


@handles
async def play_daily(click: Click[PlayDaily]) -> None:
    """Play today's deals, or see how that went."""
    await open_daily(click.services, click.reply)


async def open_daily(services: Services, reply: Reply) -> None:
    """Answer with the hand of today's deals, begun here unless it is already, or with what came of them.

    Where a game of an earlier day was left, ask which it shall be.
    """
    daily, person = services[DailyDeals], person_of(reply.interaction)
    table = daily.going_on(person.id)
    if table and table.daily and table.daily.day != daily.today:
        await reply.whisper(render.unfinished(table.daily, reply.language))
        return
    if table is None:
        found = await daily.ranking(daily.today, person.id, _compared_in(reply))
        if found.own:
            await reply.whisper(render.result(found, reply.language), lasting=True)
            return
        table = await _begin(services, reply)
    await answer_with_hand(services, reply, table)


async def _begin(services: Services, reply: Reply) -> Table:
    """Begin today's deals here; without a server to belong to, they belong to none."""
    channel = reply.channel if reply.guild else 0
    return await services[DailyDeals].play(person_of(reply.interaction), reply.guild, channel)


def _compared_in(reply: Reply) -> int | None:
    """The server whose players are shown: this one or, in a DM with the bot, the one where they played."""
    return None if reply.in_dm else reply.guild


@handles
async def finish_daily(click: Click[FinishDaily]) -> None:
    """Go on with the game of an earlier day."""
    table = click.services[DailyDeals].going_on(click.person.id)
    if table is None:
        raise Refusal("table_gone")
    await answer_with_hand(click.services, click.reply, table)


@handles
async def play_todays(click: Click[PlayTodays]) -> None:
    """Give up the game of the earlier day that was asked about, and play today's."""
    daily = click.services[DailyDeals]
    old = daily.going_on(click.person.id)
    if old and old.daily and old.daily.day not in (click.action.day, daily.today):
        await open_daily(click.services, click.reply)  # which asks about that one
        return
    await answer_with_hand(click.services, click.reply, await _begin(click.services, click.reply))


@handles
async def play_by_dm(click: Click[PlayByDm]) -> None:
    """Send the hand by DM, where the rest of the game follows."""
    if click.in_dm:
        raise Refusal("already_by_dm")
    person, language = click.person.id, click.language
    dms = click.services[Delivery].dms.of(click.table, person)
    table = click.services[Tables].get(click.table)
    if table.daily is None:
        raise Refusal("stale")
    # A first DM that has to wait is not sent later: the hand itself is.
    by_dm = await dms.greet(render.welcome(table.public.in_language(language)), lambda: False)
    if by_dm is not ByDm.NO:
        table = click.services[Tables].get(click.table)  # meanwhile they may have played on
        assert table.game is not None
        prefers = click.services[Tables].preferences.of(person)
        shown = hand_of(table, table.public.in_language(language), person, prefers=prefers)
        dms.show(table.game.begun, shown)
    await click.reply.whisper(language.say(TOLD[by_dm]))


# Its days


@handles
async def show_day(click: Click[ShowDay]) -> None:
    """Show how a day went: in place of the page that was clicked, or privately below a post."""
    page = await day_page(click.services, click.reply, click.action.day)
    await (click.edit(page) if click.is_private else click.reply.whisper(page))


async def day_page(services: Services, reply: Reply, day: str) -> Whisper:
    """How this day went, for one person."""
    found = await services[DailyDeals].ranking(day, reply.user_id, _compared_in(reply))
    return render.result(found, reply.language)


@handles
async def show_daily_deal(click: Click[ShowDailyDeal]) -> None:
    """The cards of a deal whose day is over."""
    deal = click.action.deal
    found = await click.services[DailyDeals].ranking(click.action.day, click.person.id, click.guild)
    if not found.is_over:
        raise Refusal("day_not_over")
    if not 1 <= deal <= DEALS_A_DAY:
        raise Refusal("stale")
    post = await first_post(click.services[Database], found.day.date, click.guild)
    link = message_link(click.guild, *post) if post else None
    await click.edit(past_deal(found.day, deal, found.own, link, click.language))


@handles
async def share(click: Click[Share]) -> None:
    """Post the result once: here or, from a DM with the bot, where the game was begun."""
    daily, day = click.services[DailyDeals], click.action.day
    async with daily.sharing(day, click.person.id):
        found = await daily.ranking(day, click.person.id, _compared_in(click.reply))
        assert found.own is not None
        language = await click.services[ServerLanguages].of(found.guild, _readers_language(click))
        await _publish(click, found.own, render.shared(found, language))
    await click.reply.update(await day_page(click.services, click.reply, day))


@handles
async def show_seals(click: Click[ShowSeals]) -> None:
    """Show the seals of a day's deals."""
    day = await click.services[DailyDeals].day(click.action.day)
    await click.reply.whisper(render.seals_page(day, click.language))


def _readers_language(click: Click[Action]) -> Language:
    """That of the server, as Discord tells it where the bot isn't; else that of who clicked."""
    locale = click.interaction.guild_locale
    return by_locale(locale.value) if locale and not click.guild else click.language


async def _publish(click: Click[Action], result: DailyResult, post: Post) -> None:
    await click.reply.update(None)
    try:
        if not click.in_dm:
            if await click.reply.publish(post, below=True) is None:
                raise Refusal("shown_to_you_alone")
            return
        table = await click.services[Tables].find(result.table)
        assert table.daily is not None
        if not table.guild:
            raise Refusal("nobody_reads_here")
        await click.services[AccessControl].check_may_write_in(
            table.guild, table.daily.channel, click.person.id
        )
        dedupe_key = f"shared {result.day} {click.person.id}"
        await click.services[Delivery].send_once(table.daily.channel, post, dedupe_key)
    except discord.HTTPException as error:
        if fault_of(error) in REFUSALS:
            raise Refusal("bot_may_not_post_there") from error
        raise


# In the mornings


async def post_daily(services: Services, reply: Reply, wanted: app_commands.AppCommandChannel) -> None:
    """Post the daily deal in this channel from now on, each morning."""
    check_server_manager(reply.interaction)
    channel = wanted.resolve()
    if channel is None or not bot_may_post(channel.guild, channel):
        raise Refusal("bot_may_not_post_there")
    if not may_post(channel, wanted.permissions):
        raise Refusal("you_may_not_post")
    await put_morning_channel(services[Database], channel.guild.id, channel.id)
    await services[DailyPosts].post(channel.guild.id, channel.id)
    await reply.whisper(
        told_from_now_on(channel.id, until_midnight(services[DailyDeals].today), reply.language)
    )


@handles
async def stop_posting(click: Click[StopPosting]) -> None:
    """Post no more in the mornings."""
    await put_morning_channel(click.services[Database], click.guild, None)
    await click.edit(no_more(click.language))
