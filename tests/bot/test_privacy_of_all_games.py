"""Posts don't depend on hidden cards, whatever the moment."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from moments import check_posts, rendered, tables

from bot.table import hand, notices
from engine.play.deal import Phase
from engine.play.moves import Declined
from engine.play.views import seat_view
from engine.rules.ruleset import Ruleset
from engine.tables import NoticeKind, Table
from engine.tables.flow import Flow
from engine.tables.plan import Timer

pytestmark = pytest.mark.slow

HIDING: list[tuple[str, int, dict[str, Any]]] = [
    ("classic", 4, {}),
    ("wikibooks", 3, {"remainder": "kitty", "kitty": "one-per-trick"}),
    ("double-deck", 6, {"duplicates": "cancel", "kitty": "one-per-trick", "spot_hearts": True}),
]


@pytest.mark.parametrize(("preset", "players", "options"), HIDING)
def test_other_hidden_cards_the_same_posts(preset: str, players: int, options: dict[str, Any]) -> None:
    """To a deal's last card, and in pictures too; test_other_worlds.py tests hands and commands."""
    check_posts(tables(Ruleset.of(preset, players, options), seed=3, deals=2), Random(5))


def test_who_still_thinks_about_exposing_is_told_to_nobody() -> None:
    """Whoever has declined: the same posts, reminders and hands of the others."""
    moments = 0
    for table in tables(Ruleset.of("chinese", 4), seed=8, deals=4):
        game = table.game
        assert game is not None
        if game.deal is None or game.deal.phase is not Phase.EXPOSING or len(game.deal.waiting_for) < 2:
            continue
        seat = game.deal.waiting_for[0]
        other = replace(table, game=game.advance(Declined(seat)))
        assert rendered(other.public) == rendered(table.public)
        for viewer in range(4):
            if viewer != seat:
                assert hand.hand(other.public, seat_view(other.game, viewer)) == hand.hand(
                    table.public, seat_view(game, viewer)
                )
        assert reminder(other) == reminder(table)
        moments += 1
    assert moments


def reminder(table: Table) -> Any:
    """What the table is told half-way."""
    flow = Flow(Random(1), Random(1), lambda view, rng: Declined(view.seat), lambda: 31.0)
    reminded = flow.ring(replace(table, timer=Timer(60.0, 60.0)))
    assert reminded.notice is not None
    assert reminded.notice.kind is NoticeKind.EXPOSING_REMINDER
    return notices.notice_post(reminded.public, reminded.notice)
