"""Every benchmark, run as a contributor would, with the least that it can measure."""

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from engine.languages import LANGUAGES

pytestmark = pytest.mark.slow

BENCH = Path(__file__).parent / "bench"
#: Seconds after which one has hung; a machine may have to compile first.
LONGEST = 900.0
#: By name the arguments that make it small, and what the figures look like that it prints.
BRIEFLY = {
    "calibration": ("classic 4 --deals 1 --effort 50", r"medium +points, playing +[\d.]+ "),
    "lengths": ("--deals 3 --preset classic", r"to 100 [\d.]+ deals, \d+ cards each"),
    "par": (
        "--deals 2 --searches 1 --replays 4 --effort 10 --playouts 20",
        r"strong +[+-][\d.]+ ± [\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ ",
    ),
    "ratings": ("--times 1 --only two_friends", r"two friends +2400 +0\.68\d\d +0\.68\d\d "),
    "soak": ("--minutes 2 --minute 1 --tables 2", r"minute 2: [\d.]+ MiB, \d+ objects"),
    "standings": ("--results 300 --people 20 --times 1", r"the slowest read took [\d.]+ ms"),
    "stops": ("--tables 2 --rate 4 --seconds 1 --latency 0.01", r"the stop took [\d.]+ s"),
    "tables": ("--tables 2 --rate 4 --seconds 1", r"click to answer: median \d+ ms, 99th percentile \d+ ms"),
    "tournament": ("classic 4 --deals 2 --first medium", r"classic +4 +2 +[+-][\d.]+ ± [\d.]+"),
}


def test_each_benchmark_is_started_here() -> None:
    assert BRIEFLY.keys() == {file.stem for file in BENCH.glob("*.py") if "__main__" in file.read_text()}


def run(folder: str, names: list[str]) -> None:
    """Run each as `python -m tests.bench.NAME` would, with its outputs in files, and its status in another.

    Each has a fork of this process, which has loaded what most of them need: loading takes longer than
    measuring so little.
    """
    import numba  # noqa: F401

    import engine.thinking
    import tests.bench.load  # noqa: F401

    for language in LANGUAGES.values():
        language.catalog  # noqa: B018
    engine.thinking.SEARCHES, engine.thinking.REPLAYS = 1, 2  # for the par of each deal that is played
    for name in names:
        if (process := os.fork()) == 0:
            for number, output in ((1, "out"), (2, "error")):
                with open(Path(folder, f"{name}.{output}"), "w") as file:
                    os.dup2(file.fileno(), number)  # for the processes that it starts, too
            sys.argv = [name, *BRIEFLY[name][0].split()]
            runpy._run_module_as_main(f"tests.bench.{name}", alter_argv=False)  # as -m does
            sys.exit()
        _, ended = os.waitpid(process, 0)
        Path(folder, f"{name}.status").write_text(str(os.waitstatus_to_exitcode(ended)))


def test_every_benchmark_prints_its_figures(tmp_path: Path) -> None:
    code = "import sys; from tests.test_benchmarks import run; run(sys.argv[1], sys.argv[2:])"
    subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), *BRIEFLY],
        cwd=BENCH.parent.parent,
        check=True,
        timeout=LONGEST,
    )
    failed = []
    for name in BRIEFLY:
        status, out, error = ((tmp_path / f"{name}.{it}").read_text() for it in ("status", "out", "error"))
        if status != "0" or not re.search(BRIEFLY[name][1], out) or "Traceback" in error:
            failed.append(f"--- {name} ended with {status} ---\n{out}{error}")
    assert not failed, "\n".join(failed)
