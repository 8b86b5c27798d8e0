"""What people do with what is stored about them."""

from __future__ import annotations

import json
from typing import Any

from people import Answer, Player

#: Not part of any other word, so that a trace of it is a trace of her.
NAME = "Zephyrine"


async def exported(answer: Answer) -> Any:
    """What the file holds that came."""
    message = answer.result.response
    assert message is not None
    [file] = message.attachments
    assert file.filename == "hearts-privacy.json"
    return json.loads(await file.read())


async def forget(player: Player) -> None:
    """Ask for it, and confirm."""
    [question] = (await player.run("privacy delete")).private
    await player.click("Delete it all", question)
