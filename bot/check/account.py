"""Probes of the token, and of the invitation of its application."""

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
import discord
from discord.http import Route

from bot.check.report import Report, Verdict
from bot.config import ENV_IS_OPEN, is_file_open
from bot.discord.permissions import account_link, invitation, lacks

#: Seconds without another server after which Discord has told of all.
LAST_SERVER = 1.0
#: Seconds by which this machine's clock may be off: the first is worth a look, the second a failure.
CLOCK_IS_OFF, CLOCK_IS_WRONG = 5.0, 60.0
#: The most servers that Discord lists at once; more aren't looked at.
MOST_SERVERS = 200


def new_client() -> discord.AutoShardedClient:
    """A client that asks for the same intents as the bot, and notifies nobody."""
    return discord.AutoShardedClient(
        intents=discord.Intents(guilds=True),
        allowed_mentions=discord.AllowedMentions.none(),
        guild_ready_timeout=LAST_SERVER,
    )


@dataclass
class Account:
    """The token's account, and the client that uses it."""

    client: discord.AutoShardedClient
    report: Report
    token: str | None
    date: str = ""  # of Discord's answer
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


async def network(account: Account) -> tuple[Verdict, str]:
    """Make a request that needs no token."""
    url, headers = f"{Route.BASE}/gateway", {"User-Agent": account.client.http.user_agent}
    async with aiohttp.request("GET", url, headers=headers, timeout=aiohttp.ClientTimeout(20)) as answer:
        account.date = answer.headers.get("Date", "")
    return Verdict.OK, "Discord answers"


async def clock(account: Account) -> tuple[Verdict, str]:
    """Compare this machine's with the date of Discord's answer, which is in whole seconds."""
    if not account.date:
        return Verdict.UNTRIED, "Discord's answer has no date."
    ahead = (datetime.now(UTC) - parsedate_to_datetime(account.date)).total_seconds() - 0.5
    found = f"{abs(ahead):.0f} s {'ahead' if ahead > 0 else 'behind'}"
    if abs(ahead) > CLOCK_IS_WRONG:
        return Verdict.FAILED, f"{found}: deadlines and days would be wrong. Set this machine's clock."
    if abs(ahead) > CLOCK_IS_OFF:
        return Verdict.NOTE, f"{found}: set this machine's clock."
    return Verdict.OK, "like Discord's"


async def token(account: Account) -> tuple[Verdict, str]:
    """Log in, which starts no session at the gateway."""
    if account.token is None:
        return Verdict.FAILED, "It isn't set. Put your bot's token into .env (see README.md)."
    try:
        await account.client.login(account.token)
    except discord.LoginFailure:
        advice = "Copy it again, or press Reset Token in the developer portal."
        return Verdict.FAILED, f"Discord doesn't know it. {advice}"
    except (TypeError, KeyError, ValueError):
        return Verdict.FAILED, "That answer isn't Discord's: is there a proxy in between?"
    if is_file_open():
        return Verdict.NOTE, ENV_IS_OPEN
    return Verdict.OK, f"it's of {account.client.user}, application {account.application.id}"


async def starts(account: Account) -> tuple[Verdict, str]:
    """How often the bot may still start today."""
    account.shards, _, limits = await account.client.http.get_bot_gateway()
    left, hours = limits["remaining"], limits["reset_after"] / 3_600_000
    found = f"{left} of {limits['total']} left today"
    if left == 0:
        return Verdict.FAILED, f"{found}: the bot can't start again for {hours:.0f} hours."
    return Verdict.OK, found


async def application(account: Account) -> tuple[Verdict, str]:
    """The settings in the developer portal that would keep the bot or its invitation from working."""
    app, links = account.application, account.report.links
    links["Invite the bot to a server with this address"] = invitation(app.id)
    links["With tables in threads"] = invitation(app.id, threads=True)
    if app.user_integration_config:
        links["Add it to your own account, to play anywhere"] = account_link(app.id)
    if app.interactions_endpoint_url:
        advice = "Clear that field in the developer portal."
        return Verdict.FAILED, f"Clicks go to the Interactions Endpoint URL and not to the bot. {advice}"
    if app.bot_require_code_grant:
        return Verdict.FAILED, "Nobody can invite it: turn off “Requires OAuth2 Code Grant” under Bot."
    if app.user_integration_config and not app.guild_integration_config:
        return Verdict.NOTE, "It can't be added to servers: tick “Guild Install” under Installation."
    text = f"run by {' and '.join(account.owners.values())}"
    if not app.bot_public:
        text += ", who alone can invite it"
    if not app.user_integration_config:
        text += "; “User Install” under Installation lets people play anywhere"
    return Verdict.OK, text


async def servers(account: Account) -> tuple[Verdict, str]:
    """The permissions of the bot's roles in each server; a channel may still take them away."""
    guilds: list[Any] = await account.client.http.get_guilds(MOST_SERVERS)
    if not guilds:
        return Verdict.NOTE, "It's in none yet: invite it with the address below."
    missing = [(guild["name"], lacks(discord.Permissions(int(guild["permissions"])))) for guild in guilds]
    poor = [f"{name} (without {', '.join(names)})" for name, names in missing if names]
    count = f"{len(guilds)}{' or more' if len(guilds) == MOST_SERVERS else ''}"
    if poor:
        return Verdict.NOTE, f"{count}, {len(poor)} without all: {', '.join(poor)}"
    return Verdict.OK, f"{count}, with all permissions"


TOKEN = {"Way to Discord": network, "Clock": clock, "Token": token, "Starts": starts}
INVITATION = {"Application": application, "Servers": servers}
