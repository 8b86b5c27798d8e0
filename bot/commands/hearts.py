"""/hearts: everything about the table in this channel."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.click import Interaction, may_manage, show_hand, whisper, who
from bot.commands.answering import command
from bot.commands.house import House, find_rules, suggest
from bot.delivery import NOBODY
from bot.messages import Button, Style, Whisper, action
from bot.render import lobby, scores, tricks
from bot.render.operations import status
from bot.render.refusals import come_back
from bot.seating import present
from bot.status import status_of
from engine.errors import Refusal
from engine.play.record import write
from engine.rules.editing import changed
from engine.rules.presets import CLASSIC, PRESETS
from engine.rules.ruleset import Ruleset, in_words
from engine.rules.words import goal
from engine.tables import Pace, Table
from engine.tables.changes import check_may_stop

if TYPE_CHECKING:
    from bot.client import HeartsBot

GAMES = [
    app_commands.Choice(name=f"{preset.title} ({in_words(preset.players)} players)", value=preset.name)
    for preset in PRESETS.values()
]
PACES = [app_commands.Choice(name=pace.title, value=pace.value) for pace in Pace]
#: With how many a table is opened unless somebody says otherwise, where the game allows it.
USUAL_PLAYERS = 4


@app_commands.guild_only()
class Hearts(app_commands.Group):
    """Play Hearts in this channel."""

    def __init__(self, bot: HeartsBot) -> None:
        super().__init__(name="hearts", description="Play Hearts in this channel")
        self._bot = bot
        self.add_command(House(bot))

    @command
    @app_commands.choices(game=GAMES, pace=PACES)
    @app_commands.autocomplete(house=suggest)
    @app_commands.describe(
        game="Which game of the family",
        players="How many play; the lobby's Rules button changes it too",
        jack_of_diamonds="The jack of diamonds takes ten points off",
        ends_at="The total that ends the game",
        house="House rules that this server has saved",
        pace="How long a turn may take before a computer plays it",
    )
    async def new(
        self,
        interaction: Interaction,
        game: str | None = None,
        players: app_commands.Range[int, 3, 10] | None = None,
        jack_of_diamonds: bool | None = None,
        ends_at: app_commands.Range[int, 1, 100_000] | None = None,
        house: str | None = None,
        pace: str = Pace.RELAXED.value,
    ) -> None:
        """Open a table in this channel."""
        _check_may_post(interaction)
        assert interaction.guild_id is not None
        assert interaction.channel_id is not None
        if house is not None and game is not None:
            raise Refusal("house_names_game")
        if house is not None:
            rules = await find_rules(self._bot.database, interaction.guild_id, house)
        else:
            rules = Ruleset.of(game or CLASSIC.name, players or _usual_players(game or CLASSIC.name))
        given = {"jack_of_diamonds": jack_of_diamonds, "ends_at": ends_at}
        options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        table = await self._bot.tables.open(
            interaction.guild_id,
            interaction.channel_id,
            who(interaction),
            changed(rules, options, players),
            Pace(pace),
        )
        await present(self._bot, interaction, table)

    @command
    async def hand(self, interaction: Interaction) -> None:
        """See your hand and play from it, for you alone."""
        await show_hand(self._bot, interaction, self._table(interaction))

    @command
    async def scores(self, interaction: Interaction) -> None:
        """See the points of each deal and the totals."""
        await whisper(interaction, scores.sheet((await self._last_table(interaction)).public))

    @command
    async def rules(self, interaction: Interaction) -> None:
        """Read the rules of this table."""
        table = (await self._last_table(interaction)).public
        heading = f"### {table.rules.preset.title}\n**{goal(table.rules)}.**"
        await whisper(interaction, Whisper((heading, lobby.rules(table))))

    @command
    async def last(self, interaction: Interaction) -> None:
        """See the last trick again."""
        await whisper(interaction, tricks.last((await self._last_table(interaction)).public))

    @command
    async def record(self, interaction: Interaction) -> None:
        """Get the last game of this channel as a file; of one going on, its complete deals."""
        table = await self._bot.tables.latest_game(interaction.channel_id or 0)
        assert table.game is not None
        record = write(table.game.complete_deals, [seat.name for seat in table.seats])
        text = json.dumps(record, ensure_ascii=False) + "\n"
        file = discord.File(io.BytesIO(text.encode()), filename=f"hearts-{table.id}.jsonl")
        await interaction.response.send_message(file=file, ephemeral=True, allowed_mentions=NOBODY)

    @command
    @app_commands.choices(pace=PACES)
    @app_commands.describe(pace="How long a turn may take before a computer plays it")
    async def pace(self, interaction: Interaction, pace: str) -> None:
        """Change how long a turn may take (the host)."""
        table = self._table(interaction)
        await self._bot.tables.change_pace(table.id, interaction.user.id, Pace(pace))
        await whisper(interaction, f"Pace from this turn on: {Pace(pace).title}.")

    @command
    async def leave(self, interaction: Interaction) -> None:
        """Get up: a computer takes your seat until you come back."""
        table = await self._bot.tables.leave(self._table(interaction).id, interaction.user.id)
        if table.game is None:
            await whisper(interaction, "You have left the table.")
        else:
            text = "You have left: a computer plays your cards until you come back."
            await whisper(interaction, Whisper((text, (come_back(table.id),))))

    @command
    async def stop(self, interaction: Interaction) -> None:
        """Close the table without a result."""
        table = self._table(interaction)
        check_may_stop(table, interaction.user.id, may_manage=may_manage(interaction))
        question = "Close this table?" if table.game is None else "Stop this game? No result will count."
        row = (
            Button("Stop", action("stop", table.id), Style.RED),
            Button("Go on", action("goon", table.id)),
        )
        await whisper(interaction, Whisper((question, row)))

    @command
    async def status(self, interaction: Interaction) -> None:
        """See how the bot does (whoever runs it)."""
        if not await self._bot.is_owner(interaction.user):
            raise Refusal("owner_only")
        await whisper(interaction, status(status_of(self._bot)))

    async def _last_table(self, interaction: Interaction) -> Table:
        """This channel's table or, where there is none, its last game."""
        channel = interaction.channel_id or 0
        try:
            return self._bot.tables.in_channel(channel) or await self._bot.tables.latest_game(channel)
        except Refusal:
            raise Refusal("no_table") from None

    def _table(self, interaction: Interaction) -> Table:
        return self._bot.tables.at(interaction.channel_id or 0)


def _usual_players(game: str) -> int:
    possible = PRESETS[game].players
    return USUAL_PLAYERS if USUAL_PLAYERS in possible else possible[0]


def _check_may_post(interaction: Interaction) -> None:
    """Refusal unless the bot may see this channel and write in it."""
    may = interaction.app_permissions
    in_thread = isinstance(interaction.channel, discord.Thread)
    if not (may.view_channel and (may.send_messages_in_threads if in_thread else may.send_messages)):
        raise Refusal("bot_may_not_post")
