"""What Discord needs before people can play: the cards' emojis, and the slash commands."""

import asyncio
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

import discord
from discord import app_commands

from bot.delivery import Budget, Urgency
from bot.delivery.emojis import Emojis
from bot.discord.faults import Fault, fault_of, in_short
from bot.pictures import EMOJI_VERSION, USUAL_CARDS, emojis
from engine.errors import Refusal
from engine.storage import settings
from engine.storage.database import Database

log = logging.getLogger(__name__)
#: The setting with the ids of the uploaded emojis, their application and their version.
UPLOADED = "emojis uploaded"
#: The setting with the hash of the synced commands and the ids that Discord gave them.
SYNCED = "commands synced"
#: Seconds between two uploads, so that a first start leaves calls for the tables.
PAUSE = 0.1
#: Seconds before a retry, at first and at most.
FIRST_WAIT, LONGEST_WAIT = 60.0, 3600.0


class Uploads:
    """Checks at each start, in the background, which emojis and commands Discord has, and uploads the rest.

    Cards are shown as text until the usual emoji of every card is uploaded, or if Discord refuses them. The
    other faces, which some players prefer, are uploaded after those.
    """

    def __init__(
        self,
        client: discord.Client,
        tree: app_commands.CommandTree[Any],
        database: Database,
        budget: Budget,
        emojis: Emojis,
    ) -> None:
        self._client = client
        self._tree = tree
        self._database = database
        self._budget = budget
        self._emojis = emojis
        self._task: asyncio.Task[None] | None = None
        self._commands: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Use the stored emojis right away, and begin to check that Discord still has them."""
        ids = await self._stored_ids()
        if ids.keys() >= set(USUAL_CARDS):
            self._emojis.know(ids)
        self._emojis.on_loss = lambda: self._begin(FIRST_WAIT)
        self._begin()
        self._commands = asyncio.create_task(_persist("the commands", self._sync))

    async def close(self) -> None:
        """Stop uploading; the next start continues."""
        for task in (self._task, self._commands):
            if task:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    def _begin(self, wait: float = 0.0) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(_persist("the emojis of the cards", self._upload, wait))

    async def _upload(self) -> None:
        try:
            self._emojis.know(await self._complete_emojis())
        except discord.HTTPException as error:
            if fault_of(error) is Fault.LATER:
                raise
            log.warning("Discord refuses the emojis of the cards, which stay text: %s", in_short(error))

    async def _sync(self) -> None:
        self._emojis.mention(await sync(self._tree, self._database))

    async def _complete_emojis(self) -> Mapping[str, int]:
        """Upload missing and outdated emojis; returns the ids of all by name."""
        await self._budget.turn(Urgency.LOW)
        existing = {emoji.name: emoji for emoji in await self._client.fetch_application_emojis()}
        stored = await self._stored_ids()
        ids = {name: id for name, id in stored.items() if name in existing and existing[name].id == id}
        for name, image in emojis().items():
            if name not in ids:
                if name in existing:
                    await self._turn()
                    await existing[name].delete()
                await self._turn()
                ids[name] = (await self._client.create_application_emoji(name=name, image=image)).id
                await self._store_ids(ids)
            if name == USUAL_CARDS[-1]:
                self._emojis.know(ids)
        return ids

    async def _turn(self) -> None:
        await asyncio.sleep(PAUSE)
        await self._budget.turn(Urgency.LOW)

    async def _stored_ids(self) -> dict[str, int]:
        """The ids of emojis uploaded earlier, if they are this application's and of this version."""
        with suppress(ValueError, TypeError):  # a damaged setting counts as empty
            of, ids = json.loads(await settings.find(self._database, UPLOADED) or "[]")
            return {str(name): int(id) for name, id in ids} if of == self._mark else {}
        return {}

    async def _store_ids(self, ids: Mapping[str, int]) -> None:
        with suppress(Refusal):  # if it can't be stored, the next start uploads some again
            await settings.put(self._database, UPLOADED, json.dumps([self._mark, [*ids.items()]]))

    @property
    def _mark(self) -> str:
        return f"{self._client.application_id} {EMOJI_VERSION}"


async def _persist(what: str, upload: Callable[[], Awaitable[None]], wait: float = 0.0) -> None:
    """Retry until this is uploaded, whatever error Discord or a proxy returns."""
    while True:
        await asyncio.sleep(wait)
        try:
            return await upload()
        except Exception as error:
            wait = min(LONGEST_WAIT, max(FIRST_WAIT, 2 * wait))
            log.warning("%s have to wait %.0f s: %s", what, wait, in_short(error))


async def sync(tree: app_commands.CommandTree[Any], database: Database) -> dict[str, str]:
    """Sync the commands if they changed; returns their mentions by name, such as `/hearts new`.

    A new translation of a description counts as a change.
    """
    assert tree.translator is not None
    payloads = [await one.get_translated_payload(tree, tree.translator) for one in tree.get_commands()]
    described = json.dumps(payloads)
    # The id is included because another application on this database needs its own commands.
    fingerprint = hashlib.sha256(f"{tree.client.application_id} {described}".encode()).hexdigest()
    ids = _stored_commands(await settings.find(database, SYNCED), fingerprint)
    if not ids:
        ids = {command.name: command.id for command in await tree.sync()}
        await settings.put(database, SYNCED, json.dumps({"hash": fingerprint, "ids": ids}))
    return {
        f"/{command.qualified_name}": f"</{command.qualified_name}:{id}>"
        for command in tree.walk_commands()
        if isinstance(command, app_commands.Command)  # groups can't be mentioned
        and (id := ids.get((command.root_parent or command).name))
    }


def _stored_commands(stored: str | None, fingerprint: str) -> dict[str, int]:
    """The stored ids of the commands, if their hash is this one; otherwise empty."""
    with suppress(ValueError):
        match json.loads(stored or ""):
            case {"hash": hash, "ids": dict(ids)} if hash == fingerprint:
                return {name: id for name, id in ids.items() if isinstance(id, int)}
    return {}
