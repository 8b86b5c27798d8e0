"""How long a lost connection to the gateway waits until it is tried again."""

from __future__ import annotations

from bot.discord.gateway import LONGEST_RECONNECT, SHORTEST_WAIT, Backoff


def test_after_any_outage_it_is_tried_again_within_half_a_minute() -> None:
    backoff = Backoff()
    waits = [backoff.delay() for _ in range(1000)]
    assert min(waits) >= SHORTEST_WAIT == 1.0
    assert max(waits) <= LONGEST_RECONNECT == 30.0
    assert max(waits[:1]) <= 2.0
