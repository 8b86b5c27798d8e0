"""Copies of the database, made while the bot runs or not."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from engine.errors import StorageError
from engine.storage.backup import back_up
from engine.storage.file import DAMAGED
from engine.tables import Person
from tests.operations import BOT, ROOT, bot, environment, full_beyond, hosts, open_tables, refused
from tests.outside import edit
from tests.tables.house import House

pytestmark = pytest.mark.slow


@pytest.fixture
def path(path: Path) -> Path:
    """A database with a table."""
    asyncio.run(open_tables(path, 1))
    return path


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Where a copy is to lie, alone in a folder."""
    copy = tmp_path / "copies" / "copy"
    copy.parent.mkdir()
    return copy


#: How a refusal begins.
NO_BACKUP = "No backup was made of HEARTS_DATABASE, {}: "


def why_not(database: Path, copy: Path) -> str:
    """Why there is no backup, without a process."""
    with pytest.raises(StorageError) as problem:
        back_up(database, copy)
    return str(problem.value)


async def test_a_backup_while_the_bot_runs_and_writes(path: Path, copy: Path) -> None:
    house = await House(path).open()

    async def open_tables(*channels: int) -> None:
        for channel in channels:
            await house.seat(Person(channel, "Ann"), channel=channel)

    await open_tables(1, 2, 3)
    with half_done(path, copy) as backup:
        await open_tables(4, 5, 6)
        backup.send_signal(signal.SIGCONT)
        await open_tables(7, 8, 9)
        told, error = await asyncio.to_thread(backup.communicate, timeout=60)
        assert backup.returncode == 0, error
    await house.close()
    assert told == f"{copy} is a copy of {path}: {os.stat(copy).st_size} bytes.\n"
    assert hosts(copy) == [0, 1, 2, 3]  # as it was when the copy was begun
    assert hosts(path) == list(range(10))
    restored = await House(copy).open()
    assert [table.host for table in restored.resumed] == hosts(copy)
    await restored.close()


@pytest.mark.parametrize(
    ("redirection", "status", "error"),
    [("", 0, ""), (">&-", 0, ""), (">/dev/full", 1, "Cannot write: No space left on device.\n")],
)
def test_a_backup_is_one_file_for_its_owner_alone_whether_or_not_it_can_be_told(
    path: Path, copy: Path, redirection: str, status: int, error: str
) -> None:
    shell = ("sh", "-c", f'exec "$@" {redirection}', "sh")
    run = bot("backup", str(copy), database=path, before=shell, DISCORD_TOKEN="")
    assert (run.returncode, run.stderr) == (status, error)
    assert hosts(copy) == hosts(path)
    assert copy.stat().st_mode & 0o777 == 0o600
    assert list(copy.parent.iterdir()) == [copy]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows opens no folders")
def test_a_backup_and_its_name_outlive_a_power_cut(
    path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced, fsync = [], os.fsync

    def note(file: int) -> None:
        fsync(file)
        synced.append((os.fstat(file), copy.exists()))

    monkeypatch.setattr(os, "fsync", note)
    back_up(path, copy)
    folder = copy.parent.stat()
    assert [exists for found, exists in synced if os.path.samestat(found, folder)] == [True]


def test_a_backup_whose_name_is_no_text(path: Path, copy: Path) -> None:
    run = bot("backup", f"{copy}\udcff", database=path, PYTHONIOENCODING="utf-8:strict")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith(f"{copy}\\udcff is a copy of {path}")


def test_a_backup_overwrites_nothing_and_makes_no_folder(path: Path, copy: Path) -> None:
    copy.write_text("the backup of yesterday")
    run = bot("backup", str(copy), database=path)
    assert refused(run, path, NO_BACKUP) == f"{str(copy)!r} exists already"
    assert copy.read_text() == "the backup of yesterday"
    assert why_not(path, path) == f"{str(path)!r} exists already"
    nowhere = copy.parent / "nowhere" / "copy"
    assert why_not(path, nowhere) == f"{str(nowhere)!r} cannot be written (No such file or directory)"


def test_a_backup_to_a_full_disk_leaves_nothing_behind(path: Path, copy: Path) -> None:
    run = bot("backup", str(copy), database=path, **full_beyond(6_000))
    assert refused(run, path, NO_BACKUP) == "the disk is full"
    assert list(copy.parent.iterdir()) == []


def test_a_backup_of_nothing(tmp_path: Path) -> None:
    path = tmp_path / "none"
    for nothing in (path, path / "x", tmp_path / ("x" * 300), tmp_path):
        assert why_not(nothing, tmp_path / "copy") == f"there is no file {str(nothing)!r}"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("CREATE TABLE tables (id)", "it belongs to another program"),
        ("VACUUM", "it is empty"),
        (f"PRAGMA application_id = {0x48525453}; PRAGMA user_version = 1", DAMAGED),
    ],
)
def test_a_backup_of_what_holds_no_games(tmp_path: Path, statement: str, why: str) -> None:
    path = tmp_path / "other.sqlite3"
    for part in statement.split("; "):
        edit(path, part)
    before = path.read_bytes()
    assert why_not(path, tmp_path / "copy") == why
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == before


def test_a_backup_of_a_damaged_database(path: Path, copy: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xa5" * 4096 + content[8192:])
    assert why_not(path, copy) == "the database is damaged"
    assert list(copy.parent.iterdir()) == []


# Two backups, and what becomes of one that is killed


@contextmanager
def half_done(path: Path, copy: Path) -> Iterator[subprocess.Popen[str]]:
    """A backup that stands still in the midst of its work."""
    edit(path, "INSERT OR REPLACE INTO settings VALUES ('much', hex(zeroblob(20000000)))")
    while (backup := _stopped(path, copy)) is None:  # it was done first
        copy.unlink()
    try:
        yield backup
    finally:
        backup.kill()
        backup.communicate()


def _stopped(path: Path, copy: Path) -> subprocess.Popen[str] | None:
    """A backup that is stopped once something has been copied; None if that came too late."""
    part = copy.with_name(f"{copy.name}.part")
    another = _inode(part)
    backup = subprocess.Popen(
        [*BOT, "backup", str(copy)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment(path),
    )
    while backup.poll() is None:
        if _inode(part) not in (None, another):
            backup.send_signal(signal.SIGSTOP)
            if not copy.exists():
                return backup
            backup.send_signal(signal.SIGCONT)
            break
        time.sleep(0.001)
    _, error = backup.communicate(timeout=60)
    assert backup.returncode == 0, error
    return None


def _inode(part: Path) -> int | None:
    """The number of the file, once something is in it."""
    with suppress(FileNotFoundError):
        found = part.stat()
        return found.st_ino if found.st_size else None
    return None


def test_a_backup_that_still_runs_is_left_alone_by_another_and_overwrites_no_file_that_appears(
    path: Path, copy: Path
) -> None:
    second = copy.with_name("second")
    with half_done(path, copy) as backup:
        assert bot("backup", str(second), database=path).returncode == 0
        copy.write_text("something else")
        backup.send_signal(signal.SIGCONT)
        _, error = backup.communicate(timeout=60)
        assert backup.returncode == 2
    assert error.endswith(f"{str(copy)!r} exists already.\n")
    assert copy.read_text() == "something else"
    assert hosts(second) == hosts(path)
    assert sorted(copy.parent.iterdir()) == [copy, second]


def test_what_a_killed_backup_leaves_is_overwritten_by_the_next(path: Path, copy: Path) -> None:
    with half_done(path, copy) as backup:
        backup.kill()
        backup.wait()
    assert (copy.parent / "copy.part").stat().st_mode & 0o777 == 0o600
    (copy.parent / "copy.part-wal").write_text("what SQLite had beside it")
    assert bot("backup", str(copy), database=path).returncode == 0
    assert hosts(copy) == hosts(path)
    assert list(copy.parent.iterdir()) == [copy]


def test_two_backups_to_one_name_leave_no_half_of_one(path: Path, copy: Path) -> None:
    """The second has replaced what the first copied, and the first removes what the second has."""
    with half_done(path, copy) as first, half_done(path, copy) as second:
        for backup in (first, second):
            backup.send_signal(signal.SIGCONT)
            assert backup.wait(60) == 2
    assert list(copy.parent.iterdir()) == []
    assert bot("backup", str(copy), database=path).returncode == 0
    assert hosts(copy) == hosts(path)
