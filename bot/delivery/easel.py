"""Pictures, drawn beside the loop."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from time import perf_counter

from bot.scenes import Scene
from engine.durations import Durations

log = logging.getLogger(__name__)
#: Draws a scene, in some tens of milliseconds; None where it cannot be drawn.
Draw = Callable[[Scene], Awaitable[bytes | None]]
#: Pictures that may wait or be drawn at once: enough for all hands of a table and its board.
MOST_WAITING = 12
#: Seconds that a message waits for its picture: clicks are answered or acknowledged meanwhile.
PATIENCE = 2.5
#: The last pictures are kept: one hand is shown by DM and under My hand, and what got lost is sent again.
KEPT = 64

#: Why a picture is left out: too many wait, it took too long, it cannot be drawn; and as others find, no call
#: may be made for a while, or Discord takes no file.
REASONS = ("busy", "late", "failed", "no_call", "refused")


class Easel:
    """Draws each scene once, for all who want it at about the same time."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self._turn = asyncio.Lock()  # drawing takes one processor
        self._pictures: dict[Scene, asyncio.Future[bytes | None]] = {}
        self._waiting = 0
        self._is_closed = False
        self._failed: set[type[Scene]] = set()
        #: How long each picture took that was drawn, from when it was asked for.
        self.drawn = Durations()
        #: How often a picture was left out, by the reason.
        self.left_out = Counter(dict.fromkeys(REASONS, 0))

    async def picture(self, scene: Scene) -> bytes | None:
        """The file; None where it cannot be drawn, or not soon, as many others wait."""
        drawing = self._pictures.pop(scene, None)
        if drawing is None:
            if self._is_closed:
                return None
            if self._waiting >= MOST_WAITING:
                self.left_out["busy"] += 1
                return None
            self._waiting += 1
            drawing = asyncio.ensure_future(self._work(scene))
        self._pictures[scene] = drawing  # the last one now
        if len(self._pictures) > KEPT:
            del self._pictures[next(iter(self._pictures))]
        await asyncio.wait([drawing], timeout=PATIENCE)
        file = drawing.result() if drawing.done() and not drawing.cancelled() else None
        if file is None:
            self.left_out["failed" if drawing.done() else "late"] += 1
        return file

    def close(self) -> None:
        """Draw nothing more; what is about to be drawn comes to nothing."""
        self._is_closed = True
        for drawing in self._pictures.values():
            drawing.cancel()

    async def _work(self, scene: Scene) -> bytes | None:
        began = perf_counter()
        try:
            async with self._turn:
                file = await self._draw(scene)
            if file is not None:
                self.drawn.add(perf_counter() - began)
            return file
        except Exception:
            if type(scene) not in self._failed and not self._is_closed:  # it may fail for each card of a game
                self._failed.add(type(scene))
                log.exception("A picture could not be drawn; words take its place.")
            return None
        finally:
            self._waiting -= 1
