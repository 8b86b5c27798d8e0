"""Computers: what each plays where any regular knows, its honesty and manners, and who beats whom."""

from collections import Counter
from dataclasses import replace
from random import Random
from statistics import fmean

import pytest
from seating import dealt, hand, my_view, passes, playing, plays, reshuffled, rules, with_history

from engine.names import COMPUTERS, computer_name
from engine.play.deal import Phase
from engine.play.game import Game, shuffle
from engine.play.moves import Declined, Exposed, MoonChosen, SeatMove
from engine.play.views import SeatView, seat_view
from engine.players import Player, Strength, computer, easy_move, medium_move, random_move
from engine.players.manners import Manner, manner_of
from engine.players.memory import not_seen, passed_on
from engine.players.strong import strong_move
from engine.rules.options import MoonChoice
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from tests.bench.duplicates import Match, play

CLASSIC = rules("classic", 4)
CANCELLATION = rules("cancellation", 5)
CANCEL_LOWEST = rules("cancellation", 5, winner="lowest")
FIRST_WINS = rules("double-deck", 8)
CHINESE = rules("chinese", 4)
CHINESE_LOWEST = rules("chinese", 4, winner="lowest")
HOOLIGAN = rules("wikibooks", 4, hooligan=True)
WITH_JACK = rules("classic", 4, jack_of_diamonds=True)
SHOOTS = "AH KH QH JH TH 9H"
TO_STOP = {2: "2H 4H 6H 7H 8H 9H TH QS"}
STOPPED = {1: "2H 4H 6H 7H", 2: "8H 9H TH QS"}
NEARLY_SHOT = {1: "2H 4H 5H 6H 7H 8H 9H TH JH QS"}
TWIN_KINGS = "KD 5D KD 2H"

REGULAR = {
    "the ace of spades waits for her": (playing(CLASSIC, "AS 7S 3S 2D 3D 4D 4C 9C 2H 3H", "5S"), "7S 3S"),
    "the king of spades too": (playing(CLASSIC, "KS 7S 3S 2D 3D 4D 4C 9C 2H 3H", "5S 8S"), "7S 3S"),
    "the ace is safe in the last seat": (playing(CLASSIC, "AS 7S 3S 2D 3D 4D 4C 9C 2H 3H", "5S 6S 8S"), "AS"),
    "the queen goes under the ace": (playing(CLASSIC, "QS 5S 9D 4D 8C 3C 6H 4H", "TS AS 3S"), "QS"),
    "the queen is discarded": (playing(CLASSIC, "QS AH KH 2S 9S AD", "5C 7C"), "QS"),
    "she is not led bare": (playing(CLASSIC, "QS 7D 4D 9C 6C JD 8H 2H"), "7D 4D 9C 6C JD 8H 2H"),
    "low spades draw her": (playing(CLASSIC, "3S 5S 6S 8S JD QD JC KC"), "3S 5S 6S 8S"),
    "high ones do not": (playing(CLASSIC, "KS AS 4S 2D 3D 2C 3C 2H 3H"), "4S 2D 3D 2C 3C 2H 3H"),
    "a free trick takes the highest card": (
        playing(CLASSIC, "2C TC AC 3D 4D 5D 6S 7S 2H 3H", "5C 7C 9C"),
        "AC",
    ),
    "a low card is led late": (playing(CLASSIC, "3D KC 9H", out="4D 6D 9D 5H TH JH QH KH AH"), "3D 9H"),
    "not the one nobody else has": (playing(CLASSIC, "3D KC", out="4D 6D 9D 5H 6H 7H"), "3D"),
    "nor one that wins": (playing(CLASSIC, "AC 2H", out="3H 4H 5H 6H 7H 8H"), "2H"),
    "the lead is lost late": (playing(CLASSIC, "2H 4D", out="3H 5H 8H QH 7H AH"), "2H"),
    "a heart stops a moon": (playing(CLASSIC, "3H AH", "5H KH JH", out="QH KC AC", taken=TO_STOP), "AH"),
    "where there is one": (playing(CLASSIC, "3H AH", "5H KH JH", out="QH KC AC", taken=STOPPED), "3H"),
    "a heart that will stop a moon is kept": (
        playing(CLASSIC, "AH 5C 6C", "AD 4D KD", out="KH QH 3H KC AC QC", taken=NEARLY_SHOT),
        "5C 6C",
    ),
    "a hand that can shoot takes her": (
        playing(CLASSIC, "AS KS AH KH QH JH TH 9H AD KD", "4S QS 5S"),
        "AS KS",
    ),
    "a heart that shoots": (playing(CLASSIC, f"{SHOOTS} AC", "2H 3H 4H"), SHOOTS),
    "the jack is taken where it counts": (playing(WITH_JACK, "3D 9D KD 2C 3C", "JD 4D 5H"), "KD"),
    "and not elsewhere": (playing(CLASSIC, "3D 9D KD 2C 3C", "JD 4D QS"), "9D"),
    "points are taken where they are good": (playing(CANCELLATION, "3H AH 2C 3C", "KH 5H QS 2H"), "AH"),
    "and left where they are bad": (playing(CANCEL_LOWEST, "3H AH 2C 3C", "KH 5H QS 2H"), "3H"),
    "points on hold too": (playing(CANCELLATION, "3D AD 2C 3C", "KD 5D 6D 7D", on_hold="QS 5H"), "AD"),
    "bad ones on hold": (playing(CANCEL_LOWEST, "3D AD 2C 3C", "KD 5D 6D 7D", on_hold="QS 5H"), "3D"),
    "twins cancel": (playing(CANCEL_LOWEST, "8D 3D 2C 3C", "KD KD 5D QS"), "3D"),
    "one's own card may be a twin": (playing(CANCEL_LOWEST, "KD AD 2C 3C", "KD 5D 8D QS"), "KD"),
    "the first of two copies wins": (playing(FIRST_WINS, "3D KD AD 2C", "KD 5D 8D 2H 6D 7D 4D"), "KD"),
    "Chinese takes the jack": (playing(CHINESE, "3D AD 2C 3C", "JD 4D 5D"), "AD"),
    "Chinese fears the queen": (playing(CHINESE, "3S AS 2C 3C", "QS 4S 5S"), "3S"),
    "unless the lowest wins": (playing(CHINESE_LOWEST, "3S AS 2C 3C", "QS 4S 5S"), "AS"),
}
STRONG = {
    "high cards that still lose": (playing(CLASSIC, "3D TD QD AD 2C 3C 4C 5C 6S 7S", "JD KD 2H"), "TD QD"),
    "keeps hearts to shoot": (playing(CLASSIC, f"{SHOOTS} 2C", "KD 5D 8D", taken={0: "QS 2H 3H 4H"}), "2C"),
    "where that can be": (playing(CLASSIC, f"{SHOOTS} 2C", "KD 5D 8D", taken={1: "QS 2H 3H 4H"}), "AH"),
}
MEDIUM = {
    "high cards that still lose": (playing(CLASSIC, "3D TD QD 2C 3C 4C 5C 2S 6S 7S", "JD KD 2H"), "TD QD"),
    "high hearts go first": (playing(CLASSIC, "2H AH 3S 4S 2D", "5C 7C", taken={1: "QS"}), "AH"),
    "keeps hearts to shoot": (playing(CLASSIC, f"{SHOOTS} AC", "QS AS 2S"), "AC"),
    "the seven of clubs": (playing(HOOLIGAN, "3C 5C KC 2D 3D", "6C 7C 2C"), "5C"),
    "where it counts": (playing(rules("wikibooks", 4), "3C 5C KC 2D 3D", "6C 7C 2C"), "KC"),
    "good points under twins": (playing(CANCELLATION, "4D 6D 2C 3C", TWIN_KINGS), "6D"),
    "bad points under twins": (playing(CANCEL_LOWEST, "4D 6D 2C 3C", TWIN_KINGS), "4D"),
}
BEGINNER = {
    "gets out of the way of hearts that it sees": (playing(CLASSIC, "3D TD AD 2C 3C", "KD 5D 2H"), "TD"),
    "discards what counts most": (playing(CLASSIC, "QS AH 2S AD", "5C 7C"), "QS"),
    "lets the queen go under the king": (playing(CLASSIC, "QS 2S 3S AD", "KS 7S"), "QS"),
    "takes what is worth having": (playing(WITH_JACK, "3D KD 2C", "JD 4D"), "KD"),
    "plays the ace of spades before the queen": (playing(CLASSIC, "AS 2S 3D 4D", "5S"), "AS"),
    "runs with an ace though another may be void": (playing(CLASSIC, "AD 2C 3S 4H"), "AD"),
    "keeps high cards where points are good": (playing(CANCELLATION, "3D AD 2C", "4D 5D"), "3D"),
    "and takes points with them": (playing(CANCELLATION, "3D AD 2C", "4D 5H"), "AD"),
}
PLAYS = [
    pytest.param(player, game, good, id=f"{player.__name__}: {why}")
    for player, positions in (
        (medium_move, REGULAR),
        (strong_move, REGULAR),
        (strong_move, STRONG),
        (medium_move, MEDIUM),
        (easy_move, BEGINNER),
    )
    for why, (game, good) in positions.items()
]


@pytest.mark.parametrize(("player", "game", "good"), PLAYS)
def test_a_regular_s_card_is_played_or_a_beginner_s(player, game, good):
    assert plays(game, player) in good.split()


@pytest.mark.parametrize("player", [medium_move, strong_move])
@pytest.mark.parametrize(
    ("held", "passed", "kept"),
    [
        # The queen is kept with six spades.
        ("QS 2S 4S 6S 8S TS 3C 9C KC 5D JD 4H QH", "", "QS"),
        ("AS KS QS JS 5S 3S 4C 7C TC 6D 8D KD 5H", "", "QS"),
        ("QS 2S 3S 5S 7S 9S JS 8C KC TD QD 9H JH", "", "QS"),
        ("QS 3S 4C 8C TC KC 2D 6D 9D 3H 5H 6H 8H", "QS", ""),
        ("AS KS 2C 5C 6C 9C 2D 3D 8D 2H 3H 5H 7H", "AS KS", ""),
        ("2S 5S 8S TS 4C JC AC 5D QD KD 3H 9H QH", "", "2S 5S 8S TS"),
    ],
)
def test_what_is_passed_and_what_is_kept(player, held, passed, kept):
    found = passes(dealt(CLASSIC, held), player)
    assert found >= set(passed.split())
    assert found.isdisjoint(kept.split())


def test_a_strong_hand_that_can_shoot_passes_its_low_cards_and_a_beginner_passes_points():
    assert passes(dealt(CLASSIC, "AS KS QS AH KH QH JH TH AC KC AD 3D 4C"), strong_move) >= {"3D", "4C"}
    assert passes(dealt(CLASSIC, "QS AS KS AH 2H 3C 4C 5C AC 2D 3D 4D 5D"), easy_move) == {"QS", "AH", "2H"}


@pytest.mark.parametrize("player", [easy_move, medium_move, strong_move])
@pytest.mark.parametrize(
    ("held", "exposed"),
    [
        ("AD KD JD 5D 4D 2C 3C 4C 2S 3S 4S 2H 3H", "JD"),
        ("JD 2C 3C 4C 5C 7C 2S 3S 4S 2H 3H 4H 5H", None),
        ("AH KH QH 2C 3C 4C 5C 2D 3D 4D 2S 3S 4S", None),
        ("QS 3S 2C 3C 4C 5C 2D 3D 4D 2H 3H 4H 5H", None),
    ],
)
def test_chinese_exposes_what_is_well_guarded(held, exposed, player):
    move = player(my_view(dealt(CHINESE, held)), Random(1))
    assert move == (Exposed(0, hand(CHINESE, exposed)[0]) if exposed else Declined(0))


# Moons, what is remembered, and honesty

ALL_POINTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH QS"


@pytest.mark.parametrize(
    ("totals", "choice"),
    [
        ((10, 80, 80, 80), MoonChoice.ADD),  # it ends the game and wins it
        ((60, 90, 20, 50), MoonChoice.SUBTRACT),  # to add would end the game for seat 2
        ((10, 40, 50, 60), MoonChoice.ADD),  # ahead: nearer to the end
        ((60, 20, 50, 40), MoonChoice.SUBTRACT),  # behind: further from it
    ],
)
@pytest.mark.parametrize("player", [easy_move, medium_move])
def test_chooses_the_moon_that_wins(totals, choice, player):
    game = with_history(playing(CLASSIC, "", out="", taken={0: ALL_POINTS}), *totals)
    deal = replace(game.deals[0], phase=Phase.CHOOSING_MOON, shooter=0)
    view = my_view(replace(game, deals=(deal,)))
    assert player(view, Random(1)) == MoonChosen(0, choice)


def test_remembers_passed_cards_and_what_is_out():
    game = dealt(CLASSIC, "QS KS AS 2C 3C 4C 5C 2D 3D 4D 2H 3H 4H")
    rng = Random(3)
    while len(game.deals[0].tricks) < 4:
        seat = game.deals[0].waiting_for[0]
        game = game.advance((medium_move if seat == 0 else random_move)(seat_view(game, seat), rng))
    view, deal = my_view(game), game.deals[0]
    assert Counter(not_seen(view)) == Counter(card for hand in deal.hands[1:] for card in hand)
    [(receiver, passed)] = passed_on(view).items()
    assert passed, "seat 1 was passed three cards and has played at most four"
    assert set(passed) <= set(deal.hands[receiver])


def strong(view: SeatView, rng: Random) -> SeatMove:
    """The strong player with hardly any thought."""
    return strong_move(view, rng, effort=30)


MANNERED = [computer(Strength.MEDIUM, manner) for manner in Manner]
HONEST = [
    (CLASSIC, [easy_move, *MANNERED, medium_move, strong]),
    (rules("classic", 4, jack_of_diamonds=True, winner="highest"), [easy_move, medium_move]),
    (rules("wikibooks", 3, remainder="jokers"), [medium_move, strong]),
    (rules("wikibooks", 5, remainder="kitty", kitty="one-per-trick"), [easy_move, medium_move, strong]),
    (rules("wikibooks", 6, spot_hearts=True, jack_of_diamonds=True, hooligan=True), [medium_move]),
    (rules("double-deck", 7, duplicates="cancel"), [medium_move, strong]),
    (rules("double-deck", 8, moon="half"), [easy_move, *MANNERED, medium_move]),
    (rules("cancellation", 5, pass_cards=5, winner="lowest"), [easy_move, *MANNERED, medium_move]),
    (CHINESE, [easy_move, *MANNERED, medium_move]),
    (rules("chinese", 5), [strong]),
    (rules("chinese", 4, winner="lowest"), [easy_move, medium_move]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("of", "player"), [(of, one) for of, players in HONEST for one in players])
def test_moves_are_legal_and_never_depend_on_hidden_cards_and_a_seed_repeats_them(
    of: Ruleset, player: Player
) -> None:
    """What it sees is the same after the hidden cards change places, and so is what it does."""
    rng = Random(5)
    game = Game(of)
    while len(game.deals) < (1 if player is strong else 2) and not game.over:
        game = game.advance(shuffle(game, rng))
        while game.deal:
            seat = rng.choice(game.deal.waiting_for)
            view, other = seat_view(game, seat), seat_view(reshuffled(game, seat, rng), seat)
            assert other == view
            move = player(view, Random(7))
            assert player(other, Random(7)) == move
            game.advance(move)
            game = game.advance(move if rng.random() < 0.5 else random_move(view, rng))


# Duplicate deals, as the tournament plays them


@pytest.mark.slow
def test_alike_players_are_equal_when_each_sits_in_every_seat() -> None:
    tally = play(Match("classic", 4, "medium", "medium"), 3)
    assert tally.better == pytest.approx([0, 0, 0])
    assert any(tally.points[0])


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "players", "sign"), [("classic", 4, -1), ("cancellation", 5, 1)])
def test_a_better_player_has_better_points_and_the_error_is_over_deals(
    preset: str, players: int, sign: int
) -> None:
    tally = play(Match(preset, players, "medium", "random"), 8)
    assert len(tally.better) == 8
    assert sign * (fmean(tally.points[0]) - fmean(tally.points[1])) == pytest.approx(tally.mean)
    assert tally.mean > tally.error > 0
    assert len(tally.points[0]) == 32  # four seats for each deal
    assert play(Match(preset, players, "medium", "random"), 2).better == tally.better[:2]


@pytest.mark.slow
@pytest.mark.parametrize("habit", ["shooter", "blind"])
def test_opponents_play_every_kind_of_game(habit: str) -> None:
    for preset in PRESETS.values():
        match = Match(preset.name, min(preset.players), f"tests.bench.opponents:{habit}", "random")
        assert len(play(match, 1).better) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "players"),
    [("classic", 4), ("wikibooks", 6), ("double-deck", 6), ("cancellation", 5), ("chinese", 4)],
)
def test_the_easy_player_is_better_than_chance_and_worse_than_the_medium_one(
    preset: str, players: int
) -> None:
    assert play(Match(preset, players, "easy", "random"), 8).mean > 0
    assert play(Match(preset, players, "easy", "medium"), 8).mean < 0


# Manners, which are tied to names and seen in what computers play


def medium(manner: Manner | None) -> Player:
    return computer(Strength.MEDIUM, manner)


def test_each_name_has_a_manner_and_no_other_has() -> None:
    counted = Counter(manner_of(name) for name in COMPUTERS)
    assert counted == dict.fromkeys(Manner, len(COMPUTERS) // len(Manner))
    assert manner_of("Ann") is None
    assert all(name.isascii() and name.isalpha() and len(name) <= 5 for name in COMPUTERS)
    assert all(len(manner.value) <= 15 for manner in Manner)


@pytest.mark.parametrize("seats", sorted({most for preset in PRESETS.values() for most in preset.players}))
def test_computers_at_one_table_have_as_many_manners_as_there_are(seats: int) -> None:
    for table in range(1, 100):
        taken: list[str] = []
        for _ in range(seats):
            taken.append(computer_name(taken, table))
        assert len({manner_of(name) for name in taken}) == min(seats, len(Manner))


def test_the_largest_table_of_namesakes_leaves_names_for_computers() -> None:
    most = max(max(preset.players) for preset in PRESETS.values())
    assert len({name.casefold() for name in COMPUTERS}) == len(COMPUTERS) >= 2 * most
    for table in range(1, 200):
        taken: list[str] = [name.upper() for name in COMPUTERS[table % 40 : table % 40 + most]]
        for _ in range(most):
            taken.append(computer_name(taken, table))
        assert len({name.casefold() for name in taken}) == len(taken)


@pytest.mark.parametrize("manner", Manner)
def test_no_manner_takes_the_queen_that_can_be_ducked_and_only_a_shooter_keeps_her(manner: Manner) -> None:
    assert plays(playing(CLASSIC, "AS KS 2S 3D 4D 4C", "QS 5S 6S"), medium(manner)) == "2S"
    if manner is not Manner.SHOOTS_MOONS:
        assert plays(playing(CLASSIC, "QS AH KH 2S 9S AD", "5C 7C"), medium(manner)) == "QS"


@pytest.mark.parametrize(
    ("manner", "held", "trick", "usual", "own"),
    [
        (Manner.SAVES_HEARTS, "8H 9H AD KD 2S", "5C 7C", "8H", "KD"),
        (Manner.EMPTIES_SUITS, "9S TS 9D TD QD KD", "5C 7C", "9S", "QD"),
        (Manner.EMPTIES_SUITS, "3D 4D 4C 5S 7S 8H", "", "8H", "4C"),
        (Manner.HOARDS_DIAMONDS, "7C AC QD QS TS", "", "QD", "7C"),
        (Manner.HATES_SPADES, "3S 5C 6H 7C KD", "", "6H", "3S"),
        (Manner.HUNTS_QUEENS, "2S 3C 7D 7H KH TD", "", "3C", "2S"),
        (Manner.SHOOTS_MOONS, "AC AS AD KH KD AH QS JC", "", "KH", "AC"),
    ],
)
def test_a_manner_changes_what_is_played(manner: Manner, held: str, trick: str, usual: str, own: str) -> None:
    game = playing(CLASSIC, held, trick)
    assert (plays(game, medium(None)), plays(game, medium(manner))) == (usual, own)


def test_who_saves_hearts_does_not_pass_them() -> None:
    fresh = dealt(CLASSIC, "2S 6S TS 9C 8C 4C KC 3C JH TH 9H 7D 8D")
    assert passes(fresh, medium(None)) == {"JH", "TH", "9H"}
    assert passes(fresh, medium(Manner.SAVES_HEARTS)) == {"JH", "8D", "7D"}
