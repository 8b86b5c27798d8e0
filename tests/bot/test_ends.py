"""How long a game shall be: the lobby's list of ends that fit an evening."""

from __future__ import annotations

from people import Player, refusal
from seen import Seen
from server import Server

PROMPT = "How long shall the game be?"


def lobby(server: Server) -> Seen:
    return server.post("Seats")


def chosen(server: Server) -> list[str]:
    return [label for label, is_chosen in lobby(server).options(PROMPT).items() if is_chosen]


async def test_the_documents_end_stays_the_usual_one_among_those_for_an_evening(
    server: Server, ann: Player, bo: Player
) -> None:
    await server.seat(ann, bo)
    labels = list(lobby(server).options(PROMPT))
    assert [label.partition(" · ")[2] for label in labels] == [
        "about 15 minutes",
        "about 30 minutes",
        "about 60 minutes",
    ]
    assert chosen(server) == ["To 100 · about 30 minutes"]
    assert lobby(server).says("over when a total reaches 100.")
    hints = [one["description"] for one in lobby(server).selects[PROMPT]["options"]]
    assert [hint.endswith("; the usual end") for hint in hints] == [False, True, False]


async def test_the_host_chooses_with_one_click(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann, bo)
    shortest = lobby(server).selects[PROMPT]["options"][0]["value"]
    answer = await ann.choose(shortest, lobby(server))
    assert answer.told == ""
    assert chosen(server) == [f"To {shortest} · about 15 minutes"]
    assert lobby(server).says(f"over when a total reaches {shortest}.")
    await ann.choose("100", lobby(server))
    assert not lobby(server).says("House rules")
    before = server.stored()
    assert (await bo.choose(shortest, lobby(server))).told == refusal("host_only", host="Ann")
    assert (server.stored(), chosen(server)) == (before, ["To 100 · about 30 minutes"])


async def test_whoever_joins_makes_it_longer(server: Server, ann: Player, bo: Player) -> None:
    await server.seat(ann)
    assert chosen(server) == ["To 100 · about 20 minutes"]
    await bo.click("Join")
    assert chosen(server) == ["To 100 · about 30 minutes"]


async def test_where_a_turn_may_take_a_day_only_deals_are_told(server: Server, ann: Player) -> None:
    await server.seat(ann, pace="daily")
    assert all(label.endswith(" deals") for label in lobby(server).options(PROMPT))


async def test_forged_ends_change_nothing(server: Server, ann: Player) -> None:
    await server.seat(ann)
    before = server.stored()
    for value in ("0", "100001", "soon", "-5", "9" * 30):
        forged = ann.forge("hearts:ends:1", lobby(server), [value])
        await server.settle()
        assert forged.told
    await ann.click("Start")
    moves = server.stored()["moves"]
    late = ann.forge("hearts:ends:1", lobby(server), ["50"])
    await server.settle()
    assert late.told == refusal("already_started")
    assert (before["tables"][0]["rules"], moves) == (
        server.stored()["tables"][0]["rules"],
        server.stored()["moves"],
    )
