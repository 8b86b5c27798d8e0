"""Cards as emojis and pictures of scenes: drawn with Pillow from art that `bot.pictures.making` has made."""

from __future__ import annotations

from bot.pictures.files import EMOJI_VERSION, avatar, emoji_name, emojis
from bot.pictures.studio import Studio, draw

__all__ = ["EMOJI_VERSION", "Studio", "avatar", "draw", "emoji_name", "emojis"]
