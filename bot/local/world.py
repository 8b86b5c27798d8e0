"""The simulated server: a channel and four people, each with the language of their Discord."""

from __future__ import annotations

from dataclasses import dataclass, field

from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, GuildHandle, UserHandle
from simcord.env import Env

from bot.local.simulation import set_locale, set_server_locale

PEOPLE = ("Ann", "Bo", "Cy", "Di")
#: The person with closed DMs, so that My hand can be seen too.
CLOSED = "Di"
#: The server, where it has a language like the people.
SERVER = "the server"
#: The languages that can be chosen, as Discord names them; the first is everyone's at the start.
LOCALES = ("en-US", "zh-CN", "de", "es-ES", "fr", "pt-BR")


@dataclass(frozen=True)
class World:
    """A server with #hearts and four people; the first owns it."""

    env: Env
    guild: GuildHandle
    channel: ChannelHandle
    people: tuple[MemberActor, ...]
    users: tuple[UserHandle, ...]
    locales: dict[str, str] = field(default_factory=lambda: dict.fromkeys((*PEOPLE, SERVER), LOCALES[0]))

    @classmethod
    def build(cls, env: Env) -> World:
        """Create it all."""
        users = tuple(env.create_user(name) for name in PEOPLE)
        guild = env.create_guild("Hearts", owner=users[0])
        closed = users[PEOPLE.index(CLOSED)].dm_channel
        path = f"/channels/{closed.id}/messages"
        env.inject_error("POST", path, status=403, code=50007, times=None)
        channel = guild.create_text_channel("hearts")
        return cls(env, guild, channel, tuple(guild.add_member(user) for user in users), users)

    def speak(self, whose: str, locale: str) -> None:
        """Set the language of a person's Discord or of the server; ValueError if there is no such."""
        if whose not in self.locales or locale not in LOCALES:
            raise ValueError(f"{whose} can't speak {locale}")
        self.locales[whose] = locale
        if whose == SERVER:
            set_server_locale(self.env, self.guild.id, locale)
        else:
            set_locale(self.env, self.users[PEOPLE.index(whose)].id, locale)

    def has_changed(self) -> bool:
        """Whether anything has happened since the last call."""
        backend = self.env.backend
        changed = bool(backend.transcript)
        backend.transcript.clear()
        backend.http_requests.clear()
        return changed
