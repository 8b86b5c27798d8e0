"""The options: which option a preset has, what it takes and what it is when nobody says."""

import pytest
from cardtable import not_possible, rules

from engine.errors import Refusal
from engine.rules import options
from engine.rules.options import Goal, Remainder
from engine.rules.packs import Pack
from engine.rules.presets import PRESETS, DependentDefault, Preset
from engine.rules.ruleset import Ruleset
from engine.rules.wording import changed

FOUR = {4: {None: Pack(4)}}
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
    ("preset", "players", "name", "values"),
    [
        ("wikibooks", 3, "remainder", ["remove", "kitty", "jokers"]),
        ("wikibooks", 5, "remainder", ["remove", "kitty", "jokers"]),
        ("double-deck", 6, "remainder", ["kitty", "remove"]),
        ("double-deck", 9, "kitty", ["first-and-last", "first-trick", "one-per-trick"]),  # of one card
    ],
)
def test_what_becomes_of_cards_that_are_left_has_a_default_and_other_values(preset, players, name, values):
    assert plain(rules(preset, players), name) == values[0]
    for value in values:
        assert plain(rules(preset, players, **{name: value}), name) == value


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
    ("preset", "players", "chosen", "sentence"),
    [
        ("classic", 4, {"pass_cards": 6}, "pass_cards must be a whole number from 0 to 5, not 6."),
        ("classic", 4, {"pass_cards": True}, "pass_cards must be a whole number from 0 to 5, not true."),
        ("classic", 4, {"moon": ["self"]}, 'moon must be others, self, choice or half, not ["self"].'),
        ("classic", 4, {"hooligan": 0}, "hooligan must be true or false, not 0."),
        ("classic", 4, {"jack": True}, 'There is no option called "jack".'),
        ("classic", 4, {"duplicates": "cancel"}, "duplicates: it has one deck, so no card comes twice."),
        ("wikibooks", 3, {"kitty": "first-trick"}, "kitty: all cards are dealt, so there is no kitty."),
        ("double-deck", 6, {"remainder": "jokers"}, "with 6 players: remainder must be kitty or remove."),
        # Though a card is left.
        ("double-deck", 9, {"remainder": "remove"}, "remainder: its pack is always the same."),
        ("cancellation", 4, {}, "Cancellation Hearts is for 5 players, not 4."),
        ("spades", 4, {}, ": choose classic, wikibooks, double-deck, cancellation or chinese."),
    ],
)
def test_a_refusal_says_what_would_do(preset, players, chosen, sentence):
    assert str(not_possible(preset, players, **chosen)).endswith(sentence)


def test_the_numbers_of_players():
    assert {name: preset.players for name, preset in PRESETS.items()} == {
        "classic": (4,),
        "wikibooks": (3, 4, 5, 6),
        "double-deck": (6, 7, 8, 9, 10),
        "cancellation": (5,),
        "chinese": (3, 4, 5, 6),
    }


@pytest.mark.parametrize(
    "data",
    [
        None,
        {"players": 4},
        {"preset": "classic", "players": 4, "options": []},
        {"preset": "classic", "players": 4, "rules": {}},
    ],
)
def test_rules_that_are_nothing_of_the_kind_are_refused(data):
    with pytest.raises(Refusal) as caught:
        Ruleset.from_json(data)
    assert caught.value.id == "rules_form"


def test_a_change_drops_the_options_that_no_longer_apply_and_keeps_the_rest():
    three = rules("wikibooks", 3, remainder="kitty", kitty="one-per-trick", pass_cards=2)
    four = changed(three, {}, 4)  # who have no remainder
    assert four.options == changed(four, {}, 5).options == {"pass_cards": 2}
    six = rules("double-deck", 6, pass_cards=4, kitty="first-trick")
    assert changed(six, {"remainder": "remove"}).options == {"pass_cards": 4, "remainder": "remove"}
    with pytest.raises(Refusal):
        changed(six, {"pass_cards": 99})


@pytest.mark.parametrize(
    ("packs", "changes", "words"),
    [
        (FOUR, {"pass_card": 3}, "pass_card"),
        (FOUR, {"remainder": Remainder.KITTY}, "remainder"),  # which its packs decide
        (FOUR, {"pass_cards": "3"}, "pass_cards cannot be '3'"),
        (FOUR, {"pass_cards": True}, "pass_cards cannot be True"),
        (FOUR, {"pass_cards": 6}, "pass_cards cannot be 6"),
        (FOUR, {"moon": "choice"}, "moon cannot be 'choice'"),
        (FOUR, {"hooligan": 1}, "hooligan cannot be 1"),
        (FOUR, {"ends_at": DependentDefault("pass_cards", 0, otherwise=9), "pass_cards": 3}, "cannot be 0"),
        (FOUR, {"ends_at": DependentDefault("spot_hearts", 9, otherwise=1)}, "cannot hang on spot_hearts"),
        (FOUR, {"pass_cards": DependentDefault("deals", 3, otherwise=0), "deals": 2}, "cannot hang on deals"),
        (FOUR, {"winner": None}, "winner"),
        ({5: {None: Pack(5)}}, {}, "kitty"),  # which nobody would take
        ({4: {None: Pack(3)}}, {}, "one for 3"),
    ],
)
def test_a_game_of_one_s_own_with_defaults_or_packs_that_mean_nothing_is_an_error(packs, changes, words):
    with pytest.raises(ValueError, match=f"own: .*{words}"):
        Preset("own", "A game of one's own", packs, {"ends_at": 100, "winner": Goal.LOWEST, **changes})
