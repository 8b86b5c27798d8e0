"""Changes the code and counts the changes no test notices: `python -m tests.mutations rules --sample 100`.

Needs cosmic-ray (`pip install --editable '.[mutations]'`), which works in a copy of the project. Without
`--sample` it tries every change, which takes hours. Survivors are printed as diffs: test what each breaks,
or delete it.
"""

# ruff: noqa: T201

import argparse
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
#: By name the modules that decide something, and the tests that should notice any change of them.
ROOMS = {
    "rules": (["engine/rules", "engine/play"], "tests/rules tests/play tests/test_properties.py"),
    "tables": (["engine/tables"], "tests/tables tests/bot/test_absences.py"),
    "tournaments": (["engine/tournaments"], "tests/tournaments"),
    "controls": (
        ["bot/answering/access.py", "bot/vocabulary/controls.py", "bot/discord/permissions.py"],
        "tests/bot/test_controls.py tests/bot/test_access_table.py tests/bot/test_access.py "
        "tests/bot/test_account.py tests/bot/test_clicks.py tests/bot/test_greedy.py tests/bot/test_daily.py",
    ),
    "queue": (
        ["bot/delivery/queue.py"],
        "tests/bot/test_queue.py tests/bot/test_message_states.py tests/bot/test_calm.py "
        "tests/bot/test_dms.py",
    ),
}
#: Operators whose mutants say nothing: they are nearly all in annotations such as `int | None`.
SILLY = "core/ReplaceBinaryOperator_BitOr"
CONFIG = """[cosmic-ray]
module-path = {modules}
timeout = {timeout}
excluded-modules = []
test-command = "{python} -m pytest -q -x -n 0 -p no:cacheprovider -m '{marker}' {tests}"
distributor.name = "local"
"""


def main() -> None:
    """Make the mutants, run the tests for each, and print the survivors."""
    command = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    command.add_argument("room", choices=ROOMS)
    command.add_argument("--sample", type=int, help="this number of mutants, chosen at random")
    command.add_argument("--seed", default="1")
    command.add_argument("--timeout", type=float, default=600.0, help="seconds for the tests of one mutant")
    arguments = command.parse_args()
    modules, tests = ROOMS[arguments.room]
    with TemporaryDirectory() as folder:
        copy = Path(folder, "project")
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv", ".*_cache", "__pycache__"))
        session = sqlite3.connect(copy / "session.sqlite", isolation_level=None)
        # All tests run only for what the quick ones, which take seconds, don't notice.
        for marker, timeout in (("not slow", arguments.timeout / 10), ("", arguments.timeout)):
            config = CONFIG.format(
                modules=modules, timeout=timeout, python=sys.executable, marker=marker, tests=tests
            )
            Path(copy, "mutations.toml").write_text(config)
            if marker:
                _cosmic_ray(copy, "init", "mutations.toml", "session.sqlite")
                _choose(session, arguments.sample, Random(arguments.seed))
            else:
                session.execute("DELETE FROM work_results WHERE test_outcome = 'SURVIVED'")
            _cosmic_ray(copy, "exec", "mutations.toml", "session.sqlite")
        _report(session)


def _cosmic_ray(folder: Path, *arguments: str) -> None:
    program = Path(sys.executable).with_name("cosmic-ray")
    subprocess.run([program, *arguments], cwd=folder, check=True)


def _choose(session: sqlite3.Connection, sample: int | None, rng: Random) -> None:
    """Delete the mutants that aren't worth trying and, with a sample, all but this number of the others."""
    order = "module_path, start_pos_row, start_pos_col, operator_name, operator_args, occurrence"
    found = session.execute(f"SELECT job_id, operator_name FROM mutation_specs ORDER BY {order}").fetchall()
    jobs = [job for job, operator in found if not operator.startswith(SILLY)]
    kept = set(jobs if sample is None else rng.sample(jobs, min(sample, len(jobs))))
    dropped = [(job,) for job, _ in found if job not in kept]
    for table in ("mutation_specs", "work_items"):
        session.executemany(f"DELETE FROM {table} WHERE job_id = ?", dropped)


def _report(session: sqlite3.Connection) -> None:
    rows = session.execute("SELECT test_outcome, diff FROM work_results").fetchall()
    for outcome, diff in rows:
        if outcome == "SURVIVED":
            print(diff)
    counts = Counter(outcome for outcome, _ in rows)
    print(f"{counts['SURVIVED']} of {len(rows)} mutants survived")


if __name__ == "__main__":
    main()
