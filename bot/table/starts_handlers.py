"""A planned start, given by the host's own clock, and each person's time zone, which is asked for once."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from discord import app_commands

from bot.answering.answering import SERVICES, Click, Interaction, Services, handles, number, suggesting
from bot.answering.limits import check_plan
from bot.delivery import Reply
from bot.table.controls import SendForm
from bot.table.starts import (
    LONGEST_TIME,
    PLAN_FORM,
    ChooseStart,
    ChooseZone,
    DropPlan,
    OpenZones,
    confirmed,
    suggested,
    suggested_delay,
    which_clock,
    which_zone,
    zone_chosen,
)
from bot.vocabulary.controls import Action, Where, Who
from bot.vocabulary.messages import Whisper
from bot.words.typed_times import Reading, TimeOfDay, check_not_past, likely, read_time, readings, split_city
from engine.errors import Refusal
from engine.languages import by_locale
from engine.tables import Tables, planning
from engine.tables.changes import check_is_hosting_lobby
from engine.tables.plan import LATEST, SOONEST
from engine.zones import zone

#: The delays that are suggested before anything is typed, in minutes.
USUAL_DELAYS = (15, 30, 45, 60, 90, 120, 180, 240, 360, 720, 1440)
#: Characters that Discord shows of a suggestion, and how many suggestions.
LONGEST_SUGGESTION, MOST_SUGGESTED = 100, 25
#: Between the moment and the zone of a suggestion.
SUGGESTED_ZONE = " @ "


async def typed_time(services: Services, reply: Reply, typed: str) -> float | TimeOfDay:
    """The moment that was typed (seconds since 1970), or a time by a clock that we don't know yet.

    A suggestion names the zone too, which is stored. Refusal if no game could be planned to start then.
    """
    now = services[Tables].now
    moment, _, name = typed.partition(SUGGESTED_ZONE)
    found = read_time(moment, reply.language, now)
    if name:
        await store_zone(services, reply.user_id, name)
    elif isinstance(found, TimeOfDay) and (own := _zone_of(services, reply.user_id)):
        found = found.at(own, now)
    if isinstance(found, float):
        found = math.ceil(found / 60) * 60.0
    check_not_past(moment, found, reply.language, now)
    return found


def ask_which_clock(services: Services, reply: Reply, table: int, typed: str, found: TimeOfDay) -> Whisper:
    """Ask what the person's clock shows, to understand the time that they typed for this table's start."""
    return ask_clock(services, reply, partial(ChooseStart, table), typed, found)


def ask_clock(
    services: Services, reply: Reply, choose: Callable[[int], Action], typed: str, found: TimeOfDay
) -> Whisper:
    """Ask it for any start that the control chooses."""
    return which_clock(choose, typed, readings(found, services[Tables].now), reply.language)


def _zone_of(services: Services, person: int) -> ZoneInfo | None:
    """The zone that this person has chosen."""
    return zone(services[Tables].preferences.of(person).zone or "")


async def store_zone(services: Services, person: int, name: str) -> None:
    """Store the zone that this person has chosen; Refusal if there is none of this name."""
    if zone(name) is None:
        raise Refusal("stale")
    preferences = services[Tables].preferences
    await preferences.put(person, replace(preferences.of(person), zone=name))


async def chosen_start(click: Click[Any]) -> float:
    """The moment that was chosen by a clock, whose zone is stored (seconds since 1970)."""
    at, _, name = click.value.partition(" ")
    moment = float(number(at))
    await store_zone(click.services, click.person.id, name)
    return moment


@handles
async def open_zones(click: Click[OpenZones]) -> None:
    """Ask for the person's time zone again."""
    await click.reply.whisper(which_zone(click.services[Tables].now, click.language))


@handles
async def choose_zone(click: Click[ChooseZone]) -> None:
    """A time zone was chosen, apart from any start."""
    await store_zone(click.services, click.person.id, click.value)
    await click.edit(zone_chosen(click.value, click.services[Tables].now, click.language))


# Suggestions, which can't show a moment in the reader's own time: they say how far off it is


@suggesting(Who.ANYONE, Where.ANYWHERE)
async def suggest_times(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """What a time that is being typed may mean; for a time of day, by the person's clock or a city's."""
    services: Services = interaction.extras[SERVICES]
    language, now = by_locale(interaction.locale), services[Tables].now
    typed = typed.strip()[:LONGEST_TIME]
    if not typed:
        delays = [60.0 * minutes for minutes in USUAL_DELAYS]
        return [_choice(suggested_delay(delay, language), now + delay) for delay in delays]
    time, city = split_city(typed, is_whole=False)
    try:
        found = read_time(typed, language, now)
    except Refusal:
        if city is None:
            return []
        try:
            found = read_time(time, language, now)
        except Refusal:
            return []
    if isinstance(found, TimeOfDay):
        own = services[Tables].preferences.of(interaction.user.id).zone
        known = [name for name in (city or own,) if name]
        meant = [one for one in readings(found, now, known) if _is_possible(one.at, now)]
        shown = likely(meant, interaction.locale.value, MOST_SUGGESTED)
        return [
            _choice(suggested(typed, one, now, language), one.at, None if known else one) for one in shown
        ]
    return [_choice(suggested_delay(found - now, language), found)] if _is_possible(found, now) else []


def _is_possible(at: float, now: float) -> bool:
    return SOONEST <= at - now <= LATEST


def _choice(name: str, at: float, by: Reading | None = None) -> app_commands.Choice[str]:
    """Of a moment, perhaps by the clock of a zone that we learn with it."""
    zone = f"{SUGGESTED_ZONE}{by.zone}" if by else ""
    return app_commands.Choice(name=name[:LONGEST_SUGGESTION], value=f"<t:{math.ceil(at / 60) * 60}>{zone}")


# What the host decides


async def change_start(click: Click[SendForm]) -> None:
    """The form with the time was sent; the answer takes the place of the page that was clicked."""
    check_is_hosting_lobby(click.services[Tables].get(click.table), click.person.id)
    typed = click.written(PLAN_FORM)
    found = await typed_time(click.services, click.reply, typed)
    if isinstance(found, TimeOfDay):
        page = ask_which_clock(click.services, click.reply, click.table, typed, found)
    else:
        page = await _planned(click, found)
    await _answer(click, page)


@handles
async def choose_start(click: Click[ChooseStart]) -> None:
    """What the host's clock shows was chosen, and with it when the game starts."""
    await _answer(click, await _planned(click, await chosen_start(click)))


@handles
async def drop_plan(click: Click[DropPlan]) -> None:
    """Let the game start by hand again."""
    table = await click.change(planning.drop_plan)
    await _answer(click, confirmed(table.public.in_language(click.language)))


async def _planned(click: Click[Action], at: float) -> Whisper:
    tables, person = click.services[Tables], click.person.id
    others = [one for one in tables.live if one.id != click.table]
    check_plan(person, click.guild, others, tables.now, at)
    table = await tables.plan_start(click.table, person, at)
    return confirmed(table.public.in_language(click.language))


async def _answer(click: Click[Action], page: Whisper) -> None:
    await (click.edit(page) if click.is_private else click.reply.whisper(page))
