"""Limits on costly requests, for each person and for everyone together: nobody spoils the others' game."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from engine.errors import Refusal

#: Points that a person can spend at once, and how many come back each second.
ALLOWANCE, REFILL = 20.0, 1.0


@dataclass(frozen=True, eq=False)
class Queue:
    """Requests for the same resource: how many one person may have in hand, and everyone together."""

    each: int
    most: int


#: Pages, read from the database: a tenth of a second each at worst.
PAGES = Queue(each=4, most=60)
#: Games, loaded move by move: a second for the longest.
GAMES = Queue(each=2, most=10)
#: Hints, thought of by a strong computer: about a second.
HINTS = Queue(each=2, most=20)
#: Reviews of a whole deal, thought of one after another: some ten seconds.
REVIEWS = Queue(each=1, most=10)
#: All that is stored of somebody, looked up or deleted.
EXPORTS = Queue(each=1, most=10)


@dataclass(frozen=True, slots=True)
class Cost:
    """What a request waits for, and the points that it costs."""

    queue: Queue
    points: float


#: By the name of a command or the verb of a control; what is not listed costs next to nothing.
COSTS: Mapping[str, Cost] = {
    "leaderboard": Cost(PAGES, 1),
    "board": Cost(PAGES, 1),
    "stats": Cost(PAGES, 1),
    "career": Cost(PAGES, 1),
    "hearts daily": Cost(PAGES, 1),
    "daily": Cost(PAGES, 1),
    "day": Cost(PAGES, 1),
    "dealt": Cost(PAGES, 1),
    "share": Cost(PAGES, 1),
    "check": Cost(PAGES, 1),
    "hearts house show": Cost(PAGES, 1),
    "hearts scores": Cost(PAGES, 0.5),
    "hearts last": Cost(PAGES, 0.5),
    "hearts rules": Cost(PAGES, 0.5),
    "watch": Cost(PAGES, 0.5),
    "look": Cost(PAGES, 0.5),
    "step": Cost(PAGES, 0.5),
    "deals": Cost(PAGES, 0.5),
    "prefer": Cost(PAGES, 1),
    "replay": Cost(GAMES, 2),
    "hearts record": Cost(GAMES, 2),
    "hearts replay": Cost(GAMES, 4),
    "hint": Cost(HINTS, 1),
    "review": Cost(REVIEWS, 5),
    "costly": Cost(REVIEWS, 5),
    "privacy export": Cost(EXPORTS, 8),
    "forget": Cost(EXPORTS, 8),
}


class Limits:
    """Admits costly requests; `clock` returns seconds and never goes backwards.

    A person is remembered until their allowance is full again.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._spent: dict[int, tuple[float, float]] = {}  # points by person, and when; the oldest first
        self._in_hand: defaultdict[Queue, Counter[int]] = defaultdict(Counter)  # requests by person

    @contextmanager
    def admit(self, person: int, name: str) -> Iterator[None]:
        """Hold a place while this person's request of that name is served. Refusal if they have to wait."""
        cost = COSTS.get(name)
        if cost is None:
            yield
            return
        in_hand = self._in_hand[cost.queue]
        if in_hand[person] >= cost.queue.each:
            raise Refusal("still_answering")
        if in_hand.total() >= cost.queue.most:
            raise Refusal("too_many_ask")
        self._spend(person, cost.points)
        in_hand[person] += 1
        try:
            yield
        finally:
            in_hand[person] -= 1
            if not in_hand[person]:
                del in_hand[person]

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
