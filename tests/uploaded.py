"""A Discord that has the bot's emojis already, and a database that knows them."""

import json

from simcord.env import Env

from bot.pictures import EMOJI_VERSION, emojis
from bot.provisioning import UPLOADED
from engine.storage import settings
from engine.storage.database import Database


async def upload_emojis(env: Env, database: Database) -> None:
    """As if an earlier start had done it: before the bot is started."""
    there = {emoji.name: emoji for emoji in env.backend.application_emojis.values()}
    create = env.backend.create_application_emoji
    ids = [(name, (there.get(name) or create(name)).id) for name in emojis()]
    mark = f"{env.backend.application_id} {EMOJI_VERSION}"
    await settings.put(database, UPLOADED, json.dumps([mark, ids]))
