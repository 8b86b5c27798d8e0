"""The kernel held against the engine: the same legal cards, and the same points however cards are taken."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from by_chance import SEEDS, TABLES, rulesets
from encoded import encoded, faces, put, ready_to_play
from hypothesis import given, settings

from engine.cards import HEARTS, WILD_JOKER, Card, card
from engine.kernel.chance import below, random_state
from engine.kernel.habits import BY_CHANCE, Policy, Roles, choose, find_moon, is_over, play_out
from engine.kernel.learned import Learned
from engine.kernel.records import Laws, Position
from engine.kernel.rules import count_up, derive_fields, lay, legal, turn
from engine.numbers.rows import NONE
from engine.numbers.weights import weights_of
from engine.play.deal import Deal, Phase, advance_deal
from engine.play.moves import MoonChosen, Played
from engine.rules.counting import Counting
from engine.rules.options import Duplicates, Goal, HeartsBrokenBy, Kitty, Moon, MoonChoice, SafeFirstTrick
from engine.rules.packs import Pack
from engine.rules.presets import CHINESE, Preset
from engine.rules.ruleset import Ruleset

POLICIES = [Policy(), Policy(whim=0.0), Policy(whim=0.3), BY_CHANCE]


def played_on(deal: Deal, rng: Random) -> Deal:
    """The deal some cards later."""
    for _ in range(rng.randrange(deal.rules.players * deal.rules.pack.hand_size)):
        deal = advance_deal(deal, Played(deal.turn, rng.choice(deal.legal(deal.turn))))
    return deal


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
    if rng.random() < 0.3:
        deal = played_on(deal, rng)
    laws, position = encoded(deal)
    policy, aim = rng.choice(POLICIES), rng.choice((NONE, rng.randrange(rules.players)))
    policy = policy._replace(learned=Learned.of(weights_of(rules)))
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
NO_MOON = Preset(
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


@pytest.mark.parametrize("game", [NO_MOON, MIXED], ids=lambda game: game.name)
def test_a_game_of_no_document_is_played_out_by_its_rules(game):
    for seed in range(40):
        check_playout(Ruleset.for_preset(game, *game.players), seed)


def test_three_decks_have_no_room():
    game = replace(NO_MOON, packs={4: {None: Pack(4, decks=3)}})
    with pytest.raises(ValueError, match="no room"):
        Laws.of(Ruleset.for_preset(game, 4))


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(rulesets(), SEEDS)
def test_any_options_are_played_out_and_counted_by_their_rules(rules, seed):
    check_playout(rules, seed)
    check_points(rules, Random(seed))
