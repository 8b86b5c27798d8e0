"""The simulation itself: where Discord lets people use an app, told by a bot with two commands."""

from collections.abc import AsyncIterator, Awaitable
from typing import Any

import discord
import pytest
from discord import app_commands
from discord.ext import commands
from places import add_bot, create_private_channel, slash, uninstall
from server import forbid
from simcord.backend.errors import SetupError
from simcord.builders import ChannelHandle, UserHandle
from simcord.env import Env
from simcord.results import InteractionResult, ResponseMessage

from bot.local.contexts import allow_external_apps, create_guild_without_bot, install, remove_bot

Interaction = discord.Interaction[Any]
EVERYWHERE = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True)
IN_SERVERS = app_commands.AppCommandContext(guild=True)


class TinyBot(commands.Bot):
    """Notes what it hears; the tests answer."""

    def __init__(self) -> None:
        super().__init__("!", intents=discord.Intents(guilds=True, messages=True))
        self.heard: list[Interaction] = []
        self.told_of: list[str] = []

    async def setup_hook(self) -> None:
        for callback in (here, table):
            command: Any = app_commands.Command(name=callback.__name__, description="...", callback=callback)
            is_for_servers = callback is table
            command.allowed_contexts = IN_SERVERS if is_for_servers else EVERYWHERE
            command.allowed_installs = app_commands.AppInstallationType(guild=True, user=not is_for_servers)
            self.tree.add_command(command)
        await self.tree.sync()

    async def on_interaction(self, interaction: Interaction) -> None:
        self.heard.append(interaction)

    async def on_message(self, message: discord.Message) -> None:
        self.told_of.append(message.content)


async def here(interaction: Interaction) -> None:
    """A command for everywhere."""


async def table(interaction: Interaction) -> None:
    """A command for servers where the bot is."""


def button() -> discord.ui.View:
    """A button that says Press."""
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label="Press"))
    view.stop()
    return view


class Discord:
    """Ann has the app on her account, Bo doesn't; the bot is at home and not abroad."""

    def __init__(self, env: Env, bot: TinyBot) -> None:
        self.env, self.bot = env, bot
        self.ann, self.bo = env.create_user("ann"), env.create_user("bo")
        self.home_guild, self.guild_abroad = env.create_guild("Home"), create_guild_without_bot(env, "Abroad")
        self.home = self.home_guild.create_text_channel("home")
        self.abroad = self.guild_abroad.create_text_channel("abroad")
        self.ann_at_home, self.bo_at_home = map(self.home_guild.add_member, (self.ann, self.bo))
        self.ann_abroad, self.bo_abroad = map(self.guild_abroad.add_member, (self.ann, self.bo))
        install(env, self.ann.id)

    def people_talking(self, *others: UserHandle) -> ChannelHandle:
        """A DM of Ann's with Bo, or a group DM with more people."""
        return create_private_channel(self.env, self.ann, self.bo, *others)

    @property
    def last(self) -> Interaction:
        return self.bot.heard[-1]

    @property
    def payload(self) -> dict[str, Any]:
        """The last interaction as it was sent."""
        sent = [payload for _, event, payload in self.env.backend.transcript if event == "INTERACTION_CREATE"]
        return dict(sent[-1])

    @property
    def owners(self) -> dict[str, str]:
        """Who has installed the app, as the last interaction says."""
        return dict(self.payload["authorizing_integration_owners"])

    async def answer(self, command: Awaitable[InteractionResult], **answer: Any) -> ResponseMessage:
        """Answer this command for everyone, unless Discord hides that, which it tells the bot."""
        result = await command
        told = await self.last.response.send_message("here", **answer)
        assert result.response.ephemeral == told.is_ephemeral()
        return result.response

    async def refusal(self, request: Awaitable[Any]) -> tuple[int, int]:
        """The status and code with which Discord refuses this request of the bot."""
        with pytest.raises(discord.HTTPException) as caught:
            await request
        return caught.value.status, caught.value.code


@pytest.fixture
async def world() -> AsyncIterator[Discord]:
    bot = TinyBot()
    env = Env(bot, check_errors=False)
    await env.start()
    try:
        yield Discord(env, bot)
        assert not env.errors
    finally:
        await env.shutdown()


async def test_an_interaction_says_where_it_comes_from_and_who_has_installed_the_app(world: Discord) -> None:
    ann, group = world.ann, world.people_talking(world.env.create_user("cy"))
    guild, person = {"0": str(world.home_guild.id)}, {"1": str(ann.id)}
    member, private = {"manage_channels", "external_emojis", "attach_files"}, {"attach_files"}
    outside = member - {"manage_channels"}
    for sent, context, owners, allowed in (
        (world.bo_at_home.slash(world.home, "here"), 0, guild, member),
        (world.ann_at_home.slash(world.home, "here"), 0, guild | person, member),
        (world.ann_at_home.slash(world.home, "table"), 0, guild, member),
        (world.ann_abroad.slash(world.abroad, "here"), 0, person, outside),
        (world.bo.slash("here"), 1, {"0": "0"}, outside),
        (ann.slash("here"), 1, {"0": "0"} | person, outside),
        (slash(ann, world.people_talking(), "here"), 2, person, private),
        (slash(ann, group, "here"), 2, person, private),
    ):
        await sent
        found = {name for name in member if getattr(world.last.app_permissions, name)}
        assert (world.payload["context"], world.owners, found) == (context, owners, allowed)
    assert isinstance(world.last.channel, discord.GroupChannel)
    assert not (await world.answer(slash(ann, group, "here"))).ephemeral
    assert world.payload.keys().isdisjoint({"guild_id", "member"})
    await world.ann_abroad.slash(world.abroad, "here")
    abroad = {"id": str(world.guild_abroad.id), "locale": "en-US", "features": []}
    assert (world.payload["guild"], world.last.app_permissions.read_messages) == (abroad, False)


async def test_whoever_has_the_app_uses_it_without_the_bot_in_the_commands_contexts(world: Discord) -> None:
    private = world.people_talking()
    ann, bo = world.ann_abroad, world.bo_abroad
    for attempt in (
        bo.slash(world.abroad, "here"),
        slash(world.bo, private, "here"),
        ann.slash(world.abroad, "table"),
        world.ann.slash("table"),
        slash(world.ann, private, "table"),
    ):
        with pytest.raises(SetupError, match="not visible"):
            await attempt
    stranger = world.env.create_user("cy")
    install(world.env, stranger.id)
    with pytest.raises(SetupError, match="isn't in that DM"):
        await slash(stranger, private, "here")
    assert world.bot.heard == []
    assert bo.available_commands(world.abroad) == ()
    assert set(ann.available_commands(world.abroad)) == {"here"}
    uninstall(world.env, world.ann.id)
    assert ann.available_commands(world.abroad) == ()


async def test_where_the_bot_is_not_its_token_is_refused_and_it_hears_nothing(world: Discord) -> None:
    private, guild = world.people_talking(), world.guild_abroad
    posted = await world.answer(slash(world.ann, private, "here"))
    place = world.bot.get_partial_messageable(private.id)
    message = place.get_partial_message(posted.id)
    abroad = world.bot.get_partial_messageable(world.abroad.id)
    for request in (
        place.send("hello"),
        abroad.send("hello"),
        world.bot.fetch_channel(private.id),
        message.edit(content="edited"),
        message.delete(),
    ):
        assert await world.refusal(request) == (403, 50001)
    assert await world.refusal(world.bot.fetch_guild(guild.id)) == (404, 10004)
    await world.ann_abroad.send(world.abroad, "abroad")
    world.env.backend.create_message(private.id, world.ann.id, "between us")
    assert world.bot.told_of == []
    await world.ann_at_home.send(world.home, "at home")
    await world.ann.send_dm("to you")
    assert len(world.bot.told_of) == 2
    assert [one.name for one in world.bot.guilds] == ["Home"]
    add_bot(world.env, guild)
    await world.env.settle()
    assert [one.name for one in world.bot.guilds] == ["Home", "Abroad"]
    await world.bo_abroad.slash(world.abroad, "table")
    await abroad.send("hello")
    remove_bot(world.env, guild)
    await world.env.settle()
    assert [one.name for one in world.bot.guilds] == ["Home"]
    assert world.bo_abroad.available_commands(world.abroad) == ()
    assert await world.refusal(abroad.send("hello")) == (403, 50001)


async def test_five_follow_ups_are_sent_where_the_bot_is_not_and_more_where_it_is(world: Discord) -> None:
    for command, is_there in (
        (world.ann_abroad.slash(world.abroad, "here"), False),
        (slash(world.ann, world.people_talking(), "here"), False),
        (world.ann_at_home.slash(world.home, "here"), True),
        (world.ann.slash("here"), True),
    ):
        await world.answer(command)
        for _ in range(5):
            await world.last.followup.send("and more")
        sixth = world.last.followup.send("and more")
        if is_there:
            await sixth
        else:
            assert await world.refusal(sixth) == (400, 40094)
        await world.last.edit_original_response(content="all")  # which is no follow-up


async def test_answers_are_public_unless_a_server_without_the_bot_forbids_it(world: Discord) -> None:
    ann, guild = world.ann_abroad, world.guild_abroad
    assert not (await world.answer(ann.slash(world.abroad, "here"))).ephemeral
    quiet = guild.create_text_channel("quiet", overwrites={guild.default_role: forbid("use_external_apps")})
    assert (await world.answer(ann.slash(quiet, "here"))).ephemeral
    for place in (guild, world.home_guild):
        allow_external_apps(world.env, place, False)
    assert (await world.answer(ann.slash(world.abroad, "here"))).ephemeral
    deferred = await ann.slash(world.abroad, "here")
    await world.last.response.defer(thinking=True)
    await world.last.edit_original_response(content="later")
    await world.last.followup.send("and more")
    assert (deferred.response.ephemeral, deferred.response.content) == (True, "later")
    assert [one.ephemeral for one in deferred.followups] == [True]
    [public] = world.abroad.history(viewer=world.bo_abroad)
    assert public.content == "here"
    assert not (await world.answer(world.ann_at_home.slash(world.home, "here"))).ephemeral


async def test_others_may_use_buttons_that_one_with_the_app_posted(world: Discord) -> None:
    posted = await world.answer(world.ann_abroad.slash(world.abroad, "here"), view=button())
    await world.bo_abroad.click(posted, label="Press")
    await world.last.response.edit_message(content="pressed")
    assert posted.content == "pressed"
    assert world.owners == {"1": str(world.ann.id)}
    metadata = world.payload["message"]["interaction_metadata"]
    assert metadata["authorizing_integration_owners"] == world.owners


# Threads


async def _thread(world: Discord, *, manages: bool = False) -> discord.Thread:
    """A thread that the bot opened; it manages threads only if told so."""
    guild = world.home_guild
    role = world.env.backend.get_role(guild.id, guild.me.roles[-1].id)
    allowed = discord.Permissions(role.permissions)
    allowed.update(manage_threads=manages, manage_channels=False)
    role.permissions = allowed.value
    home: Any = world.bot.get_channel(world.home.id)
    found: discord.Thread = await home.create_thread(name="a table", type=discord.ChannelType.public_thread)
    return found


def _change(world: Discord, thread: discord.Thread, **state: bool) -> None:
    world.env.backend.edit_channel(thread.id, {}, thread_metadata=state)


def _is_archived(world: Discord, thread: discord.Thread) -> bool:
    return bool(world.env.backend.get_thread(thread.id).thread_metadata.archived)


async def test_a_bot_changes_its_own_threads_alone_and_locked_ones_only_as_moderator(world: Discord) -> None:
    thread = await _thread(world)
    await thread.edit(name="another name")
    await thread.edit(archived=True)
    assert await world.refusal(thread.edit(name="again")) == (400, 50083)
    await thread.edit(archived=False)
    assert await world.refusal(thread.edit(locked=True)) == (403, 50013)
    assert await world.refusal(thread.delete()) == (403, 50013)
    theirs = world.env.backend.create_thread(world.home.id, "theirs", world.bo.id)
    found = await world.bot.fetch_channel(theirs.id)
    assert await world.refusal(found.edit(archived=True)) == (403, 50013)

    message = await thread.send("first")
    for archived in (False, True):
        _change(world, thread, locked=True, archived=archived)
        assert await world.refusal(thread.send("second")) == (400, 160005)
        assert await world.refusal(message.edit(content="edited")) == (400, 160005)
    moderated = await _thread(world, manages=True)
    _change(world, moderated, locked=True, archived=True)
    await moderated.send("second")


async def test_a_new_bot_is_told_only_of_its_servers_and_active_threads(world: Discord) -> None:
    asleep, awake = await _thread(world), await _thread(world)
    _change(world, asleep, archived=True)
    world.bot = TinyBot()
    await world.env.restart_bot(world.bot)
    [home] = world.bot.guilds
    assert [thread.id for thread in home.threads] == [awake.id]
    await world.bot.get_partial_messageable(asleep.id).send("wake up")
    await world.env.settle()
    assert {thread.id for thread in home.threads} == {asleep.id, awake.id}


async def test_messages_and_clicks_unarchive_a_thread_and_edits_do_not(world: Discord) -> None:
    thread = await _thread(world)
    message = await thread.send("first")
    _change(world, thread, archived=True)
    assert await world.refusal(message.edit(content="edited")) == (400, 50083)
    await message.delete()
    await thread.send("second")
    assert not _is_archived(world, thread)
    there = ChannelHandle(world.env, world.home.guild, world.env.backend.get_thread(thread.id))
    bo = world.bo_at_home
    posted = await world.answer(bo.slash(there, "here"), view=button())
    _change(world, thread, archived=True)
    await bo.click(posted, label="Press")
    await world.last.response.edit_message(content="pressed")
    assert posted.content == "pressed"
    assert not _is_archived(world, thread)
    _change(world, thread, archived=True, locked=True)
    await bo.click(posted, label="Press")
    assert await world.refusal(world.last.response.edit_message(content="pressed")) == (400, 50083)
