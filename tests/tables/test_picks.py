"""Cards picked to pass, before they are passed."""

from __future__ import annotations

from baretable import BareTable, started
from house import ANN, BO

from engine.tables import Moment, Pace, changes


def pick(table: BareTable, place: int, *, is_picked: bool = True) -> tuple[int, ...]:
    """Ann picks a card or puts it back; returns the places of those she has picked."""
    table.do(changes.pick, ANN.id, place, Moment.of(table.value.game), is_picked=is_picked)
    return table.value.picked_by(0)


def test_cards_are_picked_in_any_order_and_put_back() -> None:
    table = started(ANN, BO)
    assert [pick(table, place) for place in (7, 2, 12)] == [(7,), (2, 7), (2, 7, 12)]
    at = Moment.of(table.value.game)
    assert table.refusal(changes.pick, ANN.id, 3, at, is_picked=True) == "all_picked"
    assert pick(table, 7) == (2, 7, 12)
    assert pick(table, 2, is_picked=False) == (7, 12)
    assert table.refusal(changes.pick, ANN.id, 13, at, is_picked=True) == "stale"
    assert table.value.picked_by(1) == ()


def test_a_pass_shows_as_picked_until_its_player_picks_again() -> None:
    table = started(ANN, BO)
    table.act(0)
    passed = table.value.picked_by(0)
    assert len(passed) == 3
    assert pick(table, passed[0], is_picked=False) == passed[1:]
    table.act(0)
    table.act(1)
    at = Moment.of(table.value.game)
    assert table.refusal(changes.pick, ANN.id, 0, at, is_picked=True) == "not_passing"


def test_the_cards_picked_when_time_is_up_are_passed() -> None:
    table = started(ANN, BO, pace=Pace.LIVE)
    hand = table.value.game.deals[0].hands[0]
    for place in (0, 5, 9):
        pick(table, place)
    deal = table.wait(Pace.LIVE.seconds).game.deals[0]
    assert deal.passes[0] == (hand[0], hand[5], hand[9])
    assert len(deal.passes[1]) == 3
