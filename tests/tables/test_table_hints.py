"""Hints at a table: who may ask, what is told of it, and what becomes of one that comes late."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from baretable import BareTable, started
from estimates import advise, estimate
from house import ANN, BO, CLASSIC, PEOPLE, House, play_on, refusal
from seating import my_view, playing

from engine.play.deal import Phase
from engine.play.views import seat_view
from engine.players.advice import Advice
from engine.rules.ruleset import Ruleset
from engine.tables import Hints, Moment, Person, Table, Teacher, changes
from engine.tables.table import Hint, HintRequest, has_choice, position_of

CHINESE = Ruleset.of("chinese", 4)


def hint_for(table: Table, person: Person) -> Hint:
    """What a teacher finds out for this person."""
    view = changes.view_for_hint(table, person.id, Moment.of(table.game))
    return Hint(view.seat, position_of(table.game.deals[-1]), estimate(view))


def hint(table: BareTable, person: Person) -> Table:
    """This person asks for a hint, and is shown it."""
    return table.do(changes.give_hint, hint_for(table.value, person))


def choosing(*people: Person) -> tuple[BareTable, int]:
    """A table where somebody has a choice of cards to play, and their seat."""
    table = started(*people, hints=Hints.EVERYBODY)
    found = table.play_until(
        lambda now: (
            now.game.deals[-1].phase is Phase.PLAYING and has_choice(seat_view(now.game, now.awaited[0]))
        )
    )
    return table, found.awaited[0]


@pytest.mark.parametrize(
    ("people", "hints", "may"),
    [
        ([ANN], Hints.ALONE, True),
        ([ANN], Hints.NOBODY, False),
        ([ANN, BO], Hints.ALONE, False),
        ([ANN, BO], Hints.EVERYBODY, True),
    ],
)
def test_the_table_says_who_may_ask(people: Sequence[Person], hints: Hints, may: bool) -> None:
    table = started(*people, hints=hints)
    assert table.value.gives_hints is may
    if may:
        assert len(hint(table, ANN).advice_for(0).best.cards) == 3
    else:
        assert table.refusal(hint_for, ANN) == "no_hints"


def test_a_friend_who_has_left_may_come_back_and_finds_nobody_helped_meanwhile() -> None:
    table = started(ANN, BO)
    table.do(changes.leave_or_stay_out, BO.id)
    assert table.refusal(hint_for, ANN) == "no_hints"


def test_only_the_host_decides_and_only_in_the_lobby_and_a_rematch_keeps_it() -> None:
    table = BareTable(ANN, BO)
    assert table.refusal(changes.change_hints, BO.id, Hints.EVERYBODY) == "host_only"
    table.do(changes.change_hints, ANN.id, Hints.EVERYBODY)
    table.start()
    assert table.refusal(changes.change_hints, ANN.id, Hints.ALONE) == "already_started"
    assert hint(table, BO).asked == (HintRequest(1, 1, -1),)
    rematch = changes.rematch(table.stop(), ANN)
    assert (rematch.hints, rematch.asked) == (Hints.EVERYBODY, ())


def test_the_table_hears_of_it_once_for_each_place_and_the_hint_ends_with_its_turn() -> None:
    table, seat = choosing(*PEOPLE)
    for _ in range(2):
        hinted = hint(table, PEOPLE[seat])
        table.value = replace(hinted, latest_hints=())  # as after a restart
    hinted = hint(table, PEOPLE[seat])
    assert [(one.deal, one.seat) for one in hinted.asked] == [(1, seat)]
    assert hinted.advice_for(seat)
    assert table.act().advice_for(seat) is None


def test_nobody_is_told_who_plays_alone_or_who_asks_what_to_expose() -> None:
    assert hint(started(ANN), ANN).asked == ()
    table = started(*PEOPLE, rules=CHINESE, hints=Hints.EVERYBODY)
    seat = table.value.awaited[0]
    hinted = hint(table, PEOPLE[seat])
    assert (hinted.is_exposing, hinted.asked) == (True, ())
    assert hinted.advice_for(seat)


def test_a_hint_is_for_whose_turn_it_is_and_not_shown_once_that_is_over() -> None:
    table, seat = choosing(*PEOPLE)
    assert table.refusal(hint_for, PEOPLE[seat - 1]) == "nothing_to_hint"
    assert table.refusal(hint_for, Person(9, "Zoe")) == "not_seated"
    late = hint_for(table.value, PEOPLE[seat])
    table.act()
    after = table.do(changes.give_hint, late)
    assert (after.latest_hints, after.asked) == ((), ())


@pytest.mark.parametrize(
    ("rules", "held", "is_there"),
    [
        (CLASSIC, "7S 3S 4C 9D", True),
        (CLASSIC, "7S 4C 9D 2H", False),
        (CLASSIC, "4C 9D", True),
        (Ruleset.of("double-deck", 8), "7S 7S 4C 9D", False),
    ],
)
def test_between_two_cards_there_is_a_choice(rules: Ruleset, held: str, is_there: bool) -> None:
    assert has_choice(my_view(playing(rules, held, "5S"))) is is_there


async def test_a_teacher_answers_alike_after_a_restart_and_reviews_done_deals(house: House) -> None:
    asked: list[Any] = []

    async def asking(*question: Any) -> Advice:
        asked.append(question)
        return await advise(*question)

    async def be_hinted() -> Advice:
        hint = await Teacher(house.tables, asking).hint(house.table.id, ANN.id, Moment.of(house.table.game))
        return (await house.tables.change(house.table.id, changes.give_hint, hint)).advice_for(0)

    table = await house.start(ANN, hints=Hints.ALONE)
    first = await be_hinted()
    assert await be_hinted() == first
    assert len(asked) == 1, "what the table knows isn't asked again"
    await house.restart()
    assert house.table.advice_for(0) is None
    assert await be_hinted() == first
    assert asked[0] == asked[1]

    async def review(person: Person, deal: int, table: int = table.id) -> Any:
        return await Teacher(house.tables, asking).review(table, person.id, deal)

    assert await refusal(review(ANN, 1)) == "stale"
    asked.clear()
    table = await play_on(house.tables, house.table, Random(1), lambda table: bool(table.game.points))
    found = await review(ANN, 1)
    assert found.choices == len(asked) > 5
    assert asked[0][0].deal.phase is Phase.PASSING
    assert asked[0][3] == table.game.deals[0].passes[0]
    assert await refusal(review(BO, 1)) == "not_your_deal"
    assert await refusal(review(ANN, 2)) == "stale"
    await house.tables.end(table.id, ANN.id)
    await house.restart()
    assert (await review(ANN, 1)).costly == found.costly
    assert asked[: found.choices] == asked[found.choices :]
    assert await refusal(review(ANN, 1, 99)) == "table_gone"
