"""What only the processes that think need, the bot's own never loads."""

from __future__ import annotations

import subprocess
import sys

import pytest

#: Takes half a second and a hundred megabytes.
COMPILER = "numba"


@pytest.mark.slow
def test_the_bot_loads_no_compiler() -> None:
    loads = (
        f"import sys, bot.__main__, bot.running, engine.thinking.answers; print({COMPILER!r} in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]
