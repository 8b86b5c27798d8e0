"""Running the bot: what keeps it from starting, and what it logs."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import takewhile
from pathlib import Path

import pytest

from bot.config import ConfigError, Settings
from bot.logs import Format, JsonFormatter, Masked
from engine import __version__
from engine.errors import StorageError
from engine.storage import settings
from engine.storage.database import Database
from engine.storage.file import DAMAGED
from tests.operations import AS_ANYBODY, ROOT, TOKEN, bot, full_beyond, hosts, open_tables, refused

pytestmark = pytest.mark.slow

HOLD = """
import asyncio, sys
from engine.storage.database import Database
from engine.storage.file import DAMAGED
from engine.storage.privacy import export_person
async def hold():
    database = await Database.open(sys.argv[1])
    await export_person(database, 1)  # by a connection of its own, which is closed again
    print("open", flush=True)
    await asyncio.sleep(60)
asyncio.run(hold())
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with a table."""
    path = tmp_path / "hearts.sqlite3"
    asyncio.run(open_tables(path, 1))
    return path


def why_not(path: Path) -> str:
    """Why this can't be the database, as the bot says after its name."""
    with pytest.raises(StorageError) as problem:
        asyncio.run(Database.open(path))
    return str(problem.value)


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
    assert why_not(path) == DAMAGED
    assert path.read_bytes() == content


@pytest.mark.parametrize("name", [b"CREATE TABLE people", b"    person INTEGER NOT NULL,"])
def test_a_database_whose_schema_is_damaged(path: Path, name: bytes) -> None:
    content = path.read_bytes().replace(name, name[:-3] + b"\xff\xfe\x81", 1)
    path.write_bytes(content)
    assert why_not(path) == DAMAGED
    assert path.read_bytes() == content


def test_a_database_of_another_version(path: Path) -> None:
    others_file(
        path, "PRAGMA user_version = 1000", "UPDATE settings SET value = '7.1' WHERE name = 'version'"
    )
    why = f"version 7.1 of this program has written it, and this is {__version__}"
    assert why_not(path) == why
    others_file(path, "UPDATE settings SET value = 'the newest' WHERE name = 'version'")
    why = f"another version of this program has written it, and this is {__version__}"
    assert why_not(path) == why


def test_a_database_names_the_version_that_has_opened_it_last(path: Path) -> None:
    others_file(path, "UPDATE settings SET value = '0.0.1' WHERE name = 'version'")
    asyncio.run(open_tables(path, 0))
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT value FROM settings WHERE name = 'version'").fetchall()
    assert found == [(__version__,)]


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


@pytest.mark.parametrize(
    ("size", "why"), [(6_000, "the disk is full"), (40_000, "the disk is full, or broken")]
)
def test_a_full_disk(tmp_path: Path, size: int, why: str) -> None:
    path = tmp_path / "hearts.sqlite3"
    assert refused(bot(database=path, **full_beyond(size)), path) == why
    asyncio.run(open_tables(path, 1))  # what is left of it can be used once there is space
    assert hosts(path) == [0]


def test_a_disk_that_is_full_when_the_bot_comes_back(path: Path) -> None:
    assert refused(bot(database=path, **full_beyond(6_000)), path) == "the disk is full"
    assert hosts(path) == [0]


@pytest.mark.parametrize("before", [None, 0o644, 0o666])
async def test_the_database_is_for_its_owner_alone(tmp_path: Path, before: int | None) -> None:
    path = tmp_path / "hearts.sqlite3"
    if before is not None:
        await open_tables(path, 1)
        path.chmod(before)
    umask = os.umask(0)
    try:
        database = await Database.open(path)
        await settings.put(database, "name", "1")
        beside = {
            one.name: one.stat().st_mode & 0o777
            for one in os.scandir(tmp_path)
            if not one.name.endswith(".lock")
        }
    finally:
        os.umask(umask)
        await database.close()
    assert beside == dict.fromkeys(["hearts.sqlite3", "hearts.sqlite3-wal", "hearts.sqlite3-shm"], 0o600)


@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_a_warning_where_others_can_read_the_token(tmp_path: Path, mode: int) -> None:
    (tmp_path / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\n")
    (tmp_path / ".env").chmod(mode)
    run = subprocess.run(
        [sys.executable, "-m", "bot"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        # It ends as soon as it has read its settings.
        env={**os.environ, "PYTHONPATH": str(ROOT), "HEARTS_DATABASE": ":memory:"},
    )
    assert run.returncode == 2
    assert ("Others on this machine can read .env" in run.stderr) is (mode != 0o600)
    assert TOKEN not in run.stderr


def test_a_lock_of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert why_not(path) == "another program has locked it"


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
    assert why_not(path) == "it belongs to another program"
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_database_of_ours_in_which_a_table_is_missing(path: Path) -> None:
    others_file(path, "DROP TABLE results")
    assert why_not(path) == DAMAGED


def test_our_files_say_so(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchall() == [(0x48525453,)]
    assert path.read_bytes()[68:72] == b"HRTS"


async def test_an_empty_file_is_ours_to_take(tmp_path: Path) -> None:
    path = tmp_path / "hearts.sqlite3"
    path.touch()
    await open_tables(path, 1)
    assert hosts(path) == [0]


# A path that cannot be one


def test_a_path_that_can_be_no_database_is_told_why(tmp_path: Path) -> None:
    link, pipe = tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(link)
    os.mkfifo(pipe)
    for path, why in {
        Path(":memory:"): "it must be a file, for the tables outlive a restart",
        tmp_path / "nowhere" / "hearts.sqlite3": "no such file or directory",
        tmp_path: "it is a folder",
        pipe: "it is no file",
        link: "too many levels of symbolic links",
    }.items():
        assert why_not(path) == why
    assert sorted(tmp_path.iterdir()) == [link, pipe]


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


def test_a_second_bot_on_the_same_database_does_not_start_whatever_name_the_file_has(path: Path) -> None:
    link, hard_link = path.with_name("link.sqlite3"), path.with_name("hard.sqlite3")
    link.symlink_to(path)
    with another_bot(path):
        assert refused(bot(database=path), path) == "another bot is running with it"
        assert why_not(link) == "another bot is running with it"
        hard_link.hardlink_to(path)
        before = path.read_bytes()
        assert why_not(hard_link) == "it has another name as well, a hard link: only one may be left"
        assert path.read_bytes() == before


@pytest.mark.parametrize("mode", ["WAL", "DELETE", "new"])
def test_nor_when_somebody_else_has_opened_and_closed_the_file(path: Path, mode: str) -> None:
    if mode == "new":
        path.unlink()
    else:
        others_file(path, f"PRAGMA journal_mode = {mode}")
    with another_bot(path):
        others_file(path, "INSERT INTO settings VALUES ('somebody', 'looks at it')")
        for _ in range(2):
            assert why_not(path) == "another bot is running with it"


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


def log_in(port: int, path: Path, format: str) -> str:
    """What the bot logs until it tries again, where this port of this machine is Discord."""
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
    with subprocess.Popen(
        [sys.executable, "-c", start],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, **settings},
    ) as bot:
        assert bot.stderr is not None
        lines = list(takewhile(lambda line: "Trying again" not in line, iter(bot.stderr.readline, "")))
        bot.send_signal(signal.SIGTERM)
        out, rest = bot.communicate(timeout=60)
    assert (bot.returncode, out) == (0, "")
    return "".join([*lines, rest])


@pytest.mark.parametrize("format", ["text", "json"])
def test_the_token_is_in_no_log_not_even_at_debug(
    discord: ThreadingHTTPServer, path: Path, format: str
) -> None:
    written = log_in(discord.server_port, path, format)
    assert discord.asked_with == f"Bot {TOKEN}"  # type: ignore[attr-defined]
    assert "discord.http" not in written  # it would tell hidden cards as well
    assert "You sent Bot ***" in written
    assert "Traceback" in written
    assert "secret-of-the-bot" not in written
    if format == "json":
        lines = [json.loads(line) for line in written.splitlines()]
        assert {"DEBUG", "INFO"} <= {line["level"] for line in lines}
        assert all({"time", "level", "logger", "message"} <= set(line) for line in lines)
        [refused] = [line for line in lines if line["message"] == "the connection to Discord ended"]
        assert refused["error"].startswith("Traceback")


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


def test_another_process_has_other_words_for_the_same_person() -> None:
    code = f"from test_operations import written; print(written('by {PERSON}')[0])"
    there = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=60,
    ).stdout.strip()
    assert there.startswith("by ~")
    assert there != written(f"by {PERSON}")[0]


def test_settings_for_calls_and_for_the_log() -> None:
    usual = Settings.read({})
    other = Settings.read({"HEARTS_CALLS_PER_SECOND": "500", "HEARTS_LOG_FORMAT": "JSON"})
    assert (usual.calls_per_second, usual.log_format) == (45, Format.TEXT)
    assert (other.calls_per_second, other.log_format) == (500, Format.JSON)
    with pytest.raises(ConfigError, match="HEARTS_LOG_FORMAT is 'xml': it must be one of text, json"):
        Settings.read({"HEARTS_LOG_FORMAT": "xml"})
