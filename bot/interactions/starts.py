"""A planned start: its host says when, whatever their time zone."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from discord import app_commands

from bot.controls import Action, ChooseStart, DropPlan, SendForm
from bot.delivery import Reply
from bot.interactions.answering import SERVICES, Click, Interaction, Services, number
from bot.messages import Whisper
from bot.render.starts import (
    LONGEST_TIME,
    PLAN_FORM,
    confirmed,
    suggested,
    suggested_delay,
    which_clock,
)
from bot.render.typed_times import BETWEEN, WHOLE_HOURS, TimeOfDay, read_time, readings
from engine.errors import Refusal
from engine.languages import by_locale
from engine.tables.changes import check_is_hosting_lobby
from engine.tables.planning import LATEST, SOONEST, check_time

#: The delays that are suggested before anything is typed, in minutes.
USUAL_DELAYS = (15, 30, 45, 60, 90, 120, 180, 240, 360, 720, 1440)
#: Characters that Discord shows of a suggestion.
LONGEST_SUGGESTION = 100


def typed_time(services: Services, reply: Reply, typed: str) -> float | TimeOfDay:
    """The moment that was typed (seconds since 1970), or a time by somebody's clock.

    Refusal if it is neither, or if no game could be planned to start then.
    """
    now = services.tables.now
    found = read_time(typed, reply.language, now)
    if isinstance(found, float):
        found = math.ceil(found / 60) * 60.0
        check_time(found, now)
    return found


def ask_which_clock(services: Services, reply: Reply, table: int, typed: str, found: TimeOfDay) -> Whisper:
    """Ask what the person's clock shows, to understand the time that they typed for this table's start."""
    return ask_clock(services, reply, partial(ChooseStart, table), typed, found)


def ask_clock(
    services: Services, reply: Reply, choose: Callable[[int], Action], typed: str, found: TimeOfDay
) -> Whisper:
    """The same for any start that the control chooses."""
    now, locale = services.tables.now, reply.interaction.locale.value
    whole, between = (readings(found, zones, now, locale) for zones in (WHOLE_HOURS, BETWEEN))
    return which_clock(choose, typed, whole, between, reply.language)


# Suggestions, which can't show a moment in the reader's own time: they say how far off it is


async def suggest_times(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """What a time that is being typed may mean: for a time of day, by what one's clock shows now."""
    language, now = by_locale(interaction.locale), interaction.extras[SERVICES].tables.now
    typed = typed.strip()[:LONGEST_TIME]
    if not typed:
        delays = [60.0 * minutes for minutes in USUAL_DELAYS]
        return [_choice(suggested_delay(delay, language), now + delay) for delay in delays]
    try:
        found = read_time(typed, language, now)
    except Refusal:
        return []
    if isinstance(found, float):
        return [_choice(suggested_delay(found - now, language), found)] if _is_possible(found, now) else []
    possible = [
        one
        for one in readings(found, WHOLE_HOURS, now, interaction.locale.value)
        if _is_possible(one.at, now)
    ]
    return [_choice(suggested(typed, one, now, language), one.at) for one in possible]


def _is_possible(at: float, now: float) -> bool:
    return SOONEST <= at - now <= LATEST


def _choice(name: str, at: float) -> app_commands.Choice[str]:
    return app_commands.Choice(name=name[:LONGEST_SUGGESTION], value=f"<t:{math.ceil(at / 60) * 60}>")


# What the host decides


async def change_start(click: Click[SendForm]) -> None:
    """The form with the time was sent; the answer takes the place of the page that was clicked."""
    check_is_hosting_lobby(click.services.tables.get(click.table), click.person.id)
    typed = click.written(PLAN_FORM)
    found = typed_time(click.services, click.reply, typed)
    if isinstance(found, TimeOfDay):
        page = ask_which_clock(click.services, click.reply, click.table, typed, found)
    else:
        page = await _planned(click, found)
    await _answer(click, page)


async def choose(click: Click[ChooseStart]) -> None:
    """What the host's clock shows was chosen, and with it when the game starts."""
    click.check_private()
    await _answer(click, await _planned(click, float(number(click.value))))


async def drop(click: Click[DropPlan]) -> None:
    """Let the game start by hand again."""
    click.check_private()
    table = await click.services.tables.drop_plan(click.table, click.person.id)
    await _answer(click, confirmed(table.public.in_language(click.language)))


async def _planned(click: Click[Action], at: float) -> Whisper:
    table = await click.services.tables.plan_start(click.table, click.person.id, at)
    return confirmed(table.public.in_language(click.language))


async def _answer(click: Click[Action], page: Whisper) -> None:
    await (click.edit(page) if click.is_private else click.reply.whisper(page))
