"""How good ratings are: `python -m tests.bench.ratings [--times 3] [--only four_friends]`.

Simulated people play honestly, and each game's places are predicted from the ratings before it. It prints the
log loss over all pairs at a table (0.693 is a coin toss, less is better) twice: `full` is as if each game
counted in full, computed by openskill alone, and `here` is as stored. The figures are the same in each run.

A person's strength is how much less they take than others in each deal, with a standard deviation of 1.2
points over people; that of a deal is 8, as measured with medium computers. People whose strength drifts
change by as much in 300 games as people differ. Of ten games, four go to 100 points (11 deals) and three take
half an hour (6); the others take a quarter of an hour (3) or, rarely, a single deal.
"""

import argparse
import asyncio
import math
import sqlite3
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from random import Random

from openskill.models import BradleyTerryPart

from engine.ratings import NEW, Rating
from engine.storage.database import Database
from tests.storage.results import insert

#: The standard deviations between people and by chance, in points a deal.
SPREAD, CHANCE = 1.2, 8.0
#: The number of deals of a game, with its percentage of games.
LENGTHS = {1: 5, 3: 25, 6: 30, 11: 40}
A_DAY = 24 * 60 * 60.0

MODEL = BradleyTerryPart(window_size=100)

#: People, their places, and the number of deals.
Game = tuple[list[int], list[int], int]


def played(rng: Random, people: Sequence[int], strength: Mapping[int, float], deals: int) -> Game:
    """A game between these people; the lowest total wins."""
    totals = [round(rng.gauss(deals * (6.5 - strength[one]), CHANCE * math.sqrt(deals))) for one in people]
    return list(people), [1 + sum(other < mine for other in totals) for mine in totals], deals


def length(rng: Random) -> int:
    [expected] = rng.choices([*LENGTHS], [*LENGTHS.values()])
    return max(1, round(rng.gauss(expected, 0.2 * expected))) if expected > 1 else 1


def server(rng: Random) -> Iterator[Game]:
    """A hundred people who join one after the other, some of whom play far more often than others."""
    strength = {one: rng.gauss(0, SPREAD) for one in range(1, 101)}
    often = {one: 1 / (1 + rng.randrange(100) / 10) for one in strength}
    for number in range(3000):
        here = [one for one in strength if one <= 6 + number / 20]
        people = set[int]()
        wanted = rng.choices([2, 3, 4], [4, 2, 4])[0]
        while len(people) < wanted:
            people.add(rng.choices(here, [often[one] for one in here])[0])
        yield played(rng, sorted(people), strength, length(rng))


def circle(rng: Random, *, size: int, games: int, drift: float = 0.0, short: bool = False) -> Iterator[Game]:
    """Friends who only play each other, two to four at a table; `drift` is how much a game changes each."""
    strength = {one: rng.gauss(0, SPREAD) for one in range(1, size + 1)}
    for _ in range(games):
        strength = {one: mine + rng.gauss(0, drift) for one, mine in strength.items()}
        people = sorted(rng.sample([*strength], rng.randint(2, min(4, size))))
        yield played(rng, people, strength, rng.choice([2, 3, 3, 4]) if short else length(rng))


#: By kind of people, the number of servers, and the games in one.
POPULATIONS: dict[str, tuple[int, Callable[[Random], Iterator[Game]]]] = {
    "a_server_of_a_hundred": (1, server),
    "two_friends": (30, lambda rng: circle(rng, size=2, games=80)),
    "four_friends": (20, lambda rng: circle(rng, size=4, games=80)),
    "a_club_of_twelve": (10, lambda rng: circle(rng, size=12, games=150)),
    "four_who_get_better_and_worse": (7, lambda rng: circle(rng, size=4, games=300, drift=0.07)),
    "eight_for_a_quarter_of_an_hour": (7, lambda rng: circle(rng, size=8, games=150, short=True)),
}


def write(connection: sqlite3.Connection, guild: int, games: Iterator[Game], rng: Random) -> None:
    """Store these games as a server's tables would: several an evening, every second or third day."""
    now = 0.0
    for people, places, deals in games:
        now += 1800 + (rng.choice([1, 1, 2, 3, 5]) * A_DAY if rng.random() < 0.4 else 0)
        insert(connection, *zip(people, places, strict=True), guild=guild, ended_at=now, deals=deals)


@dataclass(frozen=True)
class Rated:
    """A person's part in a stored game."""

    whose: tuple[int, int]  # server and person
    place: int
    before: Rating


class InFull:
    """Everyone's ratings by openskill alone, with each game counting in full."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], Rating] = {}

    def of(self, whose: tuple[int, int]) -> Rating:
        return self._known.get(whose, NEW)

    def rate(self, game: Sequence[Rated]) -> None:
        before = [self.of(one.whose) for one in game]
        teams = [[MODEL.create_rating([one.mu, one.sigma])] for one in before]
        rated = MODEL.rate(teams, ranks=[one.place for one in game])
        self._known |= {
            one.whose: Rating(team[0].mu, team[0].sigma) for one, team in zip(game, rated, strict=True)
        }


async def stored_games(database: Database) -> list[list[Rated]]:
    """All ranked games, in order."""
    rows = await database.read(
        "SELECT number, guild, person, place, mu_before, sigma_before FROM results ORDER BY number, seat"
    )
    games: dict[int, list[Rated]] = {}
    for number, guild, person, place, *before in rows:
        games.setdefault(number, []).append(Rated((guild, person), place, Rating(*before)))
    return list(games.values())


def loss(before: Sequence[Rating], places: Sequence[int]) -> float:
    """The mean log loss of these ratings' predictions for all pairs."""
    found = []
    for one, other in combinations(range(len(places)), 2):
        mine, theirs = before[one], before[other]
        scale = math.sqrt(mine.sigma**2 + theirs.sigma**2 + 2 * MODEL.beta**2)
        chance = 1 / (1 + math.exp((theirs.mu - mine.mu) / scale))
        score = (1 + (places[one] < places[other]) - (places[one] > places[other])) / 2
        found.append(-score * math.log(chance) - (1 - score) * math.log(1 - chance))
    return statistics.mean(found)


async def report(name: str, times: int) -> None:
    """Print how well the places of this kind of people are predicted."""
    servers, games_of = POPULATIONS[name]
    with tempfile.TemporaryDirectory(prefix="hearts-") as folder:
        database = await Database.open(Path(folder) / "hearts.sqlite3")
        for guild in range(1, 1 + times * servers):
            rng = Random(guild)
            await database.write(partial(write, guild=guild, games=games_of(rng), rng=rng))
        games = await stored_games(database)
        await database.close()
    in_full, full, here = InFull(), list[float](), list[float]()
    for game in games:
        places = [one.place for one in game]
        full.append(loss([in_full.of(one.whose) for one in game], places))
        here.append(loss([one.before for one in game], places))
        in_full.rate(game)
    apart = [mine - other for other, mine in zip(full, here, strict=True)]
    error = statistics.stdev(apart) / math.sqrt(len(apart))
    means = "{:9.4f}{:9.4f}{:+9.4f}".format(*map(statistics.mean, (full, here, apart)))
    sys.stdout.write(f"{name.replace('_', ' '):32}{len(games):7}{means} ± {error:.4f}\n")
    sys.stdout.flush()


async def main(times: int, only: str | None) -> None:
    sys.stdout.write(f"{'':32}  games     full     here    difference\n")
    for name in [only] if only else POPULATIONS:
        await report(name, times)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=3, help="servers of each kind")
    parser.add_argument("--only", choices=POPULATIONS, help="only this kind of people")
    arguments = parser.parse_args()
    asyncio.run(main(arguments.times, arguments.only))
