"""A tournament's record, and what is stored of people: handed out, and deleted whatever else happens."""

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from night import CHANNEL, CLASSIC, GUILD, HOST, Night, people
from outside import traces

from engine.errors import Refusal
from engine.languages import by_code
from engine.play.par import Par
from engine.play.record import read_record, write_record
from engine.storage import dm_channels, house_rules, privacy
from engine.storage.call_wishes import CallWay, CallWish, put_wish
from engine.tables import Calls, Forgotten, Person, Preference, State, inviting
from engine.tables.forgetting import REFUSED_FOR
from engine.tables.seats import Way
from engine.tournaments import Terms, Tournament, standings
from tests.by_chance import played
from tests.tables.house import refusal

ANN = Person(123456789012345678, "Zephyrine", "de")
BO = Person(2, "Bo")
ONE = people(1)[0]
SHORT = Terms(CLASSIC, rounds=2, deals=1)


async def forget(night: Night, person: Person) -> None:
    assert await night.forgetting.forget(person) is Forgotten.WHOLLY


async def test_the_record_has_everything_but_ids(night: Night) -> None:
    id = await night.start(3, SHORT)
    assert await refusal(night.tournaments.record(id)) == "tournament_not_over"
    await night.play_round()
    [(_, table)] = night.tournaments.get(id).tables
    await night.tables.put_par(table.table, 1, Par((5.0, 8.0, 6.0, 7.0), (0.5,) * 4, 60))
    over = await night.to_the_end(id)
    record = json.loads(json.dumps(await night.tournaments.record(id)))
    assert record["players"] == [{"number": number, "name": f"P{number}"} for number in (1, 2, 3)]
    assert [one["player"] for one in record["standings"]] == [one.entrant.number for one in standings(over)]
    assert [len(round["tables"]) for round in record["rounds"]] == [1, 1]
    first = record["rounds"][0]["tables"][0]
    assert first["pars"] == [{"points": [5, 8, 6, 7], "errors": [0.5] * 4, "replays": 60}]
    assert first["seats"] == list(table.seats)
    game = read_record(first["game"])
    assert [tuple(points) for points in game.points] == [deal.points for deal in table.deals]
    assert record["rounds"][1]["tables"][0]["pars"] == [None]
    for person in (HOST, *people(3)):
        assert str(person.id) not in json.dumps(record["players"] + record["standings"])
        assert f'"{person.id}"' not in json.dumps(record)


async def test_who_deletes_everything_goes_and_the_others_results_stay(night: Night) -> None:
    before = await night.to_the_end(await night.start(3, SHORT))
    lines = await night.tournaments.season(GUILD, None)
    await forget(night, ONE)
    assert await night.tournaments.season(GUILD, None) == [line for line in lines if line.person != ONE.id]
    after = standings(await night.tournaments.find(before.id))
    assert {one.entrant.name for one in after} == {"", "P2", "P3"}
    assert [one.score for one in after] == [one.score for one in standings(before)]
    assert (await night.stored_of(ONE))["tournaments"] == []


async def test_who_deletes_everything_in_mid_round_leaves_a_computer_there(night: Night) -> None:
    id = await night.start(3, SHORT)
    [one] = (await night.stored_of(ONE))["tournaments"]
    assert (one["signed_up_as"]["name"], one["is_host"]) == ("P1", False)
    assert [seat["state"] for seat in one["tables"]] == ["playing"]
    assert night.tournaments.mentions(ONE.id)
    await forget(night, ONE)
    assert not night.tournaments.mentions(ONE.id)
    assert night.table.seat_of(ONE.id) is None
    await night.restart()
    assert night.tournaments.get(id).entrants[0].name == ""
    over = await night.to_the_end(id)
    assert [len(table.people) for _, table in over.tables] == [3, 2]
    assert await night.database.read("SELECT 1 FROM tournament_people WHERE person = ?", (ONE.id,)) == []
    assert await night.database.read("SELECT 1 FROM tournaments WHERE body LIKE '%\"P1\"%'") == []


async def test_its_host_may_be_forgotten(night: Night) -> None:
    id = await night.start(2, SHORT)
    [one] = (await night.stored_of(HOST))["tournaments"]
    assert (one["tournament"], one["is_host"]) == (id, True)
    await forget(night, HOST)
    assert night.tournaments.get(id).host == 0
    assert await refusal(night.tournaments.cancel(id, 5, may_manage=False)) == "tournament_host_only"
    await night.tournaments.cancel(id, 5, may_manage=True)
    await night.settle()
    assert not any(table.state is State.PLAYING for table in night.tables.live)


async def test_who_deletes_a_bad_round_sits_out_the_rest_unless_before_the_start(night: Night) -> None:
    id = await night.sign_up(4, SHORT)
    await forget(night, ONE)
    await night.wait(REFUSED_FOR)
    await night.tournaments.sign_up(id, ONE)
    await night.tournaments.start(id, HOST.id, may_manage=False)
    await night.settle()
    await night.play_round()
    await forget(night, ONE)
    for _ in range(2):
        assert await refusal(night.tournaments.sign_up(id, ONE)) == "tournament_missed"
        await night.restart()
    left = await night.stored_of(ONE)
    assert (left["tournaments_missed"], left["tournaments"]) == ([str(id)], [])
    await night.tournaments.sign_up(id, Person(1, "Late"))  # who has nothing to do with it
    [row] = await night.database.read("SELECT key, hash FROM deleted_players")
    await night.to_the_end(id)
    assert await night.database.read("SELECT 1 FROM deleted_players") == []
    assert await privacy.finish(night.database)
    assert not traces(night.path, *row)


# Whatever else happens at the same time, and in whichever order


async def knows(night: Night) -> dict[str, Any]:
    """What is stored of Ann, or kept in memory."""
    stored = await night.stored_of(ANN)
    known = {name: value for name, value in stored.items() if value and name != "person"}
    # That she has seen a day's cards, or left a tournament, is kept until it is over, by a hash.
    known.pop("daily_deals_seen", None)
    missed = {int(id) for id in known.pop("tournaments_missed", ())}
    assert missed <= {one.id for one in night.tournaments.live}
    live = [table for table in night.tables.live if night.tables.mentions(ANN.id)]
    return known | ({"live": live} if live or night.tournaments.mentions(ANN.id) else {})


async def turn(loops: int, work: Awaitable[object]) -> None:
    """Let the loop turn so often before this is done."""
    for _ in range(loops):
        await asyncio.sleep(0)
    await work


async def allowed(work: Awaitable[object]) -> None:
    """Do it, unless it is refused."""
    with contextlib.suppress(Refusal):
        await work


@pytest.mark.slow
async def test_while_a_tournament_opens_its_tables(night: Night) -> None:
    for turns in range(60):
        opened = await night.tournaments.open(GUILD + turns, CHANNEL + turns, HOST, Terms(CLASSIC))
        for person in (ANN, *people(3)):
            await night.tournaments.sign_up(opened.id, person)
        starting = asyncio.create_task(night.tournaments.start(opened.id, HOST.id, may_manage=False))
        await turn(turns, night.forgetting.forget(ANN))
        await starting
        await night.settle()
        assert not await knows(night), turns
        await night.tournaments.cancel(opened.id, HOST.id, may_manage=False)
        await night.settle()
        await night.wait(6)


@pytest.mark.slow
async def test_what_cannot_be_read_keeps_nobody_from_the_rest_and_is_emptied(night: Night) -> None:
    """Neither a tournament that was over, nor one that the start has left aside."""
    over, live, sound = [
        await night.tournaments.open(guild, CHANNEL + guild, ANN, Terms(CLASSIC)) for guild in (7, 8, 9)
    ]
    await night.tournaments.cancel(over.id, ANN.id, may_manage=False)
    await night.tournaments.cancel(sound.id, ANN.id, may_manage=False)
    ended, table, whole = [await night.seat(ANN, channel=channel) for channel in (3, 4, 5)]
    for one in (ended, whole):
        await night.stop(one)
    damage = """'{"name": "Zephyrine"}'"""
    await night.database.execute(
        f"UPDATE tournaments SET body = {damage} WHERE id IN (?, ?)", (over.id, live.id)
    )
    await night.database.execute(f"UPDATE tables SET body = {damage} WHERE id <> ?", (whole.id,))
    await night.restart()
    exported = json.loads(await night.forgetting.export(ANN.id))
    damaged = [{"tournament": one.id, "is_damaged": True} for one in (over, live)]
    assert exported["tournaments"][:2] == damaged
    assert exported["tournaments"][2]["is_host"]
    assert exported["tables"][:2] == [{"table": one.id, "is_damaged": True} for one in (ended, table)]
    assert exported["tables"][2]["is_host"]
    assert await night.forgetting.forget(ANN) is Forgotten.WHOLLY
    assert not await knows(night)
    assert not traces(night.path, ANN.name, str(ANN.id))
    assert await night.database.read("SELECT id FROM tables") == [(whole.id,)]
    rows = await night.database.read("SELECT state, body ->> '$.host' FROM tournaments ORDER BY id")
    assert [tuple(row) for row in rows] == [("stopped", None), ("stopped", None), ("stopped", 0)]


Deed = Callable[[Night, int, Tournament], Awaitable[object]]
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
    "sign up": lambda one, _, opened: one.tournaments.sign_up(opened.id, ANN),
    "tournament": lambda one, _, __: one.tournaments.open(GUILD + 1, CHANNEL, ANN, Terms(CLASSIC)),
    "prefer": lambda one, _, __: one.tables.prefer(ANN.id, Preference(Calls.NEVER, language=by_code("fr"))),
    "wish": lambda one, _, __: put_wish(one.database, CallWish(GUILD, ANN.id, CallWay.DM, 6, 22, 8, 60)),
    "house rules": lambda one, _, __: house_rules.save(
        one.database, GUILD, "Quick", CLASSIC, ANN.id, may_manage=False
    ),
    "DM channel": lambda one, _, __: dm_channels.put(one.database, ANN.id, 7),
    "file": lambda one, _, __: one.replays.hand_in(ANN.id, RECORD, None),
}


@pytest.mark.slow
@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS)
async def test_while_something_is_done_that_stores_her(night: Night, deed: Deed) -> None:
    await night.stop(await night.seat(ANN, BO, channel=3))
    lobby = await night.seat(BO, channel=4)
    opened = await night.tournaments.open(GUILD, CHANNEL, HOST, Terms(CLASSIC))
    for turns in range(-25, 40, 3):
        await asyncio.gather(
            turn(-turns, night.forgetting.forget(ANN)),
            turn(turns, allowed(deed(night, lobby.id, opened))),
        )
        await night.settle()
        assert not await knows(night), turns
        await night.wait(6)
