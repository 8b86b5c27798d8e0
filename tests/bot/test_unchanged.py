"""What a change does not touch is not rendered again: then it must look as it did before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from by_chance import TABLES
from moments import tables

from bot.table.board import board
from bot.table.hands import hand_of, render_key
from engine.languages import by_code
from engine.play.deal import Phase
from engine.rules.ruleset import Ruleset
from engine.tables import Pace, Seats, Table
from engine.tables.picks import Picks, pick_card, picked_by
from engine.tables.plan import Timer

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_whatever_is_made_of_the_same_looks_the_same(preset: str, players: int) -> None:
    posts, hands, kept = {}, {}, 0
    for table in lived_in(tables(Ruleset.of(preset, players), seed=5), Random(3)):
        public = table.public
        assert table.game is not None
        asked = table.game.deals[-1].waiting_for
        for part in board(public):
            made, post = posts.get(part.key, (None, None))
            if made == part.render_key and not part.render().never_edited:
                assert part.render() == post
                kept += 1
            posts[part.key] = part.render_key, part.render()
        for number, seat in enumerate(table.seats):
            assert seat.person is not None
            made, hand = hands.get(number, (None, None))
            hands[number] = (
                render_key(table, number, asked, table.language),
                hand_of(table, public, seat.person),
            )
            if made == hands[number][0]:
                assert hands[number][1] == hand
                kept += 1
    assert kept > 200


@pytest.mark.parametrize(("preset", "players"), [("classic", 4), ("chinese", 4)])
def test_another_language_changes_every_post(preset: str, players: int) -> None:
    for table in tables(Ruleset.of(preset, players), seed=5):
        german = table.public.in_language(by_code("de"))
        for part, told in zip(board(table.public), board(german), strict=True):
            assert part.render_key != told.render_key, part.key


def lived_in(moments: Iterator[Table], rng: Random) -> Iterator[Table]:
    """The same moments at a table where the clock runs, and people leave and come back."""
    timer, away = Timer(1000.0, 600.0), -1
    for table in moments:
        if rng.random() < 0.3:
            timer = Timer(timer.deadline + 10, 600.0)
        if rng.random() < 0.1:
            away = rng.randrange(-1, len(table.seats))
        seats = Seats(replace(seat, away=number == away) for number, seat in enumerate(table.seats))
        yield replace(table, seats=seats, timer=timer, pace=Pace.RELAXED, picks=some_picks(table, rng))


def some_picks(table: Table, rng: Random) -> Picks:
    """What somebody has picked to pass, where cards are passed."""
    game = table.game
    if game is None or game.deals[-1].phase is not Phase.PASSING or rng.random() < 0.3:
        return ()
    seat = rng.randrange(game.rules.players)
    others = picked_by(game, (), seat)[1:]
    picks: Picks = tuple([others if number == seat else None for number in range(game.rules.players)])
    return pick_card(game, picks, seat, rng.randrange(game.rules.pack.hand_size), wanted=True)
