"""The bot's process is killed or told to stop while people click: nothing is lost, and the games go on."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from random import Random

import pytest
from bot_life import live
from lives import LONGEST_LIFE, Diary, check, life, outlive_kills, wait_for_moves

pytestmark = pytest.mark.slow

KILLS = 25
STOPS = 4


def test_a_bot_that_is_killed_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    outlive_kills(live, tmp_path, Random(6), kills=KILLS, most=12)


def test_a_bot_that_is_told_to_stop_finishes_what_is_in_hand(tmp_path: Path) -> None:
    rng = Random(7)
    for number in range(STOPS):
        folder = tmp_path / str(number)
        folder.mkdir()
        diary = Diary(folder)
        with life(live, folder, number) as process:
            wait_for_moves(process, diary, 0, rng.randrange(3, 30))
            for _ in range(2):  # and an impatient second time
                time.sleep(rng.uniform(0, 0.01))
                os.kill(process.pid, signal.SIGTERM)
            process.join(LONGEST_LIFE)
            assert process.exitcode == 0
        left = check(folder / "hearts.sqlite3", diary)
        assert diary.read("closed").total() == 1
        # What was taken in hand was finished and answered, too.
        assert left.moves() == diary.read("acked")
