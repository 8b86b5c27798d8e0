"""What the buttons, selects and forms do, by the verb in their custom id."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, cast

import discord

from bot.answers import SORRY, SORRY_ELSEWHERE, answering
from bot.click import Click
from bot.controls import (
    careers,
    daily,
    hands,
    hints,
    how_to_play,
    latecomers,
    leaderboards,
    lobbies,
    preferences,
    privacy,
    replays,
    rules,
    seals,
    tables,
    votes,
    watching,
)
from bot.messages import CHECK
from bot.services import Services
from engine.errors import Refusal

Handler = Callable[[Click], Awaitable[None]]

#: What plays a hand, that of a daily game too.
PLAYING: dict[str, Handler] = {
    "pick": hands.pick,
    "unpick": hands.unpick,
    "pass": hands.choose_pass,
    "expose": hands.expose,
    "lay": hands.lay,
    "wait": hands.wait,
    "decline": hands.decline,
    "play": hands.play,
    "moon": hands.choose_moon,
    "dm": daily.by_dm,
}
#: What looks back on deals that are done, those of a daily game too.
LOOKING_BACK: dict[str, Handler] = {
    "review": hints.ask_back,
    "check": seals.check,
    "replay": replays.begin,
    "step": replays.step,
    "deals": replays.choose_deal,
    "costly": replays.judge,
}
CONTROLS: dict[str, Handler] = {
    **PLAYING,
    **LOOKING_BACK,
    "join": lobbies.join,
    "leave": lobbies.leave,
    "computer": lobbies.add_computer,
    "remove": lobbies.remove_computer,
    "strength": lobbies.change_strength,
    "ends": lobbies.end_at,
    "start": lobbies.start,
    "rules": rules.show,
    "learn": how_to_play.learn,
    "page": how_to_play.turn,
    "commands": how_to_play.commands,
    "ask": rules.ask,
    "set": rules.change,
    "hand": hands.show,
    "hint": hints.ask,
    "back": tables.come_back,
    "seat": latecomers.ask,
    "take": latecomers.choose,
    "out": latecomers.stay_out,
    "latecomers": latecomers.open_or_close,
    "watch": watching.watch,
    "look": watching.look,
    "retry": tables.try_again,
    "stop": tables.stop,
    "keep": tables.keep,
    "propose": votes.propose,
    "vote": votes.answer,
    "rematch": tables.rematch,
    "board": leaderboards.turn,
    "career": careers.turn,
    "daily": daily.play,
    "finish": daily.finish,
    "anew": daily.begin_anew,
    "day": daily.see_day,
    "dealt": daily.see_deal,
    "share": daily.share,
    "mornings": daily.no_mornings,
    "prefer": preferences.choose,
    "forget": privacy.forget,
    "remember": privacy.remember,
}

#: What `bot.messages.action` writes.
PATTERN = re.compile(r"hearts:(?P<verb>[a-z]+):(?P<table>[0-9]{1,18})(?P<details>(?::[^:]*)*)")
USES = (discord.InteractionType.component, discord.InteractionType.modal_submit)


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
    async with answering(reply, f"control {verb} of table {table}", SORRY if table else SORRY_ELSEWHERE):
        if match is None or verb not in CONTROLS:
            raise Refusal("stale")
        click = Click(services, reply, table, tuple(match["details"].split(":")[1:]))
        if table:
            await check_place(click, verb)
        with services.limits.admit(reply.person, verb):
            await CONTROLS[verb](click)


async def check_place(click: Click, verb: str) -> None:
    """Refusal unless it was clicked where the table is, or in a DM by somebody whom it concerns.

    A daily game is nowhere: whoever has begun it may play, wherever they see their hand.
    """
    table, person = await click.services.tables.find(click.table), click.reply.person
    if table.daily:
        if table.seat_of(person) is None or not (verb in PLAYING or verb in LOOKING_BACK):
            raise Refusal("stale")
        if verb in PLAYING and not table.is_live:
            raise Refusal("daily_over")
    elif click.in_dm and not table.concerns(person):
        raise Refusal("not_seated")
    elif not click.in_dm and click.reply.channel != table.channel:
        raise Refusal("stale")
