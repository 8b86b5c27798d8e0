"""Limits on costly requests, per person and overall, so that nobody spoils others' games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import Enum, auto

from bot.vocabulary.controls import Access, Queue
from engine.errors import Refusal
from engine.storage.moderation import BlockedPeople
from engine.tables import State, Table

#: Seconds between two cards of one player: nobody plays two tricks on purpose that fast.
DOUBLE_TAP = 0.7
#: Points that a person can spend at once, and how many come back each second.
ALLOWANCE, REFILL = 20.0, 1.0

#: Invitations that a person may send in an hour, that one person may get from the same one in a day, and that
#: they may get in a day from anyone.
INVITATIONS_AN_HOUR, INVITATIONS_BY_ONE, INVITATIONS_A_DAY = 20, 3, 8
#: Seconds between two calls for players by one host, or for one table; and how many people one call mentions
#: at most, and writes to.
CALLS_APART, MOST_CALLED = 30 * 60.0, 20


#: Lobbies that one person may host, and that a server may have; and how many of each may be planned to start
#: more than a day ahead: nobody else gets their channels until then.
LOBBIES_OF_ONE, LOBBIES_IN_SERVER = 3, 25
PLANS_OF_ONE, PLANS_IN_SERVER = 2, 6
FAR_AHEAD = 24 * 60 * 60.0
AN_HOUR = 60 * 60.0


class Hourly(Enum):
    """What everyone in a channel sees, and one person may therefore do only so often in an hour."""

    POSTS = auto()
    THREADS = auto()


MOST_AN_HOUR = {Hourly.POSTS: 20, Hourly.THREADS: 5}


#: Tables that are being opened: one after another, so that each counts those before it.
OPENINGS = Queue(each=1, most=60)


class DoubleTaps:
    """Recognises a second card that comes too fast to be meant, by the seconds at which clicks came."""

    def __init__(self) -> None:
        self._played: dict[int, float] = {}  # when each person last played a card

    def is_one(self, person: int, at: float) -> bool:
        """Whether this click is the second half of a double tap on a card."""
        return abs(at - self._played.get(person, -DOUBLE_TAP)) < DOUBLE_TAP

    @contextmanager
    def playing(self, person: int, at: float) -> Iterator[None]:
        """Within, play this person's card; if that fails, they may tap another at once."""
        self._played = {one: then for one, then in self._played.items() if at - then < DOUBLE_TAP}
        self._played[person] = at
        try:
            yield
        except BaseException:
            self._played.pop(person, None)
            raise


class Limits:
    """Admits costly requests; `clock` returns seconds and never goes backwards.

    A person is remembered until their allowance is full again. Those who are `blocked` are admitted only to
    their own data.
    """

    blocked = BlockedPeople()

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._spent: dict[int, tuple[float, float]] = {}  # points by person, and when; the oldest first
        self._under_way: defaultdict[Queue, Counter[int]] = defaultdict(Counter)  # requests by person
        self._done: dict[tuple[int, Hourly], list[float]] = {}  # when, in the last hour
        self._is_closed = False

    def close(self) -> None:
        """Admit nothing more: the bot is stopping."""
        self._is_closed = True

    def check_open(self) -> None:
        """Refusal if the bot is stopping."""
        if self._is_closed:
            raise Refusal("restarting")

    @contextmanager
    def admit(self, person: int, access: Access) -> Iterator[None]:
        """Within, serve what this person asks for. Refusal if they have to wait, or are blocked."""
        if person in self.blocked and not access.own_data:
            raise Refusal("blocked")
        if access.cost is None:
            yield
            return
        with self._queued(access.cost.queue, person):
            self._spend(person, access.cost.points)
            yield

    @contextmanager
    def _queued(self, queue: Queue, person: int) -> Iterator[None]:
        under_way = self._under_way[queue]
        if under_way[person] >= queue.each:
            raise Refusal("still_answering")
        if under_way.total() >= queue.most:
            raise Refusal("too_many_ask")
        under_way[person] += 1
        try:
            yield
        finally:
            under_way[person] -= 1
            if not under_way[person]:
                del under_way[person]

    @contextmanager
    def opening(
        self, person: int, guild: int, live: Iterable[Table], now: float, starts: float | None
    ) -> Iterator[None]:
        """Within, open a table that this person hosts; Refusal if enough of the live ones are lobbies."""
        with self._queued(OPENINGS, person):
            lobbies = _lobbies(live)
            if sum(table.host == person for table in lobbies) >= LOBBIES_OF_ONE:
                raise Refusal("too_many_lobbies", count=LOBBIES_OF_ONE)
            if sum(table.guild == guild for table in lobbies) >= LOBBIES_IN_SERVER:
                raise Refusal("too_many_lobbies_here", count=LOBBIES_IN_SERVER)
            if starts is not None:
                check_plan(person, guild, lobbies, now, starts)
            yield

    def has_left(self, person: int, kind: Hourly) -> bool:
        """Whether this person may do that now."""
        since = self._clock() - AN_HOUR
        done = [at for at in self._done.get((person, kind), ()) if at > since]
        return len(done) < MOST_AN_HOUR[kind]

    @contextmanager
    def hourly(self, person: int, kind: Hourly) -> Iterator[None]:
        """Within, do that; it counts unless it fails. Refusal if it was done often in the last hour."""
        if not self.has_left(person, kind):
            raise Refusal("too_often_an_hour", count=MOST_AN_HOUR[kind])
        now = self._clock()
        self._drop_old(now - AN_HOUR)
        done = self._done.pop((person, kind), [])
        self._done[person, kind] = done  # the newest now
        done.append(now)
        try:
            yield
        except BaseException:
            done.remove(now)
            raise

    def _drop_old(self, since: float) -> None:
        while self._done:
            key, done = next(iter(self._done.items()))
            if done and done[-1] > since:
                return
            del self._done[key]

    def _spend(self, person: int, points: float) -> None:
        now = self._clock()
        self._drop_refilled(now)
        before, at = self._spent.get(person, (0.0, now))
        spent = max(0.0, before - (now - at) * REFILL) + points
        if spent > ALLOWANCE:
            raise Refusal("asked_too_often")
        self._spent.pop(person, None)
        self._spent[person] = spent, now  # the newest now

    def _drop_refilled(self, now: float) -> None:
        while self._spent:
            person, (_, at) = next(iter(self._spent.items()))
            if (now - at) * REFILL < ALLOWANCE:
                return
            del self._spent[person]


def check_plan(person: int, guild: int, live: Iterable[Table], now: float, at: float) -> None:
    """Refusal if this host, or the server, has enough lobbies already that start as far ahead as this one."""
    if at - now <= FAR_AHEAD:
        return
    far = [table for table in _lobbies(live) if table.plan and table.plan.at - now > FAR_AHEAD]
    of_one = sum(table.host == person for table in far)
    if of_one >= PLANS_OF_ONE or sum(table.guild == guild for table in far) >= PLANS_IN_SERVER:
        raise Refusal("too_many_plans")


def _lobbies(live: Iterable[Table]) -> list[Table]:
    return [table for table in live if table.state is State.LOBBY and not table.is_private]
