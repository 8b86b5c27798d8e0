"""Evenings by chance: people play, leave, come back, vote, take seats, are forgotten; restarts between."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from house import House, act
from storage.results import everything

from engine.errors import Refusal
from engine.players import Strength
from engine.rules.ruleset import Ruleset
from engine.storage import privacy
from engine.storage.results import recompute_ratings
from engine.tables import (
    Moment,
    NoticeKind,
    Person,
    State,
    Table,
    Tables,
    changes,
    inviting,
    planning,
    voting,
)
from engine.tables.store import results_of

pytestmark = pytest.mark.slow

PEOPLE = [Person(number, name) for number, name in enumerate(("Ann", "Bo", "Cy", "Di", "Lola"), 11)]
#: When a planned start is.
START = 600.0
GAMES = (("classic", 4, 30), ("classic", 4, 30), ("chinese", 4, 300), ("double-deck", 6, 60))


class Evening(House):
    """One table after the other in a channel; `table` is the one that was told of last."""

    def __init__(self, path: Path, rng: Random) -> None:
        super().__init__(path, rng=rng)
        self.rng = rng

    @property
    def table(self) -> Table:
        return self.told[-1]

    async def begin_a_game(self) -> None:
        game, players, ends_at = self.rng.choice(GAMES)
        host, *others = self.rng.sample(PEOPLE, self.rng.randint(1, players - 1))
        table = await self.tables.open(1, 1, host, Ruleset.of(game, players, {"ends_at": ends_at}))
        if planned := self.rng.random() < 0.3:
            await self.tables.plan_start(table.id, host.id, START)
        for person in others:
            await self.tables.join(table.id, person)
        for guest in self.rng.sample(PEOPLE, 2):
            with suppress(Refusal):
                await self.tables.change(table.id, inviting.invite, host.id, [guest], self.tables.now)
        if planned:
            await self.tables.change(table.id, planning.be_here, self.rng.choice([host, *others]).id)
        for _ in range(self.rng.randint(0, 8)):
            await self.do_something_in_the_lobby()
        if self.table.is_live:
            await self.tables.change(self.table.id, changes.start, self.table.host)

    async def do_something_in_the_lobby(self) -> None:
        """Whatever chance wants before a game; what may not be done just now is refused."""
        person, tables, id = self.rng.choice(PEOPLE), self.tables, self.table.id
        deeds: list[Callable[[], Awaitable[Any]]] = [
            lambda: tables.join(id, person),
            lambda: tables.change(id, changes.leave_or_stay_out, person.id),
            lambda: tables.change(id, changes.add_computer, person.id, Strength.EASY),
            lambda: tables.change(id, changes.remove_computer, person.id),
            lambda: tables.plan_start(id, person.id, self.rng.choice([START, 2 * START])),
            lambda: tables.change(id, planning.drop_plan, person.id),
            lambda: tables.change(id, planning.be_here, person.id),
            lambda: tables.change(id, changes.add_notice, NoticeKind.DMS_CLOSED, person.id),
            lambda: tables.change(id, inviting.invite, person.id, [self.rng.choice(PEOPLE)], tables.now),
            lambda: self.stop_and_rematch(person),
            lambda: self.forget(person),
            self.restart,
        ]
        with suppress(Refusal):
            await self.rng.choice(deeds)()

    async def stop_and_rematch(self, person: Person) -> None:
        """End the table, and let this person open it again if they can."""
        old = await self.tables.change(self.table.id, changes.stop, self.table.host, may_manage=True)
        await self.tables.rematch(old.id, person)

    async def do_something(self) -> None:
        """Whatever chance wants; what may not be done just now is refused."""
        person, seat = self.rng.choice(PEOPLE), self.rng.randrange(len(self.table.seats))
        tables, id, yes = self.tables, self.table.id, self.rng.random() < 0.6
        vote = self.table.vote.number if self.table.vote else 1
        now = Moment.of(self.table.game)
        deeds: dict[Callable[[], Awaitable[Any]], int] = {
            self.play: 70,
            lambda: tables.change(id, changes.leave_or_stay_out, person.id): 5,
            lambda: tables.join(id, person): 6,
            lambda: tables.take_seat(id, person, seat): 5,
            lambda: tables.change(id, voting.answer, person.id, vote, agrees=yes): 6,
            lambda: tables.end(id, person.id): 4,
            lambda: tables.plan_start(id, person.id, START): 1,
            lambda: tables.change(id, planning.be_here, person.id): 1,
            lambda: tables.change(id, changes.pick, person.id, seat, now, is_picked=yes): 8,
            lambda: tables.change(id, changes.change_latecomers, person.id, welcome=yes): 1,
            lambda: tables.change(id, changes.pause): 1,
            lambda: tables.change(id, changes.unpause): 3,
            lambda: self.forget(person): 1,
            self.restart: 2,
        }
        [deed] = self.rng.choices(list(deeds), list(deeds.values()))
        with suppress(Refusal):
            await deed()

    async def play(self) -> None:
        """Somebody whose turn it is plays until others are waited for."""
        table, seat = self.table, self.rng.choice(self.table.awaited or (0,))
        while table.is_live and seat in table.awaited:
            table = await act(self.tables, table, self.rng, seat)

    async def forget(self, person: Person) -> None:
        await self.tables.forget(person.id)
        await privacy.delete(self.database, person.id, person.name, [Tables.stored])

    async def restart(self) -> list[Table]:
        """The service goes on where it was."""
        before = self.table
        resumed = {table.id: table for table in await super().restart()}
        assert same(resumed[before.id], before)
        return self.resumed


def same(table: Table, other: Table) -> bool:
    """Whether the same is stored of both, and the same cards were played."""
    known = {name: getattr(other, name) for name in ("achieved", "rated", "pars")}
    return replace(table, **known, unsaved=(), logged=other.logged) == replace(other, unsaved=())


def check(table: Table) -> None:
    """What holds at any moment."""
    people = [seat.person for seat in table.seats if seat.person] + [one.person for one in table.seat_claims]
    assert len(people) == len(set(people))
    assert len({one.seat for one in table.seat_claims}) == len(table.seat_claims)
    assert table.awaited or not table.is_live or not table.has_people or table.paused
    if table.vote and table.vote.is_open:
        assert table.is_live
        assert table.vote.seats <= table.seats.voters
        assert not table.vote.agreed & table.vote.refused


async def check_results(evening: Evening) -> None:
    """The stored results are those of the game, if it came to its end."""
    table = evening.table
    rows = await evening.database.read(
        "SELECT person, place, won, gone, points, deals FROM results WHERE table_id = ?", (table.id,)
    )
    found = results_of(table, 0.0) if table.state is State.OVER else []
    expected = [(one.person, one.place, one.won, one.left_early, one.points, one.deals) for one in found]
    assert sorted(tuple(row) for row in rows) == sorted(expected)


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_they_do_the_log_and_the_ratings_tell_it(path: Path, seed: int) -> None:
    evening = await Evening(path, Random(seed)).open()
    for _ in range(5):
        await evening.begin_a_game()
        while evening.table.is_live and (evening.table.has_people or evening.table.paused):
            await evening.do_something()
            check(evening.table)
        await check_results(evening)
    kept = await everything(evening.database)
    await evening.database.write(recompute_ratings)
    assert await everything(evening.database) == kept
    await evening.close()
