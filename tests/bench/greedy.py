"""What one greedy person costs everyone else: `python -m tests.bench.greedy [files] [leaderboard]`.

People click at their tables at a steady rate. Round by round, either nobody asks for anything else, or one
person uploads the record of a long game ten times a second, or opens the leaderboard of a server with 20,000
ranked people as often. With `--askers 50`, that many people take turns.

For each, it prints the milliseconds until the players' clicks were answered (medians over the rounds) and the
memory that the process took meanwhile; then the number of requests, how many were fulfilled, and the
milliseconds until their first answer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sqlite3
import statistics
import sys
import time
from dataclasses import dataclass, field
from random import Random
from typing import Any

from simcord import interactions

from engine.play.game import Game, shuffle
from engine.play.record import write_record
from engine.play.views import seat_view
from engine.players import random_move
from engine.ratings import NEW
from engine.rules.ruleset import Ruleset
from engine.storage.standings import Period
from tests.bench.load import SEATS, Load, controls_of, seated
from tests.bench.measure import quantile, resident
from tests.bench.thinkers import Thinkers

#: Seconds between two measurements of the memory.
LOOK = 0.05
QUIET = "nobody asks"
#: What a person can ask for, and with which command.
WHAT = {
    "files": "hearts replay",
    "leaderboard": "hearts leaderboard",
}


def long_record(deals: int) -> bytes:
    """The record of a classic game of this many deals, played at random."""
    rng = Random(5)
    game = Game(Ruleset.of("classic", SEATS, {"ends_at": 100_000}))
    while len(game.points) < deals:
        game = game.advance(shuffle(game, rng))
        while game.deal:
            game = game.advance(random_move(seat_view(game, game.deal.waiting_for[0]), rng))
    return json.dumps(write_record(game, ["Ann", "Bo", "Cy", "Di"]), separators=(",", ":")).encode()


def rank(connection: sqlite3.Connection, guild: int, people: int) -> None:
    """Store this many people with five ranked games in this server, this month."""
    rng = Random(6)
    connection.executemany(
        f"""INSERT INTO standings (guild, period, game, lowest, ranked, person, name, games, wins, points,
            deals, moons, par_deals, par_gain, par_squares, weight, counted_wins, counted_points,
            counted_deals, mu_before, sigma_before, mu, sigma)
        VALUES (?, ?, 'classic', 1, 1, ?, ?, 5, ?, 200, 40, 1, 0, 0.0, 0.0, 5.0, 0.0, 200.0, 40.0,
            {NEW.mu}, {NEW.sigma}, ?, 3)""",
        [
            (guild, period, 10**18 + number, f"Player {number}", rng.randrange(6), rng.uniform(15, 35))
            for number in range(people)
            for period in [one.number(time.time()) for one in Period]
        ],
    )


@dataclass
class Figures:
    """The measurements of all rounds."""

    waits: list[list[float]] = field(default_factory=list)  # seconds from click to answer, by round
    grown: float = 0.0  # KiB
    asked: int = 0
    given: int = 0
    answered: list[float] = field(default_factory=list)  # seconds from request to its first answer

    def line(self, name: str) -> str:
        """A line of the table under HEAD."""
        clicks = sum(map(len, self.waits))
        middle, most, worst = (
            1000 * statistics.median(quantile(waits, share) for waits in self.waits)
            for share in (0.5, 0.99, 1)
        )
        text = f"{name:14}{clicks:7}{middle:8.0f}{most:8.0f}{worst:8.0f}{self.grown / 1024:9.0f}"
        if self.answered:
            text += f"{self.asked:9}{self.given:7}{1000 * statistics.median(self.answered):8.0f}"
        return f"{text}\n"


HEAD = (
    f"{'':14}{'clicks':>7}{'median':>8}{'p99':>8}{'worst':>8}{'MB more':>9}"
    f"{'asked':>9}{'given':>7}{'median':>8}\n"
)


class Askers:
    """People who keep asking for the same thing, whether or not they have been answered."""

    def __init__(self, load: Load, people: int, command: str, **options: Any) -> None:
        self._env, self._answers = load.env, load.log
        guild, path = load.env.guild, command.split()
        self._channel = guild.create_text_channel("asking").id
        members = [guild.add_member(load.env.create_user(f"asker{number}")) for number in range(people)]
        self._people = [member.id for member in members]
        root = load.env.backend.find_command(path[0], None)
        leaf, nesting = interactions.walk_to_subcommand(root, path[1:])
        given, resolved = interactions.build_options(
            members[0], command, leaf, options, channel_id=self._channel
        )
        nested = interactions.nest_options(root, nesting, given)
        self._data = {
            "id": root["id"],
            "name": root["name"],
            "type": 1,
            "options": nested,
            "resolved": resolved,
        }
        self.sent: list[tuple[float, Any]] = []

    def ask(self) -> None:
        """Ask once, in a separate channel."""
        backend, guild = self._env.backend, self._env.guild.id
        person = self._people[len(self.sent) % len(self._people)]
        record, payload = interactions.base_payload(
            backend, type=2, channel_id=self._channel, guild_id=guild, user_id=person, data=self._data
        )
        self.sent.append((time.perf_counter(), record))
        backend.emit("INTERACTION_CREATE", payload)

    async def steadily(self, rate: float, seconds: float) -> None:
        """Ask this many times a second."""
        began = time.perf_counter()
        for number in range(round(rate * seconds)):
            await asyncio.sleep(max(0.0, began + number / rate - time.perf_counter()))
            self.ask()

    def add_to(self, figures: Figures) -> None:
        """Add the requests so far, and reset."""
        first, messages = self._answers.first, self._env.backend.messages[self._channel]
        figures.asked += len(self.sent)
        figures.answered += [first[record.id][0] - at for at, record in self.sent if record.id in first]
        answers = [messages[record.message_id] for _, record in self.sent if record.message_id in messages]
        # A refusal is only a sentence; a page or a replay has controls.
        figures.given += sum(any(controls_of(answer.components)) for answer in answers)
        self.sent.clear()


async def measured(
    load: Load, askers: Askers | None, figures: Figures, arguments: argparse.Namespace
) -> None:
    """Have people play for a while, and others ask."""
    load.start()
    before = most = resident()

    async def watch() -> None:
        nonlocal most
        while True:
            most = max(most, resident())
            await asyncio.sleep(LOOK)

    watching = asyncio.create_task(watch())
    asking = asyncio.create_task(askers.steadily(arguments.each, arguments.seconds)) if askers else None
    await load.steadily(arguments.rate, arguments.seconds)
    watching.cancel()
    figures.waits.append(load.waits)
    figures.grown = max(figures.grown, most - before)
    if askers and asking:
        await asking
        askers.add_to(figures)


async def run(arguments: argparse.Namespace) -> None:
    """Measure and print."""
    async with seated(arguments.tables, people=arguments.people) as load, Thinkers(load.bot) as thinkers:
        record = long_record(arguments.deals)
        await load.bot.database.write(
            lambda connection: rank(connection, load.env.guild.id, arguments.ranked)
        )
        asked: dict[str, Askers | None] = {QUIET: None}
        for name in arguments.what or WHAT:
            options = {"file": ("game.jsonl", record)} if name == "files" else {}
            asked[name] = Askers(load, arguments.askers, WHAT[name], **options)
        figures = {name: Figures() for name in asked}
        for _ in range(arguments.rounds):
            for name, askers in asked.items():
                await measured(load, askers, figures[name], arguments)
        sys.stdout.write(f"{len(record) / 1000:.0f} KB in a file, {arguments.ranked} people ranked\n{HEAD}")
        sys.stdout.write("".join(one.line(name) for name, one in figures.items()))
        if arguments.people < SEATS:
            sys.stdout.write(thinkers.report())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="*", choices=[*WHAT, []], help="all of them by default")
    parser.add_argument("--askers", type=int, default=1, help="people who take turns at asking")
    parser.add_argument("--each", type=float, default=10.0, help="requests a second")
    parser.add_argument("--tables", type=int, default=20, help="with people playing")
    parser.add_argument("--people", type=int, default=SEATS, help="at each table; the others are computers")
    parser.add_argument("--rate", type=float, default=20.0, help="clicks a second, over all tables")
    parser.add_argument("--seconds", type=float, default=20.0, help="in each round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--deals", type=int, default=230, help="in the uploaded record")
    parser.add_argument("--ranked", type=int, default=20_000, help="people on the leaderboard")
    logging.disable(logging.CRITICAL)  # the bot logs each late answer
    asyncio.run(run(parser.parse_args()))
