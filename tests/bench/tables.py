"""Many tables at once in the simulated Discord, with the real database on disk.

`python -m tests.bench.tables [--tables 200] [--rate 100] [--seconds 300] [--people 2]`: people click at one
table after another, whether or not their last clicks have been answered; the other seats have strong
computers. As in Discord, a click that isn't answered within three seconds fails, and the player is told.

It prints how long the first answers took, and how many were deferred or late; the calls with the bot's token,
for which Discord allows 50 in any second; how long these waited for their turn; and if computers think, with
how many playouts.
"""

import argparse
import asyncio
import logging
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from simcord.backend import Backend, errors
from simcord.http import router

from bot.operator.figures import Figures
from tests.bench.load import CALLBACK, SEATS, Load, seated
from tests.bench.measure import most_in_a_second, quantile

#: The responses that defer the answer: a message to come, and an edit of the one clicked.
DEFERRED = (5, 6)
#: Seconds in which a click must get its first answer.
DEADLINE = 3.0


async def run(arguments: argparse.Namespace) -> None:
    async with seated(arguments.tables, arguments.people) as load:
        before, cards = load.bot.monitor.read(), cards_played(load)
        with deadline(load.sent) as late:
            await load.steadily(arguments.rate, arguments.seconds)
        report_answers(load, late)
        since = load.bot.monitor.read() - before
        report_calls(load, since, cards_played(load) - cards)
        if arguments.people < SEATS:
            report_thoughts(since)


@contextmanager
def deadline(due: Mapping[int, float]) -> Iterator[dict[int, float]]:
    """Within, a click's first answer is refused more than three seconds after it was due.

    Yields the times of late answers, by click.
    """
    dispatch, late = router.dispatch, dict[int, float]()

    def in_time(backend: Backend, method: str, path: str, **options: Any) -> Any:
        now = time.perf_counter()
        if (found := CALLBACK.fullmatch(path)) and now > due[int(found[1])] + DEADLINE:
            late.setdefault(int(found[1]), now)
            raise errors.unknown_interaction()
        return dispatch(backend, method, path, **options)

    with patch.object(router, "dispatch", in_time):
        yield late


def cards_played(load: Load) -> int:
    """The number of cards played at all tables, by anyone."""
    games = [load.bot.tables.get(table.id).game for table in load.tables]
    deals = [deal for game in games for deal in game.deals]
    tricks = [trick for deal in deals for trick in (deal.trick, *(done.trick for done in deal.tricks))]
    return sum(len(trick.cards) for trick in tricks)


def report_answers(load: Load, late: dict[int, float]) -> None:
    sent, answered = load.sent, load.log.first
    first = [*late.items(), *((id, at) for id, (at, _) in answered.items())]
    waits = [at - sent[id] for id, at in first]
    deferred = sum(kind in DEFERRED for _, kind in answered.values())
    middle, most, worst = (quantile(waits, share) * 1000 for share in (0.5, 0.99, 1))
    out = sys.stdout.write
    out(f"{len(load.tables)} tables, {len(sent)} clicks; ")
    out(f"{len(answered)} answered in time, {deferred} of these deferred; ")
    out(f"{len(late)} too late, {len(sent) - len(waits)} never\n")
    out(f"click to answer: median {middle:.0f} ms, 99th percentile {most:.0f} ms, worst {worst:.0f} ms\n")


def report_calls(load: Load, since: Figures, cards: int) -> None:
    out, cards = sys.stdout.write, max(cards, 1)
    calls = load.log.calls
    most = most_in_a_second(calls)
    out(f"{len(calls) / cards:.2f} calls with the bot's token per card, at most {most} in a second\n")
    waited = since.count("budget_wait_seconds")
    middle, longest = (since.within("budget_wait_seconds", share) or 0.0 for share in (0.5, 0.99))
    out(f"{waited} calls waited: {middle:.2f} s in the median, {longest:.2f} s in the 99th percentile\n")


def report_thoughts(since: Figures) -> None:
    moves, strong = since.count("thoughts"), since.count("thoughts", by="strong")
    sys.stdout.write(f"{moves} moves of strong computers, {moves - strong} of them left to medium ones; ")
    sys.stdout.write(f"{since.count('playouts') / max(strong, 1):.0f} playouts for each of the others\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--people", type=int, default=SEATS, help="at each table; the others are computers")
    parser.add_argument("--rate", type=float, default=50.0, help="clicks a second, over all tables")
    parser.add_argument("--seconds", type=float, default=30.0)
    logging.disable(logging.CRITICAL)  # the bot logs each late answer
    asyncio.run(run(parser.parse_args()))
