"""Pictures are drawn in a process of their own, which comes back when it is lost and goes with the bot."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from bot.pictures import Studio, draw
from bot.scenes import FanScene
from engine.cards import cards

FAN = FanScene(cards("2C QD KS AH"))


@pytest.fixture
def studio() -> Iterator[Studio]:
    studio = Studio()
    yield studio
    studio.close()


def process(studio: Studio) -> subprocess.Popen[bytes]:
    studio.open()
    assert studio._process is not None
    return studio._process


def test_it_draws_what_would_be_drawn_here(studio: Studio) -> None:
    assert studio.draw(FAN) == draw(FAN)
    assert studio.draw(FAN) == draw(FAN)


def test_what_cannot_be_drawn_is_told_and_the_next_picture_comes(studio: Studio) -> None:
    nonsense: Any = FanScene(("no card",))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Traceback"):
        studio.draw(nonsense)
    assert studio.draw(FAN) == draw(FAN)


def test_when_its_process_is_killed_another_draws(studio: Studio) -> None:
    process(studio).kill()
    process(studio).wait()
    with pytest.raises((OSError, EOFError)):
        studio.draw(FAN)
    assert studio.draw(FAN) == draw(FAN)


def test_it_ends_when_it_is_closed(studio: Studio) -> None:
    running = process(studio)
    studio.close()
    assert running.poll() is not None


@pytest.mark.slow
def test_it_ends_when_the_bot_is_killed() -> None:
    begin = "from bot.pictures import *; s = Studio(); s.open(); print(s._process.pid, flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", begin], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as bot:
        assert bot.stdout is not None
        drawing = int(bot.stdout.readline())
        bot.kill()
    # Its end of a pipe is the last thing that it lets go of; whoever waits for it is its new parent.
    while _runs(drawing):
        os.sched_yield()


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIG_DFL)
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
