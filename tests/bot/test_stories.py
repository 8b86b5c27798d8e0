"""What was special about a deal, and how a game was won: since when, and who took the queens."""

from dataclasses import replace
from typing import Any

import pytest
from games import NAMES
from moments import played, table_of
from play.test_feats import CHINESE, MOON, classic
from play.test_feats import STOPPED as BROKEN
from play.test_feats import played as game_of

from bot.table import scores
from bot.table.stories import in_a_few_lines, story
from bot.vocabulary.messages import Picture, Post
from bot.vocabulary.scenes import FeatScene
from engine.cards import QUEEN_OF_SPADES
from engine.play.feats import FeatKind
from engine.play.game import Game
from engine.play.public import public_deal
from engine.tables import FormerOccupant, Seats


def pictures(post: Post) -> list[Picture]:
    return [part for part in post.parts if isinstance(part, Picture)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("preset", "players", "options"),
    [("classic", 4, {}), ("cancellation", 5, {}), ("chinese", 3, {}), ("double-deck", 6, {"ends_at": 300})],
)
def test_the_curve_and_every_queen_and_moon(
    preset: str, players: int, options: dict[str, Any], seed: int
) -> None:
    table = played(preset, players, seed=seed, **options)
    [picture] = pictures(scores.final(table))
    view, scene = table.view, picture.scene
    assert [curve.name for curve in scene.curves] == list(NAMES[:players])
    assert [curve.totals[0] for curve in scene.curves] == [0] * players
    assert [curve.totals[-1] for curve in scene.curves] == list(view.totals)
    assert {len(curve.totals) for curve in scene.curves} == {len(view.history) + 1}
    assert tuple(seat for seat, curve in enumerate(scene.curves) if curve.has_won) == view.winners
    end = table.rules.ends_at
    assert scene.limits == ((end, -end) if preset == "chinese" else (end,))

    lines = "\n".join(story(table)).split("\n")
    taken = next(line for line in lines if "taken" in line)
    counts = [int(word.strip(".,")) for word in taken.split() if word.strip(".,").isdigit()]
    assert sum(counts) == table.rules.pack.cards.count(QUEEN_OF_SPADES) * len(view.history)
    moons = sum(deal.shooter is not None for deal in (*view.past, view.deal) if deal)
    assert any("🌕" in line for line in lines) == bool(moons)


def test_scores_show_the_curve_while_nobody_has_won_but_not_of_one_deal() -> None:
    [picture] = pictures(scores.sheet(played("classic", 4, deals=3)))
    assert [curve.has_won for curve in picture.scene.curves] == [False] * 4
    assert len(picture.description) <= 256
    assert picture.description.startswith("Totals after 3 deals: Ann ")
    assert not pictures(scores.sheet(played("classic", 4, deals=1)))


def test_who_took_the_queens_is_who_had_the_seat_then() -> None:
    table = played("classic", 4)
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


ALONE, TOGETHER = "## 🏆 **Ann** wins!", "## 🏆 **Ann** and **Bo** win together!"


@pytest.mark.parametrize(
    ("history", "heading", "led"),
    [
        ([(5, 6, 7, 8)], ALONE, []),
        ([(5, 6, 7, 8), (10, 20, 20, 20)], ALONE, ["**Ann** led from the first deal to the last."]),
        ([(6, 6, 7, 8), (10, 20, 20, 20)], ALONE, ["**Ann** led from deal 2 on."]),
        ([(9, 9, 7, 8), (9, 9, 20, 20)], TOGETHER, ["**Ann** and **Bo** led from deal 2 on."]),
        (
            [(9, 6, 7, 8), (9, 20, 40, 50), (30, 25, 40, 50), (30, 35, 40, 50)],
            ALONE,
            ["**Ann** led from deal 4 on."],
        ),
    ],
)
def test_who_has_won_and_since_when_they_led(
    history: list[tuple[int, ...]], heading: str, led: list[str]
) -> None:
    table = played("classic", 4)
    view = replace(
        table.view,
        history=tuple(history),
        totals=history[-1],
        winners=table.rules.winner.leaders(history[-1]),
    )
    table = replace(table, view=view)
    assert [line for line in story(table) if " led " in line] == led
    assert str(scores.final(table).parts[0]).split("\n")[0] == heading


def test_the_result_as_text_to_copy_from_which_no_name_breaks_out() -> None:
    game = game_of(classic(ends_at=51), MOON[0], BROKEN)
    [text] = in_a_few_lines(table_of(game, ("```@everyone", "Bo", "Cy", "Di")).public).parts
    assert text == (
        "Copy this and post it wherever you like:\n```\n🃏 Hearts, 2 deals\n"
        "🥇 '''@\u200beveryone 1 🌕🟩\n🥈 Cy 26 🟥🟩\n🥈 Di 26 🟥🟩\n4. Bo 51 🟥🟥\n"
        "🟩 better than everyone's average, 🟨 about as good, 🟥 worse\n```"
    )


def test_a_sun_is_counted_as_one_and_as_no_moon() -> None:
    lines = [*story(table_of(game_of(CHINESE, MOON[0])).public)]
    assert lines == ["☀️ Suns: **Ann** 1.", "`Q♠` taken: **Ann** 1."]


def test_once_a_deal_is_over_the_kitty_is_told() -> None:
    table = played("wikibooks", 3, deals=1, remainder="kitty")
    [deal] = [one for one in (*table.view.past, table.view.deal) if one]
    text = "\n".join(part for part in scores.after_deal(table, deal) if isinstance(part, str))
    [(taker, kitty)] = [(seat, some) for seat, some in enumerate(deal.kitty_taken) if some]
    assert text.count(f"**{NAMES[taker]}** took `{kitty[0].symbol}` from the kitty.") == 1


# A moon, or nearly one

SHOT = "## 🌕 **Ann** shot the moon"
STOPPED = "## 🌒 **Bo** nearly shot the moon\n**Bo** took 25 of 26 points, and **Ann** stopped it."
STOPPED_SCENE = FeatScene(FeatKind.STOPPED, "Bo", "Seat 2", "nearly shot the moon", "25 of 26 points")
STOPPED_PICTURE = Picture(
    STOPPED_SCENE, "A moon in eclipse. Bo nearly shot the moon: 25 of 26 points", words=""
)


def moon_picture(outcome: str) -> Picture:
    """The picture of Ann's moon."""
    scene = FeatScene(FeatKind.MOON, "Ann", "Seat 1", "shot the moon", outcome)
    return Picture(scene, f"A full moon among stars. Ann shot the moon: {outcome}", words="")


@pytest.mark.parametrize(
    ("game", "headline", "picture"),
    [
        # What Ann chose is said in the post right above.
        (game_of(classic(), MOON[0]), SHOT, moon_picture("+26 for everyone else")),
        (
            game_of(classic(moon="others"), MOON[0]),
            f"{SHOT}\nEveryone else gets +26.",
            moon_picture("+26 for everyone else"),
        ),
        (game_of(classic(moon="self"), MOON[0]), f"{SHOT}\n−26 for **Ann**.", moon_picture("−26 points")),
        (
            game_of(classic(moon="half"), MOON[0]),
            f"{SHOT}\n−13 for **Ann**, +13 for everyone else.",
            moon_picture("−13, and +13 for everyone else"),
        ),
        (game_of(classic(), BROKEN), STOPPED, STOPPED_PICTURE),
    ],
)
def test_a_moon_or_nearly_one_stands_above_the_points(game: Game, headline: str, picture: Picture) -> None:
    first, second, points, *_ = scores.after_deal(table_of(game).public, public_deal(game.deals[0]))
    assert (first, second) == (headline, picture)
    assert str(points).startswith("### After deal 1")


def test_the_end_of_a_game_shows_it_too() -> None:
    post = scores.final(table_of(game_of(classic(ends_at=20), MOON[0])).public)
    assert post.parts[1:3] == (SHOT, moon_picture("+26 for everyone else"))
