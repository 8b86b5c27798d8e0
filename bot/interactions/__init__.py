"""What slash commands, buttons, selects and forms do: a module for each topic, and here the list of all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast, get_args, get_type_hints

import discord
from discord import app_commands

from bot.controls import Action, BeHere, decode
from bot.interactions import (
    daily,
    hand,
    help,
    lobby,
    operator,
    person,
    replays,
    rules,
    standings,
    starts,
    table,
)
from bot.interactions.answering import (
    SORRY,
    SORRY_ELSEWHERE,
    Click,
    Services,
    Tree,
    group,
    reporting_errors,
    who,
)
from bot.messages import CHECK
from engine.errors import Refusal

Handler = Callable[[Any], Awaitable[None]]  # is handed a Click

HEARTS = app_commands.guild_only()(
    group(
        "hearts",
        "Play Hearts in this channel",
        lobby.new_command,
        hand.hand_command,
        daily.daily_command,
        replays.scores_command,
        rules.rules_command,
        replays.last_command,
        replays.record_command,
        replays.replay_command,
        table.pace_command,
        lobby.language_command,
        table.join_command,
        table.leave_command,
        table.stop_command,
        table.concede_command,
        operator.status_command,
        rules.HOUSE,
    )
)
COMMANDS = (
    HEARTS,
    person.preferences_command,
    person.PRIVACY,
    standings.leaderboard_command,
    standings.stats_command,
    help.help_command,
)


def by_verb(*handlers: Handler) -> dict[str, Handler]:
    """Each handler by the verb of the action in its annotation, `Click[Play]`."""
    return {get_args(get_type_hints(one)["click"])[0].verb: one for one in handlers}


#: What plays a hand, that of a daily game too.
PLAYING = by_verb(
    hand.pick,
    hand.unpick,
    hand.choose_pass,
    hand.expose,
    hand.lay,
    hand.wait,
    hand.decline,
    hand.play,
    hand.choose_moon,
    daily.by_dm,
)
#: What looks back, at a daily game too.
LOOKING_BACK = by_verb(
    replays.show_tricks,
    replays.review,
    replays.check_seal,
    replays.begin,
    replays.step,
    replays.choose_deal,
    replays.judge,
)
#: What each button, select and form does, by the verb in its custom id.
CONTROLS = (
    PLAYING
    | LOOKING_BACK
    | by_verb(lobby.join, lobby.leave, lobby.add_computer, lobby.remove_computer, lobby.change_strength)
    | by_verb(lobby.start, lobby.rematch)
    | by_verb(starts.be_here, starts.choose, starts.drop)
    | by_verb(rules.show, rules.ask, rules.change, help.learn, help.turn, help.commands)
    | by_verb(hand.show, hand.give_hint, table.come_back, table.ask_for_seat, table.choose_seat)
    | by_verb(table.stay_out, table.open_or_close, table.try_again)
    | by_verb(table.stop, table.keep, table.propose, table.vote)
    | by_verb(replays.watch, replays.look, standings.turn_board, standings.turn_career)
    | by_verb(daily.play, daily.finish, daily.begin_anew, daily.see_day, daily.see_deal)
    | by_verb(daily.share, daily.seals)
    | by_verb(daily.no_mornings, person.prefer, person.forget, person.remember)
)
USES = (discord.InteractionType.component, discord.InteractionType.modal_submit)


def add_commands(tree: Tree, services: Services) -> None:
    """Add all slash commands, which are handed these services."""
    tree.services = services
    for one in COMMANDS:
        tree.add_command(one)


async def use(services: Services, interaction: discord.Interaction[Any]) -> None:
    """Handle the use of a control. It is read from its custom id alone, so it still works after a restart."""
    if interaction.type not in USES:
        return
    custom_id = str(cast(Any, interaction.data or {}).get("custom_id", ""))
    if custom_id.startswith(CHECK):
        return  # another process asks this with our token, and answers it
    action, reply = decode(custom_id), services.delivery.reply(interaction)
    doing = f"control {action.verb} of table {action.table}" if action else "an unknown control"
    async with reporting_errors(reply, doing, SORRY if action and action.table else SORRY_ELSEWHERE):
        if action is None:
            raise Refusal("stale")
        await services.tables.preferences.heard(who(interaction))
        click = Click(services, reply, action)
        if action.table:
            await check_place(click)
            if not isinstance(action, BeHere):  # which says so itself
                await services.tables.notice_presence(action.table, reply.user_id)
        with services.limits.admit(reply.user_id, action.verb):
            await CONTROLS[action.verb](click)


async def check_place(click: Click[Action]) -> None:
    """Check that it was clicked in the table's channel, or in a DM by somebody at the table; else Refusal.

    A daily game has no channel: its player may play wherever they see their hand.
    """
    table, person = await click.services.tables.find(click.table), click.reply.user_id
    verb = click.action.verb
    if table.daily:
        if table.seat_of(person) is None or not (verb in PLAYING or verb in LOOKING_BACK):
            raise Refusal("stale")
        if verb in PLAYING and not table.is_live:
            raise Refusal("daily_over")
    elif click.in_dm and not table.concerns(person):
        raise Refusal("not_seated")
    elif not click.in_dm and click.reply.channel != table.channel:
        raise Refusal("stale")
