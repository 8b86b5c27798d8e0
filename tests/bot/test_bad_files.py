"""Whatever a file holds that is handed in, it is a game, or a sentence says what is wrong.

Records in which a value is another are tried by `tests/play/test_record.py`.
"""

import asyncio
import json
from pathlib import Path

import pytest
from files import record
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bot.answering.refusals import sentence
from engine.errors import RecordError, Refusal
from engine.languages import ENGLISH
from engine.play.record import FORMAT
from engine.storage.database import Database
from engine.tables import Replays, Tables

SOUND = json.dumps(record(ends_at=20)).encode()


@st.composite
def broken(draw: st.DrawFn) -> bytes:
    """A sound file of which something is cut out, put in or turned round."""
    content = SOUND
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.integers(0, 40)))
        content = content[:start] + draw(st.binary(max_size=12)) + content[end:]
    return content


async def told_of(path: Path, content: bytes) -> str:
    """The sentence that refuses this file; nothing where it is a game, which is the same after a restart."""
    database = await Database.open(path)
    try:
        id, table = await Replays(Tables(database), database, lambda: 1.0).hand_in(1, content, None)
        assert await Replays(Tables(database), database, lambda: 2.0).of_file(id, 1) == table
        return ""
    except RecordError as fault:
        return str(fault)
    except Refusal as refusal:
        return sentence(refusal, ENGLISH)
    finally:
        await database.close()


@pytest.mark.slow
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(content=SOUND)
@given(content=broken())
def test_a_game_or_a_sentence(tmp_path: Path, content: bytes) -> None:
    told = asyncio.run(told_of(tmp_path / "hearts.sqlite3", content))
    assert not told if content == SOUND else told or json.loads(content)["format"] == FORMAT
