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
from bot.services import Services
from engine.errors import Refusal

Handler = Callable[[Click], Awaitable[None]]

CONTROLS: dict[str, Handler] = {
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
    "pick": hands.pick,
    "unpick": hands.unpick,
    "pass": hands.choose_pass,
    "expose": hands.expose,
    "lay": hands.lay,
    "wait": hands.wait,
    "decline": hands.decline,
    "play": hands.play,
    "moon": hands.choose_moon,
    "hint": hints.ask,
    "review": hints.ask_back,
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
    "check": seals.check,
    "replay": replays.begin,
    "step": replays.step,
    "deals": replays.choose_deal,
    "costly": replays.judge,
    "board": leaderboards.turn,
    "career": careers.turn,
    "daily": daily.play,
    "finish": daily.finish,
    "anew": daily.begin_anew,
    "dm": daily.by_dm,
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
    match = PATTERN.fullmatch(custom_id)
    verb, table = (match["verb"], int(match["table"])) if match else ("?", 0)
    reply = services.delivery.reply(interaction)
    async with answering(reply, f"control {verb} of table {table}", SORRY if table else SORRY_ELSEWHERE):
        if match is None or verb not in CONTROLS:
            raise Refusal("stale")
        click = Click(services, reply, table, tuple(match["details"].split(":")[1:]))
        if table:
            await click.check_place(verb)
        await CONTROLS[verb](click)
