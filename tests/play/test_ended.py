"""A game that is ended before its time counts as it stands: `Ended`, the move after which none comes."""

from __future__ import annotations

import json
from random import Random

import pytest
from by_chance import moves

from engine.errors import Refusal
from engine.play.game import Game, shuffle
from engine.play.moves import Dealt, Ended, Move, SeatMove, from_json, to_json
from engine.play.record import read_record, write_record
from engine.play.views import public_view
from engine.players.advice import decisions
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset

NAMES = ["Ann", "Bo", "Cy", "Di"]


def log_of(preset: str, deals: int, more: int = 0) -> list[Move]:
    """The moves of this number of whole deals, and some more."""
    rng, log = Random(7), list[Move]()
    game = Game(rules(preset))
    while len(game.history) < deals or more:
        if len(game.history) == deals:
            more -= 1
        log.append(rng.choice(list(moves(game, rng))))
        game = game.advance(log[-1])
    return log


def rules(preset: str) -> Ruleset:
    return Ruleset.of(preset, 4, {"ends_at": 10_000})


def played(preset: str, log: list[Move]) -> Game:
    return Game(rules(preset)).replay(log)


@pytest.mark.parametrize("preset", [name for name, one in PRESETS.items() if 4 in one.players])
@pytest.mark.parametrize("more", [0, 2, 30])
def test_an_ended_game_counts_its_complete_deals_and_is_read_again_from_its_log(
    preset: str, more: int
) -> None:
    log = [*log_of(preset, 3, more), Ended()]
    before, game = played(preset, log[:-1]), played(preset, log)
    best = (min if game.rules.winner.value == "lowest" else max)(before.totals)
    assert game.over
    assert game.winners == tuple(seat for seat in range(4) if before.totals[seat] == best)
    assert (game.totals, game.history, game.points) == (before.totals, before.history, before.points)
    assert (len(game.deals), game.begun) == (3, 3 + bool(more))
    view = public_view(game)
    assert [deal.number for deal in view.past] == [1, 2]
    assert view.deal is not None
    assert view.deal.points == game.points[-1]
    assert (view.dropped is not None) == bool(more)
    assert view.dropped is None or (view.dropped.dealt, view.dropped.number) == (None, 4)
    stored = json.loads(json.dumps([to_json(move) for move in log]))
    assert Game(game.rules).replay([from_json(game.rules, move) for move in stored]) == game


def refusal(game: Game, move: Move) -> str:
    with pytest.raises(Refusal) as refused:
        game.advance(move)
    return refused.value.id


def test_it_is_refused_where_nothing_counts_yet_and_nothing_comes_after_it_or_a_game_that_is_over() -> None:
    for log in ([], log_of("classic", 0, 9)):
        assert refusal(played("classic", log), Ended()) == "nothing_counts_yet"
    ended = played("classic", [*log_of("classic", 1, 5), Ended()])
    for move in (Ended(), shuffle(ended, Random(1)), log_of("classic", 1)[-1]):
        assert refusal(ended, move) == "game_over"
    over = Game(Ruleset.of("classic", 4, {"ends_at": 1})).replay(log_of("classic", 1))
    assert refusal(over, Ended()) == "game_over"


def test_its_record_and_what_is_said_of_its_deals_are_those_of_a_game_in_progress() -> None:
    log = log_of("classic", 2, 12)
    going_on, ended = played("classic", log), played("classic", [*log, Ended()])
    record = write_record(ended, NAMES)
    assert record == write_record(going_on.complete_deals, NAMES)
    assert (len(record["deals"]), record["winners"]) == (2, None)
    assert not read_record(json.loads(json.dumps(record))).over
    for seat in range(4):
        made = [(one.view.hand, one.cards) for one in decisions(ended, 2, seat)]
        assert made == [(one.view.hand, one.cards) for one in decisions(going_on, 2, seat)]


def test_a_log_that_goes_on_after_it_is_damaged() -> None:
    log = log_of("classic", 2)
    second = next(number for number, move in enumerate(log) if number and isinstance(move, Dealt))
    assert all(isinstance(move, SeatMove) for move in log[second + 1 :])
    with pytest.raises(AssertionError):
        Game(Ruleset.of("classic", 4)).replay([*log[:second], Ended(), *log[second:]])
