"""Probes of the connection to Discord, and of the token's application there."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
import discord
from discord import app_commands
from discord.http import Route

from bot.check.requests import Recorder
from bot.check.results import Blocked, Note, Outcome, Probes, Report, Unexpected, add_to
from bot.check.words import explain
from bot.discord.faults import NETWORK
from bot.discord.permissions import account_link, invitation, lacks
from bot.help.pages import COMMANDS
from bot.pictures import emojis

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

    def __init__(self, recorder: Recorder, ready_after: float) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            http_trace=recorder.trace,
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


DISCORD: Probes[Account] = []


@add_to(DISCORD, "network", "Way to Discord", f"an answer within {SLOW * 1000:.0f} ms")
async def network(account: Account) -> str:
    """Make some requests without the token."""
    recorder, headers = account.report.recorder, {"User-Agent": account.client.http.user_agent}
    limit = aiohttp.ClientTimeout(20)
    try:
        async with aiohttp.ClientSession(
            headers=headers, timeout=limit, trace_configs=[recorder.trace]
        ) as session:
            for _ in range(TIMES + 1):  # the first one also opens the connection
                async with session.get(f"{Route.BASE}/gateway") as answer:
                    await answer.read()
    except NETWORK as error:
        reason = str(error) or "no answer in time"
        raise Blocked(f"Discord can't be reached: {reason}.", "Discord can't be reached.") from None
    seconds = statistics.median(request.seconds for request in recorder.requests[-TIMES:])
    if seconds > SLOW:
        raise Note(f"{seconds * 1000:.0f} ms: every click will feel slow.")
    return f"{seconds * 1000:.0f} ms"


@add_to(DISCORD, "clock", "Clock", f"within {CLOCK_IS_OFF:.0f} s of Discord's")
async def clock(account: Account) -> str:
    """Compare with the Date header of Discord's last answer, which is in whole seconds."""
    date = account.report.recorder.requests[-1].date
    if not date:
        raise Note("Discord's answers have no date.")
    ahead = (datetime.now(UTC) - parsedate_to_datetime(date)).total_seconds() - 0.5
    found = f"{abs(ahead):.0f} s {'ahead' if ahead > 0 else 'behind'}"
    if abs(ahead) > CLOCK_IS_WRONG:
        raise Unexpected(f"{found}: deadlines and days would be wrong. Set this machine's clock.")
    if abs(ahead) > CLOCK_IS_OFF:
        raise Note(f"{found}: set this machine's clock.")
    return "as expected"


@add_to(DISCORD, "login", "Login", "Discord knows the token")
async def login(account: Account) -> str:
    """Log in, which starts no session at the gateway."""
    if account.token is None:
        raise Blocked("There's no token.", "There's no token.", Outcome.UNTRIED)
    others = "The bot couldn't log in."
    try:
        await account.client.login(account.token)
    except discord.LoginFailure:
        problem = "Discord doesn't know it. Copy it again, or press Reset Token in the developer portal."
        raise Blocked(problem, others) from None
    except (discord.DiscordException, *NETWORK) as error:
        raise Blocked(explain(error), others) from None
    except (TypeError, KeyError, ValueError):
        raise Blocked("That answer isn't Discord's: is there a proxy in between?", others) from None
    application = account.application
    account.report.invitation = invitation(application.id)
    account.report.invitation_with_threads = invitation(application.id, threads=True)
    return f"as {account.client.user}, application {application.id}"


@add_to(DISCORD, "application", "Application", "can be invited, and clicks come to the bot")
async def application(account: Account) -> str:
    """The settings in the developer portal that would keep the bot from working."""
    found = account.application
    if found.interactions_endpoint_url:
        raise Unexpected(
            "Clicks and commands go to the Interactions Endpoint URL and not to the bot. Clear that field in "
            "the developer portal."
        )
    if found.bot_require_code_grant:
        raise Unexpected("Its invitation can't work: turn off “Requires OAuth2 Code Grant” under Bot.")
    text = f"run by {' and '.join(account.owners.values())}"
    return text if found.bot_public else f"{text}, who alone can invite it"


@add_to(DISCORD, "installs", "Installation", "to servers, and to people's accounts if you like")
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
    account.report.account_link = account_link(found.id)
    return "to servers and to people's accounts"


@add_to(DISCORD, "intents", "Privileged intents", "none is needed")
async def intents(account: Account) -> str:
    """The privileged intents that are on in the developer portal."""
    flags = account.application.flags
    intents = {
        "Presence": flags.gateway_presence or flags.gateway_presence_limited,
        "Server Members": flags.gateway_guild_members or flags.gateway_guild_members_limited,
        "Message Content": flags.gateway_message_content or flags.gateway_message_content_limited,
    }
    on = [title for title, is_on in intents.items() if is_on]
    return f"on, but not used: {', '.join(on)}. You can turn that off" if on else "none is on"


@add_to(DISCORD, "gateway", "Starts per day", f"{FEW_STARTS} or more left")
async def gateway(account: Account) -> str:
    """How often a bot may still start today, and how many shards Discord recommends."""
    account.shards, _, limits = await account.client.http.get_bot_gateway()
    left, hours = limits["remaining"], limits["reset_after"] / 3_600_000
    found = f"{left} of {limits['total']} left"
    if left == 0:
        raise Unexpected(f"{found}: the bot can't start again for {hours:.0f} hours.")
    if left < FEW_STARTS:
        raise Note(f"{found} for {hours:.0f} hours: does something restart the bot again and again?")
    shards = "1 shard" if account.shards == 1 else f"{account.shards} shards"
    return f"{found}; {shards}, in one process"


@add_to(DISCORD, "servers", "Servers", "the bot is in one, with the permissions it asks for")
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
    return f"{count}, all permissions"


async def _guilds(client: discord.Client) -> AsyncIterator[dict[str, Any]]:
    after: int | None = None
    for _ in range(PAGES):
        page: list[Any] = await client.http.get_guilds(PAGE, after=after)
        for guild in page:
            yield guild
        if len(page) < PAGE:
            return
        after = int(page[-1]["id"])


@add_to(DISCORD, "emojis", "Cards as emojis", "all uploaded, at the latest by the first start")
async def uploaded(account: Account) -> str:
    """Count the cards among the application's emojis, by their names."""
    there = {emoji.name for emoji in await account.client.fetch_application_emojis()}
    count, wanted = len(there & emojis().keys()), len(emojis())
    if count == wanted:
        return f"all {wanted} are there"
    return f"{count} of {wanted}; the next start uploads the rest"


@add_to(DISCORD, "commands", "Slash commands", "all known, at the latest after the first start")
async def commands(account: Account) -> str:
    """Count the commands that Discord knows, by their names; the bot syncs changed ones when it starts."""
    found = await app_commands.CommandTree(account.client).fetch_commands()
    known = {name for command in found for name in _names(command)}
    wanted = {name for group in COMMANDS.values() for name in group}
    count = len(wanted & known)
    if count == len(wanted):
        return f"all {count} are known"
    return f"{count} of {len(wanted)}; the next start syncs the rest"


def _names(command: app_commands.AppCommand | app_commands.AppCommandGroup) -> Iterator[str]:
    """What people type: `/hearts new`."""
    groups = [option for option in command.options if isinstance(option, app_commands.AppCommandGroup)]
    for group in groups:
        yield from _names(group)
    if not groups:
        yield f"/{getattr(command, 'qualified_name', command.name)}"
