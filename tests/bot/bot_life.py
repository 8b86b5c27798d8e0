"""One life of the bot's process: a simulated Discord, the bot, and people who click until it ends.

Each process has a Discord of its own. Servers, channels, people and their DMs are the same ones in each, with
the same ids; the messages of the lives before are gone, as if somebody had deleted them all.
"""

import asyncio
import re
from pathlib import Path
from random import Random
from typing import Any

from estimates import advise
from lives import Diary
from people import Player
from server import Server
from settling import Env
from uploaded import upload_emojis

from bot.answering.limits import DOUBLE_TAP
from bot.delivery import posts
from bot.running import until_stopped
from bot.table import deals, passing, playing
from engine.tables import State, flow
from tests.unhurried import UnhurriedLoop

CALLBACK = re.compile(r"/interactions/(\d+)/.*/callback")
MOVE = re.compile(r"hearts:(?:pass|play):(\d+):(\d+):(?:\d+:(..)\.\d|(..(?:-..)*))")
TABLES = 2
EDITED = 7  # the response that edits the message that was clicked


class World(Server):
    """A server created before the bot starts, so that its ids don't depend on what the bot does."""

    async def open_again(self, life: int) -> None:
        """Open the same server again, some time later."""
        self.sketches, self.thinkers, self.calls, self.advisor = None, 0, 1000, advise
        # This Discord knows the commands although only the first process has sent them.
        self.env = Env(await self._bot(), check_errors=False, strict_sync=False)
        await upload_emojis(self.env, self.databases[-1])
        self.guild = self.env.create_guild("Hearts")
        self.channels = [self.guild.create_text_channel(f"hearts-{number}") for number in range(TABLES)]
        self.channel = self.channels[0]
        self.people = []
        for channel in self.channels:
            for name in ("Ann", "Bo", "Cy"):
                player = self.add(name)
                player.at = channel
                assert player.member.user.dm_channel.id
                self.people.append(player)
        # No message gets the id of one from an earlier process.
        self.env.backend.advance_clock(10.0 * life)
        await self.env.start()


class Answers(list[Any]):
    """simcord's log of requests; records in the diary when a click is answered."""

    def __init__(self, note: Any) -> None:
        super().__init__()
        self.note = note
        self.clicks: dict[int, tuple[Any, ...]] = {}

    def append(self, entry: Any) -> None:
        found = CALLBACK.fullmatch(entry.path)
        if found and entry.json["type"] == EDITED and int(found[1]) in self.clicks:
            self.note(*self.clicks.pop(int(found[1])))


def live(folder: Path, number: int, to_the_end: bool = False) -> None:
    """Play until killed, until SIGTERM, which ends it as it ends the bot, or until every game is over."""
    # These people wait for nothing, and play every card themselves.
    posts.SPACING = posts.MOMENT = deals.OPENS = passing.WATCHING = playing.PASSING_BY = 0.0
    flow.FORCED_PLAYS = 1e9
    with asyncio.Runner(loop_factory=UnhurriedLoop) as runner:
        runner.run(until_stopped(_live(folder, number, to_the_end)))


async def _live(folder: Path, number: int, to_the_end: bool) -> None:
    world = World(folder, Random(number))
    await world.open_again(number)
    note = Diary(folder).open()
    world.env.backend.http_requests = answers = Answers(note)
    try:
        while await _round(world, note, answers, to_the_end):
            world.env.backend.transcript.clear()
    finally:
        await world.env.bot.close()
        note("closed")
    assert not world.errors, world.errors


async def _round(world: World, note: Any, answers: Answers, to_the_end: bool) -> bool:
    """Everyone who can act does so at the same moment; False when there is nothing left to do."""
    world.env.backend.advance_clock(DOUBLE_TAP + 0.001)  # nobody's two cards look like one double tap
    done = True
    for channel in world.channels:
        players = [player for player in world.people if player.at is channel]
        table = world.env.bot.tables.in_channel(channel.id)
        if table is None and not to_the_end:
            await players[0].run("hearts new", pace="none", ends_at=1)
        elif table is not None and table.state is State.LOBBY:
            await _fill(players, table)
        elif table is not None:
            for player in players:
                if table.seat_of(player.id) in table.awaited:
                    _act(player, note, answers)
        done = done and table is None and to_the_end
    await world.env.settle()
    return not done


async def _fill(players: list[Player], table: Any) -> None:
    for player in players:
        if table.seat_of(player.id) is None:
            await player.click("Join")
    await players[0].click("Start")


def _act(player: Player, note: Any, answers: Answers) -> None:
    """Click on the hand as shown in the DMs."""
    hand = player.hand
    if hand.asks_to_pass and (taps := hand.taps()):
        _, _, table, deal, place = taps[0].split(":")
        tapped = ("tapped", int(table), int(deal), player.id, hand.offered[int(place)][0])
        answers.clicks[player.forge(taps[0], hand).result._interaction.id] = tapped  # which isn't a move yet
        return
    found = next(found for one in hand.pressable if (found := MOVE.fullmatch(one)))
    table, deal, played, passed = found.groups()
    move = {"played": played} if played else {"passed": passed.split("-")}
    made = (int(table), int(deal), player.id, move)
    note("sent", *made)
    answers.clicks[player.forge(found[0], hand).result._interaction.id] = ("acked", *made)
