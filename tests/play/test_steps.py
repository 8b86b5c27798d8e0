"""A done deal gone through again: each step is what the deal was then, in every game."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import pytest
from by_chance import TABLES, played

from engine.play import steps
from engine.play.deal import Deal, Phase
from engine.play.public import public_deal
from engine.play.steps import Stage


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_from_the_cards_as_dealt_to_the_points(name: str, players: int) -> None:
    [done] = played(name, players, deals=1).deals
    every = [steps.at(done, number) for number in range(steps.count(done))]
    assert [step.stage for step in every[:-1]] == sorted(
        (step.stage for step in every[:-1]), key=list(Stage).index
    )
    assert Counter(step.stage for step in every) == {
        Stage.DEALT: 1,
        **({Stage.PASSED: 1} if done.offset else {}),
        **({Stage.EXPOSED: 1} if name == "chinese" else {}),
        Stage.PLAYED: players * done.rules.pack.hand_size,
        Stage.COUNTED: 1,
    }
    assert list(map(Counter, every[0].deal.hands)) == list(map(Counter, done.dealt.hands))
    assert every[-1].deal is done
    plays = [step.deal for step in every if step.stage is Stage.PLAYED]
    assert plays[-1] == done or plays[-1].phase is Phase.CHOOSING_MOON
    before = plays[0]
    for deal in plays[1:]:
        assert len(cards_played(deal)) == len(cards_played(before)) + 1
        before = deal
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


def cards_played(deal: Deal) -> list[object]:
    return [*chain(*(trick.trick.cards for trick in deal.tricks)), *deal.trick.cards]
