"""The simulated server: a channel, four people, and the bot with a name and a face."""

from __future__ import annotations

from dataclasses import dataclass

from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, UserHandle
from simcord.env import Env

PEOPLE = ("Ann", "Bo", "Cy", "Di")
#: Whose DMs are closed, so that My hand can be seen as well.
CLOSED = "Di"


@dataclass(frozen=True)
class World:
    """A server with #hearts and four people; the first owns it."""

    env: Env
    channel: ChannelHandle
    people: tuple[MemberActor, ...]
    users: tuple[UserHandle, ...]

    @classmethod
    def furnish(cls, env: Env) -> World:
        """Build it."""
        users = tuple(env.create_user(name) for name in PEOPLE)
        guild = env.create_guild("Hearts", owner=users[0])
        closed = users[PEOPLE.index(CLOSED)].dm_channel
        path = f"/channels/{closed.id}/messages"
        env.inject_error("POST", path, status=403, code=50007, times=None)
        channel = guild.create_text_channel("hearts")
        return cls(env, channel, tuple(guild.add_member(user) for user in users), users)

    def has_changed(self) -> bool:
        """Whether anything was said or done since this was last asked."""
        backend = self.env.backend
        changed = bool(backend.transcript)
        backend.transcript.clear()
        backend.http_requests.clear()
        return changed
