"""The daily deals: the cards of each day, sealed the day before, and one person's game of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from random import Random, SystemRandom

from engine.errors import Refusal
from engine.languages import Language
from engine.names import COMPUTERS
from engine.play import moves
from engine.play.deal import Deal, Phase
from engine.play.game import Game, shuffle
from engine.play.moves import Dealt
from engine.play.seal import seal, with_salt
from engine.players import Strength
from engine.rules.presets import CHINESE, CLASSIC
from engine.rules.ruleset import Ruleset
from engine.storage.daily import DailyResult, StoredDay, find_day, find_days, put_day
from engine.storage.database import Database
from engine.storage.tables import daily_place
from engine.tables.seats import Seat, Seats
from engine.tables.table import DailyGame, Hints, Person, State, Table

#: The number of deals in a day.
DEALS_A_DAY = 3
PLAYERS = 4
SUNDAY = 6
#: A total that three deals of either game can't reach (78 and 30,000), so that all are played.
NO_END = 100_000
#: The three computers of every daily game, each with its manner: daily players get to know them.
OPPONENTS = COMPUTERS[: PLAYERS - 1]


@dataclass(frozen=True, slots=True)
class Day:
    """A day's deals, which are the same for everyone; `date` as in `2026-11-22`, by UTC."""

    date: str
    rules: Ruleset
    deals: tuple[Dealt, ...]
    made_at: float  # seconds since 1970

    @property
    def seals(self) -> tuple[str, ...]:
        """The seals of the deals, which may be shown at any time."""
        return tuple([seal(number, dealt) or "" for number, dealt in enumerate(self.deals, 1)])

    @property
    def was_sealed_before(self) -> bool:
        """Whether the cards were dealt before the day began."""
        return self.made_at < start_of_day(self.date)


class Days:
    """The days in memory, each made and stored when it is first needed."""

    def __init__(self, database: Database, rng: Random | None = None) -> None:
        self._database = database
        self._rng = rng or SystemRandom()
        self._known: dict[str, Day] = {}

    def of(self, day: str) -> Day:
        """A day in memory; Refusal if it couldn't be read."""
        return self._known[day] if day in self._known else refuse_day(day)

    async def ready(self, day: str, now: float) -> Day:
        """The day of this date, made and stored if it doesn't exist yet."""
        if day not in self._known:
            if await find_day(self._database, day) is None:
                await put_day(self._database, _to_stored(make(day, self._rng, now)))
            await self.load([day])
        return self.of(day)

    async def find(self, day: str) -> Day | None:
        """The day of this date; None if it was never made."""
        await self.load([day])
        return self._known.get(day)

    async def load(self, dates: Iterable[str]) -> None:
        """Read these days into memory."""
        for stored in await find_days(self._database, set(dates) - self._known.keys()):
            self._known[stored.day] = _from_stored(stored)


def make(day: str, rng: Random, now: float) -> Day:
    """Deal and salt the deals of this day, with this source of chance."""
    rules = rules_of(day)
    # Each dealer sits to the left of the one before, as at any table.
    deals = [
        Dealt(number % PLAYERS, dealt.hands, dealt.kitty, dealt.salt)
        for number in range(-1, DEALS_A_DAY - 1)
        for dealt in [with_salt(shuffle(Game(rules), rng), rng)]
    ]
    return Day(day, rules, tuple(deals), now)


def rules_of(day: str) -> Ruleset:
    """Classic Hearts, and Chinese Hearts on Sundays."""
    preset = CHINESE if date.fromisoformat(day).weekday() == SUNDAY else CLASSIC
    return Ruleset.for_preset(preset, PLAYERS, {"ends_at": NO_END})


def computer_rng(deal: Deal, seat: int) -> Random:
    """A computer's source of chance, seeded by the deal's secret salt and the moves so far.

    So computers respond alike to everyone who plays alike, and can't be predicted while the salt is secret.
    Passes are left out until all players have chosen theirs.
    """
    passes = () if deal.phase is Phase.PASSING else deal.passes
    tricks = [completed.trick.cards for completed in deal.tricks]
    position = (deal.number, seat, deal.phase.value, passes, deal.exposures, sorted(deal.declined), tricks)
    return Random(f"{deal.dealt.salt} {position} {deal.trick.cards}")


def refuse_day(day: str) -> Day:
    """Default lookup: refuses every day."""
    raise Refusal("damaged")


def _to_stored(day: Day) -> StoredDay:
    dealt = tuple([moves.to_json(one) for one in day.deals])
    return StoredDay(day.date, day.rules.to_whole_json(), dealt, day.made_at)


def _from_stored(stored: StoredDay) -> Day:
    rules = Ruleset.from_json(stored.rules)
    dealt = [moves.from_json(rules, one) for one in stored.deals]
    deals = tuple([one for one in dealt if isinstance(one, Dealt)])
    if len(deals) != DEALS_A_DAY:
        raise ValueError(f"{len(deals)} deals")
    return Day(stored.day, rules, deals, stored.made_at)


# A person's game of the day


def daily_table(day: Day, person: Person, guild: int, channel: int, language: Language) -> Table:
    """A new table for this person's game of the day, begun in this channel; they have the first seat."""
    computers = [Seat(None, name, strength=Strength.MEDIUM) for name in OPPONENTS]
    return Table(
        id=0,
        guild=guild,
        channel=daily_place(person.id),
        host=person.id,
        rules=day.rules,
        state=State.PLAYING,
        seats=Seats((Seat(person.id, person.name), *computers)),
        hints=Hints.NOBODY,  # everyone is ranked on the same deals
        daily=DailyGame(day.date, channel),
        language=language,
        game=Game(day.rules),
    )


def daily_result(table: Table, now: float) -> DailyResult | None:
    """The result of a finished daily game, ranked if the day wasn't over; None for any other table."""
    if table.daily is None or table.state is not State.OVER or table.game is None:
        return None
    seat = table.seats[0]
    assert seat.person is not None, "without its player a daily game does not go on"
    first, second, third = [points[0] for points in table.game.points[:DEALS_A_DAY]]
    return DailyResult(
        day=table.daily.day,
        person=seat.person,
        name=seat.name,
        guild=table.guild,
        table=table.id,
        points=(first, second, third),
        finished_at=now,
        is_ranked=now < start_of_day(day_after(table.daily.day)),
    )


# Dates


def date_of(moment: float) -> str:
    """The date of this moment (seconds since 1970), by UTC."""
    return datetime.fromtimestamp(moment, UTC).date().isoformat()


def start_of_day(day: str) -> float:
    """The time at which this day begins by UTC (seconds since 1970)."""
    return datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC).timestamp()


def day_after(day: str) -> str:
    """The day after this one."""
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


def day_before(day: str) -> str:
    """The day before this one."""
    return (date.fromisoformat(day) - timedelta(days=1)).isoformat()
