"""Inviting people to a table in its lobby."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import discord

from bot.answering.answering import Click, handles, number
from bot.invitations import telling
from bot.invitations.asking import Guest, Invitations
from bot.invitations.telling import OpenTimes, SetTimes
from bot.table import invited as inviting
from bot.table.invited import CallPlayers, Invite, StopTelling
from bot.table.lobby import ShowGuests
from bot.table.starts import which_zone
from bot.vocabulary.messages import Whisper
from engine.errors import Refusal
from engine.storage.call_wishes import CallWish, drop_wish, find_wish, put_wish
from engine.storage.database import Database
from engine.tables import Person, Table, Tables
from engine.tables.inviting import check_may_invite


@handles
async def show_guests(click: Click[ShowGuests]) -> None:
    """Open the page for inviting people."""
    table = click.services[Tables].get(click.table)
    check_may_invite(table, click.person.id)
    await click.reply.whisper(await _page(click, table))


@handles
async def invite(click: Click[Invite]) -> None:
    """Invite the chosen people, and say on the page who was invited and who wasn't."""
    invited = await click.services[Invitations].invite(click.table, click.person.id, guests(click))
    lines = inviting.came_of(
        [guest.person.name for guest in invited.guests],
        [(guest.person.name, why) for guest, why in invited.unwelcome],
        click.language,
    )
    await click.edit(await _page(click, invited.table, lines))


@handles
async def call_players(click: Click[CallPlayers]) -> None:
    """Tell the people who asked for it that the table needs players."""
    called = await click.services[Invitations].call(click.table, click.person.id)
    line = inviting.called(called.mentioned, called.written_to, click.language)
    await click.edit(await _page(click, called.table, [line]))


async def _page(click: Click[Any], table: Table, lines: Sequence[str] = ()) -> Whisper:
    """The page for inviting people, below these lines about the last click."""
    may_call = await click.services[Invitations].may_call(table, click.person.id)
    return inviting.page(table.public.in_language(click.language), lines, may_call=may_call)


# Being told when players are needed


@handles
async def open_times(click: Click[OpenTimes]) -> None:
    """Open the form for how often and when the person may be told."""
    wish = await _wish(click)
    await click.reply.ask(telling.times(wish, click.language))


@handles
async def set_times(click: Click[SetTimes]) -> None:
    """Store how often and when the person may be told."""
    wish = await _wish(click)
    quiet_from, quiet_until = click.chosen(telling.FROM), click.chosen(telling.UNTIL)
    has_quiet_hours = quiet_from not in (None, quiet_until)
    changed = replace(
        wish,
        every_hours=click.chosen(telling.EVERY),
        quiet_from=quiet_from if has_quiet_hours else None,
        quiet_until=quiet_until if has_quiet_hours else None,
    )
    await put_wish(click.services[Database], changed)
    zone = click.services[Tables].preferences.of(click.person.id).zone
    answer = telling.chosen(changed, zone, click.language)
    if has_quiet_hours and zone is None:
        answer = Whisper((*answer.parts, *which_zone(click.services[Tables].now, click.language).parts))
    await click.reply.whisper(answer)


async def _wish(click: Click[Any]) -> CallWish:
    """The person's wish to be told in this server; Refusal if there is none."""
    wish = await find_wish(click.services[Database], click.guild, click.person.id)
    if wish is None:
        raise Refusal("not_told")
    return wish


@handles
async def stop_telling(click: Click[StopTelling]) -> None:
    """Stop telling the person about tables in that server."""
    await drop_wish(click.services[Database], click.action.guild, click.person.id)
    click.services[Invitations].cancel_dms(click.person.id)
    await click.reply.whisper(
        click.language.say("OK, I won't tell you about tables in that server any more.")
    )


def guests(click: Click[Any]) -> list[Guest]:
    """The chosen people; Refusal if Discord leaves out the data about them."""
    resolved = cast(Any, click.interaction.data or {}).get("resolved") or {}
    users, members = resolved.get("users") or {}, resolved.get("members") or {}
    chosen = dict.fromkeys(click.values)
    if not chosen or not all(one in users for one in chosen):
        raise Refusal("stale")
    return [_guest(number(one), users[one], members.get(one)) for one in chosen]


def _guest(id: int, user: Mapping[str, Any], member: Mapping[str, Any] | None) -> Guest:
    fields = member or {}
    name = fields.get("nick") or user.get("global_name") or user.get("username") or ""
    permissions = discord.Permissions(int(fields.get("permissions") or 0))
    return Guest(Person(id, str(name)), bool(user.get("bot")), member is not None, permissions.view_channel)
