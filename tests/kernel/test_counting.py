"""However the cards are taken, the kernel comes to the points that the rules come to."""

from random import Random

import pytest
from by_chance import SEEDS, TABLES, rulesets
from encoded import put
from hypothesis import given, settings

from engine.cards import Card
from engine.kernel.records import Laws, Position
from engine.kernel.rules import count_up, derive_fields
from engine.rules.ruleset import Ruleset


def check_points(rules: Ruleset, rng: Random) -> None:
    """Everybody takes any cards, and one player perhaps all of some kinds."""
    exposed = tuple(card for card in rules.preset.exposable if rng.random() < 0.4)
    laws, position = Laws.of(rules, exposed), Position.empty()
    counting, taker = rules.counting, rng.randrange(rules.players)
    kinds: list[frozenset[Card]] = [counting.deciding, frozenset(counting.moon)]
    wanted = frozenset[Card]().union(*(kind for kind in kinds if rng.random() < 0.5))
    piles: list[list[Card]] = [[] for _ in range(rules.players)]
    for card in rules.pack.faces.values():
        for code in laws.codes(card):
            seat = taker if card in wanted else rng.randrange(rules.players)
            piles[seat].append(card)
            put(position.piles[seat], [code])
    derive_fields(laws, position)
    count_up(laws, position)
    points = counting.points([tuple(pile) for pile in piles], exposed)
    assert position.points.tolist()[: rules.players] == list(points)


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_in_every_preset(preset, players):
    for seed in range(40):
        check_points(Ruleset.of(preset, players), Random(seed))


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(rulesets(), SEEDS)
def test_with_any_options(rules, seed):
    check_points(rules, Random(seed))
