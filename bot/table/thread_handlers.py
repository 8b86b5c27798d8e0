"""Opening a table in a thread of its own: who wants that, and where it's possible."""

from collections.abc import Awaitable, Callable
from contextlib import nullcontext

from bot.answering.answering import Services, person_of
from bot.answering.limits import Hourly, Limits
from bot.answering.opening import OpenThread, TableRequest
from bot.delivery import Reply
from bot.discord.permissions import may_open_threads, takes_threads
from bot.table import thread_lines as render
from bot.table.threads import Threads
from engine.errors import Refusal
from engine.languages import Language
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.storage.servers import server_settings
from engine.tables import Table

#: The most tables in threads that one person may host in a server at the same time.
MOST_HOSTED = 3


async def wants_thread(services: Services, reply: Reply, chosen: bool | None) -> bool:
    """Whether to open a table in a thread: as chosen or, with None, as the server's settings say."""
    can_be = takes_threads(reply.interaction.channel)
    if chosen is None:
        return can_be and (await server_settings(services[Database], reply.guild)).in_threads
    if chosen and not can_be:
        raise Refusal("no_threads_here")
    return chosen


async def open_in_thread(
    services: Services,
    reply: Reply,
    rules: Ruleset,
    language: Language,
    begin: Callable[[int], Awaitable[Table]],
) -> Table:
    """Open a table in a new thread of this channel; `begin` opens it in a given one."""
    person = person_of(reply.interaction)
    if not may_open_threads(reply.interaction.app_permissions):
        raise Refusal("may_not_open_threads")
    if not may_open_threads(reply.interaction.permissions):
        raise Refusal("you_may_not_open_threads")
    if services[Threads].tables_hosted(reply.guild, person.id) >= MOST_HOSTED:
        raise Refusal("too_many_own_threads", count=MOST_HOSTED)
    opening = render.opening(person.name, rules, language)
    names = render.thread_names(person.name, rules, language)
    cost = nullcontext() if reply.clicked else services[Limits].admit(person.id, OpenThread.access)
    with cost, services[Limits].hourly(person.id, Hourly.THREADS):
        if reply.clicked:
            await reply.update(None)
        return await services[Threads].open(reply, opening, names, begin)


def offering_thread(refusal: Refusal, reply: Reply, request: TableRequest) -> Refusal:
    """The refusal, with the offer of a thread if the channel is taken and can have one."""
    is_taken = refusal.id in ("table_in_channel", "own_table_in_channel", "players_away")
    if not is_taken or not takes_threads(reply.interaction.channel):
        return refusal
    return Refusal(refusal.id, **refusal.values, thread=request.in_thread)
