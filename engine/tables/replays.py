"""Games to replay, without unfinished deals: those of tables, and of files that people upload."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from io import BytesIO
from typing import Any

from engine.errors import Refusal
from engine.loading import Load, in_thread
from engine.names import NOBODY
from engine.play.game import Game
from engine.play.record import parse_line, read_record, split_records, write_record
from engine.storage import handed_in
from engine.storage.database import Database
from engine.tables.seats import Seat, Seats
from engine.tables.service import Tables
from engine.tables.table import State, Table

#: The most bytes in a file: a record of 200 deals of classic Hearts.
LARGEST_FILE = 256 * 1024
#: The most games kept in memory, as reading a long one takes a tenth of a second.
AT_HAND = 8
#: The most characters kept of a name, as in Discord's names.
LONGEST_NAME = 32


class Replays:
    """Finds games to replay; `clock` returns seconds since 1970."""

    def __init__(
        self, tables: Tables, database: Database, clock: Callable[[], float], load: Load = in_thread
    ) -> None:
        self._tables = tables
        self._database = database
        self._clock = clock
        self._load = load
        self._games: dict[Hashable, Game] = {}

    async def latest(self, channel: int) -> Table:
        """The last game of this channel that has a finished deal; Refusal if there is none."""
        return _finished(await self._tables.games.latest_finished(channel))

    async def of_table(self, id: int) -> Table:
        """This table's game, live or ended; Refusal if it has no finished deal, or the table is gone."""
        info = await self._tables.find(id)
        if info.is_live or ("table", id) not in self._games:
            table = _finished(await self._tables.games.whole(id))
            return table if table.is_live else self._cached(("table", id), table)
        # The game is cached, but its players may have been forgotten since.
        return self._cached(("table", id), Table(**info.public_fields, game=self._games["table", id]))

    async def of_file(self, id: int, person: int) -> Table:
        """The game that this person has uploaded under this id; Refusal if it has expired."""
        names = await handed_in.names(self._database, id, person, self._clock())
        if names is None:
            raise Refusal("file_gone")
        game = self._games.get(("file", id))
        if game is None:
            game = await self._load(_finished_deals, await handed_in.record(self._database, id))
        return self._cached(("file", id), _without_table(game, names))

    async def hand_in(self, person: int, content: bytes, number: int | None) -> tuple[int, Table]:
        """Store a file's game, or its game of this number (from 1), for a day; returns its id and the game.

        RecordError if the record isn't sound; Refusal if the file is too large, holds several games without a
        `number` to choose one, or has no finished deal.
        """
        if len(content) > LARGEST_FILE:
            raise Refusal("file_too_large", most=LARGEST_FILE // 1024)
        game, names, packed = await self._load(_read_file, content, number)
        table = _finished(_without_table(game, names))
        id = await handed_in.put(self._database, person, names, packed, self._clock())
        return id, self._cached(("file", id), table)

    async def drop_old_files(self) -> None:
        """Delete files older than a day."""
        await handed_in.drop_old(self._database, self._clock())

    def _cached(self, key: Hashable, table: Table) -> Table:
        assert table.game is not None
        self._games.pop(key, None)
        self._games[key] = table.game  # now the latest
        if len(self._games) > AT_HAND:
            del self._games[next(iter(self._games))]
        return table


def _finished(table: Table) -> Table:
    """The table with only its finished deals, as a replay must show nothing of the current one."""
    if table.game is None or not table.game.points:
        raise Refusal("nothing_done")
    return replace(table, game=table.game.complete_deals)


def _without_table(game: Game, names: list[str]) -> Table:
    """A table for a game that wasn't played here, with these players' names."""
    seats = Seats([Seat(NOBODY, name) for name in names])
    rules = game.rules
    return Table(id=0, guild=0, channel=0, host=NOBODY, rules=rules, state=State.OVER, seats=seats, game=game)


def _read_file(content: bytes, number: int | None) -> tuple[Game, list[str], bytes]:
    """The finished deals of a file's game, its players' names, and the packed record."""
    record = parse_line(_text_of(content, number))
    game = _finished_deals(record)
    # JSON can hold half a surrogate pair, which can't be stored as UTF-8.
    names = [name[:LONGEST_NAME].encode(errors="replace").decode() for name in record["seats"]]
    return game, names, handed_in.pack(write_record(game, names))


def _finished_deals(record: Any) -> Game:
    return read_record(record).complete_deals


def _text_of(content: bytes, number: int | None) -> bytes:
    """The text of the file's only record, or of the one with this number (from 1)."""
    texts = list(split_records(BytesIO(content).readline))
    if not texts:
        raise Refusal("file_empty")
    if len(texts) == 1 and number is None:
        return texts[0]
    if number is not None and 1 <= number <= len(texts):
        return texts[number - 1]
    for text in texts:  # an unreadable record is reported instead of the number
        parse_line(text)
    raise Refusal("several_games", count=len(texts))
