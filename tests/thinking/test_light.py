"""What only the processes that think need, the bot's own never loads."""

from __future__ import annotations

import subprocess
import sys

import pytest

#: The compiler takes half a second and a hundred megabytes; numpy alone takes a tenth of a second.
HEAVY = {"numba", "numpy", "engine.kernel"}


@pytest.mark.slow
def test_the_bot_loads_no_compiler() -> None:
    loads = (
        "import sys, bot.__main__, bot.running, bot.client, engine.thinking.answers; "
        f"print({HEAVY} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["set()"]
