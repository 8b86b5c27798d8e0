"""Draws in a process of its own."""

from __future__ import annotations

import asyncio

from bot.pictures import drawing
from bot.scenes import Scene
from engine.worker import Worker

#: Seconds after which a process that has not drawn a picture has hung.
LONGEST = 30.0
#: How far it stands back: people wait for pictures, but for other answers more.
NICE = 5


class Studio:
    """One scene after another."""

    def __init__(self) -> None:
        self._worker = Worker(drawing.__name__, NICE)

    def open(self) -> None:
        """Start the process now: it takes a second until the first picture can be drawn."""
        self._worker.open()

    async def draw(self, scene: Scene) -> bytes:
        """The picture as a file; Failed if it cannot be drawn, Lost if its process has died."""
        return await asyncio.to_thread(self._worker.call, LONGEST, drawing.draw, scene)

    def close(self) -> None:
        """End it where it is."""
        self._worker.close()
