"""Which cards play themselves, in every game, and when they must not."""

from __future__ import annotations

import asyncio
from random import Random

import pytest
from by_chance import TABLES

from engine.play.deal import Phase
from engine.play.game import Game, shuffle
from engine.play.views import seat_view
from engine.players import random_move
from engine.rules.ruleset import Ruleset
from engine.storage.database import Database
from engine.tables import (
    Forced,
    Person,
    Preference,
    Preferences,
    Seat,
    Seats,
    State,
    Table,
    Tables,
    changes,
    flow,
)
from engine.tables.flow import forced_card

ANN, BO = Person(1, "Ann"), Person(2, "Bo")
WITHOUT_PASS = Ruleset.of("classic", 4, {"pass_cards": 0, "ends_at": 500})


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow, "FORCED_PLAYS", 0.01)


def table_of(game: Game) -> Table:
    seats = Seats(Seat(seat + 1, f"Player {seat}") for seat in range(game.rules.players))
    return Table(
        id=1, guild=1, channel=1, host=1, rules=game.rules, state=State.PLAYING, seats=seats, game=game
    )


@pytest.mark.parametrize(("preset", "players"), TABLES)
async def test_by_default_what_everybody_knows_and_for_who_wants_it_each_only_face(
    database: Database, preset: str, players: int
) -> None:
    usual, quick = Preferences(database), Preferences(database)
    for person in range(1, players + 1):
        await quick.put(person, Preference(forced=Forced.EVERY))
    rng = Random(players)
    game = Game(Ruleset.of(preset, players))
    game = game.advance(shuffle(game, rng))
    seen = set()
    while (deal := game.deal) and not game.history:
        table, seat = table_of(game), deal.waiting_for[0]
        view = seat_view(game, seat)
        by_default, always = forced_card(table, usual.of), forced_card(table, quick.of)
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


async def test_two_copies_of_a_card_are_no_choice(database: Database) -> None:
    rules = Ruleset.of("double-deck", 6)
    rng = Random(1)
    for _ in range(200):
        game = Game(rules)
        game = game.advance(shuffle(game, rng))
        while (deal := game.deal) and deal.phase is not Phase.PLAYING:
            game = game.advance(random_move(seat_view(game, deal.waiting_for[0]), rng))
        assert deal is not None
        legal = deal.legal(deal.waiting_for[0])
        if len(legal) == 2:
            assert forced_card(table_of(game), Preferences(database).of) is legal[0] is legal[1]
            return
    pytest.fail("nobody was dealt both copies of the card that leads")


async def opened(tables: Tables) -> Table:
    """Ann and Bo with two computers; one of the two leads."""
    while True:
        table = await tables.open(1, 1, ANN, WITHOUT_PASS)
        await tables.join(table.id, BO)
        table = await tables.change(table.id, changes.start, ANN.id)
        assert table.game is not None
        if len(table.game.deals[0].trick.cards) == 0:
            return table
        await tables.change(table.id, changes.stop, ANN.id, may_manage=True)


async def until_played(tables: Tables, table: Table) -> Table:
    async with asyncio.timeout(5):
        while (now := tables.get(table.id)).logged == table.logged:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
    return now


async def test_a_card_plays_itself_and_everybody_is_told(database: Database, soon: None) -> None:
    told: list[Table] = []
    tables = Tables(database, told.append, rng=Random(1))
    table = await opened(tables)
    assert table.forced is not None
    assert table.awaited
    after = await until_played(tables, table)
    assert after.game is not None
    assert table.forced.card in after.game.deals[0].trick.cards
    assert told[-1] is after


async def test_at_a_paused_table_nothing_plays_itself_until_it_goes_on(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = Tables(database, rng=Random(1))
    table = await opened(tables)
    monkeypatch.setattr(flow, "FORCED_PLAYS", 0.01)
    table = await tables.change(table.id, changes.pause)
    assert table.forced is None
    await asyncio.sleep(0.05)
    assert tables.get(table.id).logged == table.logged
    await tables.change(table.id, changes.unpause)
    await until_played(tables, table)


async def test_for_who_has_left_a_computer_has_played_at_once(database: Database) -> None:
    tables = Tables(database, rng=Random(1))
    table = await opened(tables)
    [seat] = table.awaited
    person = table.seats[seat].person
    assert person is not None
    after = await tables.change(table.id, changes.leave_or_stay_out, person)
    assert after.logged > table.logged
    assert after.forced is None or after.awaited != (seat,)


async def test_what_cannot_be_saved_plays_itself_later(
    database: Database, soon: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("engine.tables.keeper.RETRY_AFTER", 0.02)
    tables = Tables(database, rng=Random(1))
    table = await opened(tables)
    await database.execute("CREATE TRIGGER full BEFORE INSERT ON moves BEGIN SELECT RAISE(FAIL, ''); END")
    await asyncio.sleep(0.05)
    assert tables.get(table.id).logged == table.logged
    await database.execute("DROP TRIGGER full")
    await until_played(tables, table)
