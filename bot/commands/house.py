"""/hearts house: house rules that this server keeps under a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from discord import app_commands

from bot.click import Interaction, whisper
from bot.commands.answering import command
from bot.render.house import saved_rules
from bot.render.text import harmless
from engine.errors import Refusal
from engine.rules.ruleset import Ruleset
from engine.storage import house
from engine.storage.database import Database

if TYPE_CHECKING:
    from bot.client import HeartsBot

Name = app_commands.Range[str, 1, 40]
#: How many suggestions Discord shows.
SUGGESTIONS = 25


async def find_rules(database: Database, guild: int, name: str) -> Ruleset:
    """The rules that this server has saved under this name; Refusal if there are none."""
    found = await house.find(database, guild, name)
    if found is None:
        raise Refusal("no_such_house_rules", name=name)
    return Ruleset.from_json(found[0])


async def suggest(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """The names of this server's house rules that hold what has been typed."""
    database = cast("HeartsBot", interaction.client).database
    names = [name for name, _ in await house.every(database, interaction.guild_id or 0)]
    fitting = [name for name in names if typed.casefold() in name.casefold()]
    return [app_commands.Choice(name=name, value=name) for name in fitting[:SUGGESTIONS]]


class House(app_commands.Group):
    """Keep house rules under a name."""

    def __init__(self, bot: HeartsBot) -> None:
        super().__init__(name="house", description="Keep house rules under a name")
        self._bot = bot

    @command
    @app_commands.describe(name="What to call them")
    async def save(self, interaction: Interaction, name: Name) -> None:
        """Save the rules of this channel's table, to open tables with them later."""
        guild = interaction.guild_id or 0
        rules = self._bot.tables.at(interaction.channel_id or 0).rules
        await house.save(
            self._bot.database,
            guild,
            name,
            rules.to_whole_json(),
            interaction.user.id,
            may_manage=interaction.permissions.manage_guild,
        )
        await whisper(interaction, f"Saved. `/hearts new house:` offers **{harmless(name)}** from now on.")

    @command
    async def show(self, interaction: Interaction) -> None:
        """See all house rules of this server."""
        found = await house.every(self._bot.database, interaction.guild_id or 0)
        await whisper(interaction, saved_rules([(name, Ruleset.from_json(rules)) for name, rules in found]))

    @command
    @app_commands.autocomplete(name=suggest)
    @app_commands.describe(name="Which")
    async def delete(self, interaction: Interaction, name: str) -> None:
        """Delete house rules (who saved them, or who may manage the server)."""
        found = await house.find(self._bot.database, interaction.guild_id or 0, name)
        if found is None:
            raise Refusal("no_such_house_rules", name=name)
        if found[1] != interaction.user.id and not interaction.permissions.manage_guild:
            raise Refusal("not_your_house_rules", name=name)
        await house.delete(self._bot.database, interaction.guild_id or 0, name)
        await whisper(interaction, f"**{harmless(name)}** is deleted.")
