"""The kernel is compiled once, by one of the processes that tests run in."""

import pytest

from engine.kernel.ready import make_ready


@pytest.fixture(scope="session", autouse=True)
def _ready() -> None:
    make_ready()
