"""The bot: wires its services together, and forwards the gateway's events to them."""

import asyncio
import logging
from collections.abc import Awaitable
from contextlib import suppress
from random import Random
from time import perf_counter
from typing import Any, cast

import discord
from discord import app_commands
from discord.ext import commands, tasks

from bot import commands as interactions
from bot import pictures
from bot.answering.access import AccessControl
from bot.answering.answering import Services, Translations, Tree, dispatch
from bot.answering.languages import ServerLanguages
from bot.answering.limits import DoubleTaps, Limits
from bot.answering.membership import Memberships
from bot.config import CALLS_PER_SECOND
from bot.daily.ends import DailyEnds
from bot.daily.posts import DailyPosts
from bot.delivery import Delivery, Draw
from bot.discord.background import repeated
from bot.discord.gateway import drop_odd_events
from bot.discord.traffic import Traffic
from bot.invitations.asking import Invitations
from bot.operator import progress
from bot.operator.monitor import Monitor
from bot.operator.reports import Reports
from bot.provisioning import Uploads
from bot.table.announcer import Announcer, PrivateTables
from bot.table.board import LOBBY
from bot.table.lobby import lobby
from bot.table.threads import Threads
from bot.table.trouble import SaveFailures, Trouble, post_damaged
from bot.tournaments.posts import TournamentPosts
from engine.languages import Language
from engine.loading import Loader
from engine.storage import privacy
from engine.storage.database import Database
from engine.storage.moderation import everyone_blocked
from engine.storage.tables import newest_table
from engine.tables import Advisor, DailyDeals, Forgetting, Preferences, Replays, State, Table, Tables, Teacher
from engine.thinking import Thinking
from engine.tournaments import Tournaments

log = logging.getLogger(__name__)
# Silences discord.py's warnings about missing voice libraries.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False

#: The most seconds that a stop spends on finishing what has begun, updating messages, and disconnecting.
#: Docker kills a container after ten.
LONGEST_FINISH, LONGEST_FLUSH, LONGEST_CLOSE = 1.0, 2.0, 0.5
#: Interactions whose ids are remembered: enough for the few minutes in which the gateway may repeat one.
CLICKS_REMEMBERED = 20_000
#: What is in a server.
Placed = discord.abc.GuildChannel | discord.Thread | discord.Role | discord.Member


class HeartsBot(commands.AutoShardedBot):
    """Plays at the tables of one database; needs no intent but guilds."""

    def __init__(
        self,
        database: Database,
        *,
        rng: Random | None = None,
        draw: Draw | None = None,
        thinking: Thinking | None = None,
        shard_count: int | None = None,
        calls: int = CALLS_PER_SECOND,
        advisor: Advisor | None = None,
    ) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        self.traffic = Traffic()
        super().__init__(
            http_trace=self.traffic.trace(),
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            shard_count=shard_count,
            tree_cls=Tree,
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
        )
        self.database = database
        self._drawing = pictures.DrawingProcess()
        self._draws_itself = draw is None
        preferences = Preferences(database)
        self.delivery = Delivery(
            self, database, draw or self._drawing.draw, preferences.chosen_language, calls
        )
        self.thinking = thinking or Thinking()
        self.loader = Loader()
        self.announcer = Announcer(self.delivery, preferences)
        self.private_tables = PrivateTables(self.delivery, preferences)
        self.tables = Tables(
            database,
            self._show,
            SaveFailures(self.delivery, now),
            rng=rng,
            thinking=self.thinking,
            clock=now,
            preferences=preferences,
            load=self.loader,
            par_found=self._par_found,
            par_first=lambda table: table.tournament is not None,
        )
        self.trouble = Trouble(self, self.tables, self.delivery)
        self.threads = Threads(self, database, self.tables, self.delivery, now)
        self.tournament_posts = posts = TournamentPosts(self.delivery, self.threads, preferences, now)
        posts.service = Tournaments(self.tables, database, posts.provide, posts, rng=rng)
        self.delivery.on_fault = self.trouble.refused
        self.delivery.posts_language = self._posts_language
        self.delivery.posts.on_late_post = self.trouble.posted
        self.announcer.on_notice = self.trouble.noticed
        self.uploads = Uploads(self, self.tree, database, self.delivery.budget, self.delivery.emojis)
        self.monitor = Monitor(self, self.traffic, self.tables, self.delivery, self.thinking, database)
        daily = DailyDeals(self.tables, database, now)
        self.private_tables.on_daily_over = DailyEnds(daily, self.delivery, preferences)
        languages = ServerLanguages(self, database)
        self.daily_posts = DailyPosts(daily, self.delivery, database, languages)
        self.invitations = Invitations(self, self.tables, self.delivery, database, now)
        self.replays = Replays(self.tables, database, now, self.loader)
        self.forgetting = Forgetting(
            self.tables,
            database,
            self.delivery.dms.leave_all,
            lambda: daily.today,
            others=(self.tournament_posts.service,),
        )
        self.limits = Limits(_loop_time)
        access = AccessControl(
            self.tables,
            Memberships(self, self.delivery, _loop_time),
            self.threads.parent,
            self.threads.tables_of,
            self.tournament_posts.check_is_free,
            self.tournament_posts.service.find,
            self.trouble.pass_on,
        )
        self.services = Services(
            access,
            daily,
            languages,
            database,
            self.announcer,
            self.invitations,
            self.delivery,
            self.forgetting,
            self.limits,
            self.loader,
            self.daily_posts,
            self.tournament_posts,
            self.tournament_posts.service,
            self.replays,
            self.tables,
            self.threads,
            DoubleTaps(),
            Teacher(self.tables, advisor or self.thinking.advise),
        )
        self.reports = Reports(self.monitor)
        self.is_setting_up = False
        self._handled: dict[int, None] = {}  # the last interactions, by id
        self._listen_to_clicks()

    async def setup_hook(self) -> None:
        """Resume the tables, and start the background work that needs Discord."""
        self.is_setting_up = True
        self.monitor.began = self.delivery.budget.clock()
        self.traffic.listen(self.http)
        interactions.add_commands(cast(Tree, self.tree), self.services)
        self.limits.blocked = await everyone_blocked(self.database)
        await privacy.finish(self.database, at_start=True)
        if self._draws_itself:
            self._drawing.open()
        await self.delivery.load()
        await self.threads.load()
        await self.tree.set_translator(Translations())
        await self.uploads.start()
        began = perf_counter()
        self.tables.presence.leave()  # until the gateway is connected
        self.tables.presence.watch()
        tables = await self.tables.resume()
        self.reports.resumed(perf_counter() - began)
        for table in tables:
            self._show_again(table)
        await self.tournament_posts.resume()
        self.invitations.resume_dms(tables)
        post_damaged(self.delivery.posts, self.tables.damaged)
        newest = await newest_table(self.database)
        self.trouble.post_taken_back(progress.taken_back(self.database.path, tables, newest))
        progress.note(self.database.path, self.tables.live)
        await self.forgetting.finish()
        self.trouble.check_members.start()
        self.tidy.start()
        self.daily_posts.post_due.start()
        self.threads.archive_quiet.start()
        self.is_setting_up = False

    @tasks.loop(hours=1)
    async def tidy(self) -> None:
        """Delete data that is due for deletion, and note the progress of games."""
        progress.note(self.database.path, self.tables.live)
        await repeated("the hourly tidying", self.replays.drop_old_files())
        await repeated("dropping old invitations", self.invitations.drop_old())
        await repeated("deleting tables without a finished deal", self.tables.drop_unplayed())

    async def on_ready(self) -> None:
        """Log that the gateway is connected; also called after a reconnect."""
        self.reports.connected()

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Note that a connection is lost, and that clicks don't reach us."""
        self.tables.presence.leave()

    async def on_shard_ready(self, shard_id: int) -> None:
        """Continue once a new connection is up."""
        self._reachable()

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Continue once a lost connection has been resumed."""
        self._reachable()

    def _reachable(self) -> None:
        if not any(shard.is_closed() for shard in self.shards.values()):
            self.tables.presence.come_back()
            self.delivery.retry()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Handle a command or a control."""
        self.threads.note_activity(interaction.channel_id or 0)
        await dispatch(self.services, interaction)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Handle a deleted channel, which a table may have been in; its threads have events of their own."""
        self.trouble.channel_gone(channel.id)
        self.tournament_posts.channel_gone(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Handle a deleted thread, which a table may have been in."""
        self.threads.thread_deleted(payload.thread_id)
        self.tournament_posts.thread_gone(payload.thread_id)
        self.trouble.channel_gone(payload.thread_id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Handle our removal from a server."""
        self.trouble.server_left(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Handle a server that we can reach, perhaps once more."""
        self._server_changed(guild)

    on_guild_available = on_guild_join

    async def on_guild_channel_update(self, before: Any, after: Placed) -> None:
        """Handle a change, perhaps of our permissions; of members, only our own changes arrive."""
        self._server_changed(after.guild)

    on_thread_update = on_guild_role_update = on_member_update = on_guild_channel_update

    async def on_thread_join(self, what: Placed) -> None:
        """Handle a thread that we can see again, or a role that denies us nothing any more."""
        self._server_changed(what.guild)

    on_guild_role_delete = on_thread_join

    def _server_changed(self, guild: discord.Guild) -> None:
        self.trouble.server_changed(guild)
        self.tournament_posts.server_changed(guild.id)

    async def close(self) -> None:
        """Refuse new clicks, finish or cut off what is under way, disconnect, then close the database."""
        self.reports.stopping()
        self.limits.close()
        self.trouble.check_members.cancel()
        self.tidy.cancel()
        self.daily_posts.post_due.cancel()
        self.threads.archive_quiet.cancel()
        self.invitations.close()
        try:
            working = (self.uploads, self.forgetting, self.tournament_posts, self.tables)
            await _at_most(LONGEST_FINISH, *[one.close() for one in working])
            progress.note(self.database.path, self.tables.live)
            await self.delivery.flush(LONGEST_FLUSH)
            await _at_most(LONGEST_CLOSE, super().close())
        finally:
            self.reports.stopped()
            self._drawing.close()
            self.thinking.close()
            self.loader.close()
            await self.database.close()

    def _posts_language(self, channel: int) -> Language | None:
        """The language of the table in this channel, which its posts have; None without a table."""
        table = self.tables.in_channel(channel)
        return table.language if table else None

    def _show(self, table: Table) -> None:
        """Show a table that has changed."""
        (self.private_tables if table.is_private else self.announcer)(table)
        self.threads.changed(table)

    def _show_again(self, table: Table) -> None:
        """Show a table after a start; a failure is logged, so that the others are still shown."""
        try:
            if table.state is State.LOBBY and not table.is_private:
                # If we stopped while it was opened, the command that opened it got no answer.
                self.delivery.posts.at(table.id, table.channel).show(LOBBY, lobby(table.public))
            self._show(table)
        except Exception:
            log.exception("table %s can't be shown", table.id)

    def _par_found(self, table: Table, deal: int) -> None:
        """Show the par of a finished deal, which is now known."""
        (self.private_tables if table.is_private else self.announcer).par_found(table, deal)

    def _listen_to_clicks(self) -> None:
        """Count each click and command, note the newest message in its channel, and survive odd events.

        The newest message is read here because discord.py ignores the channel in an interaction and keeps the
        one it first saw. Interactions that the gateway repeats after a reconnect are dropped.
        """
        parsers = self._connection.parsers
        parse = parsers["INTERACTION_CREATE"]

        def hear(interaction: Any) -> None:
            if not self._is_new(int(interaction["id"])):
                return
            channel = interaction.get("channel") or {}
            if newest := channel.get("last_message_id"):
                self.delivery.foreign.note_newest(int(channel["id"]), int(newest))
            self.traffic.clicked(interaction)
            parse(interaction)

        parsers["INTERACTION_CREATE"] = hear
        drop_odd_events(parsers, self.traffic.dropped)

    def _is_new(self, interaction: int) -> bool:
        """Whether this interaction isn't among the last ones handled; also remembers it."""
        if interaction in self._handled:
            return False
        self._handled[interaction] = None
        if len(self._handled) > CLICKS_REMEMBERED:
            del self._handled[next(iter(self._handled))]
        return True


async def _at_most(seconds: float, *work: Awaitable[None]) -> None:
    """Run all of these together, and give up after this many seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.gather(*work)


def now() -> float:
    """Seconds since 1970 by discord.py's clock, which a simulated Discord can set."""
    return discord.utils.utcnow().timestamp()


def _loop_time() -> float:
    return asyncio.get_running_loop().time()
