"""Seats: how strong computers in them are, how they change hands, and which are kept for guests."""

from dataclasses import replace
from random import Random

import pytest
from baretable import BareTable, started
from house import ANN, BO, CY, DI, LONG_GAME, House
from outside import bodies, edit

from engine.names import COMPUTERS, NOBODY
from engine.play.views import seat_view
from engine.players import Player, Strength, computer, random_move
from engine.players.advice import PERSON
from engine.players.manners import Manner
from engine.rules.ruleset import Ruleset
from engine.storage import privacy
from engine.storage.settings import TRACES_LEFT
from engine.tables import NoticeKind, Person, State, Table, Tables, changes, inviting
from engine.tables.live import Thought
from engine.tables.seats import FormerOccupant, Way

EASY, MEDIUM, STRONG = Strength


def computers(table: Table) -> list[Strength]:
    return [seat.strength for seat in table.seats if seat.person is None]


@pytest.mark.parametrize(
    ("opened", "added", "playing"),
    [
        ({}, [], [MEDIUM] * 3),
        ({"strength": STRONG}, [], [STRONG] * 3),
        ({}, [STRONG, EASY], [STRONG, EASY, EASY]),
    ],
)
def test_each_computer_has_its_own_and_the_last_one_says_what_fills_the_table(
    opened: dict[str, Strength], added: list[Strength], playing: list[Strength]
) -> None:
    table = BareTable(ANN, **opened)
    for strength in added:
        table.do(changes.add_computer, ANN.id, strength)
    before = table.start()
    assert computers(before) == playing
    rematch = changes.rematch(table.stop(), ANN)
    assert (rematch.seats, rematch.strength) == (before.seats, playing[-1])


def test_the_host_adds_changes_and_removes_computers_until_the_start() -> None:
    table = BareTable(ANN, BO)
    assert table.refusal(changes.remove_computer, ANN.id) == "no_computer"
    table.do(changes.add_computer, ANN.id, EASY)
    table.do(changes.add_computer, ANN.id, STRONG)
    by_guests = [(changes.add_computer, EASY), (changes.change_strength, EASY), (changes.remove_computer,)]
    for change, *arguments in by_guests:
        assert table.refusal(change, BO.id, *arguments) == "host_only"
    assert computers(table.do(changes.remove_computer, ANN.id)) == [EASY]
    assert computers(changes.start(table.value, ANN.id)) == [EASY, EASY]  # like the last one
    table.do(changes.join, CY)
    assert computers(table.do(changes.change_strength, ANN.id, STRONG)) == [STRONG]
    table.do(changes.leave_or_stay_out, CY.id)
    assert computers(table.start()) == [STRONG, STRONG]
    assert table.refusal(changes.change_strength, ANN.id, EASY) == "already_started"
    assert table.refusal(changes.remove_computer, ANN.id) == "already_started"


def test_computers_names_stay_apart_from_those_of_people_and_each_keeps_its_strength() -> None:
    table = BareTable(ANN, rules=LONG_GAME)
    table.do(changes.add_computer, ANN.id, STRONG)
    name = table.value.seats[1].name
    table.do(changes.add_computer, ANN.id, EASY)
    joined = table.do(changes.join, Person(3, name))
    assert computers(joined) == [STRONG, EASY]
    assert len({seat.name for seat in joined.seats}) == 4
    name = table.start().seats[1].name.upper()
    table.do(changes.take_seat, Person(4, name), 2)
    names = [seat.name for seat in table.play_deal().seats]
    assert names[2] == name
    assert len({name.casefold() for name in names}) == 4


def test_each_seat_is_played_by_its_strength_and_manner_and_medium_ones_for_who_is_away() -> None:
    asked = set()

    def seen(strength: Strength, manner: Manner | None) -> Player:
        asked.add((strength, manner))
        return computer(strength, manner)

    table = BareTable(ANN, BO, computer=seen)
    table.do(changes.add_computer, ANN.id, MEDIUM)
    table.do(changes.add_computer, ANN.id, EASY)
    table.start()
    _, bo, medium, easy = table.do(changes.leave_or_stay_out, BO.id).seats
    assert (bo.away, bo.strength, bo.manner, easy.manner) == (True, MEDIUM, None, None)
    assert asked == {(MEDIUM, None), (EASY, None), (MEDIUM, medium.manner)}


def test_seats_know_who_plays_like_a_regular_also_after_somebody_is_forgotten() -> None:
    table = BareTable(ANN, BO)
    table.do(changes.add_computer, ANN.id, STRONG)
    table.do(changes.add_computer, ANN.id, EASY)
    assert table.start().seats.skills == [PERSON, PERSON, 1.0, 0.0]
    assert table.do(changes.leave_or_stay_out, BO.id).seats.skills == [PERSON, 1.0, 1.0, 0.0]
    forgotten = table.do(changes.forget, BO.id)
    assert forgotten.notice.kind is NoticeKind.SEAT_GIVEN_UP
    assert computers(forgotten) == [EASY, STRONG, EASY]


ED, FLO = Person(5, "Ed"), Person(6, "Flo")
BO_BEFORE = FormerOccupant(1, BO.id, "Bo", since=1, until=1, deals_before_away=0)


def left_by_bo() -> BareTable:
    """A game of Ann's that Bo has left."""
    table = started(ANN, BO, rules=LONG_GAME)
    table.do(changes.leave_or_stay_out, BO.id)
    return table


def taken_from_bo() -> BareTable:
    """The second deal of that game, with Cy in Bo's seat."""
    table = left_by_bo()
    table.do(changes.take_seat, CY, 1)
    table.play_deal()
    return table


def test_a_computers_seat_is_the_takers_from_the_next_deal_on() -> None:
    table = started(ANN, rules=LONG_GAME)
    before = table.value.seats[2]
    wanted = table.do(changes.take_seat, CY, 2)
    assert wanted.notice.kind is NoticeKind.SEAT_WANTED
    assert (wanted.seats[2], wanted.free_seats) == (before, (1, 3))
    move = random_move(seat_view(wanted.game, 0), Random(1))  # thought of before the seat was wanted
    after = Thought(wanted, (move,)).on(wanted)
    assert (after.game, after.seat_claims) == (wanted.game.advance(move), wanted.seat_claims)
    taken = table.play_deal()
    assert taken.seat_claims == ()
    assert (taken.seats[2].person, taken.seats[2].name, taken.seats[2].since) == (CY.id, "Cy", 2)
    assert taken.former_occupants == (FormerOccupant(2, NOBODY, before.name, since=1, until=1),)
    assert taken.as_in(1).seats[2].name == before.name
    assert taken.as_in(2) is taken
    assert 2 in taken.awaited
    assert (taken.seat_in(CY.id, 1), taken.seat_in(CY.id, 2)) == (None, 2)
    assert not taken.seats.are_for_one


def test_who_had_left_a_seat_that_is_taken_has_left_for_good() -> None:
    table = left_by_bo()
    assert table.do(changes.take_seat, CY, 1).seat_of(BO.id) == 1
    taken = table.play_deal()
    assert (taken.seats[1].person, taken.seats[1].since) == (CY.id, 2)
    assert taken.former_occupants == (BO_BEFORE,)
    assert (taken.seat_of(BO.id), taken.seat_in(BO.id, 1)) == (None, 1)
    assert [taken.concerns(person.id) for person in (ANN, BO, CY, DI)] == [True, True, True, False]
    assert table.refusal(changes.join, BO) == "seat_lost"
    table.do(changes.take_seat, BO, 2)
    back = table.play_deal()
    assert (back.seat_of(BO.id), back.seat_in(BO.id, 1), back.seat_in(BO.id, 2)) == (2, 1, None)


def test_who_comes_back_in_time_keeps_the_seat() -> None:
    table = left_by_bo()
    table.do(changes.take_seat, CY, 1)
    assert table.do(changes.join, BO).notice.kind is NoticeKind.BACK_IN_TIME
    kept = table.play_deal()
    assert (kept.seats[1].person, kept.seats[1].since, kept.former_occupants) == (BO.id, 1, ())
    assert kept.seat_of(CY.id) is None


def test_what_cannot_be_taken() -> None:
    assert BareTable(DI).refusal(changes.take_seat, CY, 1) == "not_started"
    table = started(ANN, BO, rules=LONG_GAME)
    assert table.refusal(changes.take_seat, ANN, 2) == "already_seated"
    assert table.refusal(changes.take_seat, CY, 1) == "seat_taken"
    assert table.refusal(changes.take_seat, CY, 17) == "seat_taken"
    table.do(changes.leave_or_stay_out, BO.id)
    assert table.refusal(changes.take_seat, BO, 2) == "away"
    table.do(changes.take_seat, CY, 2)
    assert table.refusal(changes.take_seat, CY, 3) == "already_taking"
    assert table.refusal(changes.take_seat, DI, 2) == "seat_taken"
    table.do(changes.take_seat, DI, 1)
    table.do(changes.take_seat, ED, 3)
    assert table.refusal(changes.take_seat, FLO, 3) == "no_free_seat"


def test_a_claim_is_taken_back_and_the_host_closes_the_seats_and_opens_them_again() -> None:
    table = started(ANN, BO, rules=LONG_GAME)
    table.do(changes.take_seat, CY, 2)
    free = table.do(changes.leave_or_stay_out, CY.id)
    assert (free.seat_claims, free.notice.kind) == ((), NoticeKind.SEAT_FREE)
    assert table.refusal(changes.leave_or_stay_out, CY.id) == "not_seated"
    table.do(changes.take_seat, CY, 2)
    assert table.refusal(changes.change_latecomers, BO.id, welcome=False) == "host_only"
    closed = table.do(changes.change_latecomers, ANN.id, welcome=False)
    assert (closed.seat_claims, closed.free_seats, closed.notice.kind) == ((), (), NoticeKind.SEATS_CLOSED)
    assert table.refusal(changes.take_seat, CY, 2) == "no_latecomers"
    opened = table.do(changes.change_latecomers, ANN.id, welcome=True)
    assert opened.notice.kind is NoticeKind.SEATS_OPENED
    assert table.do(changes.take_seat, CY, 2).seat_claims


def test_a_game_that_all_have_left_goes_on_for_who_wants_in() -> None:
    table = left_by_bo()
    deserted = table.do(changes.leave_or_stay_out, ANN.id)
    assert not deserted.has_people
    assert deserted.free_seats == (2, 3)  # who has left could not come back before the next deal
    taken = table.do(changes.take_seat, CY, 2)
    assert len(taken.game.deals) == 2  # the computers have played the first to its end
    assert (taken.seats[2].person, taken.host) == (CY.id, CY.id)
    assert (taken.awaited, taken.free_seats) == ((2,), (0, 1, 3))
    assert table.refusal(changes.make_way, DI.id) == "table_in_channel"
    assert table.do(changes.join, ANN).seats[0].is_played_by_person
    full = started(ANN, BO, CY, DI, rules=LONG_GAME)
    for person in (ANN, BO, CY, DI):
        full.do(changes.leave_or_stay_out, person.id)
    taken = full.do(changes.take_seat, ED, 3)  # there are no computers' seats
    assert [(one.seat, one.name) for one in taken.former_occupants] == [(3, "Di")]
    assert taken.awaited == (3,)


def test_with_the_games_last_deal_nobody_takes_a_seat() -> None:
    table = started(ANN, rules=Ruleset.of("classic", 4, {"ends_at": 1}))
    table.do(changes.take_seat, CY, 2)
    over = table.play_deal()
    assert (over.state, over.seats[2].person) == (State.OVER, None)
    rematch = changes.rematch(over, ANN)
    assert (rematch.seat_claims, rematch.seat_of(CY.id)) == ((), None)


def test_a_rematch_keeps_who_sits_there_now_from_its_first_deal() -> None:
    table = taken_from_bo()
    table.stop()
    assert table.refusal(changes.rematch, BO) == "no_rematch"
    rematch = changes.rematch(table.value, CY)
    assert [seat.person for seat in rematch.seats if seat.person] == [ANN.id, CY.id]
    assert {seat.since for seat in rematch.seats} == {1}


def led_by_bo(table: Table) -> Table:
    """Ann names Bo for the first lead."""
    return changes.name_first(table, ANN.id, BO.id)


@pytest.mark.parametrize("has_left", [True, False])
def test_a_rematch_is_led_by_who_was_named_for_it_if_they_are_there(has_left: bool) -> None:
    table = BareTable(ANN, BO, rules=Ruleset.of("chinese", 4))
    table.do(led_by_bo)
    table.start()
    if has_left:
        table.do(changes.leave_or_stay_out, BO.id)
    assert changes.rematch(table.stop(), ANN).first == (None if has_left else BO.id)


def test_who_is_forgotten_wants_nothing_and_has_lost_nothing() -> None:
    table = taken_from_bo()
    table.do(changes.take_seat, DI, 2)
    table.do(changes.forget, DI.id)
    forgotten = table.do(changes.forget, BO.id)
    [before] = forgotten.former_occupants  # the deal is not held against Cy, who has the seat now
    assert (before.seat, before.person, before.until, forgotten.seat_claims) == (1, NOBODY, 1, ())
    assert before.name in set(COMPUTERS) - {seat.name for seat in forgotten.seats}
    assert forgotten.as_in(1).seats[1].person is None


def test_forgetting_a_former_player_keeps_the_others() -> None:
    left = [FormerOccupant(seat, one.id, one.name, 1, 1) for seat, one in ((1, BO), (2, CY))]
    table = replace(started(ANN).value, former_occupants=tuple(left))
    assert [one.person for one in changes.forget(table, BO.id).former_occupants] == [NOBODY, CY.id]


def test_of_each_deal_it_is_known_who_had_the_seat_although_the_next_is_forgotten() -> None:
    table = taken_from_bo()
    name = table.do(changes.forget, CY.id).seats[1].name
    table.do(changes.take_seat, DI, 1)
    third = table.play_deal()
    assert [third.as_in(deal).seats[1].name for deal in (1, 2, 3)] == ["Bo", name, "Di"]


def test_who_has_lost_a_seat_had_it_in_their_own_deals_alone() -> None:
    left = (
        FormerOccupant(1, BO.id, "Bo", since=1, until=1),
        FormerOccupant(1, CY.id, "Cy", since=2, until=2),
    )
    table = replace(started(ANN).value, former_occupants=left)
    assert [table.seat_in(one.id, deal) for one in (BO, CY) for deal in (1, 2)] == [1, None, None, 1]


async def test_a_name_that_leaves_a_table_leaves_traces_that_are_known_of(house: House) -> None:
    table = await house.seat(ANN, BO, rules=Ruleset.of("chinese", 4))
    await house.tables.change(table.id, led_by_bo)
    await house.tables.change(table.id, changes.start, ANN.id)
    for person, seat in ((CY, 2), (DI, 3)):
        await house.tables.take_seat(table.id, person, seat)
    count = "SELECT COUNT(*) FROM settings WHERE name = ?"
    assert await house.database.read(count, (TRACES_LEFT,)) == [(0,)]
    assert await house.tables.forget(DI.id)
    assert await house.database.read(count, (TRACES_LEFT,)) == [(1,)]
    await house.tables.change(table.id, changes.leave_or_stay_out, BO.id)
    edit(house.path, "UPDATE moves SET move = 'QS'")
    assert await Tables(house.database).resume() == []
    for person in (BO, CY):
        await privacy.delete(house.database, person.id, person.name, [Tables.stored])
    [stored] = bodies(house.path)
    assert (stored["first"], stored["seat_claims"]) == (None, [])
    assert (stored["seats"][1]["person"], stored["seats"][1]["away"]) == (None, False)


# People who are asked to a table: kept seats, and messages that are sent once


def kept(table: Table) -> list[int]:
    return [one.person for one in table.kept]


def test_a_seat_is_kept_until_its_guest_sits_down_or_time_is_up() -> None:
    table = BareTable(ANN)
    table.do(inviting.invite, ANN.id, [BO, CY, DI], 100.0)
    assert kept(table.value) == [BO.id, CY.id, DI.id]
    assert table.refusal(inviting.arrived, ED.id) == "seats_kept"
    table.do(inviting.arrived, CY.id)
    assert kept(table.value) == [BO.id, DI.id]
    table.do(inviting.shifted, 50.0)
    due = 100.0 + inviting.SEAT_KEPT + 50.0
    assert [inviting.is_due(table.value, now) for now in (due - 1, due)] == [False, True]
    assert kept(inviting.released(table.value, due - 1)) == [BO.id, DI.id]
    assert kept(inviting.released(table.value, due)) == kept(inviting.released(table.value)) == []


def test_each_guest_is_asked_once_and_numbers_grow() -> None:
    table = BareTable(ANN)
    table.do(inviting.invite, ANN.id, [CY, BO], 100.9)
    table.do(inviting.call, ANN.id, [(BO, Way.DM), (DI, Way.DM)], 50.0)
    asked = [(one.person, one.number, one.kept_until) for one in table.value.invitations]
    assert asked == [(BO.id, 100, 700.9), (CY.id, 100, 700.9), (DI.id, 101, None)]
    assert table.refusal(inviting.invite, ANN.id, [DI], 0.0) == "already_asked"
    assert table.refusal(inviting.invite, ANN.id, [ED, BO], 0.0) == "too_many_invited"
    assert table.refusal(inviting.call, BO.id, [], 0.0) == "not_seated"
    table.do(inviting.arrived, BO.id)
    table.do(changes.join, BO)
    assert table.refusal(inviting.call, BO.id, [], 0.0) == "host_only"


def test_a_message_is_begun_once_and_again_only_if_it_was_not_sent() -> None:
    table = BareTable(ANN)
    table.do(inviting.invite, ANN.id, [CY], 0.0)
    table.do(inviting.call, ANN.id, [(BO, Way.DM), (DI, Way.MENTION)], 0.0)
    for person in (CY, DI, ED):  # asked in the channel, or not at all
        assert table.refusal(inviting.begin_dm, person.id) == "stale"
        assert inviting.put_off_dm(table.value, person.id) is table.value
    table.do(inviting.begin_dm, BO.id)
    assert table.refusal(inviting.begin_dm, BO.id) == "stale"
    table.do(inviting.put_off_dm, BO.id)
    table.do(changes.join, DI)
    table.do(inviting.begin_dm, BO.id)
    table.do(inviting.put_off_dm, BO.id)
    table.do(inviting.released)
    for person in (CY, ED):
        table.do(changes.join, person)
    assert table.refusal(inviting.begin_dm, BO.id) == "stale"  # no seat is left


def test_no_trace_of_a_guest_or_an_inviter_stays() -> None:
    table = BareTable(ANN)
    table.do(inviting.invite, ANN.id, [BO, CY], 0.0)
    forgotten = inviting.forget(inviting.forget(table.value, BO.id), ANN.id)
    assert [(one.person, one.inviter) for one in forgotten.invitations] == [(CY.id, NOBODY)]
    assert inviting.forget(forgotten, BO.id) is forgotten


def test_only_a_lobby_with_room_is_worth_an_invitation() -> None:
    assert started(ANN).refusal(inviting.check_may_invite, ANN.id) == "already_started"
    full = BareTable(ANN, BO, CY, DI)
    assert full.refusal(inviting.check_may_invite, ANN.id) == "nothing_to_invite_to"
