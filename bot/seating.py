"""Opening a table in front of people, greeting who sits down, and seating who comes in mid-game."""

from __future__ import annotations

from bot.delivery import Reply
from bot.messages import ByDm, Whisper
from bot.render.board import LOBBY
from bot.render.latecomers import onlooker, taken, which_seat
from bot.render.lobby import lobby, seated, welcome
from bot.services import Services
from engine.tables import Person, Table
from engine.tables.rights import check_may_take


async def show_lobby(services: Services, reply: Reply, table: Table) -> None:
    """Answer with the table's lobby, which is kept up to date from then on, and greet the host."""
    post = lobby(table.public)
    await services.delivery.posts.publish(table.id, table.channel, LOBBY, post, reply)
    await greet(services, reply, table)


async def greet(services: Services, reply: Reply, table: Table) -> None:
    """Send a first DM to a player who has just sat down, and tell them where their hand will be."""
    await reply.whisper(seated(await _welcome(services, table, reply.person)))


async def _welcome(services: Services, table: Table, person: int) -> ByDm:
    """Send somebody a first DM about this table; one that has to wait, only if they are still at it then."""

    def is_at_it() -> bool:
        live = [one for one in services.tables.live if one.id == table.id]
        return any(one.seat_of(person) is not None or one.taker(person) for one in live)

    return await services.delivery.dms.greet(table.id, person, welcome(table.public), is_at_it)


async def offer_seat(services: Services, reply: Reply, table: Table, person: Person) -> None:
    """Answer who wants to play in the middle of a game: with a seat, or with the choice of one."""
    if table.taker(person.id):
        await reply.whisper(onlooker(table.public, person.id))
        return
    check_may_take(table, person.id)
    if len(table.free_seats) > 1:
        await reply.whisper(which_seat(table.public))
    else:
        await reply.whisper(await take_seat(services, table.id, person, table.free_seats[0]))


async def take_seat(services: Services, id: int, person: Person, seat: int) -> Whisper:
    """Let this person play from the next deal on; returned is what they are told. They get a first DM."""
    table = await services.tables.take_seat(id, person, seat)
    return taken(table.public, person.id, await _welcome(services, table, person.id))
