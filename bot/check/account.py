"""Probes of the token, and of the invitation of its application."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
import discord
from discord.http import Route

from bot.check.report import CheckStopped, Note, Probe, Report, Unexpected, explain
from bot.config import ENV_IS_OPEN, is_file_open
from bot.discord.faults import NETWORK
from bot.discord.permissions import account_link, invitation, lacks

#: Seconds by which this machine's clock may be off: the first is worth a look, the second a failure.
CLOCK_IS_OFF, CLOCK_IS_WRONG = 5.0, 60.0
#: How many requests measure the way to Discord, and seconds for one beyond which clicks feel slow.
TIMES, SLOW = 3, 0.5
#: Servers on a page of Discord's list, and how many pages are read.
PAGE, PAGES = 200, 5
#: Starts per day below which something seems to restart the bot.
FEW_STARTS = 20


class Client(discord.AutoShardedClient):
    """Asks for the same intents as the bot; `clicks` receives the interactions."""

    def __init__(self, ready_after: float) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=ready_after,
        )
        self.clicks: asyncio.Queue[discord.Interaction[Any]] = asyncio.Queue()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """A control was used somewhere."""
        self.clicks.put_nowait(interaction)


@dataclass
class Account:
    """The token's account, and the client that uses it."""

    client: Client
    report: Report
    token: str | None
    date: str = ""  # of Discord's last answer
    shards: int = 1  # as Discord recommends

    @property
    def application(self) -> discord.AppInfo:
        """The token's application; only after a login."""
        assert self.client.application is not None
        return self.client.application

    @property
    def owners(self) -> dict[int, str]:
        """The names of the people who run this bot, by their ids."""
        team = self.application.team
        people: list[Any] = list(team.members) if team else [self.application.owner]
        return {person.id: person.display_name for person in people}


async def token(account: Account) -> str:
    """Whether there is one; only Discord knows whether it is right."""
    if account.token is None:
        raise CheckStopped("It isn't set. Put your bot's token into .env (see README.md).")
    if is_file_open():
        raise Note(ENV_IS_OPEN)
    return "DISCORD_TOKEN is set"


async def network(account: Account) -> str:
    """Make some requests without the token."""
    headers = {"User-Agent": account.client.http.user_agent}
    took = []
    try:
        async with aiohttp.ClientSession(headers=headers, timeout=aiohttp.ClientTimeout(20)) as session:
            for _ in range(TIMES + 1):  # the first one also opens the connection
                began = time.perf_counter()
                async with session.get(f"{Route.BASE}/gateway") as answer:
                    await answer.read()
                    account.date = answer.headers.get("Date", "")
                took.append(time.perf_counter() - began)
    except NETWORK as error:
        raise CheckStopped(f"Discord can't be reached: {str(error) or 'no answer in time'}.") from None
    found = f"{statistics.median(took[1:]) * 1000:.0f} ms"
    if statistics.median(took[1:]) > SLOW:
        raise Note(f"{found}: every click will feel slow.")
    return found


async def clock(account: Account) -> str:
    """Compare with the date of Discord's last answer, which is in whole seconds."""
    if not account.date:
        raise Note("Discord's answers have no date.")
    ahead = (datetime.now(UTC) - parsedate_to_datetime(account.date)).total_seconds() - 0.5
    found = f"{abs(ahead):.0f} s {'ahead' if ahead > 0 else 'behind'}"
    if abs(ahead) > CLOCK_IS_WRONG:
        raise Unexpected(f"{found}: deadlines and days would be wrong. Set this machine's clock.")
    if abs(ahead) > CLOCK_IS_OFF:
        raise Note(f"{found}: set this machine's clock.")
    return "like Discord's"


async def login(account: Account) -> str:
    """Log in, which starts no session at the gateway."""
    assert account.token is not None
    try:
        await account.client.login(account.token)
    except discord.LoginFailure:
        problem = "Discord doesn't know it. Copy it again, or press Reset Token in the developer portal."
        raise CheckStopped(problem) from None
    except (discord.DiscordException, *NETWORK) as error:
        raise CheckStopped(explain(error)) from None
    except (TypeError, KeyError, ValueError):
        raise CheckStopped("That answer isn't Discord's: is there a proxy in between?") from None
    return f"as {account.client.user}, application {account.application.id}"


async def gateway(account: Account) -> str:
    """How often a bot may still start today, and how many shards Discord recommends."""
    account.shards, _, limits = await account.client.http.get_bot_gateway()
    left, hours = limits["remaining"], limits["reset_after"] / 3_600_000
    found = f"{left} of {limits['total']} left today"
    if left == 0:
        raise Unexpected(f"{found}: the bot can't start again for {hours:.0f} hours.")
    if left < FEW_STARTS:
        raise Note(f"{found}: does something restart the bot again and again?")
    return found


async def application(account: Account) -> str:
    """The settings in the developer portal that would keep the bot from working."""
    found, links = account.application, account.report.links
    links["Invite the bot to a server with this address"] = invitation(found.id)
    links["With tables in threads"] = invitation(found.id, threads=True)
    if found.interactions_endpoint_url:
        raise Unexpected(
            "Clicks and commands go to the Interactions Endpoint URL and not to the bot. Clear that field in "
            "the developer portal."
        )
    if found.bot_require_code_grant:
        raise Unexpected("Its invitation can't work: turn off “Requires OAuth2 Code Grant” under Bot.")
    text = f"run by {' and '.join(account.owners.values())}"
    return text if found.bot_public else f"{text}, who alone can invite it"


async def installs(account: Account) -> str:
    """Where the developer portal lets people install the application."""
    found = account.application
    to_servers, to_accounts = found.guild_integration_config, found.user_integration_config
    if not (to_servers or to_accounts):
        return "Discord doesn't say"
    if not to_servers:
        raise Note(
            "only to people's accounts: tick “Guild Install” under Installation for tables of several."
        )
    if not to_accounts:
        return "to servers only: “User Install” under Installation lets people play anywhere"
    account.report.links["Add it to your own account, to play anywhere"] = account_link(found.id)
    return "to servers and to people's accounts"


async def servers(account: Account) -> str:
    """The permissions of the bot's roles in each server; a channel may still take them away."""
    found = [guild async for guild in _guilds(account.client)]
    if not found:
        raise Note("It's in none yet: invite it with the address below.")
    missing = {guild["name"]: lacks(discord.Permissions(int(guild["permissions"]))) for guild in found}
    poor = [f"{name} (without {', '.join(names)})" for name, names in missing.items() if names]
    count = f"{len(found)}{' or more' if len(found) == PAGE * PAGES else ''}"
    if poor:
        raise Note(f"{count}, {len(poor)} without all: {', '.join(poor[:3])}{' …' if len(poor) > 3 else ''}")
    return f"{count}, with all permissions"


async def _guilds(client: discord.Client) -> AsyncIterator[dict[str, Any]]:
    after: int | None = None
    for _ in range(PAGES):
        page: list[Any] = await client.http.get_guilds(PAGE, after=after)
        for guild in page:
            yield guild
        if len(page) < PAGE:
            return
        after = int(page[-1]["id"])


TOKEN: dict[str, Probe[Account]] = {
    "Way to Discord": network,
    "Clock": clock,
    "Token": token,
    "Login": login,
    "Starts": gateway,
}
INVITATION: dict[str, Probe[Account]] = {
    "Application": application,
    "Installation": installs,
    "Servers": servers,
}
