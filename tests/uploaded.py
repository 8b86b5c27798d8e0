"""A Discord that already has the bot's emojis, and a database with their ids."""

import json

from simcord.env import Env

from bot.pictures import EMOJI_VERSION, emojis
from bot.provisioning import UPLOADED
from engine.storage import settings
from engine.storage.database import Database


async def upload_emojis(env: Env, database: Database) -> None:
    """Upload the emojis before the bot starts, as an earlier start would have."""
    there = {emoji.name: emoji for emoji in env.backend.application_emojis.values()}
    create = env.backend.create_application_emoji
    ids = [(name, (there.get(name) or create(name)).id) for name in emojis()]
    mark = f"{env.backend.application_id} {EMOJI_VERSION}"
    await settings.put(database, UPLOADED, json.dumps([mark, ids]))
