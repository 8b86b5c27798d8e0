"""A deletion holds, whatever else happens at the same time and in whichever order."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from night import CHANNEL, CLASSIC, GUILD, HOST, NOON, Night, people
from outside import traces

from engine.errors import Refusal
from engine.languages import by_code
from engine.play.record import write_record
from engine.storage import dm_channels, house_rules
from engine.storage.call_wishes import CallWay, CallWish, put_wish
from engine.storage.privacy import export_person
from engine.tables import (
    Calls,
    DailyDeals,
    Forgotten,
    Person,
    Preference,
    Replays,
    changes,
    inviting,
)
from engine.tables.seats import Way
from engine.tournaments import Terms, Tournament
from tests.by_chance import played

pytestmark = pytest.mark.slow

ANN = Person(123456789012345678, "Zephyrine", "de")
BO = Person(2, "Bo")


class Evening(Night):
    """A night with everything that stores people."""

    async def open(self) -> Evening:
        await super().open()
        self.daily = DailyDeals(self.tables, self.database, lambda: NOON)
        self.replays = Replays(self.tables, self.database, lambda: self.now)
        return self

    async def knows(self) -> dict[str, Any]:
        """What is stored of Ann, or kept in memory."""
        stored = json.loads(await export_person(self.database, ANN.id))
        known = {name: value for name, value in stored.items() if value and name != "person"}
        # That she has seen a day's cards, or left a tournament, is kept until it is over, by a hash.
        known.pop("daily_deals_seen", None)
        missed = {int(id) for id in known.pop("tournaments_missed", ())}
        assert missed <= {one.id for one in self.tournaments.live}
        live = [table for table in self.tables.live if self.tables.mentions(ANN.id)]
        return known | ({"live": live} if live or self.tournaments.mentions(ANN.id) else {})


async def turn(loops: int, work: Awaitable[object]) -> None:
    """Let the loop turn so often before this is done."""
    for _ in range(loops):
        await asyncio.sleep(0)
    await work


async def allowed(work: Awaitable[object]) -> None:
    """Do it, unless it is refused."""
    with contextlib.suppress(Refusal):
        await work


@pytest.fixture
async def evening(path: Path) -> Any:
    evening = await Evening(path).open()
    yield evening
    await evening.close()


async def test_while_a_tournament_opens_its_tables(evening: Evening) -> None:
    for turns in range(60):
        opened = await evening.tournaments.open(GUILD + turns, CHANNEL + turns, HOST, Terms(CLASSIC))
        for person in (ANN, *people(3)):
            await evening.tournaments.sign_up(opened.id, person)
        starting = asyncio.create_task(evening.tournaments.start(opened.id, HOST.id, may_manage=False))
        await turn(turns, evening.forgetting.forget(ANN))
        await starting
        await evening.settle()
        assert not await evening.knows(), turns
        await evening.tournaments.cancel(opened.id, HOST.id, may_manage=False)
        await evening.settle()
        await evening.wait(6)


async def test_what_cannot_be_read_keeps_nobody_from_the_rest_and_is_emptied(evening: Evening) -> None:
    """Neither a tournament that was over, nor one that the start has left aside."""
    over, live, sound = [
        await evening.tournaments.open(guild, CHANNEL + guild, ANN, Terms(CLASSIC)) for guild in (7, 8, 9)
    ]
    await evening.tournaments.cancel(over.id, ANN.id, may_manage=False)
    await evening.tournaments.cancel(sound.id, ANN.id, may_manage=False)
    ended, table, whole = [await evening.tables.open(1, channel, ANN, CLASSIC) for channel in (3, 4, 5)]
    for one in (ended, whole):
        await evening.tables.change(one.id, changes.stop, ANN.id, may_manage=True)
    damage = """'{"name": "Zephyrine"}'"""
    await evening.database.execute(
        f"UPDATE tournaments SET body = {damage} WHERE id IN (?, ?)", (over.id, live.id)
    )
    await evening.database.execute(f"UPDATE tables SET body = {damage} WHERE id <> ?", (whole.id,))
    await evening.restart()
    exported = json.loads(await evening.forgetting.export(ANN.id))
    damaged = [{"tournament": one.id, "is_damaged": True} for one in (over, live)]
    assert exported["tournaments"][:2] == damaged
    assert exported["tournaments"][2]["is_host"]
    assert exported["tables"][:2] == [{"table": one.id, "is_damaged": True} for one in (ended, table)]
    assert exported["tables"][2]["is_host"]
    assert await evening.forgetting.forget(ANN) is Forgotten.WHOLLY
    assert not await evening.knows()
    assert not traces(evening.path, ANN.name, str(ANN.id))
    assert await evening.database.read("SELECT id FROM tables") == [(whole.id,)]
    rows = await evening.database.read("SELECT state, body ->> '$.host' FROM tournaments ORDER BY id")
    assert [tuple(row) for row in rows] == [("stopped", None), ("stopped", None), ("stopped", 0)]


Deed = Callable[[Evening, int, Tournament], Awaitable[object]]
RECORD = json.dumps(write_record(played("classic", 4), ["Ann", "Bo", "Cy", "Di"])).encode()
DEEDS: dict[str, Deed] = {
    "open": lambda one, _, __: one.tables.open(1, 50, ANN, CLASSIC),
    "alone": lambda one, _, __: one.tables.open_alone(ANN, CLASSIC),
    "join": lambda one, id, _: one.tables.join(id, ANN),
    "invite": lambda one, id, _: one.tables.change(id, inviting.invite, BO.id, [ANN], one.tables.now),
    "call": lambda one, id, _: one.tables.change(
        id, inviting.call, BO.id, [(ANN, Way.MENTION)], one.tables.now
    ),
    "rematch": lambda one, _, __: one.tables.rematch(1, BO),
    "her rematch": lambda one, _, __: one.tables.rematch(1, ANN),
    "daily": lambda one, _, __: one.daily.play(ANN, GUILD, CHANNEL),
    "sign up": lambda one, _, night: one.tournaments.sign_up(night.id, ANN),
    "tournament": lambda one, _, __: one.tournaments.open(GUILD + 1, CHANNEL, ANN, Terms(CLASSIC)),
    "prefer": lambda one, _, __: one.tables.prefer(ANN.id, Preference(Calls.NEVER, language=by_code("fr"))),
    "wish": lambda one, _, __: put_wish(one.database, CallWish(GUILD, ANN.id, CallWay.DM, 6, 22, 8, 60)),
    "house rules": lambda one, _, __: house_rules.save(
        one.database, GUILD, "Quick", CLASSIC, ANN.id, may_manage=False
    ),
    "DM channel": lambda one, _, __: dm_channels.put(one.database, ANN.id, 7),
    "file": lambda one, _, __: one.replays.hand_in(ANN.id, RECORD, None),
}


@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS)
async def test_while_something_is_done_that_stores_her(evening: Evening, deed: Deed) -> None:
    over = await evening.tables.open(1, 3, ANN, CLASSIC)
    await evening.tables.join(over.id, BO)
    await evening.tables.change(over.id, changes.stop, ANN.id, may_manage=True)
    lobby = await evening.tables.open(1, 4, BO, CLASSIC)
    night = await evening.tournaments.open(GUILD, CHANNEL, HOST, Terms(CLASSIC))
    for turns in range(-25, 40, 3):
        await asyncio.gather(
            turn(-turns, evening.forgetting.forget(ANN)),
            turn(turns, allowed(deed(evening, lobby.id, night))),
        )
        await evening.settle()
        assert not await evening.knows(), turns
        await evening.wait(6)
