"""/hearts house: house rules that this server keeps under a name."""

from __future__ import annotations

from discord import app_commands

from bot.click import Interaction
from bot.commands.common import command
from bot.delivery import Reply
from bot.permissions import may_manage_server
from bot.render.rules import saved_rules
from bot.render.text import harmless, visible
from bot.services import Services
from engine.errors import Refusal
from engine.rules.ruleset import Ruleset
from engine.storage import house_rules
from engine.storage.database import Database

Name = app_commands.Range[str, 1, 40]
#: How many suggestions Discord shows.
SUGGESTIONS = 25


async def find_rules(database: Database, guild: int, name: str) -> Ruleset:
    """The rules that this server has saved under this name; Refusal if there are none."""
    found = await house_rules.find(database, guild, name)
    if found is None:
        raise Refusal("no_such_house_rules", name=name)
    return found


async def suggestions(
    database: Database, interaction: Interaction, typed: str
) -> list[app_commands.Choice[str]]:
    """The names of this server's house rules that hold what has been typed."""
    names = [name for name, _ in await house_rules.every(database, interaction.guild_id or 0)]
    fitting = [name for name in names if typed.casefold() in name.casefold()]
    return [app_commands.Choice(name=visible(name), value=name) for name in fitting[:SUGGESTIONS]]


class House(app_commands.Group):
    """Keep house rules under a name."""

    def __init__(self, services: Services) -> None:
        super().__init__(name="house", description="Keep house rules under a name")
        self._tables = services.tables
        self._database = services.database

    @command
    @app_commands.describe(name="What to call them")
    async def save(self, reply: Reply, name: Name) -> None:
        """Save the rules of this channel's table, to open tables with them later."""
        rules, may_manage = self._tables.at(reply.channel).rules, may_manage_server(reply.interaction)
        await house_rules.save(self._database, reply.guild, name, rules, reply.person, may_manage=may_manage)
        await reply.whisper(f"Saved. `/hearts new house:` offers **{harmless(name)}** from now on.")

    @command
    async def show(self, reply: Reply) -> None:
        """See all house rules of this server."""
        await reply.whisper(saved_rules(await house_rules.every(self._database, reply.guild)))

    @command
    @app_commands.describe(name="Which")
    async def delete(self, reply: Reply, name: str) -> None:
        """Delete house rules (who saved them, or who may manage the server)."""
        author = await house_rules.author(self._database, reply.guild, name)
        if author is None:
            raise Refusal("no_such_house_rules", name=name)
        if author != reply.person and not may_manage_server(reply.interaction):
            raise Refusal("not_your_house_rules", name=name)
        await house_rules.delete(self._database, reply.guild, name)
        await reply.whisper(f"**{harmless(name)}** is deleted.")

    @delete.autocomplete("name")
    async def _suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await suggestions(self._database, interaction, typed)
