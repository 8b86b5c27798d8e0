"""README, the pages beside it and the image: what they name is there, and so is each rule that is cited."""

import re
import tomllib
from pathlib import Path

import discord
import pytest
from dotenv import dotenv_values
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from bot.config import Settings
from bot.discord.permissions import NEEDED, account_link, invitation
from engine import __version__
from engine.rules.options import OPTIONS
from engine.rules.presets import PRESETS
from engine.storage import handed_in, privacy
from engine.storage.database import Database
from tests.outside import edit

ROOT = Path(__file__).parents[1]
LAB_BOOK = ROOT / "tests" / "bench" / "README.md"
PAGES = [ROOT / "README.md", LAB_BOOK, *(ROOT / ".github").glob("*.md")]
TEXTS = {page.stem: page.read_text() for page in PAGES if page != LAB_BOOK}
README, CONTRIBUTING, OPERATING = TEXTS["README"], TEXTS["CONTRIBUTING"], TEXTS["OPERATING"]
INSTALLING, PRIVACY = TEXTS["INSTALLING"], TEXTS["PRIVACY"]
CHANGELOG, RULES = TEXTS["CHANGELOG"], TEXTS["RULES"]
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
#: The ids of rules, such as W19, that code and tests cite.
IDS = re.findall(r"^- \*\*([A-Z]\d+)\*\* ", RULES, re.MULTILINE)
AN_ID = re.compile(rf"(?<![A-Za-z0-9])[{''.join({id[0] for id in IDS})}]\d+(?![A-Za-z0-9.])")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    text = page.read_text()
    for link in LINK.findall(text):
        assert (page.parent / link).exists(), link
    for path in IN_CODE.findall(text):
        assert list(ROOT.glob(path)), path


def test_contributors_find_every_room() -> None:
    rooms = [path for top in ("engine", "bot") for path in (ROOT / top).iterdir()]
    named = {path.relative_to(ROOT).as_posix() for path in rooms if not path.name.startswith("__init__")}
    missing = {room for room in named if "__pycache__" not in room and f"`{room}`" not in CONTRIBUTING}
    assert missing == {"engine/__main__.py"}


def test_the_lab_book_lists_every_benchmark_once() -> None:
    listed = re.findall(r"^\| `(\w+)` \|(?:[^|]+\|)$", LAB_BOOK.read_text(), re.MULTILINE)
    benches = [path for path in (ROOT / "tests" / "bench").glob("*.py") if "__main__" in path.read_text()]
    assert sorted(listed) == sorted(path.stem for path in benches)


def test_readme_shows_how_to_try_it_within_20_lines_then_all_tests_and_takes_three_minutes() -> None:
    """`.ci/run` takes the tests' command from its second block."""
    (first, trying), (second, testing) = FENCE.findall(README)[:2]
    assert first == second == "sh"
    assert trying.rstrip().endswith("-m bot --local")
    assert testing.rstrip().endswith("-m pytest -n auto")
    assert "-m bot --local" in "\n".join(README.splitlines()[:20])
    assert len(README.split()) <= 3 * WORDS_PER_MINUTE


def test_every_game_stands_in_readme_with_its_players() -> None:
    games = re.findall(r"^\| ([^|`]+) \| (\d+)(?: to (\d+))? \|", README, re.MULTILINE)
    assert [(title, int(least), int(most or least)) for title, least, most in games] == [
        (preset.title, min(preset.players), max(preset.players)) for preset in PRESETS.values()
    ]


def test_every_setting_is_documented_with_the_default_of_the_example() -> None:
    table = dict(SETTING.findall(OPERATING))
    example = dotenv_values(ROOT / ".env.example")
    read = set(re.findall(r"(?:DISCORD|HEARTS)_[A-Z_]+", (ROOT / "bot" / "config.py").read_text()))
    assert table == example
    assert set(table) == read
    assert Settings.read(table) == Settings.read({})


def test_the_newest_changes_are_those_of_this_version() -> None:
    headings = re.findall(r"^## (\S+)$", CHANGELOG, re.MULTILINE)
    assert headings[0] == __version__
    numbers = [tuple(map(int, heading.split("."))) for heading in headings]
    assert numbers == sorted(numbers, reverse=True)


async def test_the_privacy_page_tells_of_every_table_once_and_of_whom_it_names(
    database: Database, path: Path
) -> None:
    columns = {
        table: {column for _, column, *_ in edit(path, f"PRAGMA table_info({table})")}
        for (table,) in edit(path, "SELECT name FROM sqlite_schema WHERE type = 'table'")
        if not table.startswith("sqlite")
    }
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|(?:[^|]+\|){3}$", PRIVACY, re.MULTILINE)
    told = [table for names in rows for table in re.findall(r"\w+", names)]
    sentence = PRIVACY.partition("\nThese tables contain nothing about people: ")[2].partition("\n\n")[0]
    nobodys = re.findall(r"`(\w+)`", sentence)
    assert sorted([*told, *nobodys]) == sorted(columns)
    assert {table for table in nobodys if columns[table] & OF_PEOPLE} == set()


def test_the_privacy_page_knows_the_limits_that_it_names() -> None:
    assert f"{handed_in.KEPT / 3600:.0f} hours" in PRIVACY
    assert f"{handed_in.MOST} others" in PRIVACY
    assert f"over {privacy.AT_ONCE // 1_000_000} MB" in PRIVACY


def test_the_invitation_asks_for_what_the_bot_needs_and_no_more() -> None:
    needed = discord.Permissions(
        view_channel=True, send_messages=True, send_messages_in_threads=True, attach_files=True
    )
    with_threads = needed | discord.Permissions(create_public_threads=True)
    assert re.findall(r"&permissions=(\d+)", invitation(7)) == [str(needed.value)]
    assert re.findall(r"&permissions=(\d+)", invitation(7, threads=True)) == [str(with_threads.value)]
    assert f"`{needed.value}`" in INSTALLING
    assert f"`{with_threads.value}`" in INSTALLING
    assert "scope=applications.commands&integration_type=1" in account_link(7)
    readme = " ".join(README.split())
    assert [title for title in NEEDED.values() if title.lower() not in readme] == []


# The ids of rules


def sources(*folders: str) -> dict[Path, str]:
    """What each Python file of these folders says."""
    return {path: path.read_text() for folder in folders for path in (ROOT / folder).rglob("*.py")}


def test_no_rule_stands_there_twice():
    assert len(set(IDS)) == len(IDS)


def test_every_id_that_is_cited_has_its_rule():
    for path, text in sources("engine", "bot", "tests").items():
        assert set(AN_ID.findall(text)) <= set(IDS), path
    assert set(AN_ID.findall(RULES)) <= set(IDS)


def test_every_rule_has_tests_of_its_name():
    tests = [name for text in sources("tests").values() for name in re.findall(r"def (test_\w+)", text)]
    assert set(IDS) <= {cited for name in tests for cited in AN_ID.findall(name.replace("_", " "))}


def test_every_option_and_every_game_stands_there():
    options = RULES.partition("## Options")[2]
    first_cells = re.findall(r"^\| (`.+?) \|", options, re.MULTILINE)
    assert {name for cell in first_cells for name in re.findall(r"`(\w+)`", cell)} == set(OPTIONS)
    assert set(PRESETS) <= set(re.findall(r"`([a-z-]+)` \| \d", RULES))


# What the image installs

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
REQUIRED = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
LOCK = (ROOT / ".deploy" / "requirements.txt").read_text()
#: A pinned version, and the hashes of its files.
PINNED = re.compile(r"^([\w.-]+)==(\S+) \\\n((?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE)


@pytest.mark.parametrize("needed", REQUIRED)
def test_the_image_installs_what_the_project_needs(needed: str) -> None:
    locked = {canonicalize_name(name): version for name, version, _ in PINNED.findall(LOCK)}
    requirement = Requirement(needed)
    assert locked[canonicalize_name(requirement.name)] in requirement.specifier


def test_the_image_installs_nothing_without_a_hash() -> None:
    lines = [line for line in LOCK.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    assert len([line for line in lines if not line.startswith(" ")]) == len(PINNED.findall(LOCK)) > 15
    dockerfile = (ROOT / ".deploy" / "Dockerfile").read_text()
    installs = re.findall(r"pip install (.*)", dockerfile)
    assert len(installs) == 2
    assert all("--require-hashes" in one or "--no-deps --no-build-isolation" in one for one in installs)
