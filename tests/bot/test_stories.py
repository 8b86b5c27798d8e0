"""How a game was won, as its last post tells it: since when, with which moons, and who took the queens."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from games import NAMES
from moments import played

from bot.table import scores
from bot.table.stories import story
from bot.vocabulary.messages import Picture, Post
from bot.vocabulary.scenes import CurvesScene
from engine.cards import QUEEN_OF_SPADES
from engine.tables import FormerOccupant, Seats


def pictures(post: Post) -> list[Picture]:
    """The pictures in a post."""
    return [part for part in post.parts if isinstance(part, Picture)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("preset", "players", "options"),
    [("classic", 4, {}), ("cancellation", 5, {}), ("chinese", 3, {}), ("double-deck", 6, {"ends_at": 300})],
)
def test_the_curve_since_when_the_winner_led_and_every_queen_and_moon(
    preset: str, players: int, options: dict[str, Any], seed: int
) -> None:
    table = played(preset, players, seed=seed, **options)
    [picture] = pictures(scores.final(table))
    view, scene = table.view, picture.scene
    assert isinstance(scene, CurvesScene)
    assert view is not None
    assert view.winners is not None
    assert [curve.name for curve in scene.curves] == list(NAMES[:players])
    assert [curve.totals[0] for curve in scene.curves] == [0] * players
    assert [curve.totals[-1] for curve in scene.curves] == list(view.totals)
    assert {len(curve.totals) for curve in scene.curves} == {len(view.history) + 1}
    assert tuple(seat for seat, curve in enumerate(scene.curves) if curve.has_won) == view.winners
    end = table.rules.ends_at
    assert scene.limits == ((end, -end) if preset == "chinese" else (end,))

    best = min if preset in ("classic", "double-deck") else max
    led = [tuple(seat for seat in range(players) if now[seat] == best(now)) for now in view.history]
    since = next(deal for deal in range(len(led)) if all(seats == view.winners for seats in led[deal:]))
    first, *_ = lines = "\n".join(story(table)).split("\n")
    if len(led) == 1:
        assert " led from " not in first
    else:
        assert first.endswith(
            f"led from deal {since + 1} on." if since else "led from the first deal to the last."
        )
        assert all(f"**{NAMES[seat]}**" in first for seat in view.winners)

    taken = next(line for line in lines if "taken" in line)
    counts = [int(word.strip(".,")) for word in taken.split() if word.strip(".,").isdigit()]
    assert sum(counts) == table.rules.pack.cards.count(QUEEN_OF_SPADES) * len(view.history)
    moons = sum(deal.shooter is not None for deal in (*view.past, view.deal) if deal)
    assert any("🌕" in line for line in lines) == bool(moons)


def test_scores_show_the_curve_while_nobody_has_won_but_not_of_one_deal() -> None:
    [picture] = pictures(scores.sheet(played("classic", 4, deals=3)))
    assert isinstance(picture.scene, CurvesScene)
    assert [curve.has_won for curve in picture.scene.curves] == [False] * 4
    assert len(picture.description) <= 256
    assert picture.description.startswith("Totals after 3 deals: Ann ")
    assert not pictures(scores.sheet(played("classic", 4, deals=1)))


def test_who_took_the_queens_is_who_had_the_seat_then() -> None:
    table = played("classic", 4)
    assert table.view is not None
    deals = len(table.view.history)
    assert deals > 2
    seats = [replace(seat, name=f"{seat.name} later", since=deals) for seat in table.seats]
    departed = [
        FormerOccupant(number, seat.person or 0, seat.name, 1, deals - 1)
        for number, seat in enumerate(table.seats)
    ]
    changed = replace(table, seats=Seats(seats), former_occupants=tuple(departed))
    [before], [after] = [[line for line in story(one) if "taken" in line] for one in (table, changed)]
    assert after.count(" later") == 1
    assert {name for name in NAMES if name in after} >= {name for name in NAMES if name in before}


@pytest.mark.parametrize(
    ("history", "told"),
    [
        (((5, 6, 7, 8),), None),
        (((5, 6, 7, 8), (10, 20, 20, 20)), "**Ann** led from the first deal to the last."),
        (((9, 6, 7, 8), (10, 20, 20, 20)), "**Ann** led from deal 2 on."),
        (((6, 6, 7, 8), (10, 20, 20, 20)), "**Ann** led from deal 2 on."),
        (((9, 6, 7, 8), (10, 20, 20, 20), (30, 25, 40, 50), (30, 35, 40, 50)), "**Ann** led from deal 4 on."),
    ],
)
def test_since_when_in_a_game_of_few_deals(history: tuple[tuple[int, ...], ...], told: str | None) -> None:
    table = played("classic", 4)
    assert table.view is not None
    view = replace(table.view, history=history, totals=history[-1], winners=(0,))
    assert [line for line in story(replace(table, view=view)) if " led " in line] == ([told] if told else [])


@pytest.mark.parametrize(
    ("winners", "told"),
    [
        ((1,), "## 🏆 **Bo** wins!"),
        ((0, 2), "## 🏆 **Ann** and **Cy** win together!"),
        ((0, 1, 3), "## 🏆 **Ann**, **Bo** and **Di** win together!"),
    ],
)
def test_who_has_won(winners: tuple[int, ...], told: str) -> None:
    table = played("classic", 4)
    assert table.view is not None
    view = replace(
        table.view, totals=tuple(20 if seat in winners else 60 for seat in range(4)), winners=winners
    )
    assert str(scores.final(replace(table, view=view)).parts[0]).split("\n")[0] == told
