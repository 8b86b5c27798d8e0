"""Exporting and deleting a person's data."""

import json
from typing import Any

from people import Answer, Player

#: Not part of any other word, so that any trace of it is one of her.
NAME = "Zephyrine"


async def exported(answer: Answer) -> Any:
    """The contents of the exported file."""
    [file] = answer.result.response.attachments
    assert file.filename == "hearts-privacy.json"
    return json.loads(await file.read())


async def forget(player: Player) -> None:
    """Ask for deletion, and confirm."""
    question = await player.ask_to_delete()
    await player.click("Delete it all", question)
