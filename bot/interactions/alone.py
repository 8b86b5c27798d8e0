"""A table alone: one person and computers in one message, wherever that person may use the bot."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, Self

from bot import controls
from bot.controls import Action, Jack
from bot.delivery import Reply
from bot.interactions.answering import Click, Services, who
from bot.interactions.hand import carrying_click, show_hand, show_newest
from bot.render.private_hand import at_table, going_on
from engine.errors import Refusal
from engine.players import Strength
from engine.rules.presets import PRESETS
from engine.rules.ruleset import Ruleset
from engine.rules.wording import changed
from engine.tables import Pace, Table

#: With how many a table is opened unless somebody says otherwise, where the game allows it.
USUAL_PLAYERS = 4


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody chose when they opened a table; None leaves it as it usually is."""

    game: str | None = None
    players: int | None = None
    computers: Strength = Strength.MEDIUM
    jack_of_diamonds: bool | None = None
    ends_at: int | None = None
    pace: Pace = Pace.NONE

    @property
    def rules(self) -> Ruleset:
        """The rules of the table; Refusal if they do not go together."""
        game = self.game or _usual_game(self.players or USUAL_PLAYERS)
        return self.applied_to(Ruleset.of(game, self.players or _usual_players(game)))

    def applied_to(self, rules: Ruleset) -> Ruleset:
        """These rules with what was chosen besides the game; Refusal if it does not go with them."""
        given = {"jack_of_diamonds": self.jack_of_diamonds, "ends_at": self.ends_at}
        options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        return changed(rules, options, self.players)

    def control(self, table: int) -> controls.OpenAlone:
        """The control that gives up this table and opens one like this."""
        rules, total = self.rules, self.ends_at or 0
        jack = Jack.of(self.jack_of_diamonds)
        return controls.OpenAlone(
            table, rules.preset.name, rules.players, self.computers, self.pace, jack, total
        )

    @classmethod
    def of(cls, action: controls.OpenAlone) -> Self:
        """What such a control asks for."""
        jack, total = action.jack.is_worth_ten, action.ends_at or None
        return cls(action.game, action.players, action.strength, jack, total, action.pace)


def _usual_game(players: int) -> str:
    """The game for this number of players when none is named."""
    return next(preset.name for preset in PRESETS.values() if players in preset.players)


def _usual_players(game: str) -> int:
    possible = PRESETS[game].players
    return USUAL_PLAYERS if USUAL_PLAYERS in possible else possible[0]


async def open_alone(services: Services, reply: Reply, wanted: Wanted) -> None:
    """Answer with a new table alone of the person who asks, in its lobby.

    They have one at a time: while another goes on, ask which it shall be. It needs no server, and no bot in
    one: the table is this answer, edited through their clicks.
    """
    rules, table = wanted.rules, services.tables.alone(reply.user_id)
    if table is None:
        table = await _open(services, reply, wanted, rules)
        await show_hand(services, reply, table)
    else:
        public = table.public.in_language(reply.language)
        await reply.whisper(going_on(public, wanted.control(table.id)), lasting=True)


async def _open(services: Services, reply: Reply, wanted: Wanted, rules: Ruleset) -> Table:
    opening = services.tables.open_alone(
        who(reply.interaction), rules, wanted.pace, wanted.computers, reply.language
    )
    return await _or_other(services, reply.user_id, opening)


async def _or_other(services: Services, person: int, opening: Awaitable[Table]) -> Table:
    """The table that is opened or, if another click has opened one at the same moment, that one."""
    try:
        return await opening
    except Refusal as refusal:
        table = services.tables.alone(person)
        if refusal.id not in ("table_in_channel", "rematch_open") or table is None:
            raise
        return table


async def go_on(click: Click[controls.GoOn]) -> None:
    """Show one's table in place of the question which it shall be."""
    async with carrying_click(click, 0):
        show_newest(click, 0)


async def begin_anew(click: Click[controls.OpenAlone]) -> None:
    """Give up the table that was asked about, and open another in its place."""
    click.check_private()
    services, person = click.services, click.person.id
    wanted = Wanted.of(click.action)
    rules, old = wanted.rules, services.tables.alone(person)
    if old and old.id == click.table:
        await services.tables.stop(old.id, person, may_manage=True)
    table = await _open(services, click.reply, wanted, rules)
    async with services.delivery.my_hand.carrying_click(table.id, click.reply):
        services.announcer.show_hand(table, person, None)


async def play_again(click: Click[controls.Rematch]) -> None:
    """Open a lobby with the rules of the game that is over or, if one has been opened since, show that."""
    services = click.services
    table = services.tables.alone(click.person.id)
    if table is None:
        opening = services.tables.rematch(click.table, click.person)
        table = await _or_other(services, click.person.id, opening)
    await show_hand(services, click.reply, table)


async def show_end(click: Click[Action]) -> None:
    """Show how one's table ended, in place of a message that still shows it as it was."""
    with click.services.limits.admit(click.person.id, controls.Replay.verb):  # as it costs the same
        table = await click.services.tables.games.whole(click.table)
    await click.edit(at_table(table.public.in_language(click.language)))
