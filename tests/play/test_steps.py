"""A done deal gone through again: each step is what the deal was then, in every game."""

from __future__ import annotations

from collections import Counter

import pytest
from by_chance import TABLES, played

from engine.play import steps
from engine.play.deal import Phase
from engine.play.public import public_deal
from engine.play.steps import Stage


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_from_the_cards_as_dealt_to_the_points(name: str, players: int) -> None:
    [done] = played(name, players, deals=1).deals
    every = [steps.at(done, number) for number in range(steps.count(done))]
    assert [step.stage for step in every] == [
        Stage.DEALT,
        *([Stage.PASSED] if done.offset else []),
        *([Stage.EXPOSED] if name == "chinese" else []),
        *[Stage.PLAYED] * (players * done.rules.pack.hand_size),
        Stage.COUNTED,
    ]
    assert list(map(Counter, every[0].deal.hands)) == list(map(Counter, done.dealt.hands))
    assert every[-1].deal is done
    plays = [step.deal for step in every if step.stage is Stage.PLAYED]
    assert plays[-1] == done or plays[-1].phase is Phase.CHOOSING_MOON
    laid = [sum(len(done.trick.cards) for done in deal.tricks) + len(deal.trick.cards) for deal in plays]
    assert laid == list(range(1, len(plays) + 1))
    # A stop is where no trick is half played.
    assert steps.stops(done) == [
        number
        for number, step in enumerate(every)
        if not step.deal.trick.cards or step.stage is not Stage.PLAYED
    ]


@pytest.mark.parametrize("name", ["classic", "chinese"])
def test_the_step_of_what_a_player_saw(name: str) -> None:
    done = played(name, 4).deals[0]
    first_card = next(
        number for number in range(steps.count(done)) if steps.at(done, number).stage is Stage.PLAYED
    )
    for number in range(steps.count(done) - 1):
        step = steps.at(done, number)
        if step.stage is Stage.PLAYED and step.deal.phase is Phase.PLAYING:
            assert steps.number_of(done, public_deal(step.deal)) == number
    opening = steps.at(done, 0).deal
    assert steps.number_of(done, public_deal(opening)) == (0 if name == "classic" else first_card - 2)


@pytest.mark.parametrize("number", [-1, 55, 1000])
def test_there_are_no_other_steps(number: int) -> None:
    done = played("classic", 4).deals[0]
    assert steps.count(done) == 55
    with pytest.raises(IndexError):
        steps.at(done, number)
