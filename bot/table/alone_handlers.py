"""A table alone: one person and computers in one message, wherever they may use the bot."""

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


async def new_alone(services: Services, reply: Reply, request: TableRequest) -> None:
    """Answer with a new table alone for this person, in its lobby.

    Each person has one at a time: if they have one already, ask which to keep. It needs no server with the
    bot: the table is this answer, edited through the player's clicks.
    """
    rules, table = request.rules, services[Tables].alone(reply.user_id)
    if table is None:
        table = await _open(services, reply, request, rules)
        await answer_with_hand(services, reply, table)
    else:
        public = table.public.in_language(reply.language)
        await reply.whisper(going_on(public, request.alone(table.id)), lasting=True)


async def _open(services: Services, reply: Reply, request: TableRequest, rules: Ruleset) -> Table:
    opening = services[Tables].open_alone(
        person_of(reply.interaction), rules, request.pace, request.computers, reply.language.itself
    )
    return await _or_existing(services, reply.user_id, opening)


async def _or_existing(services: Services, person: int, opening: Awaitable[Table]) -> Table:
    """The newly opened table or, if another click opened one at the same moment, that one."""
    try:
        return await opening
    except Refusal as refusal:
        table = services[Tables].alone(person)
        if refusal.id not in ("table_in_channel", "rematch_open") or table is None:
            raise
        return table


@handles
async def go_on(click: Click[GoOn]) -> None:
    """Show the player's current table in place of the question of which to keep."""
    async with carrying_click(click, 0):
        show_newest(click, 0)


@handles
async def open_alone(click: Click[OpenAlone]) -> None:
    """Give up the table that the question is about, and open another in its place."""
    services, person = click.services, click.person.id
    request = TableRequest.of(click.action)
    rules = request.rules  # refuses invalid rules while the old table is still there
    old = services[Tables].alone(person)
    if old and old.id == click.table:
        await services[Tables].end(old.id, person)
    table = await _open(services, click.reply, request, rules)
    async with services[Delivery].my_hand.of(table.id, person).carrying_click(click.reply):
        services[Announcer].show_hand(table, person, None)


async def play_again(click: Click[Rematch]) -> None:
    """Open a lobby with the finished game's rules or, if the player has opened a table since, show that."""
    services = click.services
    table = services[Tables].alone(click.person.id)
    if table is None:
        opening = services[Tables].rematch(click.table, click.person)
        table = await _or_existing(services, click.person.id, opening)
    await answer_with_hand(services, click.reply, table)


@shows_end
async def show_end(click: Click[Action]) -> None:
    """Show how a table alone ended, in place of a message that is out of date."""
    # Loading a finished game costs as much as opening its replay.
    with click.services[Limits].admit(click.person.id, OpenReplay.access):
        table = await click.services[Tables].games.whole(click.table)
    await click.edit(at_table(table.public.in_language(click.language)))
