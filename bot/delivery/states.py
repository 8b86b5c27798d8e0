"""What the messages of one destination should look like, and what they look like."""

from __future__ import annotations

import math
from typing import Generic, TypeVar

from bot.delivery.budget import Clock

M = TypeVar("M")
#: What was shown longest ago is forgotten; showing it again would merely cost a call.
REMEMBERED = 24


class States(Generic[M]):
    """The newest wanted state of each message that does not look so yet, and the state that each shows.

    A message is written again only `spacing` seconds after the last time. Times are seconds by the `clock`.
    """

    def __init__(self, spacing: float, clock: Clock) -> None:
        self._spacing = spacing
        self._clock = clock
        self._wanted: dict[str, M] = {}
        self._due: dict[str, float] = {}  # from when on each of these should be written
        self._shown: dict[str, M] = {}
        self._rests_until: dict[str, float] = {}
        self._held: set[str] = set()  # what waits for something that is not a matter of time
        self.on_its_way: str | None = None

    def __bool__(self) -> bool:
        """Whether a message should look otherwise."""
        return bool(self._wanted)

    def __contains__(self, key: str) -> bool:
        """Whether the message with this key should."""
        return key in self._wanted

    @property
    def all_shown(self) -> dict[str, M]:
        """How the messages look that were written last, as far as that is certain."""
        return {key: message for key, message in self._shown.items() if key != self.on_its_way}

    @property
    def all_wanted(self) -> dict[str, M]:
        """How the messages should look that do not look so yet."""
        return dict(self._wanted)

    def shown(self, key: str) -> M | None:
        """How the message with this key looks; None where that is not certain."""
        return None if key == self.on_its_way else self._shown.get(key)

    def wanted(self, key: str) -> M | None:
        """How it should look; None where it does."""
        return self._wanted.get(key)

    def newest(self, key: str) -> M | None:
        """How it should look or, where nothing else is wanted, how it does."""
        return self._wanted.get(key) or self.shown(key)

    @property
    def owed(self) -> list[str]:
        """The messages that wait for nobody but Discord, or for their turn, and the one on its way."""
        now = self._clock()
        due = [key for key in self._wanted if self._due[key] <= now]
        if self.on_its_way and self.on_its_way not in due:
            due.insert(0, self.on_its_way)
        return due

    def owes(self, key: str) -> bool:
        """Whether this message is one of them."""
        is_due = key in self._wanted and self._due[key] <= self._clock()
        return is_due or key == self.on_its_way

    def is_coming(self, key: str) -> bool:
        """Whether the message should look otherwise, at once or later, or is being written."""
        return key in self or key == self.on_its_way

    def knows(self, key: str) -> bool:
        """Whether it is known what the message with this key looks like, or should."""
        return key in self._wanted or key in self._shown

    def want(self, key: str, message: M, patience: float) -> bool:
        """Let the message look so, after `patience` seconds; False if it does already."""
        if key not in self._wanted and self._shown.get(key) == message:
            return False
        self._wanted[key] = message
        self._due[key] = min(self._clock() + patience, self._due.get(key, math.inf))
        self._held.discard(key)
        return True

    def drop_what_can_wait(self, key: str) -> bool:
        """Whether this message could have waited, and is not wanted any more."""
        if key not in self._wanted or self._due[key] <= self._clock():
            return False
        self.take(key)
        return True

    def looks(self, key: str, message: M) -> None:
        """The message with this key is known to look so."""
        self._shown.pop(key, None)
        self._shown[key] = message
        if len(self._shown) > REMEMBERED:
            oldest = next(iter(self._shown))
            del self._shown[oldest]
            self._rests_until.pop(oldest, None)

    def forget(self, key: str) -> None:
        """Nobody knows what the message with this key looks like."""
        self._shown.pop(key, None)

    def take(self, key: str) -> M | None:
        """What the message should look like, for whoever writes it now; None if it looks so."""
        self._due.pop(key, None)
        self._held.discard(key)
        message = self._wanted.pop(key, None)
        return None if message == self._shown.get(key) else message

    def put_back(self, key: str, message: M) -> None:
        """It was not written. Its place is the first, as before; a newer state of it stays."""
        self._wanted = {key: message} | self._wanted
        self._due.setdefault(key, self._clock())

    def hold(self, key: str) -> None:
        """Let this message wait until it is released, or is to look otherwise."""
        self._held.add(key)

    def release(self, key: str) -> None:
        """It need not wait any longer."""
        self._held.discard(key)

    def written(self, key: str) -> None:
        """The message has just been written, or not."""
        self._rests_until[key] = self._clock() + self._spacing

    def drop_all(self) -> None:
        """Nothing is wanted any more."""
        self._wanted.clear()
        self._due.clear()
        self._held.clear()

    def hurry(self) -> None:
        """From now on nothing has to wait."""
        self._spacing = 0.0
        self._rests_until.clear()
        self._held.clear()
        self._due = dict.fromkeys(self._wanted, self._clock())

    def ripe(self) -> list[str]:
        """The messages that may be written now, in order."""
        now = self._clock()
        return [key for key in self._wanted if key not in self._held and self._ripens_at(key) <= now]

    def ripens_at(self) -> float:
        """When the next message may be written; never (infinity) as long as all are held."""
        return min([self._ripens_at(key) for key in self._wanted if key not in self._held], default=math.inf)

    def _ripens_at(self, key: str) -> float:
        return max(self._due[key], self._rests_until.get(key, -math.inf))

    def due(self, key: str) -> float:
        """Since when this message should have been written."""
        return self._due[key]
