"""A planned start, given by the host's own clock, and each person's time zone, which is asked for once."""

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
#: The most characters in a suggestion, and the most suggestions, that Discord shows.
LONGEST_SUGGESTION, MOST_SUGGESTED = 100, 25
#: Separates the time and the zone in a suggestion's value.
SUGGESTED_ZONE = " @ "


async def typed_time(services: Services, reply: Reply, typed: str) -> float | TimeOfDay:
    """The start that was typed (seconds since 1970), or a time of day if the person's zone isn't known.

    The zone that a chosen suggestion names is stored. Refusal if the time is past or can't be understood.
    """
    now = services[Tables].now
    text, _, name = typed.partition(SUGGESTED_ZONE)
    start = read_time(text, reply.language, now)
    if name:
        await store_zone(services, reply.user_id, name)
    elif isinstance(start, TimeOfDay) and (own := _zone_of(services, reply.user_id)):
        start = start.at(own, now)
    if isinstance(start, float):
        start = math.ceil(start / 60) * 60.0
    check_not_past(text, start, reply.language, now)
    return start


def ask_which_clock(services: Services, reply: Reply, table: int, typed: str, time: TimeOfDay) -> Whisper:
    """Ask what the person's clock shows, to understand the time that they typed for this table's start."""
    return ask_clock(services, reply, partial(ChooseStart, table), typed, time)


def ask_clock(
    services: Services, reply: Reply, choose: Callable[[int], Action], typed: str, time: TimeOfDay
) -> Whisper:
    """Ask what the person's clock shows; `choose` makes the control of each list from its number."""
    return which_clock(choose, typed, readings(time, services[Tables].now), reply.language)


def _zone_of(services: Services, person: int) -> ZoneInfo | None:
    return zone(services[Tables].preferences.of(person).zone or "")


async def store_zone(services: Services, person: int, name: str) -> None:
    """Store the zone of this name as this person's; Refusal if there is no such zone."""
    if zone(name) is None:
        raise Refusal("stale")
    preferences = services[Tables].preferences
    await preferences.put(person, replace(preferences.of(person), zone=name))


async def chosen_start(click: Click[Any]) -> float:
    """The start chosen by a clock (seconds since 1970); the clock's zone is stored."""
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
    """Store the chosen time zone, without planning a start."""
    await store_zone(click.services, click.person.id, click.value)
    await click.edit(zone_chosen(click.value, click.services[Tables].now, click.language))


# Suggestions, which can't show a moment in the reader's own time: they say how far off it is


@suggesting(Who.ANYONE, Where.ANYWHERE)
async def suggest_times(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """What the typed text may mean; a time of day is understood by the person's clock or a city's."""
    services: Services = interaction.extras[SERVICES]
    language, now = by_locale(interaction.locale), services[Tables].now
    typed = typed.strip()[:LONGEST_TIME]
    if not typed:
        delays = [60.0 * minutes for minutes in USUAL_DELAYS]
        return [_choice(suggested_delay(delay, language), now + delay) for delay in delays]
    time, city = split_city(typed, is_whole=False)
    try:
        start = read_time(typed, language, now)
    except Refusal:
        if city is None:
            return []
        try:
            start = read_time(time, language, now)
        except Refusal:
            return []
    if isinstance(start, TimeOfDay):
        own = services[Tables].preferences.of(interaction.user.id).zone
        zones = [name for name in (city or own,) if name]
        possible = [reading for reading in readings(start, now, zones) if _is_possible(reading.at, now)]
        suggestions = likely(possible, interaction.locale.value, MOST_SUGGESTED)
        return [
            _choice(suggested(typed, reading, now, language), reading.at, None if zones else reading)
            for reading in suggestions
        ]
    return [_choice(suggested_delay(start - now, language), start)] if _is_possible(start, now) else []


def _is_possible(at: float, now: float) -> bool:
    return SOONEST <= at - now <= LATEST


def _choice(name: str, at: float, by: Reading | None = None) -> app_commands.Choice[str]:
    """A suggestion for this moment; with `by`, choosing it tells us the person's zone too."""
    zone = f"{SUGGESTED_ZONE}{by.zone}" if by else ""
    return app_commands.Choice(name=name[:LONGEST_SUGGESTION], value=f"<t:{math.ceil(at / 60) * 60}>{zone}")


# What the host decides


async def change_start(click: Click[SendForm]) -> None:
    """Plan the start that was typed in the form, or ask for the host's clock; updates the clicked page."""
    check_is_hosting_lobby(click.services[Tables].get(click.table), click.person.id)
    typed = click.written(PLAN_FORM)
    start = await typed_time(click.services, click.reply, typed)
    if isinstance(start, TimeOfDay):
        page = ask_which_clock(click.services, click.reply, click.table, typed, start)
    else:
        page = await _planned(click, start)
    await _answer(click, page)


@handles
async def choose_start(click: Click[ChooseStart]) -> None:
    """Plan the start by the clock that the host chose."""
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
