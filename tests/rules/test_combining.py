"""The options: which option a preset has, what it takes and what it is when nobody says."""

import pytest
from cardtable import (
    ALL_HEARTS,
    first_trick,
    last_tricks,
    may_play,
    not_possible,
    play,
    points,
    refused,
    rules,
)

from engine.errors import Refusal
from engine.rules import options
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset

SWITCH = (True, False)
SAFE = ("off", "hearts-and-queen", "all-scoring")
HEARTS, OR_QUEEN = "hearts", "hearts-or-queen"
BROKEN = (HEARTS, OR_QUEEN)
TWINS = ("first-wins", "cancel")
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
FOUR_PRESETS = ("classic", "wikibooks", "double-deck", "cancellation")
EXTRAS = ("jack_of_diamonds", "hooligan", "spot_hearts", "even_scores")

#: Option: its values, and its default in each preset that has it.
OPTIONS = {
    "pass_cards": (range(6), {"classic": 3, "wikibooks": 3, "double-deck": 3, "cancellation": 0}),
    "kitty": (KITTIES, {"wikibooks": "first-trick", "double-deck": "first-and-last"}),
    "safe_first_trick": (
        SAFE,
        {
            "classic": "hearts-and-queen",
            "wikibooks": "all-scoring",
            "double-deck": "all-scoring",
            "cancellation": "off",
        },
    ),
    "hearts_broken_by": (
        BROKEN,
        {"classic": OR_QUEEN, "wikibooks": HEARTS, "double-deck": HEARTS, "cancellation": OR_QUEEN},
    ),
    "lead_hearts_with_queen": (
        SWITCH,
        {"classic": True, "wikibooks": False, "double-deck": False, "cancellation": False},
    ),
    "duplicates": (TWINS, {"double-deck": "first-wins", "cancellation": "cancel"}),
    **{name: (SWITCH, dict.fromkeys(FOUR_PRESETS, False)) for name in EXTRAS},
    "moon": (
        MOONS,
        {"classic": "choice", "wikibooks": "others", "double-deck": "choice", "cancellation": "choice"},
    ),
    "ends_at": (
        (1, 50, 1000),
        {"classic": 100, "wikibooks": 100, "double-deck": 100, "cancellation": 150, "chinese": 5000},
    ),
    "deals": ((1, 4, 100), dict.fromkeys((*FOUR_PRESETS, "chinese"), 0)),
    "winner": (
        ("lowest", "highest"),
        {
            "classic": "lowest",
            "wikibooks": "lowest",
            "double-deck": "lowest",
            "cancellation": "highest",
            "chinese": "highest",
        },
    ),
}
HAS = [(name, preset) for name, (_, defaults) in OPTIONS.items() for preset in defaults]
LACKS = [
    (name, preset) for name, (_, having) in OPTIONS.items() for preset in PRESETS if preset not in having
]


def test_no_option_is_left_out_here():
    assert {*OPTIONS, "remainder"} == set(options.OPTIONS)


def plain(value):
    """An option's value as JSON has it."""
    return getattr(value, "value", value)


@pytest.mark.parametrize(("name", "preset"), HAS)
def test_the_default(name, preset):
    players, needed = TABLES[preset]
    _, defaults = OPTIONS[name]
    assert plain(getattr(rules(preset, players, **needed), name)) == defaults[preset]


@pytest.mark.parametrize(("name", "preset"), HAS)
def test_every_value_can_be_set_and_is_kept(name, preset):
    players, needed = TABLES[preset]
    values, defaults = OPTIONS[name]
    for value in values:
        of = rules(preset, players, **needed, **{name: value})
        assert plain(getattr(of, name)) == value
        assert of.options == needed | ({} if value == defaults[preset] else {name: value})
        assert Ruleset.from_json(of.to_json()) == Ruleset.from_json(of.to_whole_json()) == of


@pytest.mark.parametrize(("name", "preset"), LACKS)
def test_an_option_that_makes_no_sense_is_refused_with_a_reason(name, preset):
    values, _ = OPTIONS[name]
    refusal = not_possible(preset, TABLES[preset][0], **{name: values[0]})
    assert refusal.id == ("one_deck" if name == "duplicates" else "no_room_for_option")
    assert str(refusal).startswith(f"{PRESETS[preset].title} has no option {name}: ")


def test_one_deck_has_no_duplicates():
    refusal = not_possible("classic", 4, duplicates="cancel")
    assert str(refusal) == ("Hearts has no option duplicates: it has one deck, so no card comes twice.")


@pytest.mark.parametrize(
    ("preset", "players", "default", "others"),
    [
        ("wikibooks", 3, "remove", ("kitty", "jokers")),
        ("wikibooks", 5, "remove", ("kitty", "jokers")),
        ("double-deck", 6, "kitty", ("remove",)),
    ],
)
def test_remainder_has_a_default_and_other_values(preset, players, default, others):
    assert plain(rules(preset, players).remainder) == default
    for other in others:
        of = rules(preset, players, remainder=other)
        assert plain(of.remainder) == other
        assert of.options == {"remainder": other}


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


def test_jokers_do_not_even_out_two_decks():
    refusal = not_possible("double-deck", 6, remainder="jokers")
    assert refusal.id == "other_pack"
    assert str(refusal) == "Double-deck Hearts with 6 players: remainder must be kitty or remove."


def test_the_reason_is_true_for_nine_of_whose_pack_a_card_is_left():
    refusal = not_possible("double-deck", 9, remainder="remove")
    assert (
        str(refusal)
        == "Double-deck Hearts with 9 players has no option remainder: its pack is always the same."
    )


@pytest.mark.parametrize(
    ("preset", "players", "options"),
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
def test_kitty_is_refused_where_all_cards_are_dealt(preset, players, options):
    refusal = not_possible(preset, players, **options, kitty="first-trick")
    assert refusal.id == "no_kitty"
    assert str(refusal).endswith(
        f" with {players} players has no option kitty: all cards are dealt, so there is no kitty."
    )


def test_kitty_applies_to_the_one_card_that_nine_players_leave():
    for value in KITTIES:
        assert plain(rules("double-deck", 9, kitty=value).kitty) == value


def test_P5_the_first_trick_is_safe_where_cancellation_passes_cards():
    assert plain(rules("cancellation", 5, pass_cards=1).safe_first_trick) == "hearts-and-queen"
    assert plain(rules("cancellation", 5, pass_cards=1, safe_first_trick="off").safe_first_trick) == "off"


@pytest.mark.parametrize("preset", FOUR_PRESETS)
def test_W14_spot_hearts_end_at_five_hundred_unless_the_table_says_otherwise(preset):
    players, needed = TABLES[preset]
    assert rules(preset, players, **needed, spot_hearts=True).ends_at == 500
    of = rules(preset, players, **needed, spot_hearts=True, ends_at=100)
    assert of.ends_at == 100
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
        ("hearts_broken_by", "queen", "option_value"),
        ("moon", "both", "option_value"),
        ("moon", None, "option_value"),
        ("jack_of_diamonds", 1, "option_switch"),
        ("spot_hearts", "true", "option_switch"),
        ("ends_at", 0, "option_number"),
        ("ends_at", "100", "option_number"),
        ("winner", ["lowest"], "option_value"),
    ],
)
def test_an_impossible_value_is_refused(name, value, refusal):
    assert not_possible("classic", 4, **{name: value}).id == refusal


def test_the_sentence_names_what_an_option_takes():
    refusal = not_possible("classic", 4, pass_cards=9)
    assert str(refusal) == "pass_cards must be a whole number from 0 to 5, not 9."
    assert str(not_possible("classic", 4, moon="")).endswith('must be others, self, choice or half, not "".')
    assert str(not_possible("classic", 4, hooligan=0)).endswith("must be true or false, not 0.")


def test_unknown_options_and_games_are_refused():
    assert not_possible("classic", 4, jack=True).id == "no_such_option"
    assert not_possible("spades", 4).id == "no_such_game"


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
    assert str(not_possible("cancellation", 4)) == "Cancellation Hearts is for 5 players, not 4."


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


def test_the_documents_variants_combine():
    of = rules(
        "double-deck",
        8,
        duplicates="cancel",
        jack_of_diamonds=True,
        hooligan=True,
        spot_hearts=True,
        safe_first_trick="hearts-and-queen",
    )
    assert points(of, "JD JD 7C AH", "QS 7C 2H") == (-10 - 10 + 7 + 14, 13 + 7 + 2, 0, 0, 0, 0, 0, 0)


def test_each_game_can_be_played_with_the_others_rule_for_broken_hearts():
    hands = ["AD 2H 3S", "QS TC JC", "4D 5D 8C", "6D 7D 9C"]
    strict = rules("classic", 4, hearts_broken_by="hearts")
    assert may_play(play(last_tricks(strict, *hands), "AD QS 4D 6D"), "3S")
    lax = rules("wikibooks", 4, hearts_broken_by="hearts-or-queen")
    assert may_play(play(last_tricks(lax, *hands), "AD QS 4D 6D"), "2H 3S")


def test_each_game_can_be_played_with_the_others_rule_for_hearts_and_the_queen():
    hands = ["2H QS", "2D 3D", "4D 5D", "6D 7D"]
    assert may_play(last_tricks(rules("classic", 4, lead_hearts_with_queen=False), *hands), "QS")
    assert may_play(last_tricks(rules("wikibooks", 4, lead_hearts_with_queen=True), *hands), "2H QS")


def test_each_game_can_be_played_with_the_others_safe_first_trick():
    hands = ["2C 3C", "QS AH JD KD", "4C 5C", "6C 7C"]
    all_scoring = rules("classic", 4, safe_first_trick="all-scoring", jack_of_diamonds=True)
    deal = play(first_trick(all_scoring, *hands), "2C")
    assert may_play(deal, "KD")
    assert refused(deal, "JD").id == "safe_from_scoring"
    two_of_them = rules("wikibooks", 4, safe_first_trick="hearts-and-queen", jack_of_diamonds=True)
    assert may_play(play(first_trick(two_of_them, *hands), "2C"), "JD KD")


def test_no_cards_passed_means_that_every_deal_is_held():
    of = rules("classic", 4, pass_cards=0)
    for number in range(1, 6):
        assert first_trick(of, "2C", "3C", "4C", "5C", number=number).turn == 0


SHOT = ("2S", "AS", "QS", "AH")


def test_a_moon_that_needs_no_choice_counts_at_once():
    shot = last_tricks(rules("classic", 4, moon="self"), *SHOT, taken={1: ALL_HEARTS[:-3]})
    assert play(shot, "2S AS QS AH").points == (0, -26, 0, 0)
    shot = last_tricks(rules("classic", 4, moon="others"), *SHOT, taken={1: ALL_HEARTS[:-3]})
    assert play(shot, "2S AS QS AH").points == (26, 0, 26, 26)
