"""The simulated Discord: a server with #hearts, one without the bot, and four people with their languages."""

from dataclasses import dataclass, field

from simcord.actors import MemberActor
from simcord.backend.errors import SetupError
from simcord.backend.models import Channel
from simcord.builders import ChannelHandle, GuildHandle, UserHandle
from simcord.env import Env

from bot.local.contexts import create_guild_without_bot, install
from bot.local.simulation import set_locale, set_server_locale
from engine.languages import Language, by_locale

PEOPLE = ("Ann", "Bo", "Cy", "Di")
#: The person with closed DMs, so that My hand can be seen too.
CLOSED = "Di"
#: The person who has added the app to their account, and so can use it in the other server.
INSTALLED = "Ann"
#: The server's key among those whose language can be set.
SERVER = "the server"
#: The languages that can be chosen, by Discord's locale; everyone starts with the first.
LOCALES = ("en-US", "zh-CN", "zh-TW", "de", "es-ES", "fr", "pt-BR")


@dataclass(frozen=True)
class Thread:
    """A thread of #hearts."""

    id: int
    name: str
    archived: bool


@dataclass(frozen=True)
class World:
    """A server with #hearts and four people, whose owner is the first; and another server without the bot."""

    env: Env
    guild: GuildHandle
    channel: ChannelHandle
    elsewhere: ChannelHandle
    people: tuple[MemberActor, ...]
    users: tuple[UserHandle, ...]
    locales: dict[str, str] = field(default_factory=lambda: dict.fromkeys((*PEOPLE, SERVER), LOCALES[0]))

    @classmethod
    def build(cls, env: Env) -> "World":
        """Create the servers, channels and people."""
        users = tuple(env.create_user(name) for name in PEOPLE)
        guild = env.create_guild("Hearts", owner=users[0])
        closed = users[PEOPLE.index(CLOSED)].dm_channel
        path = f"/channels/{closed.id}/messages"
        env.inject_error("POST", path, status=403, code=50007, times=None)
        channel = guild.create_text_channel("hearts")
        elsewhere = create_guild_without_bot(env, "Elsewhere", owner=users[0])
        install(env, users[PEOPLE.index(INSTALLED)].id)
        people = tuple(guild.add_member(user) for user in users)
        for user in users:
            elsewhere.add_member(user)
        return cls(env, guild, channel, elsewhere.create_text_channel("general"), people, users)

    @property
    def threads(self) -> list[Thread]:
        """The threads of #hearts, oldest first."""
        channels = [one._channel for one in self.channel.threads]
        return [Thread(one.id, one.name or "", _is_archived(one)) for one in channels]

    def room(self, person: str, id: int) -> tuple[ChannelHandle, MemberActor]:
        """A channel of either server, and this person as a member there; SetupError if there is none."""
        channel = self.env.backend.channels.get(id)
        guilds = (self.guild, self._other)
        guild = next((one for one in guilds if channel and channel.guild_id == one.id), None)
        if channel is None or guild is None:
            raise SetupError("There is no such channel")
        user = self.users[PEOPLE.index(person)]
        return ChannelHandle(self.env, guild, channel), MemberActor(self.env, guild, user)

    @property
    def _other(self) -> GuildHandle:
        assert self.elsewhere.guild is not None
        return self.elsewhere.guild

    def language_of(self, person: str) -> Language:
        """The language of this person's private messages, given the server's language."""
        return by_locale(self.locales[person]).in_private(by_locale(self.locales[SERVER]))

    def speak(self, whose: str, locale: str) -> None:
        """Set the language of a person's Discord or of the server; ValueError for an unknown one."""
        if whose not in self.locales or locale not in LOCALES:
            raise ValueError(f"{whose} can't speak {locale}")
        self.locales[whose] = locale
        if whose == SERVER:
            # A server with American English counts as one without a chosen language.
            set_server_locale(self.env, self.guild.id, "en-GB" if locale == LOCALES[0] else locale)
        else:
            set_locale(self.env, self.users[PEOPLE.index(whose)].id, locale)

    def has_changed(self) -> bool:
        """Whether anything has happened since the last call."""
        backend = self.env.backend
        changed = bool(backend.transcript)
        backend.transcript.clear()
        backend.http_requests.clear()
        return changed


def _is_archived(channel: Channel) -> bool:
    return channel.thread_metadata is not None and channel.thread_metadata.archived
