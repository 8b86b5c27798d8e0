"""A rating can't be farmed: by thirty games that cost next to nothing, all won by the same person."""

from dataclasses import dataclass
from itertools import cycle, islice
from random import Random

import pytest
from storage.results import CLASSIC, finish

from engine import ratings
from engine.storage.database import Database
from engine.storage.results import recompute_ratings
from engine.storage.standings import Board, Order, board_page

#: Whose rating is farmed; everybody else is an account that loses to them.
FARMER = 1
#: Games of one farm.
GAMES = 30
#: Seconds from one game's end to the next: of a farm, and of people who play honestly.
PACE, AT_LEISURE = 5 * 60.0, 2 * 24 * 60 * 60.0
#: Deals of a game to 100 points.
WHOLE = 11


class Farm:
    """A server in which one game ends after the other."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._now = 0.0

    async def play(self, *people: int, deals: int, pace: float = PACE) -> None:
        """A game of so many deals in which these come in, in this order."""
        self._now += pace
        placed = zip(people, range(1, len(people) + 1), strict=True)
        await finish(self._database, *placed, deals=deals, ended_at=self._now)

    async def places(self, order: Order) -> dict[int, int | None]:
        """The place of each person on this leaderboard."""
        board = Board(CLASSIC, order=order)
        page = await board_page(self._database, 1, board, self._now, FARMER, first=0, count=1000)
        return {line.person: line.place for line in page.lines}

    async def rating(self) -> int:
        """The farmer's, as people see it."""
        statement = "SELECT mu, sigma FROM standings WHERE person = ? AND period = 0"
        [row] = await self._database.read(statement, (FARMER,))
        return ratings.Rating(*row).shown


@dataclass(frozen=True)
class Farming:
    """The farmer beats these accounts in turn, so many at a table, in games of so many deals.

    Before that, the accounts play some games with each other, ten at a table. All this raises no rating by
    `most` points.
    """

    name: str
    accounts: range
    deals: int = 1
    at_once: int = 1
    games_before: int = 0
    deals_before: int | None = None
    most: int = 50

    async def __call__(self, farm: Farm) -> None:
        rng = Random(1)
        for _ in range(self.games_before):
            await farm.play(*rng.sample(self.accounts, 10), deals=self.deals_before or self.deals)
        losers = cycle(self.accounts)
        for _ in range(GAMES):
            await farm.play(FARMER, *islice(losers, self.at_once), deals=self.deals)


ONE, TEN, NEW, THIRTY = (range(2, end) for end in (3, 12, 2 + GAMES, 32))
#: Games of a deal or two, which are played in a few minutes.
FARMS = (
    Farming("one_account", ONE, most=5),
    Farming("new_accounts", NEW, most=5),
    Farming("nine_new_accounts_at_a_table", range(2, 2 + 9 * GAMES), at_once=9, most=5),
    Farming("the_same_nine_at_a_table", range(2, 11), at_once=9, most=5),
    Farming("accounts_that_have_played_a_hundred_short_games", TEN, games_before=100),
    Farming("accounts_that_have_played_whole_games", THIRTY, games_before=40, deals_before=WHOLE),
    Farming("two_deals_against_one_account", ONE, 2),
    Farming("two_deals_against_new_accounts", NEW, 2),
    Farming("two_deals_against_accounts_that_have_played_such_games", TEN, 2, games_before=20),
)


each_farm = pytest.mark.parametrize("farming", FARMS, ids=lambda farming: farming.name)


@pytest.mark.slow
@each_farm
async def test_short_games_raise_no_rating_of_who_is_known(database: Database, farming: Farming) -> None:
    farm, rng = Farm(database), Random(1)
    for _ in range(60):  # with people who are as good
        people = rng.sample([FARMER, 901, 902, 903, 904, 905], 4)
        await farm.play(*people, deals=WHOLE, pace=AT_LEISURE)
    before = await farm.rating()
    await farming(farm)
    assert await farm.rating() - before < farming.most


@pytest.mark.slow
@each_farm
async def test_thirty_short_games_raise_no_newcomer_and_lead_no_leaderboard(
    database: Database, farming: Farming
) -> None:
    farm = Farm(database)
    for first, second in [(901, 902), (902, 901)] * 4:  # each wins four whole games
        await farm.play(first, second, deals=WHOLE, pace=AT_LEISURE)
    await farming(farm)
    for _ in range(2):
        assert await farm.rating() - ratings.NEW.shown < farming.most
        for order in (Order.WINS, Order.POINTS):
            places = await farm.places(order)
            assert places[FARMER] > max(places[901], places[902])
        await database.write(recompute_ratings)
