"""The kernel held against the engine: the same legal cards and points; and what its quick players do."""

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from by_chance import SEEDS, TABLES, rulesets
from encoded import encoded, faces, put, ready_to_play
from hypothesis import given, settings
from seating import playing, rules

from engine.cards import HEARTS, WILD_JOKER, Card, card
from engine.kernel.chance import below, random_state
from engine.kernel.habits import BY_CHANCE, MoonThreat, Policy, Roles, choose, find_moon, is_over, play_out
from engine.kernel.learned import Learned
from engine.kernel.records import Laws, Position
from engine.kernel.rules import count_up, derive_fields, lay, legal, turn
from engine.numbers.appeal import TOO_LATE
from engine.numbers.rows import NONE
from engine.numbers.weights import weights_of
from engine.play.deal import Deal, Phase, advance_deal
from engine.play.moves import MoonChosen, Played
from engine.rules.counting import Counting
from engine.rules.options import Duplicates, Goal, HeartsBrokenBy, Kitty, Moon, MoonChoice, SafeFirstTrick
from engine.rules.packs import Pack
from engine.rules.presets import CHINESE, Preset
from engine.rules.ruleset import Ruleset


def played_to_the_end(deal: Deal) -> Deal:
    """The deal when the rest of its cards are played anyhow, and who shot the moon adds to the others."""
    while deal.phase is Phase.PLAYING:
        deal = advance_deal(deal, Played(deal.turn, deal.legal(deal.turn)[0]))
    if deal.phase is Phase.CHOOSING_MOON:
        deal = advance_deal(deal, MoonChosen(deal.shooter, MoonChoice.ADD))
    return deal


def check_playout(rules: Ruleset, seed: int) -> None:
    """A playout, replayed card by card in the engine."""
    rng = Random(seed)
    deal = ready_to_play(rules, rng)
    for _ in range(rng.randrange(rules.players * rules.pack.hand_size) if rng.random() < 0.3 else 0):
        deal = advance_deal(deal, Played(deal.turn, rng.choice(deal.legal(deal.turn))))
    laws, position = encoded(deal)
    policy = rng.choice([Policy(), Policy(whim=0.0), Policy(whim=0.3), BY_CHANCE])
    policy = policy._replace(learned=Learned.of(weights_of(rules)))
    aim = rng.choice((NONE, rng.randrange(rules.players)))
    roles = Roles(aim, learned=rng.choice((0, rng.getrandbits(rules.players))))
    whole = position.copies(1)[0]
    play_out(laws, policy, roles, whole, random_state(seed))

    state, rows = random_state(seed), np.zeros(5, np.int64)
    alarm = policy.alarms[below(state, len(policy.alarms))]
    while not is_over(laws, position):
        moon = find_moon(laws, position, aim, alarm)
        aim, trick = moon.aim, position.tricks_done
        while position.tricks_done == trick:
            seat = turn(laws, position)
            assert seat == deal.turn
            legal(laws, position, rows)
            assert set(faces(laws, rows)) == set(deal.legal(seat))
            code = choose(laws, policy, roles, moon, position, rows, state)
            lay(laws, position, code)
            deal = advance_deal(deal, Played(seat, laws.face(code)))
    count_up(laws, position)
    assert position.tobytes() == whole.tobytes()
    points = played_to_the_end(deal).points
    assert position.points.tolist()[: rules.players] == list(points)


def check_points(rules: Ruleset, rng: Random) -> None:
    """Everybody takes any cards, and one player perhaps all of some kinds."""
    exposed = tuple(one for one in rules.preset.exposable if rng.random() < 0.4)
    laws, position = Laws.of(rules, exposed), Position.empty()
    counting, taker = rules.counting, rng.randrange(rules.players)
    kinds: list[frozenset[Card]] = [counting.deciding, frozenset(counting.moon)]
    wanted = frozenset[Card]().union(*(kind for kind in kinds if rng.random() < 0.5))
    piles: list[list[Card]] = [[] for _ in range(rules.players)]
    for one in rules.pack.faces.values():
        for code in laws.codes(one):
            seat = taker if one in wanted else rng.randrange(rules.players)
            piles[seat].append(one)
            put(position.piles[seat], [code])
    derive_fields(laws, position)
    count_up(laws, position)
    points = counting.points([tuple(pile) for pile in piles], exposed)
    assert position.points.tolist()[: rules.players] == list(points)


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_every_preset_is_played_out_and_counted_by_its_rules(preset, players):
    rules = Ruleset.of(preset, players)
    for seed in range(4):
        check_playout(rules, seed)
    for seed in range(40):
        check_points(rules, Random(seed))


#: Games of no document: nobody can shoot the moon; and all that counts in Chinese Hearts, with other rules.
MOONLESS = Preset(
    "no-moon",
    "Hearts without a moon",
    {4: {None: Pack(4)}},
    {"pass_cards": 3, "safe_first_trick": SafeFirstTrick.ALL_SCORING, "ends_at": 100, "winner": Goal.LOWEST},
    counting=Counting({**dict.fromkeys(HEARTS, 1), card("QS"): 13, card("KS"): 10, card("AS"): 7}),
)
MIXED = Preset(
    "mixed",
    "Chinese Hearts with jokers, a kitty and two decks",
    {5: {None: Pack(5, decks=2, jokers=(WILD_JOKER,) * 3)}},
    {
        "pass_cards": 2,
        "kitty": Kitty.ONE_PER_TRICK,
        "hearts_broken_by": HeartsBrokenBy.HEARTS_OR_QUEEN,
        "duplicates": Duplicates.CANCEL,
        "moon": Moon.OTHERS,
        "ends_at": 5000,
        "winner": Goal.HIGHEST,
    },
    counting=CHINESE.counting,
    exposable=CHINESE.exposable,
)


@pytest.mark.parametrize("game", [MOONLESS, MIXED], ids=lambda game: game.name)
def test_a_game_of_no_document_is_played_out_by_its_rules(game):
    for seed in range(40):
        check_playout(Ruleset.for_preset(game, *game.players), seed)


def test_three_decks_have_no_room():
    game = replace(MOONLESS, packs={4: {None: Pack(4, decks=3)}})
    with pytest.raises(ValueError, match="no room"):
        Laws.of(Ruleset.for_preset(game, 4))


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(rulesets(), SEEDS)
def test_any_options_are_played_out_and_counted_by_their_rules(rules, seed):
    check_playout(rules, seed)
    check_points(rules, Random(seed))


# What a quick player does while a deal is played out, a habit at a time, where chance has no say

CLASSIC, TWO_DECKS = rules("classic", 4), rules("double-deck", 6)
JOKERS, UNSAFE = rules("wikibooks", 3, remainder="jokers"), rules("classic", 4, safe_first_trick="off")
JACK = rules("classic", 4, jack_of_diamonds=True)
#: Points are good, and the jack costs some.
HIGHEST = rules("cancellation", 5, jack_of_diamonds=True)
GONE: dict[str, Any] = {"out": "4H 5H 6H"}  # the queen, and much else
BY_HABIT, NO_MOON = Roles(), MoonThreat(NONE, NONE, NONE, NONE, 0)
STEADY = Policy(whim=0.0, unsure=0.0, bold=0.0, early_grab=0.0, high_prize_lead=0.0)
FIRST = "3C AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD"
FEW = "2D 3D 4D 6D JD QD AC AH AS"  # are out: most diamonds are gone, and so is the queen


def plays(
    of: Ruleset,
    held: str,
    trick: str = "",
    *,
    roles: Roles = BY_HABIT,
    moon: MoonThreat = NO_MOON,
    state: int = 1,
    policy: dict[str, Any] | Policy = STEADY,
    **others: Any,
) -> str:
    """The card that seat 0 plays from these; `others` says where the rest lies, as in `seating.playing`."""
    [deal] = playing(of, held, trick, **others).deals
    laws, position = encoded(deal)
    rows = np.zeros(5, np.int64)
    legal(laws, position, rows)
    assert set(faces(laws, rows)) == set(deal.legal(0))
    weights = STEADY._replace(**policy) if isinstance(policy, dict) else policy
    return laws.face(choose(laws, weights, roles, moon, position, rows, random_state(state))).code


SHOOTING: dict[str, Any] = {"moon": NO_MOON._replace(shooter=0)}


def against(shooter: int) -> dict[str, Any]:
    """All fear that this seat shoots the moon."""
    return {"moon": NO_MOON._replace(shooter=shooter, feared=shooter)}


HABITS = {
    # leads
    "low, where many are higher": (CLASSIC, "3D KD 7C", "", {}, "3D"),
    "no card that would catch the queen": (CLASSIC, "KS 9D", "", {"out": "QS AS 2D 3D"}, "9D"),
    "such a card once she is gone": (CLASSIC, "KS 9D", "", {"out": "TS AS 2D 3D"}, "KS"),
    "no queen": (CLASSIC, "QS 9D", "", {"out": "KS AS 2D 3D"}, "9D"),
    "no card that is good to have": (JACK, "JD 9C", "", {"out": "QD KD AD 2C 3C"}, "9C"),
    "no suit that nobody else has": (CLASSIC, "2C 9D", "", {"out": "2D 3D 4D"}, "9D"),
    "a suit in which the queen may fall": (CLASSIC, "5S 5D", "", {"out": "QS 6S 2S 6D 7D 2D"}, "5S"),
    "no suit with one's own of two queens": (TWO_DECKS, "QS 4S 5D", "", {"out": "QS 5S 6S 6D 7D 2D"}, "5D"),
    "a low card where points are good": (HIGHEST, "3D KD", "", {}, "3D"),
    "a high one to collect them": (HIGHEST, "3D KD", "", {"policy": {"high_prize_lead": 1.0}}, "KD"),
    # follows with
    "the queen under the king": (CLASSIC, "QS 2S", "KS", {}, "QS"),
    "nothing that she or what would catch her is": (CLASSIC, "QS KS 5S", "2S 3S", {}, "5S"),
    "neither, though nobody can beat it": (CLASSIC, "QS KS 5S", "2S 3S", {"out": "4S 2D"}, "5S"),
    "no high spade while she is out, although all have many": (CLASSIC, "JS 8S", "9S", {}, "8S"),
    "the king as the last to a trick without her": (CLASSIC, "KS 5S", "2S 3S 4S", {}, "KS"),
    "the king, once she is gone": (CLASSIC, "KS 5S", "3S", {"out": "2S"}, "KS"),
    "the jack as the last, if it takes the trick": (JACK, "JD AD", "2D 3D 4D", {}, "JD"),
    "no jack for another": (JACK, "JD 4D", "2D 3D QD", {}, "4D"),
    "no jack that would take hearts": (JACK, "JD AD", "2D 3D 5H", {}, "AD"),
    "no jack before others have played": (JACK, "JD AD", "2D 3D", {"out": "QD 4C"}, "AD"),
    "a high card while all have many": (CLASSIC, "8D 5D AD", "9D", {}, "AD"),
    "else the highest that does not win": (CLASSIC, "8D 5D AD", "9D", {"out": FEW}, "8D"),
    "no high heart although all have many": (CLASSIC, "8H AH", "9H", {}, "8H"),
    "the highest as the last, if it costs nothing": (CLASSIC, "8D KD", "9D 3D 2D", {}, "KD"),
    "none that wins points": (CLASSIC, "8D KD", "9D 3D 5H", {}, "8D"),
    "who must win points as the last, the highest": (CLASSIC, "TD KD", "9D 3D 5H", {}, "KD"),
    "none that may win points, although all have many": (CLASSIC, "8D AD", "9D 5H", {}, "8D"),
    "who must win for now, low": (CLASSIC, "TD AD", "9D", {"out": FEW}, "TD"),
    "who must win for now, low, although all have many": (CLASSIC, "TD AD", "9D", {}, "TD"),
    "a joker in place of a card that wins points": (JOKERS, "AD JK", "9D 5H", {}, "JK"),
    "no joker where it would save nothing": (JOKERS, "TD JK", "9D 2D", {}, "TD"),
    "who is bold and must win, high": (CLASSIC, "TD AD", "9D", {"out": FEW, "policy": {"bold": 1.0}}, "AD"),
    "what nobody can beat, high": (CLASSIC, "KD AD", "9D", {"out": FEW}, "AD"),
    "high in a safe first trick": (CLASSIC, FIRST, "2C", {"opened": False}, "AC"),
    "high in a first trick of any cards": (UNSAFE, FIRST, "2C", {"opened": False}, "AC"),
    "a trick with the jack, though it costs a heart": (JACK, "QD 2D", "JD 3D", {}, "QD"),
    "points where they are good, high": (HIGHEST, "KH TH 5H", "9H", {}, "KH"),
    "points as the last, as low as will do": (HIGHEST, "KH TH 5H", "9H 2H 3H 4H", {}, "TH"),
    "who cannot win points, low": (HIGHEST, "KH 5H", "AH", {}, "5H"),
    "nothing where there are none": (HIGHEST, "KC 5C", "9C", {}, "5C"),
    "a trick that may bring some": (HIGHEST, "KC 5C", "9C", {"policy": {"early_grab": 1.0}}, "KC"),
    "no trick that costs some": (HIGHEST, "KD 5D", "JD", {"policy": {"early_grab": 1.0}}, "5D"),
    "none that cannot bring any": (HIGHEST, "KC 5C", "9C 2C 3C 4C", {"policy": {"early_grab": 1.0}}, "5C"),
    "no good card to another": (HIGHEST, "QS KS", "AS", {}, "KS"),
    # discards
    "the queen first": (CLASSIC, "QS AH AS", "2D", {}, "QS"),
    "then what would catch her": (CLASSIC, "AS AH KC", "2D", {}, "AS"),
    "a heart before a higher card": (CLASSIC, "QH AC", "2D", GONE, "QH"),
    "a much higher card before a heart": (CLASSIC, "8H KC", "2D", GONE, "KC"),
    "no heart that weighs no more": (CLASSIC, "QH AC", "2D", GONE | {"policy": {"heart_first": 0.0}}, "AC"),
    "from a suit that no low card guards": (CLASSIC, "KC 3C JS", "2D", GONE, "JS"),
    "no five's high card": (CLASSIC, "KC 5C JS", "2D", GONE, "JS"),
    "a five that guards nothing": (CLASSIC, "5C 7S 3S", "2D", GONE, "5C"),
    "the high card of two that guard nothing": (CLASSIC, "KC 6C JS", "2D", GONE, "KC"),
    "nothing that is good to have": (JACK, "JD 5C", "2S", GONE, "5C"),
    "a heart before the ace of spades once she is gone": (CLASSIC, "AS KH", "2D", GONE, "KH"),
    "whatever comes first where points are good": (HIGHEST, "3C KD", "2S", {}, "3C"),
    "no good queen": (HIGHEST, "QS KS", "2D", {}, "KS"),
    "nothing that counts where points are good": (HIGHEST, "AH 5C", "2D", {}, "5C"),
    "what costs some where points are good": (HIGHEST, "JD 5C AH", "2S", {}, "JD"),
    # shoots the moon with
    "what nobody can beat": (CLASSIC, "AD 5C 6C 7C", "", SHOOTING, "AD"),
    "else from the longest suit": (CLASSIC, "QD 5C 7C", "", SHOOTING, "7C"),
    "high to win": (CLASSIC, "KD TD 5D", "9D", SHOOTING, "KD"),
    "as the last as low as will do": (CLASSIC, "KD TD 5D", "9D 2D 3D", SHOOTING, "TD"),
    "none of the moon's cards to another": (CLASSIC, "QS KS", "AS", SHOOTING, "KS"),
    "none of them in another suit": (CLASSIC, "QS KS", "2D", SHOOTING, "KS"),
    # stops a moon with
    "the trick taken": (CLASSIC, "AD 5D", "9D", against(3) | {"out": FEW}, "AD"),
    "where that cannot be, the usual": (CLASSIC, "QD 5D", "KD", against(3) | {"out": "2D 3D"}, "QD"),
    "none of the moon's cards": (CLASSIC, "QS KS AH", "9D", against(3), "KS"),
    "the usual where another takes it": (CLASSIC, "QS AH 5C", "9D KD", against(2), "QS"),
    "the usual where a moon is no harm": (HIGHEST, "JD 5C AH", "2S", against(4), "JD"),
}


@pytest.mark.parametrize(("of", "held", "trick", "others", "played"), HABITS.values(), ids=HABITS.keys())
def test_a_player_of_habit_plays(
    of: Ruleset, held: str, trick: str, others: dict[str, Any], played: str
) -> None:
    assert plays(of, held, trick, **others) == played


def seen(taken: dict[int, str], aim: int = NONE) -> MoonThreat:
    """What a moon looks like where these cards have been taken, and two of its cards are feared."""
    [deal] = playing(CLASSIC, "2D 3D 4D", taken=taken).deals
    return find_moon(*encoded(deal), aim, 2)


def test_a_seat_shoots_on_once_all_others_fear_it() -> None:
    assert seen({}) == NO_MOON
    assert seen({1: "2H"}) == NO_MOON._replace(holder=1, taken=1)
    assert seen({1: "2H 3H"}) == MoonThreat(NONE, shooter=1, feared=1, holder=1, taken=2)
    assert seen({1: "2H 3H 4H 5H 6H 7H 8H"}).taken == 7
    assert seen({1: "2H 3H", 2: "4H"}) == NO_MOON._replace(holder=TOO_LATE)


def test_who_aims_goes_on_until_another_has_one_of_the_moons_cards() -> None:
    assert seen({}, aim=0) == MoonThreat(aim=0, shooter=0, feared=NONE, holder=NONE, taken=0)
    assert seen({0: "2H"}, aim=0) == MoonThreat(aim=0, shooter=0, feared=NONE, holder=0, taken=1)
    assert seen({2: "2H"}, aim=0).aim == NONE


def test_by_chance_plays_whatever_is_legal() -> None:
    found = {plays(CLASSIC, "2D 9D AD KS", "5D", state=state, policy=BY_CHANCE) for state in range(40)}
    assert found == {"2D", "9D", "AD"}
