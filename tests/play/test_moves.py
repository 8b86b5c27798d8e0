"""Moves as they are stored."""

from __future__ import annotations

import json
from random import Random

import pytest

from engine.cards import CLUB_JOKER, QUEEN_OF_SPADES, WILD_JOKER, cards
from engine.play.game import Game, shuffle
from engine.play.moves import (
    Declined,
    Ended,
    Exposed,
    MoonChosen,
    Move,
    Passed,
    Played,
    from_json,
    to_json,
)
from engine.play.seal import with_salt
from engine.rules.options import MoonChoice
from engine.rules.ruleset import Ruleset

CLASSIC = Ruleset.of("classic", 4)
WITH_A_KITTY = Ruleset.of("wikibooks", 5, {"remainder": "kitty"})
DEALT = shuffle(Game(WITH_A_KITTY), Random(1))


@pytest.mark.parametrize(
    ("rules", "move"),
    [
        (WITH_A_KITTY, DEALT),
        (WITH_A_KITTY, with_salt(DEALT, Random(2))),
        (CLASSIC, Passed(3, cards("QS AS KS"))),
        (Ruleset.of("chinese", 4), Exposed(2, QUEEN_OF_SPADES)),
        (Ruleset.of("chinese", 4), Declined(0)),
        (CLASSIC, Played(1, QUEEN_OF_SPADES)),
        (Ruleset.of("cancellation", 5), Played(4, CLUB_JOKER)),
        (Ruleset.of("wikibooks", 6), Played(5, WILD_JOKER)),
        (CLASSIC, MoonChosen(1, MoonChoice.ADD)),
        (CLASSIC, MoonChosen(2, MoonChoice.SUBTRACT)),
        (CLASSIC, Ended()),
    ],
    ids=str,
)
def test_a_move_is_read_back_as_it_was_stored(rules: Ruleset, move: Move) -> None:
    assert from_json(rules, json.loads(json.dumps(to_json(move)))) == move


@pytest.mark.parametrize(
    "stored", [{}, {"seat": 1}, {"seat": 1, "declined": False}, {"played": "QS"}], ids=str
)
def test_anything_else_is_no_move(stored: dict[str, object]) -> None:
    with pytest.raises(KeyError, match="no move"):
        from_json(CLASSIC, stored)


def test_what_is_wrong_with_a_deal_is_told_without_its_cards() -> None:
    """It comes to the log, which whoever plays may read, and the game may go on once the row is mended."""
    deal = to_json(with_salt(DEALT, Random(1)))
    del deal["dealer"]
    with pytest.raises(KeyError) as raised:
        from_json(WITH_A_KITTY, deal)
    assert raised.value.args == ("no move: dealt, kitty, salt",)
