"""The simulated server: a channel and four people."""

from __future__ import annotations

from dataclasses import dataclass

from simcord.actors import MemberActor
from simcord.builders import ChannelHandle, UserHandle
from simcord.env import Env

PEOPLE = ("Ann", "Bo", "Cy", "Di")
#: The person with closed DMs, so that My hand can be seen too.
CLOSED = "Di"


@dataclass(frozen=True)
class World:
    """A server with #hearts and four people; the first owns it."""

    env: Env
    channel: ChannelHandle
    people: tuple[MemberActor, ...]
    users: tuple[UserHandle, ...]

    @classmethod
    def build(cls, env: Env) -> World:
        """Create it all."""
        users = tuple(env.create_user(name) for name in PEOPLE)
        guild = env.create_guild("Hearts", owner=users[0])
        closed = users[PEOPLE.index(CLOSED)].dm_channel
        path = f"/channels/{closed.id}/messages"
        env.inject_error("POST", path, status=403, code=50007, times=None)
        channel = guild.create_text_channel("hearts")
        return cls(env, channel, tuple(guild.add_member(user) for user in users), users)

    def has_changed(self) -> bool:
        """Whether anything has happened since the last call."""
        backend = self.env.backend
        changed = bool(backend.transcript)
        backend.transcript.clear()
        backend.http_requests.clear()
        return changed
