"""The check of every test that nobody is mentioned or written to unasked finds what it should."""

from collections.abc import Iterator

import pytest
from consent import intrusions
from people import Player
from server import Server
from test_inviting import invite

from bot.table.lobby import Join
from bot.vocabulary.messages import Button, Post, Whisper


@pytest.fixture(autouse=True)
def unnoticed(server: Server) -> Iterator[None]:
    """The check after this test finds nothing."""
    yield
    server.env.backend.transcript.clear()
    server.env.backend.http_requests.clear()


async def mention(server: Server, person: Player, *, asks: int | None = None, key: str = "one") -> None:
    """Mention this person, with `asks` in a message that asks them to that table."""
    parts = ((Button("Join", Join(asks)),),) if asks else ()
    post = Post(("Look!", *parts), call=f"<@{person.id}>", ping=(person.id,))
    delivery = server.env.bot.delivery
    await delivery._sender.post(server.channel.id, post, key, post.ping)


def found(server: Server) -> list[str]:
    return [one.partition(": ")[2] for one in intrusions(server)]


async def test_who_may_be_mentioned(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await server.seat(ann)
    await mention(server, ann)
    await invite(ann, bo)
    assert found(server) == []
    await mention(server, cy)
    await mention(server, bo, asks=1, key="two")
    await mention(server, cy, asks=1, key="three")
    assert found(server) == [
        "mentions somebody who has asked for nothing",
        "calls somebody twice to table 1",
        "calls somebody who was neither invited nor wants to be told",
    ]


async def test_who_may_be_written_to(server: Server, ann: Player, bo: Player, cy: Player) -> None:
    await server.seat(ann)
    await bo.prefer(tell="dm")
    dms = server.env.bot.delivery.dms
    for player in (ann, bo):
        await dms.of(1, player.id).report_problem(Whisper(("Hello",)), lambda: True)
    assert found(server) == []
    await bo.prefer(tell="mention")
    for player in (bo, cy):
        await dms.of(1, player.id).report_problem(Whisper(("Hello",)), lambda: True)
    assert set(found(server)) == {"writes to somebody who has asked for nothing"}
