"""All checks of permissions, ours and people's."""

from typing import Any

import discord
from discord.app_commands import AppInstallationType

from bot.discord.faults import NETWORK

Interaction = discord.Interaction[Any]
#: The permissions that the bot asks for, by their titles in Discord's settings. Without the last one, words
#: replace pictures.
NEEDED = {
    "view_channel": "View Channels",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "attach_files": "Attach Files",
}
#: The permissions that it asks for in addition where tables may open threads.
FOR_THREADS = {"create_public_threads": "Create Public Threads"}
#: Unknown member, unknown user: someone who isn't in the server, or no longer.
NOT_A_MEMBER = (10007, 10013)


def invitation(application: int, *, guild: int | None = None, threads: bool = False) -> str:
    """The address for adding this application's bot to a server: this one, or one that the person chooses.

    With `threads`, the bot also asks for the permission to open threads for tables.
    """
    permissions = discord.Permissions(**dict.fromkeys(NEEDED | (FOR_THREADS if threads else {}), True))
    server = discord.Object(guild) if guild else discord.utils.MISSING
    address = discord.utils.oauth_url(application, permissions=permissions, guild=server)
    return f"{address}&integration_type={AppInstallationType.GUILD}"


def account_link(application: int) -> str:
    """The address for adding this application to one's own account, which takes only commands."""
    address = discord.utils.oauth_url(application, scopes=("applications.commands",))
    return f"{address}&integration_type={AppInstallationType.USER}"


def lacks(may: discord.Permissions) -> list[str]:
    """The titles, as in Discord's settings, of the needed permissions that are missing."""
    return [] if may.administrator else [title for name, title in NEEDED.items() if not getattr(may, name)]


def may_post(channel: object, may: discord.Permissions) -> bool:
    """Whether someone with these permissions may see this channel or thread and write in it."""
    if not isinstance(channel, discord.Thread):
        return may.view_channel and may.send_messages
    is_open = may.manage_threads or not channel.locked
    return may.view_channel and may.send_messages_in_threads and is_open


def may_open_threads(may: discord.Permissions) -> bool:
    """Whether someone with these permissions may open a thread in a channel, and write in it."""
    return may.view_channel and may.create_public_threads and may.send_messages_in_threads


def takes_threads(channel: object) -> bool:
    """Whether threads can be opened in this kind of channel."""
    return isinstance(channel, discord.TextChannel)


def may_see(channel: discord.abc.GuildChannel | discord.Thread, member: discord.Member) -> bool:
    """Whether a member may see this channel or thread, as far as we know."""
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return True
    return channel.permissions_for(member).view_channel


def bot_may_post(guild: discord.Guild, channel: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Whether the bot may post here; False in a thread whose channel it can't see."""
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return False
    return may_post(channel, channel.permissions_for(guild.me))


def bot_permissions(client: discord.Client, channel: int) -> discord.Permissions | None:
    """The bot's permissions in this channel or thread; None if only Discord knows them, as in a DM."""
    place = client.get_channel(channel)
    if isinstance(place, discord.Thread) and place.parent is None:
        return None
    if isinstance(place, discord.abc.GuildChannel | discord.Thread):
        return place.permissions_for(place.guild.me)
    return None


def may_manage_channel(interaction: Interaction) -> bool:
    """Whether this person may manage the channel, according to the interaction."""
    return interaction.permissions.manage_channels


def may_manage_server(interaction: Interaction) -> bool:
    """Whether this person may manage the server."""
    return interaction.permissions.manage_guild


def may_manage_events(interaction: Interaction) -> bool:
    """Whether this person may manage the server's events, according to the interaction."""
    return interaction.permissions.manage_events or interaction.permissions.manage_guild


async def has_left(guild: discord.Guild, person: int) -> bool:
    """Whether this person has certainly left the server."""
    try:
        await guild.fetch_member(person)
    except (discord.HTTPException, *NETWORK) as error:
        return getattr(error, "code", None) in NOT_A_MEMBER
    return False
