"""Posts and hands don't depend on hidden cards, whatever the game, the moment and the options."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from by_chance import TABLES
from moments import check_posts, rendered, reshuffled, tables

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
    ("wikibooks", 3, {"remainder": "kitty"}),
    ("wikibooks", 3, {"remainder": "kitty", "kitty": "one-per-trick"}),
    ("wikibooks", 5, {"remainder": "kitty", "kitty": "first-and-last", "pass_cards": 5}),
    ("wikibooks", 5, {"remainder": "jokers", "pass_cards": 1}),
    ("double-deck", 6, {"duplicates": "cancel"}),
    ("double-deck", 9, {"duplicates": "cancel", "kitty": "first-trick", "jack_of_diamonds": True}),
    ("double-deck", 6, {"duplicates": "cancel", "kitty": "one-per-trick", "spot_hearts": True}),
    ("cancellation", 5, {"pass_cards": 5}),
    ("chinese", 3, {}),
]


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_at_every_moment_of_every_game(preset: str, players: int) -> None:
    check_posts(tables(Ruleset.of(preset, players), seed=11), Random(7))


@pytest.mark.parametrize(("preset", "players", "options"), HIDING)
def test_other_hidden_cards_the_same_posts(preset: str, players: int, options: dict[str, Any]) -> None:
    check_posts(tables(Ruleset.of(preset, players, options), seed=3, deals=4), Random(5))


@pytest.mark.parametrize(("preset", "players", "options"), HIDING)
def test_a_hand_tells_nothing_of_the_others(preset: str, players: int, options: dict[str, Any]) -> None:
    """Whatever the others hold, have chosen or have declined: seat 0 reads the same."""
    rng, moments = Random(6), 0
    for table in tables(Ruleset.of(preset, players, options), seed=4, deals=4):
        assert table.game is not None
        mine = seat_view(table.game, 0)
        public = reshuffled(table, rng).public
        assert public.view is not None
        assert hand.hand(public, replace(mine, public=public.view)) == hand.hand(table.public, mine)
        moments += 1
    assert moments > 100


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
