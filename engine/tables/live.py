"""The live tables, and the thinking of their strong computers."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence, Set
from dataclasses import dataclass, replace
from random import Random

from engine import metrics
from engine.errors import Refusal
from engine.play.deal import Phase
from engine.play.moves import Passed, Played, SeatMove
from engine.play.par import Par
from engine.play.views import seat_view
from engine.tables import changes
from engine.tables.flow import Flow, after_absence, shifted
from engine.tables.keeper import Keeper, Kind, Live
from engine.tables.presence import Presence
from engine.tables.store import Damaged, TableStore
from engine.tables.table import State, Table
from engine.thinking import Thinking

log = logging.getLogger(__name__)
Listener = Callable[[Table], None]
#: The most seconds that computers think altogether before the game waits for a person again.
LONGEST_ROUND = 1.5
#: How many latest durations of thoughts are kept for each size of hand, and durations to begin with.
THOUGHTS_KEPT, FIRST_THOUGHTS = 50, (0.04, 0.05, 0.06, 0.08)

KIND: Kind[Table] = Kind("table", "table_gone", changes.forget, shifted, after_absence)


class LiveTables(Keeper[Table]):
    """All live tables, one per channel, with their thinking computers.

    `listener` is called with each changed table, `save_failed` with one whose change couldn't be saved.
    """

    def __init__(
        self,
        store: TableStore,
        flow: Flow,
        mind: "StrongComputers",
        presence: Presence,
        listener: Listener,
        save_failed: Listener,
        leaving: Set[int] = frozenset(),
    ) -> None:
        super().__init__(KIND, presence, flow.clock, leaving, listener)
        self._tables = store
        self._flow = flow
        self._mind = mind
        self._watchers: list[Listener] = []
        self._save_failed = save_failed
        self.damaged: list[Damaged] = []
        #: By their final state.
        self.games_ended = metrics.counter(
            "games_ended", "Games that have ended, by how.", "how", values=("over", "stopped")
        )
        self._by_channel: dict[int, int] = {}

    def watch(self, watcher: Listener) -> None:
        """Also call `watcher` with each changed table, after the listener, and when a late par arrives."""
        self._watchers.append(watcher)

    def in_channel(self, channel: int) -> Table | None:
        """The live table of this channel; None if there is none."""
        id = self._by_channel.get(channel)
        return self._live[id].value if id is not None else None

    async def read(self) -> list[Table]:
        """Read the live tables, and those whose end hasn't been shown; unreadable ones go to `damaged`."""
        tables, self.damaged = await self._tables.unseen()
        return tables

    async def open(self, table: Table) -> Table:
        """Open a new table; Refusal if people still play at another in its channel."""
        return await self._work.to_the_end(self._open(table))

    async def put_par(self, id: int, deal: int, par: Par) -> Table | None:
        """Store the par of a live table's finished deal, and tell; None if it isn't live any more."""
        return await self._work.to_the_end(self._put_par(id, deal, par))

    async def _open(self, table: Table) -> Table:
        async with self._opening:
            for person in self._leaving:
                table = changes.forget(table, person)
            if not table.is_live:
                raise Refusal("leaving")
            if old := self.in_channel(table.channel):
                await self._make_way(old, table.host)
            table = await self._tables.open(self._flow.follow_up(table, table), self._clock())
            live = self._keep(table)
            self._go_on(live)
            self.notify(table)
            return table

    async def _make_way(self, old: Table, person: int) -> None:
        """Close a table that everyone else has left; Refusal if people play there or may come back."""
        try:
            await self._change(old.id, lambda table: changes.make_way(table, person))
        except Refusal as refusal:
            if refusal.id != "table_gone":  # it has just closed on its own
                raise

    async def _put_par(self, id: int, deal: int, par: Par) -> Table | None:
        live = self._live.get(id)
        if live is None:
            return None
        async with live.lock:
            if not live.value.is_live:
                return None
            check_done(live.value, deal)
            live.value = await self._tables.put_par(live.value, deal, par)
            self.notify(live.value)
            return live.value

    # How tables are kept

    def _follow_up(self, old: Table, new: Table) -> Table:
        return self._flow.follow_up(old, new)

    async def _store(self, old: Table, new: Table) -> Table:
        return await self._tables.append(old, new, self._clock())

    def _not_saved(self, value: Table) -> None:
        self._notify(self._save_failed, value)

    def _keep(self, value: Table) -> Live[Table]:
        self._by_channel[value.channel] = value.id
        return super()._keep(value)

    def _let_go(self, value: Table) -> None:
        super()._let_go(value)
        self._by_channel.pop(value.channel, None)
        if not value.is_live and value.game is not None:
            self.games_ended.labels(value.state.value).inc()

    async def _set_aside(self, value: Table) -> None:
        self.damaged.append(Damaged(value.id, value.channel))
        try:
            await self._tables.set_aside(value.id)
        except Exception:
            log.exception("table %s can't be set aside: its channel stays taken", value.id)

    async def _resume(self, live: Live[Table]) -> None:
        live.value = replace(live.value, resumed_at=self._clock())
        late = after_absence(live.value, self._clock())
        if late is not live.value:
            await self._save(live, late)
        live.value = self._flow.with_forced_card(live.value, live.value)
        self._go_on(live)

    def notify(self, value: Table) -> None:
        """Tell the listener and the watchers about this table."""
        super().notify(value)
        self.notify_watchers(value)

    def notify_watchers(self, table: Table) -> None:
        """Tell only the watchers about this table, which may have ended long ago."""
        for watcher in self._watchers:
            self._notify(watcher, table)

    def _rings_at(self, live: Live[Table]) -> float | None:
        return live.value.rings_at

    def _rung(self, value: Table) -> Table:
        return self._flow.ring(value)

    def _start_background(self, live: Live[Table]) -> None:
        """Let the computers to move think, and make their moves once they are found."""
        if self._mind.is_asked(live.value) and not live.background:
            live.background = asyncio.create_task(self._think(live))

    async def _think(self, live: Live[Table]) -> None:
        try:
            thought = await self._mind.think(live.value)
        except Exception:
            log.exception("the computers of table %s cannot think", live.value.id)
            live.background = None
            self._try_again(live)
            return

        def move(table: Table) -> Table:
            live.background = None  # not earlier, or a second task would think about the same position
            return thought.on(table)

        await self._work.to_the_end(self._apply_automatic_change(live, "computers", move))


def check_done(table: Table, deal: int) -> None:
    """Raise a Refusal unless this deal (from 1) is finished and its par is the table's, not a day's."""
    if table.daily or table.game is None or not 1 <= deal <= len(table.game.points):
        raise Refusal("stale")


# Strong computers, which think while their table's lock is free


class StrongComputers:
    """Thinks for the strong computers of all tables.

    `clock` and `sleep` are for the seconds that thoughts take; by default they are the event loop's.
    """

    def __init__(
        self,
        flow: Flow,
        thinking: Thinking | None,
        rng: Random,
        *,
        clock: Callable[[], float] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._flow = flow
        self._thinking = thinking
        self._rng = rng
        self._clock = clock or _now
        self._sleep = sleep
        #: The seconds that the latest thoughts took, by the number of cards in hand, on which they depend.
        self._took: dict[int, deque[float]] = {}

    def is_asked(self, table: Table) -> bool:
        """Whether there is something to think about; prepares the processes if there soon may be."""
        will_be = table.seats.has_strong or (table.game and table.gives_hints)
        if self._thinking and table.is_live and will_be:
            self._thinking.prepare()
        return bool(self._flow.thoughtful(table))

    async def think(self, table: Table) -> "Thought":
        """Find the computers' moves, one after another, until a person is awaited or the deal is over."""
        begun, until = table, self._clock() + LONGEST_ROUND
        moves: list[SeatMove] = []
        while table.game and (deal := table.game.deal):
            move = self._flow.at_once(table, deal)
            if move is None and (seats := self._flow.thoughtful(table)):
                move = await self._move(table, seats[0], until)
            if move is None:
                break
            table = table.after(move)
            moves.append(move)
        return Thought(begun, tuple(moves))

    async def _move(self, table: Table, seat: int, until: float) -> SeatMove:
        """The move of the strong computer in this seat, or of a weaker one if it can't be asked."""
        assert table.game is not None
        assert self._thinking is not None
        view = seat_view(table.game, seat)
        if view.deal.phase is Phase.PLAYING and len(set(view.legal)) == 1:
            await self._sleep(min(self._usual_seconds(len(view.hand)), max(0.0, until - self._clock())))
            return Played(seat, view.legal[0])
        began = self._clock()
        manner, skills = table.seats[seat].manner, table.seats.skills
        move = await self._thinking.move(view, manner, skills, self._rng.getrandbits(62), until - began)
        if view.deal.phase is Phase.PLAYING:
            took = self._took.setdefault(len(view.hand), deque(maxlen=THOUGHTS_KEPT))
            took.append(self._clock() - began)
        if move is not None:
            try:
                table.after(move)
            except Refusal as refusal:
                log.error("a strong computer wanted to do what it may not: %s", refusal)
                move = None
        return move or self._flow.move(table, seat)

    def _usual_seconds(self, cards: int) -> float:
        """How long a thought over a hand of this size takes: one of the latest durations, at random."""
        if not self._took:
            return self._rng.choice(FIRST_THOUGHTS)
        return self._rng.choice(self._took[min(self._took, key=lambda size: abs(size - cards))])


@dataclass(frozen=True, slots=True)
class Thought:
    """The next moves of the computers from one position of a table."""

    table: Table
    moves: tuple[SeatMove, ...]

    def on(self, table: Table) -> Table:
        """Make these moves at the table; returns it unchanged if they no longer fit."""
        try:
            after = table
            for move in self._valid_moves(table):
                after = after.after(move)
        except Refusal:
            return table
        return after

    def _valid_moves(self, table: Table) -> Sequence[SeatMove]:
        """The moves that still fit the table; none if anything that matters has happened.

        Passes still hold, since nobody sees the others' passes; plays planned after them don't.
        """
        if table.state is not State.PLAYING or table.paused or table.seats != self.table.seats:
            return ()
        if table.game is self.table.game:
            return self.moves
        if _passing_deal(table) == _passing_deal(self.table) is not None:
            return [move for move in self.moves if isinstance(move, Passed)]
        return ()


def _passing_deal(table: Table) -> int | None:
    """The number of the deal in which cards are being passed; None if none are."""
    deal = table.game.deal if table.game else None
    return deal.number if deal and deal.phase is Phase.PASSING else None


def _now() -> float:
    """Seconds by the loop's clock."""
    return asyncio.get_running_loop().time()
