"""What all slash commands have in common."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

from discord import app_commands

from bot.click import whisper
from bot.render.refusals import refused
from engine.errors import Refusal


def command(callback: Callable[..., Coroutine[Any, Any, None]]) -> app_commands.Command[Any, ..., None]:
    """A slash command by its function's name; what it refuses is told to whoever used it.

    A refusal is an answer: only what is a fault of ours reaches the tree's `on_error`.
    """

    async def answered(*arguments: Any, **options: Any) -> None:
        try:
            await callback(*arguments, **options)
        except Refusal as refusal:
            *_, interaction = arguments
            await whisper(interaction, refused(refusal))

    wrapped: Any = wraps(callback)(answered)
    # The library reads the options' types from here, where it could not look up their names.
    wrapped.__signature__ = inspect.signature(callback, eval_str=True)
    return app_commands.command()(wrapped)
