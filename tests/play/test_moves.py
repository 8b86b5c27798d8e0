"""Moves as they are stored, `Ended`, after which none comes, and what frozen values have in common."""

import dataclasses
import json
import pickle
from collections.abc import Callable
from copy import deepcopy
from random import Random

import pytest
from by_chance import games, moves
from rules.cardtable import refused

from engine.cards import CLUB_JOKER, DECK, QUEEN_OF_SPADES, WILD_JOKER, Card, card, cards
from engine.play.game import Game, shuffle
from engine.play.moves import (
    Dealt,
    Declined,
    Ended,
    Exposed,
    MoonChosen,
    Move,
    Passed,
    Played,
    SeatMove,
    from_json,
    to_json,
)
from engine.play.record import read_record, write_record
from engine.play.seal import with_salt
from engine.play.values import replace
from engine.play.views import public_view
from engine.players import play_game, random_move
from engine.players.advice import decisions
from engine.rules.options import MoonChoice
from engine.rules.plays import Trick
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset

CLASSIC = Ruleset.of("classic", 4)
WITH_A_KITTY = Ruleset.of("wikibooks", 5, {"remainder": "kitty"})
DEALT = shuffle(Game(WITH_A_KITTY), Random(1))
CLASSIC_GAME = Game(CLASSIC).advance(shuffle(Game(CLASSIC), Random(1)))


@pytest.mark.parametrize(
    ("rules", "move"),
    [
        (WITH_A_KITTY, DEALT),
        (WITH_A_KITTY, with_salt(DEALT, Random(2))),
        (CLASSIC, Passed(3, cards("QS AS KS"))),
        (Ruleset.of("chinese", 4), Exposed(2, QUEEN_OF_SPADES)),
        (Ruleset.of("chinese", 4), Declined(0)),
        (CLASSIC, Played(1, QUEEN_OF_SPADES)),
        (Ruleset.of("cancellation", 5), Played(4, CLUB_JOKER)),
        (Ruleset.of("wikibooks", 6), Played(5, WILD_JOKER)),
        (CLASSIC, MoonChosen(1, MoonChoice.ADD)),
        (CLASSIC, MoonChosen(2, MoonChoice.SUBTRACT)),
        (CLASSIC, Ended()),
    ],
    ids=str,
)
def test_a_move_is_read_back_as_it_was_stored(rules: Ruleset, move: Move) -> None:
    assert from_json(rules, json.loads(json.dumps(to_json(move)))) == move


NO_SEAT: list[Callable[[int], Move]] = [
    lambda seat: Passed(seat, CLASSIC_GAME.deals[0].hands[0][:3]),
    lambda seat: Played(seat, card("2C")),
    lambda seat: Exposed(seat, QUEEN_OF_SPADES),
    Declined,
    lambda seat: MoonChosen(seat, MoonChoice.ADD),
]


@pytest.mark.parametrize("seat", [-1, 4])
@pytest.mark.parametrize("move", NO_SEAT)
@pytest.mark.parametrize("preset", ["classic", "chinese"])
def test_a_seat_outside_the_table_is_refused(preset: str, move: Callable[[int], Move], seat: int) -> None:
    game = Game(Ruleset.of(preset, 4)).advance(CLASSIC_GAME.deals[0].dealt)
    assert refused(game, move(seat)).id == "no_such_seat"


def test_a_deal_that_is_over_waits_for_nobody_and_takes_no_move() -> None:
    deal = play_game(CLASSIC, random_move, Random(1), Random(1)).deals[0]
    assert deal.waiting_for == ()
    assert refused(deal, Played(0, deal.dealt.hands[0][0])).id == "deal_over"


@pytest.mark.parametrize("dealer", [-1, 4])
def test_a_dealer_outside_the_table_is_refused(dealer: int) -> None:
    dealt = dataclasses.replace(CLASSIC_GAME.deals[0].dealt, dealer=dealer)
    assert refused(Game(CLASSIC), dealt).id == "no_such_seat"


@pytest.mark.parametrize("foreign", [CLUB_JOKER, WILD_JOKER], ids=["club joker", "wild joker"])
def test_a_card_outside_the_pack_is_refused(foreign: Card) -> None:
    own = CLASSIC_GAME.deals[0].hands[0][:2]
    assert refused(CLASSIC_GAME, Passed(0, (foreign, *own))).id == "not_held"
    assert refused(CLASSIC_GAME, Passed(0, (foreign,) * 3)).id == "not_held"
    exposing = Game(Ruleset.of("chinese", 4)).advance(CLASSIC_GAME.deals[0].dealt)
    assert refused(exposing, Exposed(0, foreign)).id == "not_exposable"
    playing = next(games(Ruleset.of("cancellation", 5), Random(1)))
    assert refused(playing, Played(playing.deals[0].waiting_for[0], WILD_JOKER)).id == "not_held"


@pytest.mark.parametrize(
    "stored", [{}, {"seat": 1}, {"seat": 1, "declined": False}, {"played": "QS"}], ids=str
)
def test_anything_else_is_no_move(stored: dict[str, object]) -> None:
    with pytest.raises(KeyError, match="no move"):
        from_json(CLASSIC, stored)


def test_what_is_wrong_with_a_deal_is_told_without_its_cards() -> None:
    """It comes to the log, which whoever plays may read, and the game may go on once the row is mended."""
    deal = to_json(with_salt(DEALT, Random(1)))
    del deal["dealer"]
    with pytest.raises(KeyError) as raised:
        from_json(WITH_A_KITTY, deal)
    assert raised.value.args == ("no move: dealt, kitty, salt",)


# A game that is ended before its time counts as it stands


def log_of(preset: str, deals: int, more: int = 0) -> list[Move]:
    """The moves of this number of whole deals, and some more."""
    rng, log = Random(7), list[Move]()
    game = long_game(preset)
    while len(game.history) < deals or more:
        if len(game.history) == deals:
            more -= 1
        log.append(rng.choice(list(moves(game, rng))))
        game = game.advance(log[-1])
    return log


def long_game(preset: str = "classic") -> Game:
    return Game(Ruleset.of(preset, 4, {"ends_at": 10_000}))


@pytest.mark.parametrize("preset", [name for name, one in PRESETS.items() if 4 in one.players])
@pytest.mark.parametrize("more", [0, 2, 30])
def test_an_ended_game_counts_its_complete_deals_and_is_read_again_from_its_log(
    preset: str, more: int
) -> None:
    log = [*log_of(preset, 3, more), Ended()]
    before, game = long_game(preset).replay(log[:-1]), long_game(preset).replay(log)
    best = (min if game.rules.winner.value == "lowest" else max)(before.totals)
    assert game.over
    assert game.winners == tuple(seat for seat in range(4) if before.totals[seat] == best)
    assert (game.totals, game.history, game.points) == (before.totals, before.history, before.points)
    assert (len(game.deals), game.begun) == (3, 3 + bool(more))
    view = public_view(game)
    assert [deal.number for deal in view.past] == [1, 2]
    assert view.deal.points == game.points[-1]
    assert (view.dropped is not None) == bool(more)
    assert view.dropped is None or (view.dropped.dealt, view.dropped.number) == (None, 4)
    stored = json.loads(json.dumps([to_json(move) for move in log]))
    assert Game(game.rules).replay([from_json(game.rules, move) for move in stored]) == game


def test_an_end_needs_something_that_counts_and_nothing_comes_after_it_or_a_game_that_is_over() -> None:
    for log in ([], log_of("classic", 0, 9)):
        assert refused(long_game().replay(log), Ended()).id == "nothing_counts_yet"
    ended = long_game().replay([*log_of("classic", 1, 5), Ended()])
    for move in (Ended(), shuffle(ended, Random(1)), log_of("classic", 1)[-1]):
        assert refused(ended, move).id == "game_over"
    over = Game(Ruleset.of("classic", 4, {"ends_at": 1})).replay(log_of("classic", 1))
    assert refused(over, Ended()).id == "game_over"


def test_an_ended_games_record_and_what_is_said_of_its_deals_are_those_of_a_game_in_progress() -> None:
    log = log_of("classic", 2, 12)
    going_on, ended = long_game().replay(log), long_game().replay([*log, Ended()])
    names = ["Ann", "Bo", "Cy", "Di"]
    record = write_record(ended, names)
    assert record == write_record(going_on.complete_deals, names)
    assert (len(record["deals"]), record["winners"]) == (2, None)
    assert not read_record(json.loads(json.dumps(record))).over
    for seat in range(4):
        made = [(one.view.hand, one.cards) for one in decisions(ended, 2, seat)]
        assert made == [(one.view.hand, one.cards) for one in decisions(going_on, 2, seat)]


def test_a_log_that_goes_on_after_an_end_is_damaged() -> None:
    log = log_of("classic", 2)
    second = next(number for number, move in enumerate(log) if number and isinstance(move, Dealt))
    assert all(isinstance(move, SeatMove) for move in log[second + 1 :])
    with pytest.raises(AssertionError):
        Game(CLASSIC).replay([*log[:second], Ended(), *log[second:]])


# Values in general


def test_a_value_with_changes_is_the_one_that_dataclasses_make_and_keeps_nothing_cached() -> None:
    game = Game(Ruleset.of("cancellation", 5))
    deal = game.advance(shuffle(game, Random(1))).deals[0]
    assert deal.turn == 4
    assert "turn" in vars(deal)
    other = replace(deal, trick=Trick(3), hearts_broken=True)
    assert other == dataclasses.replace(deal, trick=other.trick, hearts_broken=True)
    assert list(vars(other)) == [field.name for field in dataclasses.fields(other)]
    assert (deal.turn, other.turn) == (4, 3)
    assert not deal.hearts_broken


@pytest.mark.parametrize("card", [*DECK, CLUB_JOKER, WILD_JOKER], ids=str)
def test_a_card_that_comes_back_is_the_same(card: Card) -> None:
    assert pickle.loads(pickle.dumps(card)) is card
    assert deepcopy(card) is card
