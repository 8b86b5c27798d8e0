"""The engine's commands: `python -m engine presets | play | replay | verify | advise | ratings`."""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from engine import __version__
from engine.cli import advise, play, presets, ratings, records
from engine.errors import OPTIMIZED

INTERRUPTED = 130  # a shell's status for Ctrl-C
PIPE_CLOSED = 141  # a shell's status for a closed pipe


class Parser(argparse.ArgumentParser):
    """Reports wrong arguments in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Exit with status 2."""
        self.exit(2, f"{self.prog}: {message}. See --help.\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, and return its exit status."""
    parser = Parser(prog="python -m engine", description="The Hearts family of card games.")
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (presets, play, records, advise, ratings):
        command.add_to(commands)
    parsed = parser.parse_args(arguments)
    status: int = parsed.run(parsed)
    return status


def quietly() -> int:
    """Run `main` without a traceback if it is interrupted, or its output is closed or full."""
    if sys.stderr is None:  # closed
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if not __debug__:
        sys.stderr.write(f"{OPTIMIZED}\n")
        return 2
    if sys.stdout is None:
        sys.stderr.write("There is no standard output.\n")
        return 2
    try:
        status = _status()
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    except OSError as error:  # a full disk, for example
        _drop_output()
        with suppress(OSError):
            sys.stderr.write(f"Cannot write: {error.strerror}.\n")
        return 2


def _status() -> int:
    try:
        return main()
    except SystemExit as end:  # after --help, whose output may fail too
        return int(end.code or 0)


def _drop_output() -> None:
    """Discard output: Python flushes standard output when it exits, which must not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(quietly())
