"""Pictures, drawn one after another beside the loop; the last ones are kept."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from bot.delivery.budget import Budget
from bot.scenes import Scene
from engine.durations import Durations

log = logging.getLogger(__name__)
#: Draws a scene, in some tens of milliseconds; None where it cannot be drawn.
Draw = Callable[[Scene], Awaitable[bytes | None]]
#: Pictures that may wait before new messages do without: enough for all hands of a table and its board.
MOST_WAITING = 12
#: The last pictures are kept: one hand is shown by DM and under My hand, and what got lost is sent again.
KEPT = 256
#: Seconds after which a scene that could not be drawn is tried again, if it is still wanted.
FAILED_FOR = 60.0
#: Times that a picture is tried at once: its process may have died with another one.
TRIES = 2
#: Seconds between two looks whether there is time for what was left out.
GLANCE = 0.5
#: Why a picture is left out: too many wait, it took too long, it cannot be drawn; no call may be made for a
#: while, or Discord takes no file.
REASONS = ("busy", "late", "failed", "no_call", "refused")


class NotDrawnYet(Exception):
    """A message would have to do without its picture: leave it as it is until this future is done.

    Where an earlier state of it could be drawn meanwhile, that is `shown` now.
    """

    def __init__(self, until: asyncio.Future[None]) -> None:
        super().__init__("its picture is not drawn yet")
        self.until = until
        self.shown: Any = None  # the Message


@dataclass
class Turn:
    """A scene to be drawn, and what is done once it was, or could not be."""

    scene: Scene
    done: asyncio.Future[None]
    asked: float = field(default_factory=perf_counter)


class PictureCache:
    """Draws one scene after another: for each place the newest that is wanted there when its turn comes."""

    def __init__(self, draw: Draw, budget: Budget) -> None:
        self._draw = draw
        self._budget = budget
        self._files: dict[Scene, bytes] = {}  # the one used last comes last
        self._failed: dict[Scene, float] = {}  # until when each is not tried again, by the budget's clock
        self._line: dict[Hashable, Turn] = {}  # by place, the one that has waited longest first
        self._now: Turn | None = None  # the one that is being drawn
        self._work: asyncio.Task[None] | None = None
        self._left_out: dict[Hashable, asyncio.Future[None]] = {}
        self._glance: asyncio.TimerHandle | None = None
        self._complained: set[type[Scene]] = set()
        self._is_closed = False
        #: How long each picture took that was drawn, from when it was asked for.
        self.drawn = Durations()
        #: How often a message went out without a picture, by the reason.
        self.left_out = Counter(dict.fromkeys(REASONS, 0))

    @property
    def is_busy(self) -> bool:
        """Whether so many pictures wait that another would come late."""
        return len(self._line) >= MOST_WAITING

    def knows(self, scenes: Sequence[Scene]) -> bool:
        """Whether all of these are drawn, or cannot be."""
        return all(scene in self._files or self._has_failed(scene) for scene in scenes)

    def has_begun(self, scenes: Sequence[Scene]) -> bool:
        """Whether one of these is drawn, or being drawn."""
        return any(self.knows([scene]) or (self._now and self._now.scene == scene) for scene in scenes)

    async def pictures(self, scenes: Sequence[Scene], place: Hashable, seconds: float) -> list[bytes | None]:
        """The file of each scene; None where it cannot be drawn. NotDrawnYet if that takes longer than this.

        A place that asks again, perhaps for other scenes, keeps its turn.
        """
        if not self.knows(scenes):
            if self._is_closed:
                raise NotDrawnYet(asyncio.get_running_loop().create_future())
            turns = [self._ask(scene, (place, number)) for number, scene in enumerate(scenes)]
            await asyncio.wait(turns, timeout=seconds)
            late = [turn for scene, turn in zip(scenes, turns, strict=True) if not self.knows([scene])]
            if late:
                raise NotDrawnYet(late[0])
        return [self._file(scene) for scene in scenes]

    def spare(self, place: Hashable) -> asyncio.Future[None]:
        """Done when there is time for the picture that was left out in this place: one at a time."""
        if place not in self._left_out:
            self._left_out[place] = asyncio.get_running_loop().create_future()
            self._look_later()
        return self._left_out[place]

    def close(self) -> None:
        """Draw nothing more: messages that wait for their pictures stay as they are."""
        self._is_closed = True
        for timer in (self._glance, self._work):
            if timer:
                timer.cancel()
        for turn in (*self._line.values(), *([self._now] if self._now else ())):
            turn.done.cancel()

    def _file(self, scene: Scene) -> bytes | None:
        file = self._files.pop(scene, None)
        if file is not None:
            self._files[scene] = file
        return file

    def _has_failed(self, scene: Scene) -> bool:
        if self._failed.get(scene, 0.0) > self._budget.clock():
            return True
        self._failed.pop(scene, None)
        return False

    # Drawing

    def _ask(self, scene: Scene, place: Hashable) -> asyncio.Future[None]:
        if self._now and self._now.scene == scene:
            return self._now.done
        loop = asyncio.get_running_loop()
        turn = self._line.setdefault(place, Turn(scene, loop.create_future()))
        turn.scene = scene
        if self._work is None or self._work.done():
            self._work = loop.create_task(self._draw_all())
        return turn.done

    async def _draw_all(self) -> None:
        while self._line:
            self._now = self._line.pop(next(iter(self._line)))
            if not self.knows([self._now.scene]):
                await self._try(self._now)
            self._now.done.set_result(None)
            self._now = None
        self._look()

    async def _try(self, turn: Turn) -> None:
        scene = turn.scene
        for tries_left in reversed(range(TRIES)):
            try:
                file = await self._draw(scene)
                break
            except Exception:
                file = None
                if not tries_left:
                    self.left_out["failed"] += 1
                    self._complain(scene)
        if file is None:
            self._failed[scene] = self._budget.clock() + FAILED_FOR
            return
        self.drawn.add(perf_counter() - turn.asked)
        self._files[scene] = file
        if len(self._files) > KEPT:
            del self._files[next(iter(self._files))]

    def _complain(self, scene: Scene) -> None:
        if type(scene) not in self._complained:  # it may fail for each card of a game
            self._complained.add(type(scene))
            log.exception("A picture could not be drawn; words take its place.")

    # What was left out

    def _look_later(self) -> None:
        if self._glance is None and not self._is_closed:
            self._glance = asyncio.get_running_loop().call_later(GLANCE, self._look)

    def _look(self) -> None:
        """In a quiet moment, let the place go on that has waited longest for one."""
        if self._glance:
            self._glance.cancel()
            self._glance = None
        if self._left_out and not self._line and not self._budget.is_tight:
            self._left_out.pop(next(iter(self._left_out))).set_result(None)
        if self._left_out:
            self._look_later()
