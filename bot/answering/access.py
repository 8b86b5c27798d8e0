"""Checks who may use a control or command, and where, as each declares it, before its handler runs."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import discord

from bot.answering.membership import Memberships
from bot.delivery import Reply
from bot.discord.contexts import check_server
from bot.discord.permissions import (
    may_manage_channel,
    may_manage_events,
    may_manage_server,
    may_post,
    may_see,
)
from bot.vocabulary.controls import Access, Action, TournamentAction, Where, Who
from engine.errors import Refusal
from engine.tables import Table, TableInfo, Tables
from engine.tables.changes import check_is_host, check_may_stop
from engine.tournaments import Tournament, check_may_decide


@dataclass(frozen=True, slots=True)
class AccessControl:
    """Checks the access that a control or command declares; a Refusal says what is missing."""

    tables: Tables
    memberships: Memberships
    #: The channel around this thread; None if it isn't a thread of ours.
    parent: Callable[[int], int | None]
    #: The live tables in this channel's threads.
    tables_in_threads: Callable[[int], Sequence[Table]]
    #: Refusal in a thread where a tournament's tables open, as another table would be in their way.
    check_is_free: Callable[[int], None]
    #: The tournament with this id; Refusal if there is none.
    tournament: Callable[[int], Awaitable[Tournament]]
    #: Gives a lobby a new host if its host has left the server; True if it did.
    pass_on: Callable[[int], Awaitable[bool]]

    async def check_control(self, reply: Reply, action: Action, *, is_private: bool) -> None:
        """Check a click on a message; `is_private` if only that person sees the message."""
        if action.access.private and not is_private:
            raise Refusal("stale")
        if isinstance(action, TournamentAction):
            await self._check_tournament(reply, action)
        elif action.table:
            await self._check_table(reply, action)
        else:
            _check_place(reply, action.access)
        if action.access.posts:
            check_may_write(reply)

    async def check_command(self, reply: Reply, access: Access) -> None:
        """Check a command, and the person's role at the table in its place."""
        _check_place(reply, access)
        if access.who in (Who.PLAYER, Who.HOST):
            await self._check_role(reply, access.who, self.tables.at(reply.place))
        if access.posts:
            check_may_write(reply)

    # A table

    async def _check_table(self, reply: Reply, action: Action) -> None:
        access, table = action.access, await self.tables.find(action.table)
        if table.is_private:
            _check_private_table(reply, access, table)
        elif reply.in_dm:
            await self._check_dm(reply, access, table)
        else:
            places = {self.parent(table.channel): Where.AROUND, table.channel: Where.CHANNEL}
            if not places.get(reply.channel, Where(0)) & access.where:
                raise Refusal("stale")
        if table.is_live:  # otherwise the handler says how the table ended
            await self._check_role(reply, access.who, table)

    async def _check_dm(self, reply: Reply, access: Access, table: TableInfo) -> None:
        """In a DM with us, check that the person is still in the table's server, as nothing else does.

        Players may always play the cards that they hold.
        """
        if Where.DM not in access.where:
            raise Refusal("stale")
        if not table.concerns(reply.user_id):
            raise Refusal("not_seated")
        if access.who is Who.HOLDER:
            return
        membership = await self.memberships.find(table.guild, reply.user_id)
        if membership is None:
            return  # the bot is no longer in the server, so nothing can be checked or done there
        if membership.has_left:
            raise Refusal("not_there")
        if membership.member is None and table.seat_of(reply.user_id) is None:
            # Players keep their seat until Discord says that they have left, as it may be out of reach.
            raise Refusal("membership_unknown")
        if membership.member:
            channel = membership.member.guild.get_channel_or_thread(table.channel)
            if channel is not None and not may_see(channel, membership.member):
                raise Refusal("not_there")

    async def _check_role(self, reply: Reply, who: Who, table: TableInfo) -> None:
        person = reply.user_id
        match who:
            case Who.HOLDER | Who.PLAYER if not table.concerns(person):
                raise Refusal("not_seated")
            case Who.HOST:
                await self._check_host(table.id, person)
            case Who.CHANNEL_MANAGER:
                may_manage = may_manage_channel(reply.interaction)
                check_may_stop(self.tables.get(table.id), may_manage=may_manage)

    async def _check_host(self, table: int, person: int) -> None:
        try:
            check_is_host(self.tables.get(table), person)
        except Refusal:
            if not await self.pass_on(table):
                raise
            check_is_host(self.tables.get(table), person)

    async def check_may_write_in(self, guild: int, channel: int, person: int) -> None:
        """Check that this person may write in a channel other than the one where they clicked."""
        membership = await self.memberships.find(guild, person)
        if membership is None or membership.has_left:
            raise Refusal("not_there")
        if membership.member is None:
            raise Refusal("membership_unknown")
        place = membership.member.guild.get_channel_or_thread(channel)
        if place is not None and not may_post(place, place.permissions_for(membership.member)):
            raise Refusal("you_may_not_post")

    # A tournament

    async def _check_tournament(self, reply: Reply, action: TournamentAction) -> None:
        """A tournament's controls work in its channel and the threads there, where its tables are."""
        tournament = await self.tournament(action.tournament)
        channel = reply.interaction.channel
        parent = channel.parent_id if isinstance(channel, discord.Thread) else None
        if tournament.guild != reply.guild or tournament.channel not in (reply.channel, parent):
            raise Refusal("no_tournament")
        if action.access.who is Who.TOURNAMENT_HOST:
            may_manage = may_manage_events(reply.interaction)
            check_may_decide(tournament, reply.user_id, may_manage=may_manage)


def _check_place(reply: Reply, access: Access) -> None:
    """Check the place of a control or command that concerns no table."""
    if not access.where & (Where.SERVER | Where.ANYWHERE):
        raise Refusal("stale")
    if Where.ANYWHERE not in access.where:
        check_server(reply.interaction)
    if access.who is Who.MANAGER and not may_manage_server(reply.interaction):
        raise Refusal("server_manager_only")


def _check_private_table(reply: Reply, access: Access, table: TableInfo) -> None:
    """A private table works for its player wherever they see it."""
    kind = Where.DAILY if table.daily else Where.ALONE
    if kind not in access.where or table.seat_of(reply.user_id) is None:
        raise Refusal("stale")
    if table.daily and access.who is Who.HOLDER and not table.is_live:
        raise Refusal("daily_over")


def check_may_write(reply: Reply) -> None:
    """Refusal unless this person may write where they clicked."""
    if not may_write(reply):
        raise Refusal("you_may_not_post")


def may_write(reply: Reply) -> bool:
    """Whether this person may write where they clicked; outside of servers, Discord checks that."""
    return not reply.guild or may_post(reply.interaction.channel, reply.interaction.permissions)
