"""Opening a table in front of people, greeting who sits down, and seating who comes in mid-game."""

from __future__ import annotations

from bot.delivery import Reply
from bot.messages import Whisper
from bot.render.board import LOBBY
from bot.render.latecomers import onlooker, taken, which_seat
from bot.render.lobby import lobby, welcome
from bot.services import Services
from engine.tables import Person, Table
from engine.tables.changes import check_may_take


async def show_lobby(services: Services, reply: Reply, table: Table) -> None:
    """Answer with the table's lobby, which is kept up to date from then on, and greet the host."""
    post = lobby(table.public)
    await services.delivery.posts.publish(table.id, table.channel, LOBBY, post, reply)
    await greet(services, reply, table)


async def greet(services: Services, reply: Reply, table: Table) -> None:
    """Write a first DM to who has just sat down, and tell them where their hand will be."""
    arrived = await services.delivery.dms.greet(table.id, reply.person, welcome(table.public))
    if arrived:
        text = "You have a seat. Your hand will come by DM."
    else:
        text = (
            "You have a seat. Your DMs are closed to me, so your hand will wait for you here: "
            "press **My hand** in this channel once the cards are dealt. Everything works that way."
        )
    await reply.whisper(text)


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


async def take_seat(services: Services, table: int, person: Person, seat: int) -> Whisper:
    """Let this person play from the next deal on; returned is what they are told. They get a first DM."""
    public = (await services.tables.take_seat(table, person, seat)).public
    by_dm = await services.delivery.dms.greet(table, person.id, welcome(public))
    return taken(public, person.id, by_dm=by_dm)
