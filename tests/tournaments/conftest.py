"""The fixture of every tournament's test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from night import Night


@pytest.fixture
async def night(path: Path) -> AsyncIterator[Night]:
    """The services on a new file."""
    night = await Night(path).open()
    yield night
    await night.close()
