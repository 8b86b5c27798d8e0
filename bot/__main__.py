"""`python -m bot`: the bot on Discord, or with `--local` in a browser.

`backup` copies the database, `check` says whether everything is ready, `health` whether the bot is connected,
and `status` shows its figures. While the bot is stopped, `remove` deletes a game's results, and `block` and
`unblock` decide who may use it.
"""

import argparse
import asyncio
import logging
import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn

from bot.config import ENV_IS_OPEN, ConfigError, Settings, is_file_open
from bot.heartbeat import health_problem, last_status
from bot.logs import MASK, set_up
from engine import __version__
from engine.errors import OPTIMIZED, Refusal, StorageError
from engine.storage.backup import back_up

log = logging.getLogger(__name__)

NO_TOKEN = (
    "DISCORD_TOKEN is not set. Put your bot's token into .env (see README.md), "
    "or play without one in your browser: python -m bot --local"
)


def main() -> None:
    """Run until stopped; exit with status 2 and a sentence if settings, database or backup are wrong."""
    _prepare_outputs()
    if not __debug__:
        _end(OPTIMIZED, 2)
    arguments = _parser().parse_args()
    try:
        settings = Settings.read()
        if arguments.command == "backup":
            _back_up(settings.database, arguments.file)
        elif arguments.command == "check":
            _check(settings, arguments)
        elif arguments.command == "health":
            _print_health(settings.database)
        elif arguments.command == "status":
            _print_status(settings.database)
        elif arguments.command in ("remove", "block", "unblock"):
            _moderate(settings.database, arguments)
        else:
            _run(settings, local=arguments.local)
    except ConfigError as problem:
        _end(str(problem), 2)


def _prepare_outputs() -> None:
    """Send closed streams to devnull, and escape characters that the output can't encode."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _say(text: str) -> None:
    if problem := _print(text):
        _end(f"Cannot write: {problem}.", 1)


def _print(text: str) -> str | None:
    """Print this; returns the problem if it can't be written, and discards everything printed later."""
    try:
        print(text, flush=True)  # noqa: T201
    except OSError as problem:  # a full disk, or a closed pipe
        # Python flushes standard output when it exits, which must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return problem.strerror
    return None


def _end(sentence: str, status: int) -> NoReturn:
    with suppress(OSError):
        print(sentence, file=sys.stderr)  # noqa: T201
    sys.exit(status)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot", description="Hearts in Discord.")
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument("--local", action="store_true", help="play in a browser, without Discord or a token")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    backup = commands.add_parser("backup", help="copy the database safely, even while the bot runs")
    backup.add_argument("file", metavar="FILE", type=Path, help="the copy, which must not exist yet")
    check = commands.add_parser("check", help="check that everything is ready, without starting the bot")
    check.add_argument(
        "--channel",
        metavar="ID",
        type=_id,
        help="also post a picture and ask for a click in this channel, then clean up; best in a test server",
    )
    check.add_argument(
        "--wait", metavar="SECONDS", type=float, default=120.0, help="for your click; 0 asks for none"
    )
    check.add_argument(
        "--json",
        metavar="FILE",
        nargs="?",
        const="-",
        help="also write the report as JSON; - is standard output",
    )
    commands.add_parser("health", help="say whether the bot is connected to Discord; exit status 1 if not")
    commands.add_parser("status", help="show the figures of the bot that is running")
    remove = commands.add_parser("remove", help="remove a game's results, and compute all ratings again")
    remove.add_argument(
        "table", metavar="TABLE", type=_table, help="its number, as in the name of the file of /hearts record"
    )
    for name, does in (("block", "refuse someone everything but /hearts privacy"), ("unblock", "undo that")):
        person = commands.add_parser(name, help=does)
        person.add_argument("person", metavar="PERSON", type=_id, help="their ID in Discord")
    return parser


def _id(text: str) -> int:
    if not re.fullmatch("[0-9]{15,19}", text):
        raise argparse.ArgumentTypeError(f"{text!r} isn't an ID of Discord, a number of about 19 digits")
    return int(text)


def _table(text: str) -> int:
    if not re.fullmatch("[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"{text!r} isn't the number of a table")
    return int(text)


def _run(settings: Settings, *, local: bool) -> None:
    if settings.token is None and not local:
        raise ConfigError(NO_TOKEN)
    from bot import running  # slow to import, and not needed for a backup or to report a wrong setting

    level = max(settings.log_level, logging.WARNING) if local else settings.log_level
    set_up(level, settings.log_format, settings.token)
    if is_file_open():
        log.warning(ENV_IS_OPEN)
    try:
        work = running.play_locally(settings, _say) if local else running.serve(settings)
        asyncio.run(running.until_stopped(work))
    except ConfigError:
        raise
    except Refusal as problem:
        log.critical("The bot can't start: %s", problem)
        sys.exit(1)
    except Exception:
        # Python would print the traceback with its secrets.
        log.critical("The bot has stopped because of an error.", exc_info=True)
        sys.exit(1)


def _check(settings: Settings, arguments: argparse.Namespace) -> NoReturn:
    """Check that everything is ready, and exit with status 0 if it is, else 1."""
    from bot import check, running

    problems: list[str] = []
    tell = _masked(settings.token, problems, to_stderr=arguments.json == "-")
    # The report says what is wrong; the log is only for debugging the check itself.
    level = logging.DEBUG if settings.log_level == logging.DEBUG else logging.CRITICAL
    set_up(level, settings.log_format, settings.token)
    report = check.Report(tell)
    try:
        work = check.check(report, settings, arguments.channel, arguments.wait)
        asyncio.run(running.until_stopped(work))
    except Exception as error:
        log.critical("The check has stopped because of an error.", exc_info=True)
        tell(f"\nThe check itself failed: {type(error).__name__}: {error}")
    report.end()
    if arguments.json:
        _write(arguments.json, report.as_json())
    if problems:
        _end(f"Cannot write: {problems[0]}.", 1)
    sys.exit(0 if report.is_ready else 1)


def _masked(token: str | None, problems: list[str], *, to_stderr: bool) -> Callable[[str], None]:
    """A function that prints text with the token masked.

    Errors while printing are added to `problems`, since a check must still clean up.
    """

    def tell(text: str) -> None:
        masked = text.replace(token, MASK) if token else text
        if to_stderr:
            with suppress(OSError):
                print(masked, file=sys.stderr, flush=True)  # noqa: T201
        elif problem := _print(masked):
            problems.append(problem)

    return tell


def _write(file: str, text: str) -> None:
    if file == "-":
        _say(text)
        return
    try:
        Path(file).write_text(f"{text}\n", "utf-8")
    except (OSError, ValueError) as problem:
        _end(f"Cannot write {file!r}: {getattr(problem, 'strerror', None) or problem}.", 1)


def _back_up(database: Path, copy: Path) -> None:
    try:
        back_up(database, copy)
    except StorageError as problem:
        raise ConfigError(f"No backup was made of HEARTS_DATABASE, {str(database)!r}: {problem}.") from None
    _say(f"{copy} is a copy of {database}: {copy.stat().st_size} bytes.")


def _moderate(path: Path, arguments: argparse.Namespace) -> None:
    where = f"HEARTS_DATABASE, {str(path)!r}"
    if not os.path.isfile(path):
        raise ConfigError(f"There is no HEARTS_DATABASE {str(path)!r}.")
    try:
        _say(asyncio.run(_moderated(path, arguments)))
    except StorageError as problem:
        raise ConfigError(f"Nothing was changed in {where}: {problem}. Stop the bot first.") from None
    except Refusal as problem:
        raise ConfigError(f"Nothing was changed in {where}: {problem}.") from None


async def _moderated(path: Path, arguments: argparse.Namespace) -> str:
    """Carry out the operator's decision; returns a sentence about it."""
    from engine.storage import moderation
    from engine.storage.database import Database

    database = await Database.open(path)
    try:
        if arguments.command == "remove":
            if not await moderation.remove_results(database, arguments.table):
                raise ConfigError(f"Table {arguments.table} has no results.")
            return f"The results of table {arguments.table} have been removed."
        if arguments.command == "block":
            await moderation.block(database, arguments.person)
            return f"{arguments.person} is blocked."
        await moderation.unblock(database, arguments.person)
        return f"{arguments.person} isn't blocked."
    finally:
        await database.close()


def _print_health(database: Path) -> None:
    if problem := health_problem(database):
        _end(problem, 1)
    _say("The bot is connected to Discord.")


def _print_status(database: Path) -> None:
    status = last_status(database)
    if problem := health_problem(database):
        _end(problem, 1)
    _say(status)


if __name__ == "__main__":
    main()
