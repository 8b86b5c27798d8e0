"""Running the bot: what keeps it from starting, what it logs, and copies of its database."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from bot.config import ConfigError, Settings
from bot.logs import Format, JsonFormatter, Masked
from engine import __version__
from engine.errors import StorageError
from engine.rules.ruleset import Ruleset
from engine.storage import settings
from engine.storage.backup import WORKSHOP, back_up
from engine.storage.database import Database
from engine.storage.migrations import MIGRATIONS
from engine.tables import Person, Tables

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
TOKEN = "MTA5.secret-of-the-bot.AbCdEf_0123456789"
#: Root may write everywhere; without this capability it is like anybody else.
AS_ANYBODY = ("setpriv", "--bounding-set=-dac_override") if os.getuid() == 0 else ()
HOLD = """
import asyncio, sys
from engine.storage.database import Database
async def hold():
    database = await Database.open(sys.argv[1])
    await database.read_apart(lambda connection: connection.execute("SELECT 1").fetchall())
    print("open", flush=True)
    await asyncio.sleep(60)
asyncio.run(hold())
"""


def bot(
    *arguments: str,
    database: Path,
    before: tuple[str, ...] = (),
    preparing: Callable[[], None] | None = None,
    **settings: str,
) -> subprocess.CompletedProcess[str]:
    """`python -m bot`, as a shell starts it."""
    given = {"DISCORD_TOKEN": TOKEN, "HEARTS_DATABASE": str(database), "HEARTS_LOG_LEVEL": "INFO", **settings}
    return subprocess.run(
        [*before, sys.executable, "-m", "bot", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **given},
        preexec_fn=preparing,
        timeout=60,
    )


def refused(run: subprocess.CompletedProcess[str], database: Path) -> str:
    """The one sentence of a run that could not begin, without what all of them say."""
    assert run.returncode == 2, run.stderr
    assert run.stdout == ""
    start = f"HEARTS_DATABASE is {str(database)!r}, which cannot be used: "
    assert run.stderr.startswith(start)
    assert run.stderr.endswith(".\n")
    assert run.stderr.count("\n") == 1
    return run.stderr.removeprefix(start).removesuffix(".\n")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with a table."""
    path = tmp_path / "hearts.sqlite3"
    asyncio.run(_open_tables(path, 1))
    return path


async def _open_tables(path: Path, count: int) -> None:
    database = await Database.open(path)
    tables = Tables(database)
    for channel in range(count):
        await tables.open(1, channel, Person(channel, f"Player {channel}"), Ruleset.of("classic", 4))
    await tables.close()
    await database.close()


def hosts(path: Path) -> list[int]:
    """The host of each table, read without the bot's help."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        return [host for (host,) in connection.execute("SELECT host FROM tables ORDER BY id")]


# A database that cannot be used


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann,\n" * 500)
    assert refused(bot(database=path), path) == "it is no database"
    assert path.read_text() == "Dear Ann,\n" * 500


def test_a_damaged_database(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:8192] = b"\xa5" * 4096
    path.write_bytes(content)
    assert refused(bot(database=path), path) == "it is damaged"
    assert path.read_bytes() == content


@pytest.mark.parametrize("name", [b"CREATE TABLE seats", b"            person"])
def test_a_database_whose_schema_is_damaged(path: Path, name: bytes) -> None:
    content = path.read_bytes().replace(name, name[:-3] + b"\xff\xfe\x81", 1)
    path.write_bytes(content)
    assert refused(bot(database=path), path) == "it is damaged"
    assert path.read_bytes() == content


def test_a_database_of_a_newer_version(path: Path) -> None:
    others_file(
        path, "PRAGMA user_version = 1000", "UPDATE settings SET value = '7.1' WHERE name = 'version'"
    )
    why = f"version 7.1 of this program has written it, and this is {__version__}"
    assert refused(bot(database=path), path) == why
    others_file(path, "UPDATE settings SET value = 'the newest' WHERE name = 'version'")
    why = f"a newer version of this program has written it, and this is {__version__}"
    assert refused(bot(database=path), path) == why


def test_a_database_names_the_version_that_has_opened_it_last(path: Path) -> None:
    others_file(path, "UPDATE settings SET value = '0.0.1' WHERE name = 'version'")
    asyncio.run(_open_tables(path, 0))
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT value FROM settings WHERE name = 'version'").fetchall()
    assert found == [(__version__,)]


def test_a_folder_that_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "hearts.sqlite3"
    assert refused(bot(database=path), path) == "no such file or directory"


def test_a_folder_in_which_nothing_may_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(0o555)
    path = folder / "hearts.sqlite3"
    assert refused(bot(database=path, before=AS_ANYBODY), path) == "permission denied"
    assert list(folder.iterdir()) == []


def test_a_file_that_may_not_be_written(path: Path) -> None:
    before = path.read_bytes()
    path.chmod(0o444)
    assert refused(bot(database=path, before=AS_ANYBODY), path) == "it may not be written"
    assert path.read_bytes() == before


def full_beyond(size: int) -> dict[str, Any]:
    """How to start a `bot` that can write no file beyond this size, as on a full disk or with a quota."""
    return {
        "preparing": partial(resource.setrlimit, resource.RLIMIT_FSIZE, (size, size)),
        # Python would keep its compiled modules cut short, and could never load them again.
        "PYTHONDONTWRITEBYTECODE": "1",
    }


@pytest.mark.parametrize(
    ("size", "why"), [(6_000, "the disk is full"), (40_000, "the disk is full, or broken")]
)
def test_a_full_disk(tmp_path: Path, size: int, why: str) -> None:
    path = tmp_path / "hearts.sqlite3"
    assert refused(bot(database=path, **full_beyond(size)), path) == why
    asyncio.run(_open_tables(path, 1))  # what is left of it can be used once there is space
    assert hosts(path) == [0]


def test_a_disk_that_is_full_when_the_bot_comes_back(path: Path) -> None:
    assert refused(bot(database=path, **full_beyond(6_000)), path) == "the disk is full"
    assert hosts(path) == [0]


def test_a_lock_of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert refused(bot(database=path), path) == "another program has locked it"


# A file of another program


def others_file(path: Path, *statements: str) -> bytes:
    """A database of another program, as its bytes."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
    return path.read_bytes()


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE recipes (name TEXT)"],
        ["PRAGMA journal_mode = WAL", "CREATE TABLE recipes (name TEXT)", "PRAGMA user_version = 1"],
        ["CREATE TABLE tables (id INTEGER PRIMARY KEY, wood TEXT)", "PRAGMA user_version = 1"],
        ["CREATE VIEW all_of_it AS SELECT 1 AS one"],
        ["PRAGMA application_id = 7"],
        ["PRAGMA user_version = 1"],
    ],
)
def test_a_file_of_another_program_is_not_touched(tmp_path: Path, statements: list[str]) -> None:
    path = tmp_path / "recipes.sqlite3"
    before = others_file(path, *statements)
    assert refused(bot(database=path), path) == "it belongs to another program"
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_database_of_ours_in_which_a_table_is_missing(path: Path) -> None:
    others_file(path, "DROP TABLE results")
    assert refused(bot(database=path), path) == "it is damaged"


def test_our_files_say_so(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchall() == [(0x48525453,)]
    assert path.read_bytes()[68:72] == b"HRTS"


async def test_a_backup_from_before_they_did_still_opens(path: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.sqlite3"
    with closing(sqlite3.connect(old)) as connection, connection:
        for statement in MIGRATIONS[0]:
            connection.execute(statement)
        connection.execute("PRAGMA user_version = 1")
        connection.execute("INSERT INTO settings (name, value) VALUES ('name', 'value')")
    database = await Database.open(old)
    assert await settings.find(database, "name") == "value"
    await database.close()
    assert old.read_bytes()[68:72] == b"HRTS"


@pytest.mark.parametrize("content", [b"", None])
async def test_an_empty_file_is_ours_to_take(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "hearts.sqlite3"
    if content is not None:
        path.write_bytes(content)
    await _open_tables(path, 1)
    assert hosts(path) == [0]


# A path that cannot be one


def test_a_database_in_memory() -> None:
    path = Path(":memory:")
    why = "it must be a file, for the tables outlive a restart"
    assert refused(bot(database=path), path) == why


def test_a_folder_in_place_of_a_database(tmp_path: Path) -> None:
    assert refused(bot(database=tmp_path), tmp_path) == "it is a folder"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_in_place_of_a_database(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    assert refused(bot(database=path), path) == "it is no file"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_to_itself(tmp_path: Path) -> None:
    path = tmp_path / "link"
    path.symlink_to(path)
    assert refused(bot(database=path), path) == "too many levels of symbolic links"


# Two bots


@contextmanager
def another_bot(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the database open."""
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        yield other
    finally:
        other.kill()
        other.communicate()


def test_a_second_bot_on_the_same_database_does_not_start(path: Path) -> None:
    with another_bot(path):
        assert refused(bot(database=path), path) == "another bot is running with it"


def test_nor_by_another_name_of_the_file(path: Path) -> None:
    link = path.with_name("link.sqlite3")
    link.symlink_to(path)
    with another_bot(path):
        assert refused(bot(database=link), link) == "another bot is running with it"


def test_nor_by_another_name_that_is_a_hard_link(path: Path) -> None:
    link = path.with_name("link.sqlite3")
    with another_bot(path):
        link.hardlink_to(path)
        before = path.read_bytes()
        assert (
            refused(bot(database=link), link)
            == "it has another name as well, a hard link: only one may be left"
        )
        assert path.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody delete an open file")
@pytest.mark.parametrize("mode", ["WAL", "DELETE", "new"])
def test_nor_when_somebody_has_deleted_its_lock_file(path: Path, mode: str) -> None:
    lock = path.with_name(f"{path.name}.lock")
    if mode == "new":
        path.unlink()
    else:
        others_file(path, f"PRAGMA journal_mode = {mode}")
    with another_bot(path):
        lock.unlink()
        others_file(path, "INSERT INTO settings VALUES ('somebody', 'looks at it')")
        for _ in range(2):
            assert refused(bot(database=path), path) == "another bot is running with it"


async def test_a_bot_that_was_killed_leaves_the_way_free(path: Path) -> None:
    with another_bot(path) as other:
        with pytest.raises(StorageError):
            await Database.open(path)
        other.send_signal(signal.SIGKILL)
        other.wait()
        await (await Database.open(path)).close()


# Logs


class Discord(BaseHTTPRequestHandler):
    """Refuses everything, and says the token while it does."""

    def do_GET(self) -> None:
        self.server.asked_with = self.headers["Authorization"]  # type: ignore[attr-defined]
        content = json.dumps({"code": 0, "message": f"You sent {self.headers['Authorization']}"}).encode()
        self.send_response(400)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def discord() -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Discord) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def log_in(port: int, path: Path, format: str) -> subprocess.CompletedProcess[str]:
    """The bot, where this port of this machine is Discord."""
    start = (
        "import discord.http, sys\n"
        f"discord.http.Route.BASE = 'http://127.0.0.1:{port}'\n"
        "from bot.__main__ import main\n"
        "main()\n"
    )
    settings = {
        "DISCORD_TOKEN": TOKEN,
        "HEARTS_DATABASE": str(path),
        "HEARTS_LOG_LEVEL": "DEBUG",
        "HEARTS_LOG_FORMAT": format,
    }
    return subprocess.run(
        [sys.executable, "-c", start],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **settings},
        timeout=60,
    )


def be_refused(discord: ThreadingHTTPServer, path: Path, format: str) -> str:
    """What the bot logs when this Discord refuses it."""
    run = log_in(discord.server_port, path, format)
    assert run.returncode == 1
    assert run.stdout == ""
    assert discord.asked_with == f"Bot {TOKEN}"  # type: ignore[attr-defined]
    return run.stderr


@pytest.mark.parametrize("format", ["text", "json"])
def test_the_token_is_in_no_log_not_even_at_debug(
    discord: ThreadingHTTPServer, path: Path, format: str
) -> None:
    written = be_refused(discord, path, format)
    assert "discord.http" not in written  # it would tell hidden cards as well
    assert "You sent Bot ***" in written
    assert "Traceback" in written
    assert TOKEN not in written
    assert "secret-of-the-bot" not in written


def test_with_json_every_line_is_an_object(discord: ThreadingHTTPServer, path: Path) -> None:
    lines = [json.loads(line) for line in be_refused(discord, path, "json").splitlines()]
    assert {"DEBUG", "CRITICAL"} <= {line["level"] for line in lines}
    assert all({"time", "level", "logger", "message"} <= set(line) for line in lines)
    assert lines[-1]["message"] == "The bot has stopped because of an error."
    assert lines[-1]["error"].startswith("Traceback")


def test_the_secret_of_an_answer_to_a_click_is_masked() -> None:
    secret = "aW50ZXJhY3Rpb246MTIzNDU2Nzg5"
    url = f"https://discord.com/api/v10/webhooks/42/{secret}/messages/@original"
    record = logging.LogRecord("discord.http", logging.DEBUG, "", 0, "PATCH %s", (url,), None)
    for formatter in (logging.Formatter(), JsonFormatter()):
        line = Masked(formatter, None).format(record)
        assert secret not in line
        assert "/webhooks/42/***/messages/@original" in line


PERSON, CHANNEL = 123456789012345678, 987654321098765432


def written(message: str, *values: object, error: Exception | None = None) -> list[str]:
    """What the log says of this as text, and as JSON."""
    exc_info = (type(error), error, None) if error else None
    record = logging.LogRecord("bot", logging.ERROR, "", 0, message, values, exc_info)
    return [Masked(formatter, None).format(record) for formatter in (logging.Formatter(), JsonFormatter())]


def test_a_persons_id_is_in_no_log_and_can_still_be_told_from_anothers() -> None:
    for message, error in {
        f"table 7: hand3:{PERSON} has to wait": None,
        f"PATCH https://discord.com/api/v10/channels/{PERSON}/messages/5 responded with 429": None,
        f"table 7 of channel -{PERSON} is damaged": None,  # which is a daily game's
        "control play failed": KeyError(PERSON),
    }.items():
        for line in written(message, error=error):
            assert str(PERSON) not in line
            assert "~" in line
    ann, bo, again = [written("by %s", id)[0] for id in (PERSON, PERSON + 1, PERSON)]
    assert ann == again != bo


def test_the_log_says_in_which_channel_and_server_and_how_long() -> None:
    for line in written("channel %s of server %s waits %s s", CHANNEL, CHANNEL + 1, 0.30000000000000004):
        assert f"channel {CHANNEL} of server {CHANNEL + 1} waits 0.30000000000000004 s" in line


@pytest.mark.slow
def test_another_process_has_other_words_for_the_same_person() -> None:
    code = f"from test_operations import written; print(written('by {PERSON}')[0])"
    paths = os.pathsep.join(sys.path)
    said = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            cwd=Path(__file__).parent,
            env={**os.environ, "PYTHONPATH": paths},
            timeout=60,
        ).stdout
        for _ in range(2)
    ]
    assert said[0].startswith("by ~")
    assert said[0] != said[1]


def test_how_many_calls_a_second_are_made_is_a_setting() -> None:
    assert Settings.read({}).calls_per_second == 45
    assert Settings.read({"HEARTS_CALLS_PER_SECOND": "500"}).calls_per_second == 500


def test_settings_for_the_log() -> None:
    assert Settings.read({}).log_format is Format.TEXT
    assert Settings.read({"HEARTS_LOG_FORMAT": "JSON"}).log_format is Format.JSON
    with pytest.raises(ConfigError, match="HEARTS_LOG_FORMAT is 'xml': it must be one of text, json"):
        Settings.read({"HEARTS_LOG_FORMAT": "xml"})


# Backups


def no_backup(run: subprocess.CompletedProcess[str], database: Path) -> str:
    """Why there is no backup."""
    assert run.returncode == 2, run.stderr
    assert run.stdout == ""
    start = f"No backup was made of HEARTS_DATABASE, {str(database)!r}: "
    assert run.stderr.startswith(start)
    assert run.stderr.count("\n") == 1
    return run.stderr.removeprefix(start).removesuffix(".\n")


async def test_a_backup_while_the_bot_runs_and_writes(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copies" / "copy"
    copy.parent.mkdir()
    database = await Database.open(path)
    tables = Tables(database)

    async def open_tables(*channels: int) -> None:
        for channel in channels:
            await tables.open(1, channel, Person(channel, "Ann"), Ruleset.of("classic", 4))

    await open_tables(1, 2, 3)
    with half_done(path, copy) as backup:
        await open_tables(4, 5, 6)
        backup.send_signal(signal.SIGCONT)
        await open_tables(7, 8, 9)
        told, error = await asyncio.to_thread(backup.communicate, timeout=60)
        assert backup.returncode == 0, error
    await tables.close()
    await database.close()
    assert told == f"{copy} is a copy of {path}: {copy.stat().st_size} bytes.\n"
    assert hosts(copy) == [0, 1, 2, 3]  # as it was when the copy was begun
    assert hosts(path) == list(range(10))
    restored = await Database.open(copy)
    again = Tables(restored)
    assert [table.host for table in await again.resume()] == hosts(copy)
    await again.close()
    await restored.close()


def test_a_backup_while_the_bot_stands_still(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    run = bot("backup", str(copy), database=path, DISCORD_TOKEN="")
    assert run.returncode == 0, run.stderr
    assert hosts(copy) == hosts(path)
    assert sorted(one.name for one in tmp_path.iterdir() if "copy" in one.name) == ["copy.sqlite3"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows opens no folders")
def test_a_backup_and_its_name_outlive_a_power_cut(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, synced = tmp_path / "copy.sqlite3", []
    fsync = os.fsync
    monkeypatch.setattr(
        os, "fsync", lambda file: (fsync(file), synced.append((os.fstat(file), copy.exists())))
    )
    back_up(path, copy)
    folder = tmp_path.stat()
    assert [exists for found, exists in synced if os.path.samestat(found, folder)] == [True]


def test_a_backup_overwrites_nothing(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    copy.write_text("the backup of yesterday")
    assert no_backup(bot("backup", str(copy), database=path), path) == f"{str(copy)!r} exists already"
    assert copy.read_text() == "the backup of yesterday"
    itself = no_backup(bot("backup", str(path), database=path), path)
    assert itself == f"{str(path)!r} exists already"


def test_a_backup_of_nothing(tmp_path: Path) -> None:
    path = tmp_path / "hearts.sqlite3"
    for nothing in (path, path / "x", tmp_path / ("x" * 300), tmp_path):
        run = bot("backup", str(tmp_path / "copy"), database=nothing)
        assert no_backup(run, nothing) == f"there is no file {str(nothing)!r}"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("CREATE TABLE tables (id)", "it belongs to another program"),
        ("VACUUM", "it is empty"),
        (f"PRAGMA application_id = {0x48525453}; PRAGMA user_version = 1", "it is damaged"),
    ],
)
def test_a_backup_of_what_holds_no_games(tmp_path: Path, statement: str, why: str) -> None:
    path = tmp_path / "other.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statement)
    before = path.read_bytes()
    assert no_backup(bot("backup", str(tmp_path / "copy"), database=path), path) == why
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == before


def test_a_backup_into_a_folder_that_is_missing(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "nowhere" / "copy"
    why = no_backup(bot("backup", str(copy), database=path), path)
    assert why == f"{str(copy)!r} cannot be written (No such file or directory)"


def test_a_backup_of_a_damaged_database(path: Path, tmp_path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:8192] = b"\xa5" * 4096
    path.write_bytes(content)
    assert no_backup(bot("backup", str(tmp_path / "copy"), database=path), path) == "the database is damaged"
    assert not list(tmp_path.glob("copy*"))


def test_a_backup_to_a_full_disk_leaves_nothing_behind(path: Path, tmp_path: Path) -> None:
    run = bot("backup", str(tmp_path / "copy"), database=path, **full_beyond(6_000))
    assert no_backup(run, path) == "the disk is full"
    assert not list(tmp_path.glob("copy*"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_backup_of_which_it_cannot_tell(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    run = bot("backup", str(copy), database=path, before=("sh", "-c", 'exec "$@" >/dev/full', "sh"))
    assert (run.returncode, run.stderr) == (1, "Cannot write: No space left on device.\n")
    assert hosts(copy) == hosts(path)


def test_a_backup_whose_name_is_no_text(path: Path, tmp_path: Path) -> None:
    copy = os.fsencode(tmp_path / "copy") + b"\xff"
    run = bot("backup", os.fsdecode(copy), database=path, PYTHONIOENCODING="utf-8:strict")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith(f"{tmp_path / 'copy'}\\udcff is a copy of {path}")


def test_a_backup_with_standard_output_closed(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    run = bot("backup", str(copy), database=path, before=("sh", "-c", 'exec "$@" >&-', "sh"))
    assert (run.returncode, run.stderr) == (0, "")
    assert hosts(copy) == hosts(path)


def test_a_backup_is_for_its_owner_alone(path: Path, tmp_path: Path) -> None:
    bot("backup", str(tmp_path / "copy"), database=path)
    assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o600


# Two backups, and what becomes of one that is killed


@contextmanager
def half_done(path: Path, copy: Path) -> Iterator[subprocess.Popen[str]]:
    """A backup that stands still in the midst of its work."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO settings VALUES ('much', hex(zeroblob(20000000)))")
    while (backup := _stopped(path, copy)) is None:  # it was done first
        copy.unlink()
    try:
        yield backup
    finally:
        backup.kill()
        backup.communicate()


def _stopped(path: Path, copy: Path) -> subprocess.Popen[str] | None:
    """A backup that is stopped once something has been copied; None if that came too late."""
    backup = subprocess.Popen(
        [sys.executable, "-m", "bot", "backup", str(copy)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "HEARTS_DATABASE": str(path)},
    )
    while backup.poll() is None:
        if any(part.stat().st_size for part in copy.parent.glob(f"{WORKSHOP}*/copy")):
            backup.send_signal(signal.SIGSTOP)
            if not copy.exists():
                return backup
            backup.send_signal(signal.SIGCONT)
            break
        time.sleep(0.001)
    _, error = backup.communicate(timeout=60)
    assert backup.returncode == 0, error
    return None


def test_a_file_that_appears_during_a_backup_stays(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copies" / "copy"
    copy.parent.mkdir()
    with half_done(path, copy) as backup:
        copy.write_text("something else")
        backup.send_signal(signal.SIGCONT)
        _, error = backup.communicate(timeout=60)
        assert backup.returncode == 2
    assert error.endswith(f"{str(copy)!r} exists already.\n")
    assert copy.read_text() == "something else"
    assert list(copy.parent.iterdir()) == [copy]


def test_what_a_killed_backup_leaves_is_cleared_at_the_next(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copies" / "copy"
    copy.parent.mkdir()
    with half_done(path, copy) as backup:
        backup.kill()
        backup.wait()
    assert list(copy.parent.glob(f"{WORKSHOP}*/copy"))
    others = copy.parent / f"{WORKSHOP}of-mine"
    others.mkdir()
    (others / "letter").write_text("Dear Ann")
    assert bot("backup", str(copy), database=path).returncode == 0
    assert sorted(copy.parent.iterdir()) == [others, copy]
    assert (others / "letter").exists()


def test_a_backup_that_still_runs_is_left_alone_by_another(path: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "copies" / "first", tmp_path / "copies" / "second"
    first.parent.mkdir()
    with half_done(path, first) as backup:
        assert bot("backup", str(second), database=path).returncode == 0
        backup.send_signal(signal.SIGCONT)
        assert backup.wait(60) == 0
    assert hosts(first) == hosts(second) == hosts(path)
    assert sorted(first.parent.iterdir()) == [first, second]
