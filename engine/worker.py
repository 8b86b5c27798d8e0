"""A worker process: long work in this process would slow down everything else."""

import logging
import math
import os
import pickle
import subprocess
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from logging.handlers import QueueHandler
from queue import SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic
from typing import IO, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

#: Seconds between checks for an overdue answer. A timer for each call would start a thread, which takes
#: longer than most calls.
GLANCE = 0.25


class Failed(Exception):
    """The function raised an exception in the process; the message is its traceback."""


class Lost(Exception):
    """The process died, took too long, or couldn't start."""


class Worker:
    """A process that calls module-level functions one after another, while the callers' threads wait.

    It first imports the module `imports`, and ends when its parent process does. After it is lost, the next
    call starts another. `nice` is its niceness, at most 19.
    """

    def __init__(self, imports: str, nice: int) -> None:
        self._code = f"from {__name__} import work; work({imports!r}, {nice})"
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = Event()
        self._due = math.inf  # the deadline of the answer, by the monotonic clock
        self._call_lock = Lock()  # one call at a time
        self._process_lock = Lock()  # for starting and ending the process
        self._is_closed = False

    @property
    def pid(self) -> int | None:
        """The id of its process, if there is one."""
        return self._process.pid if self._process else None

    def open(self) -> subprocess.Popen[bytes]:
        """Start the process ahead of the first call, as that takes a second; Lost if it can't start."""
        with self._process_lock:
            if self._is_closed:
                raise Lost("it is closed")
            if self._process is None:
                self._process = _begin(self._code)
                self._ended = Event()
                Thread(target=self._watch, args=[self._process, self._ended], daemon=True).start()
            return self._process

    def call(self, seconds: float, function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        """Call this function in the process; Failed if it raises, Lost without an answer in these seconds."""
        request = pickle.dumps((function, arguments, options))
        with self._call_lock:
            process = self.open()
            self._due = monotonic() + seconds
            try:
                _put(process.stdin, request)
                reply = pickle.load(process.stdout)  # type: ignore[arg-type]
            except (OSError, EOFError, ValueError, pickle.UnpicklingError) as error:  # perhaps it was closed
                self.end()
                raise Lost(f"after {function.__name__}") from error
            finally:
                self._due = math.inf
        packed, logged = pickle.loads(reply)
        for record in logged:
            logging.getLogger(record.name).handle(record)
        is_well, answer = pickle.loads(packed)
        if not is_well:
            raise Failed(answer)
        return answer  # type: ignore[no-any-return]

    def _watch(self, process: subprocess.Popen[bytes], ended: Event) -> None:
        """Kill the process once an answer is overdue."""
        while not ended.wait(GLANCE):
            if monotonic() > self._due:
                process.kill()

    def close(self) -> None:
        """Kill the process for good: later calls raise Lost."""
        self._is_closed = True
        self.end()

    def end(self) -> None:
        """Kill the process; the next call starts another."""
        with self._process_lock:
            process, self._process = self._process, None
            self._ended.set()
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # the pipe held data that the process never read
                assert pipe is not None
                pipe.close()


def _begin(code: str) -> subprocess.Popen[bytes]:
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.BELOW_NORMAL_PRIORITY_CLASS
    try:
        return subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Ctrl-C is for the bot, which then closes this one. In its own session, niceness might not work.
            process_group=0,
            creationflags=flags,
        )
    except OSError as error:
        raise Lost("it cannot begin") from error


def work(imports: str, nice: int) -> None:
    """Answer calls until the parent process ends; log records are sent with the next answer."""
    if sys.platform != "win32":
        os.nice(nice)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # printed text must not mix with answers
    calls: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_queue_calls, args=[calls], daemon=True).start()
    logged: SimpleQueue[logging.LogRecord] = SimpleQueue()
    logging.getLogger().addHandler(QueueHandler(logged))
    import_module(imports)
    with suppress(OSError):  # the caller is gone
        while True:
            packed = _answer(calls.get())
            records = [logged.get() for _ in range(logged.qsize())]
            _put(answers, pickle.dumps((packed, records)))


def _queue_calls(calls: SimpleQueue[bytes]) -> None:
    """Queue each call; when the pipe closes, end the process, even in the middle of a call."""
    with suppress(EOFError, OSError):
        while True:
            calls.put(pickle.load(sys.stdin.buffer))
    os._exit(0)


def _answer(request: bytes) -> bytes:
    try:
        function, arguments, options = pickle.loads(request)
        return pickle.dumps((True, function(*arguments, **options)))
    except Exception:
        return pickle.dumps((False, traceback.format_exc()))


def _put(pipe: IO[bytes] | None, packed: bytes) -> None:
    """Pickle pickled bytes once more, so that the reader gets all of them even if they can't be unpickled."""
    assert pipe is not None
    pickle.dump(packed, pipe)
    pipe.flush()
