"""`python -m bot check`: is the token good, is the bot invited, are database and machine able to run it?

Given a channel, it also tries what the bot does there, and cleans up afterwards. It doesn't start the bot.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.check.account import INVITATION, TOKEN, Account, Client
from bot.check.machine import DATABASE, MACHINE, Machine
from bot.check.report import Finding, Report, TextReport, Verdict, as_json
from bot.check.trial import CHANNEL, Trial
from bot.config import Settings
from bot.delivery import Draw

__all__ = ["Report", "TextReport", "Waits", "as_json", "check"]


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds to wait: for clicks (0 asks for none), and for the servers."""

    clicks: float = 120.0
    servers: float = 1.0


async def check(
    report: Report,
    settings: Settings,
    channel: int | None,
    waits: Waits,
    tell: Callable[[str], None],
    draw: Draw | None = None,
) -> None:
    """Answer the questions, and fill in the report; `tell` prints instructions, `draw` replaces our drawing.

    Even if it is cancelled, it removes everything that it made in the channel.
    """
    machine = Machine(settings.database, draw)
    await report.ask("The database", DATABASE, machine)
    await report.ask("This machine", MACHINE, machine)
    async with Client(waits.servers) as client:
        account = Account(client, report, settings.token)
        is_known = await report.ask("The token", TOKEN, account)
        if is_known:
            await report.ask("The invitation", INVITATION, account)
        if channel is None:
            return
        if not is_known:
            report.skip("The channel", CHANNEL, "The bot isn't logged in.")
            return
        trial = Trial(account, channel, draw, waits.clicks, tell)
        try:
            await report.ask("The channel", CHANNEL, trial)
        finally:
            removed = await trial.close()
            left = len(report.left_behind)
            found = f"{removed} things removed" + (f", {left} left behind: see below" if left else "")
            outcome = Verdict.NOTE if left else Verdict.OK
            report.add(Finding("Afterwards", "Cleaned up", found, outcome))
