"""The gateway: a lost connection is tried again soon, and an event that makes no sense is dropped."""

from typing import Any

import pytest
from scraping import counted
from server import Server
from simcord.backend import serializers

from bot.discord.gateway import LONGEST_RECONNECT, SHORTEST_WAIT, Backoff


def test_after_any_outage_it_is_tried_again_within_half_a_minute() -> None:
    backoff = Backoff()
    waits = [backoff.delay() for _ in range(1000)]
    assert min(waits) >= SHORTEST_WAIT == 1.0
    assert max(waits) <= LONGEST_RECONNECT == 30.0
    assert waits[0] <= 2.0


def feed(server: Server, event: str, payload: dict[str, Any]) -> None:
    """Send the bot this event, as discord.py hears it from the gateway."""
    with server.env._bot_scope():
        server.env.bot._connection.parsers[event](payload)


async def test_events_with_fields_that_are_null_or_missing_are_dropped_and_counted(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    await server.deal_and_pass()
    backend = server.env.backend
    message = dict(serializers.message_payload(backend, server.posts()[-1].message))
    guild = dict(serializers.guild_create_payload(backend, backend.guilds[server.guild.id]))
    changed = next(dict(one) for one in guild["channels"] if one["id"] == str(server.channel.id))
    del changed["position"]
    odd: list[tuple[str, dict[str, Any]]] = [
        ("MESSAGE_UPDATE", {**message, "guild_id": None}),
        ("CHANNEL_UPDATE", {"guild_id": guild["id"], **changed}),
        ("GUILD_CREATE", {**guild, "channels": [None]}),
        ("INTERACTION_CREATE", {"id": "1", "type": 3, "channel": {"last_message_id": "1"}}),
    ]
    for event, payload in odd:
        feed(server, event, payload)
    await server.settle()
    await server.to_play.play()
    assert counted(server.env.bot.monitor)("hearts_gateway_events_dropped_total") == len(odd)
    lines = [one for one in caplog.records if "was dropped" in one.getMessage()]
    assert len(lines) == len(odd)
    assert not any(one.exc_info for one in lines)
    for event in set(server.env.bot._connection.parsers) - {"READY"}:
        feed(server, event, {})
    await server.settle()
    await server.to_play.play()
