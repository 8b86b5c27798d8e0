"""Hints at a table: who may ask, what is told of it, and what becomes of one that comes late."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from estimates import advise
from life import life
from seating import my_view, playing

from engine.cards import Hand
from engine.errors import Refusal
from engine.play.deal import Phase
from engine.play.moves import Declined, Passed, Played
from engine.play.views import SeatView, seat_view
from engine.players.advice import Advice, Skills
from engine.rules.ruleset import Ruleset
from engine.tables import Hints, Moment, Person, Table, Tables, Teacher, changes
from engine.tables.table import HintRequest, has_choice

ANN, BO, CY, DI = (Person(number, name) for number, name in enumerate(("Ann", "Bo", "Cy", "Di"), 1))
CLASSIC, CHINESE = Ruleset.of("classic", 4), Ruleset.of("chinese", 4)


class Asking:
    """The advisor, which notes how it is asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[SeatView, int, int, Hand, Skills]] = []

    async def __call__(self, *question: Any) -> Advice:
        self.asked.append(question)
        return await advise(*question)


async def seat(
    tables: Tables, *people: Person, rules: Ruleset = CLASSIC, hints: Hints = Hints.ALONE
) -> Table:
    """These people sit down, and computers take the other seats."""
    host, *others = people
    table = await tables.open(1, 1, host, rules)
    for person in others:
        await tables.join(table.id, person)
    await tables.change(table.id, changes.change_hints, host.id, hints)
    return await tables.change(table.id, changes.start, host.id)


async def hint(tables: Tables, table: Table, person: Person, teacher: Teacher | None = None) -> Table:
    """This person asks for a hint, and is shown it."""
    teacher = teacher or Teacher(tables, advise)
    at = Moment.of(table.game) if table.game else Moment(1)
    return await tables.change(table.id, changes.give_hint, await teacher.hint(table.id, person.id, at))


async def go_on(tables: Tables, table: Table, until: Phase) -> Table:
    """Everybody does the first thing that they may, until the deal comes to this."""
    while table.game and table.game.deals[-1].phase is not until:
        deal, at = table.game.deals[-1], Moment.of(table.game)
        number = table.awaited[0]
        person = table.seats[number].person
        assert person is not None
        if deal.phase is Phase.PASSING:
            cards = deal.hands[number][:3]
            table = await tables.change(
                table.id, changes.act, person, lambda seat, cards=cards: Passed(seat, cards), at
            )
        elif deal.phase is Phase.EXPOSING:
            table = await tables.change(table.id, changes.act, person, Declined, at)
        else:
            table = await play(tables, table)
    return table


async def play(tables: Tables, table: Table) -> Table:
    """Whose turn it is plays the first card that they may."""
    assert table.game is not None
    [number] = table.awaited
    person, card = table.seats[number].person, seat_view(table.game, number).legal[0]
    assert person is not None
    return await tables.change(
        table.id, changes.act, person, lambda seat: Played(seat, card), Moment.of(table.game)
    )


async def choosing(tables: Tables, table: Table) -> tuple[Table, Person]:
    """Play on until somebody has a choice of cards, and who that is."""
    table = await go_on(tables, table, Phase.PLAYING)
    while not has_choice(seat_view(table.game, table.awaited[0])):
        table = await play(tables, table)
    number = table.awaited[0]
    return table, next(one for one in (ANN, BO, CY, DI) if one.id == table.seats[number].person)


@pytest.mark.parametrize(
    ("people", "hints", "may"),
    [
        ([ANN], Hints.ALONE, True),
        ([ANN], Hints.NOBODY, False),
        ([ANN], Hints.EVERYBODY, True),
        ([ANN, BO], Hints.ALONE, False),
        ([ANN, BO], Hints.EVERYBODY, True),
    ],
)
async def test_the_table_says_who_may_ask(
    path: Path, people: Sequence[Person], hints: Hints, may: bool
) -> None:
    async with life(path) as (_, tables):
        table = await seat(tables, *people, hints=hints)
        assert table.gives_hints is may
        if may:
            table = await hint(tables, table, ANN)
            advice = table.advice_for(0)
            assert advice is not None
            assert len(advice.best.cards) == 3
        else:
            with pytest.raises(Refusal, match="no_hints"):
                await hint(tables, table, ANN)


async def test_a_friend_who_has_left_may_come_back_and_finds_nobody_helped_meanwhile(path: Path) -> None:
    async with life(path) as (_, tables):
        table = await seat(tables, ANN, BO)
        table = await tables.change(table.id, changes.leave_or_stay_out, BO.id)
        with pytest.raises(Refusal, match="no_hints"):
            await hint(tables, table, ANN)


async def test_only_the_host_decides_and_only_in_the_lobby(path: Path) -> None:
    async with life(path) as (_, tables):
        table = await tables.open(1, 1, ANN, CLASSIC)
        await tables.join(table.id, BO)
        with pytest.raises(Refusal, match="host_only"):
            await tables.change(table.id, changes.change_hints, BO.id, Hints.EVERYBODY)
        await tables.change(table.id, changes.start, ANN.id)
        with pytest.raises(Refusal, match="already_started"):
            await tables.change(table.id, changes.change_hints, ANN.id, Hints.EVERYBODY)


async def test_a_restart_and_a_rematch_keep_what_was_chosen_and_asked(path: Path) -> None:
    async with life(path) as (_, tables):
        table = await seat(tables, ANN, BO, hints=Hints.EVERYBODY)
        before = await hint(tables, table, BO)
        assert before.asked == (HintRequest(1, 1, -1),)
    async with life(path) as (_, tables):
        [after] = tables.live
        assert (after.hints, after.asked) == (Hints.EVERYBODY, before.asked)
        await tables.change(after.id, changes.stop, ANN.id, may_manage=True)
        again = await tables.rematch(after.id, ANN)
        assert (again.hints, again.asked) == (Hints.EVERYBODY, ())


async def test_the_table_hears_of_it_once_for_each_place_unless_one_plays_alone(path: Path) -> None:
    async with life(path) as (_, tables):
        table = await seat(tables, ANN, BO, CY, DI, hints=Hints.EVERYBODY)
        table, person = await choosing(tables, table)
        for _ in range(2):
            table = await hint(tables, table, person)
        number = table.awaited[0]
        assert [(one.deal, one.seat) for one in table.asked] == [(1, number)]


async def test_who_plays_alone_is_told_on_by_nobody(path: Path) -> None:
    async with life(path) as (_, tables):
        assert (await hint(tables, await seat(tables, ANN), ANN)).asked == ()


async def test_who_asks_what_to_expose_is_not_named(path: Path) -> None:
    async with life(path) as (_, tables):
        table = await seat(tables, ANN, BO, CY, DI, rules=CHINESE, hints=Hints.EVERYBODY)
        assert table.is_exposing
        number = table.awaited[0]
        person = (ANN, BO, CY, DI)[number]
        table = await hint(tables, table, person)
        assert table.advice_for(number) is not None
        assert table.asked == ()


async def test_asked_twice_the_answer_is_the_same_and_after_a_restart_too(path: Path) -> None:
    asking = Asking()
    async with life(path) as (_, tables):
        table = await seat(tables, ANN)
        teacher = Teacher(tables, asking)
        for _ in range(2):
            table = await hint(tables, table, ANN, teacher)
        assert len(asking.asked) == 1
        first = table.advice_for(0)
    async with life(path) as (_, tables):
        [table] = tables.live
        assert table.advice_for(0) is None
        table = await hint(tables, table, ANN, Teacher(tables, asking))
        assert table.advice_for(0) == first
        assert asking.asked[0] == asking.asked[1]


async def test_a_hint_that_comes_late_is_not_shown(path: Path) -> None:
    async with life(path) as (_, tables):
        table, person = await choosing(tables, await seat(tables, ANN))
        late = await Teacher(tables, advise).hint(table.id, person.id, Moment.of(table.game))
        table = await play(tables, table)
        after = await tables.change(table.id, changes.give_hint, late)
        assert after.latest_hints == ()
        assert after.asked == ()


async def test_a_hint_ends_with_its_turn(path: Path) -> None:
    async with life(path) as (_, tables):
        table = await hint(tables, *await choosing(tables, await seat(tables, ANN)))
        assert table.advice_for(0) is not None
        assert (await play(tables, table)).advice_for(0) is None


async def test_where_there_is_nothing_to_choose_there_is_no_hint(path: Path) -> None:
    async with life(path) as (_, tables):
        table = await seat(tables, ANN, BO, CY, DI, hints=Hints.EVERYBODY)
        table, person = await choosing(tables, table)
        other = next(one for one in (ANN, BO, CY, DI) if one != person)
        with pytest.raises(Refusal, match="nothing_to_hint"):
            await hint(tables, table, other)
        with pytest.raises(Refusal, match="not_seated"):
            await hint(tables, table, Person(9, "Zoe"))


@pytest.mark.parametrize(
    ("rules", "held", "is_there"),
    [
        (CLASSIC, "7S 3S 4C 9D", True),
        (CLASSIC, "7S 4C 9D 2H", False),
        (CLASSIC, "4C 9D", True),
        (Ruleset.of("double-deck", 8), "7S 7S 4C 9D", False),
    ],
    ids=["two of the suit led", "one of it", "none of it", "one of it twice"],
)
def test_between_two_cards_there_is_a_choice(rules: Ruleset, held: str, is_there: bool) -> None:
    assert has_choice(my_view(playing(rules, held, "5S"))) is is_there


async def test_a_deal_is_reviewed_when_it_is_done_and_long_after(path: Path) -> None:
    asking = Asking()
    async with life(path) as (_, tables):
        table = await seat(tables, ANN)
        teacher = Teacher(tables, asking)
        with pytest.raises(Refusal, match="stale"):
            await teacher.review(table.id, ANN.id, 1)
        while len(table.game.deals) == 1:
            table = await go_on(tables, table, Phase.PLAYING)
            table = await play(tables, table)
        found = await teacher.review(table.id, ANN.id, 1)
        assert found.choices == len(asking.asked) > 5
        assert asking.asked[0][0].deal.phase is Phase.PASSING
        assert asking.asked[0][3] == table.game.deals[0].passes[0]
        with pytest.raises(Refusal, match="not_your_deal"):
            await teacher.review(table.id, BO.id, 1)
        with pytest.raises(Refusal, match="stale"):
            await teacher.review(table.id, ANN.id, 2)
        await tables.end(table.id, ANN.id)
    async with life(path) as (_, tables):
        again = await Teacher(tables, asking).review(table.id, ANN.id, 1)
        assert again.costly == found.costly
        assert asking.asked[: found.choices] == asking.asked[found.choices :]
        with pytest.raises(Refusal, match="table_gone"):
            await Teacher(tables, asking).review(99, ANN.id, 1)


VOTE = {"number": 1, "asker": 0, "agreed": [0], "refused": [], "outcome": None, "until": 9}
DAMAGED_VOTES: list[tuple[str, object]] = [
    ("asker", 9),
    ("agreed", [0, 9]),
    ("refused", 7),
    ("outcome", "snow"),
    ("until", "soon"),
]
