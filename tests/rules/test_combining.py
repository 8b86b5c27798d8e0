"""The options: which option a preset has, what it takes and what it is when nobody says."""

import pytest
from cardtable import not_possible, rules

from engine.errors import Refusal
from engine.rules import options
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset

SWITCH = (True, False)
SAFE = ("off", "hearts-and-queen", "all-scoring")
BROKEN = ("hearts", "hearts-or-queen")
MOONS = ("others", "self", "choice", "half")
KITTIES = ("first-trick", "one-per-trick", "first-and-last")

#: The preset with a number of players at which every one of its options applies, and the options it
#: needs for that.
TABLES = {
    "classic": (4, {}),
    "wikibooks": (5, {"remainder": "kitty"}),
    "double-deck": (6, {}),
    "cancellation": (5, {}),
    "chinese": (4, {}),
}
#: Option: its values, and its default in each of these presets; None in one that has no such option.
OPTIONS = {
    "pass_cards": (range(6), 3, 3, 3, 0, None),
    "kitty": (KITTIES, None, "first-trick", "first-and-last", None, None),
    "safe_first_trick": (SAFE, "hearts-and-queen", "all-scoring", "all-scoring", "off", None),
    "hearts_broken_by": (BROKEN, "hearts-or-queen", "hearts", "hearts", "hearts-or-queen", None),
    "lead_hearts_with_queen": (SWITCH, True, False, False, False, None),
    "duplicates": (("first-wins", "cancel"), None, None, "first-wins", "cancel", None),
    "jack_of_diamonds": (SWITCH, False, False, False, False, None),
    "hooligan": (SWITCH, False, False, False, False, None),
    "spot_hearts": (SWITCH, False, False, False, False, None),
    "even_scores": (SWITCH, False, False, False, False, None),
    "moon": (MOONS, "choice", "others", "choice", "choice", None),
    "ends_at": ((1, 50, 1000), 100, 100, 100, 150, 5000),
    "deals": ((1, 4, 100), 0, 0, 0, 0, 0),
    "winner": (("lowest", "highest"), "lowest", "lowest", "lowest", "highest", "highest"),
}
EVERYWHERE = [
    (name, preset, values, default)
    for name, (values, *defaults) in OPTIONS.items()
    for preset, default in zip(TABLES, defaults, strict=True)
]


def plain(of, name):
    """An option's value as JSON has it."""
    value = getattr(of, name)
    return getattr(value, "value", value)


def test_no_option_is_left_out_here():
    assert {*OPTIONS, "remainder"} == set(options.OPTIONS)


@pytest.mark.parametrize(("name", "preset", "values", "default"), EVERYWHERE)
def test_an_option_has_its_default_and_keeps_every_value_or_is_refused(name, preset, values, default):
    players, needed = TABLES[preset]
    if default is None:
        refusal = not_possible(preset, players, **{name: values[0]})
        assert refusal.id == ("one_deck" if name == "duplicates" else "no_room_for_option")
        assert str(refusal).startswith(f"{PRESETS[preset].title} has no option {name}: ")
        return
    assert plain(rules(preset, players, **needed), name) == default
    for value in values:
        of = rules(preset, players, **needed, **{name: value})
        assert plain(of, name) == value
        assert of.options == needed | ({} if value == default else {name: value})
        assert Ruleset.from_json(of.to_json()) == Ruleset.from_json(of.to_whole_json()) == of


@pytest.mark.parametrize(
    ("preset", "players", "values"),
    [
        ("wikibooks", 3, ["remove", "kitty", "jokers"]),
        ("wikibooks", 5, ["remove", "kitty", "jokers"]),
        ("double-deck", 6, ["kitty", "remove"]),
    ],
)
def test_remainder_has_a_default_and_other_values(preset, players, values):
    assert plain(rules(preset, players), "remainder") == values[0]
    for value in values[1:]:
        assert plain(rules(preset, players, remainder=value), "remainder") == value


@pytest.mark.parametrize(
    ("preset", "players"),
    [
        ("classic", 4),
        ("wikibooks", 4),
        ("wikibooks", 6),
        *[("double-deck", players) for players in (7, 8, 9, 10)],
        ("cancellation", 5),
        *[("chinese", players) for players in (3, 4, 5, 6)],
    ],
)
def test_remainder_is_refused_where_there_is_no_choice(preset, players):
    for value in ("remove", "kitty", "jokers"):
        assert not_possible(preset, players, remainder=value).id == "same_pack"


@pytest.mark.parametrize(
    ("preset", "players", "needed"),
    [
        ("wikibooks", 3, {}),
        ("wikibooks", 4, {}),
        ("wikibooks", 5, {"remainder": "jokers"}),
        ("wikibooks", 6, {}),
        ("double-deck", 6, {"remainder": "remove"}),
        ("double-deck", 7, {}),
        ("double-deck", 8, {}),
        ("double-deck", 10, {}),
    ],
)
def test_kitty_is_refused_where_all_cards_are_dealt(preset, players, needed):
    assert not_possible(preset, players, **needed, kitty="first-trick").id == "no_kitty"


def test_kitty_applies_to_the_one_card_that_nine_players_leave():
    for value in KITTIES:
        assert plain(rules("double-deck", 9, kitty=value), "kitty") == value


def test_P5_the_first_trick_is_safe_where_cancellation_passes_cards():
    assert plain(rules("cancellation", 5, pass_cards=1), "safe_first_trick") == "hearts-and-queen"
    assert plain(rules("cancellation", 5, pass_cards=1, safe_first_trick="off"), "safe_first_trick") == "off"


@pytest.mark.parametrize("preset", [preset for preset in TABLES if preset != "chinese"])
def test_W14_spot_hearts_end_at_five_hundred_unless_the_table_says_otherwise(preset):
    players, needed = TABLES[preset]
    assert rules(preset, players, **needed, spot_hearts=True).ends_at == 500
    of = rules(preset, players, **needed, spot_hearts=True, ends_at=100)
    assert of.options == {**needed, "spot_hearts": True, "ends_at": 100}
    assert Ruleset.from_json(of.to_json()) == of


@pytest.mark.parametrize(
    ("name", "value", "refusal"),
    [
        ("pass_cards", 6, "option_number"),
        ("pass_cards", -1, "option_number"),
        ("pass_cards", "3", "option_number"),
        ("pass_cards", True, "option_number"),
        ("pass_cards", 2.0, "option_number"),
        ("safe_first_trick", "on", "option_value"),
        ("safe_first_trick", True, "option_value"),
        ("moon", None, "option_value"),
        ("winner", ["lowest"], "option_value"),
        ("jack_of_diamonds", 1, "option_switch"),
        ("spot_hearts", "true", "option_switch"),
        ("ends_at", 0, "option_number"),
        ("jack", True, "no_such_option"),
    ],
)
def test_an_impossible_value_is_refused(name, value, refusal):
    assert not_possible("classic", 4, **{name: value}).id == refusal


@pytest.mark.parametrize(
    ("preset", "players", "chosen", "sentence"),
    [
        ("classic", 4, {"pass_cards": 9}, "pass_cards must be a whole number from 0 to 5, not 9."),
        ("classic", 4, {"moon": ""}, 'moon must be others, self, choice or half, not "".'),
        ("classic", 4, {"hooligan": 0}, "hooligan must be true or false, not 0."),
        (
            "classic",
            4,
            {"duplicates": "cancel"},
            "Hearts has no option duplicates: it has one deck, so no card comes twice.",
        ),
        (
            "double-deck",
            6,
            {"remainder": "jokers"},
            "Double-deck Hearts with 6 players: remainder must be kitty or remove.",
        ),
        (
            "double-deck",
            9,
            {"remainder": "remove"},  # though a card of it is left
            "Double-deck Hearts with 9 players has no option remainder: its pack is always the same.",
        ),
        ("cancellation", 4, {}, "Cancellation Hearts is for 5 players, not 4."),
    ],
)
def test_a_refusal_says_what_would_do(preset, players, chosen, sentence):
    assert str(not_possible(preset, players, **chosen)) == sentence


@pytest.mark.parametrize(
    ("preset", "allowed"),
    [
        ("classic", {4}),
        ("wikibooks", {3, 4, 5, 6}),
        ("double-deck", {6, 7, 8, 9, 10}),
        ("cancellation", {5}),
        ("chinese", {3, 4, 5, 6}),
    ],
)
def test_the_numbers_of_players(preset, allowed):
    for players in range(12):
        if players in allowed:
            assert rules(preset, players).players == players
        else:
            assert not_possible(preset, players).id == "players"


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "classic",
        {"players": 4},
        {"preset": 4, "players": 4},
        {"preset": "classic", "players": 4, "options": []},
        {"preset": "classic", "players": 4, "rules": {}},
    ],
)
def test_rules_that_are_nothing_of_the_kind_are_refused(data):
    with pytest.raises(Refusal) as caught:
        Ruleset.from_json(data)
    assert caught.value.id == "rules_form"


def test_an_unknown_game_is_refused():
    assert not_possible("spades", 4).id == "no_such_game"
