"""Where machine code is kept, so that it is found again and never out of date."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import engine

pytestmark = pytest.mark.slow

RANK_OF_THE_ACE = "from engine.kernel.rows import rank_of; print(rank_of(29)); "
WHERE = "from numba import config; print(config.CACHE_DIR)"
LAY_A_CARD = """
from engine.kernel.position import Position
from engine.kernel.laws import Laws
from engine.kernel.tricks import lay
from engine.rules.ruleset import Ruleset
lay(Laws.of(Ruleset.of("classic", 4)), Position.empty(), 0)
print(sum(lay.stats.cache_misses.values()))
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with an engine of its own, which nothing has been compiled for."""
    source = Path(engine.__file__).parent
    shutil.copytree(source, tmp_path / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def start(home: Path, code: str, **environment: str) -> subprocess.Popen[str]:
    """A process that runs this with that engine."""
    ours = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(home)} | environment
    return subprocess.Popen(
        [sys.executable, "-c", code], cwd=home, env=ours, stdout=subprocess.PIPE, text=True
    )


def lines(process: subprocess.Popen[str]) -> list[str]:
    output, _ = process.communicate()
    assert process.returncode == 0
    return output.splitlines()


def kept(place: Path) -> list[Path]:
    return list(place.glob("compiled-*"))


def test_machine_code_lies_beside_the_sources(home):
    ace, where = lines(start(home, RANK_OF_THE_ACE + WHERE))
    assert ace == "14"
    assert kept(home / "engine/kernel/__pycache__") == [Path(where)]
    assert list(Path(where).rglob("*rank_of*.nbi"))


def test_a_changed_source_lets_all_be_compiled_anew(home):
    lines(start(home, RANK_OF_THE_ACE))
    changed = home / "engine/kernel/rows.py"
    changed.write_text(changed.read_text().replace("return (code & 31) >> 1", "return (code & 31) >> 1 | 64"))
    ace, where = lines(start(home, RANK_OF_THE_ACE + WHERE))
    assert ace == "78"
    assert kept(home / "engine/kernel/__pycache__") == [Path(where)]


def test_where_nothing_can_be_written_beside_them_it_lies_in_the_cache_of_the_user(home):
    (home / "engine/kernel/__pycache__").write_text("no folder")
    ace, where = lines(start(home, RANK_OF_THE_ACE + WHERE, HOME=str(home), USERPROFILE=str(home)))
    assert ace == "14"
    assert kept(home / ".cache/hearts-table") == [Path(where)]


def test_where_nothing_can_be_written_at_all_it_is_compiled_each_time(home):
    (home / "engine/kernel/__pycache__").write_text("no folder")
    nowhere = str(home / "engine/cards.py")
    assert lines(start(home, RANK_OF_THE_ACE, HOME=nowhere, USERPROFILE=nowhere)) == ["14"]


def test_of_processes_that_begin_together_one_compiles(home):
    together = [start(home, LAY_A_CARD) for _ in range(3)]
    assert sorted(line for process in together for line in lines(process)) == ["0", "0", "1"]


def test_the_bot_starts_without_it(home):
    code = (
        "import sys, bot.running, bot.__main__; print('numba' in sys.modules, 'engine.kernel' in sys.modules)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert lines(process) == ["False False"]
