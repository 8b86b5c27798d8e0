"""What all slash commands have in common."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

import discord
from discord import app_commands

from bot.answers import SORRY, SORRY_ELSEWHERE, answer_for, answering
from bot.delivery import Reply
from bot.limits import Limits

#: Where a use of a command keeps what it is answered with, and what admits it.
REPLY, LIMITS = "reply", "limits"


def command(callback: Callable[..., Coroutine[Any, Any, None]]) -> app_commands.Command[Any, ..., None]:
    """A slash command by its function's name, which is handed the Reply in place of the interaction.

    What it refuses or fails at is told to whoever used it.
    """

    async def answered(*arguments: Any, **options: Any) -> None:
        *self, interaction = arguments
        name = interaction.command.qualified_name
        # The reply refers to the interaction: popped, they go from memory together.
        reply, limits = interaction.extras.pop(REPLY), interaction.extras[LIMITS]
        async with answering(reply, f"/{name}", _sorry(name)):
            with limits.admit(reply.person, name):
                await callback(*self, reply, **options)

    wrapped: Any = wraps(callback)(answered)
    # The library reads the options' types from here, where it could not look up their names.
    wrapped.__signature__ = inspect.signature(callback, eval_str=True)
    return app_commands.command()(wrapped)


class Tree(app_commands.CommandTree[Any]):
    """The commands; what the library itself finds wrong with one is answered like the rest."""

    reply: Callable[[discord.Interaction[Any]], Reply]  # what makes a Reply of each use of one
    limits: Limits

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Every command may be used, and is handed what it is answered with."""
        interaction.extras[REPLY] = self.reply(interaction)
        interaction.extras[LIMITS] = self.limits
        return True

    async def on_error(
        self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /
    ) -> None:
        """Answer for a command that did not get as far as ours."""
        name = interaction.command.qualified_name if interaction.command else "unknown"
        await answer_for(self.reply(interaction), error, f"/{name}", _sorry(name))


def _sorry(name: str) -> str:
    return SORRY if name.startswith("hearts") else SORRY_ELSEWHERE
