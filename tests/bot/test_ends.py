"""How long a game shall be: the lobby's ends that fit an evening."""

from __future__ import annotations

import re

import pytest
from people import Player, refusal
from seen import Seen
from server import Server

from engine.rules.presets import PRESETS

#: How a button looks that is chosen.
CHOSEN = 1


def lobby(server: Server) -> Seen:
    return server.post("Seats")


def ends(server: Server) -> dict[str, bool]:
    """The lengths that the lobby offers, and whether each is chosen."""
    found = lobby(server).buttons.items()
    return {label: one["style"] == CHOSEN for label, one in found if ":ends:" in one["custom_id"]}


def chosen(server: Server) -> list[str]:
    return [label for label, is_chosen in ends(server).items() if is_chosen]


async def test_the_documents_end_stays_the_usual_one_among_those_for_an_evening(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann, bo)
    assert list(ends(server)) == ["15 min", "30 min", "60 min"]
    assert chosen(server) == ["30 min"]
    assert lobby(server).says("over when a total reaches 100.")
    assert re.search(r"Game length \(to \d+, 100 or \d+\):", lobby(server).text)


@pytest.mark.parametrize("game", PRESETS)
async def test_besides_the_usual_end_there_are_those_of_15_30_and_60_minutes(
    server: Server, ann: Player, bo: Player, game: str
) -> None:
    """As PLAYING promises; one that takes about as long as the usual end is left out."""
    for players in PRESETS[game].players:
        ann.at = bo.at = server.add_thread(f"{game} {players}")
        [lobby] = (await ann.run("hearts new", game=game, players=players)).public
        for _ in range(2):
            shown = Seen.now(server.env, lobby.message)
            offered = {
                label: one["style"] for label, one in shown.buttons.items() if ":ends:" in one["custom_id"]
            }
            [usual] = [label for label, style in offered.items() if style == CHOSEN]
            others = {"15 min", "30 min", "60 min"} - {usual}
            assert set(offered) - {usual} <= others
            [minutes] = re.findall(r"\d+", usual) if usual.endswith(" min") else ["90"]
            for left_out in others - set(offered):
                assert abs(int(minutes) / int(left_out.split()[0]) - 1) <= 1 / 3  # both are rounded
            await bo.click("Join")


async def test_the_host_chooses_with_one_click(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo)
    [shortest] = re.findall(r"Game length \(to (\d+),", lobby(server).text)
    answer = await ann.click("15 min")
    assert answer.told == ""
    assert chosen(server) == ["15 min"]
    assert lobby(server).says(f"over when a total reaches {shortest}.")
    assert not lobby(server).says("House rules")
    await ann.click("30 min")
    assert not lobby(server).says("House rules")
    before = server.stored()
    assert (await bo.click("15 min")).told == refusal("host_only", host="Ann")
    assert (server.stored(), chosen(server)) == (before, ["30 min"])


async def test_whoever_joins_makes_it_longer(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann)
    assert chosen(server) == ["20 min"]
    await bo.click("Join")
    assert chosen(server) == ["30 min"]


async def test_where_a_turn_may_take_a_day_only_deals_are_told(server: Server, ann: Player) -> None:
    await server.seat(ann, pace="daily")
    assert len(ends(server)) > 2
    assert all(label.endswith(" deals") for label in ends(server))


async def test_forged_ends_change_nothing(server: Server, ann: Player) -> None:
    await server.seat(ann)
    before = server.stored()
    for value in ("0", "100001", "soon", "-5", "9" * 30):
        forged = ann.forge(f"hearts:ends:1:{value}", lobby(server))
        await server.settle()
        assert forged.told
    await ann.click("Start")
    moves = server.stored()["moves"]
    late = ann.forge("hearts:ends:1:50", lobby(server))
    await server.settle()
    assert late.told == refusal("already_started")
    assert (before["tables"][0]["rules"], moves) == (
        server.stored()["tables"][0]["rules"],
        server.stored()["moves"],
    )
