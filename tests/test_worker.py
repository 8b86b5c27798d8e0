"""A process that works beside this one, comes back when it is lost, and goes with this one."""

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine.cards import card
from engine.worker import Lost, Worker

LONG = 60.0  # seconds


@pytest.fixture
def worker() -> Iterator[Worker]:
    with closing(Worker("engine.cards", nice=5)) as worker:
        yield worker


def runs(pid: int) -> bool:
    """Whether this process is there and has not ended."""
    try:
        os.kill(pid, signal.SIG_DFL)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_it_works_elsewhere_and_stands_back(worker: Worker) -> None:
    assert worker.call(LONG, os.getpid) == worker.pid != os.getpid()
    assert worker.call(LONG, os.nice, 0) == min(19, os.nice(0) + 5)
    assert worker.call(LONG, card, "QS") is card("QS")


def test_what_it_prints_is_no_answer_and_what_it_logs_is_in_our_log(
    worker: Worker, caplog: pytest.LogCaptureFixture
) -> None:
    assert worker.call(LONG, os.system, "echo noise; exit 0") == 0
    assert worker.call(LONG, print, "noise") is None
    worker.call(LONG, logging.warning, "out of %s", "ink")
    assert caplog.record_tuples == [("root", logging.WARNING, "out of ink")]


def test_one_that_cannot_begin_is_lost_until_it_can(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    for nowhere in ("/nowhere", "/bin/false"):
        monkeypatch.setattr(sys, "executable", nowhere)
        with pytest.raises(Lost):
            worker.call(LONG, os.getpid)
    monkeypatch.undo()
    assert worker.call(LONG, os.getpid) == worker.pid


@pytest.mark.slow
def test_it_ends_in_whatever_it_does_when_whoever_called_is_killed() -> None:
    begin = (
        "import os, time; from engine.worker import Worker; worker = Worker('engine.cards', 5);"
        "print(worker.call(60, os.getpid), flush=True); worker.call(1000, time.sleep, 1000)"
    )
    with subprocess.Popen([sys.executable, "-c", begin], stdout=subprocess.PIPE) as caller:
        working = int(caller.stdout.readline())
        caller.kill()
    # Its end of a pipe is the last thing that it lets go of; whoever waits for it is its new parent.
    deadline = time.monotonic() + LONG
    while runs(working):
        assert time.monotonic() < deadline
        time.sleep(0.001)
