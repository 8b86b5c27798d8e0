"""Whatever a replay shows, with the longest names, fits into a message with room to spare."""

from __future__ import annotations

from typing import Any

import pytest
from by_chance import played
from openapi import Request, faults, walk

from bot.delivery.components import layout
from bot.delivery.emojis import Emojis
from bot.pictures import emojis
from bot.replays.replay import ReplayPosition, replay
from bot.vocabulary.messages import Picture
from engine.play import steps
from engine.tables import Seat, Seats, State, Table

EMOJIS = Emojis()
EMOJIS.know(dict.fromkeys(emojis(), 10**18))
#: What markdown would read, and signs of many characters: names have up to 32.
LONGEST_NAMES = ("*" * 32, "W" * 32, "👨‍👩‍👧‍👦" * 4 + "🎉" * 4)
#: What Discord says of a picture in a component of ours, and what of a choice.
DESCRIPTION, LABEL = 1024, 100


@pytest.mark.parametrize("name", LONGEST_NAMES)
@pytest.mark.parametrize(("preset", "players"), [("double-deck", 10), ("cancellation", 5), ("chinese", 6)])
def test_every_stop_fits(preset: str, players: int, name: str, description: Any) -> None:
    game = played(preset, players)
    seats = Seats([Seat(number, name) for number in range(1, players + 1)])
    table = Table(
        id=10**18 - 1, guild=1, channel=2, host=1, rules=game.rules, state=State.OVER, seats=seats, game=game
    )
    deal = game.deals[-1]
    for step in [*steps.stops(deal), steps.stops(deal)[-2] - 1]:
        shown = replay(table, ReplayPosition(table.id, 10**18, deal.number, step))
        [picture] = [part for part in shown.parts if isinstance(part, Picture)]
        assert 1 <= len(picture.description.encode("utf-16-le")) // 2 <= DESCRIPTION
        for pictured in (True, False):
            body = {
                "components": layout(shown, EMOJIS, pictured=pictured).to_components(),
                "flags": 1 << 15,
                "allowed_mentions": {"parse": []},
            }
            assert faults([Request("POST", "/channels/1/messages", body)], description) == []
            used = [one["custom_id"] for one in walk(body["components"]) if "custom_id" in one]
            assert len(used) == len(set(used))
            for option in (one for one in walk(body["components"]) if "value" in one and "label" in one):
                for text in (option["label"], option.get("description") or ""):
                    assert len(text.encode("utf-16-le")) // 2 <= LABEL
