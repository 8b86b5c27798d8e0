"""What slash commands, buttons, selects and forms do: a module for each topic, and here the list of all."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, cast

import discord
from discord import app_commands

from bot.interactions import daily, hand, help, lobby, operator, person, replays, rules, standings, table
from bot.interactions.answering import SORRY, SORRY_ELSEWHERE, Click, Services, Tree, group, reporting_errors
from bot.messages import CHECK
from engine.errors import Refusal

Handler = Callable[[Click], Awaitable[None]]

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

#: What plays a hand, that of a daily game too.
PLAYING: dict[str, Handler] = {
    "pick": hand.pick,
    "unpick": hand.unpick,
    "pass": hand.choose_pass,
    "expose": hand.expose,
    "lay": hand.lay,
    "wait": hand.wait,
    "decline": hand.decline,
    "play": hand.play,
    "moon": hand.choose_moon,
    "dm": daily.by_dm,
}
#: What looks back on deals that are done, those of a daily game too.
LOOKING_BACK: dict[str, Handler] = {
    "review": replays.review,
    "check": replays.check_seal,
    "replay": replays.begin,
    "step": replays.step,
    "deals": replays.choose_deal,
    "costly": replays.judge,
}
#: What each button, select and form does, by the verb in its custom id.
CONTROLS: dict[str, Handler] = {
    **PLAYING,
    **LOOKING_BACK,
    "join": lobby.join,
    "leave": lobby.leave,
    "computer": lobby.add_computer,
    "remove": lobby.remove_computer,
    "strength": lobby.change_strength,
    "ends": lobby.end_at,
    "start": lobby.start,
    "rematch": lobby.rematch,
    "rules": rules.show,
    "ask": rules.ask,
    "set": rules.change,
    "learn": help.learn,
    "page": help.turn,
    "commands": help.commands,
    "hand": hand.show,
    "hint": hand.give_hint,
    "back": table.come_back,
    "seat": table.ask_for_seat,
    "take": table.choose_seat,
    "out": table.stay_out,
    "latecomers": table.open_or_close,
    "retry": table.try_again,
    "stop": table.stop,
    "keep": table.keep,
    "propose": table.propose,
    "vote": table.vote,
    "watch": replays.watch,
    "look": replays.look,
    "board": standings.turn_board,
    "career": standings.turn_career,
    "daily": daily.play,
    "finish": daily.finish,
    "anew": daily.begin_anew,
    "day": daily.see_day,
    "dealt": daily.see_deal,
    "share": daily.share,
    "mornings": daily.no_mornings,
    "prefer": person.prefer,
    "forget": person.forget,
    "remember": person.remember,
}

#: What `bot.messages.action` writes.
PATTERN = re.compile(r"hearts:(?P<verb>[a-z]+):(?P<table>[0-9]{1,18})(?P<details>(?::[^:]*)*)")
USES = (discord.InteractionType.component, discord.InteractionType.modal_submit)


def add_commands(tree: Tree, services: Services) -> None:
    """Add all slash commands, which are handed these services."""
    tree.services = services
    for one in COMMANDS:
        tree.add_command(one)


async def use(services: Services, interaction: discord.Interaction[Any]) -> None:
    """Do what a control is for that was used; it is read from its custom id, and so outlives a restart."""
    if interaction.type not in USES:
        return
    custom_id = str(cast(Any, interaction.data or {}).get("custom_id", ""))
    if custom_id.startswith(CHECK):
        return  # another process asks this with our token, and answers it
    match = PATTERN.fullmatch(custom_id)
    verb, table = (match["verb"], int(match["table"])) if match else ("?", 0)
    reply = services.delivery.reply(interaction)
    async with reporting_errors(
        reply, f"control {verb} of table {table}", SORRY if table else SORRY_ELSEWHERE
    ):
        if match is None or verb not in CONTROLS:
            raise Refusal("stale")
        click = Click(services, reply, table, tuple(match["details"].split(":")[1:]))
        if table:
            await check_place(click, verb)
        with services.limits.admit(reply.user_id, verb):
            await CONTROLS[verb](click)


async def check_place(click: Click, verb: str) -> None:
    """Refusal unless it was clicked where the table is, or in a DM by somebody whom it concerns.

    A daily game is nowhere: whoever has begun it may play, wherever they see their hand.
    """
    table, person = await click.services.tables.find(click.table), click.reply.user_id
    if table.daily:
        if table.seat_of(person) is None or not (verb in PLAYING or verb in LOOKING_BACK):
            raise Refusal("stale")
        if verb in PLAYING and not table.is_live:
            raise Refusal("daily_over")
    elif click.in_dm and not table.concerns(person):
        raise Refusal("not_seated")
    elif not click.in_dm and click.reply.channel != table.channel:
        raise Refusal("stale")
