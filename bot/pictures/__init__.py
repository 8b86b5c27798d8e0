"""Cards as emojis and pictures of scenes: drawn with Pillow from art that `bot.pictures.making` has made."""

from __future__ import annotations

from bot.pictures.drawing_process import DrawingProcess, draw
from bot.pictures.files import EMOJI_VERSION, avatar, emoji_name, emojis

__all__ = ["EMOJI_VERSION", "DrawingProcess", "avatar", "draw", "emoji_name", "emojis"]
