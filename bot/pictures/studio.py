"""Draws in a process of its own: in this one, drawing would take turns with all that waits for an answer."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import traceback
from contextlib import suppress
from threading import Lock
from typing import IO

from bot.pictures.drawing import draw
from bot.scenes import Scene

#: What the process runs.
BEGIN = f"from {__name__} import work; work()"
#: How far it stands back where somebody else wants the processor.
NICE = 5


class Studio:
    """One scene after another, for threads that can wait. The process ends when this one does."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = Lock()

    def open(self) -> None:
        """Let it begin now: it takes a second until the first picture can be drawn."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-c", BEGIN],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # ^C is for the bot, which then closes it
            )

    def draw(self, scene: Scene) -> bytes:
        """The picture as a file; ValueError if that fails, OSError and EOFError its process has died."""
        with self._turn:
            self.open()
            assert self._process is not None
            try:
                _put(self._process.stdin, scene)
                drawn = pickle.load(self._process.stdout)  # type: ignore[arg-type]
            except (OSError, EOFError):
                self.close()  # the next picture has a new process
                raise
        if isinstance(drawn, str):
            raise ValueError(drawn)
        assert isinstance(drawn, bytes)
        return drawn

    def close(self) -> None:
        """End it where it is."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # what it did not read any more
                assert pipe is not None
                pipe.close()


def work() -> None:
    """Draw each scene that comes, until none can come any more."""
    if sys.platform != "win32":
        os.nice(NICE)
    while True:
        try:
            scene = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            drawn: bytes | str = draw(scene)
        except Exception:
            drawn = traceback.format_exc()
        _put(sys.stdout.buffer, drawn)


def _put(pipe: IO[bytes] | None, value: object) -> None:
    assert pipe is not None
    pipe.write(pickle.dumps(value))
    pipe.flush()
