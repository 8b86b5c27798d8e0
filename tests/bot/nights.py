"""A tournament night in the simulated Discord: who hosts it, who comes, and how they play."""

import json
import re
from collections.abc import Sequence
from typing import Any

from at_once import deals_played
from people import Player
from seen import Seen
from server import Server
from simcord.builders import ChannelHandle

from engine.play.par import Par
from engine.tournaments import Tournament

#: Two rounds of a deal each: as little as a tournament can be.
SHORT: dict[str, Any] = {"rounds": 2, "deals": 1}
LINK = re.compile(r"<#(\d+)>")


def add_host(server: Server) -> Player:
    """Add a person who may manage events."""
    return server.add_who_may("manage_events", "Hanna")


def tournament(server: Server) -> Tournament:
    """The one that goes on."""
    [found] = server.env.bot.tournament_posts.service.live
    return found


async def newest(server: Server) -> Tournament:
    """The server's last one, whether it goes on or not."""
    bot = server.env.bot
    [(id,)] = await bot.database.read("SELECT MAX(id) FROM tournaments")
    return await bot.tournament_posts.service.find(id)


async def sign_up(server: Server, host: Player, *players: Player, **options: Any) -> Tournament:
    """Have the host open a tournament, and these people join."""
    await host.run("hearts tournament", **(SHORT | options))
    for player in players:
        await player.click("Join", first(server))
    return tournament(server)


def first(server: Server) -> Seen:
    """The post with the sign-up of the newest tournament."""
    return next(one for one in reversed(server.posts()) if "signed up" in one.text.lower())


async def begin(server: Server, host: Player, *players: Player, **options: Any) -> Tournament:
    """The same, and start it; everyone goes to their table."""
    await sign_up(server, host, *players, **options)
    await host.click("Start now", first(server))
    seat(server, *players)
    return tournament(server)


def calls(server: Server, words: str) -> list[list[int]]:
    """Who was mentioned by each message with these words, in the order they were sent."""
    found = []
    for request in server.requests:
        if request.method == "POST" and words in json.dumps(request.body, ensure_ascii=False):
            users = (request.body.get("allowed_mentions") or {}).get("users", [])
            found.append([int(one) for one in users])
    return found


def seat(server: Server, *players: Player) -> None:
    """Each goes to the thread where they play, if they do."""
    now = tournament(server)
    for player in players:
        own = now.by_person.get(player.id)
        table = now.round.table_of(own.number) if now.round and own else None
        if table and table.channel and not table.is_over:
            player.at = thread(server, table.channel)


def thread(server: Server, id: int) -> ChannelHandle:
    return ChannelHandle(server.env, server.guild, server.env.backend.channels[id])


async def play_round(server: Server, players: Sequence[Player]) -> None:
    """These people play until all tables of the round are done."""
    number = len(tournament(server).rounds)

    def is_over() -> bool:
        live = server.env.bot.tournament_posts.service.in_guild(server.guild.id)
        return live is None or len(live.rounds) > number or live.rounds[number - 1].is_over

    await deals_played(players, is_over)


async def act(server: Server, player: Player) -> bool:
    """Do what this player's hand asks for, if their table waits for them."""
    waits = any(
        one.seats[seat].person == player.id for one in server.env.bot.tables.live for seat in one.awaited
    )
    return waits and await player.act()


async def give_pars(server: Server) -> None:
    """Store a par for each deal that has none, as if it had been computed."""
    for _, table in tournament(server).tables:
        for number, deal in enumerate(table.deals, 1):
            if deal.par is None and table.table is not None:
                await give_par(server, table.table, number, len(deal.points))
    await server.settle()


async def give_par(server: Server, table: int, deal: int, players: int) -> None:
    """Store a par of this deal that differs from seat to seat."""
    means = tuple(6.5 + (seat - (players - 1) / 2) * (1 + (table + deal) % 3) for seat in range(players))
    with server.env._bot_scope():  # whose clock is the simulation's
        par = Par(means, (0.4,) * players, 60)
        await server.env.bot.loop.create_task(server.env.bot.tables.put_par(table, deal, par))


async def pause(server: Server) -> None:
    """Let the time go by until the next round, or the end."""
    found = server.env.bot.tournament_posts.service.in_guild(server.guild.id)
    if found and found.next_at:
        await server.env.advance_time(max(1.0, found.next_at - server.env.now().timestamp() + 1))
