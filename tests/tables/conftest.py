"""The fixture of every table's test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from house import House


@pytest.fixture
async def house(path: Path) -> AsyncIterator[House]:
    """The service on a new file."""
    house = await House(path).open()
    yield house
    await house.close()
