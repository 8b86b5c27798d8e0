"""The emojis of the cards are brought to Discord, once for each version of their art."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from contextlib import suppress

import discord

from bot.delivery import Budget, Urgency
from bot.emojis import Emojis
from bot.faults import NETWORK, Fault, fault_of
from bot.pictures import EMOJI_VERSION, emojis
from engine.errors import Refusal
from engine.storage import settings
from engine.storage.database import Database

log = logging.getLogger(__name__)
#: Where the ids of those that Discord has are kept, with whose they are and which version.
UPLOADED = "emojis uploaded"
#: Seconds between two calls: the first start leaves room for the tables.
PAUSE = 0.1
#: Seconds before it is tried again, at first and at most.
FIRST_WAIT, LONGEST_WAIT = 60.0, 3600.0


class Uploads:
    """In the background, at each start: one look at what Discord has, and what is missing is sent.

    Until all are there, or where Discord refuses them, cards are texts.
    """

    def __init__(self, client: discord.Client, database: Database, budget: Budget, known: Emojis) -> None:
        self._client = client
        self._database = database
        self._budget = budget
        self._known = known
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Use those that Discord had at the last start at once, and look whether it still has them."""
        ids = await self._noted()
        if ids.keys() == emojis().keys():
            self._known.know(ids)
        self._known.on_loss = lambda: self._begin(FIRST_WAIT)
        self._begin()

    async def close(self) -> None:
        """Stop where it is; the next start goes on from there."""
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def _begin(self, wait: float = 0.0) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(wait))

    async def _run(self, wait: float) -> None:
        while True:
            await asyncio.sleep(wait)
            try:
                self._known.know(await self._complete())
                return
            except (discord.HTTPException, *NETWORK) as error:
                if fault_of(error) is not Fault.LATER:
                    log.warning("Discord refuses the emojis of the cards, which stay texts: %s", error)
                    return
                wait = min(LONGEST_WAIT, max(FIRST_WAIT, 2 * wait))
                log.warning("the emojis of the cards have to wait %.0f s: %s", wait, error)
            except Exception:
                log.exception("the emojis of the cards could not be uploaded")
                return

    async def _complete(self) -> Mapping[str, int]:
        """The ids of all emojis, once Discord has them as they are drawn now."""
        await self._budget.turn(Urgency.LOW)
        found = {emoji.name: emoji for emoji in await self._client.fetch_application_emojis()}
        noted = await self._noted()
        ids = {name: id for name, id in noted.items() if name in found and found[name].id == id}
        for name, image in emojis().items():
            if name not in ids:
                if name in found:
                    await self._turn()
                    await found[name].delete()
                await self._turn()
                ids[name] = (await self._client.create_application_emoji(name=name, image=image)).id
                await self._note(ids)
        return ids

    async def _turn(self) -> None:
        await asyncio.sleep(PAUSE)
        await self._budget.turn(Urgency.LOW)

    async def _noted(self) -> dict[str, int]:
        """The emojis of this application and this version that were uploaded, as far as we know."""
        with suppress(ValueError, TypeError):  # then nothing is known
            of, ids = json.loads(await settings.find(self._database, UPLOADED) or "[]")
            return {str(name): int(id) for name, id in ids} if of == self._mark else {}
        return {}

    async def _note(self, ids: Mapping[str, int]) -> None:
        with suppress(Refusal):  # then the next start uploads some once more
            await settings.put(self._database, UPLOADED, json.dumps([self._mark, [*ids.items()]]))

    @property
    def _mark(self) -> str:
        return f"{self._client.application_id} {EMOJI_VERSION}"
