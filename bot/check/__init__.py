"""`python -m bot check`: whether token, database and machine are ready, without starting the bot.

Given a channel, it also tries everything that the bot does there, and cleans up afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import discord

from bot.check.account import DISCORD, Account, Client
from bot.check.channel import AFTERWARDS, CHANNEL
from bot.check.clicks import CLICKS, SECTION, Prompt
from bot.check.machine import MACHINE, Machine
from bot.check.printing import TextReport, as_json
from bot.check.results import Outcome, Report, Result, Unexpected
from bot.check.trial import Trial
from bot.check.words import explain
from bot.config import Settings
from bot.delivery import Draw
from bot.discord.faults import NETWORK

#: The sections besides that of the clicks.
MACHINE_SECTION, DISCORD_SECTION = "Settings and machine", "Discord"
CHANNEL_SECTION, LAST_SECTION = "The channel", "Afterwards"

__all__ = ["Report", "TextReport", "Waits", "as_json", "check"]


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds to wait: for clicks (0 asks for none), before the private answer's edit, for the servers."""

    clicks: float = 120.0
    later: float = 60.0
    servers: float = 1.0


async def check(
    report: Report,
    settings: Settings,
    channel: int | None,
    waits: Waits,
    tell: Callable[[str], None],
    draw: Draw | None = None,
) -> None:
    """Run all probes and fill in the report; `tell` prints instructions, `draw` replaces the bot's drawing.

    Even if it is cancelled, it removes everything that it made in the channel.
    """
    machine = Machine(settings.database, settings.token is not None, draw)
    await report.try_all(MACHINE_SECTION, MACHINE, machine)
    async with Client(report.recorder, waits.servers) as client:
        account = Account(client, report, settings.token)
        await report.try_all(DISCORD_SECTION, DISCORD, account)
        if channel is None:
            return
        if client.application is None:
            report.skip(CHANNEL_SECTION, CHANNEL, "The bot isn't logged in.")
            report.skip(SECTION, CLICKS, "The bot isn't logged in.")
            return
        trial = Trial(account, channel, draw)
        try:
            await _try_channel(trial, waits, tell)
        finally:
            await _clean_up(trial)


async def _try_channel(trial: Trial, waits: Waits, tell: Callable[[str], None]) -> None:
    report = trial.report
    if not await report.try_all(CHANNEL_SECTION, CHANNEL, trial):
        report.skip(SECTION, CLICKS, "The bot can't ask for them.")
        return
    if trial.account.application.interactions_endpoint_url:
        report.skip(SECTION, CLICKS, "Clicks don't come to the bot: see Application.")
    elif not waits.clicks:
        report.skip(SECTION, CLICKS, "None were asked for.")
    else:
        await _ask(trial, waits, tell)
    await report.try_all(LAST_SECTION, AFTERWARDS, trial)


async def _ask(trial: Trial, waits: Waits, tell: Callable[[str], None]) -> None:
    try:
        prompt = await Prompt.post(trial, waits.later)
    except Unexpected as error:
        trial.report.skip(SECTION, CLICKS, str(error))
    except (discord.DiscordException, *NETWORK) as error:
        trial.report.skip(SECTION, CLICKS, f"They couldn't be asked for. {explain(error)}")
    else:
        await prompt.wait(waits.clicks, tell)


async def _clean_up(trial: Trial) -> None:
    """Remove what was made, and add a result for that."""
    report = trial.report
    with report.recorder.collecting() as requests:
        removed = await trial.close()
    left = len(report.left_behind)
    found = f"{removed} things removed" + (f", {left} left behind: see below" if left else "")
    outcome = Outcome.NOTE if left else Outcome.OK
    numbers = tuple(request.number for request in requests)
    expected = "everything made here is removed"
    report.add(Result(LAST_SECTION, "removed", "Cleaned up", expected, found, outcome, numbers))
