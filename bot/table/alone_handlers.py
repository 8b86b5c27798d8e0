"""A table alone: one person and computers in one message, wherever that person may use the bot."""

from __future__ import annotations

from collections.abc import Awaitable

from bot.answering.answering import Click, Services, handles, person_of, shows_end
from bot.answering.limits import Limits
from bot.answering.opening import OpenAlone, TableRequest
from bot.delivery import Delivery, Reply
from bot.table.announcer import Announcer
from bot.table.controls import GoOn
from bot.table.hand_handlers import answer_with_hand, carrying_click, show_newest
from bot.table.private_hand import at_table, going_on
from bot.vocabulary.controls import Action
from bot.words.buttons import OpenReplay, Rematch
from engine.errors import Refusal
from engine.rules.ruleset import Ruleset
from engine.tables import Table, Tables


async def new_alone(services: Services, reply: Reply, wanted: TableRequest) -> None:
    """Answer with a new table alone of the person who asks, in its lobby.

    They have one at a time: while another goes on, ask which it shall be. It needs no server, and no bot in
    one: the table is this answer, edited through their clicks.
    """
    rules, table = wanted.rules, services[Tables].alone(reply.user_id)
    if table is None:
        table = await _open(services, reply, wanted, rules)
        await answer_with_hand(services, reply, table)
    else:
        public = table.public.in_language(reply.language)
        await reply.whisper(going_on(public, wanted.alone(table.id)), lasting=True)


async def _open(services: Services, reply: Reply, wanted: TableRequest, rules: Ruleset) -> Table:
    opening = services[Tables].open_alone(
        person_of(reply.interaction), rules, wanted.pace, wanted.computers, reply.language.itself
    )
    return await _or_other(services, reply.user_id, opening)


async def _or_other(services: Services, person: int, opening: Awaitable[Table]) -> Table:
    """The table that is opened or, if another click has opened one at the same moment, that one."""
    try:
        return await opening
    except Refusal as refusal:
        table = services[Tables].alone(person)
        if refusal.id not in ("table_in_channel", "rematch_open") or table is None:
            raise
        return table


@handles
async def go_on(click: Click[GoOn]) -> None:
    """Show one's table in place of the question which it shall be."""
    async with carrying_click(click, 0):
        show_newest(click, 0)


@handles
async def open_alone(click: Click[OpenAlone]) -> None:
    """Give up the table that was asked about, and open another in its place."""
    services, person = click.services, click.person.id
    wanted = TableRequest.of(click.action)
    rules, old = wanted.rules, services[Tables].alone(person)
    if old and old.id == click.table:
        await services[Tables].end(old.id, person)
    table = await _open(services, click.reply, wanted, rules)
    async with services[Delivery].my_hand.of(table.id, person).carrying_click(click.reply):
        services[Announcer].show_hand(table, person, None)


async def play_again(click: Click[Rematch]) -> None:
    """Open a lobby with the rules of the game that is over or, if one has been opened since, show that."""
    services = click.services
    table = services[Tables].alone(click.person.id)
    if table is None:
        opening = services[Tables].rematch(click.table, click.person)
        table = await _or_other(services, click.person.id, opening)
    await answer_with_hand(services, click.reply, table)


@shows_end
async def show_end(click: Click[Action]) -> None:
    """Show how one's table ended, in place of a message that still shows it as it was."""
    with click.services[Limits].admit(click.person.id, OpenReplay.access):  # as it costs the same
        table = await click.services[Tables].games.whole(click.table)
    await click.edit(at_table(table.public.in_language(click.language)))
