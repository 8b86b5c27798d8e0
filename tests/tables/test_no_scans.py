"""No statement that somebody waits for reads through a whole table that grows with every game."""

import json
import re
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Self

import house as houses
import pytest
from by_chance import played
from house import LONG_GAME, play_on

from engine.errors import Refusal
from engine.languages import by_code
from engine.play.par import Par
from engine.play.record import write_record
from engine.rules.ruleset import Ruleset
from engine.storage import dm_channels, house_rules, privacy, standings
from engine.storage.call_wishes import CallWay, CallWish, due_wishes, find_wish, note_told, put_wish
from engine.storage.daily import daily_career, first_post, note_seen, put_morning_channel, put_morning_post
from engine.storage.invitations import invited_by, last_call_by, times_invited
from engine.storage.message_ids import TABLES, TOURNAMENTS, MessageIds
from engine.storage.moderation import block
from engine.storage.pars import put_day_par
from engine.storage.privacy import export_person
from engine.storage.results import GameKind, achievements_of, note_achievements
from engine.storage.servers import ServerSettings, put_server_settings, server_settings
from engine.storage.settings import server_language
from engine.storage.standings import Board, Order, Period, board_page
from engine.storage.threads import TableThread, every_thread, put_thread
from engine.tables import (
    Calls,
    Moment,
    Person,
    Preference,
    Table,
    Tables,
    changes,
    inviting,
    voting,
)
from engine.tables.days import start_of_day
from engine.tournaments import Round, RoundTable, Terms, Tournament, Tournaments

pytestmark = pytest.mark.slow

#: Tables that stay small. All others grow with each game, person or server.
SMALL = {"blocked", "day_pars", "deleted_players", "handed_in", "sqlite_sequence", "threads"}
#: Indexes of what is going on alone, however many games are over.
LIVE = {"one_live_table_a_channel", "tables_unseen"}
GUILD, CHANNEL, TODAY = 1, 1, "2026-11-21"
SHORT = Ruleset.of("classic", 4, {"ends_at": 1})
KIND = GameKind("classic", lowest=True)
ANN, BO, CY, DI, ED = [Person(number, f"P{number}", "de") for number in range(1, 6)]
PAR = Par((6.5, 6.5, 6.5, 6.5), (0.5, 0.5, 0.5, 0.5), 40)
#: A table that has ended, and one that goes on.
ENDED, GOING_ON = 1, 2


class Noted(sqlite3.Connection):
    """Notes each statement with its values."""

    statements: ClassVar[dict[str, Any]] = {}

    def execute(self, statement: str, values: Any = (), /) -> sqlite3.Cursor:
        self.statements.setdefault(statement, values)
        return super().execute(statement, values)

    def executemany(self, statement: str, rows: Any, /) -> sqlite3.Cursor:
        rows = list(rows)
        if rows:
            self.statements.setdefault(statement, rows[0])
        return super().executemany(statement, rows)


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Each statement from now on, with its values."""
    connect = sqlite3.connect
    monkeypatch.setattr(Noted, "statements", {})
    monkeypatch.setattr(sqlite3, "connect", lambda *given, **named: connect(*given, **named, factory=Noted))
    return Noted.statements


class House(houses.House):
    """A server with something of everything that is stored, at noon."""

    async def open(self) -> Self:
        self.now = start_of_day(TODAY) + 12 * 60 * 60
        await super().open()
        self.tournaments = Tournaments(self.tables, self.database, self._place, rng=Random(6))
        await self.tournaments.resume()
        return self

    async def _place(self, tournament: Tournament, round: Round, table: RoundTable) -> int:
        return 10_000 * tournament.id + 100 * round.number + table.number

    async def close(self) -> None:
        await self.tournaments.close()
        await super().close()

    async def play(self, table: Table, until: Callable[[Table], bool] = lambda table: False) -> Table:
        return await play_on(self.tables, table, Random(3), until)

    async def play_games(self) -> None:
        await self.play(await self.start(ANN, BO, rules=SHORT))
        for one in (ANN, BO):
            note = partial(note_achievements, table=ENDED, guild=GUILD, person=one.id, ids=["moon"])
            await self.database.write(note)
        table = await self.seat(ANN, BO, CY, rules=LONG_GAME, channel=2)
        await self.tables.change(table.id, inviting.invite, ANN.id, [ED], self.tables.now)
        await self.tables.change(table.id, changes.start, ANN.id)
        # The fourth sits where the third was, and the fifth wants the second's seat.
        await self.tables.change(table.id, changes.leave_or_stay_out, CY.id)
        table = await self.tables.take_seat(table.id, DI, 2)
        await self.play(table, lambda table: not table.seat_claims)
        await self.tables.change(table.id, changes.leave_or_stay_out, BO.id)
        await self.tables.take_seat(table.id, ED, 1)
        await self.tables.change(table.id, changes.pick, ANN.id, 0, Moment(2), is_picked=True)
        for id in (ENDED, GOING_ON):
            await self.tables.put_par(id, 1, PAR)
        await put_day_par(self.database, TODAY, 1, PAR)
        for person, deals in ((ANN, 3), (BO, 1)):
            table = await self.daily.play(person, GUILD, 3)
            await self.play(table, lambda table, deals=deals: len(table.game.deals) > deals)

    async def hold_tournaments(self) -> None:
        """One that is over, and one that is being played."""
        over = await self.play(await self._begin_tournament())
        await self.tables.put_par(over.id, 1, PAR)
        await self.settle()
        await self._begin_tournament()

    async def _begin_tournament(self) -> Table:
        """The table of its first round."""
        id = (await self.tournaments.open(GUILD, 6, ANN, Terms(SHORT, rounds=1, deals=1))).id
        await MessageIds(self.database, TOURNAMENTS).put(id, "signup", 6, 5)
        for person in (CY, BO, ED):
            await self.tournaments.sign_up(id, person)
        await self.tournaments.start(id, ANN.id, may_manage=False)
        await self.settle()
        [table] = [one for one in self.tables.live if one.tournament]
        return table

    async def store_the_rest(self) -> None:
        database = self.database
        await house_rules.save(database, GUILD, "quick", LONG_GAME, ANN.id, may_manage=False)
        await self.tables.prefer(ANN.id, Preference(Calls.NEVER, language=by_code("fr")))
        await put_server_settings(database, GUILD, ServerSettings(in_threads=True), by_code("zh"))
        await put_thread(database, TableThread(CHANNEL, GUILD, 9, ENDED))
        for table in (ENDED, GOING_ON):
            await MessageIds(database, TABLES).put(table, "hand:1", 9, 5)
        await dm_channels.put(database, ANN.id, 9)
        await put_wish(database, CallWish(GUILD, ANN.id, CallWay.DM, 6, 22, 8))
        await note_told(database, GUILD, [ANN.id], self.now)
        await put_morning_channel(database, GUILD, 9)
        await put_morning_post(database, TODAY, GUILD, 9, 6)
        await privacy.begin(database, ANN.id, ANN.name)
        await block(database, ANN.id)
        await database.write(lambda connection: note_seen(connection, TODAY, ANN.id))
        file = json.dumps(write_record(played("classic", 4), ["Zoe", "Yan", "Xu", "Wim"])).encode()
        await self.replays.hand_in(ANN.id, file, None)

    def questions(self) -> list[Awaitable[Any]]:
        """Whatever somebody may ask for."""
        database, games, now = self.database, self.tables.games, self.now
        boards = [Board(KIND, True, order, period) for order in Order for period in Period]
        return [
            games.latest(CHANNEL),
            games.latest(2),
            games.done_deal(ENDED, 1),
            games.done_deal(GOING_ON, 1),
            self.replays.latest(CHANNEL),
            self.replays.of_file(1, ANN.id),
            *[board_page(database, GUILD, board, now, ANN.id, first=0, count=10) for board in boards],
            standings.boards_of(database, GUILD),
            house_rules.every(database, GUILD),
            house_rules.find(database, GUILD, "quick"),
            house_rules.author(database, GUILD, "quick"),
            MessageIds(database, TABLES).find(ENDED, "hand:1"),
            MessageIds(database, TOURNAMENTS).find(1, "signup"),
            find_wish(database, GUILD, ANN.id),
            due_wishes(database, GUILD, now + 10**6),
            invited_by(database, ANN.id, 0.0),
            times_invited(database, ED.id, 0.0),
            last_call_by(database, ANN.id),
            dm_channels.find(database, ANN.id),
            server_language(database, GUILD),
            server_settings(database, GUILD),
            every_thread(database),
            first_post(database, TODAY, GUILD),
            self.daily.tend(),
            self.daily.ranking(TODAY, ANN.id, GUILD),
            self.tournaments.find(1),
            self.tournaments.record(1),
            self.tournaments.season(GUILD, 20264),
            self.tournaments.season(GUILD, None),
            standings.kinds_played(database, GUILD, ANN.id),
            daily_career(database, GUILD, ANN.id, TODAY),
            standings.newest_name(database, GUILD, ANN.id, KIND),
            standings.tally_of(database, GUILD, ANN.id, KIND, ranked=True),
            standings.rating_curve(database, GUILD, ANN.id, KIND, 1),
            standings.rivalries(database, GUILD, ANN.id, BO.id),
            achievements_of(database, GUILD, ANN.id),
            export_person(database, ANN.id, [Tables.stored, Tournaments.stored]),
        ]

    async def tidy_up(self) -> None:
        await self.replays.drop_old_files()
        await self.tables.drop_unplayed()
        messages = MessageIds(self.database, TABLES)
        await messages.rename(ENDED, "hand:1", "hand:2")
        await messages.drop(ENDED, "hand:2")
        await messages.put_fingerprints([(GOING_ON, "hand:1", "abc")])
        vote = (await self.tables.end(GOING_ON, ANN.id)).vote
        await self.tables.change(GOING_ON, voting.answer, DI.id, vote.number, agrees=True)
        for person in (ANN, BO):
            await self.tables.forget(person.id)
            await self.tournaments.forget(person.id)
            await privacy.delete(self.database, person.id, person.name, [Tables.stored, Tournaments.stored])


async def test_nothing_that_somebody_waits_for_scans_what_grows(
    path: Path, statements: dict[str, Any]
) -> None:
    house = await House(path).open()
    statements.clear()  # a start may take its time
    for fill in (house.play_games, house.store_the_rest, house.hold_tournaments):
        await fill()
        for question in house.questions():
            with suppress(Refusal):
                await question
    await house.tidy_up()
    await house.close()
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        growing = {name for (name,) in names} - SMALL
        for table in growing - {"daily_channels"}:  # read through once a day, and nobody waits for that
            assert any(re.search(rf"FROM {table}\b", one) for one in statements), table
        found = list(scans(connection, growing, dict(statements)))
    assert not found, "\n".join(found)


def scans(connection: sqlite3.Connection, growing: set[str], statements: dict[str, Any]) -> Iterator[str]:
    """Steps that read through one of these tables, with their statements."""
    for statement, values in statements.items():
        if re.match(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b", statement):
            aliases = {alias: table for table, alias in re.findall(r"(\w+) AS (\w+)", statement)}
            for *_, detail in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values):
                step, name, *how = detail.split()
                # A search without a condition, as for the largest id, begins at one end and goes on.
                scanned = step == "SCAN" or (step == "SEARCH" and "(" not in detail)
                if scanned and aliases.get(name, name) in growing and not LIVE & {*how}:
                    yield f"{detail}: {' '.join(statement.split())}"
