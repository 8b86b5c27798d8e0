"""Emojis of the cards, and pictures of scenes, drawn with Pillow from the art of `bot.pictures.making`."""

from bot.pictures.drawing_process import DrawingProcess, draw
from bot.pictures.files import EMOJI_VERSION, FACES, USUAL_CARDS, avatar, emoji_name, emojis

__all__ = [
    "EMOJI_VERSION",
    "FACES",
    "USUAL_CARDS",
    "DrawingProcess",
    "avatar",
    "draw",
    "emoji_name",
    "emojis",
]
