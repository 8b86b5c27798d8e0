"""The commands as Discord knows them."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from typing import Any

from discord import app_commands

from engine.storage import settings
from engine.storage.database import Database

#: Where the hash of the commands that Discord knows is kept, with the ids that it gave them.
SYNCED = "commands synced"

Tree = app_commands.CommandTree[Any]


async def sync(tree: Tree, database: Database) -> dict[str, str]:
    """Tell Discord the commands if they have changed; how each is mentioned, by its name: `/hearts new`."""
    described = json.dumps([command.to_dict(tree) for command in tree.get_commands()])
    # Another application on the same database knows none of them.
    fingerprint = hashlib.sha256(f"{tree.client.application_id} {described}".encode()).hexdigest()
    ids = _known(await settings.find(database, SYNCED), fingerprint)
    if not ids:
        ids = {command.name: command.id for command in await tree.sync()}
        await settings.put(database, SYNCED, json.dumps({"hash": fingerprint, "ids": ids}))
    return {
        f"/{command.qualified_name}": f"</{command.qualified_name}:{id}>"
        for command in tree.walk_commands()
        if isinstance(command, app_commands.Command)  # a group of them cannot be sent
        and (id := ids.get((command.root_parent or command).name))
    }


def _known(stored: str | None, fingerprint: str) -> dict[str, int]:
    """The ids that Discord gave to commands of this hash; none where others, or none at all, are stored."""
    with suppress(ValueError):
        match json.loads(stored or ""):
            case {"hash": hash, "ids": dict(ids)} if hash == fingerprint:
                return {name: id for name, id in ids.items() if isinstance(id, int)}
    return {}
