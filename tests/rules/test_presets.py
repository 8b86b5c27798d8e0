"""A preset is checked when it is made, so that no game begins with defaults that mean nothing."""

from dataclasses import replace
from typing import Any

import pytest

from engine.errors import Refusal
from engine.rules.options import Goal, Moon, Remainder, SafeFirstTrick
from engine.rules.packs import Pack
from engine.rules.presets import PRESETS, DependentDefault, Preset
from engine.rules.ruleset import Ruleset
from engine.rules.wording import changed

NEEDED = {"ends_at": 100, "winner": Goal.LOWEST}


def preset(**options: Any) -> Preset:
    """A game for four with these options."""
    return Preset("own", "A game of one's own", {4: {None: Pack(4)}}, {**NEEDED, **options})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"pass_card": 3}, "pass_card"),
        ({"pass_cards": "3"}, "pass_cards cannot be '3'"),
        ({"pass_cards": True}, "pass_cards cannot be True"),
        ({"pass_cards": 6}, "pass_cards cannot be 6"),
        ({"moon": "choice"}, "moon cannot be 'choice'"),
        ({"hooligan": 1}, "hooligan cannot be 1"),
        (
            {"hooligan": DependentDefault("pass_cards", 1, otherwise=False), "pass_cards": 3},
            "hooligan cannot be 1",
        ),
        (
            {"ends_at": DependentDefault("spot_hearts", 500, otherwise=100)},
            "ends_at cannot hang on spot_hearts",
        ),
        (
            {"pass_cards": DependentDefault("hooligan", 3, otherwise=0), "hooligan": True},
            "cannot hang on hooligan",
        ),
        ({"remainder": Remainder.KITTY}, "remainder"),
        ({"ends_at": 0}, "ends_at cannot be 0"),
    ],
)
def test_a_default_with_a_wrong_name_or_of_a_wrong_kind_is_an_error(options, words):
    with pytest.raises(ValueError, match=f"own: .*{words}"):
        preset(**options)


@pytest.mark.parametrize(
    ("packs", "options", "words"),
    [
        ({4: {None: Pack(4)}}, {"ends_at": 100}, "winner"),
        ({4: {None: Pack(4)}}, {"winner": Goal.LOWEST}, "ends_at"),
        ({5: {None: Pack(5)}}, NEEDED, "kitty"),  # which nobody would take
        ({4: {None: Pack(3)}}, NEEDED, "4"),
    ],
)
def test_how_a_game_ends_and_where_its_cards_go_has_to_be_said(packs, options, words):
    with pytest.raises(ValueError, match=f"own: .*{words}"):
        Preset("own", "Own", packs, options)


def test_a_default_can_hang_on_an_option_before_it():
    of = preset(
        pass_cards=0,
        safe_first_trick=DependentDefault(
            "pass_cards", SafeFirstTrick.ALL_SCORING, otherwise=SafeFirstTrick.OFF
        ),
    )
    assert Ruleset.for_preset(of, 4).safe_first_trick is SafeFirstTrick.OFF
    assert Ruleset.for_preset(of, 4, {"pass_cards": 2}).safe_first_trick is SafeFirstTrick.ALL_SCORING


@pytest.mark.parametrize("name", PRESETS)
def test_the_documents_games_can_be_varied_in_code(name):
    """A preset is made of others as data is."""
    varied = replace(PRESETS[name], options={**PRESETS[name].options, "ends_at": 77})
    assert Ruleset.for_preset(varied, varied.players[0]).ends_at == 77


def test_what_is_no_option_of_the_game_stays_neutral():
    rules = Ruleset.for_preset(preset(moon=Moon.SELF), 4)
    assert rules.moon is Moon.SELF
    assert not rules.pass_cards
    assert rules.hearts_broken_by is None


def test_a_change_drops_the_options_that_no_longer_apply_and_keeps_the_rest() -> None:
    three = Ruleset.of("wikibooks", 3)
    for option in ({"remainder": "kitty"}, {"kitty": "one-per-trick"}, {"pass_cards": 2}):
        three = changed(three, option)
    assert three.options == {"remainder": "kitty", "kitty": "one-per-trick", "pass_cards": 2}
    four = changed(three, {}, 4)  # who have no remainder
    assert four.options == changed(four, {}, 5).options == {"pass_cards": 2}
    six = changed(Ruleset.of("double-deck", 6), {"pass_cards": 4, "kitty": "first-trick"})
    assert changed(six, {"remainder": "remove"}).options == {"pass_cards": 4, "remainder": "remove"}
    with pytest.raises(Refusal):
        changed(six, {"pass_cards": 99})
