"""Where machine code is kept, so that it is found again, is never out of date, and may be damaged."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import engine
from engine.kernel.compiled import sources
from tests.operations import full_beyond

pytestmark = pytest.mark.slow

#: A module for that engine: small functions, quickly compiled.
SMALL = """
from engine.kernel.compiled import compiled
from engine.numbers import rows
from engine.rules.options import EVEN_BONUS

@compiled
def above(code):
    return rows.above(code)

@compiled
def bit_of(code):
    return rows.bit_of(code)

@compiled
def rank_of(code):
    return rows.rank_of(code)

@compiled
def suit_of(code):
    return rows.suit_of(code)

@compiled
def bonus():
    return EVEN_BONUS
"""
RANK_OF_THE_ACE = "from engine.kernel.small import rank_of; print(rank_of(29)); "
#: How many of them were compiled.
ABOUT_THE_ACE = """
from engine.kernel.small import above, bit_of, rank_of, suit_of
pieces = (above, bit_of, rank_of, suit_of)
for piece in pieces:
    piece(29)
print(sum(sum(piece.stats.cache_misses.values()) for piece in pieces))
"""
A_BONUS = "from engine.kernel.small import bonus; print(bonus(), bonus.stats.cache_misses.total()); "
WHERE = "from numba import config; print(config.CACHE_DIR)"
DAMAGED = "Compiled code in {} is damaged: it is thrown away and compiled again.\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with an engine of its own, which nothing has been compiled for."""
    source = Path(engine.__file__).parent
    shutil.copytree(source, tmp_path / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "engine/kernel/small.py").write_text(SMALL)
    return tmp_path


def start(
    home: Path, code: str, preparing: Callable[[], None] | None = None, **environment: str
) -> subprocess.Popen[str]:
    """A process that runs this with that engine."""
    ours = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(home)} | environment
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=home,
        env=ours,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=preparing,
    )


def lines(process: subprocess.Popen[str], told: str = "") -> list[str]:
    """What it prints, having `told` nothing else than this."""
    output, error = process.communicate()
    assert process.returncode == 0, error
    assert error == told
    return output.splitlines()


def replace_in(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def kept(place: Path) -> list[Path]:
    return list(place.glob("compiled-*"))


def test_machine_code_lies_beside_the_sources_until_any_module_that_it_uses_changes(home):
    """A constant of another module is part of the code; a module above the compiled ones isn't."""
    beside = home / "engine/kernel/__pycache__"
    bonus, where = lines(start(home, A_BONUS + WHERE))
    assert bonus == "50 1"
    assert kept(beside) == [Path(where)]
    assert len(list(Path(where).rglob("*bonus*.nbc"))) == 1
    replace_in(home / "engine/tables/live.py", "\nimport asyncio\n", "\n# Live.\nimport asyncio\n")
    assert lines(start(home, A_BONUS + WHERE)) == ["50 0", where]
    old = "EVEN_TOTALS, EVEN_BONUS = (50, 100, 150), 50"
    replace_in(home / "engine/rules/options.py", old, "EVEN_TOTALS, EVEN_BONUS = (50,), 20")
    bonus, other = lines(start(home, A_BONUS + WHERE))
    assert bonus == "20 1"
    assert kept(beside) == [Path(other)] != [Path(where)]


def test_whatever_compiled_code_imports_is_in_the_digest():
    """So no constant of it changes unnoticed."""
    package = Path(engine.__file__).parent
    compiled = [file for name in ("kernel", "players/strong") for file in (package / name).glob("*.py")]
    modules = [".".join(file.relative_to(package.parent).with_suffix("").parts) for file in compiled]
    code = "import sys, engine.players.par; "
    code += "".join(f"import {name.removesuffix('.__init__')}; " for name in modules)
    code += (
        "print(*[sys.modules[one].__file__ for one in sys.modules if one.startswith('engine.')], sep='\\n')"
    )
    loaded = {Path(file) for file in lines(start(package.parent, code))}
    assert set(compiled) <= loaded <= set(sources())


def zeroed_within(content: bytes) -> bytes:
    quarter = len(content) // 4
    return content[:quarter] + bytes(quarter) + content[2 * quarter :]


def test_damaged_code_is_thrown_away_and_compiled_again_and_a_line_says_so(home):
    """Each function's code, then its index, is damaged in another way, and one line is for all."""
    misses, where = lines(start(home, ABOUT_THE_ACE + WHERE))
    assert misses == "4"
    damages: list[Callable[[bytes], bytes]] = [
        lambda content: content[: len(content) // 2],
        lambda content: bytes(len(content)),
        zeroed_within,
        lambda content: b"",
    ]
    for kind in ("nbc", "nbi"):
        files = [
            Path(where).rglob(f"small.{name}-*.{kind}") for name in ("above", "bit_of", "rank_of", "suit_of")
        ]
        for [file], damage in zip(files, damages, strict=True):
            file.write_bytes(damage(file.read_bytes()))
        assert lines(start(home, ABOUT_THE_ACE), DAMAGED.format(where)) == ["4"]
    assert lines(start(home, ABOUT_THE_ACE)) == ["0"]


def test_code_saved_under_another_signature_is_not_run(home):
    """A process that is killed between writing an index and the code may leave older code in its place."""
    both = "from engine.kernel.small import rank_of; print(rank_of(29), rank_of(True)); " + WHERE
    answer, where = lines(start(home, both))
    one, other = Path(where).rglob("small.rank_of-*.nbc")
    other.write_bytes(one.read_bytes())
    assert lines(start(home, both), DAMAGED.format(where)) == [answer, where]


def test_on_a_full_disk_it_is_compiled_each_time_and_a_line_says_so(home):
    told = (
        "Compiled code cannot be kept ([Errno 27] File too large), so each process has to compile it again.\n"
    )
    assert lines(start(home, ABOUT_THE_ACE, **full_beyond(1000)), told) == ["4"]
    assert lines(start(home, ABOUT_THE_ACE)) == ["4"]


def test_where_nothing_can_be_written_beside_them_it_lies_in_the_cache_of_the_user_or_nowhere(home):
    (home / "engine/kernel/__pycache__").write_text("no folder")
    ace, where = lines(start(home, RANK_OF_THE_ACE + WHERE, HOME=str(home), USERPROFILE=str(home)))
    assert ace == "14"
    assert kept(home / ".cache/hearts-table") == [Path(where)]
    nowhere = str(home / "engine/cards.py")
    assert lines(start(home, RANK_OF_THE_ACE, HOME=nowhere, USERPROFILE=nowhere)) == ["14"]


def test_code_in_a_folder_that_others_may_write_is_not_run(home):
    """It is unpickled, so whoever wrote it could run anything here."""
    _, where = lines(start(home, RANK_OF_THE_ACE + WHERE))
    folder = Path(where)
    assert folder.stat().st_mode & 0o777 == 0o700
    told = f"Compiled code isn't kept in {where}: others may write there.\n"
    code = RANK_OF_THE_ACE + "print(sum(rank_of.stats.cache_misses.values())); " + WHERE
    ways = [partial(folder.chmod, 0o775), partial(folder.chmod, 0o757)]
    if os.geteuid() == 0:  # only root can give a folder away
        ways.append(lambda: (folder.chmod(0o700), os.chown(folder, 12_345, 12_345)))
    for number, open_to_others in enumerate(ways):
        open_to_others()
        ace, compiled, elsewhere = lines(start(home, code, HOME=str(home), USERPROFILE=str(home)), told)
        assert (ace, compiled) == ("14", "0" if number else "1")
        assert kept(home / ".cache/hearts-table") == [Path(elsewhere)]


def test_of_processes_that_begin_together_one_compiles(home):
    together = [start(home, ABOUT_THE_ACE) for _ in range(2)]
    assert sum(int(line) for process in together for line in lines(process)) == 4
