"""Pictures, drawn one at a time outside the event loop; the latest are cached."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from bot.delivery.budget import Budget
from bot.vocabulary.scenes import Scene
from engine import metrics

log = logging.getLogger(__name__)
#: Draws a scene in some tens of milliseconds; None if it can't be drawn.
Draw = Callable[[Scene], Awaitable[bytes | None]]
#: Pictures that may be queued before new messages go out without any: enough for a table's hands and board.
MOST_WAITING = 12
#: Seconds for which optional pictures are left out once there is no time for them, so that they don't come
#: and go.
SPARED_FOR = 60.0
#: The number of late optional pictures that means there's no time, and how many in time make up for one.
MOST_LATE, IN_TIME_PER_LATE = 3, 10
#: Pictures kept: a hand is shown by DM and under My hand, and lost messages are sent again.
PICTURES_KEPT = 256
#: The most pictures in a message: Discord's limit of files.
MOST_PICTURES = 10
#: Seconds until a scene that couldn't be drawn is tried again, if it is still wanted.
FAILED_FOR = 60.0
#: Attempts at a picture in a row: the process may have died drawing another one.
TRIES = 2
#: Seconds between checks whether there is time for pictures that were left out.
CHECK_EVERY = 0.5
#: Why a picture is left out: too many are queued, it took too long, it can't be drawn, no call may be made
#: for a while, or Discord refused the file.
REASONS = ("busy", "late", "failed", "no_call", "refused")


class NotDrawnYet(Exception):
    """A message would have to lose its picture: leave it as it is until the future `until` is done.

    `earlier` is the earlier state that the message shows now, if one was drawn in the meantime.
    """

    def __init__(self, until: asyncio.Future[None]) -> None:
        super().__init__("its picture isn't drawn yet")
        self.until = until
        self.earlier: Any = None  # a Message


@dataclass
class Turn:
    """A scene to draw, and a future that is done once it is drawn or has failed."""

    scene: Scene
    future: asyncio.Future[None]
    is_optional: bool
    asked_at: float = field(default_factory=perf_counter)


class PictureCache:
    """Draws one scene after another: for each place, the scene wanted there when its turn comes."""

    def __init__(self, draw: Draw, budget: Budget) -> None:
        self._draw = draw
        self._budget = budget
        self._files: dict[Scene, bytes] = {}  # the most recently used last
        self._failed: dict[Scene, float] = {}  # until when each isn't tried again, by the budget's clock
        #: By place and the picture's number there, the longest waiting first.
        self._queue: dict[tuple[Hashable, int], Turn] = {}
        self._now: Turn | None = None  # being drawn
        self._work: asyncio.Task[None] | None = None
        self._left_out: dict[Hashable, asyncio.Future[None]] = {}
        self._retry_timer: asyncio.TimerHandle | None = None
        self._failed_kinds: set[type[Scene]] = set()
        self._is_closed = False
        self._spares_until = 0.0  # by the budget's clock
        self._late = 0.0  # optional pictures that were late, less those in time
        self.drawn = metrics.histogram(
            "picture_seconds", "From the request for a picture until it was drawn."
        )
        #: Optional pictures don't count.
        self.left_out = metrics.counter(
            "pictures_left_out", "Pictures left out, by reason.", "reason", values=REASONS
        )

    @property
    def is_busy(self) -> bool:
        """Whether the queue is so long that another picture would come late. Optional ones don't count."""
        return sum(not turn.is_optional for turn in self._queue.values()) >= MOST_WAITING

    def may_add_optional(self, scenes: Sequence[Scene]) -> bool:
        """Whether there is time for these optional pictures, or they are drawn already."""
        if self.knows(scenes):
            return True
        if len(self._queue) >= MOST_WAITING or self._left_out or self._budget.is_tight:
            self._spare()
        return self._spares_until <= self._budget.clock()

    def was_late(self) -> None:
        """Note that an optional picture came too late; after several, leave all of them out for a while."""
        self._late += 1
        if self._late >= MOST_LATE:
            self._spare()

    def _spare(self) -> None:
        self._spares_until = self._budget.clock() + SPARED_FOR
        self._late = 0.0

    def knows(self, scenes: Sequence[Scene]) -> bool:
        """Whether all of these are drawn, or can't be."""
        return all(map(self._is_known, scenes))

    def has_begun(self, scenes: Sequence[Scene]) -> bool:
        """Whether any of these is drawn or being drawn."""
        return any(self._is_known(scene) or (self._now and self._now.scene == scene) for scene in scenes)

    async def pictures(
        self,
        scenes: Sequence[Scene],
        place: Hashable,
        seconds: float,
        *,
        are_optional: bool = False,
    ) -> list[bytes | None]:
        """The file of each scene, None for one that can't be drawn. NotDrawnYet after this many seconds.

        A place that asks again, even for other scenes, keeps its turn; optional pictures are drawn last.
        """
        if not self.knows(scenes):
            if self._is_closed:
                raise NotDrawnYet(asyncio.get_running_loop().create_future())
            turns = [self._ask(scene, (place, number), are_optional) for number, scene in enumerate(scenes)]
            await asyncio.wait(turns, timeout=seconds)
            late = [turn for scene, turn in zip(scenes, turns, strict=True) if not self._is_known(scene)]
            if late:
                raise NotDrawnYet(late[0])
        return [self._file(scene) for scene in scenes]

    def when_free(self, place: Hashable) -> asyncio.Future[None]:
        """Done when there is time for the picture that this place lacks: one place at a time."""
        if place not in self._left_out:
            self._left_out[place] = asyncio.get_running_loop().create_future()
            self._retry_later()
        return self._left_out[place]

    def drop(self, place: Hashable) -> None:
        """Draw nothing more for this place, as its message has all its pictures."""
        if until := self._left_out.pop(place, None):
            until.set_result(None)
        for number in range(MOST_PICTURES):
            if turn := self._queue.pop((place, number), None):
                turn.future.set_result(None)

    def close(self) -> None:
        """Stop drawing; messages waiting for pictures stay as they are."""
        self._is_closed = True
        for timer in (self._retry_timer, self._work):
            if timer:
                timer.cancel()
        for turn in (*self._queue.values(), *([self._now] if self._now else ())):
            turn.future.cancel()

    def _file(self, scene: Scene) -> bytes | None:
        file = self._files.pop(scene, None)
        if file is not None:
            self._files[scene] = file
        return file

    def _is_known(self, scene: Scene) -> bool:
        """Whether it is drawn, or can't be."""
        return scene in self._files or self._failed.get(scene, 0.0) > self._budget.clock()

    # Drawing

    def _ask(self, scene: Scene, place: tuple[Hashable, int], is_optional: bool) -> asyncio.Future[None]:
        if self._now and self._now.scene == scene:
            return self._now.future
        loop = asyncio.get_running_loop()
        turn = self._queue.setdefault(place, Turn(scene, loop.create_future(), is_optional))
        turn.scene, turn.is_optional = scene, is_optional
        if self._work is None or self._work.done():
            self._work = loop.create_task(self._draw_all())
        return turn.future

    async def _draw_all(self) -> None:
        while self._queue:
            needed = (place for place, turn in self._queue.items() if not turn.is_optional)
            self._now = self._queue.pop(next(needed, next(iter(self._queue))))
            if not self._is_known(self._now.scene):
                await self._try(self._now)
            self._now.future.set_result(None)
            self._now = None
        self._retry_left_out()

    async def _try(self, turn: Turn) -> None:
        scene = turn.scene
        for tries_left in reversed(range(TRIES)):
            try:
                file = await self._draw(scene)
                break
            except Exception:
                file = None
                if not tries_left:
                    self.left_out.labels("failed").inc()
                    self._log_failure(scene)
        if file is None:
            self._failed[scene] = self._budget.clock() + FAILED_FOR
            return
        self._failed.pop(scene, None)
        self.drawn.observe(perf_counter() - turn.asked_at)
        if turn.is_optional:
            self._late = max(0.0, self._late - 1 / IN_TIME_PER_LATE)
        self._files[scene] = file
        if len(self._files) > PICTURES_KEPT:
            del self._files[next(iter(self._files))]

    def _log_failure(self, scene: Scene) -> None:
        if type(scene) not in self._failed_kinds:  # once: it may fail for every card of a game
            self._failed_kinds.add(type(scene))
            log.exception("A picture couldn't be drawn; words replace it.")

    # Pictures left out

    def _retry_later(self) -> None:
        if self._retry_timer is None and not self._is_closed:
            self._retry_timer = asyncio.get_running_loop().call_later(CHECK_EVERY, self._retry_left_out)

    def _retry_left_out(self) -> None:
        """In a quiet moment, give the place that has waited longest its picture."""
        if self._retry_timer:
            self._retry_timer.cancel()
            self._retry_timer = None
        if self._left_out and not self._queue and not self._budget.is_tight:
            self._left_out.pop(next(iter(self._left_out))).set_result(None)
        if self._left_out:
            self._retry_later()
