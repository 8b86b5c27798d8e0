"""Tournaments in Discord: their posts in the channel, and a thread for each table.

Each table gets one post with a thread, which all rounds use. The posts' ids are stored by their keys, as a
table's are, under the tournament's (negative) id, so that nothing is sent twice after a restart.
"""

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
#: Keys of a tournament's posts; ROUND, TABLE and THREAD are followed by a number.
SIGN_UP, REMINDER, ROUND = "signup", "reminder", "round"
#: Older versions sent the standings as a post of their own, under this key.
STANDINGS = "standings"
TABLE, THREAD = "table", "thread"
#: Seconds during which a first DM that Discord puts off is retried.
GREETS_FOR: Final = 600.0
#: What the background tasks here do, for the log.
DOING = "showing a tournament"


class TournamentPosts:
    """Shows each tournament in its channel, and provides a thread for each of its tables."""

    #: The service; it is constructed with `provide` and with this object as its listener.
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
        self._greeted: set[tuple[int, int]] = set()  # tournament, person
        self._late: dict[int, Tournament] = {}  # by id: changed after their end was shown
        self._waiting: set[asyncio.Task[None]] = set()  # delayed work, cancelled on close
        delivery.on_tournament_fault = self._refused

    async def close(self) -> None:
        """Cancel pending work."""
        for task in self._waiting:
            task.cancel()
        await self.service.close()

    # A thread for each table

    async def provide(self, tournament: Tournament, round: Round, table: RoundTable) -> int:
        """The id of this table's thread, which all rounds share; it is created if need be.

        TimeoutError if Discord can't open it yet; Refusal if it won't.
        """
        try:
            return await self._provide(tournament, table.number)
        except (discord.HTTPException, *NETWORK) as error:
            if fault_of(error) is Fault.LATER:
                raise TimeoutError("Discord opens no thread for now") from error
            raise Refusal("may_not_open_threads") from error

    async def _provide(self, tournament: Tournament, number: int) -> int:
        await self._threads.wait_for_servers()
        address = self._address(tournament, f"{THREAD}{number}")
        if address and not await self._threads.is_there(address[1]):
            self._threads.thread_deleted(address[1])
            await self._forget_thread(tournament.id, number)
        thread = await self._thread(tournament, number)
        if self._address(tournament, f"{THREAD}{number}"):
            await self._threads.keep(thread)
            return thread.id
        try:
            await self._threads.create(thread, (tournaments.thread_name(tournament, number),))
        except discord.HTTPException as error:
            if fault_of(error) is Fault.MESSAGE_GONE:
                await self._forget_thread(tournament.id, number)  # the next try sends it again
            raise
        await self._posts.sent.put(tournament.id, f"{THREAD}{number}", (thread.channel, thread.id))
        return thread.id

    async def _thread(self, tournament: Tournament, number: int) -> TableThread:
        """The thread below this table's post, which is sent if need be; the thread may not exist yet."""
        key = f"{TABLE}{number}"
        address = self._address(tournament, key)
        if address is None:
            post = tournaments.thread_line(tournament, number)
            dedupe_key = f"tournament {tournament.id} {key}"
            address = await self._delivery.send_once(tournament.channel, post, dedupe_key, Urgency.NEW)
            await self._posts.sent.put(tournament.id, key, address)
        return TableThread(address[1], tournament.guild, tournament.channel, 0)

    def _address(self, tournament: Tournament, key: str) -> Address | None:
        return self._posts.sent.address(tournament.id, key)

    async def _forget_thread(self, tournament: int, number: int) -> None:
        for key in (f"{TABLE}{number}", f"{THREAD}{number}"):
            await self._posts.sent.drop(tournament, key)

    def thread_gone(self, id: int) -> None:
        """Forget a deleted thread, so that the next round opens another."""
        for tournament, number in self._tables_in(id):
            self._background.start(0, DOING, self._forget_thread(tournament, number))

    def check_is_free(self, channel: int) -> None:
        """Refusal in a thread that a live tournament plays in, where another table would be in the way."""
        if any(self._tables_in(channel)):
            raise Refusal("tournament_decides")

    def _tables_in(self, thread: int) -> Iterator[tuple[int, int]]:
        """The id of each live tournament with a table in this thread, and that table's number."""
        for one in self.service.live:
            for key in self._posts.sent.parts(one.id):
                address = self._address(one, key)
                if key.startswith(THREAD) and address and address[1] == thread:
                    yield one.id, int(key.removeprefix(THREAD))

    def channel_gone(self, channel: int) -> None:
        """End the tournament in a deleted channel: its threads are gone too, so what was played counts."""
        for one in self.service.live:
            if one.channel == channel:
                self._background.start(0, DOING, self.service.channel_gone(one.id))

    # Its posts

    def __call__(self, tournament: Tournament) -> None:
        """Update the posts of a tournament that has changed."""
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
        """Replace earlier rounds' posts by the newest round's or, at the end, by the result.

        A round is only shown once the bot has tried to open a thread for each of its tables.
        """
        round, ranking = tournament.rounds[-1], standings(tournament)
        key, post = ENDED, None
        if not tournament.is_live:
            post = tournament_scores.ended(tournament, ranking)
        elif not any(table.state is TableState.WAITING and not table.tries for table in round.tables):
            key = f"{ROUND}{round.number}"
            post = tournament_scores.round_post(tournament, ranking, self._may_ping)
        if post is None:
            return
        for other in self._posts.sent.parts(tournament.id):
            if other.startswith((ROUND, STANDINGS)) and other != key:
                self._posts.at(tournament.id, tournament.channel).remove(other)
        self._show(tournament, key, post)

    def _may_ping(self, person: int) -> bool:
        return self._preferences.of(person).calls is not Calls.NEVER

    async def _end(self, tournament: Tournament) -> None:
        """Let the last post go out, then drop what was kept for this tournament."""
        await self._delivery.forget_tournament(tournament.id)
        self._greeted = {one for one in self._greeted if one[0] != tournament.id}

    def _wait_with(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(watched(0, DOING, work))
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)

    async def _show_late(self, id: int) -> None:
        """Add pars that arrived after the end was shown; one edit shows all that come close together."""
        await asyncio.sleep(self._posts.spacing)
        tournament = self._late.pop(id)
        post = tournament_scores.ended(tournament, standings(tournament))
        await self._delivery.show_tournament_late(tournament.id, post)
        if id not in self._late:  # no other change came meanwhile
            await self._delivery.end_seen(id)

    async def resume(self) -> None:
        """Show every tournament again after a restart, including those whose end wasn't shown yet."""
        live = {one.id for one in await self.service.resume()}
        for number in self._posts.sent.known - live:
            try:
                self(await self.service.find(number))
            except Refusal as refusal:
                log.warning("tournament %s can't be shown: %s", number, refusal)
        for one in self.service.live:
            try:
                self.show_again(one)
            except Exception:  # one fault mustn't keep the others from being shown
                log.exception("tournament %s can't be shown", one.id)

    def show_again(self, tournament: Tournament) -> None:
        """Send or edit all its posts; the first may be missing if the reply to its command was lost."""
        self._show(tournament, SIGN_UP, tournaments.sign_up(tournament))
        self(tournament)

    def server_changed(self, guild: int) -> None:
        """Retry posts that Discord refused, as our permissions may have changed."""
        if tournament := self.service.in_guild(guild):
            self.show_again(tournament)

    def _refused(self, tournament: int, fault: Fault) -> None:
        """Note that its channel takes no posts; its tables carry on in their threads unless it is deleted."""
        log.warning("tournament %s: its channel takes no posts: %s", tournament, fault.name)
        if fault is Fault.CHANNEL_GONE:
            for one in self.service.live:
                if one.id == tournament:
                    self.channel_gone(one.channel)
                    return

    # Answers to people

    async def publish(self, tournament: Tournament, reply: Reply) -> None:
        """Send its first post as the reply to the command that opened it."""
        post = tournaments.sign_up(tournament)
        await self._posts.at(tournament.id, tournament.channel).publish(SIGN_UP, post, reply)

    @asynccontextmanager
    async def carrying_click(self, tournament: Tournament, reply: Reply) -> AsyncIterator[None]:
        """Handle a click within this context; the answer to it then updates the post that was clicked."""
        keys = self._posts.sent.parts(tournament.id)
        address = (reply.channel, reply.clicked)
        key = next((key for key in keys if self._address(tournament, key) == address), SIGN_UP)
        async with self._posts.at(tournament.id, tournament.channel).carrying_click(key, reply):
            yield

    async def greet(self, tournament: Tournament, reply: Reply) -> ByDm:
        """Send someone who has just signed up a first DM, once, so that their hands can follow it."""
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
        dedupe_key = f"tournament {tournament.id} {reply.user_id}"
        sent = await self._delivery.dms.send_dm_once(reply.user_id, whisper, dedupe_key)
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
