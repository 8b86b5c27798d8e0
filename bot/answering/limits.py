"""Limits on costly requests, per person and overall, so that no one slows down others' games."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import Enum, auto

from bot.vocabulary.controls import Access, Queue
from engine.errors import Refusal
from engine.storage.moderation import BlockedPeople
from engine.tables import State, Table

#: Seconds within which a player's second card is an accident: no one plays two tricks that fast on purpose.
DOUBLE_TAP = 0.7
#: Points that a person can spend at once, and how many come back each second.
ALLOWANCE, REFILL = 20.0, 1.0

#: Invitations that a person may send in an hour, get from one sender in a day, and get in a day in all.
INVITATIONS_AN_HOUR, INVITATIONS_BY_ONE, INVITATIONS_A_DAY = 20, 3, 8
#: Seconds between two calls for players by one host or for one table; and the most people that one call
#: mentions, and the most that it sends a DM.
CALLS_APART, MOST_CALLED = 30 * 60.0, 20


#: Lobbies that one person may host, and that a server may have; and how many of each may plan to start more
#: than a day ahead, as no one else can use their channels until then.
LOBBIES_OF_ONE, LOBBIES_IN_SERVER = 3, 25
PLANS_OF_ONE, PLANS_IN_SERVER = 2, 6
FAR_AHEAD = 24 * 60 * 60.0
AN_HOUR = 60 * 60.0


class Hourly(Enum):
    """Actions that everyone in a channel sees, so that one person may do them only a few times in an hour."""

    POSTS = auto()
    THREADS = auto()


MOST_AN_HOUR = {Hourly.POSTS: 20, Hourly.THREADS: 5}


#: Tables that are being opened: one at a time for each person, so that each counts those before it.
OPENINGS = Queue(each=1, most=60)


class DoubleTaps:
    """Recognises a second card that comes too fast to be meant; times are when clicks came, in seconds."""

    def __init__(self) -> None:
        self._played: dict[int, float] = {}  # when each person last played a card

    def is_one(self, person: int, at: float) -> bool:
        """Whether this click is the second half of a double tap on a card."""
        return abs(at - self._played.get(person, -DOUBLE_TAP)) < DOUBLE_TAP

    @contextmanager
    def playing(self, person: int, at: float) -> Iterator[None]:
        """Play this person's card in the block; if that fails, they may tap another one at once."""
        self._played = {other: time for other, time in self._played.items() if at - time < DOUBLE_TAP}
        self._played[person] = at
        try:
            yield
        except BaseException:
            self._played.pop(person, None)
            raise


class Limits:
    """Admits costly requests; `clock` returns seconds and never goes backwards.

    Each person has an allowance of points, and is forgotten once it is full again. People who are `blocked`
    are admitted only to their own data.
    """

    blocked = BlockedPeople()

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._spent: dict[int, tuple[float, float]] = {}  # points by person, and when; the oldest first
        self._under_way: defaultdict[Queue, Counter[int]] = defaultdict(Counter)  # requests by person
        self._times: dict[tuple[int, Hourly], list[float]] = {}  # of each action in the last hour
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
        """Serve this person's request in the block. Refusal if they have to wait, or are blocked."""
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
        """Open a table for this host in the block; Refusal if they or the server have too many lobbies."""
        with self._queued(OPENINGS, person):
            lobbies = _lobbies(live)
            if sum(table.host == person for table in lobbies) >= LOBBIES_OF_ONE:
                raise Refusal("too_many_lobbies", count=LOBBIES_OF_ONE)
            if sum(table.guild == guild for table in lobbies) >= LOBBIES_IN_SERVER:
                raise Refusal("too_many_lobbies_here", count=LOBBIES_IN_SERVER)
            if starts is not None:
                check_plan(person, guild, lobbies, now, starts)
            yield

    def allows(self, person: int, kind: Hourly) -> bool:
        """Whether this person may do such an action now."""
        since = self._clock() - AN_HOUR
        times = [at for at in self._times.get((person, kind), ()) if at > since]
        return len(times) < MOST_AN_HOUR[kind]

    @contextmanager
    def hourly(self, person: int, kind: Hourly) -> Iterator[None]:
        """Do such an action in the block; it counts unless it fails. Refusal if there were too many."""
        if not self.allows(person, kind):
            raise Refusal("too_often_an_hour", count=MOST_AN_HOUR[kind])
        now = self._clock()
        self._drop_old(now - AN_HOUR)
        times = self._times.pop((person, kind), [])
        self._times[person, kind] = times  # the newest now
        times.append(now)
        try:
            yield
        except BaseException:
            times.remove(now)
            raise

    def _drop_old(self, since: float) -> None:
        while self._times:
            key, times = next(iter(self._times.items()))
            if times and times[-1] > since:
                return
            del self._times[key]

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
    """Refusal if a start is far ahead, and this host or the server already has enough such lobbies."""
    if at - now <= FAR_AHEAD:
        return
    far = [table for table in _lobbies(live) if table.plan and table.plan.at - now > FAR_AHEAD]
    of_one = sum(table.host == person for table in far)
    if of_one >= PLANS_OF_ONE or sum(table.guild == guild for table in far) >= PLANS_IN_SERVER:
        raise Refusal("too_many_plans")


def _lobbies(live: Iterable[Table]) -> list[Table]:
    return [table for table in live if table.state is State.LOBBY and not table.is_private]
