"""Votes on ending a game, counted among those who have a say."""

import pytest
from baretable import BareTable, started
from house import ANN, BO, CY, DI, LONG_GAME

from engine.rules.ruleset import Ruleset
from engine.tables import Pace, Person, State, VoteOutcome, changes, voting

EVE = Person(5, "Eve")
FIVE = Ruleset.of("wikibooks", 5)
AGREED, TOO_FEW, ENDED = VoteOutcome.AGREED, VoteOutcome.TOO_FEW, VoteOutcome.ENDED
DAY = Pace.NONE.grace


def asked(*people: Person, **fields: object) -> BareTable:
    """A game of these people, whose first asks to end it."""
    table = started(*people, **fields)
    table.do(voting.end, people[0].id, table.now)
    return table


def answer(table: BareTable, person: Person, *, agrees: bool) -> VoteOutcome | None:
    """This person answers the first vote; returns what has come of it."""
    return table.do(voting.answer, person.id, 1, agrees=agrees).vote.outcome


@pytest.mark.parametrize(
    ("people", "answers", "outcome"),
    [
        (2, "y", AGREED),
        (2, "n", TOO_FEW),
        (3, "y", AGREED),
        (3, "n", None),
        (3, "nn", TOO_FEW),
        (4, "y", None),
        (4, "yy", AGREED),
        (4, "nn", TOO_FEW),
        (4, "nyy", AGREED),
        (5, "y", None),
        (5, "yy", AGREED),
        (5, "nn", None),
        (5, "nyn", None),
        (5, "nnn", TOO_FEW),
    ],
)
def test_more_than_half_have_to_agree(people: int, answers: str, outcome: VoteOutcome | None) -> None:
    players = (ANN, BO, CY, DI, EVE)[:people]
    table = asked(*players, rules=FIVE if people == 5 else LONG_GAME)
    results = [answer(table, one, agrees=yes == "y") for one, yes in zip(players[1:], answers, strict=False)]
    assert results == [*[None] * (len(answers) - 1), outcome]
    assert (table.value.state is State.STOPPED) is (outcome is AGREED)


def test_an_answer_may_be_changed_while_the_vote_is_open() -> None:
    table = asked(ANN, BO, CY, DI)
    answer(table, BO, agrees=False)
    answer(table, BO, agrees=True)
    vote = table.value.vote
    assert (vote.asker, vote.agreed, vote.refused) == (0, {0, 1}, set())
    for person, number, refused in ((EVE, 1, "not_seated"), (CY, 2, "vote_over"), (CY, 0, "vote_over")):
        assert table.refusal(voting.answer, person.id, number, agrees=True) == refused
    answer(table, CY, agrees=True)
    assert table.refusal(voting.answer, DI.id, 1, agrees=True) == "vote_over"


def test_after_a_no_nobody_asks_again_for_a_while() -> None:
    table = asked(ANN, BO, pace=Pace.RELAXED)
    assert table.refusal(voting.end, BO.id, table.now) == "vote_open"
    answer(table, BO, agrees=False)
    assert table.refusal(voting.answer, BO.id, 1, agrees=True) == "vote_over"
    rests = Pace.RELAXED.grace
    assert table.refusal(voting.end, BO.id, table.now + rests - 1) == "vote_rests"
    assert table.do(voting.end, ANN.id, table.now + rests).vote.number == 2


def test_those_who_leave_have_no_say_until_they_come_back() -> None:
    table = asked(ANN, BO, CY, DI)
    answer(table, BO, agrees=True)
    for person, agreed in ((BO, {0}), (ANN, set())):
        assert table.do(changes.leave_or_stay_out, person.id).vote.agreed == agreed
    assert table.value.vote.asker is None
    assert table.do(changes.join, BO).vote.agreed == set()
    answer(table, BO, agrees=True)
    answer(table, CY, agrees=False)
    assert table.do(changes.leave_or_stay_out, CY.id).vote.outcome is None
    assert table.do(changes.leave_or_stay_out, DI.id).vote.outcome is AGREED


def test_a_vote_is_open_for_a_while_and_half_of_it_again_after_an_absence() -> None:
    table = asked(ANN, BO, pace=Pace.NONE)
    assert table.value.vote.until == DAY
    assert table.be_away(2 * DAY).vote.until == 2.5 * DAY
    assert table.wait(DAY / 2 - 1).vote.is_open
    assert table.wait(1).vote.outcome is TOO_FEW
    assert table.value.state is State.PLAYING


def test_it_stands_still_while_a_game_is_paused() -> None:
    table = asked(ANN, BO, pace=Pace.NONE)
    table.do(changes.pause)
    assert table.wait(DAY + 1).vote.is_open
    assert table.refusal(voting.answer, BO.id, 1, agrees=True) == "paused"
    table.do(changes.unpause)
    assert table.wait(DAY - 1).vote.is_open
    assert answer(table, BO, agrees=True) is AGREED


def test_a_game_that_ends_otherwise_ends_the_vote() -> None:
    table = asked(ANN, BO, rules=Ruleset.of("classic", 4, {"ends_at": 1}))
    over = table.play_until(lambda table: False)
    assert (over.state, over.vote.outcome) == (State.OVER, ENDED)


def test_the_only_player_ends_a_game_and_the_host_a_lobby_at_once() -> None:
    lobby = BareTable(ANN, BO)
    assert lobby.refusal(voting.end, BO.id, 0.0) == "host_only"
    assert lobby.do(voting.end, ANN.id, 0.0).state is State.STOPPED
    table = started(ANN, BO, rules=LONG_GAME)
    assert table.refusal(voting.end, CY.id, 0.0) == "not_seated"
    table.play_deal()
    table.do(changes.leave_or_stay_out, BO.id)
    assert table.refusal(voting.end, BO.id, 0.0) == "away"
    over = table.do(voting.end, ANN.id, 0.0)
    assert (over.state, over.vote, over.game.over) == (State.OVER, None, True)
