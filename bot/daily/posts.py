"""The morning posts: one in each server that wants them, soon after a new day begins."""

import asyncio
import logging

import discord
from discord.ext import tasks

from bot.answering.languages import ServerLanguages
from bot.daily import morning_post as render
from bot.delivery import Delivery
from bot.discord.background import repeated
from bot.discord.faults import NETWORK, REFUSALS, fault_of
from engine.errors import Refusal
from engine.languages import ENGLISH
from engine.storage.daily import morning_channels, put_morning_channel, put_morning_post, servers_told
from engine.storage.database import Database
from engine.tables import DailyDeals
from engine.tables.daily import Ranking
from engine.tables.days import day_before

log = logging.getLogger(__name__)


class DailyPosts:
    """Deals each day's cards, and posts the daily deal in the servers that want it."""

    def __init__(
        self, deals: DailyDeals, delivery: Delivery, database: Database, languages: ServerLanguages
    ) -> None:
        self._deals = deals
        self._delivery = delivery
        self._database = database
        self._languages = languages
        self._turn = asyncio.Lock()

    @tasks.loop(minutes=10)
    async def post_due(self) -> None:
        """Deal the cards that are due, and post the daily deal in the servers that still lack it."""
        await repeated("the daily deal", self._post_due())

    async def _post_due(self) -> None:
        await self._deals.tend()
        posted = await servers_told(self._database, self._deals.today)
        for guild, channel in await morning_channels(self._database):
            if guild not in posted:
                await repeated(f"the daily post of server {guild}", self.post(guild, channel))

    async def post(self, guild: int, channel: int) -> None:
        """Post today's deals, once per server; if Discord refuses for good, stop posting there."""
        async with self._turn:
            if guild not in await servers_told(self._database, self._deals.today):
                await self._post(guild, channel, self._deals.today)

    async def _post(self, guild: int, channel: int, today: str) -> None:
        language = await self._languages.of(guild, ENGLISH)
        post = render.morning(await self._deals.day(today), await self._yesterday(guild), language)
        try:
            _, message = await self._delivery.send_once(channel, post, f"daily deal {today} {guild}")
        except (discord.HTTPException, *NETWORK) as error:
            await self._failed(guild, channel, error)
        else:
            await put_morning_post(self._database, today, guild, channel, message)

    async def _yesterday(self, guild: int) -> Ranking | None:
        """Yesterday's results, if there are any."""
        try:
            return await self._deals.ranking(day_before(self._deals.today), 0, guild)
        except Refusal:
            return None

    async def _failed(self, guild: int, channel: int, error: Exception) -> None:
        if fault_of(error) not in REFUSALS:
            log.warning("the daily deal can't be posted in channel %s yet: %s", channel, error)
            return
        log.warning("channel %s refuses the daily deal, which is no longer posted there: %s", channel, error)
        await put_morning_channel(self._database, guild, None)
