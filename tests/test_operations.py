"""What keeps the bot from starting, in a plain sentence and with status 2, and what its log leaves out."""

import asyncio
import logging
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.config import ConfigError, Settings
from bot.logs import JsonFormatter, Masked
from engine import __version__
from engine.errors import StorageError
from engine.storage import settings
from engine.storage.database import Database
from engine.storage.file import DAMAGED
from tests.operations import (
    AS_ANYBODY,
    BOT,
    ROOT,
    Run,
    bot,
    full_beyond,
    hosts,
    only,
    open_tables,
    refused,
    run,
)
from tests.outside import edit, locked

pytestmark = pytest.mark.slow

HOLD = """
import asyncio, sys
from engine.storage.database import Database
from engine.storage.privacy import export_person
async def hold():
    database = await Database.open(sys.argv[1])
    await export_person(database, 1)  # by a connection of its own, which is closed again
    print("open", flush=True)
    await asyncio.sleep(60)
asyncio.run(hold())
"""
TAKEN = "another bot is running with it"


@pytest.fixture
def used(path: Path) -> Path:
    """A database with a table."""
    asyncio.run(open_tables(path, 1))
    return path


def why_not(path: Path) -> str:
    """Why this can't be the database, as the bot says after its name."""
    with pytest.raises(StorageError) as problem:
        asyncio.run(Database.open(path))
    return str(problem.value)


# Settings that are missing or wrong


def started(folder: Path, *arguments: str, command: tuple[str, ...] = BOT, **settings: str) -> Run:
    """The bot started in an empty folder, with these settings and no others of its own."""
    return run(*command, *arguments, folder=folder, env=only(**settings))


def sentence(done: Run) -> str:
    """The last line that it says when it cannot start."""
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def refusal(**settings: str) -> str:
    """What is wrong with these settings, in this process: where much is tried, each start takes a while."""
    with pytest.raises(ConfigError) as problem:
        Settings.read(settings)
    return str(problem.value)


@pytest.mark.parametrize("program", ["bot", "engine"])
def test_both_programs_tell_the_version(tmp_path: Path, program: str) -> None:
    done = started(tmp_path, "--version", command=(sys.executable, "-m", program))
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{__version__}\n", "")


@pytest.mark.parametrize(
    ("option", "program"),
    [("-O", ("bot", "--version")), ("-OO", ("bot", "health")), ("-O", ("engine", "presets"))],
)
def test_without_its_assertions_it_does_nothing(
    option: str, program: tuple[str, ...], tmp_path: Path
) -> None:
    command = (sys.executable, option, "-m", *program)
    done = started(tmp_path, command=command, PYTHONDONTWRITEBYTECODE="1")
    assert done.stdout == ""
    assert "Run it without them" in sentence(done)
    assert done.stderr.count("\n") == 1


def test_without_a_token_it_says_both_ways_on(tmp_path: Path) -> None:
    line = sentence(started(tmp_path))
    assert "DISCORD_TOKEN is not set" in line
    assert ".env" in line
    assert "python -m bot --local" in line


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])  # Windows puts a mark at its beginning
def test_a_setting_is_read_from_the_env_file_but_the_environment_wins(tmp_path: Path, encoding: str) -> None:
    (tmp_path / ".env").write_bytes("HEARTS_LOG_LEVEL=shouting\n".encode(encoding))
    assert "HEARTS_LOG_LEVEL is 'SHOUTING'" in sentence(started(tmp_path))
    assert "DISCORD_TOKEN" in sentence(started(tmp_path, HEARTS_LOG_LEVEL="debug"))


@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_a_warning_where_others_can_read_the_token(tmp_path: Path, mode: int) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=some.real.token\n")
    (tmp_path / ".env").chmod(mode)
    done = started(tmp_path, HEARTS_DATABASE=":memory:")  # it ends as soon as it has read its settings
    assert done.returncode == 2
    assert ("Others on this machine can read .env" in done.stderr) is (mode != 0o600)
    assert "some.real.token" not in done.stderr


@pytest.mark.parametrize(
    "content", [b"DISCORD_TOKEN=\xff\xfe\n", "DISCORD_TOKEN=some.real.token\n".encode("utf-16")]
)
def test_an_env_file_that_is_no_utf8_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / ".env").write_bytes(content)
    assert sentence(started(tmp_path)) == ".env is not UTF-8: save it as such."


def test_a_token_that_can_be_none_is_refused_and_not_repeated(tmp_path: Path) -> None:
    done = started(tmp_path, DISCORD_TOKEN="some.real\n.token")
    assert done.stderr == "DISCORD_TOKEN isn't a token: it has a line break, a space or a foreign letter.\n"
    assert (done.returncode, done.stdout) == (2, "")
    for token in ("some.real\r\nHost: elsewhere", "some real token", "tökén"):
        assert f"{refusal(DISCORD_TOKEN=token)}\n" == done.stderr


@pytest.mark.parametrize(
    ("setting", "values", "it_must_be"),
    [
        ("HEARTS_LOCAL_PORT", "many -1 65536 ٣٣٣ ² 8_0 080080", "a number from 0 to 65535."),
        ("HEARTS_CALLS_PER_SECOND", "0 some 45.5 10001", "a number from 1 to 10000."),
        ("HEARTS_LOG_FORMAT", "xml", "one of text, json."),
        (
            "HEARTS_METRICS",
            "many 0 65536 ٣٣٣ :9464 ::1:9464 [::1] [nobody]:9464 1.2.3:9464",
            "or an IP address and a port, such as 0.0.0.0:9464 or [::1]:9464.",
        ),
    ],
)
def test_a_value_that_a_setting_cannot_have_is_refused(setting: str, values: str, it_must_be: str) -> None:
    for value in (*values.split(), "8" * 5000):
        line = refusal(**{setting: value})
        assert line.startswith(f"{setting} is ")
        assert line.endswith(it_must_be)
        assert len(line) < 250


@pytest.mark.parametrize("mode", [(), ("--local",)])
def test_a_port_for_metrics_that_is_taken_is_named_before_anything_is_done(
    tmp_path: Path, mode: tuple[str, ...]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = started(tmp_path, *mode, DISCORD_TOKEN="no.real.token", HEARTS_METRICS=str(port))
    line = f"HEARTS_METRICS is 127.0.0.1:{port}, which can't be used: address already in use."
    assert sentence(done) == line
    assert list(tmp_path.iterdir()) == []


def test_with_standard_error_closed_it_ends_with_the_same_status(tmp_path: Path) -> None:
    shell = ("sh", "-c", 'exec "$@" 2>&-', "sh", *BOT)
    done = started(tmp_path, command=shell)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "")


# A database that cannot be used


def test_a_file_that_is_no_database(path: Path) -> None:
    path.write_text("Dear Ann,\n" * 500)
    assert refused(bot(database=path), path) == "it is no database"
    assert path.read_text() == "Dear Ann,\n" * 500


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:4096] + b"\xa5" * 4096 + content[8192:],
        lambda content: content.replace(b"CREATE TABLE people", b"CREATE TABLE peo\xff\xfe\x81", 1),
        lambda content: content.replace(
            b"person INTEGER NOT NULL", b"person INTEGER NOT \xff\xfe\x81\x81", 1
        ),
    ],
    ids=["a page", "a table's name", "a column"],
)
def test_a_damaged_database(used: Path, damage: Callable[[bytes], bytes]) -> None:
    content = damage(used.read_bytes())
    used.write_bytes(content)
    assert why_not(used) == DAMAGED
    assert used.read_bytes() == content


def test_a_database_names_the_version_that_has_opened_it_last_and_is_refused_by_others(used: Path) -> None:
    edit(used, "UPDATE settings SET value = '0.0.1' WHERE name = 'version'")
    asyncio.run(open_tables(used, 0))
    assert edit(used, "SELECT value FROM settings WHERE name = 'version'") == [(__version__,)]
    edit(used, "DROP TABLE results")
    assert why_not(used) == DAMAGED
    edit(used, "PRAGMA user_version = 1000")
    for version, writer in (("7.1", "version 7.1"), ("the newest", "another version")):
        edit(used, f"UPDATE settings SET value = '{version}' WHERE name = 'version'")
        assert why_not(used) == f"{writer} of this program has written it, and this is {__version__}"


def test_a_folder_and_a_file_that_may_not_be_written(used: Path) -> None:
    before = used.read_bytes()
    used.chmod(0o444)
    assert refused(bot(database=used, before=AS_ANYBODY), used) == "it may not be written"
    assert used.read_bytes() == before
    closed = used.parent / "closed"
    closed.mkdir(0o555)
    path = closed / "hearts.sqlite3"
    assert refused(bot(database=path, before=AS_ANYBODY), path) == "permission denied"
    assert list(closed.iterdir()) == []


@pytest.mark.parametrize(
    ("size", "why"), [(6_000, "the disk is full"), (40_000, "the disk is full, or broken")]
)
def test_a_full_disk(path: Path, size: int, why: str) -> None:
    assert refused(bot(database=path, **full_beyond(size)), path) == why
    asyncio.run(open_tables(path, 1))  # what is left of it can be used once there is space
    assert refused(bot(database=path, **full_beyond(6_000)), path) == "the disk is full"
    assert hosts(path) == [0]


@pytest.mark.parametrize("before", [None, 0o644])
async def test_the_database_is_for_its_owner_alone(path: Path, before: int | None) -> None:
    if before is not None:
        await open_tables(path, 1)
        os.chmod(path, before)
    umask = os.umask(0)
    try:
        database = await Database.open(path)
        await settings.put(database, "name", "1")
        files = [one for one in path.parent.iterdir() if one.suffix != ".lock"]
        modes = {one.name: one.stat().st_mode & 0o777 for one in files}
    finally:
        os.umask(umask)
        await database.close()
    assert modes == dict.fromkeys(["hearts.sqlite3", "hearts.sqlite3-wal", "hearts.sqlite3-shm"], 0o600)


def test_a_lock_of_another_program(used: Path) -> None:
    with locked(used):
        assert why_not(used) == "another program has locked it"


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
def test_a_file_of_another_program_is_not_touched(path: Path, statements: list[str]) -> None:
    for statement in statements:
        edit(path, statement)
    before = path.read_bytes()
    assert why_not(path) == "it belongs to another program"
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_an_empty_file_is_ours_to_take_and_says_so_then(path: Path) -> None:
    path.touch()
    asyncio.run(open_tables(path, 1))
    assert hosts(path) == [0]
    assert path.read_bytes()[68:72] == b"HRTS"


def test_a_path_that_can_be_no_database_is_told_why(tmp_path: Path) -> None:
    link, pipe = tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(link)
    os.mkfifo(pipe)
    for path, why in {
        Path(":memory:"): "it must be a file, for the tables outlive a restart",
        tmp_path / "nowhere" / "hearts.sqlite3": "no such file or directory",
        tmp_path: "it is a folder",
        pipe: "it is no file",
        tmp_path / "a\0b": "embedded null byte",
        link: "too many levels of symbolic links",
    }.items():
        assert why_not(path) == why
    assert sorted(tmp_path.iterdir()) == [link, pipe]


# Two bots


@contextmanager
def another_bot(path: Path) -> Iterator[None]:
    """Another process that has the database open, until it is killed."""
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as other:
        try:
            assert other.stdout.readline() == "open\n"
            yield
        finally:
            other.kill()


def test_a_second_bot_on_the_same_database_does_not_start_whatever_name_the_file_has(used: Path) -> None:
    link, hard_link = used.with_name("link.sqlite3"), used.with_name("hard.sqlite3")
    link.symlink_to(used)
    with another_bot(used):
        assert refused(bot(database=used), used) == TAKEN
        assert why_not(link) == TAKEN
        hard_link.hardlink_to(used)
        before = used.read_bytes()
        assert why_not(hard_link) == "it has another name as well, a hard link: only one may be left"
        assert used.read_bytes() == before


@pytest.mark.parametrize("mode", ["WAL", "DELETE", "new"])
def test_nor_when_somebody_else_has_opened_and_closed_the_file_until_the_first_is_killed(
    used: Path, mode: str
) -> None:
    if mode == "new":
        used.unlink()
    else:
        edit(used, f"PRAGMA journal_mode = {mode}")
    with another_bot(used):
        edit(used, "INSERT INTO settings VALUES ('somebody', 'looks at it')")
        for _ in range(2):
            assert why_not(used) == TAKEN
    asyncio.run(open_tables(used, 0))


# Logs

PERSON, CHANNEL = 123456789012345678, 987654321098765432


def written(message: str, *values: object, error: Exception | None = None) -> list[str]:
    """What the log says of this as text, and as JSON."""
    exc_info = (type(error), error, None) if error else None
    record = logging.LogRecord("bot", logging.ERROR, "", 0, message, values, exc_info)
    return [Masked(formatter, None).format(record) for formatter in (logging.Formatter(), JsonFormatter())]


def test_the_secret_of_an_answer_to_a_click_is_masked() -> None:
    secret = "aW50ZXJhY3Rpb246MTIzNDU2Nzg5"
    for line in written("PATCH %s", f"https://discord.com/api/v10/webhooks/42/{secret}/messages/@original"):
        assert secret not in line
        assert "/webhooks/42/***/messages/@original" in line


@pytest.mark.parametrize(
    ("message", "error"),
    [
        (f"table 7: hand3:{PERSON} has to wait", None),
        (f"PATCH https://discord.com/api/v10/channels/{PERSON}/messages/5 responded with 429", None),
        (f"table 7 of channel -{PERSON} is damaged", None),  # which is a daily game's
        ("control play failed", KeyError(PERSON)),
    ],
)
def test_a_persons_id_is_in_no_log(message: str, error: Exception | None) -> None:
    for line in written(message, error=error):
        assert str(PERSON) not in line
        assert "~" in line


def test_people_can_be_told_apart_in_a_log_but_not_from_another_process() -> None:
    ann, bo, again = [written("by %s", id)[0] for id in (PERSON, PERSON + 1, PERSON)]
    assert ann == again != bo
    code = f"from test_operations import written; print(written('by {PERSON}')[0])"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    there = run(sys.executable, "-c", code, folder=Path(__file__).parent, env=env).stdout.strip()
    assert there.startswith("by ~")
    assert there != ann


def test_the_log_says_in_which_channel_and_server_and_how_long() -> None:
    for line in written("channel %s of server %s waits %s s", CHANNEL, CHANNEL + 1, 0.30000000000000004):
        assert f"channel {CHANNEL} of server {CHANNEL + 1} waits 0.30000000000000004 s" in line
