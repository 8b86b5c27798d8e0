"""Strong computers think in other processes, and the table goes on whatever becomes of those."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from random import Random

import house as houses
import pytest
from baretable import started
from house import ANN, BO, CY, LONG_GAME, act
from scraping import counted

from engine import thinking
from engine.cards import card
from engine.errors import Refusal
from engine.play.deal import Phase
from engine.play.moves import Passed, Played
from engine.play.views import seat_view
from engine.players import Strength, computer, random_move
from engine.rules.ruleset import Ruleset
from engine.tables import Moment, NoticeKind, Pace, Person, State, Table, changes, live
from engine.tables.flow import Flow
from engine.tables.live import StrongComputers, Thought
from engine.thinking import Thinking

pytestmark = pytest.mark.slow

#: Seconds for a process that may have to compile first.
VERY_LONG = 900.0


class House(houses.House):
    """A house with processes in which computers think."""

    @property
    def thinking(self) -> Thinking:
        return self.options["thinking"]

    async def seat_strong(self, *people: Person, rules: Ruleset = LONG_GAME) -> Table:
        return await self.start(*people, rules=rules, strength=Strength.STRONG)

    async def until_asked(self) -> Table:
        """Wait until somebody's turn has come."""
        await self.until(lambda: self.table.awaited)
        return self.table

    async def act(self, person: Person = ANN) -> Table:
        """Wait until this person is asked, and do something that they may."""
        seat = self.table.seat_of(person.id)
        await self.until(lambda: seat in self.table.awaited)
        return await act(self.tables, self.table, Random(self.table.logged), seat)

    def stop_thinking(self, how: signal.Signals) -> None:
        for pid in self.thinking.pool.pids:
            os.kill(pid, how)


@pytest.fixture(autouse=True)
def quick_thoughts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth of the playouts: how well they play is nothing to these tests."""
    monkeypatch.setattr(thinking, "FULL", thinking.FULL // 5)
    monkeypatch.setattr(thinking, "QUICK", thinking.QUICK // 5)


def moves_by_strength(thinking: Thinking) -> dict[str, float]:
    """How many of strong computers' moves each strength found."""
    return counted(thinking.moves).by("by", "hearts_thoughts_total")


@pytest.fixture
async def house(path: Path) -> AsyncIterator[House]:
    """A house with a process of its own, which begins when it is needed."""
    house = await House(path, thinking=Thinking(workers=1)).open()
    yield house
    house.stop_thinking(signal.SIGCONT)
    await house.close()
    house.thinking.close()


@pytest.fixture
async def ready_house(path: Path, thinker: Thinking) -> AsyncIterator[House]:
    """A house for tests that leave the process as they found it, or only stop it for a while."""
    thinker.moves.clear()
    house = await House(path, thinking=thinker).open()
    yield house
    house.stop_thinking(signal.SIGCONT)
    await house.close()


async def test_a_person_is_answered_before_the_computers_have_thought(ready_house: House) -> None:
    await ready_house.seat_strong(ANN)
    await ready_house.act()  # the pass
    table = await ready_house.act()
    while table.awaited:  # they had no choice
        table = await ready_house.act()
    after = await ready_house.until_asked()
    assert after.game.deals != table.game.deals
    assert ready_house.told[-2:] == [table, after], "what they play comes with one change"


@pytest.mark.parametrize(
    "rules",
    [Ruleset.of("classic", 4, {"moon": "choice"}), Ruleset.of("chinese", 4), Ruleset.of("double-deck", 6)],
    ids=lambda rules: rules.preset.name,
)
async def test_a_deal_with_strong_computers_is_thought_of_and_played(
    ready_house: House, rules: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "LONGEST_ROUND", VERY_LONG)
    table = await ready_house.seat_strong(ANN, BO, rules=rules)
    while not table.game.points:
        await act(ready_house.tables, table, Random(table.logged))
        table = await ready_house.until_asked()
    moves = moves_by_strength(ready_house.thinking)
    assert set(moves) == {"strong"}
    assert moves["strong"] > rules.pack.hand_size


async def test_a_forced_card_takes_as_long_as_one_that_is_thought_about(ready_house: House) -> None:
    """Otherwise the time until it comes tells that there was no other, such as a singleton."""
    rng, now, slept, forced = Random(7), [0.0], [], 0

    def clock() -> float:
        now[0] += rng.uniform(0.03, 0.09)
        return now[0]

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    flow = Flow(Random(1), Random(2), computer, lambda: 0.0, thinks=True)
    mind = StrongComputers(flow, ready_house.thinking, Random(3), clock=clock, sleep=sleep)
    table = await ready_house.seat_strong(ANN)
    while table.game and (deal := table.game.deal) and not deal.is_decided:
        moves = (await mind.think(table)).moves
        if table.awaited:
            moves = (random_move(seat_view(table.game, table.awaited[0]), rng),)
        assert moves
        for move in moves:
            deal = table.game.deals[-1]
            is_known = deal.is_known_to_be_forced or deal.is_decided
            is_forced = deal.phase is Phase.PLAYING and len(set(deal.legal(move.seat))) == 1
            forced += is_forced and not is_known and table.seats[move.seat].is_played_by_strong
            table = table.after(move)
    assert len(slept) == forced > 1
    assert all(0.03 <= seconds <= 0.09 for seconds in slept)
    assert len(set(slept)) > 1


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
async def test_a_process_that_dies_or_hangs_stops_no_table(
    house: House, how: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "LONGEST_ROUND", 0.3)
    await house.seat_strong(ANN)
    for _ in range(3):
        await house.act()
        house.stop_thinking(how)
    await house.until_asked()


async def test_without_a_process_a_weaker_player_plays(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere")
    await house.seat_strong(ANN)
    for _ in range(20):
        await house.act()
    await house.until_asked()
    assert set(moves_by_strength(house.thinking)) == {"medium"}


async def test_a_service_that_is_closed_in_mid_thought_goes_on_when_it_is_back(house: House) -> None:
    await house.seat_strong(ANN)
    for _ in range(2):  # the pass, and a card
        left = await house.act()
        await house.close()  # at once: nothing is thought to the end
        house.thinking.close()
        assert house.thinking.pool.pids == []
        house.options["thinking"] = Thinking(workers=1)
        await house.open()
        assert house.table.game.deals == left.game.deals
        table = await house.until_asked()
        assert table.game.deals != left.game.deals


async def test_a_thought_is_for_the_table_as_it_stands(ready_house: House) -> None:
    """Whatever happens while they think: nothing is played twice, nor by who may not."""
    await ready_house.seat_strong(ANN, BO)
    id, change = ready_house.table.id, ready_house.tables.change
    meanwhile = [
        lambda: change(id, changes.pause),
        lambda: change(id, changes.unpause),
        lambda: change(id, changes.change_pace, ANN.id, Pace.LIVE),
        lambda: change(id, changes.leave_or_stay_out, BO.id),
        lambda: ready_house.tables.join(id, BO),
        lambda: change(id, changes.add_notice, NoticeKind.DMS_CLOSED, BO.id),
        lambda: ready_house.tables.take_seat(id, CY, 2),
        lambda: change(id, changes.leave_or_stay_out, CY.id),
    ]
    rng = Random(4)
    for _ in range(30):
        await ready_house.tables.change(id, changes.unpause)
        table = await ready_house.until_asked()
        await ready_house.act(next(one for one in (ANN, BO) if table.seat_of(one.id) in table.awaited))
        await asyncio.sleep(rng.choice([0, 0, 0.001, 0.003]))
        with suppress(Refusal):  # not now
            await rng.choice(meanwhile)()
    await ready_house.tables.change(id, changes.unpause)
    await ready_house.until_asked()


async def test_people_pass_and_stop_the_game_while_computers_think(ready_house: House) -> None:
    await ready_house.seat_strong(ANN, BO)
    ready_house.stop_thinking(signal.SIGSTOP)
    await ready_house.act(ANN)
    await ready_house.act(BO)
    assert ready_house.table.game.deal.phase is Phase.PASSING
    ready_house.stop_thinking(signal.SIGCONT)
    table = await ready_house.until_asked()
    assert table.game.deals[-1].phase is Phase.PLAYING
    ready_house.stop_thinking(signal.SIGSTOP)
    table = await act(ready_house.tables, table, Random(1))
    stopped = await ready_house.stop(table)
    assert stopped.game == table.game
    ready_house.stop_thinking(signal.SIGCONT)
    await asyncio.sleep(0.2)
    assert ready_house.tables.live == []
    assert (await ready_house.tables.find(table.id)).state is State.STOPPED
    assert ready_house.told[-1] == stopped


def test_what_was_to_follow_the_passes_is_thought_of_anew_where_others_pass_otherwise() -> None:
    table = started(ANN, BO, rules=LONG_GAME, thinks=True, strength=Strength.STRONG)
    table.act(1)
    begun = after = table.act(0)
    deal = begun.game.deals[-1]
    passes = [random_move(seat_view(begun.game, seat), Random(1)) for seat in deal.waiting_for]
    for move in passes:
        after = after.after(move)
    lead = Played(after.game.deals[-1].turn, card("2C"))
    thought = Thought(begun, (*passes, lead))
    assert thought.on(begun) == after.after(lead)
    for other in (changes.pause(begun), changes.leave(begun, BO.id)):  # which nobody has thought about
        assert thought.on(other) is other
    others = [one for one in deal.hands[0] if one not in (*deal.passes[0], card("2C"))]
    meanwhile = table.do(changes.act, ANN.id, lambda seat: Passed(seat, tuple(others[:3])), Moment(1))
    after = thought.on(meanwhile)
    assert after.game.deals[-1].phase is Phase.PLAYING
    assert not after.game.deals[-1].trick.cards


async def test_a_process_begins_when_a_strong_computer_takes_a_seat(house: House) -> None:
    table = await house.seat(ANN)
    await house.tables.change(table.id, changes.add_computer, ANN.id, Strength.MEDIUM)
    await asyncio.sleep(0.05)
    assert house.thinking.pool.pids == []
    await house.tables.change(table.id, changes.add_computer, ANN.id, Strength.STRONG)
    await house.until(lambda: house.thinking.pool.pids)
