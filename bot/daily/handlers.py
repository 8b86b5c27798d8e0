"""The daily deal: played in private, compared, shared, and posted in the mornings."""

from typing import Any

import discord
from discord import app_commands

from bot.answering.access import AccessControl
from bot.answering.answering import Click, Services, command, handles, person_of
from bot.answering.languages import ServerLanguages
from bot.daily import results as render
from bot.daily.morning_post import StopPosting, past_deal, posting_started, posting_stopped
from bot.daily.posts import DailyPosts
from bot.daily.results import FinishDaily, PlayDaily, PlayTodays, Share, ShowDailyDeal, ShowDay, ShowSeals
from bot.delivery import Delivery, Reply
from bot.discord.contexts import check_server_manager
from bot.discord.faults import REFUSALS, fault_of
from bot.discord.permissions import bot_may_post, may_post
from bot.table.hand_handlers import answer_with_hand
from bot.table.hands import hand_of, holder
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
    """A text channel exactly as Discord sent it, since it can't be looked up in a server without the bot."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """The type of the option: a channel."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """The channels to choose from: text channels."""
        return [discord.ChannelType.text]

    async def transform(self, interaction: discord.Interaction[Any], value: Any, /) -> Any:
        """Return the channel unresolved."""
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
    """Open today's deals, or show their result."""
    await open_daily(click.services, click.reply)


async def open_daily(services: Services, reply: Reply) -> None:
    """Reply with the hand in today's deals, starting them if need be, or with their result.

    If a game from an earlier day is unfinished, ask which of the two to play.
    """
    daily, person = services[DailyDeals], person_of(reply.interaction)
    table = daily.going_on(person.id)
    if table and table.daily and table.daily.day != daily.today:
        await reply.whisper(render.unfinished(table.daily, reply.language))
        return
    if table is None:
        ranking = await daily.ranking(daily.today, person.id, _compared_in(reply))
        if ranking.own:
            await reply.whisper(render.result(ranking, reply.language), lasting=True)
            return
        table = await _begin(services, reply)
    await answer_with_hand(services, reply, table)


async def _begin(services: Services, reply: Reply) -> Table:
    """Start today's deals here; outside of servers, the game has neither server nor channel."""
    channel = reply.channel if reply.guild else 0
    return await services[DailyDeals].play(person_of(reply.interaction), reply.guild, channel)


def _compared_in(reply: Reply) -> int | None:
    """The server whose players to compare with; None in a DM with the bot: the one where they played."""
    return None if reply.in_dm else reply.guild


@handles
async def finish_daily(click: Click[FinishDaily]) -> None:
    """Continue the unfinished game of an earlier day."""
    table = click.services[DailyDeals].going_on(click.person.id)
    if table is None:
        raise Refusal("table_gone")
    await answer_with_hand(click.services, click.reply, table)


@handles
async def play_todays(click: Click[PlayTodays]) -> None:
    """Give up the game that the question was about, and play today's."""
    daily = click.services[DailyDeals]
    old = daily.going_on(click.person.id)
    if old and old.daily and old.daily.day not in (click.action.day, daily.today):
        await open_daily(click.services, click.reply)  # a newer unfinished game: ask about it
        return
    await answer_with_hand(click.services, click.reply, await _begin(click.services, click.reply))


@handles
async def play_by_dm(click: Click[PlayByDm]) -> None:
    """Move the game to the player's DMs."""
    if click.in_dm:
        raise Refusal("already_by_dm")
    person, language = click.person.id, click.language
    dms = click.services[Delivery].dms.of(click.table, person)
    table = click.services[Tables].get(click.table)
    if table.daily is None:
        raise Refusal("stale")
    # If the greeting has to wait, it isn't sent later, because the hand itself will be.
    by_dm = await dms.greet(render.welcome(table.public.in_language(language)), lambda: False)
    if by_dm is not ByDm.NO:
        table = click.services[Tables].get(click.table)  # they may have played on meanwhile
        assert table.game is not None
        prefers = click.services[Tables].preferences.of(person)
        hand = hand_of(holder(table, table.public.in_language(language), person, prefers=prefers))
        dms.show(table.game.begun, hand)
    await click.reply.whisper(language.say(TOLD[by_dm]))


# Results of a day


@handles
async def show_day(click: Click[ShowDay]) -> None:
    """Show a day's results: in place of a private page, or privately below a post."""
    page = await day_page(click.services, click.reply, click.action.day)
    await (click.edit(page) if click.is_private else click.reply.whisper(page))


async def day_page(services: Services, reply: Reply, day: str) -> Whisper:
    """A day's results, for the person who asked."""
    ranking = await services[DailyDeals].ranking(day, reply.user_id, _compared_in(reply))
    return render.result(ranking, reply.language)


@handles
async def show_daily_deal(click: Click[ShowDailyDeal]) -> None:
    """Show the cards of a deal, once its day is over."""
    deal = click.action.deal
    ranking = await click.services[DailyDeals].ranking(click.action.day, click.person.id, click.guild)
    if not ranking.is_over:
        raise Refusal("day_not_over")
    if not 1 <= deal <= DEALS_A_DAY:
        raise Refusal("stale")
    post = await first_post(click.services[Database], ranking.day.date, click.guild)
    link = message_link(click.guild, *post) if post else None
    await click.edit(past_deal(ranking.day, deal, ranking.own, link, click.language))


@handles
async def share(click: Click[Share]) -> None:
    """Post the result once: here or, from a DM with the bot, in the channel where the game began."""
    daily, day = click.services[DailyDeals], click.action.day
    async with daily.sharing(day, click.person.id):
        ranking = await daily.ranking(day, click.person.id, _compared_in(click.reply))
        assert ranking.own is not None
        language = await click.services[ServerLanguages].of(ranking.guild, _readers_language(click))
        await _publish(click, ranking.own, render.shared(ranking, language))
    await click.reply.update(await day_page(click.services, click.reply, day))


@handles
async def show_seals(click: Click[ShowSeals]) -> None:
    """Show the seals of a day's deals."""
    day = await click.services[DailyDeals].day(click.action.day)
    await click.reply.whisper(render.seals_page(day, click.language))


def _readers_language(click: Click[Action]) -> Language:
    """The server's language, which Discord sends where the bot isn't a member; otherwise the player's."""
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


async def post_daily(services: Services, reply: Reply, channel: app_commands.AppCommandChannel) -> None:
    """Post the daily deal in this channel now and each morning."""
    check_server_manager(reply.interaction)
    resolved = channel.resolve()
    if resolved is None or not bot_may_post(resolved.guild, resolved):
        raise Refusal("bot_may_not_post_there")
    if not may_post(resolved, channel.permissions):
        raise Refusal("you_may_not_post")
    await put_morning_channel(services[Database], resolved.guild.id, resolved.id)
    await services[DailyPosts].post(resolved.guild.id, resolved.id)
    await reply.whisper(
        posting_started(resolved.id, until_midnight(services[DailyDeals].today), reply.language)
    )


@handles
async def stop_posting(click: Click[StopPosting]) -> None:
    """Stop the morning posts in this server."""
    await put_morning_channel(click.services[Database], click.guild, None)
    await click.edit(posting_stopped(click.language))
