"""The simulation itself: where Discord lets people use an app, told by a bot with a few small commands."""

from __future__ import annotations

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
    """Notes what it hears, and answers."""

    def __init__(self) -> None:
        super().__init__("!", intents=discord.Intents(guilds=True, messages=True))
        self.heard: list[Interaction] = []
        self.told_of: list[str] = []
        self.refused: list[int] = []
        self.hidden: list[bool] = []

    async def setup_hook(self) -> None:
        for callback in (here, table, later, chatter, button):
            command: Any = app_commands.Command(name=callback.__name__, description="...", callback=callback)
            is_for_servers = callback is table
            command.allowed_contexts = IN_SERVERS if is_for_servers else EVERYWHERE
            command.allowed_installs = app_commands.AppInstallationType(guild=True, user=not is_for_servers)
            self.tree.add_command(command)
        await self.tree.sync()

    async def on_interaction(self, interaction: Interaction) -> None:
        self.heard.append(interaction)
        if interaction.type is discord.InteractionType.component:
            try:
                await interaction.response.edit_message(content="pressed")
            except discord.HTTPException as error:
                self.refused.append(error.code)

    async def on_message(self, message: discord.Message) -> None:
        self.told_of.append(message.content)


async def here(interaction: Interaction) -> None:
    """Answer for everyone, and note whether Discord has hidden that."""
    answer = await interaction.response.send_message("here")
    interaction.client.hidden.append(answer.is_ephemeral())


async def table(interaction: Interaction) -> None:
    """Answer, in servers where the bot is."""
    await interaction.response.send_message("a table")


async def later(interaction: Interaction) -> None:
    """Defer, and answer in a second step and with a follow-up."""
    await interaction.response.defer(thinking=True)
    await interaction.edit_original_response(content="later")
    await interaction.followup.send("and more")


async def chatter(interaction: Interaction, count: int) -> None:
    """Answer, and send follow-ups until Discord refuses them."""
    await interaction.response.send_message("first")
    for number in range(count):
        try:
            await interaction.followup.send(f"follow-up {number}")
        except discord.HTTPException as error:
            await interaction.edit_original_response(content=f"{error.status} {error.code} at {number}")
            return


async def button(interaction: Interaction) -> None:
    """Answer with a button."""
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label="Press"))
    view.stop()
    await interaction.response.send_message("a button", view=view)


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

    async def refusal(self, request: Awaitable[Any]) -> tuple[int, int]:
        """The status and code with which Discord refuses this request with the bot's token."""
        with pytest.raises(discord.HTTPException) as caught:
            await request
        return caught.value.status, caught.value.code


def answer_of(result: InteractionResult) -> ResponseMessage:
    """The first answer to an interaction."""
    assert result.response is not None
    return result.response


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
        result = await sent
        found = {name for name in member if getattr(world.last.app_permissions, name)}
        assert (world.payload["context"], world.owners, found) == (context, owners, allowed)
    assert isinstance(world.last.channel, discord.GroupChannel)
    assert not answer_of(result).ephemeral
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
    assert set(ann.available_commands(world.abroad)) == {"here", "later", "chatter", "button"}
    uninstall(world.env, world.ann.id)
    assert ann.available_commands(world.abroad) == ()


async def test_where_the_bot_is_not_its_token_is_refused_and_it_hears_nothing(world: Discord) -> None:
    private, guild = world.people_talking(), world.guild_abroad
    result = await slash(world.ann, private, "button")
    place = world.bot.get_partial_messageable(private.id)
    message = place.get_partial_message(answer_of(result).id)
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
    private = world.people_talking()
    abroad = await world.ann_abroad.slash(world.abroad, "chatter", count=6)
    among_people = await slash(world.ann, private, "chatter", count=6)
    assert [answer_of(one).content for one in (abroad, among_people)] == ["400 40094 at 5"] * 2
    in_server = await world.ann_at_home.slash(world.home, "chatter", count=6)
    in_dm = await world.ann.slash("chatter", count=6)
    assert [len(one.followups) for one in (abroad, among_people, in_server, in_dm)] == [5, 5, 6, 6]


async def test_answers_are_public_unless_a_server_without_the_bot_forbids_it(world: Discord) -> None:
    ann, guild = world.ann_abroad, world.guild_abroad
    assert not answer_of(await ann.slash(world.abroad, "here")).ephemeral
    quiet = guild.create_text_channel("quiet", overwrites={guild.default_role: forbid("use_external_apps")})
    assert answer_of(await ann.slash(quiet, "here")).ephemeral
    for place in (guild, world.home_guild):
        allow_external_apps(world.env, place, False)
    assert answer_of(await ann.slash(world.abroad, "here")).ephemeral
    deferred = await ann.slash(world.abroad, "later")
    assert answer_of(deferred).ephemeral
    assert answer_of(deferred).content == "later"
    assert [one.ephemeral for one in deferred.followups] == [True]
    [public] = world.abroad.history(viewer=world.bo_abroad)
    assert public.content == "here"
    assert not answer_of(await world.ann_at_home.slash(world.home, "here")).ephemeral
    assert world.bot.hidden == [False, True, True, False], "it is told"


async def test_others_may_use_buttons_that_one_with_the_app_posted(world: Discord) -> None:
    posted = await world.ann_abroad.slash(world.abroad, "button")
    await world.bo_abroad.click(answer_of(posted), label="Press")
    assert answer_of(posted).content == "pressed"
    assert world.owners == {"1": str(world.ann.id)}
    metadata = world.payload["message"]["interaction_metadata"]
    assert metadata["authorizing_integration_owners"] == world.owners


# Threads


async def _thread(world: Discord, *, manages: bool = False) -> discord.Thread:
    """A thread that the bot opened; it manages threads only if told so."""
    guild = world.home_guild
    assert guild.me is not None
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
    return bool(world.env.backend.get_thread(thread.id).thread_metadata.archived)  # type: ignore[union-attr]


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
    assert isinstance(found, discord.Thread)
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
    posted = answer_of(await bo.slash(there, "button"))
    _change(world, thread, archived=True)
    await bo.click(posted, label="Press")
    assert posted.content == "pressed"
    assert not _is_archived(world, thread)
    _change(world, thread, archived=True, locked=True)
    result = await bo.click(posted, label="Press")
    assert not result.acknowledged
    assert world.bot.refused == [50083]
