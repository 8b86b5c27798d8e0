"""What happens at a table by itself: time runs out, and cards without an alternative are played."""

from random import Random

import pytest
from baretable import BareTable, everyone, started, table_of
from by_chance import TABLES
from house import ANN, BO, PEOPLE, House
from seating import playing

from engine.cards import card
from engine.errors import Refusal
from engine.play.deal import Phase
from engine.play.game import Game, shuffle
from engine.play.views import seat_view
from engine.players import Strength, random_move
from engine.rules.ruleset import Ruleset
from engine.tables import Forced, NoticeKind, Pace, Preference, State, changes
from engine.tables.flow import FORCED_PLAYS, forced_card
from engine.tables.keeper import RETRY_AFTER
from engine.tables.plan import CATCH_UP, TOO_LATE, Plan
from engine.thinking import Thinking

DAY = 24 * 60 * 60.0


@pytest.mark.parametrize("pace", [None, *Pace])
def test_a_paused_lobby_or_game_is_closed_after_a_week_whatever_happens_meanwhile(pace: Pace | None) -> None:
    table = started(ANN, BO, pace=pace) if pace else BareTable(ANN, BO)
    table.do(changes.pause)
    table.wait(7 * DAY - 1)
    with pytest.raises(Refusal, match="paused"):
        table.do(changes.pause)
    table.do(changes.leave_or_stay_out, BO.id)
    table.do(changes.change_pace, ANN.id, Pace.LIVE)
    before = table.do(changes.join, BO)
    assert before.is_live
    closed = table.wait(1)
    assert (closed.state, closed.notice.kind) == (State.STOPPED, NoticeKind.ABANDONED)
    assert closed.game == before.game
    assert not changes.rematch(closed, ANN).paused


def test_a_pause_gives_the_whole_time_of_a_turn_again_and_begins_again_after_an_absence() -> None:
    table = started(ANN, BO, pace=Pace.LIVE)
    table.do(changes.pause)
    table.wait(6 * DAY)
    timer = table.be_away(8 * DAY).timer
    assert timer.deadline == table.now + 7 * DAY
    assert table.be_away(6 * DAY).timer == timer
    assert table.do(changes.unpause).timer.deadline == table.now + 60


@pytest.mark.parametrize("is_ready", [True, False])
@pytest.mark.parametrize("reminded", [True, False])
@pytest.mark.parametrize("late", [-1, 0, TOO_LATE, TOO_LATE + 1])
def test_a_start_that_fell_due_waits_unless_people_were_reminded_and_enough_are_there(
    late: float, reminded: bool, is_ready: bool
) -> None:
    plan = Plan(10_000.0, 0.0, reminded)
    now = plan.at + late
    waits = 0 <= late <= TOO_LATE and not (reminded and is_ready)
    assert plan.after_absence(now, is_ready=is_ready) == (
        Plan(now + CATCH_UP, 0.0, reminded) if waits else plan
    )


# Whoever is away keeps their say for a while


def without_ann(pace: Pace) -> BareTable:
    """A game in which Ann's time has run out twice, while Bo does what he is asked to."""
    table = started(ANN, BO, pace=pace)
    while not table.value.seats[0].away:
        while 1 in table.value.awaited:
            table.act(1)
        table.now += pace.seconds + 1
        table.do(table.flow.ring)
    return table


def kept_for(table: BareTable) -> float | None:
    """For how many seconds more Ann, who is away, has a say."""
    until = table.value.seats[0].kept_until
    return None if until is None else until - table.now


def test_A4_who_is_away_stays_host_and_has_a_say_for_ten_minutes() -> None:
    table = without_ann(Pace.LIVE)
    assert table.value.seats[0].missed == 2
    assert (kept_for(table), table.value.host, table.value.asks_all) == (600, ANN.id, True)
    table.now += 600
    left = table.do(table.flow.ring)
    assert (kept_for(table), left.seats[0].has_left) == (None, True)
    assert (left.host, left.asks_all) == (BO.id, False)
    assert 0 in left.free_seats
    assert table.do(changes.join, ANN).asks_all


def test_A4_another_pace_does_not_shorten_it_and_a_rematch_has_none_of_it() -> None:
    table = without_ann(Pace.RELAXED)
    table.do(changes.change_pace, ANN.id, Pace.LIVE)
    assert kept_for(table) == 1800
    assert changes.rematch(table.stop(), BO).seats[0].kept_until is None


def test_A4_a_pause_gives_all_of_it_again_and_an_absence_half() -> None:
    table = without_ann(Pace.LIVE)
    table.be_away(500)
    assert kept_for(table) == 100
    table.do(changes.pause)
    assert table.be_away(DAY).seats[0].has_a_say
    table.now += DAY
    table.do(changes.unpause)
    assert kept_for(table) == 600
    for seconds in (700, 300, DAY):
        table.be_away(seconds)
        assert kept_for(table) == 300


# Where computers fail


class Confused(Thinking):
    """A strong player that fails whatever it is asked."""

    async def move(self, *_: object) -> None:
        raise ArithmeticError("it cannot count to thirteen")


@pytest.mark.parametrize("is_closed", [False, True])
async def test_a_turn_is_timed_while_computers_fail_and_nothing_rings_after_the_end(
    house: House, caplog: pytest.LogCaptureFixture, is_closed: bool
) -> None:
    house.options["thinking"] = Confused(workers=0)
    await house.restart()
    await house.start(ANN, pace=Pace.LIVE, strength=Strength.STRONG)
    house.now += 29.9
    await house.restart()
    await house.settle()
    assert "cannot think" in caplog.text
    caplog.clear()
    house.told.clear()
    if is_closed:
        await house.close()
    await house.wait(0.2)
    expected = [] if is_closed else [NoticeKind.REMINDER]
    assert [table.notice.kind for table in house.told] == expected
    assert not is_closed or caplog.text == ""


WITHOUT_PASS = Ruleset.of("classic", 4, {"pass_cards": 0, "ends_at": 500})


def usual(person: int) -> Preference:
    return Preference()


def quick(person: int) -> Preference:
    return Preference(forced=Forced.EVERY)


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_by_default_what_all_know_plays_itself_and_on_request_each_only_face(
    preset: str, players: int
) -> None:
    rng = Random(players)
    game = Game(Ruleset.of(preset, players))
    game = game.advance(shuffle(game, rng))
    seen = set()
    while (deal := game.deal) and not game.history:
        table, seat = table_of(game, *everyone(game.rules)), deal.waiting_for[0]
        view = seat_view(game, seat)
        by_default, always = forced_card(table, usual), forced_card(table, quick)
        if deal.phase is Phase.PLAYING:
            held = len(view.hand) + len(deal.face_up[seat])
            is_opening = not (deal.tricks or deal.trick.cards or deal.rules.oldest_leads)
            only = view.legal[0] if len(set(view.legal)) == 1 else None
            assert always is only
            assert by_default is (only if is_opening or held == 1 else None)
            seen.add((by_default is not None, always is not None))
        else:
            assert by_default is always is None
        game = game.advance(random_move(view, rng))
    assert seen == {(False, False), (False, True), (True, True)}


def test_two_copies_of_a_card_are_no_choice() -> None:
    rules = Ruleset.of("double-deck", 8)
    table = table_of(playing(rules, "7S 7S 4C 9D", "5S"), *everyone(rules))
    assert table.game.deals[-1].legal(0) == (card("7S"),) * 2
    assert forced_card(table, quick) is card("7S")


def test_a_card_plays_itself_but_not_at_a_paused_table_until_it_goes_on() -> None:
    table = BareTable(*PEOPLE, rules=WITHOUT_PASS)
    forced = table.start().forced.card
    table.do(changes.pause)
    assert table.wait(2 * FORCED_PLAYS).game.deals[0].trick.cards == ()
    table.do(changes.unpause)
    assert table.wait(FORCED_PLAYS - 0.01).game.deals[0].trick.cards == ()
    assert table.wait(0.01).game.deals[0].trick.cards == (forced,)


def test_for_who_has_left_a_computer_has_played_at_once() -> None:
    table = started(*PEOPLE, rules=WITHOUT_PASS)
    [seat], forced = table.value.awaited, table.value.forced.card
    after = table.do(changes.leave_or_stay_out, PEOPLE[seat].id)
    assert after.game.deals[0].trick.cards == (forced,)


async def test_what_cannot_be_saved_plays_itself_later_and_everybody_is_told(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    table = await house.start(*PEOPLE, rules=WITHOUT_PASS)
    await house.database.execute(
        "CREATE TRIGGER full BEFORE INSERT ON moves BEGIN SELECT RAISE(FAIL, ''); END"
    )
    await house.wait(FORCED_PLAYS)
    assert house.table.logged == table.logged
    assert f"the timer of table {table.id} failed" in caplog.text
    await house.database.execute("DROP TRIGGER full")
    await house.wait(RETRY_AFTER)
    assert house.told[-1].game.deals[0].trick.cards == (table.forced.card,)
