"""The training of a table of weights, and the duels that judge it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from random import Random
from time import perf_counter

import numpy as np

from engine.errors import Refusal
from engine.kernel.chance import random_state
from engine.kernel.habits import Policy
from engine.kernel.learned import Learned
from engine.learning.self_play import DealBuffers, Duellist, LearnedGame, Lessons, duel, study
from engine.numbers.appeal import SCALE
from engine.numbers.weights import FOLDER, packed
from engine.rules.options import OPTIONS
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset

#: Deals for a table, for one step of learning, and games in a step.
DEALS, BATCH, GAMES = 8_000_000, 4_000, 4
#: The size of a step at first, and the share of the deals after which it shrinks, to nothing in the end.
RATE, STEADY = 0.03, 0.3
#: The share of the deals after which the weights are averaged.
AVERAGED = 0.5
#: How often house rules are played, and how often each of them differs from the usual ones.
HOUSE, DIFFERENT = 0.5, 0.35
#: The deals of the duels that judge a table, for each number of players.
JUDGED = 4_000
#: Options that change no card: how totals end a game.
_TOTALS = {"ends_at", "deals", "even_scores", "winner"}


def games_of(table: str) -> list[Ruleset]:
    """The usual games that a table is for, one for each number of players."""
    name, _, winner = table.rpartition("-")
    return [Ruleset.of(name, players, {"winner": winner}) for players in PRESETS[name].players]


def games_to_learn(table: str, rng: Random) -> Iterator[Ruleset]:
    """Endless games, with any number of players, and often with house rules."""
    usual = games_of(table)
    while True:
        rules = rng.choice(usual)
        yield with_house_rules(rules, rng) if rng.random() < HOUSE else rules


def with_house_rules(rules: Ruleset, rng: Random) -> Ruleset:
    """This game with some options changed at random."""
    names = [name for name in (*rules.preset.options, "remainder") if name not in _TOTALS]
    while True:
        chosen = {name: rng.choice(OPTIONS[name].values) for name in names if rng.random() < DIFFERENT}
        try:
            return Ruleset.of(rules.preset.name, rules.players, {**chosen, "winner": rules.winner.value})
        except Refusal:  # some options don't go together
            continue


@lru_cache(maxsize=512)
def _game(rules: Ruleset) -> LearnedGame:
    return LearnedGame.of(rules)


def learn(table: str, deals: int, seed: int) -> array[int]:
    """Learn a table's weights from this many deals."""
    rng, state, memory = Random(f"{table} {seed}"), random_state(seed), DealBuffers.new()
    games, lessons = games_to_learn(table, rng), Lessons.none()
    expected: dict[int, Lessons] = {}
    weights, gradient = lessons.weights, lessons.gradient
    slope, square, whole = (np.zeros_like(weights) for _ in range(3))
    averaged = 0
    steps = deals // BATCH
    for step in range(1, steps + 1):
        gradient[:] = 0
        decisions = 0
        for rules in (next(games) for _ in range(GAMES)):
            mine = expected.setdefault(rules.players, Lessons.none())
            learner = Lessons(weights, gradient, mine.expected, mine.visits)
            decisions += study(_game(rules), learner, memory, BATCH // GAMES, state)
        gradient /= decisions
        slope = 0.9 * slope + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        progress = step / steps
        rate = RATE * (1 - progress) if progress > STEADY else RATE
        weights += rate * slope / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-5)
        weights[0] = 0
        if progress > AVERAGED:
            whole += weights
            averaged += 1
    rounded = np.clip(np.rint(SCALE * whole / averaged), -32_000, 32_000)
    return array("h", rounded.astype(np.int16).tolist())


def fingerprint_of(table: str) -> str:
    """A hash of the features and rules of this table's games, which changes when they do."""
    digest, rng, memory, state = sha256(), Random(table), DealBuffers.new(), random_state(1)
    games = games_of(table)
    for rules in (*games, *(with_house_rules(rng.choice(games), rng) for _ in range(6))):
        for _ in range(4):
            decisions = study(_game(rules), Lessons.none(), memory, 1, state)
            digest.update(memory.seen[:decisions].tobytes())
            digest.update(memory.before[:decisions].round(6).tobytes())
    return digest.hexdigest()[:16]


def judge(table: str, weights: array[int]) -> Iterator[str]:
    """Have the learned player duel with players of habit; a line for each number of players."""
    memory = DealBuffers.new()
    one = Duellist(Policy(learned=Learned.of(weights)), has_learned=True)
    others = Duellist(Policy(whim=0.0, unsure=0.0, bold=0.0), has_learned=False)
    for rules in games_of(table):
        better, own, theirs = duel(_game(rules), one, others, memory, JUDGED, random_state(7))
        error = better.std(ddof=1) / len(better) ** 0.5
        yield (
            f"{table} {rules.players}: {better.mean():+.2f} ± {error:.2f} points a deal against habits; "
            f"moons in {own:.1%} of its hands, {theirs:.1%} of theirs"
        )


def make(table: str, deals: int, seed: int) -> list[str]:
    """Learn a table, write its file and judge it; returns the lines of a report."""
    start = perf_counter()
    weights = learn(table, deals, seed)
    took = perf_counter() - start
    file = packed(weights, fingerprint_of(table))
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{table}.weights").write_bytes(file)
    used = sum(1 for weight in weights if weight)
    head = f"{table}: {deals:,} deals in {took:.0f} s, {used:,} weights, {len(file):,} bytes"
    return [head, *judge(table, weights)]
