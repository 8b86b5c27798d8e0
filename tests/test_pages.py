"""README and the pages beside it: what they point to is there."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import discord
import pytest
from dotenv import dotenv_values

from bot.config import Settings
from bot.discord.permissions import NEEDED, account_link, invitation
from engine import __version__
from engine.rules.presets import PRESETS
from engine.storage import handed_in, privacy
from engine.storage.database import Database

ROOT = Path(__file__).parents[1]
LAB_BOOK = ROOT / "tests" / "bench" / "README.md"
PAGES = [ROOT / "README.md", LAB_BOOK, *(ROOT / ".github").glob("*.md")]
#: A link or a picture that lies in the repository.
LINK = re.compile(r"""(?:\]\(|src=")(?!https?:)([^)"#]+)""")
#: A file or folder of the project, as in `engine/rules` or `bot/config.py`.
IN_CODE = re.compile(r"`((?:bot|engine|tests|\.ci|\.deploy|\.github)/[\w./*-]*)`")
#: A row of the table of settings: the setting and its default.
SETTING = re.compile(r"^\| `([A-Z_]+)` \| (?:`(.*?)` )?\|", re.MULTILINE)
#: Columns in which a person is named, or the seat by which one is found.
OF_PEOPLE = {"person", "host", "first", "author", "names", "seat"}
#: How fast people read a page like README, commands included.
WORDS_PER_MINUTE = 275
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    text = page.read_text()
    for link in LINK.findall(text):
        assert (page.parent / link).exists(), link
    for path in IN_CODE.findall(text):
        assert list(ROOT.glob(path)), path


def test_contributors_find_every_room() -> None:
    page = (ROOT / ".github" / "CONTRIBUTING.md").read_text()
    rooms = [path for top in ("engine", "bot") for path in (ROOT / top).iterdir()]
    named = {path.relative_to(ROOT).as_posix() for path in rooms if not path.name.startswith("__init__")}
    assert {room for room in named if "__pycache__" not in room and f"`{room}`" not in page} == {
        "engine/__main__.py"
    }


def test_the_lab_book_lists_every_benchmark_once() -> None:
    listed = re.findall(r"^\| `(\w+)` \|(?:[^|]+\|)$", LAB_BOOK.read_text(), re.MULTILINE)
    benches = [path for path in (ROOT / "tests" / "bench").glob("*.py") if "__main__" in path.read_text()]
    assert sorted(listed) == sorted(path.stem for path in benches)


def test_the_command_for_all_tests_is_readmes_second_block() -> None:
    """`.ci/run` takes it from there."""
    blocks = FENCE.findall((ROOT / "README.md").read_text())
    assert [kind for kind, _ in blocks[:2]] == ["sh", "sh"]
    assert blocks[0][1].rstrip().endswith("-m bot --local")
    assert blocks[1][1].rstrip().endswith("-m pytest -n auto")


def test_readme_shows_how_to_try_it_within_20_lines_and_takes_three_minutes() -> None:
    text = (ROOT / "README.md").read_text()
    assert "-m bot --local" in "\n".join(text.splitlines()[:20])
    assert len(text.split()) <= 3 * WORDS_PER_MINUTE


def test_every_game_stands_in_readme_with_its_players() -> None:
    games = re.findall(
        r"^\| ([^|`]+) \| (\d+)(?: to (\d+))? \|", (ROOT / "README.md").read_text(), re.MULTILINE
    )
    assert [(title, int(least), int(most or least)) for title, least, most in games] == [
        (preset.title, min(preset.players), max(preset.players)) for preset in PRESETS.values()
    ]


def test_every_setting_is_documented_with_the_default_of_the_example() -> None:
    table = dict(SETTING.findall((ROOT / ".github" / "OPERATING.md").read_text()))
    example = dotenv_values(ROOT / ".env.example")
    read = set(re.findall(r"(?:DISCORD|HEARTS)_[A-Z_]+", (ROOT / "bot" / "config.py").read_text()))
    assert table == example
    assert set(table) == read
    assert Settings.read(table) == Settings.read({})


def test_the_newest_changes_are_those_of_this_version() -> None:
    headings = re.findall(r"^## (\S+)$", (ROOT / ".github" / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == __version__
    numbers = [tuple(map(int, heading.split("."))) for heading in headings]
    assert numbers == sorted(numbers, reverse=True)


async def test_the_privacy_page_tells_of_every_table_once_and_of_whom_it_names(
    database: Database, path: Path
) -> None:
    with closing(sqlite3.connect(path)) as connection:
        named = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        columns = {
            table: {column for _, column, *_ in connection.execute(f"PRAGMA table_info({table})")}
            for (table,) in connection.execute(named).fetchall()
        }
    page = (ROOT / ".github" / "PRIVACY.md").read_text()
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|(?:[^|]+\|){3}$", page, re.MULTILINE)
    told = [table for names in rows for table in re.findall(r"\w+", names)]
    [sentence] = re.findall(
        r"^These tables contain nothing about people: (.*?)\n\n", page, re.MULTILINE | re.DOTALL
    )
    nobodys = re.findall(r"`(\w+)`", sentence)
    assert sorted([*told, *nobodys]) == sorted(columns)
    assert {table for table in nobodys if columns[table] & OF_PEOPLE} == set()


def test_the_privacy_page_knows_the_limits_that_it_names() -> None:
    page = (ROOT / ".github" / "PRIVACY.md").read_text()
    assert f"{handed_in.KEPT / 3600:.0f} hours" in page
    assert f"{handed_in.MOST} others" in page
    assert f"over {privacy.AT_ONCE // 1_000_000} MB" in page


def test_the_invitation_asks_for_what_the_bot_needs_and_no_more() -> None:
    needed = discord.Permissions(
        view_channel=True, send_messages=True, send_messages_in_threads=True, attach_files=True
    )
    with_threads = needed | discord.Permissions(create_public_threads=True)
    assert re.findall(r"&permissions=(\d+)", invitation(7)) == [str(needed.value)]
    assert re.findall(r"&permissions=(\d+)", invitation(7, threads=True)) == [str(with_threads.value)]
    page = (ROOT / ".github" / "INSTALLING.md").read_text()
    assert f"`{needed.value}`" in page
    assert f"`{with_threads.value}`" in page
    assert "scope=applications.commands&integration_type=1" in account_link(7)
    readme = " ".join((ROOT / "README.md").read_text().split())
    assert [title for title in NEEDED.values() if title.lower() not in readme] == []
