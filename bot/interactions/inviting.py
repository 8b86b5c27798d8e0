"""Inviting people to a table in its lobby."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import discord

from bot import controls
from bot.asking import Guest
from bot.interactions.answering import Click, number
from bot.render import inviting
from engine.errors import Refusal
from engine.tables import Person
from engine.tables.inviting import check_may_invite


async def show(click: Click[controls.ShowGuests]) -> None:
    """Open the page from which others are invited."""
    table = click.services.tables.get(click.table)
    check_may_invite(table, click.person.id)
    await click.reply.whisper(inviting.page(table.public.in_language(click.language)))


async def invite(click: Click[controls.Invite]) -> None:
    """Invite the people who were chosen; the page tells what came of it."""
    click.check_private()
    found = await click.services.asking.invite(click.table, click.person.id, guests(click))
    told = inviting.came_of(
        [guest.person.name for guest in found.guests],
        [(guest.person.name, why) for guest, why in found.unwelcome],
        click.language,
    )
    await click.edit(inviting.page(found.table.public.in_language(click.language), told))


def guests(click: Click[Any]) -> list[Guest]:
    """The people who were chosen; Refusal if Discord doesn't tell who they are."""
    resolved = cast(Any, click.interaction.data or {}).get("resolved") or {}
    users, members = resolved.get("users") or {}, resolved.get("members") or {}
    chosen = dict.fromkeys(click.values)
    if not chosen or not all(one in users for one in chosen):
        raise Refusal("stale")
    return [_guest(number(one), users[one], members.get(one)) for one in chosen]


def _guest(id: int, user: Mapping[str, Any], member: Mapping[str, Any] | None) -> Guest:
    known = member or {}
    name = known.get("nick") or user.get("global_name") or user.get("username") or ""
    may = discord.Permissions(int(known.get("permissions") or 0))
    return Guest(Person(id, str(name)), bool(user.get("bot")), member is not None, may.view_channel)
