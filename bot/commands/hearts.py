"""/hearts: everything about the table in this channel."""

from __future__ import annotations

import json
from typing import Any

import discord
from discord import app_commands

from bot.click import Interaction, show_hand, who
from bot.commands.common import command
from bot.commands.house import House, find_rules, suggestions
from bot.commands.replay import open_replay
from bot.daily_answers import open_daily, post_daily
from bot.delivery import Reply
from bot.messages import Attachment, Whisper
from bot.permissions import may_manage_channel, may_post
from bot.render import scores, tricks, votes
from bot.render.buttons import come_back
from bot.render.latecomers import STAYS_OUT
from bot.render.operations import status
from bot.render.rules import rules_page
from bot.seating import greet, offer_seat, show_lobby
from bot.services import Services
from bot.status import StatusFor
from engine.errors import Refusal
from engine.play.record import write_record
from engine.players import Strength
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.rules.wording import changed
from engine.sentences import either
from engine.tables import Motion, Pace, State, Table
from engine.tables.changes import check_may_stop

GAMES = [
    app_commands.Choice(name=f"{preset.title} ({either(preset.players)} players)", value=preset.name)
    for preset in PRESETS.values()
]
STRENGTHS = [app_commands.Choice(name=strength.title, value=strength.value) for strength in Strength]
PACE_HELP = "How long a turn may take before a computer plays it"
PACES = [app_commands.Choice(name=pace.title, value=pace.value) for pace in Pace]
#: With how many a table is opened unless somebody says otherwise, where the game allows it.
USUAL_PLAYERS = 4


@app_commands.guild_only()
class Hearts(app_commands.Group):
    """Play Hearts in this channel."""

    def __init__(self, services: Services, status: StatusFor) -> None:
        super().__init__(name="hearts", description="Play Hearts in this channel")
        self._services = services
        self._tables = services.tables
        self._status = status
        self.add_command(House(services))

    @command
    @app_commands.choices(game=GAMES, computers=STRENGTHS, pace=PACES)
    @app_commands.describe(
        game="Which game of the family",
        players="How many play; the table's Rules button changes it too",
        computers="How strong the computers are that take the empty seats",
        jack_of_diamonds="The jack of diamonds takes ten points off",
        ends_at="The total that ends the game",
        house="House rules that this server has saved",
        pace=PACE_HELP,
    )
    async def new(
        self,
        reply: Reply,
        game: str | None = None,
        players: app_commands.Range[int, 3, 10] | None = None,
        computers: str = Strength.MEDIUM.value,
        jack_of_diamonds: bool | None = None,
        ends_at: app_commands.Range[int, 1, 100_000] | None = None,
        house: str | None = None,
        pace: str = Pace.RELAXED.value,
    ) -> None:
        """Open a table in this channel."""
        interaction = reply.interaction
        assert interaction.guild_id is not None
        assert interaction.channel_id is not None
        if not may_post(interaction.channel, interaction.app_permissions):
            raise Refusal("bot_may_not_post")
        if house is not None and game is not None:
            raise Refusal("house_names_game")
        if house is not None:
            rules = await find_rules(self._services.database, interaction.guild_id, house)
        else:
            game = game or _usual_game(players or USUAL_PLAYERS)
            rules = Ruleset.of(game, players or _usual_players(game))
        given = {"jack_of_diamonds": jack_of_diamonds, "ends_at": ends_at}
        options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        rules = changed(rules, options, players)
        table = await self._tables.open(
            interaction.guild_id,
            interaction.channel_id,
            who(interaction),
            rules,
            Pace(pace),
            Strength(computers),
        )
        await show_lobby(self._services, reply, table)

    @new.autocomplete("house")
    async def _suggest(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await suggestions(self._services.database, interaction, typed)

    @command
    async def hand(self, reply: Reply) -> None:
        """See your hand and play from it, for you alone."""
        await show_hand(self._services, reply, self._table(reply))

    @command
    @app_commands.describe(channel="Where I shall post it each morning (who may manage the server)")
    async def daily(self, reply: Reply, channel: discord.TextChannel | None = None) -> None:
        """Play today's three deals, the same for everybody, in private."""
        if channel is None:
            await open_daily(self._services, reply)
        else:
            await post_daily(self._services, reply, channel)

    @command
    async def scores(self, reply: Reply) -> None:
        """See the points of each deal and the totals."""
        await reply.whisper(scores.sheet((await self._last_table(reply)).public))

    @command
    async def rules(self, reply: Reply) -> None:
        """Read the rules of this table."""
        table = (await self._last_table(reply)).public
        await reply.whisper(rules_page(table, reply.person))

    @command
    async def last(self, reply: Reply) -> None:
        """See the last trick again."""
        await reply.whisper(tricks.last((await self._last_table(reply)).public))

    @command
    async def record(self, reply: Reply) -> None:
        """Get the last game of this channel as a file; of one going on, its complete deals."""
        table = await self._tables.games.latest(reply.channel)
        assert table.game is not None
        record = write_record(table.game.complete_deals, [seat.name for seat in table.seats])
        text = json.dumps(record, ensure_ascii=False) + "\n"
        await reply.whisper(Whisper((Attachment(f"hearts-{table.id}.jsonl", text.encode()),)))

    @command
    @app_commands.describe(
        file="A game's record, as /hearts record gives it",
        game="Which game of the file, where it has several",
    )
    async def replay(
        self,
        reply: Reply,
        file: discord.Attachment | None = None,
        game: app_commands.Range[int, 1, 10_000] | None = None,
    ) -> None:
        """Look at the last game again, card by card with all hands open, or at one from a file."""
        await open_replay(self._services, reply, file, game)

    @command
    @app_commands.choices(pace=PACES)
    @app_commands.describe(pace=PACE_HELP)
    async def pace(self, reply: Reply, pace: str) -> None:
        """Change how long a turn may take (the host)."""
        table = self._table(reply)
        await self._tables.change_pace(table.id, reply.person, Pace(pace))
        await reply.whisper(f"Pace from this turn on: {Pace(pace).title}.")

    @command
    async def join(self, reply: Reply) -> None:
        """Take a seat: in the middle of a game a computer's, from the next deal on."""
        table, person = self._table(reply), who(reply.interaction)
        if table.state is State.LOBBY:
            await greet(self._services, reply, await self._tables.join(table.id, person))
        elif table.seat_of(person.id) is None:
            await offer_seat(self._services, reply, table, person)
        else:
            await show_hand(self._services, reply, await self._tables.join(table.id, person))

    @command
    async def leave(self, reply: Reply) -> None:
        """Get up: a computer plays for you until you come back, or somebody takes your seat."""
        table = await self._tables.leave(self._table(reply).id, reply.person)
        if table.game is None:
            await reply.whisper("You have left the table.")
        elif table.seat_of(reply.person) is None:
            await reply.whisper(STAYS_OUT)
        else:
            text = f"You have left: a computer plays your cards until you come back{_or_lose(table)}."
            if not table.seats.are_for_one:
                text += " If you are still away when the game ends, it counts as lost."
            await reply.whisper(Whisper((text, (come_back(table.id),))))

    @command
    async def stop(self, reply: Reply) -> None:
        """End the game without a result: everybody at the table is asked."""
        table, may_manage = self._table(reply), may_manage_channel(reply.interaction)
        if table.asks_all and table.seat_of(reply.person) in table.seats.occupied:
            if not may_manage:
                self._tables.check_may_propose(table, reply.person, Motion.STOP)
            await reply.whisper(votes.end_question(table.public, may_manage=may_manage))
            return
        check_may_stop(table, reply.person, may_manage=may_manage)
        await reply.whisper(votes.stop_question(table.public))

    @command
    async def concede(self, reply: Reply) -> None:
        """End the game and count it as it stands: everybody at the table is asked."""
        table = self._table(reply)
        self._tables.check_may_propose(table, reply.person, Motion.CONCEDE)
        await reply.whisper(votes.concede_question(table.public))

    @command
    async def status(self, reply: Reply) -> None:
        """See the bot's status (whoever runs it)."""
        await reply.whisper(status(await self._status(reply.interaction.user)))

    async def _last_table(self, reply: Reply) -> Table:
        """This channel's table or, where there is none, its last game."""
        channel = reply.channel
        try:
            return self._tables.in_channel(channel) or await self._tables.games.latest(channel)
        except Refusal:
            raise Refusal("no_table") from None

    def _table(self, reply: Reply) -> Table:
        return self._tables.at(reply.channel)


def _or_lose(table: Table) -> str:
    return ", or somebody else takes your seat with a new deal" if table.takes_latecomers else ""


def _usual_game(players: int) -> str:
    """Which it is when somebody only says how many play."""
    return next(preset.name for preset in PRESETS.values() if players in preset.players)


def _usual_players(game: str) -> int:
    possible = PRESETS[game].players
    return USUAL_PLAYERS if USUAL_PLAYERS in possible else possible[0]
