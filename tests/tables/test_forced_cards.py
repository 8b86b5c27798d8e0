"""Which cards play themselves, in every game, and when they must not."""

from __future__ import annotations

from random import Random

import pytest
from baretable import BareTable
from by_chance import TABLES
from house import PEOPLE, House

from engine.play.deal import Phase
from engine.play.game import Game, shuffle
from engine.play.views import seat_view
from engine.players import random_move
from engine.rules.ruleset import Ruleset
from engine.tables import Forced, Preference, Seat, Seats, State, Table, changes
from engine.tables.flow import FORCED_PLAYS, forced_card
from engine.tables.keeper import RETRY_AFTER

WITHOUT_PASS = Ruleset.of("classic", 4, {"pass_cards": 0, "ends_at": 500})


def usual(person: int) -> Preference:
    return Preference()


def quick(person: int) -> Preference:
    return Preference(forced=Forced.EVERY)


def table_of(game: Game) -> Table:
    seats = Seats(Seat(seat + 1, f"Player {seat}") for seat in range(game.rules.players))
    return Table(
        id=1, guild=1, channel=1, host=1, rules=game.rules, state=State.PLAYING, seats=seats, game=game
    )


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_by_default_what_everybody_knows_and_for_who_wants_it_each_only_face(
    preset: str, players: int
) -> None:
    rng = Random(players)
    game = Game(Ruleset.of(preset, players))
    game = game.advance(shuffle(game, rng))
    seen = set()
    while (deal := game.deal) and not game.history:
        table, seat = table_of(game), deal.waiting_for[0]
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
    rules = Ruleset.of("double-deck", 6)
    rng = Random(1)
    for _ in range(200):
        game = Game(rules)
        game = game.advance(shuffle(game, rng))
        while game.deal.phase is not Phase.PLAYING:
            game = game.advance(random_move(seat_view(game, game.deal.waiting_for[0]), rng))
        legal = game.deal.legal(game.deal.turn)
        if len(legal) == 2:
            assert forced_card(table_of(game), usual) is legal[0] is legal[1]
            return
    pytest.fail("nobody was dealt both copies of the card that leads")


def test_a_card_plays_itself_but_not_at_a_paused_table_until_it_goes_on() -> None:
    table = BareTable(*PEOPLE, rules=WITHOUT_PASS)
    card = table.start().forced.card
    table.do(changes.pause)
    assert table.wait(2 * FORCED_PLAYS).game.deals[0].trick.cards == ()
    table.do(changes.unpause)
    assert table.wait(FORCED_PLAYS - 0.01).game.deals[0].trick.cards == ()
    assert table.wait(0.01).game.deals[0].trick.cards == (card,)


def test_for_who_has_left_a_computer_has_played_at_once() -> None:
    table = BareTable(*PEOPLE, rules=WITHOUT_PASS)
    before = table.start()
    [seat] = before.awaited
    after = table.do(changes.leave_or_stay_out, PEOPLE[seat].id)
    assert after.game.deals[0].trick.cards == (before.forced.card,)


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
