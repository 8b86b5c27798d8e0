"""The form of /preferences."""

from __future__ import annotations

from bot.click import Click, member
from bot.render import preferences
from engine.tables import Calls, Forced, Preference


async def choose(click: Click) -> None:
    """The form was sent."""
    calls = member(Calls, click.written(preferences.CALLS))
    forced = member(Forced, click.written(preferences.FORCED))
    preference = Preference(calls, forced)
    await click.services.tables.prefer(click.person.id, preference)
    await click.reply.whisper(preferences.chosen(preference))
