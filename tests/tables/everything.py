"""Something of everything that is stored, for two servers that have nothing to do with each other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from acting import play_on
from by_chance import played

from engine.errors import Refusal
from engine.languages import by_code
from engine.play.par import Par
from engine.play.record import write_record
from engine.rules.ruleset import Ruleset
from engine.storage import dm_channels, house_rules, privacy
from engine.storage.call_wishes import CallWay, CallWish, due_wishes, find_wish, note_told, put_wish
from engine.storage.daily import daily_career, first_post, note_seen, put_morning_channel, put_morning_post
from engine.storage.database import Database
from engine.storage.invitations import invited_by, last_call_by, times_invited
from engine.storage.message_ids import TABLES, TOURNAMENTS, MessageIds
from engine.storage.moderation import block
from engine.storage.pars import put_day_par
from engine.storage.privacy import export_person
from engine.storage.results import GameKind, achievements_of, note_achievements
from engine.storage.servers import ServerSettings, put_server_settings, server_settings
from engine.storage.settings import server_language
from engine.storage.standings import (
    Board,
    Order,
    Period,
    board_page,
    boards_of,
    kinds_played,
    newest_name,
    rating_curve,
    rivalries,
    tally_of,
)
from engine.storage.threads import TableThread, every_thread, put_thread
from engine.tables import (
    Calls,
    DailyDeals,
    Moment,
    Person,
    Preference,
    Replays,
    Table,
    Tables,
    changes,
    inviting,
    voting,
)
from engine.tables.days import start_of_day
from engine.tournaments import Round, RoundTable, Terms, Tournament, Tournaments

TODAY = "2026-11-21"
SHORT, LONG = (Ruleset.of("classic", 4, {"ends_at": most}) for most in (1, 500))
KIND = GameKind("classic", lowest=True)


@dataclass(frozen=True)
class Party:
    """A server, its channels and its people; `first` is the id of the first of its four tables."""

    guild: int
    first: int

    def __getitem__(self, number: int) -> Person:
        return Person(self.guild * 10**8 + number, f"P{self.guild * 10**8 + number}", "de")

    def channel(self, number: int) -> int:
        return self.guild * 100 + number

    @property
    def tables(self) -> tuple[int, ...]:
        """A game that has ended, one going on, a daily game that has ended and one going on."""
        return tuple(range(self.first, self.first + 4))


PARTIES = Party(7, first=1), Party(8, first=5)


class House:
    """The service upon a database, at noon."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.tables = Tables(database, rng=Random(4), clock=self.clock)
        self.daily = DailyDeals(self.tables, database, self.clock)
        self.replays = Replays(self.tables, database, self.clock)
        self.tournaments = Tournaments(self.tables, database, self._place, rng=Random(6))

    def clock(self) -> float:
        return start_of_day(TODAY) + 12 * 60 * 60

    @staticmethod
    async def open(path: Path) -> House:
        house = House(await Database.open(path))
        await house.tables.resume()
        await house.tournaments.resume()
        return house

    async def _place(self, tournament: Tournament, round: Round, table: RoundTable) -> int:
        return 10_000 * tournament.id + 100 * round.number + table.number

    async def close(self) -> None:
        await self.tournaments.close()
        await self.tables.close()
        await self.database.close()

    # What is stored

    async def move_in(self, party: Party) -> None:
        ended = await self._start(party, 1, SHORT, 1, 2)
        await self._play(ended, lambda table: False)
        award = [("moon", party[1].id), ("clean", party[2].id)]
        for id, person in award:
            await self.database.write(
                lambda connection, id=id, person=person: note_achievements(
                    connection, ended.id, party.guild, person, [id]
                )
            )
        going_on = await self._start(party, 2, LONG, 1, 2, 3)
        await self._change_seats(going_on, party)
        par = Par((6.5, 6.5, 6.5, 6.5), (0.5, 0.5, 0.5, 0.5), 40)
        for table in (ended, going_on):
            await self.tables.put_par(table.id, 1, par)
        await put_day_par(self.database, TODAY, 1, par)
        for number, until in ((1, 3), (2, 1)):
            table = await self.daily.play(party[number], party.guild, party.channel(3))
            await self._play(table, lambda table, until=until: len(table.game.deals) > until)
            assert table.id in party.tables
        await self._put_others(party)

    async def _start(self, party: Party, channel: int, rules: Ruleset, *people: int) -> Table:
        host, *others = (party[number] for number in people)
        table = await self.tables.open(party.guild, party.channel(channel), host, rules)
        for person in others:
            await self.tables.join(table.id, person)
        if len(others) < rules.players - 1:
            await self.tables.change(table.id, inviting.invite, host.id, [party[5]], self.tables.now)
        return await self.tables.change(table.id, changes.start, host.id)

    async def _play(self, table: Table, until: Callable[[Table], bool]) -> Table:
        return await play_on(self.tables, table, Random(3), until)

    async def _change_seats(self, table: Table, party: Party) -> None:
        """The fourth sits where the third was, and the fifth wants the second's seat."""
        await self.tables.change(table.id, changes.leave_or_stay_out, party[3].id)
        table = await self.tables.take_seat(table.id, party[4], 2)
        await self._play(table, lambda table: not table.seat_claims)
        await self.tables.change(table.id, changes.leave_or_stay_out, party[2].id)
        await self.tables.take_seat(table.id, party[5], 1)
        await self.tables.change(table.id, changes.pick, party[1].id, 0, Moment(2), is_picked=True)

    async def _put_others(self, party: Party) -> None:
        database, ann, channel = self.database, party[1], party.channel(9)
        for name in ("quick", "slow"):
            await house_rules.save(database, party.guild, name, LONG, ann.id, may_manage=False)
        await self.tables.prefer(
            ann.id, Preference(Calls.NEVER, language=by_code("fr"), zone="Europe/Berlin")
        )
        await put_server_settings(database, party.guild, ServerSettings(in_threads=True), by_code("zh"))
        thread = TableThread(party.channel(1), party.guild, party.channel(9), party.tables[0])
        await put_thread(database, thread)
        for table in party.tables[:2]:
            await MessageIds(database, TABLES).put(table, f"hand:{ann.id}", channel, 5)
        await dm_channels.put(database, ann.id, channel)
        await put_wish(database, CallWish(party.guild, ann.id, CallWay.DM, 6, 22, 8))
        await note_told(database, party.guild, [ann.id], self.clock())
        await put_morning_channel(database, party.guild, channel)
        await put_morning_post(database, TODAY, party.guild, channel, 6)
        await privacy.begin(database, ann.id, ann.name)
        await block(database, ann.id)
        await database.write(lambda connection: note_seen(connection, TODAY, ann.id))
        file = json.dumps(write_record(played("classic", 4), ["Zoe", "Yan", "Xu", "Wim"])).encode()
        await self.replays.hand_in(ann.id, file, None)

    async def hold_tournaments(self) -> None:
        """One of each party that is over, and one that is being played."""
        for party in PARTIES:
            over = await self._play_round(party)
            await self._play(over, lambda table: False)
            await self.tables.put_par(over.id, 1, Par((5.0, 8.0, 6.0, 7.0), (0.5,) * 4, 60))
            await self._settle()
            await self._play_round(party)

    async def _play_round(self, party: Party) -> Table:
        """The table of the first round of a new tournament."""
        terms = Terms(SHORT, rounds=1, deals=1)
        id = (await self.tournaments.open(party.guild, party.channel(6), party[1], terms)).id
        await MessageIds(self.database, TOURNAMENTS).put(id, "signup", party.channel(6), 5)
        for number in (3, 2, 5):
            await self.tournaments.sign_up(id, party[number])
        await self.tournaments.start(id, party[1].id, may_manage=False)
        await self._settle()
        [table] = [one for one in self.tables.in_guild(party.guild) if one.tournament]
        return table

    async def _settle(self) -> None:
        """Let the tournaments note what has happened."""
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others)

    # What is told of it

    async def answers(self, party: Party) -> dict[str, Any]:
        """What this party is told, whatever it asks for: values, or the ids of refusals."""
        guild, ann, bo, database = party.guild, party[1].id, party[2].id, self.database
        ended, going_on, *_ = party.tables
        asked: dict[str, Awaitable[Any]] = {
            "ended": self.tables.games.latest(party.channel(1)),
            "going on": self.tables.games.latest(party.channel(2)),
            "deal": self.tables.games.done_deal(ended, 1),
            "deal of a game going on": self.tables.games.done_deal(going_on, 1),
            "replay": self.replays.latest(party.channel(1)),
            "file": self.replays.of_file(PARTIES.index(party) + 1, ann),
            "boards": boards_of(database, guild),
            "house rules": house_rules.every(database, guild),
            "one of them": house_rules.find(database, guild, "quick"),
            "whose they are": house_rules.author(database, guild, "quick"),
            "message": MessageIds(database, TABLES).find(ended, f"hand:{ann}"),
            "told of tables": find_wish(database, guild, ann),
            "who is told of tables": due_wishes(database, guild, self.clock() + 10**6),
            "invited by": invited_by(database, ann, 0.0),
            "invited": times_invited(database, party[5].id, 0.0),
            "called by": last_call_by(database, ann),
            "DM channel": dm_channels.find(database, ann),
            "language": server_language(database, guild),
            "settings": server_settings(database, guild),
            "threads": self._threads(guild),
            "post": first_post(database, TODAY, guild),
            "day": self._day(party),
            "tournament of before": self.tournaments.find(2 * PARTIES.index(party) + 1),
            "its record": self.tournaments.record(2 * PARTIES.index(party) + 1),
            "tournaments of the season": self.tournaments.season(guild, 20264),
            "tournaments ever": self.tournaments.season(guild, None),
        }
        for order in Order:
            for period in Period:
                board = Board(KIND, True, order, period)
                asked[f"by {order.value} of {period.value}"] = board_page(
                    database, guild, board, self.clock(), ann, first=0, count=10
                )
        for person in (ann, bo):
            asked |= {
                f"kinds of {person}": kinds_played(database, guild, person),
                f"daily deals of {person}": daily_career(database, guild, person, TODAY),
                f"name of {person}": newest_name(database, guild, person, KIND),
                f"tally of {person}": tally_of(database, guild, person, KIND, ranked=True),
                f"curve of {person}": rating_curve(database, guild, person, KIND, 1),
                f"rivalry of {person}": rivalries(database, guild, person, ann + bo - person),
                f"achievements of {person}": achievements_of(database, guild, person),
                f"all about {person}": export_person(database, person, [Tables.stored, Tournaments.stored]),
            }
        return {question: await _told(answer) for question, answer in asked.items()}

    async def _day(self, party: Party) -> tuple[Any, ...]:
        """What a day's ranking says of this server alone."""
        await self.daily.tend()
        found = await self.daily.ranking(TODAY, party[1].id, party.guild)
        return found.own, found.here, found.streak, found.before

    async def _threads(self, guild: int) -> list[TableThread]:
        """The threads of this server's tables."""
        return [one for one in await every_thread(self.database) if one.guild == guild]

    async def concede(self, party: Party) -> bool:
        """Whether the game going on can be brought to its end, if it can be read."""
        id, ann = party.tables[1], party[1].id
        if id not in [table.id for table in self.tables.live]:
            return False
        table = await self.tables.end(id, ann)
        assert table.vote is not None
        table = await self.tables.change(id, voting.answer, party[4].id, table.vote.number, agrees=True)
        return not table.is_live


async def _told(answer: Awaitable[Any]) -> Any:
    try:
        return await answer
    except Refusal as refusal:
        return refusal.id
