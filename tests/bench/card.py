"""What one card costs in the middle of a trick: `python -m tests.bench.card [--list]`.

Four people play a classic game by DM, the same one in every run. For the second and third cards of some
tricks, from the click until everything is idle and all timers have fired, it counts the modules of `bot` and
`engine` entered, the calls of their functions (as Python counts them, including comprehensions and each
resumption of a coroutine or generator), the functions of `bot.table` and `bot.words` that run, and the
requests sent. It prints the median over these cards.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import bot
import engine
from engine.play.deal import Phase
from tests.bench.load import Load, kind_of, timeless

ROOT = Path(bot.__file__).parent.parent
OURS = tuple(str(Path(package.__file__).parent) + "/" for package in (bot, engine))
#: The first trick to measure, and the places of the measured cards in it, both from 0.
FIRST, PLACES = 2, (1, 2)
#: Seconds by the simulated clock in which everything that can wait has been sent.
LATER = 10.0

#: A module and a function in it.
Function = tuple[str, str]


@dataclass(frozen=True)
class Card:
    """What one card cost."""

    calls: Counter[Function]
    requests: Counter[str]

    @property
    def modules(self) -> int:
        """The number of modules entered."""
        return len({module for module, _ in self.calls})

    @property
    def rendered(self) -> Counter[str]:
        """How often each public rendering function ran."""
        return Counter(
            {
                f"{module.removeprefix('bot.')}.{name}": count
                for (module, name), count in self.calls.items()
                if module.startswith(("bot.table.", "bot.words."))
                and not name.startswith(("_", "<"))
                and "." not in name
            }
        )


@contextmanager
def counting(calls: Counter[CodeType]) -> Iterator[None]:
    """Within, count the calls of Python functions in this thread."""

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            calls[frame.f_code] += 1

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)


async def measured(load: Load) -> Card:
    """Have the next card played, and measure it."""
    codes: Counter[CodeType] = Counter()
    load.log.clear()
    click = load.next(load.tables[0])
    assert click is not None
    with counting(codes):
        load.send(click)
        await rest(load)
    calls: Counter[Function] = Counter()
    for code, count in codes.items():
        if code.co_filename.startswith(OURS):
            module = Path(code.co_filename).relative_to(ROOT).with_suffix("")
            calls[".".join(module.parts).removesuffix(".__init__"), code.co_qualname] += count
    return Card(calls, Counter(kind_of(entry.method, entry.path)[0] for entry in load.log))


async def rest(load: Load) -> None:
    """Wait until everything is idle."""
    await load.env.settle()
    await load.env.advance_time(LATER)


async def run(count: int) -> list[Card]:
    """Play, and measure the cards of this many tricks."""
    cards, tricks = [], range(FIRST, FIRST + count)
    async with timeless() as load:
        while True:
            deal = load.bot.tables.get(load.tables[0].id).game.deals[-1]
            if len(deal.tricks) > max(tricks):
                return cards
            if deal.phase is Phase.PLAYING and len(deal.tricks) in tricks and len(deal.trick.cards) in PLACES:
                cards.append(await measured(load))
            else:
                assert load.click(load.tables[0])
                await rest(load)


def median(cards: list[Card], counts: Callable[[Card], Counter[Any]]) -> dict[Any, float]:
    """The median of each of these counts."""
    names = {name: None for card in cards for name in counts(card)}
    middle = {name: statistics.median(counts(card)[name] for card in cards) for name in names}
    return {name: value for name, value in sorted(middle.items(), key=lambda one: -one[1]) if value}


def report(cards: list[Card], *, each: bool) -> None:
    """Print the report."""
    out = sys.stdout.write
    totals = [card.calls.total() for card in cards]
    modules = [card.modules for card in cards]
    out(f"a card in mid-trick, median of {len(cards)}: {statistics.median(modules):g} modules ")
    out(f"({min(modules)} to {max(modules)}), {statistics.median(totals):g} calls ")
    out(f"({min(totals)} to {max(totals)})\n")
    for title, counts in (("rendered", lambda card: card.rendered), ("requests", lambda card: card.requests)):
        out(f"{title}:\n")
        out("".join(f"  {count:3g}  {name}\n" for name, count in median(cards, counts).items()))
    if each:
        calls = median(cards, lambda card: card.calls)
        for module in sorted({module for module, _ in calls}):
            inside = {name: count for (one, name), count in calls.items() if one == module}
            out(f"{sum(inside.values()):5g}  {module}\n")
            out("".join(f"        {count:4g}  {name}\n" for name, count in inside.items()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--list", action="store_true", help="print the calls by module and function")
    parser.add_argument("--tricks", type=int, default=6, help="to measure cards of")
    arguments = parser.parse_args()
    report(asyncio.run(run(arguments.tricks)), each=arguments.list)
