"""Tournaments in Discord: their posts in the channel, and a thread for each table.

A post for each table is sent once, and a thread started from it; every round plays in the same threads. The
posts are kept by their keys like a table's, under the tournament's number below 0, so that nothing is sent
twice after a restart.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from typing import Any, Final

import discord

from bot.delivery import Delivery, Reply, Urgency, wait_after
from bot.delivery.building import Address
from bot.discord.background import Background, watched
from bot.discord.faults import NETWORK, Fault, fault_of
from bot.table.threads import Threads
from bot.tournaments import scores as tournament_scores
from bot.tournaments import sign_up as tournaments
from bot.vocabulary.messages import ByDm, Post
from engine.errors import Refusal
from engine.storage.message_ids import ENDED
from engine.storage.threads import TableThread
from engine.tables import Calls, Preferences
from engine.tournaments import (
    Round,
    RoundTable,
    TableState,
    Tournament,
    Tournaments,
    TournamentState,
    standings,
)

log = logging.getLogger(__name__)
#: The keys of a tournament's posts; those of rounds and tables are followed by their number.
SIGN_UP, REMINDER, ROUND = "signup", "reminder", "round"
#: Older versions posted the standings apart, under this key.
STANDINGS = "standings"
TABLE, THREAD = "table", "thread"
#: Seconds for which a first DM is still sent, where Discord takes them only slowly.
GREETS_FOR: Final = 600.0
#: What the background tasks here do, for the log.
DOING = "showing a tournament"


class TournamentPosts:
    """Shows each tournament in its channel, and finds a thread for each of its tables."""

    #: The service, which is made with `provide` and with this as its listener.
    service: Tournaments

    def __init__(
        self,
        delivery: Delivery,
        threads: Threads,
        preferences: Preferences,
        clock: Callable[[], float],
    ) -> None:
        self._delivery = delivery
        self._posts = delivery.tournament_posts
        self._threads = threads
        self._preferences = preferences
        self._clock = clock
        self._background = Background()
        self._greeted: set[tuple[int, int]] = set()  # tournaments and people
        self._late: dict[int, Tournament] = {}  # those that have changed since their end was shown
        self._waiting: set[asyncio.Task[None]] = set()  # work that comes later, or not if we stop
        delivery.on_tournament_fault = self._refused

    async def close(self) -> None:
        """Let nothing happen by itself any more."""
        for task in self._waiting:
            task.cancel()
        await self.service.close()

    # A place for each table

    async def provide(self, tournament: Tournament, round: Round, table: RoundTable) -> int:
        """The thread of this table: the same in each round. TimeoutError if it comes later."""
        try:
            return await self._provide(tournament, table.number)
        except (discord.HTTPException, *NETWORK) as error:
            if fault_of(error) is Fault.LATER:
                raise TimeoutError("Discord opens no thread for now") from error
            raise Refusal("may_not_open_threads") from error

    async def _provide(self, tournament: Tournament, number: int) -> int:
        await self._threads.wait_for_servers()
        known = self._address(tournament, f"{THREAD}{number}")
        if known and not await self._threads.is_there(known[1]):
            self._threads.thread_deleted(known[1])
            await self._forget_thread(tournament.id, number)
        thread = await self._thread(tournament, number)
        if self._address(tournament, f"{THREAD}{number}"):
            await self._threads.keep(thread)
            return thread.id
        try:
            await self._threads.create(thread, (tournaments.thread_name(tournament, number),))
        except discord.HTTPException as error:
            if fault_of(error) is Fault.MESSAGE_GONE:
                await self._forget_thread(tournament.id, number)  # the next try posts it anew
            raise
        address = (thread.channel, thread.id)
        await self._posts.sent.put(tournament.id, f"{THREAD}{number}", address)
        return thread.id

    async def _thread(self, tournament: Tournament, number: int) -> TableThread:
        """The thread that starts from this table's post, which is sent first."""
        key = f"{TABLE}{number}"
        address = self._address(tournament, key)
        if address is None:
            post = tournaments.thread_line(tournament, number)
            unique = f"tournament {tournament.id} {key}"
            address = await self._delivery.send_once(tournament.channel, post, unique, Urgency.NEW)
            await self._posts.sent.put(tournament.id, key, address)
        return TableThread(address[1], tournament.guild, tournament.channel, 0)

    def _address(self, tournament: Tournament, key: str) -> Address | None:
        return self._posts.sent.address(tournament.id, key)

    async def _forget_thread(self, tournament: int, number: int) -> None:
        for key in (f"{TABLE}{number}", f"{THREAD}{number}"):
            await self._posts.sent.drop(tournament, key)

    def thread_gone(self, id: int) -> None:
        """A thread was deleted: the next round's table gets another."""
        for tournament, number in self._tables_in(id):
            self._background.start(0, DOING, self._forget_thread(tournament, number))

    def check_is_free(self, channel: int) -> None:
        """Refusal in a thread where a tournament's tables open: another table would be in their way."""
        if any(self._tables_in(channel)):
            raise Refusal("tournament_decides")

    def _tables_in(self, thread: int) -> Iterator[tuple[int, int]]:
        """The tournament that goes on, and the number of its table, in this thread."""
        for one in self.service.live:
            for key in self._posts.sent.parts(one.id):
                address = self._address(one, key)
                if key.startswith(THREAD) and address and address[1] == thread:
                    yield one.id, int(key.removeprefix(THREAD))

    def channel_gone(self, channel: int) -> None:
        """A channel was deleted, and with it the threads: its tournament ends with what was played."""
        for one in self.service.live:
            if one.channel == channel:
                self._background.start(0, DOING, self.service.channel_gone(one.id))

    # Its posts

    def __call__(self, tournament: Tournament) -> None:
        """Show what has changed."""
        if not tournament.is_live and tournament.id not in self._posts.sent.known:
            if tournament.id not in self._late:
                self._wait_with(self._show_late(tournament.id))
            self._late[tournament.id] = tournament
            return
        self._show(tournament, SIGN_UP, tournaments.sign_up(tournament), create=False)
        if tournament.state is TournamentState.SIGNING_UP:
            if (plan := tournament.plan) and plan.reminded and plan.at > self._clock():
                self._show(tournament, REMINDER, tournaments.reminder(tournament, self._may_ping))
        elif tournament.rounds:
            self._show_round(tournament)
        if not tournament.is_live:
            self._background.start(0, DOING, self._end(tournament))

    def _show(self, tournament: Tournament, key: str, post: Post, *, create: bool = True) -> None:
        self._posts.at(tournament.id, tournament.channel).show(key, post, create=create)

    def _show_round(self, tournament: Tournament) -> None:
        """Show the newest round's post alone, once a place has been looked for for all tables; or the end."""
        round, found = tournament.rounds[-1], standings(tournament)
        key, post = ENDED, None
        if not tournament.is_live:
            post = tournament_scores.ended(tournament, found)
        elif not any(table.state is TableState.WAITING and not table.tries for table in round.tables):
            key = f"{ROUND}{round.number}"
            post = tournament_scores.round_post(tournament, found, self._may_ping)
        if post is None:
            return
        for other in self._posts.sent.parts(tournament.id):
            if other.startswith((ROUND, STANDINGS)) and other != key:
                self._posts.at(tournament.id, tournament.channel).remove(other)
        self._show(tournament, key, post)

    def _may_ping(self, person: int) -> bool:
        return self._preferences.of(person).calls is not Calls.NEVER

    async def _end(self, tournament: Tournament) -> None:
        """Show its end, and then nothing more."""
        await self._delivery.forget_tournament(tournament.id)
        self._greeted = {one for one in self._greeted if one[0] != tournament.id}

    def _wait_with(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(watched(0, DOING, work))
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)

    async def _show_late(self, id: int) -> None:
        """Show what pars have changed that arrived after the end was shown, all that come at once."""
        await asyncio.sleep(self._posts.spacing)
        tournament = self._late.pop(id)
        post = tournament_scores.ended(tournament, standings(tournament))
        await self._delivery.show_tournament_late(tournament.id, post)
        if id not in self._late:  # no more has come meanwhile
            await self._delivery.end_seen(id)

    async def resume(self) -> None:
        """Show every tournament again after a restart: also one that has ended since it was shown last."""
        live = {one.id for one in await self.service.resume()}
        for number in self._posts.sent.known - live:
            try:
                self(await self.service.find(number))
            except Refusal as refusal:
                log.warning("tournament %s can't be shown: %s", number, refusal)
        for one in self.service.live:
            try:
                self.show_again(one)
            except Exception:  # all others are still to be shown
                log.exception("tournament %s can't be shown", one.id)

    def show_again(self, tournament: Tournament) -> None:
        """Show it as it is now, with its first post, whose command may never have been answered."""
        self._show(tournament, SIGN_UP, tournaments.sign_up(tournament))
        self(tournament)

    def server_changed(self, guild: int) -> None:
        """Our permissions may have changed: what was refused is shown now."""
        if found := self.service.in_guild(guild):
            self.show_again(found)

    def _refused(self, tournament: int, fault: Fault) -> None:
        """Discord takes nothing in its channel: for now the tables go on in their threads."""
        log.warning("tournament %s: its channel takes no posts: %s", tournament, fault.name)
        found = [one for one in self.service.live if one.id == tournament]
        if fault is Fault.CHANNEL_GONE and found:
            self.channel_gone(found[0].channel)

    # Answers to people

    async def publish(self, tournament: Tournament, reply: Reply) -> None:
        """Answer the command that opened it with its first post."""
        post = tournaments.sign_up(tournament)
        await self._posts.at(tournament.id, tournament.channel).publish(SIGN_UP, post, reply)

    @asynccontextmanager
    async def carrying_click(self, tournament: Tournament, reply: Reply) -> AsyncIterator[None]:
        """Within, a click on one of its posts is handled; the answer carries that post's newest state."""
        keys = self._posts.sent.parts(tournament.id)
        address = (reply.channel, reply.clicked)
        key = next((key for key in keys if self._address(tournament, key) == address), SIGN_UP)
        async with self._posts.at(tournament.id, tournament.channel).carrying_click(key, reply):
            yield

    async def greet(self, tournament: Tournament, reply: Reply) -> ByDm:
        """Send someone who has just signed up a first DM, once; it opens the way for their hands."""
        person = reply.user_id
        if (tournament.id, person) in self._greeted:
            return ByDm.YES
        try:
            fault = await self._write(tournament, reply)
        except (discord.HTTPException, *NETWORK) as error:
            self._wait_with(self._greet_later(tournament.id, reply, error))
            return ByDm.LATER
        return ByDm.NO if fault else ByDm.YES

    async def _write(self, tournament: Tournament, reply: Reply) -> Fault | None:
        whisper = tournaments.welcome(tournament, reply.language)
        unique = f"tournament {tournament.id} {reply.user_id}"
        sent = await self._delivery.dms.send_dm_once(reply.user_id, whisper, unique)
        if isinstance(sent, Fault):
            return sent
        self._greeted.add((tournament.id, reply.user_id))
        return None

    async def _greet_later(self, id: int, reply: Reply, error: Exception) -> None:
        """Retry the first DM for a while, as long as the player is still signed up."""
        until, failures = self._clock() + GREETS_FOR, 0
        while self._clock() + (seconds := wait_after(error, failures)) < until:
            await asyncio.sleep(seconds)
            failures += 1
            tournament = self.service.get(id)
            if reply.user_id not in tournament.by_person:
                return
            try:
                await self._write(tournament, reply)
                return
            except (discord.HTTPException, *NETWORK) as again:
                error = again
