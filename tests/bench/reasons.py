"""How often hints give each reason: `nice python -m tests.bench.reasons [--hints 1000]`.

For every game, medium computers play deals, and from positions drawn at random a hint is made for whoever has
a choice, until there are this many. It prints the share of hints in which each reason was given, by game, and
each sentence of the reasons with its share over all games. `--effort` is the number of playouts a card, fewer
than players get, and `--preset` asks for one game.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

from bot.table.reasons import REASONS, why
from bot.table.reasons.look import Look
from engine.languages import Language
from engine.play.game import Game, shuffle
from engine.play.views import seat_view
from engine.players import medium_move
from engine.players.strong import advise
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.tables import Person, Seat, Seats, State, Table
from engine.tables.table import has_choice

#: The share of the positions with a choice in which a hint is made.
SHARE = 0.1
ANN = Person(1, "Ann")


@contextmanager
def counting(sentences: Counter[str]) -> Iterator[None]:
    """Within, count the sentences that are said."""
    say, say_count = Language.say, Language.say_count

    def said(self: Language, sentence: str, /, **values: Any) -> str:
        sentences[sentence] += 1
        return say(self, sentence, **values)

    def said_count(self: Language, count: int, one: str, many: str, /, **values: Any) -> str:
        sentences[many] += 1
        return say_count(self, count, one, many, **values)

    with patch.object(Language, "say", said), patch.object(Language, "say_count", said_count):
        yield


def positions(rules: Ruleset, rng: Random) -> Iterator[tuple[Game, int]]:
    """Positions of games between medium computers in which a player has a choice, and the seat."""
    while True:
        game = Game(rules)
        while not game.over:
            if game.deal is None:
                game = game.advance(shuffle(game, rng))
                continue
            seat = game.deal.waiting_for[0]
            if has_choice(seat_view(game, seat)) and rng.random() < SHARE:
                yield game, seat
            game = game.advance(medium_move(seat_view(game, seat), rng))


def count(rules: Ruleset, hints: int, effort: int) -> tuple[Counter[str], Counter[str]]:
    """How often each reason was given, and each sentence said, in this many hints."""
    reasons: Counter[str] = Counter()
    sentences: Counter[str] = Counter()
    rng = Random(rules.preset.name)
    for (game, seat), number in zip(positions(rules, rng), range(hints), strict=False):
        seats = [Seat(ANN.id if one == seat else None, f"P{one}") for one in range(rules.players)]
        table = Table(
            id=1,
            guild=1,
            channel=1,
            host=ANN.id,
            rules=rules,
            state=State.PLAYING,
            seats=Seats(seats),
            game=game,
        )
        view = seat_view(game, seat)
        advice = advise(view, effort, seed=number, skills=table.seats.skills)
        look = Look(table.public, view, advice.best, advice.options[1:])
        phase = view.deal.phase
        given = next(reason for reason in REASONS[phase] if reason(look))
        reasons[f"{phase.value}: {given.__name__}"] += 1
        with counting(sentences):
            why(table.public, view, advice)
    return reasons, sentences


def run(presets: list[str], hints: int, effort: int) -> None:
    """Print."""
    by_game, sentences = {}, Counter[str]()
    for name in presets:
        rules = Ruleset.of(name, 4 if 4 in PRESETS[name].players else PRESETS[name].players[0])
        by_game[name], said = count(rules, hints, effort)
        sentences += said
    sys.stdout.write(f"{'% of hints':36}{''.join(f'{name[:12]:>14}' for name in presets)}\n")
    for reason, _ in sum(by_game.values(), Counter[str]()).most_common():
        shares = "".join(f"{100 * found[reason] / hints:14.1f}" for found in by_game.values())
        sys.stdout.write(f"{reason:36}{shares}\n")
    for sentence, times in sentences.most_common():
        sys.stdout.write(f"{100 * times / (hints * len(presets)):6.2f}  {sentence}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hints", type=int, default=1000)
    parser.add_argument("--effort", type=int, default=200)
    parser.add_argument("--preset", action="append", choices=sorted(PRESETS))
    given = parser.parse_args()
    run(given.preset or list(PRESETS), given.hints, given.effort)
