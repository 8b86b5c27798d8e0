"""Each person's DM channel: stored across restarts, and opened slowly.

Discord refuses bots that open many in a short time (40003), and may quarantine them (discord-api-docs 5987).
"""

import logging
import math

import discord

from bot.delivery.budget import Budget
from bot.discord.faults import TooFast
from engine.errors import Refusal
from engine.storage import dm_channels
from engine.storage.database import Database

log = logging.getLogger(__name__)
#: Channels that may be opened at once, and seconds until one more may be. Discord publishes no figures; bots
#: have been refused after a few dozen at once.
AT_ONCE, EVERY = 10, 5.0
#: Seconds for which none is opened after Discord has refused one: at first, and at most.
FIRST_PAUSE, LONGEST_PAUSE = 5.0, 900.0
#: Seconds by which a turn may come early: a timer and the clock that set it differ by less.
SLACK = 0.01


class DmChannels:
    """Finds and opens DM channels; people who have to wait get turns in the order they asked."""

    def __init__(self, client: discord.Client, database: Database, budget: Budget) -> None:
        self._client = client
        self._database = database
        self._budget = budget
        self._clock = budget.clock
        self._channels: dict[int, int | None] = {}  # by person; None if it has to be opened
        self._turns: dict[int, float] = {}  # by person: when theirs may be opened, by the clock
        self._next_turn = -math.inf
        self._pause = 0.0  # seconds, after the last refusal
        self._paused_until = -math.inf

    async def find(self, person: int) -> int | None:
        """The channel, if we know it."""
        if person not in self._channels:
            try:
                self._channels[person] = await dm_channels.find(self._database, person)
            except Refusal:
                return None  # it is opened again
        return self._channels[person]

    async def open(self, person: int) -> int:
        """Ask Discord for the channel. TooFast if it isn't this person's turn yet."""
        if (wait := self._wait(person)) > SLACK:
            raise TooFast(wait)
        self._budget.spend()
        channel = (await self._client.create_dm(discord.Object(person))).id
        self._pause = 0.0
        if self._turns.pop(person, None) is not None:  # otherwise their data has just been deleted
            await self._put(person, channel)
        return channel

    def channel_gone(self, person: int) -> None:
        """Forget a channel that no longer exists or isn't ours."""
        self._channels[person] = None

    def refused(self, person: int) -> TooFast:
        """Stop opening channels for a while, longer each time, as Discord says that we are too fast."""
        if self._clock() >= self._paused_until:  # otherwise it is one of several calls that were in flight
            self._begin_pause()
        self._turns.pop(person, None)
        return TooFast(self._wait(person))

    def forget(self, person: int) -> None:
        """Forget this person; engine.storage.privacy deletes what is stored."""
        self._channels.pop(person, None)
        self._turns.pop(person, None)

    def _begin_pause(self) -> None:
        now = self._clock()
        is_over = now > self._paused_until + LONGEST_PAUSE
        self._pause = FIRST_PAUSE if is_over else min(LONGEST_PAUSE, max(FIRST_PAUSE, 2 * self._pause))
        log.warning("Discord refuses more DMs for now (40003): none is opened for %.0f s", self._pause)
        self._paused_until = self._next_turn = now + self._pause
        self._turns.clear()

    def _wait(self, person: int) -> float:
        """Seconds until this person's turn."""
        now = self._clock()
        if person not in self._turns:
            self._turns = {other: turn for other, turn in self._turns.items() if turn > now - LONGEST_PAUSE}
            # After a quiet time, the first few needn't wait.
            self._turns[person] = max(self._next_turn, now - (AT_ONCE - 1) * EVERY)
            self._next_turn = self._turns[person] + EVERY
        return self._turns[person] - now

    async def _put(self, person: int, channel: int) -> None:
        self._channels[person] = channel
        try:
            await dm_channels.put(self._database, person, channel)
        except Refusal as refusal:
            log.warning("a restart would open a DM channel again: %s", refusal)
