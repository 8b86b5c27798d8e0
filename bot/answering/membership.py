"""Asks Discord whether people are in a server, where a click doesn't tell, as in a DM."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import discord

from bot.delivery import Delivery, Urgency
from bot.discord.faults import NETWORK
from bot.discord.permissions import NOT_A_MEMBER

#: Seconds for which an answer is remembered.
RECENT = 30.0
#: Seconds for which a click waits for an answer.
MEMBER_PATIENCE = 2.0


@dataclass(frozen=True, slots=True)
class Membership:
    """What Discord said: a member, or someone who has left; neither if it gave no answer."""

    member: discord.Member | None = None
    has_left: bool = False


class Memberships:
    """Asks Discord, at most once for each click, and remembers the answers for a while."""

    def __init__(self, client: discord.Client, delivery: Delivery, clock: Callable[[], float]) -> None:
        self._client = client
        self._delivery = delivery
        self._clock = clock
        self._answers: dict[tuple[int, int], tuple[float, Membership]] = {}

    async def find(self, guild: int, person: int) -> Membership | None:
        """Return this person's membership of the server, up to RECENT seconds old.

        None if the bot itself isn't in that server.
        """
        server = self._client.get_guild(guild)
        if server is None:
            return None
        now, key = self._clock(), (guild, person)
        self._answers = {old: entry for old, entry in self._answers.items() if now - entry[0] < RECENT}
        if key not in self._answers:
            self._answers[key] = now, await self._ask(server, person)
        return self._answers[key][1]

    async def _ask(self, server: discord.Guild, person: int) -> Membership:
        try:
            async with asyncio.timeout(MEMBER_PATIENCE):
                await self._delivery.budget.turn(Urgency.NEW)
                return Membership(await server.fetch_member(person))
        except (discord.HTTPException, *NETWORK) as error:
            return Membership(has_left=getattr(error, "code", None) in NOT_A_MEMBER)
