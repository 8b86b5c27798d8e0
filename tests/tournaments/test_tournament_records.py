"""A tournament's record, and what is stored of people in tournaments: handed out, and deleted."""

from __future__ import annotations

import json
from typing import Any

from night import CLASSIC, GUILD, HOST, Night, people
from outside import traces

from engine.play.par import Par
from engine.play.record import read_record
from engine.storage import privacy
from engine.tables import Forgotten, Person, State
from engine.tables.forgetting import REFUSED_FOR
from engine.tournaments import Terms, Tournaments, standings
from tests.tables.house import refusal

SHORT = Terms(CLASSIC, rounds=2, deals=1)
ANN = people(1)[0]


async def forget(night: Night, person: Person) -> None:
    """Delete everything about this person."""
    assert await night.forgetting.forget(person) is Forgotten.WHOLLY


async def stored(night: Night, person: Person) -> Any:
    """What is handed out to this person."""
    return json.loads(await privacy.export_person(night.database, person.id, [Tournaments.stored]))


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
    await forget(night, ANN)
    assert await night.tournaments.season(GUILD, None) == [line for line in lines if line.person != ANN.id]
    after = standings(await night.tournaments.find(before.id))
    assert {one.entrant.name for one in after} == {"", "P2", "P3"}
    assert [one.score for one in after] == [one.score for one in standings(before)]
    assert (await stored(night, ANN))["tournaments"] == []


async def test_who_deletes_everything_in_mid_round_leaves_a_computer_there(night: Night) -> None:
    id = await night.start(3, SHORT)
    [one] = (await stored(night, ANN))["tournaments"]
    assert (one["signed_up_as"]["name"], one["is_host"]) == ("P1", False)
    assert [seat["state"] for seat in one["tables"]] == ["playing"]
    assert night.tournaments.mentions(ANN.id)
    await forget(night, ANN)
    assert not night.tournaments.mentions(ANN.id)
    assert night.table.seat_of(ANN.id) is None
    await night.restart()
    assert night.tournaments.get(id).entrants[0].name == ""
    over = await night.to_the_end(id)
    assert [len(table.people) for _, table in over.tables] == [3, 2]
    assert await night.database.read("SELECT 1 FROM tournament_people WHERE person = ?", (ANN.id,)) == []
    assert await night.database.read("SELECT 1 FROM tournaments WHERE body LIKE '%\"P1\"%'") == []


async def test_its_host_may_be_forgotten(night: Night) -> None:
    id = await night.start(2, SHORT)
    [one] = (await stored(night, HOST))["tournaments"]
    assert (one["tournament"], one["is_host"]) == (id, True)
    await forget(night, HOST)
    assert night.tournaments.get(id).host == 0
    assert await refusal(night.tournaments.cancel(id, 5, may_manage=False)) == "tournament_host_only"
    await night.tournaments.cancel(id, 5, may_manage=True)
    await night.settle()
    assert not any(table.state is State.PLAYING for table in night.tables.live)


async def test_who_deletes_a_bad_round_sits_out_the_rest_unless_before_the_start(night: Night) -> None:
    id = await night.sign_up(4, SHORT)
    await forget(night, ANN)
    await night.wait(REFUSED_FOR)
    await night.tournaments.sign_up(id, ANN)
    await night.tournaments.start(id, HOST.id, may_manage=False)
    await night.settle()
    await night.play_round()
    await forget(night, ANN)
    for _ in range(2):
        assert await refusal(night.tournaments.sign_up(id, ANN)) == "tournament_missed"
        await night.restart()
    left = await stored(night, ANN)
    assert (left["tournaments_missed"], left["tournaments"]) == ([str(id)], [])
    await night.tournaments.sign_up(id, Person(1, "Late"))  # who has nothing to do with it
    [row] = await night.database.read("SELECT key, hash FROM deleted_players")
    await night.to_the_end(id)
    assert await night.database.read("SELECT 1 FROM deleted_players") == []
    assert await privacy.finish(night.database)
    assert not traces(night.path, *row)
