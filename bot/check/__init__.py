"""`python -m bot check`: whether token, invitation, database and machine are good, and a trial in a channel.

It doesn't start the bot.
"""

from bot.check.account import INVITATION, TOKEN, Account, new_client
from bot.check.machine import DATABASE, MACHINE, Machine
from bot.check.report import Report
from bot.check.trial import CHANNEL, Trial
from bot.config import Settings
from bot.delivery import Draw

__all__ = ["Report", "check"]


async def check(
    report: Report, settings: Settings, channel: int | None, seconds: float, draw: Draw | None = None
) -> None:
    """Run all probes and report what they find; with a channel, try it out.

    The trial waits these seconds for a click; 0 asks for none. Even if it is cancelled, it removes everything
    that it has sent. `draw` replaces the bot's own drawing.
    """
    machine = Machine(settings.database, draw)
    await report.ask("The database", DATABASE, machine)
    await report.ask("This machine", MACHINE, machine)
    async with new_client() as client:
        account = Account(client, report, settings.token)
        await report.ask("The token", TOKEN, account)
        await report.ask("The invitation", INVITATION, account)
        if channel is not None:
            trial = Trial(account, channel, machine.drawn, seconds)
            try:
                await report.ask("The channel", CHANNEL, trial)
            finally:
                await trial.close()
    report.interrupted = False
