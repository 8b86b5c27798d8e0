"""How long a game shall be: the ends among Options that fit an evening."""

from __future__ import annotations

import re
from typing import Any

from games import change_rules, table_form
from people import Answer, Player, filled, refusal
from seen import Seen
from server import Server

from engine.rules.ruleset import Ruleset


def lobby(server: Server) -> Seen:
    return server.post("Seats")


async def options(server: Server, host: Player) -> Answer:
    """The form for the length, behind the lobby's Options."""
    return await table_form(host, lobby(server))


def lengths(form: Answer) -> list[dict[str, Any]]:
    """The lengths that the form offers."""
    assert form.result.modal is not None
    [field] = [one["component"] for one in form.result.modal["components"] if one["label"] == "Length"]
    return list(field["options"])


def totals(form: Answer) -> dict[str, str]:
    """By how long each takes, the totals that end a game."""
    found = [re.fullmatch(r"(.+) \(to ([\d,]+)\)", one["label"]) for one in lengths(form)]
    return {one[1]: one[2] for one in found if one}


def chosen(form: Answer) -> str:
    """How long the game takes that is chosen."""
    [label] = [one["label"] for one in lengths(form) if one.get("default")]
    return str(label.partition(" (to ")[0])


async def test_the_host_chooses_among_lengths_for_an_evening(server: Server, ann: Player, bo: Player) -> None:
    """The document's end stays the usual one among them; whoever joins makes it longer."""
    await server.seat(ann)
    assert chosen(await options(server, ann)) == "20 min"
    assert lobby(server).says("About 20 min.")
    await bo.click("Join")
    form = await options(server, ann)
    assert list(totals(form)) == ["15 min", "30 min", "60 min"]
    assert chosen(form) == "30 min"
    assert totals(form)["30 min"] == filled(form)["length"] == "100"
    for time, total in (("15 min", totals(form)["15 min"]), ("30 min", "100")):
        await ann.send(await options(server, ann), length=total)
        assert chosen(await options(server, ann)) == time
        assert lobby(server).says(f"over when a total reaches {total}.")
        assert lobby(server).says(f"About {time}.")
        assert not lobby(server).says("House rules")
    await ann.send(form, length="deals.4")
    assert lobby(server).says("total wins; over after 4 deals.")
    assert not lobby(server).says("House rules")
    assert filled(await options(server, ann))["length"] == "deals.4"
    [label] = [one["label"] for one in lengths(form) if one["value"] == "deals.4"]
    assert re.fullmatch(r"4 deals, about (\d+) min", label)
    assert lobby(server).says(f"About {label.partition('about ')[2]}.")
    for game, players, end in (("wikibooks", 4, 100), ("cancellation", 5, 150)):  # which bring their own
        form = await options(server, ann)
        await ann.send(form, length=totals(form)["60 min"])
        await change_rules(ann, game=game)
        assert lobby(server).says(f"over when a total reaches {end}.")
        [table] = server.stored()["tables"]
        assert Ruleset.from_json(table["rules"]) == Ruleset.of(game, players)
    await change_rules(ann, deals="1")
    assert lobby(server).says("over after 1 deal.")


async def test_a_daily_game_is_told_in_deals_and_keeps_its_end(server: Server, ann: Player) -> None:
    await server.seat(ann, pace="daily")
    times = list(totals(await options(server, ann)))
    assert len(times) > 2
    assert all(time.endswith(" deals") for time in times)
    assert re.search(r"About \d+ deals\. Pace: daily", lobby(server).text)
    await ann.click("Start")
    before = server.stored()
    usual = {"pace": "relaxed", "computers": "medium", "length": "50"}
    late = ann.forge_form("hearts:set:1:table", lobby(server), **usual)
    await server.settle()
    assert late.told == refusal("already_started")
    assert server.stored() == before
